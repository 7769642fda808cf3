-- SPDX-License-Identifier: MIT
--- The sentences of this session: those of croft.texts, some of them replaced by a tool set, and
--- the names under which the five tools are offered. Set while the tools are loaded, read after.
--- Tools cannot require this module.
local texts = require "croft.texts"

local wording = {}

local names = { list = "list", read = "read", grep = "grep", write = "write", edit = "edit" }

--- Number of a message -> the text that replaces its own.
local replaced = {}

--- Offers each of the five tools with `prefix` before its name.
function wording.use_prefix(prefix)
  for name in pairs(names) do
    names[name] = prefix .. name
  end
end

--- The advertised name of one of the five tools, or nil.
function wording.tool(name)
  return names[name]
end

--- The sentence of message `id` as it came with croft, or nil.
function wording.original(id)
  return texts.refusals[id] or texts.notices[id] or texts.remedies[id]
end

--- The sentence of message `id`, or nil.
function wording.sentence(id)
  return replaced[id] or wording.original(id)
end

--- Puts `sentence` in the place of message `id`, for this session.
function wording.replace(id, sentence)
  replaced[id] = sentence
end

return wording
