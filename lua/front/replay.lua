-- SPDX-License-Identifier: MIT
--- replay: makes the calls of a recording again, and tells what comes out differently.
local core = require("front.core")
local fail = require("front.fail")
local open = require("front.open")
local plain = require("front.plain")
local reader = require("front.recording_reader")
local replay_call = require("front.replay_call")
local wall = require("front.wall")

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
  local line = ("%s:%d: %s: %s\n"):format(path, call.at, replay_call.shown(call), said)
  return plain.text(shown_diff ~= "" and line .. shown_diff .. "\n" or line)
end

--- Makes a call again: a verdict, and what is said of it if it is not the same.
local function make(part, call)
  local obstacle = replay_call.obstacle(call)
  if obstacle then return "not made", obstacle, "" end
  return replay_call.judge(call, part.session:call(call.tool, call.arguments))
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
        local verdict, said, shown_diff = make(part, call)
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
      return plain.text(("[recorded by croft %s; this is %s]\n"):format(
        core.quote(part.croft):sub(2, -2), core.version()))
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

return function(write, values, operands)
  local path, root = operands[1], operands[2]
  if values.gate == "elicit" then fail.usage("there is no client whose user --gate could ask") end
  collectgarbage("restart")
  local parts, reason = reader.read(path)
  if not parts then fail.usage("%s", reason) end
  local view = open_sessions(parts, path, root, values)
  wall(values, function() return view:confine() end)
  local counts, is_cut = run(parts, path, values, write)
  for _, part in ipairs(parts) do part.session:close() end
  if counts.different > 0 and not values.json then write(versions(parts)) end
  write(total(counts, is_cut, values.json))
  if counts.different > 0 then return fail.TOOL end
  if counts.same == 0 then fail.usage("%s: there is no call that can be made again", path) end
  return fail.DONE
end
