-- SPDX-License-Identifier: MIT
--- search_files: lines that match, a line of JSON for each.
local bad_pattern = require "croft.bad_pattern"
local errors = require "croft.errors"
local messages = require "croft.messages"
local staged = require "croft.staged"
local text = require "croft.text"
local tool = require "croft.tool"

local DESCRIPTION = [[
Search the text files of the workspace for lines that match a regular expression. Each comes as a
line of JSON with its "path", "line" and "text".

- "pattern" is Perl-style (PCRE2): \b, \d, \s, (?i), look-around. Lines are matched one at a time.
  For text with ( [ . * or \ in it, add "literal": true.
- "limit" is needed: the most lines to show.
- "path" narrows to a directory or file, relative to the workspace root: "src", never "/src", "~" or
  ".."; "glob": "*.py" narrows to file names.
- Names that begin with "." are left out, unless "hidden" is true. Binary files and files over 4 MiB
  are skipped.
?artifact_grep - In one large or binary file {artifact_grep} searches, by the handle of {open_file}.
- Where nothing matches, or there is more, a first line {"note": ...} says so.
- ]] .. staged.TRUST

local function notices_of(found, args, ctx)
  local notices = staged.walk_notices(found, args, ctx)
  local which = messages.skipped(found, ctx.limits.grep_file_bytes)
  if which ~= "" then
    table.insert(notices, 1, messages.text("G12", { which = which }))
  end
  if found.stop == "time" then
    table.insert(notices, 1, messages.text("Z9", { spent = messages.spent(found, ctx.limits) }))
  elseif found.stop == "matches" then
    table.insert(notices, 1, messages.text("Z5", { k = found.matches }))
  elseif found.stop == "bytes" then
    local ceiling = messages.size(ctx.limits.result_bytes)
    table.insert(notices, 1, messages.text("Z8", { ceiling = ceiling }))
  elseif found.matches == 0 then
    table.insert(notices, 1, messages.text("Z4", {
      p = args.path, pattern = args.pattern, n = found.files_searched,
    }))
  end
  return notices
end

local function run(args, ctx)
  staged.read_scope(args, "grep")
  local regex = ctx.regex(args.pattern, { literal = args.literal, ignore_case = args.ignore_case })
  local found = ctx.fs:search(args.path, regex, staged.scoped(args, {
    output = "json", max = args.limit, bytes = ctx.limits.result_bytes - 4 * text.RESERVED,
  }))
  if found.expensive_file then
    errors.raise("bad_pattern", { text = bad_pattern.expensive(found) })
  end
  local lines = staged.notes(notices_of(found, args, ctx))
  if found.text ~= "" then
    lines[#lines + 1] = found.text
  end
  return table.concat(lines, "\n")
end

return tool.define {
  name = "search_files",
  title = "Search in files",
  description = DESCRIPTION,
  access = "read",
  effect = "search",
  explain = {
    bad_pattern = bad_pattern.explain,
    too_large = function(err, look)
      look.size = err.size
      return messages.text("P17", look)
    end,
  },
  samples = { pattern = "error", glob = "*.md", iglob = "*.md", limit = 100 },
  input = {
    type = "object",
    required = { "pattern", "limit" },
    properties = staged.with_scope {
      pattern = { type = "string", minLength = 1,
        description = "Regular expression, or plain text with literal." },
      limit = { type = "integer", minimum = 1, maximum = 100000,
        description = "Most matching lines to show." },
      path = { type = "string", minLength = 1,
        description = 'Directory or file, relative to the workspace root. Default: ".".' },
      glob = { type = "string", minLength = 1,
        description = 'Search only files that fit, such as "*.py" or "src/**/*.{c,h}".' },
      ignore_case = { type = "boolean",
        description = "Take upper and lower case for the same. Default: false." },
      literal = { type = "boolean",
        description = "Take pattern as plain text, not as an expression. Default: false." },
    },
  },
  run = run,
}
