-- SPDX-License-Identifier: MIT
--- test: runs the specs of a tool set with busted, in a plain Lua 5.4 with the Lua module croft.
local core = require("front.core")
local fail = require("front.fail")

--- What is required by name comes from the directory last: a tool may be called as a module is.
local APART = "package.path = package.path:gsub([[%./%?[^;]*;?]], [[]]); "

--- busted under this very Lua: its own program starts whatever `lua` is.
local RUN = APART .. "local run = require[[busted.runner]]; require[[cjson]]; "
  .. "require[[croft.testing]]; package.path = package.path .. [[;./?.lua;./?/init.lua]]; "
  .. "run({ standalone = false })"

local function quoted(text) return "'" .. text:gsub("'", "'\\''") .. "'" end

local function exists(path)
  local file = io.open(path, "r")
  if file then file:close() end
  return file ~= nil
end

--- Where croft.lua and croft_core.so lie: beside the program as it was built, or is installed.
local function module_paths()
  local program = core.program() or ""
  local here = program:match("^(.*)/[^/]*$") or "."
  local top = here:match("^(.*)/[^/]*$") or "."
  local places = { { here .. "/lua/?.lua", here .. "/?.so", here .. "/croft_core.so" } }
  for _, lib in ipairs { core.libdir, "lib" } do
    local base = top .. "/" .. lib .. "/lua/5.4/"
    places[#places + 1] = { top .. "/share/lua/5.4/?.lua", base .. "?.so", base .. "croft_core.so" }
  end
  for _, place in ipairs(places) do
    if exists(place[3]) then return place[1], place[2] end
  end
end

--- The command that runs lua5.4 so that it finds the modules.
local function lua_command()
  local lua, c = module_paths()
  if not lua then return "lua5.4" end
  return ("LUA_PATH=%s LUA_CPATH=%s lua5.4"):format(quoted(lua .. ";;"), quoted(c .. ";;"))
end

local function succeeds(command) return os.execute(command .. " >/dev/null 2>&1") == true end

--- Whether the module can be had in `lua`.
local function has(lua, module)
  return succeeds(("%s -e %s"):format(lua, quoted(("%srequire[[%s]]"):format(APART, module))))
end

--- One sentence about what the machine lacks; nil when nothing is missing.
local function missing(lua)
  if not succeeds("command -v lua5.4") then
    return "croft test needs lua5.4 in PATH (on Debian: apt-get install lua5.4)"
  elseif not has(lua, "busted.runner") then
    return "croft test needs busted for Lua 5.4 (on Debian: apt-get install lua-busted)"
  elseif not has(lua, "cjson") then
    return "croft test needs cjson for Lua 5.4 (on Debian: apt-get install lua-cjson)"
  elseif not has(lua, "croft") then
    return "croft test needs the Lua module croft, with croft_core.so: install croft, or lua-croft"
  end
end

return function(write, _, operands)
  local directory, lua = operands[1], lua_command()
  if not succeeds("cd -- " .. quoted(directory)) then
    fail.usage("cannot enter %s", core.quote(directory))
  end
  local lack = missing(lua)
  if lack then fail.usage("%s", lack) end
  write("") -- what busted prints comes after all of ours
  local command = "cd -- %s && %s -e %s - --pattern=_spec -o plainTerminal ."
  local _, _, status = os.execute(command:format(quoted(directory), lua, quoted(RUN)))
  return status == 0 and fail.DONE or fail.TOOL
end
