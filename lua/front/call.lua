-- SPDX-License-Identifier: MIT
--- call: one call of one tool from the command line.
local fail = require("front.fail")
local open = require("front.open")
local result_json = require("front.result")
local trace = require("front.trace")
local wall = require("front.wall")
local words = require("front.words")

return function(write, values, operands)
  local args = words.arguments(operands, 3)
  local session, view, decider = open.session(operands[1], values)
  if decider == "elicit" then
    fail.usage("call has no client to ask: its --gate is tty, policy, allow or deny")
  end
  local recorder = open.recorder(session, view, values)
  local held = wall(values, function() return view:confine() end)
  local result = session:call(operands[2], args)
  if recorder then
    result.id, result.tool, result.args = 1, operands[2], args
    recorder:add(result)
    recorder:close()
  end
  if values.trace then io.stderr:write(trace(session:trace(), held)) end
  session:close()

  if result.outcome == "refused" then fail.usage("%s", result.text) end
  write((values.json and result_json(result) or result.text) .. "\n")
  if result.outcome == "done" then return fail.DONE end
  return result.outcome == "failed" and fail.TOOL or fail.STOPPED
end
