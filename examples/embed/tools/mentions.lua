-- SPDX-License-Identifier: MIT
--- mentions: who is meant by each @name in a file. The host knows people, by ctx.host.person(name).
local errors = require("croft.errors")
local tool = require("croft.tool")

--- What the host says about `name`; an error of its own is no error of this tool.
local function describe(name, ctx)
  local known, person = pcall(ctx.host.person, name)
  if known then
    return ("%s of %s"):format(person.full_name, person.team)
  elseif errors.is(person) and person.code == "missing" then
    return "nobody we know"
  end
  error(person, 0)
end

local function run(args, ctx)
  local file = ctx.fs:open(args.path)
  local regex = ctx.regex("(?<=@)[a-z]+", {})
  local out, number = {}, 0
  for line in file:lines() do
    number = number + 1
    local start, stop = regex:find(line, 1)
    while start do
      local name = line:sub(start, stop)
      out[#out + 1] = ("%d|@%s is %s"):format(number, name, describe(name, ctx))
      start, stop = regex:find(line, stop + 1)
    end
  end
  return #out > 0 and table.concat(out, "\n") or "Nobody is mentioned in " .. file.path .. "."
end

return tool.define({
  name = "mentions",
  title = "Mentions",
  description = "List who is mentioned in a text file as @name, with full name and team.",
  access = "read",
  input = {
    type = "object",
    required = { "path" },
    properties = {
      path = { type = "string", description = "The file, relative to the workspace root." },
    },
  },
  run = run,
})
