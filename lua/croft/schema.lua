-- SPDX-License-Identifier: MIT
--- The schema of a tool's input, as it is sent to a client. croft.schema_rules checks it once, when
--- the tool is loaded; croft.arguments holds calls against it.
local json = require "croft.json"

local schema = {}

--- Words that are checked and not advertised, because some clients refuse them.
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
  if #keys > 1 then
    table.sort(keys, not are_texts and by_text or nil)
  end
  return keys
end

schema.sorted_keys = sorted_keys

--- Whether a value of `node` may be of the JSON type `name`; node.type is one type or a list.
function schema.has_type(node, name)
  if type(node.type) ~= "table" then
    return node.type == name
  end
  for _, one in ipairs(node.type) do
    if one == name then
      return true
    end
  end
  return false
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
  if type(node.type) == "table" then
    out.type = copy_list(node.type)
  end
  if schema.has_type(node, "array") then
    out.items = advertised(node.items, with_names)
  end
  if schema.has_type(node, "object") then
    out.properties = advertised_properties(node.properties, with_names)
    out.required = node.required and copy_list(node.required)
    out.additionalProperties = false
  end
  return out
end

schema.advertised = advertised

return schema
