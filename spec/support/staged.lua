-- SPDX-License-Identifier: MIT
--- Sessions with the staged tool set, for specs.
local testing = require "croft.testing"

local staged = {}

--- As testing.session with the staged tool set, and with a gate that allows everything unless the
--- options have another.
function staged.session(options)
  options.toolset = "staged"
  options.gate = options.gate or "allow"
  return testing.session(options)
end

--- The result of a call that must be done.
function staged.done(session, tool, args)
  local result = session:call(tool, args)
  assert(not result.is_error, tool .. ": " .. result.text)
  return result
end

--- The handle that such a call gives.
function staged.handle(session, tool, args)
  return staged.done(session, tool, args).structured.handle
end

--- Runs shell commands in the root of the session.
function staged.shell(session, commands)
  local pipe = assert(io.popen(("cd '%s' && { %s\n}"):format(session:root(), commands)))
  local said = pipe:read("a")
  assert(pipe:close(), commands)
  return said
end

--- What stands in a file of the root; nil where there is none.
function staged.content(session, path)
  local file = io.open(session:root() .. "/" .. path, "rb")
  local text = file and file:read("a")
  if file then
    file:close()
  end
  return text
end

return staged
