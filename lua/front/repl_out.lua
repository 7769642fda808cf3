-- SPDX-License-Identifier: MIT
--- repl_out: what the REPL prints: text for a person, with colours at a terminal, or JSON.
local core = require("front.core")
local fail = require("front.fail")
local plain = require("front.plain")

local out = {}
out.__index = out

local COLOURS = {
  good = "32", bad = "31", mark = "1;33", dim = "2", bold = "1",
}

--- `is_terminal` says whether a person reads it, `width` how many columns that has; with `json`,
--- each line that was read is answered by one object.
function out.new(is_terminal, width, json)
  local is_plain = (os.getenv("NO_COLOR") or "") ~= "" or os.getenv("TERM") == "dumb"
  return setmetatable({
    is_terminal = is_terminal,
    width = width,
    json = json,
    has_colours = is_terminal and not is_plain and not json,
    lines = {},
    members = {},
  }, out)
end

local function write(file, text)
  local done, reason = file:write(text)
  if done then done, reason = file:flush() end
  if not done then fail.output(reason) end
end

--- The text in a colour, where there are colours.
function out:paint(colour, text)
  if not self.has_colours or text == "" then return text end
  return ("\27[%sm%s\27[0m"):format(COLOURS[colour], text)
end

--- Control characters of what tools and files say would be commands to a terminal.
function out:safe(text)
  return self.is_terminal and plain.text(text) or text
end

--- Prints a line, or several.
function out:say(text)
  if self.json then
    self.lines[#self.lines + 1] = text
  else
    write(io.stdout, text .. "\n")
  end
end

--- The same, with what came from outside made harmless.
function out:show(text)
  self:say(self:safe(text))
end

--- Prints what went wrong.
function out:complain(text)
  if self.json then
    self.members.error = core.quote(text)
  else
    write(self.is_terminal and io.stdout or io.stderr, self:paint("bad", self:safe(text)) .. "\n")
  end
end

--- Adds a member, whose value is JSON, to the object for the line at hand.
function out:add(name, json)
  if self.json then self.members[name] = json end
end

--- Prints an object that is no answer.
function out:event(name, json)
  if self.json then write(io.stdout, ("{%s:%s}\n"):format(core.quote(name), json)) end
end

--- The line that was read has been dealt with.
function out:finish(input, good)
  if not self.json then return end
  local members = { '"input":' .. core.quote(input), '"ok":' .. tostring(good) }
  if #self.lines > 0 then
    members[3] = '"text":' .. core.quote(table.concat(self.lines, "\n"))
  end
  local names = {}
  for name in pairs(self.members) do names[#names + 1] = name end
  table.sort(names)
  for _, name in ipairs(names) do
    members[#members + 1] = core.quote(name) .. ":" .. self.members[name]
  end
  self.lines, self.members = {}, {}
  write(io.stdout, "{" .. table.concat(members, ",") .. "}\n")
end

--- Starts the answer to a line that is read while another's is not finished; returns what `resume`
--- takes to go on with that.
function out:suspend()
  local kept = { self.lines, self.members }
  self.lines, self.members = {}, {}
  return kept
end

function out:resume(kept)
  self.lines, self.members = kept[1], kept[2]
end

--- A text of at most `width` columns, or nearly: characters are counted as one column each.
function out.cut(text, width)
  if utf8.len(text) == nil or utf8.len(text) <= width then return text end
  if width < 3 then return "" end
  return text:sub(1, utf8.offset(text, width - 2) - 1) .. "..."
end

--- The same, with its end kept: for paths.
function out.cut_front(text, width)
  local length = utf8.len(text)
  if length == nil or length <= width then return text end
  if width < 4 then return "" end
  return "..." .. text:sub(utf8.offset(text, length - width + 4))
end

local function pad(cell, width, right)
  local blanks = (" "):rep(width - (utf8.len(cell) or #cell))
  return right and blanks .. cell or cell .. blanks
end

--- Prints rows of cells in columns; those in the set `right` stand at the right.
--- `colour(row, index)` may give the colour of one. The cells are made harmless in place.
function out:columns(rows, right, colour)
  local widths = {}
  for _, row in ipairs(rows) do
    for index, cell in ipairs(row) do
      cell = self:safe(cell)
      row[index] = cell
      widths[index] = math.max(widths[index] or 0, utf8.len(cell) or #cell)
    end
  end
  for _, row in ipairs(rows) do
    local cells = {}
    for index, cell in ipairs(row) do
      local padded = index == #row and not right[index] and cell
        or pad(cell, widths[index], right[index])
      local paint = colour and colour(row, index)
      cells[index] = paint and self:paint(paint, padded) or padded
    end
    self:say((table.concat(cells, "  "):gsub("%s+$", "")))
  end
end

return out
