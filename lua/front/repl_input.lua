-- SPDX-License-Identifier: MIT
--- repl_input: where the lines of the REPL come from: a person at a terminal, a script, a pipe.
local core = require("front.core")
local fail = require("front.fail")
local line = require("front.repl_line")

local input = {}
input.__index = input

local KEPT, MOST = 1000, 2000 -- lines of the history: after it was cut, and before

--- Lines of a file that is open already.
function input.of_file(file)
  return setmetatable({ file = file, is_terminal = false }, input)
end

local function history_path()
  local state = os.getenv("XDG_STATE_HOME")
  if state and state:find("^/") then return state .. "/croft/history" end
  local home = os.getenv("HOME")
  return home and home:find("^/") and home .. "/.local/state/croft/history"
end

local function lines_of(file)
  local lines = {}
  file:seek("set")
  for text in file:lines() do lines[#lines + 1] = text end
  return lines
end

--- Opens the history, cuts it when it is long, and has the editor remember it. nil without one.
local function open_history(editor)
  local path = history_path()
  local file = path and core.private_file(path)
  if not file then return nil end
  local lines = lines_of(file)
  if #lines > MOST then
    lines = table.move(lines, #lines - KEPT + 1, #lines, 1, {})
    local again = io.open(path, "w")
    if again then
      again:write(table.concat(lines, "\n"), "\n")
      again:close()
    end
  end
  for index = math.max(1, #lines - KEPT), #lines do editor:remember(lines[index]) end
  file:setvbuf("line")
  return file
end

--- Lines of a person. `complete` is asked what may follow a text. To be made before the wall.
function input.of_terminal(complete)
  local editor = core.editor(complete)
  local history = open_history(editor)
  return setmetatable({ editor = editor, history = history, is_terminal = true }, input)
end

--- To be called behind the wall: from here on Ctrl-C ends calls.
function input:guard()
  if self.is_terminal then self.interrupts = core.interrupts() end
end

--- A call of that id is about to run, or has ended.
function input:arm(session, id)
  if self.interrupts then self.interrupts:arm(session, id) end
end

function input:disarm()
  if self.interrupts then self.interrupts:disarm() end
end

--- Remembers a line, unless it begins with a blank.
function input:remember(text)
  text = text:gsub("%s+$", "")
  if text == "" or text:find("^%s") then return end
  self.editor:remember(text)
  if self.history then self.history:write(text, "\n") end
end

--- One line; nil at the end, false when it was given up.
local function read_one(self, prompt)
  if not self.is_terminal then
    local text = self.file:read("l")
    return text and (text:gsub("\r$", ""))
  end
  self.interrupts:forget()
  local text = self.editor:read(prompt, self.interrupts:descriptor())
  if text then self:remember(text) end
  return text
end

--- The answer to a question; nil when there is none.
function input:answer(question)
  self.interrupts:forget()
  local text = self.editor:read(question, self.interrupts:descriptor())
  return text and text:match("^%s*(.-)%s*$"):lower() or nil
end

--- A whole input, of as many lines as it takes. nil at the end, false when it was given up.
function input:read(prompt, takes_lua)
  local text = read_one(self, prompt)
  if not text then return text end
  while line.is_open(text, takes_lua) do
    local more = read_one(self, ">> ")
    if more == false then return false end
    if more == nil then fail.usage("the input ends in the middle of: %s", text) end
    text = text .. "\n" .. more
  end
  return text
end

return input
