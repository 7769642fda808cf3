-- SPDX-License-Identifier: MIT
--- A host in plain Lua 5.4: opens a directory in which reference/ cannot be changed, gives tools a
--- function of its own, loads a tool that uses it, says itself which calls may run, makes calls,
--- and prints what a model would read.
---
---   lua5.4 embed.lua DIRECTORY TOOLS
local croft = require("croft")

local usage = "usage: embed.lua DIRECTORY TOOLS"
local directory, tools = assert(arg[1], usage), assert(arg[2], usage)

local people = { ada = { full_name = "Ada Lovelace", team = "engines" } }
local asked = 0

--- Tools see it as ctx.host.person(name).
local function person(name)
  asked = asked + 1
  return people[name] or error({ code = "missing", message = "Nobody here has that name." })
end

--- Asked before each call: everybody may read, and write in notes/.
local function decide(request)
  if request.effect == "write" and not request.paths[1]:find("^notes/") then
    return { decision = "deny", note = "New files belong in notes/." }
  end
  return { decision = "allow" }
end

assert(croft.lend_signal(37)) -- a tool's time limit holds within one instruction of Lua, too
local view <close> = assert(croft.open(directory, { read_only_names = { "reference" } }))
local session <close> = assert(view:session({
  tools = { tools },
  functions = { person = { description = "name -> {full_name, team}", run = person } },
  gate = decide,
  limits = { time = 2000 },
}))

local function call(tool, arguments, code)
  local result = session:call(tool, arguments)
  print(tool .. "\n" .. result.text .. "\n")
  assert(result.code == code, result.code)
end

call("list", {}, "")
call("mentions", { path = "plan.md" }, "")
call("mentions", { path = "../plan.md" }, "outside")
call("write", { path = "b.md", content = "" }, "denied")
call("write", { path = "notes/b.md", content = "" }, "")

local used = session:usage()
print(("%d calls; the costliest took %d of %d steps"):format(used.calls_ended, used.steps.most,
  used.steps.limit))
print(("%d interpreters, of at most %d KiB"):format(used.interpreters_made, used.heap.most // 1024))
print(("the host was asked %d times"):format(asked))
