-- SPDX-License-Identifier: MIT
--- tally: counts the words of a file. It has two faults; README.md finds them, and a third that is
--- in the workspace.
local tool = require("croft.tool")

local function next_word(text, from)
  return text:find("%a*", from)
end

local function words_of(text)
  local words, from = {}, 1
  while from <= #text do
    local first, last = next_word(text, from)
    words[#words + 1] = text:sub(first, last):lower()
    from = last + 1
  end
  return words
end

local function tally(words, least)
  local counts = {}
  for _, word in ipairs(words) do
    counts[word] = (counts[word] or 0) + 1
  end
  local lines = {}
  for word, count in tool.sorted_pairs(counts) do
    if count >= least then
      lines[#lines + 1] = ("%s: %d"):format(word, count)
    end
  end
  return lines
end

local function run(args, ctx)
  local words = words_of(ctx.fs:read(args.path))
  local lines = tally(args.least or 1, words)
  return table.concat(lines, "\n")
end

return tool.define {
  name = "tally",
  title = "Tally",
  description = 'Count how often each word stands in the file "path".',
  access = "read",
  input = {
    type = "object",
    required = { "path" },
    properties = {
      path = { type = "string", description = "File, relative to the workspace root." },
      least = {
        type = "integer", minimum = 1,
        description = "Leave out words that are there less often. Default: 1.",
      },
    },
  },
  run = run,
}
