-- SPDX-License-Identifier: MIT
--- ctx: what a tool is given. Everything that it may do is in here, and made anew for each call, or
--- frozen: a tool leaves nothing in it for the next call. (Those of croft's own tools, which write
--- nothing there, are kept: see croft.call.)
local core = require "core.context"
local limits = require "core.limits"
local staging = require "core.staging"
local errors = require "croft.errors"
local functions = require "croft.host"
local messages = require "croft.messages"
local text = require "croft.text"
local values = require "croft.values"

local context = {}

--- The text of the tool's own message `id` with `given` filled in. Errors are said of the function
--- at `level`.
local function text_of(definition, id, given, level)
  local sentence = definition.messages and definition.messages[id]
  if not sentence then
    error(("the tool has no message %s"):format(tostring(id)), level + 1)
  end
  local ok, filled = pcall(messages.fill, sentence, given)
  return ok and filled or error(filled, level + 1)
end

--- The ctx of a call of `definition`, offered as `name`. `host` has fs_read, fs_write,
--- artifacts_read, artifacts_write, offers, regex, log.
function context.new(definition, name, host)
  return {
    fs = definition.access == "write" and host.fs_write or host.fs_read,
    artifacts = staging.toolset == "staged"
      and (definition.access == "write" and host.artifacts_write or host.artifacts_read) or nil,
    regex = host.regex,
    text = text,
    json = values,
    host = functions,
    limits = limits,
    tool = name,
    names = messages.tool,
    offers = host.offers,
    log = host.log,
    progress = core.progress,
    cancelled = core.cancelled,
    say = function(id, given)
      local said = text_of(definition, id, given, 2) -- no tail call, which leaves no frame
      return said
    end,
    refuse = function(code, id, given)
      errors.check(code, 2)
      errors.raise(code, { text = text_of(definition, id, given, 2) })
    end,
  }
end

return context
