-- SPDX-License-Identifier: MIT
--- The sentences of this session: those of croft.texts, some of them replaced by a tool set, and
--- the names under which croft's own tools are offered. Set while the tools are loaded, read after.
--- Tools cannot require this module.
local staging = require "core.staging"
local core = require "core.text"
local texts = require "croft.texts"

local wording = {}

local is_staged = staging.toolset == "staged"

--- The sentences of the staged tool set; nil in a session that has another.
local staged = is_staged and require "croft.texts_staged" or nil

--- What sentences call the tools -> the names under which they are offered. The staged set has
--- others in the place of the five.
local names = is_staged and {
  list = "list_directory", read = "artifact_read", grep = "artifact_grep", write = "save_media",
  edit = "apply_patch", open_file = "open_file", open_json_file = "open_json_file",
  open_markdown_file = "open_markdown_file", stage_file = "stage_file", save_media = "save_media",
  list_directory = "list_directory", search_files = "search_files", find_files = "find_files",
  artifact_read = "artifact_read", artifact_grep = "artifact_grep",
  artifact_json = "artifact_json", artifact_outline = "artifact_outline",
  apply_patch = "apply_patch", media_list = "media_list",
} or { list = "list", read = "read", grep = "grep", write = "write", edit = "edit" }

--- Number of a message -> its text in this session: one that replaces its own, or was asked for.
local sentences = {}

--- Offers each of the tools with `prefix` before its name.
function wording.use_prefix(prefix)
  for slot, name in pairs(names) do
    names[slot] = prefix .. name
  end
end

--- The advertised name of one of the tools, or nil.
function wording.tool(name)
  return names[name]
end

--- All names by which sentences call the tools, as keys.
function wording.tools()
  return names
end

--- A sentence of croft.texts as the staged set says it.
local function swapped(sentence)
  for _, swap in ipairs(sentence and staged.swaps or {}) do
    sentence = table.concat(core.split(sentence, swap[1]), swap[2])
  end
  return sentence
end

--- The sentence of message `id` as it came with croft, or nil.
function wording.original(id)
  local sentence = texts.refusals[id] or texts.notices[id] or texts.remedies[id]
  if staged then
    return staged.refusals[id] or staged.notices[id] or staged.instead[id] or swapped(sentence)
  end
  return sentence
end

--- The sentence of message `id`, or nil.
function wording.sentence(id)
  local sentence = sentences[id]
  if not sentence then
    sentence = wording.original(id)
    if sentence then
      sentences[id] = sentence
    end
  end
  return sentence
end

--- Puts `sentence` in the place of message `id`, for this session.
function wording.replace(id, sentence)
  sentences[id] = sentence
end

return wording
