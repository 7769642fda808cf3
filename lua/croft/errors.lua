-- SPDX-License-Identifier: MIT
--- Structured errors: tables with a `code` from the closed set of croft.h and whatever fields tell
--- more. Primitives raise them; a tool raises its own with the final `text`.
local core = require "core.text"
local codes = require "core.codes"
local metatable = require "core.errors"

local errors = {}

--- Raises a plain error, said of the function at `level`, when no tool may raise `code`: the others
--- say that nothing ran, or what became of the call, which is not a tool's to say.
function errors.check(code, level)
  if type(code) == "string" and codes[code] then
    return
  end
  local known = {}
  for name in pairs(codes) do
    known[#known + 1] = name
  end
  table.sort(known)
  local shown = type(code) == "string" and core.quote(code) or "a " .. type(code)
  error(("%s is no code that a tool may raise, which are %s"):format(shown,
    table.concat(known, ", ")), level == 0 and 0 or level + 1)
end

--- Raises an error. `fields` is a table (`text` is what the model reads) or that text alone.
---
--- @raise a plain error in its place when no tool may raise `code`
function errors.raise(code, fields)
  errors.check(code, 2)
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
