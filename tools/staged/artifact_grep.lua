-- SPDX-License-Identifier: MIT
--- artifact_grep: lines that match in what is held by a handle.
local bad_pattern = require "croft.bad_pattern"
local errors = require "croft.errors"
local messages = require "croft.messages"
local staged = require "croft.staged"
local text = require "croft.text"
local tool = require "croft.tool"

local DESCRIPTION = [[
Find the lines of an opened file, or of a staged medium, that match a regular expression. Each comes
as "12|text", with its number.

- "handle" is what {open_file} and the like gave, or a "media_id". There is no limit on the size of
  the file: it is read in pieces.
- "pattern" is Perl-style (PCRE2): \b, \d, \s, (?i), look-around. Lines are matched one at a time.
  For text with ( [ . * or \ in it, add "literal": true.
- At most "max_results" lines are shown, 200 if left out. The last line, in [ ], says whether that
  is all, and which "offset" goes on.
?artifact_read - {artifact_read} with "offset" shows what is around a line.
- ]] .. staged.TRUST

local function trailer(found, info, ctx)
  local notes = staged.change(found, info)
  if found.long_lines > 0 then
    notes = notes .. messages.text("C5", { k = found.long_lines })
  end
  local values = {
    m = found.matches, n = found.lines, p = info.path, notes = notes, next = found.next,
    spent = messages.spent(found, ctx.limits),
  }
  if found.next then
    return messages.text(found.short and "C4" or "C3", values)
  end
  return messages.text(found.matches == 0 and "C1" or "C2", values)
end

local function run(args, ctx)
  local info = ctx.artifacts:info(args.handle)
  local regex = ctx.regex(args.pattern, { literal = args.literal, ignore_case = args.ignore_case })
  local found = ctx.artifacts:search(args.handle, regex, {
    first = args.offset or 1,
    max = math.min(args.max_results or ctx.limits.grep_matches, ctx.limits.grep_matches),
    bytes = ctx.limits.result_bytes - text.RESERVED,
  })
  if found.too_expensive then
    errors.raise("bad_pattern", { text = messages.text("G2", {
      file = info.path, i = found.next, others = "",
    }) })
  elseif found.past_end then
    local page = ctx.artifacts:page(args.handle, { first = -1, limit = 1 })
    errors.raise("bad_argument", { text = messages.text("R4", {
      p = info.path, n = page.total, offset = args.offset,
    }) })
  end
  return messages.join(found.text, { trailer(found, info, ctx) })
end

return tool.define {
  name = "artifact_grep",
  title = "Search in a handle",
  description = DESCRIPTION,
  access = "read",
  effect = "search",
  explain = { bad_pattern = bad_pattern.explain },
  samples = { pattern = "error", max_results = 20, offset = 1 },
  input = {
    type = "object",
    required = { "handle", "pattern" },
    properties = {
      handle = { type = "string", minLength = 1,
        description = "The handle of an opened file, or a media_id." },
      pattern = { type = "string", minLength = 1,
        description = "Regular expression, or plain text with literal." },
      max_results = { type = "integer", minimum = 1,
        description = "Most lines to show. Default, and at most: 200." },
      offset = { type = "integer", minimum = 1,
        description = "Line at which to begin, counted from 1. Default: 1." },
      ignore_case = { type = "boolean",
        description = "Take upper and lower case for the same. Default: false." },
      literal = { type = "boolean",
        description = "Take pattern as plain text, not as an expression. Default: false." },
    },
  },
  run = run,
}
