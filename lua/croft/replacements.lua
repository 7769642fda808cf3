-- SPDX-License-Identifier: MIT
--- The messages.lua of a tool set: single messages in other words. It is checked when the tools are
--- loaded: a text that leaves out what the original says, or names what does not exist, would
--- mislead a model much later.
local core = require "core.text"
local loading = require "core.loading"
local definitions = require "croft.definitions"
local faults = require "croft.faults"
local schema = require "croft.schema"
local template = require "croft.template"
local wording = require "croft.wording"

local replacements = {}

local QUOTE = '"'

--- Whether the module `name` is no tool but the messages of a tool set.
function replacements.is(name)
  return name:match("^user%.%d+%.messages$") ~= nil
end

local function is_word(piece)
  for at = 1, #piece do
    local byte = piece:byte(at)
    if not (byte >= 0x61 and byte <= 0x7A or byte == 0x5F) then
      return false
    end
  end
  return piece ~= ""
end

--- The first argument that `sentence` names, as `"name":`, and that is not in `known`.
function replacements.unknown_argument(sentence, known)
  local pieces = core.split(sentence, QUOTE)
  for i, piece in ipairs(pieces) do
    local after = pieces[i + 1]
    if i > 1 and after and after:sub(1, 1) == ":" and is_word(piece) and not known[piece] then
      return piece
    end
  end
end

--- Why the names in `sentence` are not those of `original`; nil when they are.
local function names_problem(sentence, original)
  local names, wanted = template.names(sentence), template.names(original)
  for _, name in ipairs(schema.sorted_keys(wanted)) do
    if not names[name] then
      return ("it leaves out {%s}"):format(name)
    end
  end
  for _, name in ipairs(schema.sorted_keys(names)) do
    if not wanted[name] and not wording.tool(name) then
      return ("there is no {%s} in it to fill in"):format(name)
    end
  end
end

--- A key that may be anything, as one line.
local function shown(id)
  local is_plain = type(id) == "number" or type(id) == "string" and not id:find("%c")
  return is_plain and tostring(id) or core.quote(tostring(id))
end

local function has_control(sentence)
  for at = 1, #sentence do
    if sentence:byte(at) < 0x20 then
      return true
    end
  end
  return false
end

--- What is wrong with `sentence` in the place of message `id`; nil when nothing is.
local function problem_of(id, sentence, known)
  local original = wording.original(id)
  if not original then
    return "there is no such message"
  elseif type(sentence) ~= "string" then
    return "the text must be a string, not a " .. type(sentence)
  elseif not core.is_utf8(sentence) or has_control(sentence) then
    return "the text must be one line of UTF-8"
  end
  local _, problem = pcall(names_problem, sentence, original) -- an error is a { not closed
  local argument = not problem and replacements.unknown_argument(sentence, known)
  return argument and ("no tool has an argument %q"):format(argument) or problem
end

--- Checks what a messages.lua returned, or a manifest has as its messages, and puts what is good in
--- place. `known` is the set of the names of all arguments, `field` what of the file of `module` it
--- is: "" or "messages: ". Returns a list of what is wrong.
function replacements.use(returned, known, module, field)
  if definitions.of(returned) then
    return { faults.of_tool(returned, "messages.lua", "texts by the numbers of messages") }
  elseif type(returned) ~= "table" then
    return { ("%s: %sit must return a table of texts by the numbers of messages, not a %s"):format(
      loading.place_of(module), field, type(returned)) }
  end
  local problems = {}
  for _, id in ipairs(schema.sorted_keys(returned)) do
    local problem = problem_of(id, returned[id], known)
    if problem then
      problems[#problems + 1] = ("%s: %s%s: %s"):format(loading.place_of(module, tostring(id)),
        field, shown(id), problem)
    else
      wording.replace(id, returned[id])
    end
  end
  return problems
end

return replacements
