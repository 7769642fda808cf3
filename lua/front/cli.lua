-- SPDX-License-Identifier: MIT
--- cli: finds the command and runs it. Each command is a module, loaded when it is asked for.
local commands = require("front.commands")
local fail = require("front.fail")
local options = require("front.options")

local ALIASES = { ["--help"] = "help", ["-h"] = "help", ["--version"] = "version" }

local function write(text)
  local done, reason = io.stdout:write(text)
  if done then done, reason = io.stdout:flush() end
  if not done then fail.output(reason) end
end

local function find_command(name)
  local command = commands.by_name[ALIASES[name] or name]
  if not command then
    fail.usage('there is no command "%s"%s', name, fail.hint(name, commands.names))
  end
  return command
end

local function print_help(command)
  local help = require("front.help")
  write(command and help.command(command) or help.program())
  return fail.DONE
end

--- What the commands do: (values, operands) -> exit status. The larger ones are modules.
local actions = {
  serve = function(...) return require("front.serve")(...) end,
  call = function(...) return require("front.call")(write, ...) end,
  repl = function(...) return require("front.repl")(write, ...) end,
  tools = function(...) return require("front.tools")(write, ...) end,
  check = function(...) return require("front.check")(write, ...) end,
  replay = function(...) return require("front.replay")(write, ...) end,
  new = function(...) return require("front.new")(write, ...) end,
  test = function(...) return require("front.test")(write, ...) end,
  policy = function(...) return require("front.policy")(write, ...) end,
  ["verify-links"] = function(...) return require("front.verify_links")(write, ...) end,
  fill = function(...) return require("front.fill").fill(write, ...) end,
  harvest = function(...) return require("front.fill").harvest(write, ...) end,
  wrap = function(...) return require("front.wrap")(write, ...) end,
  help = function(values, operands)
    if values.man then
      write(require("front.man")())
      return fail.DONE
    end
    return print_help(operands[1] and find_command(operands[1]))
  end,
  version = function()
    write(("croft %s\n"):format(require("front.core").version()))
    return fail.DONE
  end,
}

local function run(words)
  if not words[1] then
    fail.usage('a command is needed: %s; see "croft --help"', table.concat(commands.names, ", "))
  end
  local command = find_command(words[1])
  local values, operands = options.parse(command, words, 2)
  if values.help then return print_help(command) end
  return actions[command.name](values, operands)
end

--- The arguments of the program -> its exit status.
return function(words)
  local handler = function(err) return fail.is(err) and err or debug.traceback(err) end
  local done, result = xpcall(run, handler, words)
  if done then return result end
  if not fail.is(result) then error(result, 0) end
  io.stderr:write("croft: ", require("front.plain").text(result.message), "\n")
  return result.status
end
