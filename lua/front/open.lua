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

--- All that is wrong with the tools or the policy, a line each.
function open.problems(err)
  local list = err.problems or {}
  if #list < 2 then return list[1] or reason(err) end
  return ("there are %d faults:\n  %s"):format(#list, table.concat(list, "\n  "))
end

--- What --gate can be, with the gate and the decider that it stands for.
local GATES = {
  elicit = { "needs_input", "elicit" }, tty = { "tty", "tty" }, allow = { "allow", "allow" },
  deny = { "deny", "deny" }, policy = { "policy", "policy" },
}
local KINDS = "elicit (ask the client's user), tty (ask at the terminal), policy (the rules of "
  .. "--policy alone), allow or deny"

--- Who decides, as --gate has it; nil when it is not there.
local function gate_of(values)
  local kind = values.gate
  if kind and not GATES[kind] then fail.usage('--gate is %s, not "%s"', KINDS, kind) end
  if kind == "policy" and not values.policy then
    fail.usage("--gate policy needs the rules: --policy FILE")
  end
  return kind
end

--- Who decides, as the operator's policy has it; what is wrong with that is said with the session.
local function decider_of(view, values)
  if not values.policy then return nil end
  local session = view:session {
    tools = values.tools, enable = open.enabled(values), prefix = values.prefix,
    toolset = values.toolset, gate = "deny",
  }
  local policy = session and core.policy(values.policy, session)
  if session then session:close() end
  local kind = policy and policy:about().decider
  return GATES[kind] and kind or nil
end

--- NAME=PATH[:ro] of --mount
local function mount_of(text)
  local name, path = text:match("^([^=]+)=(.+)$")
  if not name then
    fail.usage('--mount needs NAME=PATH, such as lib=/srv/lib:ro, not "%s"', text)
  end
  local bare = path:match("^(.+):ro$")
  return { name = name, path = bare or path:match("^(.+):rw$") or path, read_only = bare ~= nil }
end

local function mounts_of(texts)
  local mounts = {}
  for index, text in ipairs(texts or {}) do mounts[index] = mount_of(text) end
  return mounts
end

local function view_options(values)
  return {
    read_only = values["read-only"],
    one_file_system = values["one-file-system"],
    no_fsync = values["no-fsync"],
    exclude = values.exclude,
    read_only_names = values["read-only-name"],
  }
end

--- What is wrong with a view: all of it, a line each.
local function view_faults(err)
  local list = err.problems or {}
  if #list < 2 then return list[1] or reason(err) end
  return ("it has %d faults:\n  %s"):format(#list, table.concat(list, "\n  "))
end

--- The configuration in the file `name`: JSON, or the table that a file of Lua returns.
local function configuration(name)
  local file, why = io.open(name, "rb")
  local text = file and file:read("a")
  if file then file:close() end
  if not text then fail.usage("cannot read the view %s", why or core.quote(name)) end
  if not name:find("%.lua$") then return text end
  local chunk, fault = load(text, "@" .. name, "t", {})
  local good, value = pcall(chunk or function() error(fault, 0) end)
  if not good then fail.usage("the view does not run: %s", tostring(value)) end
  if type(value) ~= "table" then
    fail.usage("the view %s must return a table", core.quote(name))
  end
  return value
end

--- The view of the FILE of --view.
local function configured(values)
  if values.mount or values.hide then
    fail.usage("--%s does not go with --view: the FILE has it", values.mount and "mount" or "hide")
  end
  local config = configuration(values.view)
  local good, template, err = pcall(core.template, config)
  if not good then fail.usage("the view %s: %s", core.quote(values.view), template) end
  local view
  if template then view, err = template:view(values.tenant, view_options(values)) end
  if template then template:close() end
  if not view then
    fail.usage("cannot open the view %s: %s", core.quote(values.view), view_faults(err))
  end
  return view
end

--- Raises a failure of status 2 when ROOT cannot be had.
function open.view(root, values)
  if values.view then return configured(values) end
  if values.tenant then fail.usage("--tenant needs --view") end
  local given = view_options(values)
  given.mounts, given.hide = mounts_of(values.mount), values.hide
  local view, err = core.open(root, given)
  if not view then fail.usage("cannot open %s: %s", core.quote(root), view_faults(err)) end
  return view
end

--- {seconds = 60} of --run-limit seconds=60
local function run_limits(texts)
  local known = { seconds = true, output = true, processes = true, memory = true }
  local limits = {}
  for _, text in ipairs(texts or {}) do
    local name, value = text:match("^(%l+)=(.+)$")
    if not known[name] then
      fail.usage('--run-limit needs seconds, output, processes or memory=VALUE, not "%s"', text)
    end
    local number = require("front.limits").bytes(value)
    if not number or number < 1 then fail.usage('"%s" is no value for --run-limit', value) end
    limits[name] = number
  end
  return limits
end

--- What starts commands where the tool `run` is enabled; before the wall, and before any thread.
local function runner_for(view, values)
  local wanted = false
  for _, name in ipairs(open.enabled(values) or {}) do wanted = wanted or name == "run" end
  if not wanted then
    if values["run-limit"] then fail.usage("--run-limit goes with --enable run") end
    return nil
  end
  if values.policy then
    fail.usage("run cannot be enabled with --policy, whose rules do not hold what commands do")
  end
  local runner, why = core.runner(view, run_limits(values["run-limit"]))
  if not runner then fail.usage("run cannot be enabled: %s", why) end
  return runner
end

--- A session, its view, and who decides about calls, or nil. Raises a failure of status 2 when ROOT
--- or a tool cannot be had.
function open.session(root, values)
  local kind = gate_of(values)
  local view = open.view(root, values)
  kind = kind or decider_of(view, values)
  local gate = GATES[kind] or {}
  local session, err = view:session {
    runner = runner_for(view, values),
    tools = values.tools,
    enable = open.enabled(values),
    prefix = values.prefix,
    toolset = values.toolset,
    write_root = values["write-root"],
    trust_tier = values["trust-tier"],
    limits = values.limit,
    log = values["log-level"] ~= "quiet" and "stderr" or nil,
    audit = values.audit,
    trace = values.trace,
    gate = gate[1],
    decider = gate[2],
    policies = values.policy,
  }
  if not session and err.code == "gate_unavailable" then
    fail.usage("%s: add --gate %s", reason(err), KINDS)
  elseif not session then
    fail.usage("%s", open.problems(err))
  end
  return session, view, kind
end

--- What a recording says of a session, as recording.create takes it. Raises a failure where one
--- would not say enough to make its calls again.
function open.recorded(session, values)
  for _, name in ipairs { "mount", "hide", "view" } do
    if values[name] then
      fail.usage("--%s does not go with a recording, which is of one directory", name)
    end
  end
  if values.toolset == "staged" then
    fail.usage("--toolset staged does not go with a recording: its calls go by handles, which "
      .. "another session makes anew")
  end
  return {
    tools = session:tools(),
    options = {
      prefix = values.prefix,
      read_only = values["read-only"],
      one_file_system = values["one-file-system"],
      exclude = values.exclude,
      enable = open.enabled(values),
      limits = values.limit,
    },
    redact = values.redact,
  }
end

--- The recorder that --record asks for, or nil. To be called before the wall is up.
function open.recorder(session, view, values)
  if not values.record then
    for _, name in ipairs { "redact", "record-bytes" } do
      if values[name] then fail.usage("--%s goes with --record FILE", name) end
    end
    return nil
  end
  local about = open.recorded(session, values)
  if values["record-bytes"] then
    about.most_bytes = require("front.limits").bytes(values["record-bytes"])
    if not about.most_bytes then
      fail.usage('"%s" is no size; write for example 64KiB', values["record-bytes"])
    end
  end
  local recorder, why = require("front.recording").create(view, values.record, about)
  if not recorder then
    fail.usage("the recording %s cannot be used: %s", core.quote(values.record), why)
  end
  return recorder
end

return open
