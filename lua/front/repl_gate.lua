-- SPDX-License-Identifier: MIT
--- repl_gate: the gate of a REPL's session: who is asked before a call runs, and how.
local core = require("front.core")
local fail = require("front.fail")

local gate = {}

local DAY = 24 * 60 * 60 * 1000 -- milliseconds that a question waits

local HELP = "y: allow this call; a: allow it, and do not ask again for its paths; d: show what it "
  .. "changes; anything else: refuse it"

--- What a call of write or edit would change, as a diff: with the tools' own reading and replacing.
--- Run where its own session is not touched. Ends in an error where that cannot be told.
local PREVIEW = [[
local args = ctx.json.decode(%s)
local path = args.path or args.file_path
local file = { bytes = "" }
local ok, found = pcall(ctx.fs.load, ctx.fs, path, ctx.limits.edit_bytes)
if ok then
  file.bytes = found
elseif found.code ~= "missing" or not args.content then
  error(found.code, 0)
end
local old = file.bytes
if args.content then
  file.bytes = (args.mode == "append" and old or "") .. args.content
else
  local list = args.edits or { args }
  list.is_many = args.edits ~= nil
  local edits = require "croft.edits"
  local _, failure = edits.apply(file, list, path, ctx.limits.write_bytes)
  if failure then error("the call will be refused", 0) end
end
local shown, reason = ctx.text.diff(old, file.bytes, { old_name = path, new_name = path })
print(shown == "" and "(nothing would change)" or shown or reason)
]]

--- Runs Lua in a session that has no gate. Returns what it gave and printed, or nil.
local function look(repl, code)
  repl.preview = repl.preview or repl.view:session({})
  local result = repl.preview and repl.debugger:evaluate(repl.preview, code, repl.maxlen)
  if not result or result.outcome ~= "done" then return nil end
  return result.text, repl.preview:log()
end

local function show_diff(repl, request)
  local _, printed = look(repl, PREVIEW:format(("%q"):format(request.args)))
  if not printed then
    repl.out:say("(there is no diff to show; the call says)")
    repl.out:show(request.args)
    return
  end
  for text in printed:gmatch("[^\n]+") do
    local colour = text:find("^%+") and "good" or text:find("^%-") and "bad"
    repl.out:say(colour and repl.out:paint(colour, repl.out:safe(text)) or repl.out:safe(text))
  end
end

local function size_of(bytes)
  if bytes < 1024 then return ("%d bytes"):format(bytes) end
  return ("%.1f KB"):format(bytes / 1024)
end

--- "write notes.md (1.2 KB, new)"
local function describe(repl, request)
  local words = { request.tool }
  for _, path in ipairs(request.paths) do words[#words + 1] = core.quote(path):sub(2, -2) end
  if request.effect ~= "write" then
    words[#words + 1] = "(" .. request.effect .. ")"
  else
    local is_there = request.paths[1] and look(repl,
      ("return (pcall(ctx.fs.stat, ctx.fs, %q))"):format(request.paths[1])) == "true"
    words[#words + 1] = ("(%s%s)"):format(size_of(request.content_size or 0),
      is_there and "" or ", new")
  end
  return table.concat(words, " ")
end

local VERDICTS = {
  y = { decision = "allow" }, yes = { decision = "allow" },
  a = { decision = "allow", scope = "session" }, all = { decision = "allow", scope = "session" },
}

--- Asks the person at the terminal.
local function ask(repl, request)
  local question = repl.out:safe(describe(repl, request))
  if request.why ~= "" then repl.out:show(request.why) end
  repl.input:disarm()
  local verdict
  repeat
    local text = repl.input:answer(question .. "  allow? [y]es [n]o [a]ll this session [d]iff [?] ")
    if text == "d" or text == "diff" then
      show_diff(repl, request)
    elseif text == "?" then
      repl.out:say(HELP)
    else
      verdict = VERDICTS[text or ""] or text and { decision = "deny" } or { cause = "cancelled" }
    end
  until verdict
  repl.input:arm(repl.session, repl.calls)
  return verdict
end

local function decide(repl, request)
  if repl.gate == "log" then
    repl.out:show("gate: " .. describe(repl, request))
    return { decision = "allow" }
  elseif repl.values.yes then
    return { decision = "allow" }
  elseif repl.values.no then
    return { decision = "deny" }
  elseif not repl.input.is_terminal then
    return { decision = "deny", note = "nobody was asked: the script runs without --yes" }
  end
  return ask(repl, request)
end

--- What the options of a session need for the gate that is set: nothing where none is.
function gate.options(repl)
  if repl.gate == "off" then return nil end
  if repl.gate == "allow" or repl.gate == "deny" then return repl.gate end
  return function(request) return decide(repl, request) end, DAY
end

local WORDS = { off = true, ask = true, allow = true, deny = true, log = true }

--- :gate [off/ask/allow/deny/log]; `open` opens the session again.
function gate.command(repl, word, open)
  if word ~= "" and not WORDS[word] then
    fail.usage(':gate takes off, ask, allow, deny or log, not "%s"', word)
  end
  local before = repl.gate
  if word ~= "" and word ~= before then
    repl.gate = word
    local good, err = pcall(open, repl)
    if not good then
      repl.gate = before
      error(err, 0)
    end
  end
  repl.out:say("gate is " .. repl.gate)
end

return gate
