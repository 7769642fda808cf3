-- SPDX-License-Identifier: MIT
--- Why an edit's old text is not in the file: an ordered list of looks, of which the first that
--- applies gives the sentence. Nothing here is ever applied by itself. Every look is bounded by
--- counts of places, lines and bytes, so that the worst file costs some milliseconds.
local alike = require "croft.alike"
local core = require "core.text"
local drift = require "croft.drift"
local escapes = require "croft.escapes"
local messages = require "croft.messages"
local spacing = require "croft.spacing"
local text = require "croft.text"

local diagnose = {}

--- An old text longer than this is not taken apart, and none longer than this is sent back.
local OLD_BYTES, SENT_BYTES = 16384, 700

--- In a larger file no line is looked for that is only close.
local CLOSE_BYTES = 1048576

--- A new text of so many bytes is hardly in a file by chance.
local TELLING_BYTES = 8

--- A text of fewer bytes, without its last newline, may go on in any line.
local LEAST_BYTES = 3

--- A file of at most so many bytes and lines is shown whole.
local SHORT_BYTES, SHORT_LINES = 700, 20

local DIGIT_0, DIGIT_9, BAR = 0x30, 0x39, 0x7C

--- The `12|` with which `line` begins; nil when it does not.
local function prefix_of(line)
  local at = 1
  while at <= 10 and line:byte(at) and line:byte(at) >= DIGIT_0 and line:byte(at) <= DIGIT_9 do
    at = at + 1
  end
  if at > 1 and line:byte(at) == BAR then
    return line:sub(1, at)
  end
end

--- `old` without `N|` before each line, and the first of these; nil when a line has none.
local function without_prefixes(old)
  local lines, first = text.split(old, "\n"), nil
  for i, line in ipairs(lines) do
    local prefix = prefix_of(line)
    if prefix then
      lines[i] = line:sub(#prefix + 1)
      first = first or prefix
    elseif i < #lines or line ~= "" then
      return nil
    end
  end
  return table.concat(lines, "\n"), first
end

--- Where `wanted` is in the file, as it is or with CR LF.
local function find_either(bytes, wanted)
  return text.find(bytes, wanted, 1) or text.find(bytes, text.to_crlf(wanted), 1)
end

--- The sentence `id` for a text that would fit: `exact`, which `quote` shows and which lies from
--- line miss.i on. Where it cannot be sent back as it is, the call that shows it.
local function would_fit(miss, id, exact, quote)
  miss.count = math.max(1, text.lines(exact))
  miss.k = math.max(text.count(miss.bytes, exact, true),
    text.count(miss.bytes, text.to_crlf(exact), true))
  local remedy = "E_exact"
  if #exact > SENT_BYTES or not core.is_utf8(exact) then
    remedy = "E_copy"
  elseif miss.k > 1 then
    remedy = "E_several"
  else
    miss.sent = (quote or text.quote)(exact)
  end
  miss.remedy = messages.text(remedy, miss)
  return messages.text(id, miss)
end

--- 1: the numbers that read puts before each line were copied.
local function prefix_copied(miss)
  local bare, prefix = without_prefixes(miss.old)
  local at = bare and bare ~= "" and find_either(miss.bytes, bare)
  if not at then
    return nil
  end
  miss.prefix, miss.i = prefix, text.line_of(miss.bytes, at)
  return would_fit(miss, "E4", bare)
end

--- Whether bytes `from` to `to` are whole lines.
local function are_lines(bytes, from, to)
  local before, after = bytes:sub(from - 1, from - 1), bytes:sub(to + 1, to + 1)
  return (from == 1 or before == "\n") and (after == "" or after == "\n" or after == "\r")
end

--- Whether the text at `at` can hardly be there by chance: it is long, or the one line of its kind.
local function is_telling(miss, at)
  if #miss.new >= TELLING_BYTES then
    return true
  end
  return #text.trim(miss.new) >= LEAST_BYTES and text.count(miss.bytes, miss.new, true) == 1
    and are_lines(miss.bytes, at, at + #miss.new - 1)
end

--- 2: the new text is there already.
local function already_done(miss)
  local at = text.trim(miss.new) ~= "" and find_either(miss.bytes, miss.new)
  if at and is_telling(miss, at) then
    miss.i = text.line_of(miss.bytes, at)
    return messages.text("E5", miss)
  end
end

--- 3: the same but for blanks and tabs.
local function white_space(miss)
  local first, last, what = spacing.find(miss.bytes, miss.old)
  if not first then
    return nil
  end
  miss.i, miss.j = text.line_of(miss.bytes, first), text.line_of(miss.bytes, last)
  miss.lines = messages.text(miss.i == miss.j and "E6_line" or "E6_lines", miss)
  miss.what = messages.text(what)
  return would_fit(miss, "E6", miss.bytes:sub(first, last))
end

--- 4: the same but for characters that look alike, or have another form.
local function look_alikes(miss)
  local first, last, how = alike.find(miss.bytes, miss.old)
  if not how then
    return nil
  end
  miss.i = text.line_of(miss.bytes, first + how.at - 1)
  miss.x, miss.y, miss.form, miss.c = how.x, how.y, how.form, how.c
  return would_fit(miss, how.id, miss.bytes:sub(first, last), alike.quote)
end

--- 5: the same once `\n`, `\t` and `\"` are the characters for which they stand.
local function escaped(miss)
  for _, try in ipairs(escapes.undone(miss.old)) do
    local at = find_either(miss.bytes, try.text)
    if at then
      miss.i, miss.c, miss.what = text.line_of(miss.bytes, at), try.letter, messages.text(try.what)
      return would_fit(miss, "E9", try.text)
    end
  end
end

--- 6: the same but for the newline at the end, which the file does not have, or not there.
local function final_newline(miss)
  if not text.ends(miss.old, "\n") then
    return nil
  end
  local bare = miss.old:sub(1, -2)
  local is_at_end = bare ~= "" and (text.ends(miss.bytes, bare)
    or text.ends(miss.bytes, text.to_crlf(bare)))
  if is_at_end and not text.ends(miss.bytes, "\n") then
    miss.i = text.line_of(miss.bytes, #miss.bytes) - text.count(bare, "\n", false)
    return would_fit(miss, "E10", bare)
  end
  local at = #text.trim(bare) >= LEAST_BYTES and find_either(miss.bytes, bare)
  if at then
    miss.i = text.line_of(miss.bytes, at)
    return would_fit(miss, "E10_more", bare)
  end
end

--- The sentence for the region `found`, with its lines.
local function show_region(miss, found)
  miss.i, miss.j, miss.k = found.first, found.last, found.differs
  miss.count = found.last - found.first + 1
  if miss.i == miss.j then
    return messages.text("E11_line", miss) .. "\n"
      .. text.escaped_excerpt(miss.bytes, math.max(1, miss.i - 1), miss.i + 1)
  end
  local said = messages.text("E11", miss)
  local all = text.escaped_excerpt(miss.bytes, found.first, found.last)
  if text.lines(all) < miss.count then
    all = text.escaped_excerpt(miss.bytes, math.max(found.first, found.differs - 2), found.last)
  end
  return said .. "\n" .. all
end

--- 7: a line of it is there, and others have changed.
local function drifted(miss)
  local found = drift.find(miss.bytes, miss.old)
  return found and show_region(miss, found)
end

--- 8: a line is close to one of it.
local function close_line(miss)
  local found = #miss.bytes <= CLOSE_BYTES and drift.near(miss.bytes, miss.old)
  return found and show_region(miss, found)
end

local function is_utf16(bytes)
  return text.starts(bytes, "\255\254") or text.starts(bytes, "\254\255")
end

local function is_binary(bytes)
  return text.find(bytes:sub(1, 8192), "\0", 1) ~= nil
end

local function is_short(bytes)
  return #bytes <= SHORT_BYTES and text.lines(bytes) <= SHORT_LINES
end

--- 9: nothing near.
local function nothing_near(miss)
  if is_short(miss.bytes) then
    local shown = text.escaped_excerpt(miss.bytes, 1, SHORT_LINES)
    return messages.text("E12_short", miss) .. "\n" .. shown
  end
  local word = text.longest_word(miss.old, OLD_BYTES)
  if not word then
    return messages.text("E12_blank", miss)
  end
  miss.word = text.cut(word, 60)
  local is_looked_for = #miss.old <= OLD_BYTES and #miss.bytes <= CLOSE_BYTES
  return messages.text(is_looked_for and "E12" or "E12_large", miss)
end

--- In order; the first that answers is the diagnosis.
local DIAGNOSES = {
  prefix_copied, already_done, white_space, look_alikes, escaped, final_newline, drifted,
  close_line,
}

--- What is tried with an old text that is too long to be taken apart.
local FOR_LONG_TEXTS = { already_done, final_newline }

--- Whether edits of `bytes` are refused whatever they hold: bytes of UTF-16 may look like a match.
diagnose.is_utf16 = is_utf16

--- The sentence for an edit whose `old` text is not in `bytes`, the file at `path`.
function diagnose.miss(bytes, old, new, path)
  local miss = { bytes = bytes, old = old, new = new, p = path, dir = text.dir(path) }
  if is_utf16(bytes) then
    return messages.text("E12_utf16", miss)
  elseif is_binary(bytes) then
    return messages.text("E12_binary", miss)
  end
  for _, look in ipairs(#old <= OLD_BYTES and DIAGNOSES or FOR_LONG_TEXTS) do
    local sentence = look(miss)
    if sentence then
      return sentence
    end
  end
  return nothing_near(miss)
end

return diagnose
