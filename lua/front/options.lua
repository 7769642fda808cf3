-- SPDX-License-Identifier: MIT
--- options: turns the words of a command line into option values and operands.
local commands = require("front.commands")
local fail = require("front.fail")

local options = {}

local function spellings(command)
  local list = { "--help" }
  for _, name in ipairs(command.options) do list[#list + 1] = "--" .. name end
  return list
end

local function takes(command, name)
  if name == "help" then return true end
  for _, known in ipairs(command.options) do
    if known == name then return true end
  end
  return false
end

--- --name=value or --name -> the option, its name, its value or nil
local function look_up(command, word)
  local name, value = word:match("^%-%-([^=]+)=(.*)$")
  name = name or word:match("^%-%-(.*)$")
  if not name or not takes(command, name) then
    local spelled = word:match("^[^=]*")
    fail.usage('%s has no option "%s"%s', command.name, spelled,
      fail.hint(spelled, spellings(command)))
  end
  return commands.options[name], name, value
end

local function store(values, option, name, value)
  if option.value == "limit" then
    local limit, number = require("front.limits").parse(value)
    values.limit = values.limit or {}
    values.limit[limit] = number
  elseif option.many then
    values[name] = values[name] or {}
    table.insert(values[name], value)
  elseif values[name] ~= nil and option.value ~= "flag" then
    fail.usage("--%s is given twice", name)
  else
    values[name] = value
  end
end

--- Reads the option at words[index]; returns the index of the last word that belongs to it.
local function read_option(command, words, index, values)
  local option, name, value = look_up(command, words[index])
  if option.value == "flag" then
    if value then fail.usage("--%s takes no value", name) end
    value = true
  elseif not value then
    index = index + 1
    value = words[index]
    if not value then fail.usage("--%s needs a value: --%s %s", name, name, option.metavar) end
  end
  store(values, option, name, value)
  return index
end

--- With --view the root is none of the operands.
local function wanted(command, values)
  local operands = command.operands
  return values.view and table.move(operands, 2, #operands, 1, {}) or operands
end

local function check_operands(command, values, operands)
  local least, most = 0, 0
  local names = wanted(command, values)
  for _, operand in ipairs(names) do
    if not operand:find("^%[") then least = least + 1 end
    most = operand:find("%.%.%.") and math.huge or most + 1
  end
  if #operands < least then
    fail.usage('%s needs %s; see "croft help %s"', command.name, names[#operands + 1],
      command.name)
  elseif #operands > most then
    fail.usage('%s does not know what to do with "%s"', command.name, operands[most + 1])
  end
end

--- Words from `first` on -> option values by name, operands. With --help nothing else is looked at.
function options.parse(command, words, first)
  local values, operands = {}, {}
  local index = first
  while index <= #words do
    local word = words[index]
    if word == "--" then
      table.move(words, index + 1, #words, #operands + 1, operands)
      break
    elseif word == "-h" then
      values.help = true
    elseif word:find("^%-.") then
      index = read_option(command, words, index, values)
    else
      operands[#operands + 1] = word
    end
    if values.help then return values, operands end
    index = index + 1
  end
  check_operands(command, values, operands)
  if values.view then table.insert(operands, 1, values.view) end
  return values, operands
end

return options
