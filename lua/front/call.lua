-- SPDX-License-Identifier: MIT
--- call: one call of one tool from the command line.
local core = require("front.core")
local fail = require("front.fail")
local open = require("front.open")
local trace = require("front.trace")
local wall = require("front.wall")

--- Numbers of croft_result that --json shows.
local COUNTS = { "steps", "heap_bytes", "microseconds" }

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

--- The words after TOOL -> the text of a JSON object
local function arguments(words)
  if #words == 1 and words[1]:find("^%s*{") then
    local parsed, reason, at = core.parse(words[1])
    if not parsed then
      fail.usage("the arguments are not JSON: %s at byte %d", reason, at)
    end
    return words[1]
  end
  local members = {}
  for index, word in ipairs(words) do members[index] = member(word) end
  return "{" .. table.concat(members, ",") .. "}"
end

local function as_json(result)
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

return function(write, values, operands)
  local words = table.move(operands, 3, #operands, 1, {})
  local args = arguments(words)
  if values.gate == "elicit" then
    fail.usage("call has no client to ask: its --gate is tty, allow or deny")
  end
  local session, view = open.session(operands[1], values)
  local recorder = open.recorder(session, view, values)
  local held = wall(view, values)
  local result = session:call(operands[2], args)
  if recorder then
    result.id, result.tool, result.args = 1, operands[2], args
    recorder:add(result)
    recorder:close()
  end
  if values.trace then io.stderr:write(trace(session:trace(), held)) end
  session:close()

  if result.outcome == "refused" then fail.usage("%s", result.text) end
  write((values.json and as_json(result) or result.text) .. "\n")
  if result.outcome == "done" then return fail.DONE end
  return result.outcome == "failed" and fail.TOOL or fail.STOPPED
end
