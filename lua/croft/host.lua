-- SPDX-License-Identifier: MIT
--- ctx.host: the functions that the host gave to the session, by their names. Values go there and
--- come back as JSON.
local core = require "core.host"
local decode = require "core.json".decode
local json = require "croft.json"

--- What JSON does not tell apart, or Lua does not: whole numbers become integers, null is left out
--- of objects and is false in a list, which must not have holes.
local function settle(value, otherwise)
  if value == json.null then
    return otherwise
  elseif type(value) == "table" then
    local in_list
    if rawlen(value) > 0 then
      in_list = false
    end
    for key, inner in next, value do
      value[key] = settle(inner, in_list)
    end
  elseif type(value) == "number" then
    return math.tointeger(value) or value
  end
  return value
end

local function encoded(name, value)
  if value == nil then
    return "null"
  end
  local ok, text = pcall(json.encode, value)
  if not ok then
    error(("ctx.host.%s: %s"):format(name, text), 3)
  end
  return text
end

local function caller(index, name)
  return function(value)
    return settle(decode(core.call(index, encoded(name, value))))
  end
end

local host, offered = {}, {}
for index, entry in ipairs(core.list()) do
  host[entry.name] = caller(index, entry.name)
  offered[index] = entry.description == "" and entry.name
    or ("%s (%s)"):format(entry.name, entry.description)
end

local function unknown(_, name)
  local all = #offered > 0 and table.concat(offered, ", ") or "none"
  error(("the host has no function %s; it has: %s"):format(tostring(name), all), 2)
end

return setmetatable(host, { __index = unknown })
