-- SPDX-License-Identifier: MIT
--- croft.testing: a real session over a real directory that is thrown away, for specs of tools.
--
--     local session = testing.session {
--       files = {
--         ["a.txt"] = "one\n",
--         ["empty/"] = true,
--         ["link"] = { link = "a.txt" },
--         ["run.sh"] = { text = "#!/bin/sh\n", mode = "0755" },
--       },
--       tools = { "examples/custom-tool/count_lines.lua" },
--     }
--     assert.equal("missing", session:call("read", { path = "b.txt" }).code)
--     session:close()
local croft = require("croft")

local testing = {}

local Session = {}
Session.__index = Session

local OPTIONS = {
  files = true, tools = true, limits = true, prefix = true, read_only = true,
  one_file_system = true, exclude = true, read_only_names = true, resolver = true,
  trace = true, enable = true, functions = true, gate = true, decider = true, gate_time = true,
  policies = true,
  toolset = true, write_root = true, trust_tier = true,
}

--- Descriptors are looked for up to this number.
local MOST_DESCRIPTORS = 256

-- The host's side --------------------------------------------------------------------------------

local function quoted(text) return "'" .. text:gsub("'", "'\\''") .. "'" end

--- Runs shell commands; returns what they print.
local function shell(lines)
  local pipe = assert(io.popen(table.concat(lines, "\n"), "r"))
  local output = pipe:read("a")
  assert(pipe:close(), "a command failed while a directory was made or removed")
  return output
end

local function read_file(path)
  local file = io.open(path, "rb")
  local text = file and file:read("a") -- nil for a directory
  if file then file:close() end
  return text
end

local function write_file(path, text)
  local file = assert(io.open(path, "wb"))
  assert(file:write(text))
  assert(file:close())
end

--- The numbers of the descriptors that are open.
local function open_descriptors()
  local open = {}
  for number = 0, MOST_DESCRIPTORS - 1 do
    local file = io.open("/proc/self/fdinfo/" .. number, "r") -- which is not open yet when it looks
    if file then
      open[number] = true
      file:close()
    end
  end
  return open
end

--- What is open and was not open before: "7 -> /tmp/x", one a line; nil when there is nothing.
local function leaks(before)
  local lines = {}
  for number in pairs(open_descriptors()) do
    if not before[number] then
      lines[#lines + 1] = ("echo %d '->' $(readlink /proc/$PPID/fd/%d)"):format(number, number)
    end
  end
  return #lines > 0 and shell(lines) or nil
end

-- The directory ----------------------------------------------------------------------------------

local function sorted_paths(files)
  local paths = {}
  for path in pairs(files) do paths[#paths + 1] = path end
  table.sort(paths)
  return paths
end

local function directory_of(path)
  return path:match("^(.*)/$") or path:match("^(.*)/[^/]*$")
end

--- Makes base/root, base/tools and the directories of `files`; returns the path of base.
local function make_base(files)
  local made = { "mkdir -p -- ../tools ." } -- one command, as programs take long to start
  for _, path in ipairs(sorted_paths(files)) do
    local directory = directory_of(path)
    if directory then made[#made + 1] = quoted(directory) end
  end
  return shell {
    "set -e",
    'base=$(mktemp -d "${TMPDIR:-/tmp}/croft.XXXXXX")',
    'mkdir "$base/root"',
    'cd "$base/root"',
    table.concat(made, " "),
    'printf %s "$base"',
  }
end

--- Links and modes, deepest first: a directory that is closed stays as it is.
local function finish_files(root, files)
  local lines = { "set -e", "cd " .. quoted(root) }
  local paths = sorted_paths(files)
  for index = #paths, 1, -1 do
    local path, what = paths[index], files[paths[index]]
    local link = type(what) == "table" and what.link
    local mode = type(what) == "table" and what.mode
    if link then lines[#lines + 1] = ("ln -s -- %s %s"):format(quoted(link), quoted(path)) end
    if mode then lines[#lines + 1] = ("chmod %s -- %s"):format(quoted(mode), quoted(path)) end
  end
  if #lines > 2 then shell(lines) end
end

local function fill(root, files)
  for path, what in pairs(files) do
    local plain = type(what) ~= "table" and { text = what } or what
    if not path:find("/$") and not plain.link then
      write_file(root .. "/" .. path, plain.text or "")
    end
  end
  finish_files(root, files)
end

--- Tools are loaded by directory: single files are gathered in one.
local function tool_directories(tools, gathered)
  local directories, some = {}, false
  for _, path in ipairs(tools or {}) do
    local file = path:find("%.lua$") and path or path .. ".lua"
    local text = read_file(file)
    if text then
      write_file(gathered .. "/" .. file:match("[^/]*$"), text)
      some = true
    else
      directories[#directories + 1] = path
    end
  end
  if some then directories[#directories + 1] = gathered end
  return directories
end

local function remove(base)
  shell { ("rm -rf -- %s 2>/dev/null || { chmod -R u+rwX -- %s; rm -rf -- %s; }")
    :format(quoted(base), quoted(base), quoted(base)) }
end

-- Sessions ---------------------------------------------------------------------------------------

local function open(base, options)
  local view = assert(croft.open(base .. "/root", {
    read_only = options.read_only,
    one_file_system = options.one_file_system,
    exclude = options.exclude,
    read_only_names = options.read_only_names,
    resolver = options.resolver,
    no_fsync = true,
  }))
  local session, err = view:session {
    tools = tool_directories(options.tools, base .. "/tools"),
    prefix = options.prefix,
    limits = options.limits,
    trace = options.trace,
    enable = options.enable,
    functions = options.functions,
    gate = options.gate,
    decider = options.decider,
    gate_time = options.gate_time,
    policies = options.policies,
    toolset = options.toolset,
    write_root = options.write_root,
    trust_tier = options.trust_tier,
  }
  view:close()
  return session or error(err, 0)
end

--- The directory in which the spec that calls this lies.
function testing.directory()
  return debug.getinfo(2, "S").source:match("^@(.*)/[^/]*$") or "."
end

--- Makes a directory with `files`, and a session over it. Options: files, tools (Lua files or
--- directories), limits, prefix, read_only, one_file_system, exclude, read_only_names, resolver,
--- trace, enable (tools of croft's own that are off otherwise), functions (of the host, ctx.host),
--- gate, decider, gate_time, policies (who is asked before a call, as for croft's view:session).
function testing.session(options)
  options = options or {}
  for name in pairs(options) do
    if not OPTIONS[name] then error(("there is no option %q"):format(tostring(name)), 2) end
  end

  local files = options.files or {}
  local descriptors = open_descriptors()
  local base = make_base(files)
  local done, result = pcall(function()
    fill(base .. "/root", files)
    return open(base, options)
  end)
  if not done then
    remove(base)
    error(result, 0)
  end
  return setmetatable({ base = base, session = result, descriptors = descriptors }, Session)
end

--- The host's path of the directory.
function Session:root() return self.base .. "/root" end

--- As croft's session:call: {text, code, is_error, structured, outcome, steps, ...}.
function Session:call(name, arguments, answer)
  return self.session:call(name, arguments, answer)
end

--- The tools as a model sees them.
function Session:tools() return self.session:tools() end

--- What calls did, where `trace` is set: as croft's session:records.
function Session:records() return self.session:records() end

--- What tools printed, and what went wrong inside them.
function Session:log() return self.session:log() end

--- Removes the directory; raises when something that was opened meanwhile is still open.
function Session:close()
  if not self.base then return end
  self.session:close()
  remove(self.base)
  self.base = nil
  local left = leaks(self.descriptors)
  if left then
    collectgarbage() -- a file of the spec's own that nobody holds any more
    left = leaks(self.descriptors)
  end
  if left then error("still open after the session was closed:\n" .. left, 2) end
end

Session.__close = Session.close

return testing
