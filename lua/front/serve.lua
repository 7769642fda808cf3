-- SPDX-License-Identifier: MIT
--- serve: an MCP server over stdin and stdout.
local core = require("front.core")
local fail = require("front.fail")
local instructions = require("front.instructions")
local jsonrpc = require("front.jsonrpc")
local mcp = require("front.mcp")
local open = require("front.open")
local wall = require("front.wall")

local LEVELS = { quiet = true, info = true, debug = true }

--- Sends the log where it is to go, before anything is said.
local function open_log(values)
  local level = values["log-level"] or "info"
  if not LEVELS[level] then
    fail.usage('--log-level is quiet, info or debug, not "%s"', level)
  end
  if values.log then
    local good, why = core.log_to(values.log)
    if not good then fail.usage("cannot log to %s: %s", core.quote(values.log), why) end
  end
  return level
end

--- The names of the tools as a set, and how many there are.
local function names_of(text)
  local names, count = {}, 0
  for tool in assert(core.parse(text)):each() do
    names[tool:pick("name"):text()] = true
    count = count + 1
  end
  return names, count
end

--- The names of the tools, or nil for croft's own, which need not be loaded to be known; and how
--- many there are.
local function offered(session, values)
  if values.tools or values.enable or values.toolset then return names_of(session:tools()) end
  return nil, instructions.TOOLS
end

--- The limit `calls`: how many tools run at once.
local function calls_at_once(given)
  if given and given.calls then return given.calls end
  for _, limit in ipairs(core.limits()) do
    if limit.name == "calls" then return limit.value end
  end
end

return function(values, operands)
  local level = open_log(values)
  local session, view, decider = open.session(operands[1], values)
  local names, count = offered(session, values)
  local service = mcp.new {
    start = core.start,
    plain = core.plain,
    cancel = core.cancel,
    answer = core.answer,
    asks = decider == "elicit",
    tools = function() return session:tools() end,
    handles = values.toolset == "staged" and function() return session:handles() end or nil,
    staged = values.toolset == "staged",
    write_root = values["write-root"],
    version = core.version(),
    prefix = values.prefix or "",
    read_only = values["read-only"],
    read_only_names = session:read_only_names(),
    names = names,
  }

  local recorder = open.recorder(session, view, values)
  local held = wall(values, function() return view:confine() end) -- before the first thread
  if level ~= "quiet" then
    core.note(("croft %s: serving %s with %d tools (%s, %s)"):format(core.version(),
      core.quote(operands[1]), count, view:resolver(), held))
  end
  for _, name in ipairs(level == "quiet" and {} or view:covered()) do
    core.note(("croft: what ROOT itself has as %s is covered by a mount"):format(core.quote(name)))
  end
  local status = core.serve(session, calls_at_once(values.limit), {
    line = function(text) return jsonrpc.answer(text, service) end,
    too_long = jsonrpc.too_long,
    finish = function() return service:finish() end,
    plain = service:plain(),
    verbose = level == "debug",
    recorder = recorder,
  })
  session:close()
  view:close()
  return status
end
