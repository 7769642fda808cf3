-- SPDX-License-Identifier: MIT
--- Every message, each with a call that shows it. A row of spec/messages/*.lua is
---   { id, when, tool =, args =, ... }
--- `args` is a table or JSON. What else a row may have:
---   files, limits, read_only, read_only_names, gate   as for testing.session; a.md if no files
---   answer     to a question of the gate's
---   earlier    the arguments of a call of the same tool, made first of all
---   prepare    shell commands that are run in the root before the call
---   beside     a shell command that runs in the root during the call
---   body       the body of a tool of its own that is called; access, narrower: fields of it
---   raise      the structured error that such a tool raises: what the system would have to do for
---              it is not in a spec's power
---   fills      the values with which such a tool fills in the message, for the same reason
---   staged     true: in a session with the staged tool set
---   calls      calls to be made before, { tool, args } each; "$1" in args is the handle that the
---              first of them gave
---   between    a shell command that is run in the root between these and the call itself
---   parts      id -> when: messages that are part of the same answer
local custom = require "custom"
local testing = require "croft.testing"

local catalogue = {}

--- In the order of the contract.
catalogue.parts = {
  "arguments", "paths", "reading", "searching", "writing", "editing", "gates", "ends",
  "staged",
}

catalogue.texts = dofile("lua/croft/texts.lua")
for group, own in pairs(dofile("lua/croft/texts_staged.lua")) do
  if catalogue.texts[group] then -- the others change sentences that are there
    for id, sentence in pairs(own) do
      catalogue.texts[group][id] = sentence
    end
  end
end

--- All rows, each with `file`, where it stands.
function catalogue.rows()
  local all = {}
  for _, part in ipairs(catalogue.parts) do
    local file = "spec/messages/" .. part .. ".lua"
    for _, row in ipairs(dofile(file)) do
      row.file = file
      row.staged = part == "staged" or nil
      all[#all + 1] = row
    end
  end
  return all
end

--- The sentence of a message, and the group that it belongs to.
function catalogue.sentence(id)
  for _, group in ipairs { "refusals", "remedies", "notices" } do
    if catalogue.texts[group][id] then
      return catalogue.texts[group][id], group
    end
  end
end

--- A pattern that fits what comes of a sentence; a refusal is the whole text or its beginning.
function catalogue.pattern(id)
  local sentence, group = catalogue.sentence(id)
  local pattern = sentence:gsub("[%^%$%(%)%%%.%[%]%*%+%-%?]", "%%%0")
    :gsub("{%l[^}|]*|[^}]*}", "%%d+ [^,;.]-"):gsub("{%l[^}]*}", ".-")
  return (group == "refusals" and "^" or "") .. pattern
end

--- A table as Lua text: what a custom tool's source can hold.
local function literal(value)
  if type(value) ~= "table" then
    return ("%q"):format(value)
  end
  local fields = {}
  for key, inner in pairs(value) do
    fields[#fields + 1] = ("[%q] = %s"):format(key, literal(inner))
  end
  return "{" .. table.concat(fields, ", ") .. "}"
end

--- The body of the tool of its own that `row` has; nil when it calls one of the five.
local function body_of(row)
  if row.raise then
    return ('require("croft.errors").raise(%q, %s)'):format(row.raise.code, literal(row.raise))
  elseif row.fills then
    return ('return require("croft.messages").text(%q, %s)'):format(row[1], literal(row.fills))
  end
  return row.body
end

local function source_of(row)
  return ([[return require("croft.tool").define {
    name = "try", title = "Try", description = "Tries.", access = %q, narrower = %s,
    input = { type = "object", properties = {} },
    run = function(args, ctx) %s end }]]):format(row.access or "read",
    row.narrower and ("%q"):format(row.narrower) or "nil", body_of(row))
end

local function in_root(session, commands)
  local pipe = assert(io.popen(("cd '%s' && %s"):format(session:root(), commands)))
  local said = pipe:read("a")
  pipe:close()
  return said
end

--- Runs `command` in the root while `action` runs.
local function beside(session, command, action)
  if not command then
    return action()
  end
  local pid = in_root(session, ("{ sh -c '%s' >&- & } && echo $!"):format(command))
  local result = action()
  os.execute("kill " .. pid)
  return result
end

--- `args` with the handles in the place of "$1" and so on.
local function with_handles(args, handles)
  local out = {}
  for name, value in pairs(args or {}) do
    local number = type(value) == "string" and value:match("^%$(%d+)$")
    out[name] = number and handles[tonumber(number)] or value
  end
  return out
end

--- Makes the calls that come before: the handles that they give.
local function make_calls(session, row)
  local handles = {}
  for i, call in ipairs(row.calls or {}) do
    local result = session:call(call[1], with_handles(call[2], handles))
    assert(not result.is_error, result.text)
    handles[i] = result.structured and result.structured.handle or ""
  end
  if row.between then
    in_root(session, row.between)
  end
  return handles
end

--- Makes the call of `row`: its result, and the path of the root that it must not tell.
function catalogue.show(row)
  local options = {
    files = row.files or { ["a.md"] = "one\ntwo\n" }, limits = row.limits,
    read_only = row.read_only, read_only_names = row.read_only_names,
    toolset = row.staged and "staged" or nil, write_root = row.write_root,
    gate = row.gate or row.staged and "allow" or nil,
  }
  local is_own = row.raise or row.fills or row.body
  local session = is_own and custom.session(source_of(row), options) or testing.session(options)
  if row.earlier then
    session:call(row.tool, row.earlier)
  end
  if row.prepare then
    in_root(session, row.prepare)
  end
  local handles = make_calls(session, row)
  local args = row.calls and with_handles(row.args, handles) or row.args or {}
  local result = beside(session, row.beside, function()
    return session:call(is_own and "try" or row.tool, args, row.answer)
  end)
  local root = session:root()
  session:close()
  return result, root
end

return catalogue
