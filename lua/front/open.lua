-- SPDX-License-Identifier: MIT
--- open: a view and a session from the options of a command line.
local core = require("front.core")
local fail = require("front.fail")

local open = {}

--- What the library says.
local function reason(err) return err.message ~= "" and err.message or err.code end

--- The names in the values of --enable, which may have commas between them; nil without any.
function open.enabled(values)
  if not values.enable then return nil end
  local names = {}
  for _, value in ipairs(values.enable) do
    for name in value:gmatch("[^,]+") do names[#names + 1] = name end
  end
  return names
end

--- All that is wrong with the tools, a line each.
local function problems(err)
  local list = err.problems or {}
  if #list < 2 then return list[1] or reason(err) end
  return ("the tools have %d faults:\n  %s"):format(#list, table.concat(list, "\n  "))
end

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
    enable = open.enabled(values),
    prefix = values.prefix,
    limits = values.limit,
    log = values["log-level"] ~= "quiet" and "stderr" or nil,
    audit = values.audit,
    trace = values.trace,
  }
  if not session then fail.usage("%s", problems(err)) end
  return session, view
end

return open
