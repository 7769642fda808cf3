-- SPDX-License-Identifier: MIT
--- Lines with their numbers, as the read tool shows them.
local core = require "core.text"

local numbering = {}

--- `text` with `N|` before each line, counted from `first` (1 if left out). A final newline makes
--- no further line; bytes that are not UTF-8 become U+FFFD.
function numbering.lines(text, first)
  local lines = core.split(text, "\n")
  if lines[#lines] == "" then
    lines[#lines] = nil
  end
  first = first or 1
  for i, line in ipairs(lines) do
    lines[i] = ("%d|%s"):format(first + i - 1, (core.repair(line)))
  end
  return table.concat(lines, "\n")
end

return numbering
