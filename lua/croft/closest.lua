-- SPDX-License-Identifier: MIT
--- Which line of a file is most like a given one. How alike two lines are is the part of their
--- pairs of neighbouring bytes that they share (Dice's coefficient); blanks around them are left
--- out.
---
--- In a small file every line is compared. In a larger one only lines that share a piece of five
--- bytes, those with the rarest pieces first, so that the cost is bounded by counts; a line that
--- shares none is not found.
local text = require "croft.text"

local closest = {}

--- Least likeness that counts as close.
local LEAST = 0.6

--- A line is compared up to so many bytes.
local LINE_BYTES = 240

--- A file of so many bytes and lines is compared as a whole.
local WHOLE_BYTES, WHOLE_LINES = 16384, 200

--- In a larger one: bytes of a piece, most pieces, places of one, and lines compared.
local PIECE_BYTES, MOST_PIECES, MOST_PLACES, MOST_COMPARED = 5, 24, 40, 120

--- How often each pair of bytes is in `line`, and how many there are.
local function pairs_of(line)
  local counts = {}
  for at = 1, #line - 1 do
    local first, second = line:byte(at, at + 1)
    local pair = first * 256 + second
    counts[pair] = (counts[pair] or 0) + 1
  end
  return counts, math.max(0, #line - 1)
end

--- How alike `line` is to the line whose pairs are `wanted`, `total` in number: 0 to 1.
local function likeness(line, wanted, total)
  local shared, used = 0, {}
  for at = 1, #line - 1 do
    local first, second = line:byte(at, at + 1)
    local pair = first * 256 + second
    local taken = (used[pair] or 0) + 1
    if taken <= (wanted[pair] or 0) then
      shared, used[pair] = shared + 1, taken
    end
  end
  local sum = total + #line - 1
  return sum > 0 and 2 * shared / sum or 0
end

--- Whether two lines of so many bytes can be alike at all.
local function can_be_alike(a, b)
  return 2 * math.min(a, b) >= LEAST * (a + b)
end

--- Compares `line`, which begins at `place`, and keeps it in `best` when it is the most alike.
local function compare(best, wanted, line, place)
  line = text.trim(line):sub(1, LINE_BYTES)
  if can_be_alike(#line, #wanted.line) then
    local found = likeness(line, wanted.counts, wanted.total)
    if found >= LEAST and found > (best.similarity or 0) then
      best.similarity, best.place = found, place
    end
  end
end

local function compare_all(bytes, wanted, best)
  for _, from, to in text.each_line(bytes, 1) do
    compare(best, wanted, bytes:sub(from, math.min(to, from + 2 * LINE_BYTES)), from)
  end
end

--- The pieces of `line` that are in the file, the rarest first: { places = {...}, at = byte of
--- the line }.
local function pieces_in(bytes, line)
  local pieces, seen = {}, {}
  local step = math.max(PIECE_BYTES, #line // MOST_PIECES)
  for at = 1, math.max(1, #line - PIECE_BYTES + 1), step do
    local piece = line:sub(at, at + PIECE_BYTES - 1)
    if not seen[piece] then
      seen[piece] = true
      local places = text.places(bytes, piece, MOST_PLACES)
      if #places > 0 then
        pieces[#pieces + 1] = { places = places, at = at }
      end
    end
  end
  table.sort(pieces, function(a, b)
    return #a.places < #b.places or #a.places == #b.places and a.at < b.at
  end)
  return pieces
end

--- The first byte of the line that holds byte `place`, and some of that line. A line that begins
--- too far off is taken from where it is looked at.
local function line_at(bytes, place)
  local left = math.max(1, place - LINE_BYTES)
  local before = bytes:sub(left, place - 1)
  local breaks, count = text.positions(before, "\n", LINE_BYTES + 1, false)
  local start = count > 0 and left + breaks[count] or left
  local line = bytes:sub(start, start + 2 * LINE_BYTES)
  local stop = text.find(line, "\n", 1)
  return start, stop and line:sub(1, stop - 1) or line
end

local function compare_some(bytes, wanted, best)
  local seen, compared = {}, 0
  for _, piece in ipairs(pieces_in(bytes, wanted.line)) do
    for _, place in ipairs(piece.places) do
      local start, line = line_at(bytes, place)
      if not seen[start] then
        seen[start], compared = true, compared + 1
        compare(best, wanted, line, start)
      end
      if compared >= MOST_COMPARED then
        return
      end
    end
  end
end

--- The line of `bytes` that is closest to `line` (trimmed): { line = its number, similarity = 0.6
--- to 1 }, or nil when none is so close.
function closest.line(bytes, line)
  local wanted = { line = line:sub(1, LINE_BYTES) }
  wanted.counts, wanted.total = pairs_of(wanted.line)
  local best = {}
  if #bytes <= WHOLE_BYTES and text.lines(bytes) <= WHOLE_LINES then
    compare_all(bytes, wanted, best)
  else
    compare_some(bytes, wanted, best)
  end
  if best.place then
    return { line = text.line_of(bytes, best.place), similarity = best.similarity }
  end
end

return closest
