-- SPDX-License-Identifier: MIT
--- replay: makes the calls of a recording again, and tells what comes out differently.
local core = require("front.core")
local diff = require("croft.diff")
local fail = require("front.fail")
local open = require("front.open")
local reader = require("front.recording_reader")
local recording = require("front.recording")
local wall = require("front.wall")

local replay = {}

--- Lines of a difference that are shown, and bytes of arguments.
local DIFF_LINES, ARGUMENT_BYTES = 24, 72

-- ---- sessions -----------------------------------------------------------------------------------

--- What a part was recorded with, as option values of a command line.
local function values_of(part, values)
  local options = part.options
  return {
    ["read-only"] = options.read_only,
    ["one-file-system"] = options.one_file_system,
    ["no-fsync"] = true, -- it changes no answer
    exclude = options.exclude,
    enable = options.enable,
    prefix = options.prefix,
    limit = options.limits,
    tools = values.tools,
    gate = values.gate,
  }
end

local function check_tools(part, session, path)
  local offered = {}
  for tool in assert(core.parse(session:tools())):each() do
    offered[tool:pick("name"):text()] = true
  end
  for _, name in ipairs(part.tools) do
    if not offered[name] then
      fail.usage("%s:%d: the recording has the tool %s, which is not here; --tools DIR loads tools",
        path, part.at, core.quote(name))
    end
  end
end

--- Opens the session of a part, whose options are not trusted.
local function open_session(part, path, root, values)
  local good, session, view = pcall(open.session, root, values_of(part, values))
  if good then return session, view end
  if not fail.is(session) then error(session, 0) end
  fail.usage("%s:%d: %s", path, part.at, session.message)
end

--- Opens a session for each part, over ROOT. Returns a view for the wall: one that may write, where
--- there is one.
local function open_sessions(parts, path, root, values)
  local widest
  open.view(root, {}):close() -- says what is wrong with ROOT itself
  for _, part in ipairs(parts) do
    local view
    part.session, view = open_session(part, path, root, values)
    check_tools(part, part.session, path)
    if not widest or not part.options.read_only then widest = view end
  end
  return widest
end

-- ---- a call -------------------------------------------------------------------------------------

--- Codes of what may run only where somebody says so: not even over a copy, unasked.
local REFUSED = { denied = true, gate_unavailable = true }

--- Why a call cannot be made again, or nil.
function replay.obstacle(call)
  if type(call.tool) ~= "string" then
    return "its tool was left out of the recording"
  elseif not call.arguments then
    return "a part of its arguments was left out of the recording"
  elseif call.outcome == "called_off" then
    return "it was cancelled while it ran"
  elseif call.outcome == "needs_input" then
    return "a gate had to be asked first"
  elseif REFUSED[call.code] then
    return "a gate refused it"
  end
end

--- "failed (missing)"
local function status_of(answer)
  local words = answer.code ~= "" and ("%s (%s)"):format(answer.outcome, answer.code)
    or answer.outcome
  return answer.is_error ~= (answer.outcome ~= "done") and words .. ", as no error" or words
end

--- Text for a terminal: what moves the cursor becomes \xNN.
local function plain(text)
  return (text:gsub("[%c\x7F]", function(char)
    return (char == "\t" or char == "\n") and char or ("\\x%02x"):format(char:byte())
  end))
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
  return plain(table.concat(lines, "\n"))
end

--- What is said of texts that differ.
local function text_difference(recorded, text)
  if type(recorded) == "string" then return short_diff(recorded, text) end
  return ("[recorded were %d bytes with the SHA-256 %s; now they are %d with %s]"):format(
    recorded.bytes, recorded.sha256, #text, core.sha256(text))
end

--- A call in a few words: `read {"path":"a"}`
local function shown(call)
  local tool = type(call.tool) == "string" and core.quote(call.tool):sub(2, -2) or "(left out)"
  local args = call.arguments or "(left out)"
  if #args > ARGUMENT_BYTES then
    args = args:sub(1, utf8.offset(args, 0, ARGUMENT_BYTES) - 1) .. "..."
  end
  return tool:sub(1, ARGUMENT_BYTES) .. " " .. plain(args):gsub("\n", " ")
end

--- What differs, in one line, and the lines that show it ("" where none do).
function replay.describe(call, result, differs)
  local said = {}
  if differs.status then
    said[1] = ("%s now, %s recorded"):format(status_of(result), status_of(call))
  end
  if differs.text then said[#said + 1] = "the text differs" end
  return table.concat(said, "; "), differs.text and text_difference(call.text, result.text) or ""
end

--- Makes a call of a part again: "same", "different" and what differs, or "not made" and why.
function replay.make(part, call)
  local obstacle = replay.obstacle(call)
  if obstacle then return "not made", obstacle, "" end
  local result = part.session:call(call.tool, call.arguments)
  local differs = recording.compare(call, result)
  if not differs then return "same" end
  return "different", replay.describe(call, result, differs)
end

-- ---- the command --------------------------------------------------------------------------------

local function json_line(path, call, verdict, said, shown_diff)
  local members = {
    '"file":' .. core.quote(path), ('"line":%d,"call":%d'):format(call.at, call.id),
    '"tool":' .. (type(call.tool) == "string" and core.quote(call.tool) or "null"),
    '"verdict":' .. core.quote(verdict),
  }
  if said then members[#members + 1] = '"reason":' .. core.quote(said) end
  if shown_diff and shown_diff ~= "" then
    members[#members + 1] = '"difference":' .. core.quote(shown_diff)
  end
  return "{" .. table.concat(members, ",") .. "}\n"
end

local function text_lines(path, call, said, shown_diff)
  local line = ("%s:%d: %s: %s\n"):format(path, call.at, shown(call), said)
  return shown_diff ~= "" and line .. shown_diff .. "\n" or line
end

--- Makes all calls, or those up to the first that differs. Returns how many of each there were, and
--- whether it ended before others.
local function run(parts, path, values, write)
  local counts = { same = 0, different = 0, ["not made"] = 0 }
  local stopped, is_cut = false, false
  for _, part in ipairs(parts) do
    for _, call in ipairs(part.calls) do
      if stopped then
        counts["not made"] = counts["not made"] + 1
        is_cut = true
      else
        local verdict, said, shown_diff = replay.make(part, call)
        counts[verdict] = counts[verdict] + 1
        if values.json then
          write(json_line(path, call, verdict, said, shown_diff))
        elseif said then
          write(text_lines(path, call, (verdict == "not made" and "not made: " or "") .. said,
            shown_diff))
        end
        stopped = verdict == "different" and not values["keep-going"]
      end
    end
  end
  return counts, is_cut
end

--- Says when another croft recorded.
local function versions(parts)
  for _, part in ipairs(parts) do
    if part.croft ~= core.version() then
      return ("[recorded by croft %s; this is %s]\n"):format(core.quote(part.croft):sub(2, -2),
        core.version())
    end
  end
  return ""
end

--- The last line.
local function total(counts, is_cut, as_json)
  if as_json then
    return ('{"same":%d,"different":%d,"not_made":%d}\n'):format(counts.same, counts.different,
      counts["not made"])
  end
  local line = ("%d same, %d different"):format(counts.same, counts.different)
  if counts["not made"] > 0 then line = line .. (", %d not made"):format(counts["not made"]) end
  return is_cut and line .. " (--keep-going goes on)\n" or line .. "\n"
end

function replay.command(write, values, operands)
  local path, root = operands[1], operands[2]
  if values.gate == "elicit" then fail.usage("there is no client whose user --gate could ask") end
  collectgarbage("restart")
  local parts, reason = reader.read(path)
  if not parts then fail.usage("%s", reason) end
  wall(open_sessions(parts, path, root, values), values)
  local counts, is_cut = run(parts, path, values, write)
  for _, part in ipairs(parts) do part.session:close() end
  if counts.different > 0 and not values.json then write(versions(parts)) end
  write(total(counts, is_cut, values.json))
  if counts.different > 0 then return fail.TOOL end
  if counts.same == 0 then fail.usage("%s: there is no call that can be made again", path) end
  return fail.DONE
end

return replay
