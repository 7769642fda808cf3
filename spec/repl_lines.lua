#!/usr/bin/env lua5.4
-- SPDX-License-Identifier: MIT
--- spec/repl_lines.lua PROGRAM [COUNT [SEED]]: types random lines into `croft repl`, and looks
--- whether it answers every one of them. The last line is "N passed, N failed".
--
-- The lines come in scripts of 500, each over a directory and tools of its own; they are valid,
-- nearly valid and not valid at all, and breakpoints make calls stand still among them. A script
-- has passed when the program has ended by itself with one of its exit statuses, has come to the
-- end of the script, and has told of no fault of its own.
local program = arg[1] or "build/dev/croft"
local count = tonumber(arg[2]) or 10000
local seed = tonumber(arg[3]) or os.time()
local PER_SCRIPT = 500

package.path = "lua/?.lua;" .. package.path
package.preload["front.core"] = function() return {} end
local line = require("front.repl_line")

math.randomseed(seed)

local function pick(list) return list[math.random(#list)] end

local COMMANDS = {
  "help", "tools", "schema", "show", "last", "args", "raw", "trace", "why", "break", "delete",
  "step", "next", "out", "until", "continue", "abort", "bt", "frame", "locals", "upvalues", "print",
  "set", "list", "limits", "usage", "profile", "reload", "watch", "check", "record",
  "replay", "maxlen", "gate",
}
local WORDS = {
  "sum", "read", "write", "edit", "grep", "list", "path=a.txt", "path=host/passwd",
  "path=docs/x.md", "path=..", "content=x", "numbers:=[1,2]", "numbers:=[", 'numbers:={"a":[]}',
  "boom=true", "limit=1", "old_string=one", "new_string=two", "pattern=(a|b", "sum.lua:7",
  "sum.lua:999999999999", "sum.lua:0", "sum.lua:99999999999999999999", "read.lua:3",
  "primitive", "primitive read", "error", "refusal", "if", "n == 1", "if nope",
  "if error()", "all", "r", "--step", "--keep-going", "on", "off", "full", "0", "1", "-1",
  "99999999999999999999", "1e5", "0x10", "steps=20000", "time=500ms", "heap=1MiB", "steps=1",
  "total", "args", "ctx", "= 1", "total = 5", "'", '"', "{", "}", '{"path":"a.txt"}', "\\", "\0",
  "\xff\xfe", "\27[31m", "é", "#", ":", "=", "%s%n", ("x"):rep(300),
}
local LUA = {
  "1", "nil", "1 +", ")", "{}", "args", "total", "ctx.fs:list('.')", "ctx.fs:read('a.txt')",
  "error('x')", "error({})", "error()", "(nil)()", "nope.x", "string.rep('x', 1e9)",
  "(function() while true do end end)()", "('x'):rep(1e6):find(('.-'):rep(9) .. 'y')",
  "coroutine.wrap(function() coroutine.yield(1) end)()", "setmetatable({}, {__index = error}).x",
  "setmetatable({}, {__tostring = error})", "print(1)", "_G", "_ENV", "x = 1",
  "load('return 1')()", "load('return 1', '')", "load('error(1)', '')()",
  "function() return", "pcall(error)", "require('croft.tool')",
  "'\\0\\255'", "1//0", "0/0", "math.huge", "{[{}] = {}, [1.5] = 2}", "#arg", "...", "return",
  "goto a ::a::", "local a <close> = 1",
}

local function words()
  local list = {}
  for index = 1, math.random(0, 4) do list[index] = pick(WORDS) end
  return table.concat(list, " ")
end

local function noise()
  local bytes = {}
  for index = 1, math.random(0, 40) do
    local byte = math.random(0, 255)
    bytes[index] = string.char(byte == 10 and 32 or byte)
  end
  return table.concat(bytes)
end

--- A line of a kind.
local KINDS = {
  function() return ":" .. pick(COMMANDS) .. " " .. words() end,
  function() return ":" .. pick(COMMANDS):sub(1, math.random(1, 3)) .. " " .. words() end,
  function()
    return ":" .. pick { "print", "set x =", "set total =", "break sum if" } .. " " .. pick(LUA)
  end,
  function() return "= " .. pick(LUA) end,
  function() return "sum numbers:=[1,2] " .. words() end,
  function() return pick { "read", "write", "edit", "grep", "list" } .. " " .. words() end,
  function() return pick { ":step", ":next", ":out", ":continue", ":bt", ":locals all", "" } end,
  function() return words() end,
  function() return noise() end,
  function() return "sum numbers:=[3]" end,
}

local SUM = [[
local tool = require("croft.tool")

local factor = 2

local function double(n)
  local result = n * factor
  return result
end

local function run(args, ctx)
  local total = 0
  for _, n in ipairs(args.numbers) do
    total = total + coroutine.wrap(function() return double(n) end)()
  end
  if args.path then pcall(function() total = total + #ctx.fs:read(args.path) end) end
  if args.boom then total = total + args.nothing.x end
  return tostring(total)
end

return tool.define {
  name = "sum", description = "Adds numbers up.", access = "read",
  input = {
    type = "object", required = { "numbers" },
    properties = {
      numbers = { type = "array", items = { type = "integer" }, description = "What to add." },
      path = { type = "string", description = "A file." },
      boom = { type = "boolean", description = "Fails." },
    },
  },
  run = run,
}
]]

local function shell(command)
  local _, how, status = os.execute(command)
  return how == "exit" and status or -status
end

local function put(path, text)
  local file = assert(io.open(path, "wb"))
  file:write(text)
  file:close()
end

local function take(path)
  local file = io.open(path, "rb")
  local text = file and file:read("a") or ""
  if file then file:close() end
  return text
end

--- Whether the REPL waits for more behind the line, by its own test.
local function is_open(text)
  return line.is_open(text, function(word) return word:find("^p") or word:find("^set") end)
end

--- Most lines that are open are closed, so that the rest of the script is not one input.
local function closed(text)
  if math.random(50) == 1 then return text end
  for _ = 1, 4 do
    for _, more in ipairs { "", "'", '"', "}", "]}", ")", " end", " 1" } do
      if not is_open(text .. more) then return text .. more end
    end
    text = text .. pick { "'", '"', "}", ")", " end" }
  end
  return "# " .. text
end

local function script_of(size)
  local lines = {}
  for index = 1, size do lines[index] = closed(pick(KINDS)()) end
  return table.concat(lines, "\n") .. "\n'\"}\n= 'the end'\n"
end

--- Whether a traceback is of the program itself. That of a fault of a tool has a level of the tool,
--- and none of the front.
local function has_own_fault(said)
  local joined = said:gsub("\n\t", "\t")
  for levels in joined:gmatch("traceback:\t([^\n]*)") do
    if levels:find("lua/front/", 1, true) or not levels:find("tools/", 1, true) then return true end
  end
  return false
end

local answered = 0

--- Runs a script. Returns what is wrong, or nil.
local function run(directory, script, options)
  put(directory .. "/script", script)
  local status = shell(("cd %s && timeout 120 %s repl root --tools tools --keep-going --limit "
    .. "steps=200000 %s <script >out 2>err"):format(directory, program, options))
  local out, err = take(directory .. "/out"), take(directory .. "/err")
  if status < 0 or status > 3 then
    return ("it ended with %d: %s"):format(status, err:sub(-2000))
  elseif has_own_fault(out .. err) then
    return "a fault of its own: " .. err:sub(-2000)
  end
  answered = answered + select(2, out:gsub("\n", ""))
  local ended = out:find("the end", 1, true) or err:find("ends in the middle", 1, true)
  return not ended and "it ended before the script did: " .. err:sub(-2000) or nil
end

if not program:find("^/") then
  local pipe = assert(io.popen("pwd"))
  program = pipe:read("l") .. "/" .. program
  pipe:close()
end
local directory = os.tmpname()
os.remove(directory)
local passed, failed = 0, 0
for first = 1, count, PER_SCRIPT do
  shell(("rm -rf %s && mkdir -p %s/root/docs %s/tools && ln -s /etc %s/root/host"):format(directory,
    directory, directory, directory))
  put(directory .. "/root/a.txt", "one\ntwo\n")
  put(directory .. "/root/docs/x.md", "x\n")
  put(directory .. "/tools/sum.lua", SUM)
  local size = math.min(PER_SCRIPT, count - first + 1)
  local problem = run(directory, script_of(size), pick { "", "", "--json" })
  if problem then
    failed = failed + 1
    local kept = ("build/repl_lines-%d-%d"):format(seed, first)
    put(kept, take(directory .. "/script"))
    print(("seed %d, lines from %d (kept in %s): %s"):format(seed, first, kept, problem))
  else
    passed = passed + 1
  end
end
shell("rm -rf " .. directory)
print(("seed %d, %d lines, answered by %d"):format(seed, count, answered))
print(("%d passed, %d failed"):format(passed, failed))
os.exit(failed == 0)
