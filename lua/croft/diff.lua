-- SPDX-License-Identifier: MIT
--- What differs between two texts, line by line, as a unified diff. The work is bounded: texts that
--- differ in too much are told so.
local diff = {}

--- Bytes and lines of one text, and lines that are changed, at most.
local MOST_BYTES, MOST_LINES, MOST_CHANGES = 1024 * 1024, 20000, 400

local CONTEXT = 3

local NO_NEWLINE = "\\ No newline at end of file"

--- The lines of `text`, each with its LF where it has one.
local function lines_of(text)
  local lines, from = {}, 1
  while from <= #text do
    local stop = text:find("\n", from, true) or #text
    lines[#lines + 1] = text:sub(from, stop)
    from = stop + 1
  end
  return lines
end

--- How many lines at the beginning, and then at the end, are the same.
local function common_ends(old, new)
  local most, head, tail = math.min(#old, #new), 0, 0
  while head < most and old[head + 1] == new[head + 1] do
    head = head + 1
  end
  while tail < most - head and old[#old - tail] == new[#new - tail] do
    tail = tail + 1
  end
  return head, tail
end

--- As far down the diagonal as the lines are the same.
local function slide(old, new, x, y, last_x, last_y)
  while x < last_x and y < last_y and old[x + 1] == new[y + 1] do
    x, y = x + 1, y + 1
  end
  return x
end

--- How far each diagonal is reached with 0, 1, 2, ... changes (Myers 1986), between `head` and the
--- last lines that differ. nil when there are more than MOST_CHANGES.
local function furthest(old, new, head, last_x, last_y)
  local reach, rounds = { [1] = head }, {}
  for changes = 0, MOST_CHANGES do
    local round = {}
    for diagonal = -changes, changes, 2 do
      local down = diagonal == -changes
        or diagonal ~= changes and reach[diagonal - 1] < reach[diagonal + 1]
      local x = down and reach[diagonal + 1] or reach[diagonal - 1] + 1
      if x <= last_x and x - diagonal <= last_y then
        x = slide(old, new, x, x - diagonal, last_x, last_y)
      end
      reach[diagonal], round[diagonal] = x, x
      if x >= last_x and x - diagonal >= last_y then
        rounds[changes] = round
        return rounds, changes
      end
    end
    rounds[changes] = round
  end
end

--- Marks the lines that go and those that come, back from the end.
local function mark(rounds, changes, last_x, last_y)
  local gone, come = {}, {}
  local x, y = last_x, last_y
  for round = changes, 1, -1 do
    local before, diagonal = rounds[round - 1], x - y
    local down = diagonal == -round
      or diagonal ~= round and before[diagonal - 1] < before[diagonal + 1]
    local previous = down and diagonal + 1 or diagonal - 1
    x = before[previous]
    y = x - previous
    if down then
      come[y + 1] = true
    else
      gone[x + 1] = true
    end
  end
  return gone, come
end

--- All lines in their order, as { sign, line }.
local function script(old, new, gone, come)
  local out, i, j = {}, 1, 1
  while i <= #old or j <= #new do
    if gone[i] then
      out[#out + 1], i = { "-", old[i] }, i + 1
    elseif come[j] then
      out[#out + 1], j = { "+", new[j] }, j + 1
    else
      out[#out + 1], i, j = { " ", old[i] }, i + 1, j + 1
    end
  end
  return out
end

--- The first and last entries of each hunk.
local function hunks_of(entries, context)
  local hunks = {}
  for i, entry in ipairs(entries) do
    if entry[1] ~= " " then
      local last = hunks[#hunks]
      local from = math.max(1, i - context)
      if last and from <= last.to + 1 then
        last.to = math.min(#entries, i + context)
      else
        hunks[#hunks + 1] = { from = from, to = math.min(#entries, i + context) }
      end
    end
  end
  return hunks
end

local function range(start, count)
  if count == 1 then
    return tostring(start)
  end
  return ("%d,%d"):format(count == 0 and start - 1 or start, count)
end

local function add_line(out, entry)
  local line = entry[2]
  if line:sub(-1) == "\n" then
    out[#out + 1] = entry[1] .. line:sub(1, -2)
  else
    out[#out + 1] = entry[1] .. line
    out[#out + 1] = NO_NEWLINE
  end
end

local function add_hunk(out, entries, hunk, at)
  local olds, news = 0, 0
  for i = hunk.from, hunk.to do
    olds = olds + (entries[i][1] ~= "+" and 1 or 0)
    news = news + (entries[i][1] ~= "-" and 1 or 0)
  end
  out[#out + 1] = ("@@ -%s +%s @@"):format(range(at.old, olds), range(at.new, news))
  for i = hunk.from, hunk.to do
    add_line(out, entries[i])
  end
end

local function render(entries, options)
  local out, at, next_entry = {}, { old = 1, new = 1 }, 1
  if options.old_name then
    out[1] = "--- " .. options.old_name
    out[2] = "+++ " .. (options.new_name or options.old_name)
  end
  for _, hunk in ipairs(hunks_of(entries, options.context or CONTEXT)) do
    while next_entry < hunk.from do
      at.old, at.new, next_entry = at.old + 1, at.new + 1, next_entry + 1
    end
    add_hunk(out, entries, hunk, at)
    for i = hunk.from, hunk.to do
      at.old = at.old + (entries[i][1] ~= "+" and 1 or 0)
      at.new = at.new + (entries[i][1] ~= "-" and 1 or 0)
    end
    next_entry = hunk.to + 1
  end
  return table.concat(out, "\n")
end

--- The unified diff from `old` to `new`; "" when they are the same. Options: context (lines, 3 if
--- left out), old_name and new_name (for the two lines at the head).
--
-- @return nil and the reason when a text is larger than 1 MiB or has more than 20 000 lines, or
-- when more than 400 lines differ
function diff.unified(old, new, options)
  if old == new then
    return ""
  elseif #old > MOST_BYTES or #new > MOST_BYTES then
    return nil, "a text has more than 1 MiB"
  end
  local olds, news = lines_of(old), lines_of(new)
  if #olds > MOST_LINES or #news > MOST_LINES then
    return nil, "a text has more than 20000 lines"
  end
  local head, tail = common_ends(olds, news)
  local last_x, last_y = #olds - tail, #news - tail
  local rounds, changes = furthest(olds, news, head, last_x, last_y)
  if not rounds then
    return nil, "more than 400 lines differ"
  end
  return render(script(olds, news, mark(rounds, changes, last_x, last_y)), options or {})
end

return diff
