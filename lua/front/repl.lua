-- SPDX-License-Identifier: MIT
--- repl: tools called by hand, looked into, and stopped.
local calls = require("front.repl_calls")
local commands = require("front.repl_commands")
local core = require("front.core")
local debugger = require("front.debugger")
local fail = require("front.fail")
local input = require("front.repl_input")
local line = require("front.repl_line")
local open = require("front.open")
local out = require("front.repl_out")
local session = require("front.repl_session")
local wall = require("front.wall")

local MAXLEN = 400 -- bytes of a value that are shown at first

local repl = {}
repl.__index = repl

--- What the exit status will be: that of the first failure, in a script.
function repl:note_status(status)
  if status ~= fail.DONE and self.status == fail.DONE then self.status = status end
  if status ~= fail.DONE then self.has_failed = true end
end

--- Once, when something was cut.
function repl:hint_if_cut(cut)
  if not cut or self.has_hinted then return end
  self.has_hinted = true
  self.out:say(self.out:paint("dim", ("(cut at %d bytes; :maxlen N changes that)"):format(
    self.maxlen)))
end

--- Deals with an input. Returns how a call that stands still goes on, if it does.
local function perform(self, text)
  local kind, first, rest = line.parse(text)
  if kind == "nothing" then return nil end
  if kind == "command" then return commands.run(self, first, rest) end
  if kind == "lua" then
    if self.stop then return debugger.print(self, rest) end
    return calls.evaluate(self, rest)
  end
  calls.line(self, first, rest)
  return nil
end

--- The same; what fails is told, and is over with it.
local function answer(self, text)
  local handler = function(err) return fail.is(err) and err or debug.traceback(err) end
  self.has_failed = false
  local good, move, number = xpcall(perform, handler, self, text)
  if not good then
    if not fail.is(move) then error(move, 0) end
    self.out:complain(move.message)
    self:note_status(move.status)
    move = nil
  end
  if line.parse(text) ~= "nothing" then self.out:finish(text, not self.has_failed) end
  if self.has_failed and self.stops_early then self.has_ended = true end
  return move, number
end

--- Reads and answers inputs until there are no more, or one of them lets a call that stands still
--- go on: returns how, then. An empty line at a terminal steps on as the one before.
function repl:converse(prompt)
  while not self.has_ended do
    local good, text = pcall(self.input.read, self.input, prompt, commands.takes_lua)
    if not good then
      if not fail.is(text) then error(text, 0) end
      self.out:complain(text.message)
      self.out:finish("", false)
      self:note_status(text.status)
      text = nil
    end
    if text == nil then
      self.has_ended = true
      if self.input.is_terminal then self.out:say("") end
    elseif text then
      local stands = self.stop or self.is_before_call
      if text == "" and stands and self.input.is_terminal then text = self.repeated or "" end
      local move, number = answer(self, text)
      if move then
        self.repeated = (move == "step" or move == "next") and text or nil
        return move, number
      end
      if self.has_ended and self.stop then return "abort" end
    end
  end
  return "abort"
end

local function open_input(values, self, is_terminal)
  if values.script then
    local file, reason = io.open(values.script, "r")
    if not file then fail.usage("cannot read the script: %s", reason) end
    return input.of_file(file)
  end
  if not is_terminal or values.json then return input.of_file(io.stdin) end
  return input.of_terminal(function(text) return require("front.repl_complete")(self, text) end)
end

--- Puts up the second wall; what tools are made of can be read on behind it.
local function confine(self)
  return wall(self.values, function()
    return self.debugger:confine(self.view, session.readable(self))
  end)
end

local function greet(self, root, held)
  if not self.input.is_terminal then return end
  self.out:say(("croft %s: %s, %d tools (%s, %s); :help says what there is"):format(core.version(),
    core.quote(root), #session.tools(self), self.view:resolver(), held))
end

local function new(values)
  if values.yes and values.no then fail.usage("--yes and --no are two answers to one question") end
  local is_terminal, width = core.terminal()
  local is_person = is_terminal and not values.script and not values.json
  return setmetatable({
    values = values,
    limits = values.limit or {},
    out = out.new(is_person, is_terminal and width or 80, values.json),
    trace = "off",
    gate = "off",
    maxlen = MAXLEN,
    calls = 0,
    points = {},
    last_point = 0,
    status = fail.DONE,
    stops_early = not is_person and not values["keep-going"],
  }, repl), is_person
end

return function(_, values, operands)
  collectgarbage("restart")
  local self, is_person = new(values)
  self.view = open.view(operands[1], values)
  self.debugger = core.debugger(function(stop) return debugger.stopped(self, stop) end,
    values["show-host-paths"])
  session.open(self)
  self.input = open_input(values, self, is_person)
  core.outside()
  local held = confine(self)
  self.input:guard()
  greet(self, operands[1], held)
  self:converse("croft> ")
  self.session:close()
  if self.preview then self.preview:close() end
  self.view:close()
  return self.input.is_terminal and fail.DONE or self.status
end
