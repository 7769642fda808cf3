-- SPDX-License-Identifier: MIT
--- The floors of the house, held by reading #include and require lines. A new file in core needs a
--- floor here; where it belongs is the question that this spec asks.
local tree = require("tree")

-- Names without directory and ending; a Lua pattern is matched as a whole.
local FLOORS = {
  [0] = "error problems ceilings bytes sha256 lines occurrences path name_fold glob glob_.* "
    .. "utf8 utf8_.* json_.* embedded functions hmac gate_tools view_config view_fields "
    .. "question staging wide needle needle_.* croft_debug seccomp leave cpus size_signal ticker",
  [1] = "fill fresh copy_.* sys budget breach links pins pins_now sweep root place "
    .. "resolve resolve_.* file dir metadata target turns entry remove move move_.* make_dir "
    .. "replace replace_.* view view_narrow tree tree_.* "
    .. "search search_.* regex regex_.* page page_.* pattern "
    .. "pattern_.* wall record view_plan view_route view_check plan_.* hidden mounts layout "
    .. "policy policy_make policy_file permit artifact artifact_.* trail blank bwrap bwrap_.*",
  [2] = "bind/.*",
  [3] = "heap require sandbox sandbox_.* session session_.* sources sources_.* manifest dump "
    .. "pool gate passage heap_small policy_load policy_run policy_run_parts policy_rules "
    .. "policy_expects policy_check policy_explain",
  [4] = "croft croft_.* door debug_door",
  [5] = "main cmd_.* front front_.* host host_.* line_reader serve_.* watch note module "
    .. "ask_text launch launch_.* runner runner_.*",
}
local WORDS = "include/croft" -- the words that every floor speaks
local ROOF_WITH_LUA = {
  "front", "front_.*", "cmd_serve", "cmd_wrap", "serve_form", "serve_job", "serve_plain", "host",
  "host_.*", "module",
}

-- What only core/sys.c may call.
local SYSTEM_CALLS = [[
  open openat openat2 creat fopen freopen tmpfile mkstemp mkostemp opendir fdopendir readdir
  stat lstat fstat fstatat statx statfs fstatfs access faccessat realpath canonicalize_file_name
  rename renameat renameat2 unlink unlinkat remove rmdir mkdir mkdirat link linkat symlink symlinkat
  readlink readlinkat mknod mknodat mkfifo mkfifoat truncate ftruncate chmod fchmod fchmodat chown
  fchown lchown fchownat utimensat futimens chdir fchdir chroot getdents64 syscall pread read write
  pwrite fsync fdatasync getxattr fgetxattr setxattr fsetxattr removexattr fremovexattr flistxattr
  flock copy_file_range syncfs lseek
]]

-- What is not safe in a thread, or changes the whole process.
local UNSAFE_CALLS = [[
  strerror strtok localtime gmtime ctime asctime rand srand setlocale setenv putenv unsetenv umask
  exit abort vfork fork system popen getpwnam getpwuid getgrnam getgrgid
]]

-- Lua: a directory may require what these patterns name.
local REQUIRES = {
  ["tools/workspace"] = {
    "croft%.tool", "croft%.text", "croft%.errors", "croft%.messages", "croft%.edits",
    "croft%.bad_pattern",
  },
  ["tools/extra"] = {
    "croft%.tool", "croft%.text", "croft%.errors", "croft%.messages", "croft%.patch",
    "croft%.output",
  },
  ["tools/staged"] = {
    "croft%.tool", "croft%.text", "croft%.errors", "croft%.messages", "croft%.edits",
    "croft%.patch", "croft%.staged", "croft%.bad_pattern",
  },
  ["lua/croft"] = { "croft%..+", "core%..+" },
  ["lua/front"] = {
    "front%..+", "croft%.diff", "croft%.json", "croft%.text", "croft%.edits", "core%..+", "core",
    "cjson",
  },
  ["lua/host"] = { "croft_core", "croft", "cjson" },
}

-- Variables that change: the caches made once under pthread_once.
-- core/bind/overrun.c what a signal has to find.
local CACHES = { ["core/sources.c"] = true, ["core/bind/overrun.c"] = true }

local function name_of(path)
  return (path:gsub("^core/", ""):gsub("%.[ch]$", ""))
end

local function floor_of(name)
  for floor = 0, #FLOORS do
    for pattern in FLOORS[floor]:gmatch("%S+") do
      if name:match("^" .. pattern .. "$") then
        return floor
      end
    end
  end
  return nil
end

local function allowed(name, patterns)
  for _, pattern in ipairs(patterns) do
    if name:match("^" .. pattern .. "$") then
      return true
    end
  end
  return false
end

local function core_files()
  return tree.files("core/*.[ch] core/bind/*.[ch]")
end

--- C without comments and without what stands in quotes.
local function code_of(path)
  local text = tree.text(path)
  text = text:gsub("/%*.-%*/", " "):gsub("//[^\n]*", " ")
  text = text:gsub("\\.", " "):gsub("'[^'\n]'", "' '")
  return (text:gsub('"[^"\n]*"', '""'))
end

local function library_files()
  local found = {}
  for _, path in ipairs(core_files()) do
    if (floor_of(name_of(path)) or 0) < 5 then
      found[#found + 1] = path
    end
  end
  return found
end

--- Which functions of a list a file calls by their plain names, not through a pointer or a table;
--- what takes an L is ours.
local function calls_of(path, list)
  local watched, found = {}, {}
  for name in list:gmatch("%S+") do
    watched[name] = true
  end
  for before, name, first in (" " .. code_of(path)):gmatch("([^%w_])([%a_][%w_]*)%s*%((%w*)") do
    if watched[name] and not before:find("[.>*]") and first ~= "L" then
      found[#found + 1] = name
    end
  end
  return found
end

--- The files of ours that a file includes, as names: "bytes", "bind/bind".
local function includes_of(path)
  local found = {}
  local directory = path:match("^core/(.-)[^/]*$")
  for name in tree.text(path):gmatch('\n%s*#%s*include%s+"([^"]+)%.h"') do
    if name == "croft" then
      name = WORDS
    elseif #tree.files("core/" .. directory .. name .. ".h") > 0 then
      name = directory .. name
    end
    found[#found + 1] = name
  end
  return found
end

--- Adds to `circles` each way that comes back to a name it started from.
local function follow(name, graph, trail, seen, circles)
  if trail[name] then
    circles[#circles + 1] = name
    return
  end
  if seen[name] then
    return
  end
  seen[name], trail[name] = true, true
  for _, next_name in ipairs(graph[name] or {}) do
    follow(next_name, graph, trail, seen, circles)
  end
  trail[name] = nil
end

local function requires_of(path)
  local found = {}
  for name in tree.text(path):gmatch("require%s*%(?%s*[\"']([^\"']+)[\"']") do
    found[#found + 1] = name
  end
  return found
end

describe("the floors of core", function()
  it("have a place for every file", function()
    for _, path in ipairs(core_files()) do
      assert(floor_of(name_of(path)), path .. " stands on no floor: give it one in this file")
    end
  end)

  for _, path in ipairs(core_files()) do
    local name = name_of(path)
    local floor = floor_of(name) or -1

    it("let " .. path .. " include only what lies at its height or below", function()
      for _, other in ipairs(includes_of(path)) do
        local height = other == WORDS and 0 or floor_of(other)
        assert(height, path .. " includes " .. other .. ".h, which stands on no floor")
        assert(height <= floor, path .. " includes " .. other .. ".h from above")
      end
    end)

    it("let " .. path .. " know Lua only where Lua lives", function()
      local text = tree.text(path)
      local knows = text:find("#%s*include%s+[<\"]lua[^>\"]*%.h") ~= nil
        or text:find("#%s*include%s+[<\"]lauxlib%.h") ~= nil
      local may = floor == 2 or floor == 3 or allowed(name, ROOF_WITH_LUA)
      assert(may or not knows, path .. " includes lua.h")
    end)
  end

  it("hold no circle of headers", function()
    local graph, circles = {}, {}
    for _, path in ipairs(core_files()) do
      if path:find("%.h$") then
        graph[name_of(path)] = includes_of(path)
      end
    end
    local seen = {}
    for name in pairs(graph) do
      follow(name, graph, {}, seen, circles)
    end
    assert.same({}, circles)
  end)

  it("let the roof know croft.h and the ground alone", function()
    for _, path in ipairs(core_files()) do
      if floor_of(name_of(path)) == 5 then
        for _, other in ipairs(includes_of(path)) do
          local height = other == WORDS and 4 or floor_of(other)
          assert(height ~= 1 and height ~= 2 and height ~= 3, path .. " includes " .. other .. ".h")
        end
      end
    end
  end)

  it("make file system calls in core/sys.c alone", function()
    for _, path in ipairs(library_files()) do
      if path ~= "core/sys.c" then
        assert.same({}, calls_of(path, SYSTEM_CALLS), path)
      end
    end
  end)

  -- S0-3 S2-35: nor is another program started, by searches no more than by anything else
  it("call nothing that is unsafe in a host's threads", function()
    for _, path in ipairs(library_files()) do
      assert.same({}, calls_of(path, UNSAFE_CALLS), path)
    end
  end)
end)

describe("the state of core", function()
  it("has no static variable that changes", function()
    for _, path in ipairs(core_files()) do
      for statement in ("\n" .. code_of(path)):gmatch("[\n;{}]%s*(static%s[^;{}=%(]*[;=])") do
        local object = statement:match("%*([^*]*)$") or statement -- a pointer itself, not its aim
        assert(CACHES[path] or object:find("%f[%w]const%f[%W]"), path .. ": " .. statement)
      end
    end
  end)

  it("has no variable that changes in what was built", function()
    local archive = "build/dev/libcroft_objects.a" -- a sanitizer would add its own
    local symbols, good = tree.output("objdump -t " .. archive .. " 2>/dev/null")
    assert(good, "cannot read " .. archive)
    local member
    for line in symbols:gmatch("[^\n]+") do
      member = line:match("^([%w_]+)%.c%.o:") or member
      local section, name = line:match("%sO%s+(%.%S+)%s+%x+%s+(.*)$")
      local ours = name and not name:find("asan", 1, true) and not name:find("^%.L")
      if ours and (section:find("^%.data$") or section:find("^%.bss")) then
        local known = CACHES["core/" .. member .. ".c"] or CACHES["core/bind/" .. member .. ".c"]
        assert(known, member .. ".c has the variable " .. name)
      end
    end
  end)
end)

describe("the Lua modules", function()
  for directory, patterns in pairs(REQUIRES) do
    for _, path in ipairs(tree.files(directory .. "/*.lua")) do
      it("let " .. path .. " require what its floor may", function()
        for _, name in ipairs(requires_of(path)) do
          assert(allowed(name, patterns), path .. " requires " .. name)
        end
      end)
    end
  end

  it("require in no circle", function()
    local graph, circles = {}, {}
    for _, path in ipairs(tree.files("lua/croft/*.lua lua/front/*.lua tools/*/*.lua")) do
      graph[path:gsub("^lua/", ""):gsub("%.lua$", ""):gsub("/", ".")] = requires_of(path)
    end
    local seen = {}
    for name in pairs(graph) do
      follow(name, graph, {}, seen, circles)
    end
    assert.same({}, circles)
  end)

  it("lie where their floor is", function()
    for _, path in ipairs(tree.files("lua/*/*.lua tools/*/*.lua")) do
      assert(REQUIRES[path:match("^(.*)/")], path .. " lies in a directory without rules")
    end
  end)
end)
