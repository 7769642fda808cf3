-- SPDX-License-Identifier: MIT
--- wrap: runs a program that sees what a view shows, or prints the command that would.
local core = require("front.core")
local fail = require("front.fail")
local open = require("front.open")

--- The exit status when the program was not started, as env(1) has it.
local NOT_STARTED = 125

local function refuse(err)
  if err.code == "missing" then
    io.stderr:write("croft: the program was not started\n")
    return NOT_STARTED
  end
  fail.usage("cannot be started in the view: %s", (err.message:gsub("\n", "\n  ")))
end

--- One argument for a POSIX shell.
local function quoted(word)
  if word:find("^[%w%-_./=:,@%%+]+$") then return word end
  return "'" .. word:gsub("'", "'\\''") .. "'"
end

--- One option with its values a line.
local function show(argv)
  local lines = { quoted(argv[1]) }
  for index = 2, #argv do
    local word = quoted(argv[index])
    if index <= argv.split and argv[index]:find("^%-%-") or index == argv.split + 1 then
      lines[#lines + 1] = "  " .. word
    else
      lines[#lines] = lines[#lines] .. " " .. word
    end
  end
  return table.concat(lines, " \\\n") .. "\n"
end

return function(write, values, operands)
  values["read-only-name"] = values["read-only-name"] or {} -- they are for tools
  local opened = open.view(operands[1], values)
  local command = table.move(operands, 2, #operands, 1, {})
  if values.print then
    local probe = core.probe() or {}
    local argv, err = opened:wrap_argv(values.cwd, command, { version = probe.version })
    if not argv then return refuse(err) end
    write(show(argv))
    return fail.DONE
  end
  local status, err = core.launch(opened, values.cwd, command)
  return status or refuse(err)
end
