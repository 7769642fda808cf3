-- SPDX-License-Identifier: MIT
--- Finds a text in a file where only blanks and tabs differ. Bounded: it looks around the places at
--- which the longest word of the text occurs, at no more than 200 of them and no more bytes in all
--- than it can compare in a few milliseconds.
local text = require "croft.text"

local spacing = {}

--- Places that are looked at, and bytes that are compared at all of them together.
local MOST_PLACES, MOST_BYTES = 200, 262144

local NEWLINE, RETURN, BLANK = 10, 13, 32

local function is_spacing(byte)
  return byte == 9 or byte == BLANK or byte == RETURN
end

--- `raw` with each run of blanks as one blank, and none at the ends of lines; and for each byte of
--- that the place in `raw` from which it came.
local function squeeze(raw)
  local out, from, pending = {}, {}, nil
  for at = 1, #raw do
    local byte = raw:byte(at)
    if is_spacing(byte) then
      pending = pending or at
    else
      local is_inside = pending and byte ~= NEWLINE and #out > 0 and out[#out] ~= "\n"
      if is_inside then
        out[#out + 1], from[#from + 1] = " ", pending
      end
      pending = nil
      out[#out + 1], from[#from + 1] = string.char(byte), at
    end
  end
  return table.concat(out), from
end

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

local function newlines_before(whole, at)
  return text.count(whole:sub(1, at - 1), "\n", false)
end

--- How `raw` and `old` differ, in words.
local function difference(raw, old)
  local function without_tails(whole)
    local lines = text.split(whole, "\n")
    for i, line in ipairs(lines) do
      local last = #line
      while last > 0 and is_spacing(line:byte(last)) do
        last = last - 1
      end
      lines[i] = line:sub(1, last)
    end
    return table.concat(lines, "\n")
  end
  if without_tails(raw) == without_tails(old) then
    return "blanks at the end of a line"
  elseif text.count(raw, "\t", false) ~= text.count(old, "\t", false) then
    return "tabs and blanks"
  end
  return "blanks"
end

--- The bytes of the file that stand for `old`: what fits, with the blanks around it that `old` has.
local function widened(raw, first, last, old)
  if is_spacing(old:byte(1)) then
    while first > 1 and is_spacing(raw:byte(first - 1)) do
      first = first - 1
    end
  end
  local tail = old:byte(#old)
  if tail == NEWLINE or is_spacing(tail) then
    while last < #raw and is_spacing(raw:byte(last + 1)) do
      last = last + 1
    end
  end
  if tail == NEWLINE then
    if raw:byte(last + 1) ~= NEWLINE then
      return nil
    end
    last = last + 1
  end
  return first, last
end

--- Compares `raw`, whole lines of the file, with `old`: the first and last byte of what stands for
--- it, or nil.
local function compare(raw, old, squeezed_old)
  local squeezed, from = squeeze(raw)
  local at = text.find(squeezed, squeezed_old, 1)
  if not at then
    return nil
  end
  return widened(raw, from[at], from[at + #squeezed_old - 1], old)
end

--- What spacing.find returns for the bytes `first` to `last` of the file.
local function describe(bytes, first, last, old)
  local exact = bytes:sub(first, last)
  local line = text.line_of(bytes, first)
  local inner = exact:byte(#exact) == NEWLINE and exact:sub(1, -2) or exact
  return {
    text = exact, what = difference(exact, old),
    first = line, last = line + text.count(inner, "\n", false),
  }
end

--- Looks around byte `place` of the file, at so many lines above and below as `old` has.
local function look_around(bytes, place, old, squeezed_old, above, below)
  local reach = 2 * #old + 256
  local left = math.max(1, place - reach)
  local window = bytes:sub(left, place + reach)
  local start = line_start(window, place - left + 1, above, left == 1)
  if not start then
    return nil
  end
  local stop = line_end(window, place - left + 1, below)
  local first, last = compare(window:sub(start, stop), old, squeezed_old)
  if first then
    local shift = left + start - 2
    return describe(bytes, first + shift, last + shift, old)
  end
end

local function squeezed_text(old)
  local squeezed = squeeze(old)
  while text.ends(squeezed, "\n") and squeezed ~= "" do
    squeezed = squeezed:sub(1, -2)
  end
  return squeezed
end

--- Looks for `old` in `bytes`. nil, or { text = the bytes of the file that stand for it, what = how
--- they differ, first =, last = lines }.
function spacing.find(bytes, old)
  local word, word_at = text.longest_word(old, #old)
  if not word then
    return nil
  end
  local squeezed_old = squeezed_text(old)
  local above = newlines_before(old, word_at)
  local below = text.count(old, "\n", false) - above
  local places = math.min(MOST_PLACES, MOST_BYTES // #old)
  for _, place in ipairs((text.positions(bytes, word, places, false))) do
    local found = look_around(bytes, place, old, squeezed_old, above, below)
    if found then
      return found
    end
  end
end

return spacing
