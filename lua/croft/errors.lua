-- SPDX-License-Identifier: MIT
--- Structured errors: tables with a `code` from the closed set of croft.h and whatever fields tell
--- more. Primitives raise them; a tool raises its own with the final `text`.
local metatable = require "core.errors"

local errors = {}

--- Raises an error. `fields` is a table (`text` is what the model reads) or that text alone.
function errors.raise(code, fields)
  local err = {}
  if type(fields) == "string" then
    err.text = fields
  else
    for key, value in pairs(fields or {}) do
      err[key] = value
    end
  end
  err.code = code
  error(setmetatable(err, metatable), 0)
end

--- Whether `value` is a structured error.
function errors.is(value)
  return type(value) == "table" and getmetatable(value) == metatable
end

--- What `action(...)` returns, or nil when it raised the structured error `code`. Every other error
--- goes on.
function errors.unless(code, action, ...)
  local ok, value = pcall(action, ...)
  if ok then
    return value
  end
  if errors.is(value) and value.code == code then
    return nil
  end
  error(value, 0)
end

return errors
