-- SPDX-License-Identifier: MIT
--- Numbers as they come out of JSON: floats, and sometimes quoted.
local core = require "core.text"
local text = require "croft.text"

local numbers = {}

--- 2^63 as a float: what the greatest integer becomes on its way through a JSON decoder.
numbers.TWO_63 = 2.0 ^ 63

--- `value` as a person writes it: 4, 2.5, 1e+30.
function numbers.text(value)
  local whole = math.tointeger(value)
  return whole and ("%d"):format(whole) or ("%.14g"):format(value)
end

--- The number that a text holds: digits, a sign and a point, blanks around it. nil when it has
--- anything else, so that hexadecimal and exponents are refused.
function numbers.parse(value)
  local trimmed = text.trim(value)
  for i = 1, #trimmed do
    if not core.find("+-.0123456789", trimmed:sub(i, i), 1) then
      return nil
    end
  end
  return tonumber(trimmed)
end

--- `value` as an integer. nil when it has a fraction; nil and "range" when it does not fit in 64
--- bits.
function numbers.whole(value)
  if value ~= value or value % 1 ~= 0 and math.abs(value) < numbers.TWO_63 then
    return nil
  elseif value == numbers.TWO_63 then
    return math.maxinteger
  elseif math.abs(value) > numbers.TWO_63 then
    return nil, "range"
  end
  return math.tointeger(value)
end

return numbers
