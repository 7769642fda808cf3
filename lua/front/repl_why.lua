-- SPDX-License-Identifier: MIT
--- repl_why: explains the last refusal, step by step, in terms of the view.
local core = require("front.core")
local fail = require("front.fail")
local trace = require("front.repl_trace")

--- The rules, by the code and what more is known of it; by the code alone otherwise.
local RULES = {
  ["outside link"] = "a link may lead to what is inside the root, and to nothing else",
  ["outside absolute"] = "a path is relative to the root: it does not begin with /",
  ["outside drive"] = "a path is relative to the root: it names no drive",
  ["outside climbs"] = 'a path does not go up above the root, however it is spelled with ".."',
  outside = "only what lies below the root can be reached",
  missing = "it has to exist",
  read_only = "what lies in a read-only tree is not changed",
  loop = "a path has at most 40 links on its way",
  ["crosses_mount kept"] =
    "other file systems below the root are not entered (--one-file-system)",
  not_a_file = "a file is wanted there",
  not_a_directory = "a directory is wanted there",
  not_regular = "only regular files are opened: no FIFO, socket or device",
  already_exists = "nothing of that name may be there yet",
  too_large = "it is over a ceiling in bytes (:limits)",
  too_many = "it is over a ceiling in number (:limits)",
  changed = "it was changed by somebody else meanwhile",
  gone = "the root itself was removed",
  owner = "replacing the file would give it to another user",
  denied = "a policy refuses",
  bad_argument = "the argument has to be one that the tool's schema takes (:schema)",
  bad_pattern = "the pattern has to be one that PCRE2 takes",
  no_match = "what is asked for has to be there",
  ambiguous = "what is asked for has to be there once",
  unreadable = "there has to be permission to read it",
  ["crosses_mount systems"] = "a move stays on one file system",
  ["crosses_mount trees"] = "a move stays in one tree of the view",
  ["crosses_mount whole"] = "its file system moves no such directory as a whole",
  ["busy mount"] = "a mount point is neither replaced nor moved nor removed",
  busy = "somebody else holds it",
  no_space = "the disk is full",
  exhausted = "the host needs a descriptor or memory for it, and has none left",
  io = "the system could not do it",
  internal = "the tool itself failed: an error of its Lua, and not of the call (:break error)",
}

local function rule_of(code, detail)
  return RULES[code .. " " .. (detail or "")] or RULES[code] or code
end

--- The last primitive that was refused; of those with the result's code, if any.
local function culprit(last)
  local found
  for _, record in ipairs(trace.primitives(last.records)) do
    local is_refusal = record.verdict ~= "ok" and record.verdict ~= "internal"
    if is_refusal and (not found or record.verdict == last.result.code
      or found.verdict ~= last.result.code) then
      found = record
    end
  end
  return found
end

local function explain_primitive(repl, record)
  local rows = { { "primitive", ("%d, %s%s"):format(record.number, record.op,
    record.at and " at " .. record.at or "") } }
  local path = record.blamed or record.path
  if path then rows[#rows + 1] = { "path", '"' .. path .. '"' } end
  for index, text in ipairs(trace.steps(record)) do
    rows[#rows + 1] = { index == 1 and "way" or "", text }
  end
  if record.read_only then
    rows[#rows + 1] = { "", ('inside the read-only tree "%s"'):format(record.read_only) }
  end
  rows[#rows + 1] = { "verdict", trace.verdict(record) }
  rows[#rows + 1] = { "rule", rule_of(record.verdict, record.rule) }
  repl.out:columns(rows, {})
end

local function explain_ceiling(repl, last)
  local primitives = trace.primitives(last.records)
  local stopped = last.records[#last.records]
  local limit = stopped and stopped.rule
  local usage = repl.session:usage()
  local rows = { { "verdict", "stopped" .. (limit and " (" .. limit .. ")" or "") } }
  if limit == "steps" then
    rows[#rows + 1] = { "steps", ("%d of %d"):format(last.result.steps, usage.steps.limit) }
  end
  local at = primitives[#primitives]
  rows[#rows + 1] = { "primitives", ("%d%s"):format(last.records.count, at and at.at
    and (", the last one %s at %s"):format(at.op, at.at) or "") }
  rows[#rows + 1] = { "rule", "a call has its share of steps, time and memory (:limits)" }
  rows[#rows + 1] = { "next", ":profile shows the lines that run; :break and :last stop in it" }
  repl.out:columns(rows, {})
end

--- Whether it was a gate that refused the call.
local function is_gates(last)
  local code = last.result.code
  return last.gate ~= "off" and last.records.count == 0
    and (code == "denied" or code == "gate_unavailable")
end

local function explain_gate(repl, last)
  repl.out:columns({
    { "verdict", last.result.code }, { "when", "before the tool ran: by the gate" },
    { "arguments", last.args }, { "next", ":gate says who decides; :gate off does without" },
  }, {})
end

--- When a tool refused by itself, or failed.
local function moment_of(last)
  if last.records.count > 0 then
    return ("after %s, none of which was refused"):format(trace.primitives_of(last.records))
  end
  return "before any primitive ran"
    .. (last.result.code == "internal" and "" or ": by the arguments alone")
end

local function explain_tool(repl, last)
  local rows = { { "verdict", last.result.code }, { "when", moment_of(last) } }
  rows[#rows + 1] = { "arguments", last.args }
  rows[#rows + 1] = { "rule", rule_of(last.result.code) }
  rows[#rows + 1] = { "next", last.result.code == "internal" and ":break error and :last stop there"
    or ":break refusal and :last stop where it is raised" }
  repl.out:columns(rows, {})
end

--- :why
return function(repl)
  local last = repl.last
  if not last then fail.usage("no tool was called yet") end
  local record = culprit(last)
  if last.result.outcome == "done" and not record then
    repl.out:say("the last call was not refused anything")
    return
  end
  repl.out:add("code", core.quote(last.result.code))
  repl.out:show(("%s: %s"):format(last.name, last.result.text:match("^[^\n]*")))
  if last.result.outcome == "ended" then
    explain_ceiling(repl, last)
  elseif last.result.outcome == "called_off" then
    repl.out:say("it was interrupted")
  elseif record then
    repl.out:add("record", record.json)
    explain_primitive(repl, record)
  elseif is_gates(last) then
    explain_gate(repl, last)
  else
    explain_tool(repl, last)
  end
end
