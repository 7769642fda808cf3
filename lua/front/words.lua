-- SPDX-License-Identifier: MIT
--- words: the arguments of a tool as words of a command line.
local core = require("front.core")
local fail = require("front.fail")

local words = {}

--- key=text or key:=JSON -> `"key":value`
local function member(word)
  local key, colon, value = word:match("^([^=:]+)(:?)=(.*)$")
  if not key then
    fail.usage('"%s" is neither key=text, key:=JSON nor the one JSON object', word)
  end
  if not utf8.len(word) then fail.usage("the value of %s is not UTF-8", core.quote(key)) end
  if colon == "" then return core.quote(key) .. ":" .. core.quote(value) end
  local parsed, reason, at = core.parse(value)
  if not parsed then
    fail.usage('the value of "%s" is not JSON: %s at byte %d', key, reason, at)
  end
  return core.quote(key) .. ":" .. parsed:raw()
end

--- The words after TOOL, from number `first` of `operands` on -> the text of a JSON object.
function words.arguments(operands, first)
  local given = table.move(operands, first, #operands, 1, {})
  if #given == 1 and given[1]:find("^%s*{") then
    local parsed, reason, at = core.parse(given[1])
    if not parsed then
      fail.usage("the arguments are not JSON: %s at byte %d", reason, at)
    end
    return given[1]
  end
  for index, word in ipairs(given) do given[index] = member(word) end
  return "{" .. table.concat(given, ",") .. "}"
end

return words
