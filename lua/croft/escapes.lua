-- SPDX-License-Identifier: MIT
--- Undoes escapes that a text has once too often: a backslash and "n" for a line break, and so on.
local text = require "croft.text"

local escapes = {}

--- What each letter after a backslash stands for, and the number of the words that say so.
local LETTERS = {
  n = { "\n", "E9_line" }, t = { "\t", "E9_tab" }, r = { "\r", "E9_line" },
  ['"'] = { '"', "E9_quote" }, ["'"] = { "'", "E9_quote" }, ["`"] = { "`", "E9_quote" },
  ["\\"] = { "\\", "E9_backslash" },
}

--- Which letters are undone together: all that JSON has, quotes alone, line breaks and tabs alone.
local SETS = {
  { n = true, t = true, r = true, ['"'] = true, ["'"] = true, ["`"] = true, ["\\"] = true },
  { ['"'] = true, ["'"] = true, ["`"] = true },
  { n = true, t = true, r = true },
  { ["\\"] = true },
}

--- `pieces`, which are what lies between backslashes, joined with the escapes of `set` undone; and
--- the first letter that was, nil when there was none.
local function undo(pieces, set)
  local out, first, i = { pieces[1] }, nil, 2
  while i <= #pieces do
    local piece = pieces[i]
    local letter = piece == "" and i < #pieces and "\\" or piece:sub(1, 1)
    if not set[letter] then
      out[#out + 1] = "\\" .. piece
    elseif letter == "\\" then
      i = i + 1 -- the second backslash stands before the next piece
      out[#out + 1] = "\\" .. pieces[i]
    else
      out[#out + 1] = LETTERS[letter][1] .. piece:sub(2)
    end
    first = first or set[letter] and letter
    i = i + 1
  end
  return table.concat(out), first
end

--- A longer text is not taken apart.
local MOST_BYTES = 8192

--- What `old` may have been meant to be: a list of { text =, letter = the first that was undone,
--- what = the number of the words for it }, the likeliest first.
function escapes.undone(old)
  local tries, seen = {}, { [old] = true }
  local pieces = text.split(#old <= MOST_BYTES and old or "", "\\")
  for _, set in ipairs(SETS) do
    local undone, letter = undo(pieces, set)
    if not seen[undone] and undone ~= "" then
      seen[undone] = true
      tries[#tries + 1] = { text = undone, letter = letter, what = LETTERS[letter][2] }
    end
  end
  return tries
end

return escapes
