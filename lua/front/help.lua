-- SPDX-License-Identifier: MIT
--- help: what --help prints, made from the table of commands.lua.
local commands = require("front.commands")
local core = require("front.core")
local limits = require("front.limits")

local help = {}

local WIDTH = 80

--- {{left, right}, ...} in two columns
local function columns(rows, lines)
  local width = 0
  for _, row in ipairs(rows) do width = math.max(width, #row[1]) end
  for _, row in ipairs(rows) do
    lines[#lines + 1] = ("  %s%s  %s"):format(row[1], (" "):rep(width - #row[1]), row[2])
  end
end

--- "croft serve [OPTION...] ROOT"
function help.synopsis(command)
  local words = { "croft", command.name }
  table.move(command.operands, 1, #command.operands, 3, words)
  if #command.options > 0 then table.insert(words, 3, "[OPTION...]") end
  return table.concat(words, " ")
end

--- How an option is spelled, and what it does.
function help.option(name)
  local option = commands.options[name]
  local spelled = option.metavar and ("--%s %s"):format(name, option.metavar) or "--" .. name
  return { spelled, option.help .. (option.many and " (may be repeated)" or "") }
end

--- The limits with their defaults, as they are typed.
local function limit_lines(lines)
  local line = " "
  lines[#lines + 1] = ""
  lines[#lines + 1] = "Limits and their defaults (KiB, MiB, GiB; ms, s):"
  for _, limit in ipairs(core.limits()) do
    local shown = " " .. limits.show(limit)
    if #line + #shown > WIDTH then
      lines[#lines + 1] = line
      line = " "
    end
    line = line .. shown
  end
  lines[#lines + 1] = line
end

--- The text for one command.
function help.command(command)
  local lines = { "usage: " .. help.synopsis(command), "" }
  local rows = {}
  lines[#lines + 1] = command.summary:gsub("^%l", string.upper) .. "."
  if #command.about > 0 then lines[#lines + 1] = "" end
  table.move(command.about, 1, #command.about, #lines + 1, lines)
  for index, name in ipairs(command.options) do rows[index] = help.option(name) end
  rows[#rows + 1] = help.option("help")
  lines[#lines + 1] = ""
  lines[#lines + 1] = "Options:"
  columns(rows, lines)
  for _, name in ipairs(command.options) do
    if name == "limit" then limit_lines(lines) end
  end
  return table.concat(lines, "\n") .. "\n"
end

--- The text for the program.
function help.program()
  local lines = {
    "usage: croft COMMAND ...",
    "",
    "Tools for a language model over exactly the files it may see.",
    "",
    "Commands:",
  }
  local rows = {}
  for index, command in ipairs(commands.list) do rows[index] = { command.name, command.summary } end
  columns(rows, lines)
  lines[#lines + 1] = ""
  lines[#lines + 1] = '"croft help COMMAND" says more.'
  return table.concat(lines, "\n") .. "\n"
end

return help
