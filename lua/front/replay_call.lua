-- SPDX-License-Identifier: MIT
--- replay_call: one call of a recording, made again, and what differs in words.
local core = require("front.core")
local diff = require("croft.diff")
local plain = require("front.plain")
local recording = require("front.recording")

local replay_call = {}

--- Lines of a difference that are shown, and bytes of arguments.
local DIFF_LINES, ARGUMENT_BYTES = 24, 72

--- Codes of what may run only where somebody says so: not even over a copy, unasked.
local REFUSED = { denied = true, gate_unavailable = true }

--- Why a call cannot be made again, or nil.
function replay_call.obstacle(call)
  if type(call.tool) ~= "string" then
    return "its tool was left out of the recording"
  elseif not call.arguments then
    return "a part of its arguments was left out of the recording"
  elseif call.outcome == "called_off" then
    return "it was cancelled while it ran"
  elseif call.outcome == "needs_input" then
    return "a gate had to be asked first"
  elseif REFUSED[call.code] then
    return "a gate or a policy refused it"
  end
end

--- "failed (missing)"
local function status_of(answer)
  local words = answer.code ~= "" and ("%s (%s)"):format(answer.outcome, answer.code)
    or answer.outcome
  return answer.is_error ~= (answer.outcome ~= "done") and words .. ", as no error" or words
end

--- The first lines of the unified diff of two texts. That neither ends in a newline is not told.
local function short_diff(old, new)
  if old:sub(-1) ~= "\n" and new:sub(-1) ~= "\n" then old, new = old .. "\n", new .. "\n" end
  local text, reason = diff.unified(old, new, { old_name = "recorded", new_name = "now" })
  if not text then return "[no difference is shown: " .. reason .. "]" end
  local lines = {}
  for line in (text .. "\n"):gmatch("(.-)\n") do lines[#lines + 1] = line end
  if #lines > DIFF_LINES then
    local more = #lines - DIFF_LINES
    lines = table.move(lines, 1, DIFF_LINES, 1, {})
    lines[#lines + 1] = ("[%d more lines]"):format(more)
  end
  return plain.text(table.concat(lines, "\n"))
end

--- What is said of texts that differ.
local function text_difference(recorded, text)
  if type(recorded) == "string" then return short_diff(recorded, text) end
  return ("[recorded were %d bytes with the SHA-256 %s; now they are %d with %s]"):format(
    recorded.bytes, recorded.sha256, #text, core.sha256(text))
end

--- A call in a few words: `read {"path":"a"}`
function replay_call.shown(call)
  local tool = type(call.tool) == "string" and core.quote(call.tool):sub(2, -2) or "(left out)"
  local args = call.arguments or "(left out)"
  if #args > ARGUMENT_BYTES then
    args = args:sub(1, utf8.offset(args, 0, ARGUMENT_BYTES) - 1) .. "..."
  end
  return tool:sub(1, ARGUMENT_BYTES) .. " " .. plain.text(args):gsub("\n", " ")
end

--- What differs, in one line, and the lines that show it ("" where none do).
function replay_call.describe(call, result, differs)
  local said = {}
  if differs.status then
    said[1] = ("%s now, %s recorded"):format(status_of(result), status_of(call))
  end
  if differs.text then said[#said + 1] = "the text differs" end
  return table.concat(said, "; "), differs.text and text_difference(call.text, result.text) or ""
end

--- Whether the result of making a call again is "same"; or "different", and what
--- replay_call.describe says of it.
function replay_call.judge(call, result)
  local differs = recording.compare(call, result)
  if not differs then return "same" end
  return "different", replay_call.describe(call, result, differs)
end

return replay_call
