-- SPDX-License-Identifier: MIT
--- serve: an MCP server over stdin and stdout.
local core = require("front.core")
local jsonrpc = require("front.jsonrpc")
local mcp = require("front.mcp")
local open = require("front.open")
local wall = require("front.wall")

local function count_tools(text)
  local count = 0
  for _ in assert(core.parse(text)):each() do count = count + 1 end
  return count
end

--- The limit `calls`: how many tools run at once.
local function calls_at_once(given)
  if given and given.calls then return given.calls end
  for _, limit in ipairs(core.limits()) do
    if limit.name == "calls" then return limit.value end
  end
end

return function(values, operands)
  local session, view = open.session(operands[1], values)
  local tools = session:tools()
  local service = mcp.new {
    start = core.start,
    cancel = core.cancel,
    tools = tools,
    version = core.version(),
    prefix = values.prefix or "",
    read_only = values["read-only"],
    read_only_names = view:read_only_names(),
  }

  local held = wall(view, values) -- before the first thread is started
  core.note(("croft %s: serving %s with %d tools (%s, %s)"):format(core.version(),
    core.quote(operands[1]), count_tools(tools), view:resolver(), held))
  local status = core.serve(session, calls_at_once(values.limit), {
    line = function(text) return jsonrpc.answer(text, service) end,
    too_long = jsonrpc.too_long,
    finish = function() return service:finish() end,
  })
  session:close()
  view:close()
  return status
end
