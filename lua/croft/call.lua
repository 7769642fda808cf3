-- SPDX-License-Identifier: MIT
--- The door between the core and the tools: loads them, and makes one call of one of them.
--- Everything that a model is told about a call leaves through here.
local core = require "core.text"
local fault = require "core.fault"
local limits = require "core.limits"
local staging = require "core.staging"
local view = require "core.view"
local arguments = require "croft.arguments"
local check = require "croft.check"
local context = require "croft.context"
local errors = require "croft.errors"
local explain = require "croft.explain"
local json = require "croft.json"
local messages = require "croft.messages"
local paths = require "croft.paths"
local registry = require "croft.registry"

local call = {}

--- What every call needs, without the way through the frozen tables of modules.
local fit, are_fit, repair, trace = json.fit, core.fit, core.repair, fault.trace

--- Raises what the tool set refuses of paths before the core does.
local check_spelling = staging.toolset == "staged" and require "croft.staged".path
  or function() end

call.gates = registry.gates

--- Loads the tools in the modules `names`, and what the files of tool sets say. `files` are the
--- files of the modules, as errors call them. Returns what is wrong, a line each, or "", and
--- whether it keeps a session from being opened that leaves out what is broken.
--
-- `known` is the second result of call.list in another interpreter of the session: then each tool
-- is loaded when it is called.
function call.load(names, prefix, files, known)
  local problems, is_fatal = registry.load(names, prefix or "", files, known)
  return table.concat(problems, "\n"), is_fatal
end

call.list = registry.list

--- What croft.check has to say of the tools, as JSON.
function call.report()
  return check.report()
end

local function unknown_tool(name)
  local names = registry.names()
  local last = table.remove(names)
  local list = #names > 0 and table.concat(names, ", ") .. " and " .. last or last or "none"
  return messages.text("A8", { name = name, names = list })
end

--- The code and the text of the refusal of arguments that are no JSON object; nil when they
--- are one.
local function malformed(args_json)
  if json.check(args_json) and json.is_object(args_json) then
    return nil
  elseif json.is_too_deep(args_json) then
    return "bad_argument", messages.text("A11", { n = json.DEPTH })
  end
  return "bad_json", messages.text("A9")
end

--- `body` as valid UTF-8 of at most limits.result_bytes. What is too long ends on a whole line and
--- says that it was cut.
local function within_limit(body)
  body = repair(body)
  if #body <= limits.result_bytes then
    return body
  end
  local notice = "\n" .. messages.trailer { messages.text("T17", { n = limits.result_bytes }) }
  local kept = core.cut(body, limits.result_bytes - #notice)
  for at = #kept, 1, -1 do
    if kept:byte(at) == 10 then
      return kept:sub(1, at - 1) .. notice
    end
  end
  return kept .. notice
end

--- The text and the structured content (JSON or nil) of what a tool returned; and, where it is one
--- of croft's own that returned it too, the line behind the text: the core puts them together,
--- outside of Lua's heap.
local function result_of(value, line)
  if line and value ~= "" and are_fit(value, line, limits.result_bytes) then
    return value, nil, line
  elseif type(line) == "string" and type(value) == "string" then
    value = messages.with_trailer(value, line)
  end
  if type(value) == "string" then
    return within_limit(value)
  elseif type(value) ~= "table" then
    error("the tool returned a " .. type(value) .. ", not a text or a table", 0)
  end
  local structured, body = value, nil
  if type(value.text) == "string" and type(value.structured) == "table" then
    structured, body = value.structured, value.text
  end
  local encoded = json.encode(structured)
  return within_limit(body or encoded), encoded
end

--- Reads the arguments. `state.args` is what an explanation of a failure may use.
local function read_arguments(definition, args_json, ctx, state)
  local lone = json.lone_surrogate(args_json)
  if lone then
    arguments.refuse_surrogate(definition, ctx.tool, lone)
  end
  state.args = arguments.read(definition, ctx.tool, json.value(args_json))
end

--- Reads the arguments, where that was not done, and runs the tool.
local function run(definition, args_json, ctx, state, are_read)
  if not are_read then
    read_arguments(definition, args_json, ctx, state)
  end
  if definition.is_own then
    return result_of(definition.run(state.args, ctx))
  end
  return result_of((definition.run(state.args, ctx)))
end

--- The code and the text of the structured error `err`. Its code is looked at once: the table is
--- the tool's, which may have changed it.
local function told(err, definition, args, ctx)
  local code = err.code
  if code ~= "internal" then -- a primitive may be out of memory, a function of the host have failed
    errors.check(code, 0)
  end
  local sentence = explain.sentence(err, definition, args, ctx)
  if type(sentence) ~= "string" then
    error("the text of an error must be a string, not a " .. type(sentence), 0)
  end
  return code, within_limit(sentence)
end

--- The code and the text for what a tool raised, as fault.trace gives it.
local function failure(err, definition, args, ctx)
  if errors.is(err) then
    local ok, code, sentence = xpcall(told, trace, err, definition, args, ctx)
    if ok then
      return code, sentence
    end
    err = code
  end
  fault.log(ctx.tool, err)
  return "internal", messages.text("T4", { tool = ctx.tool })
end

--- Raises what is wrong with the arguments before anything is looked at.
local function check_arguments(definition, args_json, ctx, state)
  read_arguments(definition, args_json, ctx, state)
  for _, name in ipairs(paths.named(definition)) do
    if type(state.args[name]) == "string" then
      check_spelling(state.args[name])
      view.check_path(state.args[name])
    end
  end
end

local function perform(definition, args_json, ctx)
  local fitting = fit(args_json, definition.input)
  if not fitting then
    local code, refusal = malformed(args_json)
    if code then
      return true, code, refusal
    end
  end
  local state = { args = fitting or {} }
  local ok, body, structured, line =
    xpcall(run, trace, definition, args_json, ctx, state, fitting ~= nil)
  if ok then
    return false, "", body, structured, line
  end
  return true, failure(body, definition, state.args, ctx)
end

local function find(name)
  local definition = registry.find(name)
  return definition and registry.fresh(definition)
end

--- croft's own tools that were called, by the names under which they are offered: the definition
--- and the ctx of each, in which they leave nothing.
local kept = {}

--- The ctx of a call of `definition`, offered as `name`, with what call.call was given.
local function context_of(definition, name, fs_read, fs_write, regex, log, artifacts_read,
  artifacts_write)
  local ctx = context.new(definition, name, {
    fs_read = fs_read, fs_write = fs_write, regex = regex, log = log,
    artifacts_read = artifacts_read, artifacts_write = artifacts_write, offers = registry.offers,
  })
  if definition.is_own then
    kept[name] = { definition = definition, ctx = ctx }
  end
  return ctx
end

--- Calls the tool `name` with the JSON text `args_json`. `fs_read` and `fs_write` are the two faces
--- of the file system, `artifacts_read` and `artifacts_write` of what the session holds, `regex`
--- makes expressions, `log` takes a line.
--
-- @return whether it is an error, the code of the error ("" when done), the text, structured
-- content as JSON or nil, and a line that stands behind the text or nil
function call.call(name, args_json, fs_read, fs_write, regex, log, artifacts_read, artifacts_write)
  local own = kept[name]
  if own then
    return perform(own.definition, args_json, own.ctx)
  end
  local ok, definition = xpcall(find, trace, name)
  if not ok then
    fault.log(name, definition)
    return true, "internal", messages.text("T4", { tool = name })
  elseif not definition then
    return true, "unknown_tool", unknown_tool(name)
  end
  local ctx = context_of(definition, name, fs_read, fs_write, regex, log, artifacts_read,
    artifacts_write)
  return perform(definition, args_json, ctx)
end

--- Stands in for the file system where nothing may be looked at: there is nothing.
local NOTHING = setmetatable({}, {
  __index = function()
    return function() errors.raise("missing") end
  end,
})

--- What stands against a call as far as its arguments tell: as call.call has it, or false.
function call.check(name, args_json, log)
  local ok, definition = pcall(registry.find, name)
  local code, refusal = malformed(args_json)
  if not ok or not definition or code then
    return not ok or not definition or code ~= nil, code or "internal",
      refusal or messages.text("T4", { tool = name })
  end
  local host = { fs_read = NOTHING, fs_write = NOTHING, log = log }
  local ctx = context.new(definition, name, host)
  local state = { args = {} }
  local done, err = xpcall(check_arguments, trace, definition, args_json, ctx, state)
  if done then
    return false
  end
  return true, failure(err, definition, state.args, ctx)
end

--- The message that says how to ask the tool for less. No operator's tool is loaded for that: its
--- file may be what was stopped.
local function narrower_of(name)
  return registry.narrower(name) or "T1_any"
end

local function stopped_text(name, kind, wrote)
  if kind == "time" then
    local narrower = narrower_of(name)
    return messages.text("T1", {
      tool = name, t = messages.seconds(limits.time), remedy = messages.text(narrower),
    })
  end
  return messages.text(kind == "steps" and "T3_steps" or "T3_heap", {
    tool = name, n = limits.steps, ceiling = messages.size(limits.heap),
    outcome = messages.text(wrote and "T3_dirty" or "T3_clean"),
  })
end

--- What to answer for a call of `name` that a ceiling ended: `kind` is "time", "steps" or "memory";
--- or, with "record", that the host could not keep a record of. `wrote` says whether it had changed
--- something before. Returns what call.call does.
function call.stopped(name, kind, wrote)
  if kind == "record" then
    local outcome = messages.text(wrote and "T3_dirty" or "T3_clean")
    return true, "denied", messages.text("T18", { tool = name, outcome = outcome })
  end
  return true, "stopped", stopped_text(name, kind, wrote)
end

--- What a gate refuses with: the code, and the message without and with a note.
local REFUSALS = {
  rule = { "denied", "V_rule", "V_rule_note" },
  default = { "denied", "V_default" },
  nobody = { "denied", "V_nobody" },
  declined = { "denied", "V_declined", "V_declined_note" },
  timeout = { "gate_unavailable", "V_timeout" },
  error = { "gate_unavailable", "V_error" },
  no_decider = { "gate_unavailable", "V_no_decider" },
  cancelled = { "gate_unavailable", "V_cancelled" },
  too_many = { "gate_unavailable", "V_too_many" },
  answer = { "gate_unavailable", "V_answer" },
  needs_input = { "gate_unavailable", "V_needs_input" },
}

--- What to answer for a call of `name` that a gate refused. `kind` is "rule" or "default" of a
--- policy, "nobody" where somebody would have to be asked, "declined"; "timeout", "error",
--- "no_decider", "cancelled", "too_many" or "answer" where there is no verdict; "needs_input" where
--- there will be one; or "record", as for call.stopped. `path` is the one that it is about, or nil;
--- `note` what the rule or the one who decided says, or "". Returns what call.call does.
function call.refused(name, kind, path, note)
  if kind == "record" then
    return call.stopped(name, "record", false)
  end
  local code, plain, noted = table.unpack(REFUSALS[kind])
  local of = path and messages.text("V_of", { p = path }) or ""
  local id = note ~= "" and noted or plain
  return true, code, within_limit(messages.text(id, { tool = name, of = of, note = note }))
end

return call
