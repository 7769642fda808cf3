-- SPDX-License-Identifier: MIT
--- Finds a text in a file where only blanks and tabs differ. Bounded: it looks around at most 200
--- places at which the longest word of the text occurs.
local text = require "croft.text"

local spacing = {}

--- Places that are looked at, and the longest stretch of the file that is compared at one of them.
local MOST_PLACES, MOST_BYTES = 200, 65536

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

--- Steps back over `lines` line starts from `at`: the first byte of that line, and nil when the
--- lines are longer than what is compared.
local function line_start(bytes, at, lines)
  local least = math.max(1, at - MOST_BYTES)
  for place = at - 1, least, -1 do
    if bytes:byte(place) == NEWLINE then
      lines = lines - 1
      if lines < 0 then
        return place + 1
      end
    end
  end
  return least == 1 and 1 or nil
end

--- The last byte, with its newline, of the line that is `lines` further down than `at`.
local function line_end(bytes, at, lines)
  for _ = 0, lines do
    local newline = text.find(bytes, "\n", at)
    if not newline then
      return #bytes
    end
    at = newline + 1
  end
  return at - 1
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

--- Compares around one place: the stretch of lines from `start` to `stop`.
local function compare(bytes, start, stop, old, squeezed_old)
  local raw = bytes:sub(start, stop)
  local squeezed, from = squeeze(raw)
  local at = text.find(squeezed, squeezed_old, 1)
  if not at then
    return nil
  end
  local first, last = widened(raw, from[at], from[at + #squeezed_old - 1], old)
  if not first then
    return nil
  end
  local exact = raw:sub(first, last)
  local line = text.line_of(bytes, start + first - 1)
  local inner = exact:byte(#exact) == NEWLINE and exact:sub(1, -2) or exact
  return {
    text = exact, what = difference(exact, old),
    first = line, last = line + text.count(inner, "\n", false),
  }
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
  for _, place in ipairs((text.positions(bytes, word, MOST_PLACES, false))) do
    local start = line_start(bytes, place, above)
    local stop = start and line_end(bytes, place, below)
    if stop and stop - start < MOST_BYTES then
      local found = compare(bytes, start, stop, old, squeezed_old)
      if found then
        return found
      end
    end
  end
end

return spacing
