-- SPDX-License-Identifier: MIT
--- repl_profile: where the time of a call goes, by lines of Lua and by primitives.
local breakpoints = require("front.breakpoints")
local calls = require("front.repl_calls")
local core = require("front.core")
local fail = require("front.fail")
local line = require("front.repl_line")
local out = require("front.repl_out")
local trace = require("front.repl_trace")

local LINES = 15 -- that are shown

local RIGHT = { [1] = true, [2] = true, [3] = true }

--- The lines of tools, those that took most first, and all of croft's own as one.
local function lines_of(json)
  local list, whole = {}, 0
  local own = { file = "", line = 0, hits = 0, us = 0 }
  for slice in assert(core.parse(json)):each() do
    local file, number, hits, us = slice:pick("file", "line", "hits", "us")
    local entry = {
      file = file:text(), line = math.tointeger(tonumber(number:raw())),
      hits = math.tointeger(tonumber(hits:raw())), us = math.tointeger(tonumber(us:raw())),
    }
    whole = whole + entry.us
    if entry.file:find("^lua/croft/") then
      own.hits, own.us = own.hits + entry.hits, own.us + entry.us
    else
      list[#list + 1] = entry
    end
  end
  list[#list + 1] = own
  table.sort(list, function(a, b)
    if a.us ~= b.us then return a.us > b.us end
    if a.hits ~= b.hits then return a.hits > b.hits end
    return a.file .. ":" .. a.line < b.file .. ":" .. b.line
  end)
  return list, whole
end

local function show_lines(repl, list, whole)
  local rows = { { "us", "%", "hits", "line", "" } }
  local sources = {}
  for index = 1, math.min(LINES, #list) do
    local entry = list[index]
    sources[entry.file] = sources[entry.file] or breakpoints.lines(repl, entry.file)
    local text = (sources[entry.file][entry.line] or ""):match("^%s*(.-)%s*$")
    rows[#rows + 1] = {
      ("%d"):format(entry.us), ("%.0f"):format(100 * entry.us / math.max(1, whole)),
      ("%d"):format(entry.hits),
      entry.line > 0 and ("%s:%d"):format(entry.file:match("[^/]*$"), entry.line) or "(croft)",
      text,
    }
  end
  local used = 0
  for index = 1, 4 do
    local most = 0
    for _, row in ipairs(rows) do most = math.max(most, #row[index]) end
    used = used + most + 2
  end
  for _, row in ipairs(rows) do
    row[5] = repl.out:safe(out.cut(row[5], math.max(10, repl.out.width - used)))
  end
  repl.out:columns(rows, RIGHT, function(row) return row == rows[1] and "dim" or nil end)
  if #list > LINES then repl.out:say(("(%d more lines ran)"):format(#list - LINES)) end
end

local function show_primitives(repl, records)
  local sums, names = {}, {}
  for _, record in ipairs(trace.primitives(records)) do
    local sum = sums[record.op]
    if not sum then
      sum = { us = 0, count = 0, bytes = 0 }
      sums[record.op] = sum
      names[#names + 1] = record.op
    end
    sum.us, sum.count = sum.us + tonumber(record.us), sum.count + 1
    sum.bytes = sum.bytes + tonumber(record.bytes)
  end
  if #names == 0 then return end
  table.sort(names, function(a, b) return sums[a].us > sums[b].us end)
  local rows = { { "us", "bytes", "times", "primitive" } }
  for _, name in ipairs(names) do
    local sum = sums[name]
    rows[#rows + 1] = { ("%d"):format(sum.us), ("%d"):format(sum.bytes), ("%d"):format(sum.count),
      name }
  end
  repl.out:columns(rows, RIGHT, function(row) return row == rows[1] and "dim" or nil end)
end

--- :profile [TOOL ...]
return function(repl, rest)
  repl.debugger:profile(true)
  local good, err = pcall(function()
    if rest == "" then return calls.again(repl) end
    local kind, name, args = line.parse(rest)
    if kind ~= "call" then fail.usage(":profile takes a call: NAME key=value ...") end
    return calls.line(repl, name, args)
  end)
  local json = repl.debugger:profiled()
  repl.debugger:profile(false)
  if not good then error(err, 0) end
  local list, whole = lines_of(json)
  repl.out:add("profile", json)
  show_lines(repl, list, whole)
  if repl.last then show_primitives(repl, repl.last.records) end
end
