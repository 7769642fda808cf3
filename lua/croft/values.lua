-- SPDX-License-Identifier: MIT
--- ctx.json: JSON for tools, whose texts come from anywhere.
local json = require "croft.json"

local values = {
  encode = json.encode, -- (value) -> JSON, its keys sorted; what JSON cannot hold is an error
  array = json.array,   -- (list) -> the list, to be written as [] even when it is empty
  null = json.null,     -- what null is decoded to
}

--- `value` with its whole numbers as integers: 2, not 2.0.
local function with_integers(value)
  if math.type(value) == "float" then
    return math.tointeger(value) or value
  elseif type(value) == "table" then
    for key, inner in next, value do
      value[key] = with_integers(inner)
    end
  end
  return value
end

--- The value of the JSON `text`; nil, the reason and the byte when it is none.
function values.decode(text)
  local ok, reason, at = json.check(text)
  if not ok then
    return nil, reason, at
  elseif json.lone_surrogate(text) then
    return nil, "it holds half of a surrogate pair"
  end
  return with_integers(json.decode(text))
end

return values
