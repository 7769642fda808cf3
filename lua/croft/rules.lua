-- SPDX-License-Identifier: MIT
--- What is wrong with the definition of a tool: all of it, so that it can be put right at once.
local codes = require "core.codes"
local core = require "core.text"
local schema = require "croft.schema"
local schema_rules = require "croft.schema_rules"
local template = require "croft.template"
local text_rules = require "croft.text_rules"
local wording = require "croft.wording"

local rules = {}

local FIELDS = {
  name = "string", title = "string", description = "string", access = "string",
  idempotent = "boolean", annotations = "table", input = "table", run = "function",
  examples = "table", samples = "table", messages = "table", refusals = "table",
  explain = "table", narrower = "string", paths = "table", effect = "string",
}

local NEEDED = { "name", "description", "access", "input", "run" }

--- Longest name, in bytes: what the strictest clients take.
local NAME_BYTES = 64

local HINTS = {
  readOnlyHint = true, destructiveHint = true, idempotentHint = true, openWorldHint = true,
}

--- What an example may have, and the type of it; `after` and `files` hold texts by their paths.
local EXAMPLE = {
  args = "table", files = "table", expect = "string", contains = "string", error = "string",
  after = "table",
}

local function add(found, text, ...)
  found[#found + 1] = select("#", ...) > 0 and text:format(...) or text
end

local function is_name_byte(byte)
  return byte >= 0x30 and byte <= 0x39 or byte >= 0x41 and byte <= 0x5A
    or byte >= 0x61 and byte <= 0x7A or byte == 0x5F or byte == 0x2D
end

local checks = {}

function checks.name(name, found)
  if name == "" or #name > NAME_BYTES then
    add(found, "name must have 1 to %d bytes, not %d", NAME_BYTES, #name)
  end
  for i = 1, #name do
    if not is_name_byte(name:byte(i)) then
      add(found, "name %q may hold letters, digits, _ and - only", name)
      return
    end
  end
end

function checks.access(access, found)
  if access ~= "read" and access ~= "write" then
    add(found, 'access must be "read" or "write", not %q', access)
  end
end

function checks.effect(effect, found)
  if effect ~= "read" and effect ~= "search" then
    add(found, 'effect must be "read" or "search", not %q', effect)
  end
end

function checks.description(description, found)
  local fault = text_rules.fault(description, text_rules.DESCRIPTION)
  if fault then
    add(found, "description%s", fault)
  end
end

function checks.title(title, found)
  local fault = text_rules.fault(title, text_rules.TITLE, true)
  if fault then
    add(found, "title%s", fault)
  end
end

function checks.annotations(annotations, found)
  for _, hint in ipairs(schema.sorted_keys(annotations)) do
    if not HINTS[hint] then
      add(found, "annotations.%s is not a hint", tostring(hint))
    elseif type(annotations[hint]) ~= "boolean" then
      add(found, "annotations.%s must be a boolean", hint)
    end
  end
end

function checks.input(input, found)
  schema_rules.check(input, found)
end

function checks.messages(messages, found)
  for _, id in ipairs(schema.sorted_keys(messages)) do
    local sentence, where = messages[id], "messages." .. tostring(id)
    if type(id) ~= "string" or type(sentence) ~= "string" then
      add(found, where .. " must be a text under a name")
    else
      local ok, problem = pcall(template.names, sentence)
      if not ok then
        add(found, where .. ": " .. tostring(problem))
      end
    end
  end
end

--- The texts of an example that say what is to come of it.
local function check_expected(example, where, found)
  if type(example.error) == "string" and not codes[example.error] then
    add(found, "%s.error: %s is no code that a tool may raise", where, core.quote(example.error))
  elseif example.contains == "" then
    add(found, "%s.contains is empty: nothing is looked at", where)
  end
  if type(example.args) == "table" and rawlen(example.args) > 0 then
    add(found, "%s.args must have the arguments by their names, and is a list", where)
  end
  local after = type(example.after) == "table" and example.after or {}
  for _, path in ipairs(schema.sorted_keys(after)) do
    local what = type(after[path])
    if type(path) ~= "string" or what ~= "string" and what ~= "boolean" then
      add(found, "%s.after: %s must be a text, true or false under a path", where,
        core.quote(tostring(path)))
    end
  end
end

local function check_example(example, where, found)
  for _, field in ipairs(schema.sorted_keys(example)) do
    local wanted, got = EXAMPLE[field], type(example[field])
    if not wanted then
      add(found, "%s.%s is not a field of an example", where, tostring(field))
    elseif wanted ~= got then
      add(found, "%s.%s must be a %s, not a %s", where, field, wanted, got)
    end
  end
  check_expected(example, where, found)
  if example.expect == nil and example.contains == nil and example.error == nil then
    add(found, where .. " has neither expect, contains nor error: nothing is looked at")
  end
end

function checks.examples(examples, found)
  local count = rawlen(examples)
  for _, key in ipairs(schema.sorted_keys(examples)) do
    if math.type(key) ~= "integer" or key < 1 or key > count then
      add(found, "examples.%s: examples is a list of { args =, files =, expect = }; a value for an "
        .. "argument belongs in samples", tostring(key))
    elseif type(examples[key]) ~= "table" then
      add(found, "examples[%d] must be a table, not a %s", key, type(examples[key]))
    else
      check_example(examples[key], ("examples[%d]"):format(key), found)
    end
  end
end

local function check_fields(definition, found)
  for _, field in ipairs(NEEDED) do
    if definition[field] == nil then
      add(found, field .. " is missing")
    end
  end
  for _, field in ipairs(schema.sorted_keys(definition)) do
    local wanted, got = FIELDS[field], type(definition[field])
    if not wanted then
      add(found, "%s is not a field of a tool", tostring(field))
    elseif got ~= wanted then
      add(found, "%s must be a %s, not a %s", field, wanted, got)
    elseif checks[field] then
      checks[field](definition[field], found)
    end
  end
end

function checks.explain(explain, found)
  for _, code in ipairs(schema.sorted_keys(explain)) do
    if not codes[code] then
      add(found, "explain.%s: there is no such code of an error", tostring(code))
    elseif type(explain[code]) ~= "function" then
      add(found, "explain.%s must be a function, not a %s", code, type(explain[code]))
    end
  end
end

function checks.narrower(narrower, found)
  if not wording.original(narrower) then
    add(found, "narrower: there is no message %s", core.quote(narrower))
  end
end

--- Whether `value` is of the type of `node`.
local function is_sample(value, node)
  local kind = type(value)
  if kind == "table" then
    return schema.has_type(node, "object") or schema.has_type(node, "array")
  elseif kind == "number" then
    return schema.has_type(node, "number")
      or math.type(value) == "integer" and schema.has_type(node, "integer")
  end
  return schema.has_type(node, kind)
end

--- Whether every argument for which there is a sample exists, and takes it.
local function check_samples(definition, input, found)
  for _, name in ipairs(schema.sorted_keys(definition.samples)) do
    local node = input[name]
    if not node then
      add(found, "samples.%s: there is no such argument", tostring(name))
    elseif type(node) == "table" and not is_sample(definition.samples[name], node) then
      add(found, "samples.%s must be of the type that input gives it, not a %s", name,
        type(definition.samples[name]))
    end
  end
end

--- Whether what is said of an argument that does not fit is a message.
local function check_refusals(definition, input, found)
  for _, name in ipairs(schema.sorted_keys(definition.refusals)) do
    local reasons = definition.refusals[name]
    local top = type(name) == "string" and name:match("^[^.%[]*") -- of "patch.find"
    if not input[name] and not input[top] then
      add(found, "refusals.%s: there is no such argument", tostring(name))
    elseif type(reasons) ~= "table" then
      add(found, "refusals.%s must be a table of messages by reasons, not a %s", name,
        type(reasons))
    else
      for _, reason in ipairs(schema.sorted_keys(reasons)) do
        if not wording.original(reasons[reason]) then
          add(found, "refusals.%s.%s: there is no such message", name, tostring(reason))
        end
      end
    end
  end
end

--- Whether every argument that is said to name a path is a text.
local function check_paths(definition, input, found)
  for _, key in ipairs(schema.sorted_keys(definition.paths)) do
    local name = definition.paths[key]
    local property = type(name) == "string" and input[name]
    if math.type(key) ~= "integer" or type(property) ~= "table" or property.type ~= "string" then
      add(found, "paths.%s: it must be the name of an argument that is a string", tostring(key))
    end
  end
end

local OF_ARGUMENTS = {
  samples = check_samples, refusals = check_refusals, paths = check_paths,
}

--- What is said of single arguments.
local function check_arguments(definition, found)
  local input = type(definition.input) == "table" and definition.input.properties
  if type(input) ~= "table" then
    return
  end
  for _, field in ipairs { "samples", "refusals", "paths" } do
    if type(definition[field]) == "table" then
      OF_ARGUMENTS[field](definition, input, found)
    end
  end
end

--- A client may ask nobody before it calls a tool that says that it only reads.
local function check_hints(definition, found)
  local hints = definition.annotations
  if type(hints) == "table" and definition.access == "write" and hints.readOnlyHint == true then
    add(found, 'annotations.readOnlyHint must not be true where access is "write"')
  end
end

--- What is wrong with `definition`: a list of sentences, which is empty when nothing is.
function rules.problems(definition)
  if type(definition) ~= "table" then
    return { "tool.define takes a table, not a " .. type(definition) }
  end
  local found = {}
  check_fields(definition, found)
  check_arguments(definition, found)
  check_hints(definition, found)
  return found
end

return rules
