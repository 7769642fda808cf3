-- SPDX-License-Identifier: MIT
--- debugger: what can be done while a call stands still.
local breakpoints = require("front.breakpoints")
local core = require("front.core")
local fail = require("front.fail")

local debugger = {}

local AROUND = 5 -- lines that :list shows before and behind

--- The frames of the call that stands still, innermost first.
local function frames_of(repl)
  local list = {}
  local json = repl.debugger:frames()
  for slice in assert(core.parse(json or "[]")):each() do
    local file, line, name, what, thread = slice:pick("file", "line", "name", "what", "thread")
    list[#list + 1] = {
      file = file:text(), line = math.tointeger(tonumber(line:raw())), name = name:text(),
      what = what:text(), thread = math.tointeger(tonumber(thread:raw())),
    }
  end
  return list, json
end

local function check_stopped(repl)
  if not repl.stop then
    fail.usage("no call stands still; :break sets where one does, :last makes the last one again")
  end
end

--- The frame that is looked at; its index counts from 0.
local function frame_of(repl)
  check_stopped(repl)
  return frames_of(repl)[repl.frame + 1]
end

--- Shows a line of a source: "> 12  code", with * for a breakpoint.
local function show_line(repl, file, number, text, current)
  local mark = (number == current and ">" or " ")
    .. (breakpoints.at(repl, file, number) and "*" or " ")
  local shown = repl.out:safe(("%s%4d  %s"):format(mark, number, text))
  repl.out:say(number == current and repl.out:paint("mark", shown) or shown)
end

--- Shows the lines around one.
local function show_lines(repl, file, around, current)
  local lines = breakpoints.lines(repl, file)
  if #lines == 0 then fail.usage("%s has no source here", file == "" and "C" or file) end
  for number = math.max(1, around - AROUND), math.min(#lines, around + AROUND) do
    show_line(repl, file, number, lines[number], current)
  end
end

--- :list [N], or :list FILE:N
function debugger.list(repl, word)
  local file, line = word:match("^(.+):(%d+)$")
  if file then
    file = breakpoints.file(repl, file)
    show_lines(repl, file, (breakpoints.line(repl, file, line)))
    return
  end
  if word ~= "" and not word:find("^%d+$") then
    show_lines(repl, breakpoints.file(repl, word), 1 + AROUND)
    return
  end
  local frame = frame_of(repl)
  show_lines(repl, frame.file, math.tointeger(tonumber(word)) or frame.line, frame.line)
end

local function describe(frame)
  local name = frame.name ~= "" and frame.name or frame.what == "main" and "(the file)" or "?"
  if frame.what == "C" then return "[C] " .. name end
  return ("%s (%s:%d)"):format(name, frame.file, frame.line)
end

--- :bt
function debugger.backtrace(repl)
  check_stopped(repl)
  local frames, json = frames_of(repl)
  repl.out:add("frames", json)
  for index, frame in ipairs(frames) do
    local thread = frame.thread > 0 and ("  [coroutine %d]"):format(frame.thread) or ""
    repl.out:show(("%s#%d  %s%s"):format(index - 1 == repl.frame and ">" or " ", index - 1,
      describe(frame), thread))
  end
end

--- :frame N
function debugger.frame(repl, word)
  check_stopped(repl)
  local number = word == "" and repl.frame or math.tointeger(tonumber(word))
  local frame = number and frames_of(repl)[number + 1]
  if not frame then fail.usage('there is no frame "%s"; :bt shows them', word) end
  repl.frame = number
  repl.out:show(("#%d  %s"):format(number, describe(frame)))
  if frame.what ~= "C" then
    local lines = breakpoints.lines(repl, frame.file)
    if lines[frame.line] then
      show_line(repl, frame.file, frame.line, lines[frame.line], frame.line)
    end
  end
end

local function variables_of(repl)
  check_stopped(repl)
  local json = repl.debugger:variables(repl.frame, repl.maxlen) or "[]"
  local list = {}
  for slice in assert(core.parse(json)):each() do
    local name, kind, value, cut = slice:pick("name", "kind", "value", "cut")
    list[#list + 1] = { name = name:text(), kind = kind:text(), value = (value:text()),
      cut = cut:raw() == "true" }
  end
  return list, json
end

local SHOWN = { argument = true, ["local"] = true }

--- :locals [all]: with all, upvalues and what Lua keeps for itself, too.
function debugger.locals(repl, word)
  if word ~= "" and word ~= "all" then fail.usage(':locals takes all, not "%s"', word) end
  local list, json = variables_of(repl)
  local rows, cut = {}, false
  for _, variable in ipairs(list) do
    if word == "all" or SHOWN[variable.kind] then
      rows[#rows + 1] = { word == "all" and variable.kind or "", variable.name, "=",
        variable.value }
      cut = cut or variable.cut
    end
  end
  repl.out:add("variables", json)
  if #rows == 0 then repl.out:say("there are none") end
  for _, row in ipairs(rows) do
    if row[1] == "" then table.remove(row, 1) end
  end
  repl.out:columns(rows, {})
  repl:hint_if_cut(cut)
end

--- :upvalues
function debugger.upvalues(repl)
  local list = variables_of(repl)
  local rows, cut = {}, false
  for _, variable in ipairs(list) do
    if variable.kind == "upvalue" then
      rows[#rows + 1] = { variable.name, "=", repl.out:safe(variable.value) }
      cut = cut or variable.cut
    end
  end
  if #rows == 0 then repl.out:say("there are none") end
  repl.out:columns(rows, {})
  repl:hint_if_cut(cut)
end

local function run(repl, text)
  check_stopped(repl)
  local good, shown, cut = repl.debugger:run(repl.frame, text, repl.maxlen)
  if not good then fail.usage("%s", (shown:gsub("^input:1: ", ""))) end
  return shown, cut
end

--- :print EXPR
function debugger.print(repl, text)
  if not text:find("%S") then fail.usage(":print needs an expression") end
  local shown, cut = run(repl, text)
  repl.out:add("value", core.quote(shown))
  repl.out:show(shown == "" and "(nothing)" or shown)
  repl:hint_if_cut(cut)
end

--- :set NAME = EXPR
function debugger.set(repl, text)
  local name, value = text:match("^([%a_][%w_.%[%]\"']*)%s*=%s*(.+)$")
  if not name then fail.usage(":set needs NAME = EXPR") end
  run(repl, ("%s = %s"):format(name, value))
  debugger.print(repl, name)
end

--- The moves that mean something before a call that :replay --step is about to make.
local BEFORE_CALL = { step = true, next = true, continue = true, abort = true }

--- The moves: each returns what the call does next.
local function mover(move)
  return function(repl)
    if not (repl.is_before_call and BEFORE_CALL[move]) then check_stopped(repl) end
    return move
  end
end

for _, move in ipairs { "continue", "step", "next", "out", "abort" } do
  debugger[move] = mover(move)
end

--- :until N
function debugger.until_line(repl, word)
  check_stopped(repl)
  local line = word:find("^%d+$") and math.tointeger(tonumber(word))
  if not line or line < 1 or line > 0x7fffffff then
    fail.usage(":until needs the number of a line of this file")
  end
  return "until", line
end

--- The frame of the place where the call stands still.
local function first_frame(repl, stop)
  for index, frame in ipairs(frames_of(repl)) do
    if frame.file == stop.file and frame.line == stop.line then return index - 1 end
  end
  return 0
end

local function announce(repl, stop)
  local point = stop.point > 0 and breakpoints.of(repl, stop.point)
  local place = stop.file ~= "" and (" at %s:%d"):format(stop.file, stop.line) or ""
  local why = stop.why
  if stop.why == "breakpoint" and point then
    why = "breakpoint " .. point.id
  elseif stop.why == "primitive" then
    why = "before the primitive " .. stop.text
  end
  repl.out:say(repl.out:paint("bold", "stopped" .. repl.out:safe(place) .. ": ")
    .. repl.out:safe(why))
  if stop.text ~= "" and stop.why ~= "primitive" then repl.out:show("  " .. stop.text) end
  repl.out:event("stop", ('{"why":%s,"file":%s,"line":%d,"text":%s,"breakpoint":%s}'):format(
    core.quote(stop.why), core.quote(stop.file), stop.line, core.quote(stop.text),
    point and ("%d"):format(point.id) or "null"))
  local lines = stop.file ~= "" and breakpoints.lines(repl, stop.file) or {}
  if lines[stop.line] then show_line(repl, stop.file, stop.line, lines[stop.line], stop.line) end
end

--- A call stands still: reads commands until one of them makes it go on.
function debugger.stopped(repl, stop)
  repl.stop = stop
  repl.frame = first_frame(repl, stop)
  announce(repl, stop)
  repl.input:disarm()
  local kept = repl.out:suspend()
  local name = repl.out:safe(stop.file:match("[^/]*$"))
  local move, line = repl:converse(("(%s:%d) "):format(name, stop.line))
  repl.out:resume(kept)
  repl.input:arm(repl.session, repl.calls)
  repl.stop = nil
  return move or "abort", line or 0
end

return debugger
