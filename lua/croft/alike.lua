-- SPDX-License-Identifier: MIT
--- Finds a text in a file where only characters differ that look alike, or that are the same letter
--- in another form of Unicode, and says which.
local composed = require "croft.composed"
local core = require "core.text"
local folded = require "croft.folded"
local text = require "croft.text"

local alike = {}

local NEWLINE, RETURN = 10, 13

--- What is seen -> the characters that look like it. The last ones are not seen at all.
local LOOKS = {
  ["'"] = "\u{2018}\u{2019}\u{201A}\u{201B}\u{2032}\u{02B9}\u{02BC}\u{00B4}\u{FF07}",
  ['"'] = "\u{201C}\u{201D}\u{201E}\u{201F}\u{2033}\u{FF02}",
  ["-"] = "\u{2010}\u{2011}\u{2012}\u{2013}\u{2014}\u{2015}\u{2212}\u{FE58}\u{FE63}\u{FF0D}",
  ["..."] = "\u{2026}",
  [" "] = "\u{00A0}\u{1680}\u{2000}\u{2001}\u{2002}\u{2003}\u{2004}\u{2005}\u{2006}\u{2007}"
    .. "\u{2008}\u{2009}\u{200A}\u{202F}\u{205F}\u{3000}",
  [""] = "\u{00AD}\u{200B}\u{200C}\u{200D}\u{2060}\u{FEFF}",
}

--- The full width forms of ASCII begin here; of them only those of signs are taken.
local FULL_WIDTH, FULL_WIDTH_SHIFT = "()[]{}<>,:;!?=+*/%&|~#@$", 0xFEE0

--- Code point -> what it looks like; made at the first use.
local look_of

local function read_looks()
  look_of = {}
  for look, characters in pairs(LOOKS) do
    for _, code in utf8.codes(characters) do
      look_of[code] = look
    end
  end
  for _, code in utf8.codes(FULL_WIDTH) do
    look_of[code + FULL_WIDTH_SHIFT] = utf8.char(code)
  end
end

--- What `code` looks like, where that is another character, several or none.
local function other_look(code)
  if not look_of then
    read_looks()
  end
  return code > 0x7F and look_of[code] or nil
end

--- Steps through the characters of `raw`: first and last byte, and the code point; a byte that is
--- part of none is its own.
local function characters(raw)
  local at = 1
  return function()
    local byte, first = raw:byte(at), at
    if not byte then
      return nil
    elseif byte < 0x80 or not utf8.len(raw, at, at) then
      at = at + 1
      return first, first, byte
    end
    local code = utf8.codepoint(raw, at)
    at = at + #utf8.char(code)
    return first, at - 1, code
  end
end

--- Gives `emit` what is seen of the character `source`, which is not ASCII: each part of it with
--- its look ("" for none) and its code point.
local function each_part(source, emit)
  local codes = {}
  composed.add_parts(source, codes)
  for _, code in ipairs(codes) do
    local look = other_look(code)
    if look == "..." then
      emit(".", code)
      emit(".", code)
      look = "."
    end
    emit(look or utf8.char(code), code)
  end
end

--- Calls `emit(look, code, source, first, last)` for all that `raw` consists of. A CR before an LF
--- is left out.
local function each_look(raw, emit)
  for first, last, source in characters(raw) do
    if source > 0x7F then
      each_part(source, function(look, code)
        emit(look, code, source, first, last)
      end)
    elseif source ~= RETURN or raw:byte(last + 1) ~= NEWLINE then
      emit(utf8.char(source), source, source, first, last)
    end
  end
end

local function fold(raw)
  local out, from, to = {}, {}, {}
  each_look(raw, function(look, _, _, first, last)
    out[#out + 1] = look
    for _ = 1, #look do
      from[#from + 1], to[#to + 1] = first, last
    end
  end)
  return table.concat(out), from, to
end

--- Whether a character that is followed by `next` can stand for itself alone.
local function is_stable(code, next)
  if next and composed.is_part(next) or composed.is_part(code) then
    return false
  elseif code < 0x80 then
    return code >= 0x30 and code <= 0x39 or code >= 0x41 and code <= 0x5A
      or code >= 0x61 and code <= 0x7A
  end
  return not other_look(code) and not composed.is(code)
end

--- The longest run of characters in `old` that no folding touches, and its first byte.
local function anchor_of(old)
  local best_from, best_to, from = 1, 0, nil
  local first, last, code = 1, 0, nil
  local step = characters(old)
  repeat
    local next_first, next_last, next_code = step()
    if code and is_stable(code, next_code) then
      from = from or first
      if last - from > best_to - best_from then
        best_from, best_to = from, last
      end
    else
      from = nil
    end
    first, last, code = next_first, next_last, next_code
  until not first
  if best_to >= best_from then
    return old:sub(best_from, best_to), best_from
  end
end

--- What is seen of `raw` as a list of { code =, source =, first = }, and what is not seen.
local function parts_of(raw)
  local seen, hidden = {}, {}
  each_look(raw, function(look, code, source, first)
    local list = look == "" and hidden or seen
    list[#list + 1] = { code = code, source = source, first = first }
  end)
  return seen, hidden
end

--- The first parts at which the lists `ours` and `theirs` differ in `field`.
local function first_difference(ours, theirs, field)
  for i = 1, math.max(#ours, #theirs) do
    local a, b = ours[i], theirs[i]
    if not a or not b or a[field] ~= b[field] then
      return a, b
    end
  end
end

--- How `raw`, which is in the file, and `old` differ: { id = number of the sentence, at = byte of
--- `raw`, x =, y = code points in the file and in what was sent, form =, c = }; nil when they do
--- not.
local function difference(raw, old)
  local seen, hidden = parts_of(raw)
  local seen_old, hidden_old = parts_of(old)
  local a, b = first_difference(seen, seen_old, "code")
  if a then
    return { id = "E7", at = a.first, x = ("%04X"):format(a.code), y = ("%04X"):format(b.code) }
  end
  a, b = first_difference(hidden, hidden_old, "code")
  if a and #hidden >= #hidden_old then
    return { id = "E7_file", at = a.first, x = ("%04X"):format(a.code) }
  elseif b then
    return { id = "E7_sent", at = 1, y = ("%04X"):format(b.code) }
  end
  a, b = first_difference(seen, seen_old, "source")
  if a then
    local is_apart = a.source == a.code and not composed.is(a.source)
    local letter = utf8.char(is_apart and b.source or a.source)
    return { id = "E8", at = a.first, form = is_apart and "NFD" or "NFC", c = letter }
  end
end

--- The anchor that is in the file: the longest run of `old`, or the half of it that a character
--- which is not seen leaves whole.
local function anchor_in(bytes, old)
  local run, at = anchor_of(old)
  if not run or text.find(bytes, run, 1) then
    return run, at
  end
  local middle = #run // 2
  local left = run:sub(1, middle)
  if left ~= "" and text.find(bytes, left, 1) then
    return left, at
  end
  return run:sub(middle + 1), at + middle
end

--- Looks for `old` in `bytes`. nil, or the first and last byte of what stands for it, and how they
--- differ (see above).
function alike.find(bytes, old)
  local anchor, anchor_at = anchor_in(bytes, old)
  local wanted = fold(old)
  if wanted == "" then
    return nil
  end
  local first, last = folded.find(bytes, old, {
    fold = fold, wanted = wanted, anchor = anchor, anchor_at = anchor_at,
    settle = function(raw, from, to)
      if fold(raw:sub(from, to)) == wanted then
        return from, to
      end
    end,
  })
  if first then
    return first, last, difference(bytes:sub(first, last), old)
  end
end

--- `whole` as a JSON string in which every character that looks like another, or has a mark, is an
--- escape, so that it can be told and copied.
function alike.quote(whole)
  local out, quoted = {}, core.quote(whole)
  for first, last, code in characters(quoted) do
    local is_special = other_look(code) or composed.is(code) or composed.is_part(code)
    out[#out + 1] = is_special and ("\\u%04x"):format(code) or quoted:sub(first, last)
  end
  return table.concat(out)
end

return alike
