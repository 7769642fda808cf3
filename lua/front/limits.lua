-- SPDX-License-Identifier: MIT
--- limits: NAME=VALUE of --limit, and how a limit is shown.
local core = require("front.core")
local fail = require("front.fail")

local limits = {}

local BYTES = { KiB = 1024, MiB = 1024 * 1024, GiB = 1024 * 1024 * 1024 }
local TIMES = { ms = 1, s = 1000 }
local NONE = {}

--- The suffixes that a limit takes.
local function units(name)
  if name == "time" then return TIMES end
  return (name == "heap" or name:find("_bytes$")) and BYTES or NONE
end

local function names()
  local list = {}
  for index, limit in ipairs(core.limits()) do list[index] = limit.name end
  return list
end

local function is_known(name)
  for _, known in ipairs(names()) do
    if known == name then return true end
  end
  return false
end

--- "16MiB" -> 16777216; nil for what is no such number.
local function number_of(text, suffixes)
  local digits, suffix = text:match("^(%d+)(%a*)$")
  local factor = suffix == "" and 1 or suffixes[suffix]
  local number = digits and factor and math.tointeger(tonumber(digits))
  if not number or number > math.maxinteger // factor then return nil end
  return number * factor
end

--- "16MiB" -> 16777216; nil for what is no size.
function limits.bytes(text) return number_of(text, BYTES) end

--- "heap=16MiB" -> "heap", 16777216
function limits.parse(text)
  local name, value = text:match("^([^=]+)=(.*)$")
  if not name then fail.usage('--limit needs NAME=VALUE, such as steps=1000000, not "%s"', text) end
  if not is_known(name) then
    fail.usage('there is no limit "%s"%s', name, fail.hint(name, names()))
  end
  local number = number_of(value, units(name))
  if not number then
    local example = ({ [TIMES] = "10s or 500ms", [BYTES] = "16MiB or 32768" })[units(name)]
    fail.usage('"%s" is no value for the limit %s; write for example %s', value, name,
      example or "1000")
  end
  return name, number
end

--- As it can be typed after --limit: {name = "heap", value = 16777216} -> "heap=16MiB"
function limits.show(limit)
  local suffixes = units(limit.name)
  for _, suffix in ipairs { "GiB", "MiB", "KiB", "s", "ms" } do
    local factor = suffixes[suffix]
    if factor and limit.value > 0 and limit.value % factor == 0 then
      return ("%s=%d%s"):format(limit.name, limit.value // factor, suffix)
    end
  end
  return ("%s=%d"):format(limit.name, limit.value)
end

return limits
