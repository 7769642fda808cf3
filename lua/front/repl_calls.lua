-- SPDX-License-Identifier: MIT
--- repl_calls: calls of tools and of Lua, and how their results are shown.
local core = require("front.core")
local fail = require("front.fail")
local line = require("front.repl_line")
local result_json = require("front.result")
local session = require("front.repl_session")
local trace = require("front.repl_trace")

local calls = {}

--- 3100 -> "3.1 ms"
local function duration(microseconds)
  if microseconds < 1000 then return ("%d us"):format(microseconds) end
  if microseconds < 1000000 then return ("%.1f ms"):format(microseconds / 1000) end
  return ("%.2f s"):format(microseconds / 1000000)
end

local function kibibytes(repl, result)
  local before = repl.heap or result.heap_bytes
  repl.heap = result.heap_bytes
  return ("heap %+d KiB"):format((result.heap_bytes - before) // 1024)
end

local WORDS = { done = "ok", ended = "stopped", called_off = "interrupted" }

--- "ok 3.1 ms, 4120 steps, heap +12 KiB, 6 primitives"
local function show_status(repl, result, records)
  local word = WORDS[result.outcome] or "refused: " .. result.code
  repl.out:say(repl.out:paint(result.outcome == "done" and "good" or "bad", word) .. " "
    .. repl.out:paint("dim", ("%s, %d steps, %s, %s"):format(
      duration(result.microseconds), result.steps, kibibytes(repl, result),
      trace.primitives_of(records))))
end

--- What tools printed meanwhile.
local function show_log(repl)
  local text = repl.session:log()
  for printed in text:gmatch("[^\n]+") do
    repl.out:say(repl.out:paint("dim", "| ") .. repl.out:safe(printed))
  end
end

--- That a person ends a call is no failure.
local STATUSES = {
  done = fail.DONE, called_off = fail.DONE, failed = fail.TOOL, refused = fail.USAGE,
}

--- Runs `action`, which makes a call of the id that it is given, and shows what came of it.
local function perform(repl, action)
  repl.calls = repl.calls + 1
  repl.debugger:records()
  repl.session:log()
  repl.input:arm(repl.session, repl.calls)
  repl.is_calling = true
  local good, result = pcall(action, repl.calls)
  repl.is_calling = false
  repl.input:disarm()
  if not good then error(result, 0) end
  local records = trace.read(repl.debugger:records())
  show_log(repl)
  return result, records
end

--- What the result means for the exit status.
local function note(repl, result)
  repl:note_status(STATUSES[result.outcome] or fail.STOPPED)
end

--- A call that is under way would have to wait for itself.
local function check_is_idle(repl)
  if repl.is_calling then
    fail.usage("a call stands still: :continue or :abort it before you make another")
  end
end

--- Makes a call of a tool with the text of a JSON object, and shows nothing of it. Returns its
--- result and the records of it.
function calls.make(repl, name, args)
  check_is_idle(repl)
  session.refresh(repl)
  local result, records = perform(repl, function(id)
    return repl.session:call(name, args, nil, id)
  end)
  if repl.recording then repl.recording:add(name, args, result) end
  if result.outcome ~= "refused" then
    repl.last = {
      name = name, args = args, result = result, records = records, gate = repl.gate,
    }
  end
  return result, records
end

--- Shows what came of a call.
function calls.show(repl, result, records)
  if result.text ~= "" then repl.out:show(result.text) end
  repl.out:add("result", result_json(result))
  show_status(repl, result, records)
  trace.show(repl, records)
end

--- Both.
function calls.call(repl, name, args)
  local result, records = calls.make(repl, name, args)
  note(repl, result)
  calls.show(repl, result, records)
  return result
end

--- NAME and what follows it.
function calls.line(repl, name, rest)
  check_is_idle(repl)
  session.refresh(repl)
  session.tool(repl, name)
  return calls.call(repl, name, line.arguments(rest))
end

--- = EXPR, while no call stands still.
function calls.evaluate(repl, text)
  if not text:find("%S") then fail.usage("= needs Lua behind it, such as = #ctx.fs:list('.')") end
  session.refresh(repl)
  local result, records = perform(repl, function(id)
    return repl.debugger:evaluate(repl.session, text, repl.maxlen, id)
  end)
  note(repl, result)
  if result.text ~= "" then repl.out:show(result.text) end
  repl:hint_if_cut(#result.text >= repl.maxlen)
  repl.out:add("result", result_json(result))
  if result.outcome ~= "done" then show_status(repl, result, records) end
  trace.show(repl, records)
end

local function last_of(repl)
  return repl.last or fail.usage("no tool was called yet: NAME key=value ... calls one")
end

--- :last
function calls.again(repl)
  local last = last_of(repl)
  repl.out:show(("%s %s"):format(last.name, last.args))
  return calls.call(repl, last.name, last.args)
end

--- :args [key=value ...]: the arguments of the last call, with these in place of its own.
function calls.with_args(repl, rest)
  local last = last_of(repl)
  if not rest:find("%S") then
    repl.out:show(("%s %s"):format(last.name, last.args))
    return
  end
  if rest:find("^{") then return calls.call(repl, last.name, line.arguments(rest)) end
  local members, order = {}, {}
  for _, text in ipairs { last.args, line.arguments(rest) } do
    for value, key in assert(core.parse(text)):each() do
      if not members[key:raw()] then order[#order + 1] = key:raw() end
      members[key:raw()] = value:raw()
    end
  end
  for index, key in ipairs(order) do order[index] = key .. ":" .. members[key] end
  return calls.call(repl, last.name, "{" .. table.concat(order, ",") .. "}")
end

--- :raw: the result as a client of the server gets it.
function calls.raw(repl)
  local result = last_of(repl).result
  local text = ('{"content":[{"type":"text","text":%s}]%s,"isError":%s}'):format(
    core.quote(result.text),
    result.structured and ',"structuredContent":' .. result.structured or "",
    tostring(result.is_error))
  repl.out:add("raw", text)
  repl.out:show(text)
end

return calls
