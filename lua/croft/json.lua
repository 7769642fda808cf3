-- SPDX-License-Identifier: MIT
--- JSON: text to values and back. Keys come out sorted, arrays are marked, integers keep all
--- digits.
local core = require "core.json"
local quote = require "core.text".quote

local json = {}

--- Deepest nesting of what is decoded and encoded.
json.DEPTH = 64

--- What JSON's null is decoded to.
json.null = core.null

--- Marks `list` as an array, so that it is written as [] even when it is empty. Returns it.
json.array = core.array

--- Deepest nesting of any message.
local MESSAGE_DEPTH = 128

--- Whether `text` is good JSON that only nests too deeply.
function json.is_too_deep(text)
  return not core.check(text, json.DEPTH) and core.check(text, MESSAGE_DEPTH)
end

--- Whether `text` is JSON that nests at most 64 deep; nil, the reason and the byte when it is not.
function json.check(text)
  return core.check(text, json.DEPTH)
end

--- Whether a text that json.check has passed is an object.
json.is_object = core.object

--- The value of the JSON `text`. nil and the reason when it is none, or nests deeper than 64. Half
--- of a surrogate pair, which JSON allows, is a plain error: ask json.lone_surrogate first.
function json.decode(text)
  local ok, reason, at = json.check(text)
  if not ok then
    return nil, reason, at
  end
  return core.decode(text)
end

--- The value of a text that json.check has passed.
json.value = core.decode

--- The members of the object that the JSON `text` is, where the schema `node` takes each as it is:
--- what croft.arguments would read. nil where that has to look.
json.fit = core.fit

--- The member of the object `text` that holds half of a surrogate pair, or nil.
function json.lone_surrogate(text)
  return core.lone(text)
end

local function encode_float(number)
  if number ~= number or number - number ~= 0 then
    error("a number that is not finite cannot be written as JSON", 0)
  end
  if math.tointeger(number) then
    return ("%d"):format(math.tointeger(number))
  end
  for digits = 15, 17 do
    local shown = ("%." .. digits .. "g"):format(number)
    if tonumber(shown) == number then
      return shown
    end
  end
end

local function is_array(value)
  return core.is_array(value) or rawlen(value) > 0
end

local encode

local function encode_array(value, depth)
  local out, count = {}, rawlen(value)
  for key in next, value do
    if math.type(key) ~= "integer" or key < 1 or key > count then
      error("a table with both a list and keys cannot be written as JSON", 0)
    end
  end
  for i = 1, count do
    out[i] = encode(rawget(value, i), depth)
  end
  return "[" .. table.concat(out, ",") .. "]"
end

local function encode_object(value, depth)
  local keys, out = {}, {}
  for key in next, value do
    if type(key) ~= "string" then
      error("a key that is a " .. type(key) .. " cannot be written as JSON", 0)
    end
    keys[#keys + 1] = key
  end
  table.sort(keys)
  for i, key in ipairs(keys) do
    out[i] = quote(key) .. ":" .. encode(rawget(value, key), depth)
  end
  return "{" .. table.concat(out, ",") .. "}"
end

local function encode_table(value, depth)
  if depth >= json.DEPTH then
    error("a table nested deeper than 64 levels cannot be written as JSON", 0)
  end
  if is_array(value) then
    return encode_array(value, depth + 1)
  end
  return encode_object(value, depth + 1)
end

function encode(value, depth)
  local kind = type(value)
  if value == json.null then
    return "null"
  elseif kind == "string" then
    return quote(value)
  elseif kind == "boolean" then
    return tostring(value)
  elseif math.type(value) == "integer" then
    return ("%d"):format(value)
  elseif kind == "number" then
    return encode_float(value)
  elseif kind == "table" then
    return encode_table(value, depth)
  end
  error("a " .. kind .. " cannot be written as JSON", 0)
end

--- The JSON text of `value`. Raises a plain error that says what cannot be written.
function json.encode(value)
  return encode(value, 0)
end

return json
