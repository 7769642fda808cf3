-- SPDX-License-Identifier: MIT
--- breakpoints: what :break takes, and where that is in the sources.
local core = require("front.core")
local fail = require("front.fail")

local breakpoints = {}

--- What a breakpoint on a primitive can name; "" is each of them.
local PRIMITIVES = {
  "stat", "read", "load", "page", "list", "walk", "search", "replace", "write", "open", "mkdir",
  "remove", "rename", "host", "artifact_open", "artifact_page", "artifact_search", "artifact_json",
  "artifact_outline", "media_stage", "media_load", "media_derive", "media_save", "media_describe",
  "artifact_info", "artifact_list",
}

--- The sources: {file, module} each.
function breakpoints.sources(repl)
  local list = {}
  for source in assert(core.parse(repl.debugger:sources(repl.session))):each() do
    list[#list + 1] = source:pick("file"):text()
  end
  return list
end

--- The files that a name may mean: the whole name, or its last components; tools come first.
local function files_like(repl, name)
  local found = {}
  for _, file in ipairs(breakpoints.sources(repl)) do
    if file == name then return { file } end
    if file:sub(-#name - 1) == "/" .. name then found[#found + 1] = file end
  end
  return found
end

--- The one file of that name; raises a failure that says which there are.
function breakpoints.file(repl, name)
  local found = files_like(repl, name)
  if #found == 0 then found = files_like(repl, name .. ".lua") end
  if #found == 1 then return found[1] end
  local names = {}
  for _, file in ipairs(breakpoints.sources(repl)) do
    if not file:find("^lua/croft/") then names[#names + 1] = file end
  end
  if #found == 0 then
    fail.usage('there is no file "%s"%s; there are %s', name, fail.hint(name, names),
      table.concat(names, ", "))
  end
  fail.usage('"%s" may be %s: give more of it', name, table.concat(found, " or "))
end

--- The lines of a file; none where it has no source here.
function breakpoints.lines(repl, file)
  local lines = {}
  local text = repl.debugger:source(repl.session, file)
  if not text then return lines end
  for line in (text:gsub("\n$", "") .. "\n"):gmatch("(.-)\r?\n") do lines[#lines + 1] = line end
  return lines
end

--- The line of `file` that `word` names, and all of them.
function breakpoints.line(repl, file, word)
  local lines = breakpoints.lines(repl, file)
  local number = math.tointeger(tonumber(word))
  if not number or number < 1 or number > #lines then
    fail.usage("%s has no line %s: it has 1 to %d", file, word, #lines)
  end
  return number, lines
end

--- The first line from `number` on that is more than blank, a comment or an end.
local function line_with_code(lines, number)
  for index = number, #lines do
    local code = lines[index]:gsub("%-%-.*$", ""):match("^%s*(.-)%s*$")
    if code ~= "" and not code:find("^[%)%}%],;]*$") and code ~= "else" then return index end
  end
  return nil
end

--- Where functions of that name are defined: {file, line} each; those of tools, if there are any.
local function definitions(repl, name)
  local escaped = name:gsub("%p", "%%%0")
  local patterns = {
    "function%s+" .. escaped .. "%s*%(", "function%s+[%w_.:]*[.:]" .. escaped .. "%s*%(",
    "%f[%w_]" .. escaped .. "%s*=%s*function%s*%(",
  }
  local tools, others = {}, {}
  for _, file in ipairs(breakpoints.sources(repl)) do
    local list = file:find("^lua/croft/") and others or tools
    for number, line in ipairs(breakpoints.lines(repl, file)) do
      for _, pattern in ipairs(patterns) do
        if line:find(pattern) then
          list[#list + 1] = { file = file, line = number }
          break
        end
      end
    end
  end
  return #tools > 0 and tools or others
end

--- The functions that `name` may mean: those of that name, or what runs when a tool of that name is
--- called.
local function functions_of(repl, name)
  local found = definitions(repl, name)
  for tool in assert(core.parse(repl.debugger:tools(repl.session))):each() do
    local tool_name, file = tool:pick("name", "file")
    if tool_name:text() == name then
      local runs = {}
      for _, place in ipairs(definitions(repl, "run")) do
        if place.file == file:text() then runs[#runs + 1] = place end
      end
      return #runs > 0 and runs or found
    end
  end
  if #found == 0 then
    fail.usage('there is no function and no tool "%s"; :break takes FILE:LINE, a function, '
      .. "primitive NAME, error or refusal", name)
  end
  return found
end

local function check_primitive(name)
  for _, known in ipairs(PRIMITIVES) do
    if known == name then return name end
  end
  fail.usage('there is no primitive "%s"%s; there are %s', name, fail.hint(name, PRIMITIVES),
    table.concat(PRIMITIVES, ", "))
end

--- What `what` says -> places {kind, name, line}, and how it is shown.
local function places_of(repl, what)
  local file, line = what:match("^(.+):(%d+)$")
  if file then
    file = breakpoints.file(repl, file)
    local number, lines = breakpoints.line(repl, file, line)
    local at = line_with_code(lines, number)
    if not at then fail.usage("%s has no code at line %s or behind it", file, line) end
    return { { kind = "line", name = file, line = at } }, ("%s:%d"):format(file, at)
  end
  local primitive = what:match("^primitive%s*(%S*)$")
  if primitive then
    if primitive ~= "" then check_primitive(primitive) end
    return { { kind = "primitive", name = primitive, line = 0 } },
      "primitive " .. (primitive == "" and "of any name" or primitive)
  end
  if what == "error" or what == "refusal" then
    return { { kind = what, name = "", line = 0 } }, what
  end
  if not what:find("^[%w_]+$") then
    fail.usage(':break does not know "%s"; it takes FILE:LINE, a function, primitive NAME, error '
      .. "or refusal, and IF behind them", what)
  end
  local places, names = {}, {}
  for index, place in ipairs(functions_of(repl, what)) do
    places[index] = { kind = "function", name = place.file, line = place.line }
    names[index] = ("%s:%d"):format(place.file, place.line)
  end
  return places, ("%s (%s)"):format(what, table.concat(names, ", "))
end

local function remove(repl, point)
  for number in pairs(point.numbers) do repl.debugger:delete(number) end
  point.numbers = {}
end

--- Puts a breakpoint into the debugger, whole or not at all.
local function place(repl, point)
  local places, shown = places_of(repl, point.what)
  point.shown, point.numbers = shown, {}
  for _, each in ipairs(places) do
    local number = repl.debugger:add(each.kind, each.name, each.line, point.condition)
    if not number then
      remove(repl, point)
      fail.usage("there are too many breakpoints; :delete N makes room")
    end
    point.numbers[number] = true
  end
end

local function describe(point)
  return ("%d  %s%s"):format(point.id, point.shown,
    point.condition and " if " .. point.condition or "")
end

--- The breakpoint that a number of the debugger's stands for.
function breakpoints.of(repl, number)
  for _, point in ipairs(repl.points) do
    if point.numbers[number] then return point end
  end
  return nil
end

--- Whether there is one before that line.
function breakpoints.at(repl, file, line)
  for _, point in ipairs(repl.points) do
    if point.shown == ("%s:%d"):format(file, line) then return true end
  end
  return false
end

local function show_all(repl)
  if #repl.points == 0 then repl.out:say("there are no breakpoints") end
  for _, point in ipairs(repl.points) do repl.out:show(describe(point)) end
end

--- :break [WHAT [if EXPR]]
function breakpoints.add(repl, rest)
  if rest == "" then return show_all(repl) end
  local what, condition = rest:match("^(.-)%s+if%s+(.+)$")
  local point = { what = what or rest, condition = condition }
  local good, reason = load("return " .. (condition or "true"), "=condition", "t")
  if not good then fail.usage("the condition is no Lua: %s", reason) end
  place(repl, point)
  repl.last_point = repl.last_point + 1
  point.id = repl.last_point
  repl.points[#repl.points + 1] = point
  repl.out:add("breakpoint", ("%d"):format(point.id))
  repl.out:show("breakpoint " .. describe(point))
end

--- Stops where the tool of that name begins. Returns what removes that again.
function breakpoints.at_tool(repl, name)
  local point = { what = name }
  place(repl, point)
  return function() remove(repl, point) end
end

--- :delete N, or :delete all
function breakpoints.delete(repl, word)
  if word == "all" then
    for _, point in ipairs(repl.points) do remove(repl, point) end
    repl.points = {}
    return
  end
  local id = math.tointeger(tonumber(word))
  for index, point in ipairs(repl.points) do
    if point.id == id then
      remove(repl, point)
      table.remove(repl.points, index)
      return
    end
  end
  fail.usage('there is no breakpoint "%s"; :break shows them, :delete all removes them', word)
end

--- The tools were loaded again: their lines may be others. What is not found any more stays off.
function breakpoints.place_again(repl)
  for _, point in ipairs(repl.points) do
    remove(repl, point)
    local good, err = pcall(place, repl, point)
    if not good then
      if not fail.is(err) then error(err, 0) end
      repl.out:complain(("breakpoint %d is off: %s"):format(point.id, err.message))
    end
  end
end

return breakpoints
