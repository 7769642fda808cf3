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

local DEPTH = 20

local function refuse(code, id, values)
  errors.raise(code, { text = messages.text(id, values) })
end

local function skipped(found, ctx)
  local parts = {}
  if found.binary > 0 then
    parts[#parts + 1] = messages.text("G12_binary", { k = found.binary })
  end
  if found.large > 0 then
    parts[#parts + 1] = messages.text("G12_large", {
      k = found.large, name = messages.shown(found.first_large or ""),
      ceiling = messages.size(ctx.limits.grep_file_bytes),
    })
  end
  if found.unreadable > 0 then
    parts[#parts + 1] = messages.text("G12_unreadable", { k = found.unreadable })
  end
  return table.concat(parts, ", ")
end

--- What of the walk is told; what was left out for `hidden` is told in one clause.
local function walk_notices(found, args, ctx)
  local hidden = found.excluded > 0 and not args.hidden
  if hidden then
    found.excluded = 0
  end
  local notices = messages.walk(found, ctx.tool, args.path, ctx.limits.walk_depth)
  if found.at_depth > 0 then
    notices[#notices + 1] = messages.text("Z2", { k = found.at_depth, d = args.max_depth })
  end
  if hidden then
    notices[#notices + 1] = messages.text("Z7")
  end
  return notices
end

local function notices_of(found, args, ctx)
  local notices = walk_notices(found, args, ctx)
  local which = skipped(found, ctx)
  if which ~= "" then
    table.insert(notices, 1, messages.text("G12", { which = which }))
  end
  if found.stop == "time" then
    table.insert(notices, 1, messages.text("Z9", { t = messages.seconds(ctx.limits.time) }))
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

local function check(args)
  if args.follow then
    refuse("bad_argument", "F1")
  elseif args.glob and args.iglob then
    refuse("bad_argument", "F2")
  end
  args.path, args.max_depth = staged.path(args.path, "grep"), args.max_depth or DEPTH
end

local function run(args, ctx)
  check(args)
  local regex = ctx.regex(args.pattern, { literal = args.literal, ignore_case = args.ignore_case })
  local found = ctx.fs:search(args.path, regex, {
    output = "json", depth = args.max_depth + 1, max = args.limit,
    bytes = ctx.limits.result_bytes - 4 * text.RESERVED,
    glob = args.iglob and staged.without_case(args.iglob) or args.glob,
    exclude = not args.hidden and ".*" or nil,
  })
  if found.expensive_file then
    refuse("bad_pattern", "G2", {
      file = messages.shown(found.expensive_file), i = found.expensive_line,
    })
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
  samples = { pattern = "TODO", glob = "*.md", iglob = "*.md", limit = 100 },
  input = {
    type = "object",
    required = { "pattern", "limit" },
    properties = {
      pattern = { type = "string", minLength = 1,
        description = "Regular expression, or plain text with literal." },
      limit = { type = "integer", minimum = 1, maximum = 100000,
        description = "Most matching lines to show." },
      path = { type = "string", minLength = 1,
        description = 'Directory or file, relative to the workspace root. Default: ".".' },
      max_depth = { type = "integer", minimum = 0, maximum = 1000,
        description = "Levels of directories to enter: 0 is the directory alone. Default: 20." },
      glob = { type = "string", minLength = 1,
        description = 'Search only files that fit, such as "*.py" or "src/**/*.{c,h}".' },
      iglob = { type = "string", minLength = 1,
        description = "As glob, with upper and lower case taken for the same." },
      ignore_case = { type = "boolean",
        description = "Take upper and lower case for the same. Default: false." },
      literal = { type = "boolean",
        description = "Take pattern as plain text, not as an expression. Default: false." },
      hidden = { type = "boolean",
        description = 'Search names that begin with "." too. Default: false.' },
      no_ignore = { type = "boolean",
        description = "Files such as .gitignore leave nothing out here, so this changes nothing." },
      follow = { type = "boolean", description = "Can only be false: links are not followed." },
    },
  },
  run = run,
}
