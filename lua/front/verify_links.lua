-- SPDX-License-Identifier: MIT
--- verify-links: refuses a checkout whose symbolic links cannot be trusted.
local core = require("front.core")
local fail = require("front.fail")

local function as_line(fault) return ("%s: %s\n"):format(fault.shown, fault.reason) end

local function as_json(fault)
  return ('{"path":%s,"code":%s,"reason":%s}\n'):format(core.quote(fault.shown),
    core.quote(fault.code), core.quote(fault.reason))
end

return function(write, values, operands)
  local checkout = core.quote(operands[1])
  local good, err = core.verify_links(operands[1], { read_only_names = values["read-only-name"] })
  if good then return fail.DONE end
  if err.code ~= "denied" then fail.usage("cannot look at %s: %s", checkout, err.message) end

  local show = values.json and as_json or as_line
  local lines = {}
  for index, fault in ipairs(err) do lines[index] = show(fault) end
  write(table.concat(lines))
  local rest = err.count - #lines
  io.stderr:write(("croft: %s is refused: %s%s\n"):format(checkout, err.message,
    rest > 0 and (", %d of them are not shown"):format(rest) or ""))
  return fail.TOOL
end
