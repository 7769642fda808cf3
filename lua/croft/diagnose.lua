-- SPDX-License-Identifier: MIT
--- Why an edit's old text is not in the file: an ordered list of looks, of which the first that
--- applies gives the sentence. Nothing here is ever applied by itself.
local messages = require "croft.messages"
local spacing = require "croft.spacing"
local text = require "croft.text"

local diagnose = {}

--- An old text longer than this is not taken apart, and none longer than this is sent back.
local OLD_BYTES, SENT_BYTES = 65536, 700

--- A new text of so many bytes is hardly in a file by chance.
local TELLING_BYTES = 8

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

--- 1: the numbers that read puts before each line were copied.
local function prefix_copied(miss)
  local bare, prefix = without_prefixes(miss.old)
  local at = bare and bare ~= "" and find_either(miss.bytes, bare)
  if not at then
    return nil
  end
  miss.prefix, miss.text, miss.i = prefix, bare, text.line_of(miss.bytes, at)
  return messages.text(#bare <= SENT_BYTES and "E4" or "E4_many", miss)
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
  return #text.trim(miss.new) >= 3 and text.count(miss.bytes, miss.new, true) == 1
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
  local found = spacing.find(miss.bytes, miss.old)
  if not found or #found.text > SENT_BYTES then
    return nil
  end
  miss.text, miss.what = found.text, found.what
  miss.lines = ("Line %d differs"):format(found.first)
  if found.last > found.first then
    miss.lines = ("Lines %d-%d differ"):format(found.first, found.last)
  end
  return messages.text("E6", miss)
end

local function is_utf16(bytes)
  return text.starts(bytes, "\255\254") or text.starts(bytes, "\254\255")
end

local function is_short(bytes)
  return #bytes <= SHORT_BYTES and text.lines(bytes) <= SHORT_LINES
end

--- 9: nothing near.
local function nothing_near(miss)
  if is_utf16(miss.bytes) then
    return messages.text("E12_utf16", miss)
  elseif text.find(miss.bytes:sub(1, 8192), "\0", 1) then
    return messages.text("E12_binary", miss)
  elseif is_short(miss.bytes) then
    local shown = text.escaped_excerpt(miss.bytes, 1, SHORT_LINES)
    return messages.text("E12_short", miss) .. "\n" .. shown
  end
  local word = text.longest_word(miss.old, OLD_BYTES)
  if not word then
    return messages.text("E12_blank", miss)
  end
  miss.word = text.cut(word, 60)
  return messages.text("E12", miss)
end

--- In order; the first that answers is the diagnosis.
local DIAGNOSES = { prefix_copied, already_done, white_space, nothing_near }

--- Whether edits of `bytes` are refused whatever they hold: bytes of UTF-16 may look like a match.
diagnose.is_utf16 = is_utf16

--- The sentence for an edit whose `old` text is not in `bytes`, the file at `path`.
function diagnose.miss(bytes, old, new, path)
  local miss = { bytes = bytes, old = old, new = new, p = path, dir = text.dir(path) }
  if is_utf16(bytes) or #old > OLD_BYTES then
    return nothing_near(miss)
  end
  for _, look in ipairs(DIAGNOSES) do
    local sentence = look(miss)
    if sentence then
      return sentence
    end
  end
end

return diagnose
