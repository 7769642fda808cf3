-- SPDX-License-Identifier: MIT
--- repl_record: :record and :replay.
local breakpoints = require("front.breakpoints")
local core = require("front.core")
local calls = require("front.repl_calls")
local fail = require("front.fail")
local line = require("front.repl_line")
local open = require("front.open")
local reader = require("front.recording_reader")
local recording = require("front.recording")
local replay_call = require("front.replay_call")

local record = {}

-- ---- :record ------------------------------------------------------------------------------------

--- What a recording says of the session as it is now.
local function about(repl)
  local values = setmetatable({ limit = repl.limits }, { __index = repl.values })
  return open.recorded(repl.session, values)
end

local function stop(repl)
  local now = repl.recording
  if not now then fail.usage("nothing is recorded; :record FILE starts that") end
  now.recorder:close()
  repl.recording = nil
  repl.out:say(("%s has %d calls of this session"):format(core.quote(now.path), now.count))
end

local function start(repl, path)
  if repl.recording then
    fail.usage("calls are recorded to %s; :record off ends that", core.quote(repl.recording.path))
  end
  local recorder, reason = recording.create(repl.view, path, about(repl))
  if not recorder then
    fail.usage("the recording %s cannot be used: %s", core.quote(path), reason)
  end
  repl.recording = {
    path = path, recorder = recorder, count = 0,
    add = function(self, tool, args, result)
      self.count = self.count + 1
      recorder:add(setmetatable({ id = self.count, tool = tool, args = args },
        { __index = result }))
    end,
    --- The session was opened anew, maybe with other limits or tools.
    reopened = function() recorder:begin(recording.head(about(repl))) end,
  }
  repl.out:say(("calls are recorded to %s; :record off ends that"):format(core.quote(path)))
end

--- :record [FILE/off]
function record.command(repl, rest)
  if rest == "off" then return stop(repl) end
  if rest ~= "" then return start(repl, rest) end
  local now = repl.recording
  repl.out:add("recording", now and core.quote(now.path) or "null")
  repl.out:say(now and ("%d calls are recorded in %s so far"):format(now.count,
    core.quote(now.path)) or "nothing is recorded; :record FILE starts that")
end

-- ---- :replay ------------------------------------------------------------------------------------

local SWITCHES = { ["--step"] = "step", ["--keep-going"] = "keep_going" }

local function options_of(rest)
  local words, options = line.words(rest), {}
  if not words then fail.usage("a quote is not closed") end
  for _, word in ipairs(words) do
    if SWITCHES[word] then
      options[SWITCHES[word]] = true
    elseif word:find("^%-%-") or options.path then
      fail.usage(':replay takes FILE, --step and --keep-going, not "%s"', word)
    else
      options.path = word
    end
  end
  if not options.path then fail.usage(":replay needs the FILE of a recording") end
  return options
end

--- Says with which options the part was recorded and this session is not.
local function warn_of_options(repl, part)
  local mine, names = about(repl), {}
  local here = { tools = mine.tools, options = {} }
  local there = { tools = mine.tools, options = {} }
  for name, value in pairs(part.options) do
    here.options = { [name] = mine.options[name] }
    there.options = { [name] = value }
    if recording.head(here) ~= recording.head(there) then names[#names + 1] = name end
  end
  table.sort(names)
  if #names > 0 then
    repl.out:say(repl.out:paint("dim", "(it was recorded with other options than these: "
      .. table.concat(names, ", ") .. ")"))
  end
end

--- All calls of a recording, one after another, and where each part begins.
local function calls_of(parts)
  local list = {}
  for _, part in ipairs(parts) do
    for index, call in ipairs(part.calls) do
      list[#list + 1] = { call = call, part = index == 1 and part or nil }
    end
  end
  return list
end

--- Stands still before a call: reads commands until one of them says how to go on.
local function ask(repl, entry, index, count)
  local shown = replay_call.shown(entry.call)
  repl.out:say(("next, line %d: "):format(entry.call.at) .. repl.out:safe(shown))
  repl.out:event("next", ('{"line":%d,"call":%s}'):format(entry.call.at, core.quote(shown)))
  local kept = repl.out:suspend()
  repl.is_before_call = true
  local move = repl:converse(("(replay %d/%d) "):format(index, count))
  repl.is_before_call = nil
  repl.out:resume(kept)
  return move
end

--- Makes one call as `move` says. Returns what calls.make does.
local function go_on(repl, call, move)
  if move ~= "step" then return calls.make(repl, call.tool, call.arguments) end
  local is_there, remove = pcall(breakpoints.at_tool, repl, call.tool)
  local good, result, records = pcall(calls.make, repl, call.tool, call.arguments)
  if is_there then remove() end
  if not good then error(result, 0) end
  return result, records
end

--- Makes one call, and says what came of it. Returns its verdict and its result.
local function make(repl, call, shows, move)
  local obstacle = replay_call.obstacle(call)
  if obstacle then
    repl.out:show(("line %d: %s: not made: %s"):format(call.at, replay_call.shown(call), obstacle))
    return "not made"
  end
  local result, records = go_on(repl, call, move)
  if shows then calls.show(repl, result, records) end
  local verdict, said, shown_diff = replay_call.judge(call, result)
  if verdict == "same" then
    if shows then repl.out:say(repl.out:paint("good", "as it was recorded")) end
    return verdict, result
  end
  repl.out:say(repl.out:paint("bad", ("line %d"):format(call.at))
    .. repl.out:safe((": %s: %s"):format(replay_call.shown(call), said)))
  if shown_diff ~= "" then repl.out:show(shown_diff) end
  return verdict, result
end

local function total(repl, counts)
  local left = counts["not made"] > 0 and (", %d not made"):format(counts["not made"]) or ""
  repl.out:add("replay", ('{"same":%d,"different":%d,"not_made":%d}'):format(counts.same,
    counts.different, counts["not made"]))
  repl.out:say(("%d same, %d different%s"):format(counts.same, counts.different, left))
  if counts.different > 0 then repl:note_status(fail.TOOL) end
end

--- Makes the calls one after another. A call that differs ends it unless it is stepped through, and
--- so does one that was interrupted.
local function run(repl, list, options)
  local counts = { same = 0, different = 0, ["not made"] = 0 }
  local steps, index = options.step, 1
  while list[index] do
    local entry = list[index]
    if entry.part then warn_of_options(repl, entry.part) end
    local move = steps and ask(repl, entry, index, #list)
    if move == "abort" then break end
    if move == "continue" then steps = false end
    local verdict, result = make(repl, entry.call, options.step, move)
    counts[verdict] = counts[verdict] + 1
    index = index + 1
    local is_over = verdict == "different" and not options.keep_going and not options.step
    if is_over or result and result.outcome == "called_off" then break end
  end
  counts["not made"] = counts["not made"] + #list - index + 1
  total(repl, counts)
end

--- :replay FILE [--step] [--keep-going]
function record.replay(repl, rest)
  local options = options_of(rest)
  if repl.is_replaying then fail.usage("a recording is replayed already; :abort ends that") end
  local parts, reason = reader.read(options.path, true)
  if not parts then fail.usage("%s", reason) end
  repl.is_replaying = true
  local good, err = pcall(run, repl, calls_of(parts), options)
  repl.is_replaying, repl.is_before_call = nil, nil
  if not good then error(err, 0) end
end

return record
