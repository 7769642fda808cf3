-- SPDX-License-Identifier: MIT
--- Sessions with tools whose source stands in the spec.
local testing = require "croft.testing"

local custom = {}

--- A session like testing.session's with the tool whose Lua `source` is given.
function custom.session(source, options)
  options = options or {}
  local path = os.tmpname()
  local file = assert(io.open(path .. ".lua", "w"))
  assert(file:write(source))
  assert(file:close())
  options.tools = { path .. ".lua" }
  local ok, session = pcall(testing.session, options)
  os.remove(path)
  os.remove(path .. ".lua")
  return ok and session or error(session, 0)
end

--- The source of a tool `name` with `input` and `body`, the body of run(args, ctx), as Lua texts.
function custom.tool(name, input, body)
  return ([[
local tool = require "croft.tool"
return tool.define {
  name = %q, title = "A tool", description = "Does what the spec says.", access = "read",
  input = %s,
  run = function(args, ctx)
    %s
  end,
}
]]):format(name, input, body)
end

return custom
