-- SPDX-License-Identifier: MIT
--- One table is one tool: what it is, what it takes, what it does.
local definitions = require "croft.definitions"
local schema = require "croft.schema"

local tool = {}

local FIELDS = {
  name = "string", title = "string", description = "string", access = "string",
  idempotent = "boolean", annotations = "table", input = "table", run = "function",
  examples = "table", refusals = "table", explain = "table", narrower = "string",
}

local NEEDED = { "name", "description", "access", "input", "run" }

--- Longest name and description, in bytes: what the strictest clients take.
local NAME_BYTES, DESCRIPTION_BYTES = 64, 2048

local HINTS = {
  readOnlyHint = true, destructiveHint = true, idempotentHint = true, openWorldHint = true,
}

--- Deepest nesting of tables in a definition.
local MOST_DEPTH = 32

local function is_name_byte(byte)
  return byte >= 0x30 and byte <= 0x39 or byte >= 0x41 and byte <= 0x5A
    or byte >= 0x61 and byte <= 0x7A or byte == 0x5F or byte == 0x2D
end

local function name_problem(name)
  for i = 1, #name do
    if not is_name_byte(name:byte(i)) then
      return ("name %q may hold letters, digits, _ and - only"):format(name)
    end
  end
  if name == "" or #name > NAME_BYTES then
    return ("name must have 1 to %d bytes, not %d"):format(NAME_BYTES, #name)
  end
end

local function fields_problem(definition)
  for _, field in ipairs(NEEDED) do
    if definition[field] == nil then
      return field .. " is missing"
    end
  end
  for _, field in ipairs(schema.sorted_keys(definition)) do
    local wanted, got = FIELDS[field], type(definition[field])
    if not wanted then
      return ("%s is not a field of a tool"):format(tostring(field))
    elseif got ~= wanted then
      return ("%s must be a %s, not a %s"):format(field, wanted, got)
    end
  end
end

local function annotations_problem(annotations)
  for _, hint in ipairs(schema.sorted_keys(annotations)) do
    if not HINTS[hint] then
      return ("annotations.%s is not a hint"):format(tostring(hint))
    elseif type(annotations[hint]) ~= "boolean" then
      return ("annotations.%s must be a boolean"):format(hint)
    end
  end
end

local function access_problem(access)
  if access ~= "read" and access ~= "write" then
    return ('access must be "read" or "write", not %q'):format(access)
  end
end

local function description_problem(description)
  if #description > DESCRIPTION_BYTES then
    return ("description has %d bytes, over %d"):format(#description, DESCRIPTION_BYTES)
  end
end

local function problem_of(definition)
  if type(definition) ~= "table" then
    return "tool.define takes a table, not a " .. type(definition)
  end
  return fields_problem(definition)
    or name_problem(definition.name)
    or access_problem(definition.access)
    or description_problem(definition.description)
    or annotations_problem(definition.annotations or {})
    or schema.problem(definition.input)
end

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

--- Checks a tool and returns it, not to be changed any more.
--
-- `name`, `description` and `input` are what a model sees; `access` is "read" or "write"
-- (the core refuses to let the first change anything); `run(args, ctx)` gets checked arguments
-- and returns a text, or a table with structured content. Optional: `title` (made of the name
-- otherwise), `idempotent`, `annotations`; `examples` (argument -> a value that works), `refusals`
-- (argument -> reason -> number of a message), `explain` (code of an error -> function(err, look)
-- that returns its sentence or nil), `narrower` (number of the message that says how to ask for
-- less).
--
-- @raise a plain error that names the field which is wrong
function tool.define(definition)
  local ok, copy = pcall(deep_copy, definition, 0)
  local problem = not ok and copy or problem_of(copy)
  if problem then
    local name = type(definition) == "table" and definition.name
    error((type(name) == "string" and name .. ": " or "") .. problem, 2)
  end
  copy.title = copy.title or title_of(copy.name)
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
