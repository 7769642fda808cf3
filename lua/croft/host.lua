-- SPDX-License-Identifier: MIT
--- ctx.host: the functions that the host gave to the session, by their names. Values go there and
--- come back as JSON: nil is null, and ctx.json.null inside of a table.
local core = require "core.host"
local decode = require "core.json".decode
local json = require "croft.json"

--- Makes integers of whole numbers, which JSON does not tell from others.
local function settle(value)
  if type(value) == "table" then
    for key, inner in next, value do
      value[key] = settle(inner)
    end
  elseif math.type(value) == "float" then
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
    local reply = decode(core.call(index, encoded(name, value)))
    if reply == json.null then
      return nil
    end
    return settle(reply)
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
