-- SPDX-License-Identifier: MIT
--- What is wrong with a text that a tool has for a client or a model.
local core = require "core.text"

local text_rules = {}

--- Longest description, of a tool or of an argument, and longest title, in bytes.
text_rules.DESCRIPTION, text_rules.TITLE = 2048, 128

--- What is wrong with `text`, which may have `most` bytes, in several lines unless `is_line`; nil
--- when nothing is.
function text_rules.fault(text, most, is_line)
  if #text > most then
    return (" has %d bytes, over %d"):format(#text, most)
  elseif not core.is_utf8(text) then
    return " must be UTF-8"
  elseif not text:find("%S") then
    return " is empty: a model needs it"
  elseif text:find(is_line and "%c" or "[^%C\n\t]") then
    return " holds a control character"
  end
end

return text_rules
