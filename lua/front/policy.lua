-- SPDX-License-Identifier: MIT
--- policy: looks through a policy, or says what it says of one call.
local core = require("front.core")
local fail = require("front.fail")
local open = require("front.open")
local words = require("front.words")

--- Exit statuses of explain.
local STATUS = { allow = fail.DONE, ask = fail.STOPPED, deny = fail.TOOL }

--- A session with the tools of --tools and --toolset, over an empty directory, for `action`; or nil
--- for it.
local function with_tools(values, action)
  if not values.tools and not values.enable and not values.toolset then return action(nil) end
  local root = assert(core.scratch())
  local done, result = pcall(function()
    local session, view = open.session(root, {
      tools = values.tools, enable = values.enable, toolset = values.toolset, gate = "deny",
    })
    local found = action(session)
    session:close()
    view:close()
    return found
  end)
  core.scratch_drop(root)
  if not done then error(result, 0) end
  return result
end

--- All files, the operator's first.
local function files_of(values, first)
  return table.move(values.policy or {}, 1, #(values.policy or {}), 2, { first })
end

local function check(write, policy, err, file)
  if policy then
    local rules = policy:about().rules
    write(("%s: %d %s, nothing is wrong\n"):format(file, rules, rules == 1 and "rule" or "rules"))
    return fail.DONE
  end
  local problems = err.problems
  write((#problems > 0 and table.concat(problems, "\n") or err.message) .. "\n")
  return fail.TOOL
end

--- `  policy.lua:7   deny   **/.env   credentials   (decides)`
local function rule_line(rule)
  local file, line, decision, glob, like, why, decides = rule:pick("file", "line", "decision",
    "glob", "regex_like", "why", "decides")
  local parts = { ("  %s:%s  %s"):format(file:text(), line:raw(), decision:text()) }
  if glob:text() ~= "" then parts[#parts + 1] = core.quote(glob:text()) end
  if like then parts[#parts + 1] = "when an argument is like " .. core.quote(like:text()) end
  if why:text() ~= "" then parts[#parts + 1] = why:text() end
  return table.concat(parts, "  ") .. (decides:type() == "true" and "  <- decides\n" or "\n")
end

local function show(explained)
  local verdict, tool, default, paths = explained:pick("verdict", "tool", "default", "paths")
  local lines = { ("%s: %s\n"):format(tool:text(), verdict:text()) }
  for entry in paths:each() do
    local path, said, by, rules = entry:pick("path", "verdict", "by", "rules")
    lines[#lines + 1] = ("%s: %s%s\n"):format(path and core.quote(path:text()) or "no path",
      said:text(), by:text() == "default" and ", by the default (" .. default:text() .. ")" or "")
    for rule in rules:each() do lines[#lines + 1] = rule_line(rule) end
  end
  return table.concat(lines), STATUS[verdict:text()]
end

local function explain(write, policy, err, values, operands)
  local tool = operands[3]
  if not tool then fail.usage("policy explain needs a tool: croft policy explain FILE TOOL ...") end
  if not policy then fail.usage("the policy cannot be used: %s", err.message) end
  local text
  text, err = policy:explain(tool, words.arguments(operands, 4))
  if not text then fail.usage("%s: %s", core.quote(tool), err.message) end
  local shown, status = show(assert(core.parse(text)))
  write(values.json and text .. "\n" or shown)
  return status
end

return function(write, values, operands)
  local what = operands[1]
  if what ~= "check" and what ~= "explain" then
    fail.usage('policy takes check or explain, not "%s"', what)
  elseif what == "check" and operands[3] then
    fail.usage('policy check does not know what to do with "%s"', operands[3])
  end
  return with_tools(values, function(session)
    local policy, err = core.policy(files_of(values, operands[2]), session)
    if what == "check" then return check(write, policy, err, operands[2]) end
    return explain(write, policy, err, values, operands)
  end)
end
