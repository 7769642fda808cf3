-- SPDX-License-Identifier: MIT
--- Sentences with `{name}` in them, to be filled in. See croft.texts for the forms.
local core = require "core.text"

local template = {}

local fill_in = core.fill

--- Longest quotation that is not the value of an argument, in bytes.
local SHOWN = 200

--- `1 line`, `3 lines`; a plural that is not the singular with "s" is given.
function template.count(number, one, many)
  if number == 1 then
    return "1 " .. one
  end
  return number .. " " .. (many or one .. "s")
end

--- Where the next slot of `sentence` begins and ends, at or after `from`.
local function slot(sentence, from)
  local open = core.find(sentence, "{", from)
  while open do
    local first = sentence:byte(open + 1)
    if first and first >= 0x61 and first <= 0x7A then
      local close = core.find(sentence, "}", open)
      return open, close or error("a { is not closed in: " .. sentence, 0)
    end
    open = core.find(sentence, "{", open + 1)
  end
end

--- The name in a slot, and the singular and plural that it may have.
local function forms_of(sentence, open, close)
  return core.split(sentence:sub(open + 1, close - 1), "|")
end

--- The set of names in `sentence`. Raises a plain error when a `{` is not closed.
function template.names(sentence)
  local names = {}
  local open, close = slot(sentence, 1)
  while open do
    names[forms_of(sentence, open, close)[1]] = true
    open, close = slot(sentence, close + 1)
  end
  return names
end

local function quotation(value, is_whole)
  value = tostring(value)
  if not is_whole and #value > SHOWN then
    value = core.cut(value, SHOWN) .. "..."
  end
  return core.quote(value)
end

--- The slot of `sentence` between `open` and `close`, and how much of the sentence it takes in: the
--- quotation marks around it too.
local function read_slot(sentence, open, close)
  local forms = forms_of(sentence, open, close)
  local piece = { name = forms[1], one = forms[2], many = forms[3] }
  if #forms == 1 and sentence:sub(open - 1, open - 1) == '"'
    and sentence:sub(close + 1, close + 1) == '"' then
    piece.is_quoted = true
    piece.is_whole = sentence:sub(open - 3, open - 2) == ": "
    return piece, open - 1, close + 1
  end
  piece.is_plain = not piece.one
  return piece, open, close
end

--- `sentence` as a list of texts and slots in turn; a text is first and last.
local function read(sentence)
  local pieces, from = {}, 1
  local open, close = slot(sentence, 1)
  while open do
    local piece, first, last = read_slot(sentence, open, close)
    pieces[#pieces + 1] = sentence:sub(from, first - 1)
    pieces[#pieces + 1] = piece
    from = last + 1
    open, close = slot(sentence, from)
  end
  pieces[#pieces + 1] = sentence:sub(from)
  return pieces
end

--- What was read before. Sentences are few, but a tool may make up ever new ones.
local known, room = {}, 256

local function pieces_of(sentence)
  local pieces = known[sentence]
  if not pieces then
    pieces = read(sentence)
    if room > 0 then
      known[sentence], room = pieces, room - 1
    end
  end
  return pieces
end

local function shown(piece, value)
  if piece.is_plain then
    return tostring(value)
  elseif piece.one then
    return template.count(value, piece.one, piece.many)
  end
  return quotation(value, piece.is_whole)
end

--- `sentence` with each `{name}` replaced by what the table `values` (or nil) holds; nil where that
--- takes template.fill.
function template.filled(sentence, values)
  return fill_in(pieces_of(sentence), values)
end

--- `sentence` with each `{name}` replaced by what `lookup(name)` returns.
function template.fill(sentence, lookup)
  local pieces = pieces_of(sentence)
  local out = { pieces[1] }
  for i = 2, #pieces, 2 do
    local piece = pieces[i]
    out[i], out[i + 1] = shown(piece, lookup(piece.name)), pieces[i + 1]
  end
  return table.concat(out)
end

return template
