-- SPDX-License-Identifier: MIT
--- Finds a text in a file where both are the same once they are folded: white space squeezed, or
--- look-alike characters made one. A file is not folded as a whole: a run of bytes that folding
--- leaves alone, the anchor, is looked for, and only the lines around its places are folded. So the
--- cost is bounded by a count of places and of bytes, whatever the file.
local text = require "croft.text"

local folded = {}

--- Places that are looked at, and bytes that are folded at all of them together (or at one).
local MOST_PLACES, MOST_BYTES = 200, 65536

--- A file of so many bytes is folded as a whole where there is no anchor. No longer text is looked
--- for: what is folded takes fifty times its size in memory.
local WHOLE_BYTES, OLD_BYTES = 16384, 8192

local NEWLINE = 10

--- The first byte of the line that is `lines` further up than `at` in `window`; nil when it begins
--- before the window, which `is_start` says does not happen at the start of the file.
local function line_start(window, at, lines, is_start)
  for place = at - 1, 1, -1 do
    if window:byte(place) == NEWLINE then
      lines = lines - 1
      if lines < 0 then
        return place + 1
      end
    end
  end
  return is_start and 1 or nil
end

--- The last byte, with its newline, of the line that is `lines` further down than `at`.
local function line_end(window, at, lines)
  for place = at, #window do
    if window:byte(place) == NEWLINE then
      lines = lines - 1
      if lines < 0 then
        return place
      end
    end
  end
  return #window
end

--- Looks in `raw`, whole lines of the file: the first and last byte of what is `search.wanted` once
--- it is folded, or nil.
local function look_in(raw, search)
  local squeezed, from, to = search.fold(raw)
  local at = text.find(squeezed, search.wanted, 1)
  if at then
    return search.settle(raw, from[at], to[at + #search.wanted - 1])
  end
end

--- Looks around byte `place` of the file.
local function look_around(bytes, place, search)
  local left = math.max(1, place - search.reach)
  local window = bytes:sub(left, place + search.reach)
  local start = line_start(window, place - left + 1, search.above, left == 1)
  if not start then
    return nil
  end
  local stop = line_end(window, place - left + 1, search.below)
  local first, last = look_in(window:sub(start, stop), search)
  if first then
    local shift = left + start - 2
    return first + shift, last + shift
  end
end

--- Looks for `old` in `bytes`: the first and last byte of what stands for it, or nil.
--
-- `fold(raw)` returns the folded text and for each of its bytes the first and the last byte of
-- `raw` from which it came. `wanted` is the folded `old`. `anchor` is a run of bytes of `old`, at
-- byte `anchor_at`, that stands in the file as it is; nil when there is none. `settle(raw, first,
-- last)` has the last word on a hit in `raw`: the bytes that it is to be, or nil.
function folded.find(bytes, old, search)
  if #old > OLD_BYTES then
    return nil
  elseif not search.anchor and #bytes > WHOLE_BYTES then
    return nil
  elseif not search.anchor then
    return look_in(bytes, search)
  end
  search.reach = 2 * #old + 256
  search.above = text.count(old:sub(1, search.anchor_at - 1), "\n", false)
  search.below = text.count(old, "\n", false) - search.above
  local places = math.max(1, math.min(MOST_PLACES, MOST_BYTES // (2 * search.reach)))
  for _, place in ipairs(text.places(bytes, search.anchor, places)) do
    local first, last = look_around(bytes, place, search)
    if first then
      return first, last
    end
  end
end

return folded
