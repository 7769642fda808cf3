-- SPDX-License-Identifier: MIT
--- Finds a text in a file where only blanks and tabs differ.
local folded = require "croft.folded"
local text = require "croft.text"

local spacing = {}

local NEWLINE, RETURN, BLANK = 10, 13, 32

local function is_spacing(byte)
  return byte == 9 or byte == BLANK or byte == RETURN
end

--- `raw` with each run of blanks as one blank, and none at the ends of lines; and for each byte of
--- that the place in `raw` from which it came, twice.
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
  return table.concat(out), from, from
end

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

--- The number of the words that say how `raw` and `old` differ.
local function difference(raw, old)
  if without_tails(raw) == without_tails(old) then
    return "E6_tails"
  elseif text.count(raw, "\t", false) ~= text.count(old, "\t", false) then
    return "E6_tabs"
  end
  return "E6_blanks"
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

--- `old` squeezed, without the newline at its end: see widened.
local function squeezed_text(old)
  local squeezed = squeeze(old)
  return text.ends(squeezed, "\n") and squeezed:sub(1, -2) or squeezed
end

--- Looks for `old` in `bytes`. nil, or the first and last byte of what stands for it, and the
--- number of the words that say how they differ.
function spacing.find(bytes, old)
  local word, word_at = text.longest_word(old, #old)
  if not word then
    return nil
  end
  local first, last = folded.find(bytes, old, {
    fold = squeeze, wanted = squeezed_text(old), anchor = word, anchor_at = word_at,
    settle = function(raw, from, to)
      return widened(raw, from, to, old)
    end,
  })
  if first then
    return first, last, difference(bytes:sub(first, last), old)
  end
end

return spacing
