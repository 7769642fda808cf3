-- SPDX-License-Identifier: MIT
--- The schema of a tool's input: the subset of JSON Schema that every client understands. It is
--- checked once, when the tool is loaded (S0-18); croft.arguments holds calls against it.
local json = require "croft.json"

local schema = {}

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

--- Words that are checked here and not advertised, because some clients refuse them.
local PRIVATE = { minLength = true }

local function by_text(a, b)
  return tostring(a) < tostring(b)
end

local function sorted_keys(map)
  local keys, are_texts = {}, true
  for key in pairs(map) do
    keys[#keys + 1] = key
    are_texts = are_texts and type(key) == "string"
  end
  table.sort(keys, not are_texts and by_text or nil)
  return keys
end

schema.sorted_keys = sorted_keys

local function word_problem(node, word, where)
  local rule = WORDS[word]
  if not rule then
    return ("%s.%s is not a word that a schema may have here"):format(where, tostring(word))
  end
  if type(node[word]) ~= rule[1] then
    return ("%s.%s must be a %s, not a %s"):format(where, word, rule[1], type(node[word]))
  end
  if not rule[node.type] and word ~= "type" and word ~= "description" then
    return ("%s.%s does not belong to type %q"):format(where, word, node.type)
  end
end

local function words_problem(node, where)
  for _, word in ipairs(sorted_keys(node)) do
    local problem = word_problem(node, word, where)
    if problem then
      return problem
    end
  end
end

local function texts_problem(list, where)
  for i, value in ipairs(list) do
    if type(value) ~= "string" then
      return ("%s[%d] must be a string, not a %s"):format(where, i, type(value))
    end
  end
  if #list == 0 then
    return where .. " is empty"
  end
end

local function range_problem(node, where)
  if node.minimum and node.maximum and node.minimum > node.maximum then
    return where .. ".minimum is greater than its maximum"
  end
end

local problem_of

local function properties_problem(node, where)
  for _, name in ipairs(sorted_keys(node.properties)) do
    local inner = where .. ".properties." .. tostring(name)
    if type(name) ~= "string" then
      return inner .. ": the name of an argument must be a string"
    end
    local problem = problem_of(node.properties[name], inner)
    if problem then
      return problem
    end
    if not node.properties[name].description then
      return inner .. ".description is missing: a model needs it"
    end
  end
end

local function required_problem(node, where)
  for i, name in ipairs(node.required) do
    if not node.properties[name] then
      return ("%s.required[%d] names %q, which is not in properties")
        :format(where, i, tostring(name))
    end
  end
end

local function object_problem(node, where)
  if not node.properties then
    return where .. ".properties is missing"
  end
  if node.additionalProperties then
    return where .. ".additionalProperties must be false: unknown arguments are refused"
  end
  return properties_problem(node, where) or node.required and required_problem(node, where)
end

--- What is wrong with the schema `node`, with the place named from `where` on; nil when it is good.
function problem_of(node, where)
  if type(node) ~= "table" then
    return ("%s must be a table, not a %s"):format(where, type(node))
  end
  if not TYPES[node.type] then
    return ("%s.type must be object, string, integer, number, boolean or array, not %s")
      :format(where, tostring(node.type))
  end
  local problem = words_problem(node, where) or range_problem(node, where)
    or node.enum and texts_problem(node.enum, where .. ".enum")
  if problem then
    return problem
  elseif node.type == "object" then
    return object_problem(node, where)
  elseif node.type == "array" then
    return problem_of(node.items, where .. ".items")
  end
end

--- What is wrong with `input`, the schema of all arguments of a tool; nil when nothing is.
function schema.problem(input)
  local problem = problem_of(input, "input")
  if not problem and input.type ~= "object" then
    return "input.type must be object"
  end
  return problem
end

--- Adds the names of all members that `node` knows, at any depth, to the set `names`.
function schema.add_names(node, names)
  for name, inner in pairs(node.properties or {}) do
    names[name] = true
    schema.add_names(inner, names)
  end
  if node.items then
    schema.add_names(node.items, names)
  end
end

local advertised

local function advertised_properties(properties, with_names)
  local out = {}
  for name, node in pairs(properties) do
    out[name] = advertised(node, with_names)
  end
  return out
end

local function copy_list(list)
  local out = {}
  for i, value in ipairs(list) do
    out[i] = value
  end
  return json.array(out)
end

--- `node` as plain tables that can be written as JSON. `with_names` puts the names of tools into
--- descriptions.
function advertised(node, with_names)
  local out = {}
  for word, value in pairs(node) do
    if not PRIVATE[word] then
      out[word] = value
    end
  end
  out.description = node.description and with_names(node.description)
  out.enum = node.enum and copy_list(node.enum)
  if node.type == "array" then
    out.items = advertised(node.items, with_names)
  elseif node.type == "object" then
    out.properties = advertised_properties(node.properties, with_names)
    out.required = node.required and copy_list(node.required)
    out.additionalProperties = false
  end
  return out
end

schema.advertised = advertised

return schema
