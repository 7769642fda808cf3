-- SPDX-License-Identifier: MIT
--- What `croft check` says of the tools of an operator beyond what would keep them from loading:
--- what would mislead a model, and the calls that they give as examples.
local core = require "core.text"
local json = require "croft.json"
local messages = require "croft.messages"
local registry = require "croft.registry"
local replacements = require "croft.replacements"
local schema = require "croft.schema"
local texts = require "croft.texts"
local wording = require "croft.wording"

local check = {}

--- Longest refusal, and longest description with the names of tools in it, in bytes.
local REFUSAL_BYTES, DESCRIPTION_BYTES = 350, 2048

--- Names of messages that a finding shows.
local SHOWN = 3

local BUILT_IN = { "edit", "grep", "list", "read", "write" }

--- The files of tool sets are called so.
local OWN = "user."

local function is_own(definition)
  return definition.module:sub(1, #OWN) == OWN
end

--- The word of `sentence` from `at` on.
local function word_at(sentence, at)
  return sentence:match("^[%w_%-]+", at)
end

--- The first tool that `sentence` says to call and that is not there.
local function unknown_tool(sentence, tools)
  for _, verb in ipairs { "call ", "Call " } do
    local at = core.find(sentence, verb, 1)
    while at do
      local word = word_at(sentence, at + #verb)
      local follows = word and sentence:sub(at + #verb + #word, at + #verb + #word)
      if word and not tools[word] and word ~= "it" and follows ~= "" then
        local with = sentence:match("^ with[out]* \"", at + #verb + #word)
        if with then
          return word
        end
      end
      at = core.find(sentence, verb, at + #verb)
    end
  end
end

--- Whether a refusal names an argument or a tool, so that a next call can be made of it.
local function names_something(sentence, known, tools)
  if core.find(sentence, "{tool}", 1) then
    return true
  end
  for _, name in ipairs(BUILT_IN) do
    if core.find(sentence, "{" .. name .. "}", 1) then
      return true
    end
  end
  for name in pairs(known) do
    if core.find(sentence, '"' .. name .. '"', 1) then
      return true
    end
  end
  for verb, word in sentence:gmatch("([%a]+) ([%w_%-]+)") do
    if tools[word] and (verb:lower() == "call" or verb:lower() == "use") then
      return true
    end
  end
  return false
end

local function sentence_problem(sentence, known, tools)
  local argument = replacements.unknown_argument(sentence, known)
  if argument then
    return ("no tool has an argument %q"):format(argument)
  end
  local name = unknown_tool(sentence, tools)
  return name and ("there is no tool %q"):format(name)
end

local function refusal_problem(sentence, known, tools)
  if not core.is_utf8(sentence) or sentence:find("%c") then
    return "it must be one line of UTF-8"
  elseif #sentence > REFUSAL_BYTES then
    return ("it has %d bytes, over %d"):format(#sentence, REFUSAL_BYTES)
  end
  local problem = sentence_problem(sentence, known, tools)
  if problem then
    return problem
  elseif not names_something(sentence, known, tools) then
    return "it names neither an argument nor a tool: a model cannot tell what to send instead"
  end
end

--- A gatherer of findings about one tool.
local function finder(definition, findings)
  return function(is_fault, where, text)
    findings[#findings + 1] = {
      file = definition.file, place = definition.place, tool = definition.name, fault = is_fault,
      text = where and where .. ": " .. text or text,
    }
  end
end

--- What stands in braces where a tool of croft's own could, and stays as it is.
local function check_slots(shown, where, add)
  for name in shown:gmatch("{([%l_]+)}") do
    add(false, where, ("{%s} is none of croft's own tools here, and stays as it is"):format(name))
  end
end

local function check_description(definition, known, tools, add)
  local shown = messages.with_names(definition.description)
  if #shown > DESCRIPTION_BYTES then
    add(true, "description", ("it has %d bytes with the names of tools, over %d")
      :format(#shown, DESCRIPTION_BYTES))
  end
  local problem = sentence_problem(shown, known, tools)
  if problem then
    add(true, "description", problem)
  end
  check_slots(shown, "description", add)
end

--- The same of the descriptions of the arguments in `properties`, at any depth.
local function check_properties(properties, where, known, tools, add)
  for _, name in ipairs(schema.sorted_keys(properties)) do
    local node, inner = properties[name], where .. "." .. name
    local shown = messages.with_names(node.description or "")
    local problem = sentence_problem(shown, known, tools)
    if problem then
      add(true, inner .. ".description", problem)
    end
    check_slots(shown, inner .. ".description", add)
    check_properties(node.properties or {}, inner .. ".properties", known, tools, add)
    check_properties({ items = node.items }, inner, known, tools, add)
  end
end

local function check_file(path, what, where, add)
  local is_link = type(what) == "table" and type(what.link) == "string"
  if type(path) ~= "string" or type(what) ~= "string" and what ~= true and not is_link then
    add(true, where, "files has texts, true or { link = target } by their paths")
  elseif type(what) == "string" and not core.is_utf8(what) then
    add(true, where, ("the file %s must be UTF-8"):format(core.quote(path)))
  else
    return true
  end
end

--- An example as it is run, or nil when it cannot be.
local function example_of(definition, name, number, example, add)
  local where = ("examples[%d]"):format(number)
  for path, what in pairs(example.files or {}) do
    if not check_file(path, what, where, add) then
      return nil
    end
  end
  local ok, args = pcall(json.encode, example.args or {})
  if not ok then
    add(true, where, "args: " .. tostring(args))
    return nil
  end
  return {
    tool = name, own_name = definition.name, file = definition.file, place = definition.place,
    where = where, args = args,
    files = example.files or {}, expect = example.expect, contains = example.contains,
    error = example.error, after = example.after or {},
  }
end

local function check_tool(definition, name, known, tools, report)
  local add = finder(definition, report.findings)
  check_description(definition, known, tools, add)
  check_properties(definition.input.properties, "input.properties", known, tools, add)
  for _, id in ipairs(schema.sorted_keys(definition.messages or {})) do
    local problem = refusal_problem(definition.messages[id], known, tools)
    if problem then
      add(true, "messages." .. id, problem)
    end
  end
  for number, example in ipairs(definition.examples or {}) do
    local shown = example_of(definition, name, number, example, add)
    report.examples[#report.examples + 1] = shown
  end
  if #(definition.examples or {}) == 0 then
    add(false, nil, "has no examples: nothing of it was run")
  end
end

--- The numbers of the messages that name the built-in tool `name`, sorted.
local function messages_that_name(name)
  local found = {}
  for _, group in ipairs { "refusals", "notices", "remedies" } do
    for id in pairs(texts[group]) do
      if core.find(wording.sentence(id), "{" .. name .. "}", 1) then
        found[#found + 1] = id
      end
    end
  end
  table.sort(found)
  return found
end

--- A hidden tool that messages still send a model to.
local function check_hidden(tools, findings)
  for _, name in ipairs(BUILT_IN) do
    local place = not tools[wording.tool(name)] and registry.hidden(name)
    local ids = place and messages_that_name(name) or {}
    if #ids > 0 then
      local shown = table.concat(ids, ", ", 1, math.min(SHOWN, #ids))
      findings[#findings + 1] = {
        file = place .. ":", place = place .. ": ", tool = "", fault = false,
        text = ("hides %s, which %s still name: %s%s; a messages.lua can replace them"):format(name,
          messages.count(#ids, "message"), shown, #ids > SHOWN and ", ..." or ""),
      }
    end
  end
end

--- Everything as JSON: `tools` that are the operator's own, `findings` about them, and `examples`
--- to be run.
function check.report()
  local tools, known = registry.all(), registry.arguments()
  local report = { tools = json.array {}, findings = json.array {}, examples = json.array {} }
  for _, name in ipairs(registry.names()) do
    local definition = tools[name]
    if is_own(definition) then
      report.tools[#report.tools + 1] = {
        name = definition.name, file = definition.file, access = definition.access,
        examples = #(definition.examples or {}),
      }
      check_tool(definition, name, known, tools, report)
    end
  end
  check_hidden(tools, report.findings)
  report.arguments = json.array(schema.sorted_keys(known))
  report.names = json.array(registry.names())
  return json.encode(report)
end

return check
