-- SPDX-License-Identifier: MIT
--- repl_session: the session of a REPL: opened again when its limits or its files change.
local breakpoints = require("front.breakpoints")
local core = require("front.core")
local fail = require("front.fail")
local gate = require("front.repl_gate")
local limits = require("front.limits")
local open = require("front.open")

local session = {}

--- Opens a session over the view of `repl` in the place of the one that it has, which is closed
--- when that works. Raises a failure otherwise.
--
-- A set of tools that demands a gate gets one that asks.
function session.open(repl)
  local asked, time = gate.options(repl)
  local opened, err = repl.debugger:open(repl.view, {
    tools = repl.values.tools,
    enable = open.enabled(repl.values),
    prefix = repl.values.prefix,
    toolset = repl.values.toolset,
    write_root = repl.values["write-root"],
    trust_tier = repl.values["trust-tier"],
    limits = repl.limits,
    gate = asked,
    gate_time = time,
  })
  if not opened and err.code == "gate_unavailable" and not asked then
    repl.gate = "ask"
    return session.open(repl)
  end
  if not opened then fail.usage("%s", open.problems(err)) end
  if repl.session then repl.session:close() end
  repl.session, repl.heap = opened, nil
  repl.fingerprints = session.fingerprints(repl)
  breakpoints.place_again(repl)
  if repl.recording then repl.recording:reopened() end
end

--- What the files of tools are like now.
function session.fingerprints(repl)
  local list = {}
  for index, directory in ipairs(session.directories(repl)) do
    list[index] = core.fingerprint(directory) or "gone"
  end
  return table.concat(list, " ")
end

local function tool_directories(repl)
  local given = repl.values.tools or {}
  return table.move(given, 1, #given, 1, {})
end

--- The checkout that croft's own Lua is read from, or nil.
local function checkout_of() return core.checkout and os.getenv("CROFT_LUA_DIR") or nil end

local OWN = { "lua/croft", "tools/workspace", "tools/extra", "tools/staged" }

--- The directories whose files make up the tools.
function session.directories(repl)
  local list, checkout = tool_directories(repl), checkout_of()
  for _, directory in ipairs(checkout and OWN or {}) do
    list[#list + 1] = checkout .. "/" .. directory
  end
  return list
end

--- Those that have to be readable behind the wall. A checkout is opened as a whole, and the
--- program's own modules come from it, too, some of them late.
function session.readable(repl)
  local list = tool_directories(repl)
  list[#list + 1] = checkout_of()
  return list
end

--- With :watch on: loads the tools again if their files have changed.
function session.refresh(repl)
  if not repl.watches then return end
  local now = session.fingerprints(repl)
  if now == repl.fingerprints then return end
  repl.fingerprints = now
  local good, err = pcall(session.open, repl)
  if good then
    repl.out:say(repl.out:paint("dim", "(the tools were loaded again: their files have changed)"))
  elseif fail.is(err) then
    repl.out:complain(err.message)
    repl.out:say(repl.out:paint("dim", "(the tools are as they were before)"))
  else
    error(err, 0)
  end
end

--- The tools: {name, file, built_in, slice of the definition}, in order and by name.
function session.tools(repl)
  local files, list, by_name = {}, {}, {}
  for tool in assert(core.parse(repl.debugger:tools(repl.session))):each() do
    local name, file, built_in = tool:pick("name", "file", "built_in")
    files[name:text()] = { file:text(), built_in:raw() == "true" }
  end
  for slice in assert(core.parse(repl.session:tools())):each() do
    local name = slice:pick("name"):text()
    local file, built_in = table.unpack(files[name] or { "", false })
    by_name[name] = { name = name, file = file, built_in = built_in, slice = slice }
    list[#list + 1] = by_name[name]
  end
  return list, by_name
end

--- The tool of that name; raises a failure with what there is.
function session.tool(repl, name)
  local list, by_name = session.tools(repl)
  if by_name[name] then return by_name[name] end
  local names = {}
  for index, tool in ipairs(list) do names[index] = tool.name end
  fail.usage('there is no tool "%s"%s; there are %s', name, fail.hint(name, names),
    table.concat(names, ", "))
end

--- All of them, or those that `names`, a set, has.
local function show_limits(repl, names)
  local rows = {}
  for _, limit in ipairs(core.limits()) do
    if not names or names[limit.name] then
      local value = repl.limits[limit.name]
      local usual = limits.show(limit)
      local now = value and limits.show({ name = limit.name, value = value }) or usual
      local usually = now ~= usual and "(" .. usual:match("=(.*)") .. " by default)" or ""
      rows[#rows + 1] = { now, usually }
      repl.out:add(limit.name, ("%d"):format(value or limit.value))
    end
  end
  repl.out:columns(rows, {})
end

--- :limits [NAME=VALUE ...]
function session.change_limits(repl, rest)
  local before = repl.limits
  local changed, names = {}, {}
  for name, value in pairs(before) do changed[name] = value end
  for word in rest:gmatch("%S+") do
    local name, value = limits.parse(word)
    changed[name], names[name] = value, true
  end
  if rest:find("%S") then
    repl.limits = changed
    local good, err = pcall(session.open, repl)
    if not good then
      repl.limits = before
      error(err, 0)
    end
  end
  show_limits(repl, next(names) and names)
end

--- :usage
function session.show_usage(repl)
  local usage = repl.session:usage()
  local rows = { { "", "last", "most", "limit" } }
  for _, name in ipairs { "steps", "heap", "calls" } do
    local gauge = usage[name]
    rows[#rows + 1] = { name, ("%d"):format(gauge.last), ("%d"):format(gauge.most),
      ("%d"):format(gauge.limit) }
    repl.out:add(name, ('{"last":%d,"most":%d,"limit":%d}'):format(gauge.last, gauge.most,
      gauge.limit))
  end
  repl.out:columns(rows, { [2] = true, [3] = true, [4] = true })
  for _, name in ipairs { "calls_ended", "interpreters_made", "interpreters_trapped" } do
    repl.out:add(name, ("%d"):format(usage[name]))
  end
  repl.out:say(("%d calls since the tools were loaded; %d interpreters made, %d thrown away")
    :format(usage.calls_ended, usage.interpreters_made, usage.interpreters_trapped))
end

--- :reload [NAME]
function session.reload(repl, name)
  session.open(repl)
  if name ~= "" then
    local tool = session.tool(repl, name)
    repl.out:show(("%s was loaded again, from %s"):format(tool.name, tool.file))
  else
    repl.out:say(("%d tools were loaded again"):format(#session.tools(repl)))
  end
end

--- :check
function session.check(repl)
  local text, code = repl.session:report()
  if not text then fail.usage("the tools could not be looked through: %s", code) end
  local faults, count = 0, 0
  local tools, findings = assert(core.parse(text)):pick("tools", "findings")
  for finding in findings:each() do
    local file, tool, fault, about = finding:pick("file", "tool", "fault", "text")
    local is_fault = fault:raw() == "true"
    faults = faults + (is_fault and 1 or 0)
    repl.out:show(("%s %s%s"):format(is_fault and "FAULT" or "note ",
      (file or tool):text() .. ": ", (about:text())))
  end
  for _ in tools:each() do count = count + 1 end
  repl.out:add("faults", ("%d"):format(faults))
  repl.out:say(("%d tools of yours, %d faults%s"):format(count, faults,
    count > 0 and "; `croft check` also makes the calls of their examples" or ""))
  if faults > 0 then repl:note_status(fail.TOOL) end
end

--- :gate [off/ask/allow/deny/log]
function session.gate(repl, word)
  gate.command(repl, word, session.open)
end

--- :watch [on/off]
function session.watch(repl, word)
  if word ~= "" and word ~= "on" and word ~= "off" then
    fail.usage(':watch takes on or off, not "%s"', word)
  end
  if word ~= "" then repl.watches = word == "on" end
  if #session.directories(repl) == 0 then
    repl.out:say("there are no files to watch: all tools are built in (--tools DIR)")
  end
  repl.out:say("watch is " .. (repl.watches and "on" or "off"))
end

return session
