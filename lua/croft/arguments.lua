-- SPDX-License-Identifier: MIT
--- Holds the arguments of a call against the schema of its tool: slips are put right, doubt is
--- refused with the argument named (S0-64 to S0-68, D14).
local core = require "core.text"
local errors = require "croft.errors"
local json = require "croft.json"
local messages = require "croft.messages"
local near = require "croft.near"
local numbers = require "croft.numbers"
local schema = require "croft.schema"
local text = require "croft.text"

local arguments = {}

--- Names that models are trained on, taken for ours where the tool has not got them itself.
local ALIASES = { file_path = "path", old_str = "old_string", new_str = "new_string" }

local KINDS = {
  string = "text", integer = "a whole number", number = "a number",
  boolean = "true or false", array = "a list", object = "an object",
}

--- What was sent, for a sentence: `"maybe"`, 2.5, true, an object, a list.
function arguments.describe(value)
  local kind = type(value)
  if kind == "string" then
    return core.quote(#value > 60 and core.cut(value, 60) .. "..." or value)
  elseif kind == "number" then
    return numbers.text(value)
  elseif kind == "boolean" then
    return tostring(value)
  elseif kind == "table" then
    return rawlen(value) > 0 and "a list" or "an object"
  end
  return "null"
end

local describe = arguments.describe

--- A value that `arg` may have, as JSON, for "send for example".
local function example_of(call, arg, node)
  local samples = call.definition.samples
  if samples and samples[arg] ~= nil then
    return json.encode(samples[arg])
  elseif node.type == "string" then
    return core.quote(node.enum and node.enum[1] or "text")
  elseif node.type == "integer" or node.type == "number" then
    return numbers.text(node.minimum or node.maximum or 1)
  elseif node.type == "boolean" then
    return "true"
  end
  return node.type == "array" and "[]" or "{}"
end

--- The next call after a refusal of `arg`. A path cannot be made up: the names that there are help,
--- unless the tool has an example because it makes files.
local function remedy(call, arg, node, verb)
  local samples = call.definition.samples or {}
  local top = core.split(arg, "[")[1]
  if arg == "path" and not samples.path then
    return messages.text("A_names")
  elseif samples[top] then
    arg = top
  end
  return messages.text(verb, { arg = arg, example = example_of(call, arg, node) })
end

local function refuse(id, values)
  errors.raise("bad_argument", { text = messages.text(id, values) })
end

--- A text that stands for `value` where one was sent that is none.
local function as_text(value)
  local encoded = type(value) == "table" and json.encode(value)
  return encoded and #encoded <= 120 and encoded or '{"a": 1}\n'
end

--- The path of a call, for sentences about other arguments.
local function path_of(given)
  local path = given.path
  if type(path) ~= "string" then
    path = given.file_path
  end
  return type(path) == "string" and path or ""
end

--- Refuses `arg` for `reason` in the tool's own words where it has some.
local function own_refusal(call, arg, reason, value)
  local own = call.definition.refusals and call.definition.refusals[arg]
  if own and own[reason] then
    refuse(own[reason], {
      tool = call.tool, arg = arg, p = path_of(call.given), got = describe(value),
      example = as_text(value),
    })
  end
end

local function refuse_type(call, arg, node, value)
  own_refusal(call, arg, "wrong_type", value)
  refuse("A2", {
    arg = arg, kind = KINDS[node.type], got = describe(value),
    remedy = remedy(call, arg, node, "A_send"),
  })
end

local function refuse_range(arg, node, value)
  local low, high = node.minimum, node.maximum
  if node.type == "integer" and math.abs(value) >= numbers.TWO_63 then
    low, high = low or math.mininteger, high or math.maxinteger
  end
  local below = low and value < low
  local id = node.minimum and node.maximum and "A5" or below and "A5_low" or "A5_high"
  refuse(id, {
    arg = arg, got = numbers.text(value), nearest = numbers.text(below and low or high),
    low = low and numbers.text(low), high = high and numbers.text(high),
  })
end

local function in_range(arg, node, value)
  if node.minimum and value < node.minimum or node.maximum and value > node.maximum then
    refuse_range(arg, node, value)
  end
  return value
end

local function numeric(call, arg, node, value)
  local number = type(value) == "string" and numbers.parse(value) or value
  if type(number) ~= "number" then
    if type(number) == "string" and node.type == "integer" then
      refuse("A4", { arg = arg, got = describe(value), example = example_of(call, arg, node) })
    end
    refuse_type(call, arg, node, value)
  end
  return number
end

local readers = {}

function readers.integer(call, arg, node, value)
  local number = numeric(call, arg, node, value)
  local result, problem = numbers.whole(number)
  if problem == "range" then
    refuse_range(arg, node, number)
  elseif not result then
    local low = math.floor(number)
    local example = numbers.text(math.max(node.minimum or low, low))
    refuse("A4", { arg = arg, got = describe(value), example = example })
  end
  return in_range(arg, node, result)
end

function readers.number(call, arg, node, value)
  local number = numeric(call, arg, node, value)
  if number ~= number or number - number ~= 0 then
    refuse_type(call, arg, node, value)
  end
  return in_range(arg, node, number)
end

function readers.boolean(call, arg, node, value)
  if type(value) == "string" then
    local word = text.trim(value):lower()
    if word == "true" or word == "false" then
      return word == "true"
    end
  elseif type(value) == "boolean" then
    return value
  end
  refuse_type(call, arg, node, value)
end

local function refuse_word(arg, node, value)
  local words = {}
  for i, word in ipairs(node.enum) do
    words[i] = core.quote(word)
  end
  local last = table.remove(words)
  local list = #words > 0 and table.concat(words, ", ") .. " or " .. last or last
  local example = near.best(value, node.enum, 1)[1] or node.enum[1]
  refuse("A7", { arg = arg, words = list, got = describe(value), example = example })
end

function readers.string(call, arg, node, value)
  if type(value) ~= "string" then
    refuse_type(call, arg, node, value)
  end
  if #value < (node.minLength or 0) then
    own_refusal(call, arg, "empty", value)
    refuse("A3", { arg = arg, remedy = remedy(call, arg, node, "A_send") })
  end
  if not node.enum then
    return value
  end
  for _, word in ipairs(node.enum) do
    if word == value then
      return value
    end
  end
  refuse_word(arg, node, value)
end

local function copy(map)
  local out = {}
  for name, value in pairs(map) do
    out[name] = value
  end
  return out
end

--- What stands in for a node that may be of several types: itself, with the one that `value` is of.
local function chosen(node, value)
  if type(node.type) ~= "table" then
    return node
  end
  local is_list = type(value) == "table" and (rawlen(value) > 0 or next(value) == nil)
  local wanted = is_list and "array" or type(value) == "table" and "object"
  local out = copy(node)
  for _, name in ipairs(node.type) do
    local is_scalar = name ~= "object" and name ~= "array"
    if name == wanted or not wanted and is_scalar then
      out.type = name
      return out
    end
  end
  out.type = node.type[1]
  return out
end

local read_members

--- The value of one argument.
local function read(call, arg, node, value)
  node = chosen(node, value)
  return readers[node.type](call, arg, node, value)
end

function readers.object(call, arg, node, value)
  if type(value) ~= "table" or rawlen(value) > 0 then
    refuse_type(call, arg, node, value)
  end
  return read_members(call, arg .. ".", node, value)
end

function readers.array(call, arg, node, value)
  if type(value) ~= "table" or rawlen(value) == 0 and next(value) ~= nil then
    refuse_type(call, arg, node, value)
  end
  local out = {}
  for i = 1, rawlen(value) do
    local label = ("%s[%d]"):format(arg, i)
    out[i] = read(call, label, node.items, value[i])
  end
  return out
end

local function is_there(value)
  return value ~= nil and value ~= json.null
end

--- `given` with aliases under their own names.
local function with_aliases(node, given)
  local out = copy(given)
  for alias, name in pairs(ALIASES) do
    local known = node.properties[name] and not node.properties[alias]
    if known and out[alias] ~= nil and not is_there(out[name]) then
      out[name], out[alias] = out[alias], nil
    end
  end
  return out
end

local function refuse_unknown(call, prefix, node, name)
  local known = schema.sorted_keys(node.properties)
  local close = near.best(name, known, 1)[1]
  local shown = #name > 60 and core.cut(name, 60) .. "..." or name
  local refusal = messages.text("A6", {
    tool = call.tool, arg = prefix .. shown, names = table.concat(known, ", "),
  })
  if close then
    refusal = refusal .. messages.text("A6_near", { near = close })
  end
  errors.raise("bad_argument", { text = refusal })
end

local function refuse_missing(call, arg, node)
  own_refusal(call, arg, "missing", nil)
  refuse("A1", { tool = call.tool, arg = arg, remedy = remedy(call, arg, node, "A_add") })
end

--- The first of `names` that `node` does not know.
local function unknown_of(node, names)
  for _, name in ipairs(names) do
    if not node.properties[name] then
      return name
    end
  end
end

--- The members of the object `given`, read by the schema `node`.
function read_members(call, prefix, node, given)
  local names = schema.sorted_keys(given)
  if unknown_of(node, names) ~= nil then
    given = with_aliases(node, given)
    names = schema.sorted_keys(given)
    local unknown = unknown_of(node, names)
    if unknown ~= nil then
      refuse_unknown(call, prefix, node, tostring(unknown))
    end
  end
  for _, name in ipairs(node.required or {}) do
    if not is_there(given[name]) then
      refuse_missing(call, prefix .. name, node.properties[name])
    end
  end
  local out = {}
  for _, name in ipairs(names) do
    if is_there(given[name]) then
      out[name] = read(call, prefix .. name, node.properties[name], given[name])
    end
  end
  return out
end

--- Refuses the argument that holds half of a surrogate pair.
function arguments.refuse_surrogate(definition, tool, arg)
  local node = definition.input.properties[arg] or { type = "string" }
  local call = { definition = definition, tool = tool }
  refuse("A10", { arg = arg, remedy = remedy(call, arg, node, "A_send") })
end

--- The arguments `given` (decoded JSON) as `definition` wants them, or a structured error with the
--- refusal. `tool` is the advertised name.
function arguments.read(definition, tool, given)
  local call = { definition = definition, tool = tool, given = given }
  return read_members(call, "", definition.input, given)
end

return arguments
