-- SPDX-License-Identifier: MIT
--- Trees that nobody made for a test: what list, grep and read say of them agrees with find, grep
--- and sed. The sample is fixed: the headers and documents that building croft installs, and croft.
--- S0-49 S0-51 S0-52 S0-56
local croft = require "croft"

local TREES = { "/usr/include", "/usr/share/doc", "core", "lua" }

--- A word that is rare, one that is not, and patterns of each kind.
local PATTERNS = {
  "PTHREAD_MUTEX_INITIALIZER", "copyright holder", "^#define [A-Z]+_VERSION\\b",
  "\\bunsigned +long\\b",
  "[0-9]{6,}", "(int|char) \\*+[a-z]+;$", "no such text anywhere, surely",
}

local LIMITS = {
  result_bytes = 8 * 1024 * 1024, grep_matches = 10000000, list_entries = 10000000, time = 60000,
  steps = 4000000000, heap = 1024 * 1024 * 1024, grep_file_bytes = 1024 * 1024 * 1024,
}

local function lines_of(text)
  local lines = {}
  for line in text:gmatch("[^\n]+") do lines[#lines + 1] = line end
  return lines
end

local function run(command)
  local pipe = assert(io.popen("export LC_ALL=C; " .. command))
  local text = pipe:read("a")
  pipe:close()
  return text
end

local function sorted(list)
  table.sort(list)
  return list
end

local function exists(tree)
  return os.execute(("test -d '%s'"):format(tree))
end

--- `path:line` of each match that croft reports.
local function found(text)
  local places = {}
  for _, line in ipairs(lines_of(text)) do
    places[#places + 1] = line:match("^(.-:%d+)|")
  end
  return places
end

--- The same by GNU grep: -P for the same syntax, -I and --exclude for what croft skips.
local function wanted(tree, pattern)
  local quoted = "'" .. pattern:gsub("'", "'\\''") .. "'"
  local text = run(("cd '%s' && grep -rnIP -- %s . 2>/dev/null"):format(tree, quoted))
  local places = {}
  for _, line in ipairs(lines_of(text)) do
    places[#places + 1] = line:match("^%./(.-:%d+):")
  end
  return places
end

--- Every 97th text file.
local function sample(tree)
  return lines_of(run(("cd '%s' && find . -type f -size -200k -name '*[a-z]' -printf '%%P\\n' "
    .. "| sort | awk 'NR %% 97 == 1' | head -n 40"):format(tree)))
end

--- What is in one list and not in the other, the first few of it.
local function difference(left, right)
  local count, out = {}, {}
  for _, item in ipairs(left) do count[item] = (count[item] or 0) + 1 end
  for _, item in ipairs(right) do count[item] = (count[item] or 0) - 1 end
  for item, n in pairs(count) do
    if n ~= 0 and #out < 5 then
      out[#out + 1] = (n > 0 and "only there: " or "only here: ") .. item
    end
  end
  return sorted(out)
end

for _, tree in ipairs(TREES) do
  describe("the tree " .. tree, function()
    local view, session

    setup(function()
      if not exists(tree) then return end
      view = assert(croft.open(tree))
      session = assert(view:session { limits = LIMITS })
    end)

    teardown(function()
      if not session then return end
      session:close()
      view:close()
    end)

    local function call(tool, arguments)
      local result = session:call(tool, arguments)
      assert.is_false(result.is_error, result.text)
      return result.text
    end

    it("is listed as find lists it", function()
      if not session then pending("not on this machine") return end
      local got, names = {}, lines_of(call("list", { recursive = true }))
      for _, line in ipairs(names) do
        if not line:match("^%[") then
          got[#got + 1] = line:match("^(.-) %-> ") or line:match("^(.-)/$")
            or line:match("^(.-) %(%d+ bytes%)$") or line
        end
      end
      local all = lines_of(run(("cd '%s' && find . -mindepth 1 -printf '%%P\\n'"):format(tree)))
      assert.same({}, difference(all, got))
    end)

    for _, pattern in ipairs(PATTERNS) do
      it("is searched for " .. pattern .. " as grep -rn searches it", function()
        if not session then pending("not on this machine") return end
        local got = found(call("grep", { pattern = pattern }))
        assert.same({}, difference(wanted(tree, pattern), got))
      end)
    end

    it("has pages as sed -n prints them", function()
      if not session then pending("not on this machine") return end
      for _, file in ipairs(sample(tree)) do
        local result = session:call("read", { path = file, offset = 3, limit = 5 })
        local page = run(("cd '%s' && sed -n '3,7{=;p}' '%s' | sed 'N;s/\\n/|/'")
          :format(tree, file))
        if not result.is_error and not page:find("[\128-\255\r]") then
          page = page:gsub("[^\n]$", "%0\n") -- where the file's last line has no end
          assert.equal(page, (result.text:gsub("[^\n]*$", "")), file)
        end
      end
    end)
  end)
end
