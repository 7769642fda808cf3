-- SPDX-License-Identifier: MIT
--- What is wrong with the schema of a tool's input: the subset of JSON Schema that every client
--- understands. One schema that a client does not take can cost it all tools (S0-18).
local core = require "core.text"
local schema = require "croft.schema"
local text_rules = require "croft.text_rules"

local schema_rules = {}

local TYPES = {
  object = true, string = true, integer = true, number = true, boolean = true, array = true,
}

--- The words that a schema may use: the Lua type of the value, and the types of schema that have
--- it.
local WORDS = {
  type = { "string" },
  description = { "string" },
  enum = { "table", string = true },
  minLength = { "number", string = true },
  minimum = { "number", integer = true, number = true },
  maximum = { "number", integer = true, number = true },
  items = { "table", array = true },
  properties = { "table", object = true },
  required = { "table", object = true },
  additionalProperties = { "boolean", object = true },
}

--- Longest name of an argument, in bytes.
local NAME_BYTES = 64

local function add(found, where, text, ...)
  found[#found + 1] = where .. text:format(...)
end

local function check_word(node, word, where, found)
  local rule = WORDS[word]
  if not rule then
    add(found, where, ".%s is not a word that a schema may have here", tostring(word))
  elseif word == "type" then
    return -- it was looked at before
  elseif type(node[word]) ~= rule[1] then
    add(found, where, ".%s must be a %s, not a %s", word, rule[1], type(node[word]))
  elseif type(node.type) ~= "table" and not rule[node.type] and word ~= "description" then
    add(found, where, ".%s does not belong to type %q", word, node.type)
  end
end

--- A list of different texts.
local function check_texts(list, where, found)
  local seen = {}
  for _, key in ipairs(schema.sorted_keys(list)) do
    local value = list[key]
    if math.type(key) ~= "integer" or key < 1 or key > #list then
      add(found, where, " must be a list, and has the field %q", tostring(key))
    elseif type(value) ~= "string" then
      add(found, where, "[%d] must be a string, not a %s", key, type(value))
    elseif not core.is_utf8(value) then
      add(found, where, "[%d] must be UTF-8", key)
    elseif seen[value] then
      add(found, where, "[%d] is %s again", key, core.quote(value))
    end
    seen[value] = true
  end
end

local function is_name(name)
  for i = 1, #name do
    local byte = name:byte(i)
    local good = byte >= 0x30 and byte <= 0x39 or byte >= 0x41 and byte <= 0x5A
      or byte >= 0x61 and byte <= 0x7A or byte == 0x5F or byte == 0x2D or byte == 0x2E
    if not good then
      return false
    end
  end
  return name ~= "" and #name <= NAME_BYTES
end

local check

local function check_property(name, node, where, found)
  if type(name) ~= "string" then
    add(found, where, ": the name of an argument must be a string")
    return
  elseif not is_name(name) then
    add(found, where, ": the name of an argument has 1 to %d letters, digits, _, - and points",
      NAME_BYTES)
  end
  check(node, where, found)
  local description = type(node) == "table" and node.description
  local fault = type(description) == "string"
    and text_rules.fault(description, text_rules.DESCRIPTION)
  if fault then
    add(found, where, ".description%s", fault)
  elseif type(node) == "table" and node.type and description == nil then
    add(found, where, ".description is missing: a model needs it")
  end
end

local function check_object(node, where, found)
  if type(node.properties) ~= "table" then
    if node.properties == nil then
      add(found, where, ".properties is missing")
    end
    return
  elseif node.additionalProperties == true then
    add(found, where, ".additionalProperties must be false: unknown arguments are refused")
  end
  for _, name in ipairs(schema.sorted_keys(node.properties)) do
    local inner = ("%s.properties.%s"):format(where, tostring(name))
    check_property(name, node.properties[name], inner, found)
  end
  if type(node.required) ~= "table" then
    return
  end
  check_texts(node.required, where .. ".required", found)
  for i, name in ipairs(node.required) do
    if type(name) == "string" and node.properties[name] == nil then
      add(found, where, ".required[%d] names %q, which is not in properties", i, name)
    end
  end
end

--- Whether `number` can be written as JSON, and the values of `node` be held against it.
local function is_bound(number, node)
  return number == number and math.abs(number) ~= math.huge
    and (node.type ~= "integer" or math.tointeger(number) ~= nil)
end

local function check_range(node, where, found)
  local least, most = node.minimum, node.maximum
  for _, word in ipairs { "minimum", "maximum" } do
    if type(node[word]) == "number" and not is_bound(node[word], node) then
      add(found, where, ".%s must be a %s number, not %s", word,
        node.type == "integer" and "whole" or "finite", tostring(node[word]))
      return
    end
  end
  if type(least) == "number" and type(most) == "number" and least > most then
    add(found, where, ".minimum is greater than its maximum")
  end
end

local function check_length(node, where, found)
  local length = node.minLength
  if type(length) ~= "number" then
    return
  elseif math.type(length) ~= "integer" or length < 0 then
    add(found, where, ".minLength must be a whole number, not %s", tostring(length))
    return
  end
  for i, value in ipairs(type(node.enum) == "table" and node.enum or {}) do
    if type(value) == "string" and #value < length then
      add(found, where, ".enum[%d] is shorter than minLength", i)
    end
  end
end

--- Whether `list` is a list of different types, an object, an array and a scalar each once at most:
--- a value tells which of them it is.
local function is_choice(list)
  local seen = {}
  for _, name in ipairs(type(list) == "table" and list or {}) do
    local sort = (name == "object" or name == "array") and name or "scalar"
    if not TYPES[name] or seen[sort] then
      return false
    end
    seen[sort] = true
  end
  return next(seen) ~= nil
end

--- Adds to `found` what is wrong with `node`, with the place named from `where` on.
function check(node, where, found)
  if type(node) ~= "table" then
    add(found, where, " must be a table, not a %s", type(node))
    return
  elseif not TYPES[node.type] and not is_choice(node.type) then
    add(found, where, ".type must be object, string, integer, number, boolean or array, not %s",
      tostring(node.type))
    return
  end
  for _, word in ipairs(schema.sorted_keys(node)) do
    check_word(node, word, where, found)
  end
  check_range(node, where, found)
  check_length(node, where, found)
  if type(node.enum) == "table" then
    check_texts(node.enum, where .. ".enum", found)
    if next(node.enum) == nil then
      add(found, where, ".enum is empty")
    end
  end
  if schema.has_type(node, "object") then
    check_object(node, where, found)
  end
  if schema.has_type(node, "array") and (node.items == nil or type(node.items) == "table") then
    check(node.items, where .. ".items", found)
  end
end

--- Adds to `found` what is wrong with `input`, the schema of all arguments of a tool.
function schema_rules.check(input, found)
  if type(input) == "table" and TYPES[input.type] and input.type ~= "object" then
    add(found, "input", ".type must be object")
  else
    check(input, "input", found)
  end
end

return schema_rules
