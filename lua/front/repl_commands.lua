-- SPDX-License-Identifier: MIT
--- repl_commands: the one table of what begins with ":". What is typed is found in it, :help is
--- made of it, and words are completed from it. A name is as good as any beginning of it that no
--- other has; `short` is one that others have, too.
local breakpoints = require("front.breakpoints")
local calls = require("front.repl_calls")
local debugger = require("front.debugger")
local fail = require("front.fail")
local profile = require("front.repl_profile")
local record = require("front.repl_record")
local session = require("front.repl_session")
local show = require("front.repl_show")
local trace = require("front.repl_trace")
local why = require("front.repl_why")

local commands = {}

--- With `moves`, what `run(repl, rest)` returns is how a call that stands still goes on. `takes`
--- says what completes the argument: a list of words, "tool", "file", "command", "limit". `lua`
--- says that it is Lua.
local list = {
  {
    name = "help", usage = "[COMMAND]", takes = "command", short = "h",
    help = "say what the commands do, or one of them",
    run = function(repl, word) commands.help(repl, word) end,
  },
  { name = "tools", help = "list the tools and the files that they come from", run = show.tools },
  {
    name = "schema", usage = "NAME", takes = "tool",
    help = "the JSON schema of a tool, as it is sent to a model", run = show.schema,
  },
  {
    name = "show", usage = "NAME", takes = "tool",
    help = "the source of a tool", run = show.source,
  },
  { name = "last", help = "make the last call again", run = calls.again },
  {
    name = "args", usage = "[key=value ...]",
    help = "make the last call again with these arguments in place of its own, or show those",
    run = calls.with_args,
  },
  { name = "raw", help = "the last result as JSON, as a client gets it", run = calls.raw },
  {
    name = "trace", usage = "[off/on/full]", takes = { "off", "on", "full" },
    help = "show what each call does: its primitives, their paths and verdicts; or the last one's",
    run = trace.command,
  },
  { name = "why", short = "w", help = "explain the last refusal step by step", run = why },
  {
    name = "break", usage = "[WHERE [if EXPR]]", short = "b",
    takes = { "primitive", "error", "refusal" },
    help = "stop at FILE:LINE, a function or tool, primitive NAME, error or refusal; or list these",
    run = breakpoints.add,
  },
  {
    name = "delete", usage = "N/all", takes = { "all" },
    help = "remove a breakpoint", run = breakpoints.delete,
  },
  { name = "step", short = "s", moves = true, help = "run to the next line", run = debugger.step },
  {
    name = "next", short = "n", moves = true,
    help = "the same, over what is called", run = debugger.next,
  },
  {
    name = "out", short = "o", moves = true,
    help = "run until this function has returned", run = debugger.out,
  },
  {
    name = "until", usage = "N", moves = true,
    help = "run to line N of this file", run = debugger.until_line,
  },
  {
    name = "continue", short = "c", moves = true,
    help = "let the call go on", run = debugger.continue,
  },
  { name = "abort", moves = true, help = "end the call that stands still", run = debugger.abort },
  { name = "bt", help = "the frames of the call, innermost first", run = debugger.backtrace },
  { name = "frame", usage = "[N]", short = "f", help = "look at frame N", run = debugger.frame },
  {
    name = "locals", usage = "[all]", takes = { "all" },
    help = "the arguments and locals of the frame; with all, everything", run = debugger.locals,
  },
  { name = "upvalues", help = "what the function has from outside", run = debugger.upvalues },
  {
    name = "print", usage = "EXPR", lua = true, short = "p",
    help = "evaluate Lua in the frame", run = debugger.print,
  },
  {
    name = "set", usage = "NAME = EXPR", lua = true,
    help = "change a variable", run = debugger.set,
  },
  {
    name = "list", usage = "[N or FILE:N]", takes = "file", short = "l",
    help = "the source around a line; the current one is marked", run = debugger.list,
  },
  {
    name = "limits", usage = "[NAME=VALUE ...]", takes = "limit",
    help = "show the limits, or change some", run = session.change_limits,
  },
  {
    name = "gate", usage = "[off/ask/allow/deny/log]",
    takes = { "off", "ask", "allow", "deny", "log" },
    help = "who says of each call whether it may run: nobody, you, all, none, all with a line",
    run = session.gate,
  },
  { name = "usage", help = "what calls have taken so far", run = session.show_usage },
  {
    name = "profile", usage = "[TOOL ...]",
    help = "make a call, or the last one again, and show the lines and primitives that took "
      .. "its time",
    run = profile,
  },
  {
    name = "reload", usage = "[NAME]", takes = "tool",
    help = "load the tools from their files again", run = session.reload,
  },
  {
    name = "watch", usage = "[on/off]", takes = { "on", "off" },
    help = "load the tools again by itself when their files change", run = session.watch,
  },
  {
    name = "record", usage = "[FILE/off]", takes = { "off" },
    help = "keep what calls are given and answer in FILE, for :replay and croft replay",
    run = record.command,
  },
  {
    name = "replay", usage = "FILE [--step] [--keep-going]", takes = { "--step", "--keep-going" },
    help = "make the calls of a recording again and show what differs; with --step stop before "
      .. "each, then :next makes it, :step stops where the tool begins, :continue makes the rest, "
      .. ":abort ends",
    run = record.replay,
  },
  {
    name = "check",
    help = "look through the tools for what would mislead a model", run = session.check,
  },
  {
    name = "maxlen", usage = "[N]",
    help = "how many bytes of a value are shown", run = show.maxlen,
  },
  {
    name = "quit", short = "q", moves = true,
    help = "leave; so does Ctrl-D", run = show.quit,
  },
}

--- Those that make the session anew, or a call: not while one stands still.
local IDLE = {
  gate = true, reload = true, limits = true, last = true, args = true, profile = true,
  replay = true,
}

local by_name, names = {}, {}
for index, command in ipairs(list) do
  by_name[command.name] = command
  names[index] = command.name
end
commands.list, commands.names = list, names

--- Those that a beginning of a name may mean.
local function candidates(word)
  local found = {}
  for _, command in ipairs(list) do
    if command.name:sub(1, #word) == word then found[#found + 1] = command end
    if command.short == word then return { command } end
  end
  return found
end

--- The command of that name, or of which it is the beginning. Raises a failure that says what would
--- have been one.
function commands.find(word)
  if by_name[word] then return by_name[word] end
  local found = word ~= "" and candidates(word) or {}
  if #found == 1 then return found[1] end
  if #found == 0 then
    fail.usage('there is no command ":%s"%s; :help lists them', word, fail.hint(word, names))
  end
  local spelled = {}
  for index, command in ipairs(found) do spelled[index] = ":" .. command.name end
  fail.usage('":%s" may be %s', word, table.concat(spelled, " or "))
end

--- The shortest beginning that means the command.
function commands.shortest(command)
  if command.short then return command.short end
  for size = 1, #command.name do
    local found = candidates(command.name:sub(1, size))
    if #found == 1 and found[1] == command then return command.name:sub(1, size) end
  end
  return command.name
end

--- Whether what follows the command is Lua, which may go on in the next line.
function commands.takes_lua(word)
  local found = by_name[word] and { by_name[word] } or candidates(word)
  return #found == 1 and found[1].lua == true
end

--- Runs what was typed behind ":".
function commands.run(repl, word, rest)
  local command = commands.find(word)
  if repl.stop and IDLE[command.name] and (command.name ~= "limits" or rest ~= "") then
    fail.usage("a call stands still: :continue or :abort it before :%s", command.name)
  end
  if not command.usage and rest ~= "" then
    fail.usage(":%s takes nothing behind it", command.name)
  end
  local move, line = command.run(repl, rest)
  if command.moves then return move, line end
end

--- Breaks a text at blanks so that each line has at most `width` columns.
local function wrap(text, width)
  local lines, line = {}, ""
  for word in text:gmatch("%S+") do
    if line ~= "" and #line + 1 + #word > width then
      lines[#lines + 1] = line
      line = word
    else
      line = line == "" and word or line .. " " .. word
    end
  end
  lines[#lines + 1] = line
  return lines
end

local function spelled(command)
  return ":" .. command.name .. (command.usage and " " .. command.usage or "")
end

--- :help
function commands.help(repl, word)
  if word ~= "" then
    local command = commands.find((word:gsub("^:", "")))
    local short = commands.shortest(command)
    repl.out:say(spelled(command)
      .. (short ~= command.name and ("  (short: :%s)"):format(short) or ""))
    repl.out:say("  " .. table.concat(wrap(command.help, repl.out.width - 4), "\n  "))
    return
  end
  repl.out:say("NAME key=value ...   call a tool; key:=JSON, and NAME {JSON}, too")
  repl.out:say("= EXPR               evaluate Lua as a tool sees it; ctx is there")
  local most = 0
  for _, command in ipairs(list) do most = math.max(most, #spelled(command)) end
  for _, command in ipairs(list) do
    local lines = wrap(command.help, repl.out.width - most - 3)
    repl.out:say(spelled(command) .. (" "):rep(most - #spelled(command) + 2)
      .. table.concat(lines, "\n" .. (" "):rep(most + 2)))
  end
  repl.out:say("A command may be cut short where no other begins so.")
end

return commands
