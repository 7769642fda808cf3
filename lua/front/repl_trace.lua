-- SPDX-License-Identifier: MIT
--- repl_trace: the primitives of a call as a table.
local core = require("front.core")
local fail = require("front.fail")
local out = require("front.repl_out")

local trace = {}

local TITLES = { "n", "us", "op", "path", "bytes", "verdict", "at" }
local RIGHT = { [1] = true, [2] = true, [5] = true }
local PATH, AT, VERDICT = 4, 7, 6
local LEAST = 12 -- columns that a path keeps

--- A path as one line; "." is the root.
local function shown(slice)
  if slice == nil or slice:type() ~= "string" then return nil end
  local text = slice:text()
  return text == "" and "." or core.quote(text):sub(2, -2)
end

local function text_of(slice) return slice and slice:type() == "string" and slice:text() or nil end

local function steps_of(slice)
  local steps = {}
  for step in slice:each() do
    local name, what, from_link, target = step:pick("name", "what", "from_link", "target")
    steps[#steps + 1] = {
      name = shown(name), what = what:text(), from_link = from_link:raw() == "true",
      target = shown(target),
    }
  end
  return steps
end

--- A line of JSON -> a record
local function record_of(json)
  local slice = assert(core.parse(json))
  local op, path, resolved, verdict, rule, bytes, us, number = slice:pick("op", "path", "resolved",
    "verdict", "rule", "bytes", "us", "n")
  local file, at, blamed, steps, read_only = slice:pick("file", "line", "blamed", "steps",
    "read_only")
  return {
    json = json, number = number and math.tointeger(tonumber(number:raw())),
    op = op:text(), path = shown(path), resolved = shown(resolved),
    verdict = verdict:text(), rule = text_of(rule), bytes = bytes:raw(), us = us:raw(),
    at = file and at and file:text() .. ":" .. at:raw(),
    blamed = shown(blamed), steps = steps and steps_of(steps), read_only = text_of(read_only),
  }
end

--- Lines of JSON -> records; `count`, also kept, is how many primitives ran: of very many, some
--- have no record.
function trace.read(lines, count)
  local records = { count = count }
  for json in lines:gmatch("[^\n]+") do records[#records + 1] = record_of(json) end
  return records
end

--- Those of primitives.
function trace.primitives(records)
  local list = {}
  for _, record in ipairs(records) do
    if record.number then list[#list + 1] = record end
  end
  return list
end

--- "ok", or the code with its rule
function trace.verdict(record)
  if record.verdict == "ok" then return "ok" end
  return record.verdict .. (record.rule and " (" .. record.rule .. ")" or "")
end

local function row_of(record)
  local path = record.path or "-"
  if record.resolved and record.resolved ~= path then path = path .. " -> " .. record.resolved end
  return {
    tostring(record.number), record.us, record.op, path, record.bytes, trace.verdict(record),
    record.at or "-",
  }
end

--- Cuts the places and the paths so that the table is no wider than the terminal.
local function fit(rows, width)
  local widths, whole = {}, 0
  for _, row in ipairs(rows) do
    row[AT] = row[AT]:match("[^/]*$")
    for index, cell in ipairs(row) do
      widths[index] = math.max(widths[index] or 0, utf8.len(cell) or #cell)
    end
  end
  for _, each in ipairs(widths) do whole = whole + each + 2 end
  local room = math.max(LEAST, widths[PATH] - math.max(0, whole - 2 - width))
  for _, row in ipairs(rows) do row[PATH] = out.cut_front(row[PATH], room) end
end

--- One line for each step of a refused path.
function trace.steps(record)
  local lines = {}
  for _, step in ipairs(record.steps or {}) do
    local what = step.what
    if step.what == "link" then
      what = "link -> " .. step.target
    elseif step.what == "up" then
      what = "the directory above"
    elseif step.what == "outside" then
      what = "above the root"
    elseif step.what == "in_the_way" then
      what = "behind a file"
    end
    lines[#lines + 1] = ("%s%s: %s"):format(step.from_link and "  " or "", step.name, what)
  end
  return lines
end

--- "1 primitive", "7 primitives"
function trace.primitives_of(records)
  return ("%d primitive%s"):format(records.count, records.count == 1 and "" or "s")
end

--- Shows the records of a call, as far as :trace says.
function trace.show(repl, records)
  if repl.out.json and repl.trace ~= "off" then
    local list = {}
    for index, record in ipairs(trace.primitives(records)) do list[index] = record.json end
    repl.out:add("primitives", "[" .. table.concat(list, ",") .. "]")
    return
  end
  if repl.trace == "off" then return end
  local list = trace.primitives(records)
  if #list == 0 then return end
  local rows = { table.move(TITLES, 1, #TITLES, 1, {}) }
  for _, record in ipairs(list) do rows[#rows + 1] = row_of(record) end
  if repl.trace == "on" then fit(rows, repl.out.width) end
  repl.out:columns(rows, RIGHT, function(row, index)
    if row == rows[1] then return "dim" end
    return index == VERDICT and (row[index] == "ok" and "good" or "bad") or nil
  end)
  if #list < records.count then
    repl.out:say(("(of %d more that were not refused nothing was kept)"):format(
      records.count - #list))
  end
  for _, record in ipairs(repl.trace == "full" and list or {}) do
    for _, text in ipairs(trace.steps(record)) do
      repl.out:show(("%d  %s"):format(record.number, text))
    end
  end
end

local WORDS = { off = true, on = true, full = true }

--- :trace [off/on/full]: how much is shown from now on; without a word, the last call.
function trace.command(repl, word)
  if word ~= "" and not WORDS[word] then
    fail.usage(':trace takes off, on or full, not "%s"', word)
  end
  if word ~= "" then
    repl.trace = word
    repl.out:say("trace is " .. word)
  elseif not repl.last then
    repl.out:say("trace is " .. repl.trace)
  else
    local kept = repl.trace
    if kept == "off" then repl.trace = "on" end
    trace.show(repl, repl.last.records)
    repl.trace = kept
  end
end

return trace
