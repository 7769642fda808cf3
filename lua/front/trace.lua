-- SPDX-License-Identifier: MIT
--- trace: the records of a call as a table for a reader.
local core = require("front.core")

local TITLES = { "op", "path", "verdict", "bytes", "us" }

--- A path as one line; "." is the root, "-" none.
local function shown(slice)
  if slice:type() ~= "string" then return "-" end
  local text = slice:text()
  return text == "" and "." or core.quote(text):sub(2, -2)
end

local function row_of(line)
  local op, path, resolved, verdict, rule, bytes, us = assert(core.parse(line)):pick("op", "path",
    "resolved", "verdict", "rule", "bytes", "us")
  local spelled, led = shown(path), shown(resolved)
  if led ~= "-" and led ~= spelled then spelled = spelled .. " -> " .. led end
  local said = verdict:text() .. (rule:type() == "string" and " (" .. rule:text() .. ")" or "")
  return { op:text(), spelled, said, bytes:raw(), us:raw() }
end

--- Pads the first three columns behind, the numbers before.
local function add_row(lines, row, widths)
  local cells = {}
  for index, cell in ipairs(row) do
    local blanks = (" "):rep(widths[index] - utf8.len(cell))
    cells[index] = index > 3 and blanks .. cell or cell .. blanks
  end
  lines[#lines + 1] = table.concat(cells, "  ")
end

--- `records` are lines of JSON, `held` is what the wall is.
return function(records, held)
  local rows, widths, lines = { TITLES }, {}, { held }
  for line in records:gmatch("[^\n]+") do rows[#rows + 1] = row_of(line) end
  for _, row in ipairs(rows) do
    for index, cell in ipairs(row) do
      widths[index] = math.max(widths[index] or 0, utf8.len(cell))
    end
  end
  for _, row in ipairs(rows) do add_row(lines, row, widths) end
  return table.concat(lines, "\n") .. "\n"
end
