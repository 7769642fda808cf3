-- SPDX-License-Identifier: MIT
--- Texts: the byte primitives of the core, and what tools share above them. There are no patterns
--- here: every function takes plain bytes, and each costs in proportion to what it reads.
local core = require "core.text"
local diff = require "croft.diff"
local numbering = require "croft.numbering"
local paths = require "croft.paths"

local text = {
  find = core.find,               -- (hay, needle, from) -> start or nil
  count = core.count,             -- (hay, needle, overlap) -> n
  positions = core.positions,     -- (hay, needle, most, overlap) -> starts, n
  replace_all = core.replace_all, -- (hay, needle, new) -> string, n
  line_of = core.line_of,         -- (hay, position) -> line
  lines = core.lines,             -- (hay) -> n
  line_range = core.line_range,   -- (hay, line) -> start, stop
  endings = core.endings,         -- (hay) -> crlf, lf
  to_crlf = core.to_crlf,         -- (text) -> string
  repair = core.repair,           -- (text) -> string, n
  cut = core.cut,                 -- (text, size) -> string
  quote = core.quote,             -- (text) -> JSON string
  name = core.name,               -- (path) -> shown, sendable, JSON to send where it differs
  split = core.split,             -- (text, separator) -> pieces
  below = paths.below,            -- (path) -> what paths below it begin with
  dir = paths.dir,                -- (path) -> the directory that holds it
}

--- Bytes that a result keeps free for its last line.
text.RESERVED = 512

--- Bytes of a line in an excerpt.
local EXCERPT_LINE = 200

--- Lines of an excerpt, and bytes of one that is part of a refusal.
local EXCERPT_LINES, ESCAPED_BYTES = 40, 1024

local NEWLINE, RETURN = 10, 13

--- Whether `byte` is a blank or a tab.
function text.is_blank(byte)
  return byte == 32 or byte == 9
end

--- Whether `whole` begins with `start`.
function text.starts(whole, start)
  return whole:sub(1, #start) == start
end

--- Whether `whole` ends in `tail`.
function text.ends(whole, tail)
  return tail == "" or whole:sub(-#tail) == tail
end

--- `whole` without blanks, tabs and line ends at both ends.
function text.trim(whole)
  local first, last = 1, #whole
  local function is_space(at)
    local byte = whole:byte(at)
    return byte and (text.is_blank(byte) or byte == NEWLINE or byte == RETURN)
  end
  while is_space(first) do
    first = first + 1
  end
  while last >= first and is_space(last) do
    last = last - 1
  end
  return whole:sub(first, last)
end

--- The first places of `needle` in `hay`, up to `most` of them, without looking any further.
function text.places(hay, needle, most)
  local places, at = {}, core.find(hay, needle, 1)
  while at and #places < most do
    places[#places + 1] = at
    at = core.find(hay, needle, at + #needle)
  end
  return places
end

--- Steps through the lines of `bytes` from `line` on: number, first and last byte (without LF).
function text.each_line(bytes, line)
  local start = core.line_range(bytes, line)
  return function()
    if not start or start > #bytes then
      return nil
    end
    local stop = core.find(bytes, "\n", start) or #bytes + 1
    local number, from = line, start
    line, start = line + 1, stop + 1
    return number, from, stop - 1
  end
end

local function shown_line(bytes, from, to)
  if bytes:byte(to) == RETURN and to >= from then
    to = to - 1
  end
  local line = bytes:sub(from, math.min(to, from + EXCERPT_LINE + 3))
  if #line <= EXCERPT_LINE then
    return (core.repair(line))
  end
  return (core.repair(core.cut(line, EXCERPT_LINE))) .. "..."
end

local function excerpt(bytes, first, last, show, most)
  local lines, size = {}, 0
  last = math.min(last, first + EXCERPT_LINES - 1)
  for number, from, to in text.each_line(bytes, first) do
    local line = ("%d|%s"):format(number, show(shown_line(bytes, from, to)))
    size = size + #line + 1
    if number > last or size > most then
      break
    end
    lines[#lines + 1] = line
  end
  return table.concat(lines, "\n")
end

--- Lines `first` to `last` of `bytes` as `N|text`, at most 40 of them and 200 bytes of each.
function text.excerpt(bytes, first, last)
  return excerpt(bytes, first, last, function(line) return line end, math.huge)
end

--- The same with each line as a JSON string, so that white space can be seen and copied; whole
--- lines up to 1 KiB in all.
function text.escaped_excerpt(bytes, first, last)
  return excerpt(bytes, first, last, core.quote, ESCAPED_BYTES)
end

--- All of `whole` as `N|text`, counted from `first` (1 if left out).
function text.numbered(whole, first)
  return numbering.lines(whole, first)
end

--- The unified diff from `old` to `new`, "" when they are the same; nil and the reason when that
--- would be too much work. Options: context (lines, 3 if left out), old_name and new_name.
function text.diff(old, new, options)
  return diff.unified(old, new, options)
end

--- The longest run of bytes in `whole` that holds no white space, no control character and no
--- quote, nil when there is none. Looks at the first `most` bytes.
function text.longest_word(whole, most)
  local best_from, best_to, from = 1, 0, nil
  local size = math.min(#whole, most)
  for at = 1, size + 1 do
    local byte = at <= size and whole:byte(at) or 0
    local inside = byte > 32 and byte ~= 127
    if inside then
      from = from or at
    elseif from then
      if at - from > best_to - best_from + 1 then
        best_from, best_to = from, at - 1
      end
      from = nil
    end
  end
  if best_to < best_from then
    return nil
  end
  return whole:sub(best_from, best_to), best_from
end

--- The lines that `line_of` makes of `items`, in their order, as many as fit into `bytes`; an item
--- that is a string is a line already.
function text.lines_within(items, bytes, line_of)
  local lines, used = {}, 0
  for i = 1, #items do
    local line = items[i]
    if type(line) ~= "string" then
      line = line_of(line)
    end
    used = used + #line + 1
    if used > bytes then
      break
    end
    lines[i] = line
  end
  return lines
end

return text
