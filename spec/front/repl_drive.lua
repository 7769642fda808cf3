-- SPDX-License-Identifier: MIT
--- repl_drive: runs `croft repl` over a directory that is thrown away, by a pipe or in a terminal.
local cjson = require("cjson").new()
local drive = require("spec.front.drive")
local testing = require("croft.testing")

local repl = {}

--- A tool with functions, a coroutine, a read, and faults to ask for.
repl.SUM = [[
local tool = require("croft.tool")

local factor = 2

local function double(n)
  local result = n * factor
  return result
end

local function each(list)
  return coroutine.wrap(function()
    for i, v in ipairs(list) do
      coroutine.yield(i, v)
    end
  end)
end

local function run(args, ctx)
  local total = 0
  for _, v in each(args.numbers) do
    total = total + double(v)
  end
  if args.path then
    total = total + #ctx.fs:read(args.path)
  end
  if args.boom then
    local t = nil
    total = total + t.x
  end
  while args.forever do
    total = total + 1
  end
  return ("total %d"):format(total)
end

return tool.define {
  name = "sum", description = "Adds numbers up, twice each.", access = "read",
  input = {
    type = "object", required = { "numbers" },
    properties = {
      numbers = { type = "array", items = { type = "integer" }, description = "What to add." },
      path = { type = "string", description = "A file whose size is added." },
      boom = { type = "boolean", description = "Fails." },
      forever = { type = "boolean", description = "Does not end." },
      mode = { type = "string", enum = { "fast", "slow" }, description = "Nothing." },
    },
  },
  run = run,
}
]]

local FILES = {
  ["a.txt"] = "one\ntwo\n", ["d/b.txt"] = "b\n", ["docs/x.md"] = "x\n",
  ["link"] = { link = "a.txt" }, ["host"] = { link = "/etc" }, ["up"] = { link = "../outside" },
  ["../outside/secret"] = "secret\n", ["../tools/sum.lua"] = repl.SUM,
}

--- A directory with files, and the tool above beside it. Its `close` removes it.
function repl.workspace(more)
  local files = {}
  for name, content in pairs(FILES) do files[name] = content end
  for name, content in pairs(more or {}) do files[name] = content end
  local session = testing.session { files = files }
  return {
    root = session:root(),
    tools = session:root() .. "/../tools",
    close = function() session:close() end,
  }
end

--- The same text with what differs from run to run made alike.
function repl.masked(text)
  text = text:gsub("%d+%.?%d* [mu]?s, ", "T, "):gsub("heap [+-]%d+ KiB", "heap H")
  return (text:gsub("%f[%d]%d+ steps", "N steps"))
end

--- Runs a script, a list of lines or a text: {status, out, err}, with what differs masked.
function repl.run(workspace, script, ...)
  local words = { '"$CROFT" repl', drive.quoted(workspace.root), "--tools",
    drive.quoted(workspace.tools) }
  for _, word in ipairs { ... } do words[#words + 1] = drive.quoted(word) end
  if type(script) == "table" then script = table.concat(script, "\n") .. "\n" end
  local result = drive.shell("timeout 60 " .. table.concat(words, " "), script)
  result.out, result.err = repl.masked(result.out), repl.masked(result.err)
  return result
end

--- The same with --json: also the objects.
function repl.json(workspace, script, ...)
  local result = repl.run(workspace, script, "--json", ...)
  result.objects = {}
  for line in result.out:gmatch("[^\n]+") do
    result.objects[#result.objects + 1] = cjson.decode(line)
  end
  return result
end

--- Talks to it in a terminal of that many columns: `steps` are those of terminal.py, and options
--- are `columns`, `words` for the program and `environment` for the shell.
function repl.terminal(workspace, steps, options)
  options = options or {}
  local lines = {}
  for index, step in ipairs(steps) do lines[index] = cjson.encode(step) end
  local form = '%s TERM=xterm spec/support/terminal.py %d "$CROFT" repl %s --tools %s %s'
  local command = form:format(
    options.environment or "XDG_STATE_HOME=" .. drive.quoted(workspace.root .. "/../state"),
    options.columns or 80, drive.quoted(workspace.root), drive.quoted(workspace.tools),
    options.words or "")
  return drive.shell("env " .. command, table.concat(lines, "\n") .. "\n")
end

return repl
