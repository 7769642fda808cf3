-- SPDX-License-Identifier: MIT
--- One table is one tool: what it is, what it takes, what it does.
local loading = require "core.loading"
local definitions = require "croft.definitions"
local rules = require "croft.rules"

local tool = {}

--- Deepest nesting of tables in a definition.
local MOST_DEPTH = 32

--- "count_lines" -> "Count lines"
local function title_of(name)
  local words = {}
  for i = 1, #name do
    local byte = name:byte(i)
    words[i] = (byte == 0x5F or byte == 0x2D) and " " or name:sub(i, i)
  end
  words[1] = words[1]:upper()
  return table.concat(words)
end

--- The hints of `definition`: they follow from its access, and its own come first.
function tool.annotations(definition)
  local reads = definition.access == "read"
  local hints = {
    readOnlyHint = reads,
    destructiveHint = not reads,
    idempotentHint = reads or definition.idempotent == true,
    openWorldHint = false,
  }
  for hint, value in pairs(definition.annotations or {}) do
    hints[hint] = value
  end
  return hints
end

--- A copy of `value` and of the tables in it, without their metatables: what was checked is what
--- everybody sees.
local function deep_copy(value, depth)
  if type(value) ~= "table" then
    return value
  elseif depth > MOST_DEPTH then
    error("tables nested too deeply", 0)
  end
  local copy = {}
  for key, inner in next, value do
    copy[key] = deep_copy(inner, depth + 1)
  end
  return copy
end

--- Where the tool's file called tool.define: `set/count_lines.lua:12: `.
local function place_of_call()
  local _, place = pcall(error, "", 4)
  return place ~= "" and place or loading.place()
end

--- Raises all of `problems`, a line each.
local function refuse(problems, name, place)
  local head = place .. (type(name) == "string" and name .. ": " or "")
  for i, problem in ipairs(problems) do
    problems[i] = head .. problem
  end
  error(table.concat(problems, "\n"), 0)
end

--- Checks a tool and returns it, not to be changed any more.
--
-- `name`, `description` and `input` are what a model sees; `access` is "read" or "write"
-- (the core refuses to let the first change anything); `run(args, ctx)` gets checked arguments
-- and returns a text, or a table with structured content. Optional: `title` (made of the name
-- otherwise), `idempotent`, `annotations`; `messages` (name -> what ctx.refuse says), `examples`
-- (a list of calls that `croft check` makes), `samples` (argument -> a value that works),
-- `paths` (the names of the arguments that name a path, for a gate; "path" otherwise), `effect`
-- ("search" for a tool that reads wherever a pattern leads),
-- `refusals` (argument -> reason -> number of a message), `explain` (code of an error ->
-- function(err, look) that returns its sentence or nil), `narrower` (number of the message that
-- says how to ask for less).
--
-- @raise a plain error that names each field which is wrong, one a line
function tool.define(definition)
  if loading.is_again() then
    return definitions.lend(definition)
  end
  local place = place_of_call()
  local ok, copy = pcall(deep_copy, definition, 0)
  local problems = ok and rules.problems(copy) or { copy }
  if #problems > 0 then
    refuse(problems, type(definition) == "table" and definition.name, place)
  end
  copy.title = copy.title or title_of(copy.name)
  copy.place = place
  return definitions.add(copy)
end

local function sort_key(key, numbers, strings)
  if type(key) == "number" then
    numbers[#numbers + 1] = key
  elseif type(key) == "string" then
    strings[#strings + 1] = key
  else
    error("tool.sorted_pairs takes keys that are numbers or strings, not a " .. type(key), 3)
  end
end

--- As pairs(map), in an order that is the same each time: numbers, then strings by their bytes.
--- `map` may be changed meanwhile; what has gone is left out.
--
-- @raise a plain error when a key is neither
function tool.sorted_pairs(map)
  local keys, strings = {}, {}
  for key in pairs(map) do
    sort_key(key, keys, strings)
  end
  table.sort(keys)
  table.sort(strings)
  table.move(strings, 1, #strings, #keys + 1, keys)
  local at = 0
  return function()
    repeat
      at = at + 1
    until keys[at] == nil or map[keys[at]] ~= nil
    return keys[at], map[keys[at]]
  end
end

return tool
