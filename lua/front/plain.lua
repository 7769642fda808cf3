-- SPDX-License-Identifier: MIT
--- plain: text from outside without what would be a command to a terminal.
local plain = {}

local function spelled(char) return ("\\x%02X"):format(char:byte(-1)) end

--- The text with \xNN in place of control characters, but for tabs and the ends of lines.
function plain.text(text)
  text = text:gsub("[\0-\8\11-\31\127]", spelled)
  return (text:gsub("\194[\128-\159]", spelled))
end

--- Whether there are no control characters in it, not even those.
function plain.is(text) return not text:find("%c") and not text:find("\194[\128-\159]") end

return plain
