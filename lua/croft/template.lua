-- SPDX-License-Identifier: MIT
--- Sentences with `{name}` in them, to be filled in. See croft.texts for the forms.
local core = require "core.text"

local template = {}

--- Longest quotation that is not the value of an argument, in bytes.
local SHOWN = 200

--- `1 line`, `3 lines`; a plural that is not the singular with "s" is given.
function template.count(number, one, many)
  if number == 1 then
    return "1 " .. one
  end
  return ("%s %s"):format(number, many or one .. "s")
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

--- The literal before a slot, the slot filled in, and where the rest begins.
local function fill_one(sentence, from, open, close, lookup)
  local forms = forms_of(sentence, open, close)
  local value = lookup(forms[1])
  if #forms > 1 then
    return sentence:sub(from, open - 1), template.count(value, forms[2], forms[3]), close + 1
  end
  if sentence:sub(open - 1, open - 1) == '"' and sentence:sub(close + 1, close + 1) == '"' then
    local is_whole = sentence:sub(open - 3, open - 2) == ": "
    return sentence:sub(from, open - 2), quotation(value, is_whole), close + 2
  end
  return sentence:sub(from, open - 1), tostring(value), close + 1
end

--- `sentence` with each `{name}` replaced by what `lookup(name)` returns.
function template.fill(sentence, lookup)
  local out, from = {}, 1
  local open, close = slot(sentence, 1)
  while open do
    local before, filled, after = fill_one(sentence, from, open, close, lookup)
    out[#out + 1] = before
    out[#out + 1] = filled
    from = after
    open, close = slot(sentence, from)
  end
  out[#out + 1] = sentence:sub(from)
  return table.concat(out)
end

return template
