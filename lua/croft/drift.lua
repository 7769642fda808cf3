-- SPDX-License-Identifier: MIT
--- Finds where a text was meant to fit in a file that has changed since: by a line of it that is
--- still there, or by a line that is close to one. Lines are compared without the blanks around
--- them. Bounded: a few lines of the text, a few places of each.
local closest = require "croft.closest"
local text = require "croft.text"

local drift = {}

--- Shortest line that tells one place from another, and shortest that can be close to another.
local TELLING_BYTES, CLOSE_BYTES = 6, 3

--- Most lines of the text that are looked for, most that are compared, and most places of one.
local MOST_LINES, MOST_COMPARED, MOST_PLACES = 8, 2, 8

--- Blanks around a line that are stepped over.
local MOST_BLANKS = 400

local NEWLINE, RETURN = 10, 13

--- The lines of `old`, without CR; a newline at its end makes no further one.
local function lines_of(old)
  local lines = text.split(old, "\n")
  if #lines > 1 and lines[#lines] == "" then
    lines[#lines] = nil
  end
  for i, line in ipairs(lines) do
    lines[i] = text.ends(line, "\r") and line:sub(1, -2) or line
  end
  return lines
end

--- The numbers of up to `most` lines of at least `least` bytes, the longest first.
local function longest(trimmed, least, most)
  local order = {}
  for i, line in ipairs(trimmed) do
    if #line >= least then
      order[#order + 1] = i
    end
  end
  table.sort(order, function(a, b)
    if #trimmed[a] ~= #trimmed[b] then
      return #trimmed[a] > #trimmed[b]
    end
    return a < b
  end)
  return table.move(order, 1, math.min(#order, most), 1, {})
end

--- Whether only blanks are between `at` and the end of its line, in the direction of `step`.
local function is_line_end(bytes, at, step)
  for _ = 1, MOST_BLANKS do
    local byte = bytes:byte(at)
    if not byte or at < 1 or byte == NEWLINE then
      return true
    elseif not text.is_blank(byte) and byte ~= RETURN then
      return false
    end
    at = at + step
  end
  return false
end

local function is_line(bytes, from, to)
  return is_line_end(bytes, from - 1, -1) and is_line_end(bytes, to + 1, 1)
end

--- The lines of the file on which `lines` would lie if line `index` of them were line `number` of
--- the file: first =, last =, same = how many are equal there, differs = the first that is not.
local function region(bytes, lines, index, number)
  local first = math.max(1, number - index + 1)
  local found = { first = first, last = first, same = 0 }
  local skipped = first - (number - index + 1)
  for line, from, to in text.each_line(bytes, first) do
    local wanted = lines[line - first + 1 + skipped]
    if not wanted then
      break
    end
    local there = bytes:sub(from, bytes:byte(to) == RETURN and to - 1 or to)
    found.last = line
    if there == wanted then
      found.same = found.same + 1
    else
      found.differs = found.differs or line
    end
  end
  return found
end

--- The best region around the places of line `index`; nil where it is nowhere a line.
local function around_places(bytes, lines, trimmed, index)
  local best
  local wanted = trimmed[index]
  for _, place in ipairs(text.places(bytes, wanted, MOST_PLACES)) do
    if is_line(bytes, place, place + #wanted - 1) then
      local found = region(bytes, lines, index, text.line_of(bytes, place))
      if not best or found.same > best.same then
        best = found
      end
    end
  end
  return best
end

local function trimmed_lines(lines)
  local trimmed = {}
  for i, line in ipairs(lines) do
    trimmed[i] = text.trim(line)
  end
  return trimmed
end

--- Looks for the place of `old` in `bytes` by its longest line that is there. nil, or first =,
--- last = lines of the file, differs = the first of them that is not as in `old`.
function drift.find(bytes, old)
  local lines = lines_of(old)
  local trimmed = trimmed_lines(lines)
  for _, index in ipairs(longest(trimmed, TELLING_BYTES, MOST_LINES)) do
    local found = around_places(bytes, lines, trimmed, index)
    if found then
      found.differs = found.differs or found.first
      return found
    end
  end
end

--- The same by the line that is closest to one of the two longest of `old`.
function drift.near(bytes, old)
  local lines = lines_of(old)
  local trimmed = trimmed_lines(lines)
  local best, best_index
  for _, index in ipairs(longest(trimmed, CLOSE_BYTES, MOST_COMPARED)) do
    local found = closest.line(bytes, trimmed[index])
    if found and (not best or found.similarity > best.similarity) then
      best, best_index = found, index
    end
  end
  if best then
    local found = region(bytes, lines, best_index, best.line)
    found.differs = found.differs or best.line
    return found
  end
end

return drift
