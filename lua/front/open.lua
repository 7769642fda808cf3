-- SPDX-License-Identifier: MIT
--- open: a view and a session from the options of a command line.
local core = require("front.core")
local fail = require("front.fail")

local open = {}

--- What the library says.
local function reason(err) return err.message ~= "" and err.message or err.code end

--- Raises a failure of status 2 when ROOT or a tool cannot be had.
function open.session(root, values)
  local view, err = core.open(root, {
    read_only = values["read-only"],
    one_file_system = values["one-file-system"],
    no_fsync = values["no-fsync"],
    exclude = values.exclude,
  })
  if not view then fail.usage("cannot open %s: %s", core.quote(root), reason(err)) end

  local session
  session, err = view:session {
    tools = values.tools,
    prefix = values.prefix,
    limits = values.limit,
    log = values["log-level"] ~= "quiet" and "stderr" or nil,
    audit = values.audit,
    trace = values.trace,
  }
  if not session then fail.usage("%s", reason(err)) end
  return session, view
end

return open
