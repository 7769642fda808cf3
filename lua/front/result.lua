-- SPDX-License-Identifier: MIT
--- result: the result of a call as JSON, with what it took.
local core = require("front.core")

--- Numbers of croft_result.
local COUNTS = { "steps", "heap_bytes", "microseconds" }

return function(result)
  local members = {
    '"outcome":' .. core.quote(result.outcome),
    '"is_error":' .. tostring(result.is_error),
    '"code":' .. core.quote(result.code),
    '"text":' .. core.quote(result.text),
  }
  if result.structured then members[#members + 1] = '"structured":' .. result.structured end
  for _, name in ipairs(COUNTS) do
    members[#members + 1] = ('"%s":%d'):format(name, result[name])
  end
  return "{" .. table.concat(members, ",") .. "}"
end
