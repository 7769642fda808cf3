-- SPDX-License-Identifier: MIT
--- grep: lines that match, below a directory or in one file.
local bad_pattern = require "croft.bad_pattern"
local errors = require "croft.errors"
local messages = require "croft.messages"
local text = require "croft.text"
local tool = require "croft.tool"

local DESCRIPTION = [[
Search the text files of the workspace for lines that match a regular expression, below a
directory or in one file. A match comes as "src/a.c:12|text", a line of context as
"src/a.c:11-text".

- "pattern" is Perl-style (PCRE2): \b, \d, \s, (?i), look-around. Lines are matched one at a
  time, so no match crosses a line end. To search for text with ( [ . * or \ in it, add
  "literal": true.
- "path" narrows to a directory or file, relative to the workspace root: "src", never "/src" and
  never "..". "glob": "*.py" narrows to file names, "exclude" leaves names out.
- "context": 3 also shows the lines around each match; often that saves a {read}.
- "output": "files" gives the names of files only, "count" how many lines match in each.
- At most 200 matching lines and 32 KiB are shown. Binary files and files over 4 MiB are
  skipped. The last line, in [ ], says what was cut or skipped: "no line matches" is said only
  of what was searched.]]

--- No hints after a search through more files than this: they cost a second search.
local HINT_FILES = 5000

local function search(args, ctx, regex, output)
  return ctx.fs:search(args.path, regex, {
    output = output,
    context = args.context or 0,
    max = ctx.limits.grep_matches,
    bytes = ctx.limits.result_bytes - text.RESERVED,
    glob = args.glob,
    exclude = args.exclude,
  })
end

local function refuse(code, id, values)
  errors.raise(code, { text = messages.text(id, values) })
end

--- A hint at the lines that match with `options`, nil where there are none: the text `all`, or
--- `some` where they were not all counted.
local function hint(all, some, args, ctx, options)
  local found = search(args, ctx, ctx.regex(args.pattern, options), "count")
  if found.matches == 0 then
    return nil
  end
  local is_whole = found.stop == "complete" and not found.expensive_file
  return messages.text(is_whole and all or some, { k = found.matches })
end

--- What would have matched: searches again, without regard to case and as plain text.
local function hints(found, args, ctx)
  local notices = {}
  if found.stop ~= "complete" or found.files_searched > HINT_FILES then
    return notices
  end
  if not args.ignore_case then
    local options = { literal = args.literal, ignore_case = true }
    notices[1] = hint("G15", "G15_least", args, ctx, options)
  end
  if not args.literal then
    notices[#notices + 1] = hint("G16", "G16_least", args, ctx, { literal = true })
  end
  return notices
end

--- Why there is no match below a directory: never "nothing found" where nothing was searched.
local function nothing_found(found, args, ctx)
  local which, count = messages.skipped(found, ctx.limits.grep_file_bytes)
  local values = {
    p = args.path, glob = args.glob, n = found.files_searched, k = count, which = which,
  }
  if found.files_searched == 0 and count > 0 then
    return messages.text("G7_none", values)
  elseif found.files_searched == 0 and found.files_seen > 0 and args.glob then
    return messages.text("G8", values)
  elseif found.files_searched == 0 then
    local hidden = found.excluded + found.unreadable_directories + found.deep + found.other_mounts
    return messages.text(hidden > 0 and "G9_rest" or "G9", values)
  end
  return messages.text(count > 0 and "G7" or "G5", values)
end

local function no_match(found, args, ctx)
  local notices = hints(found, args, ctx)
  local reason
  if found.is_file then
    reason = messages.text("G6", { p = args.path, n = found.lines_searched })
  else
    reason = nothing_found(found, args, ctx)
  end
  table.insert(notices, 1, reason)
  return notices
end

--- Which ceiling ended the search, as a notice; nil when none did.
local function stop_notice(found, args, ctx)
  local values = {
    m = found.matches, f = found.files_matched, n = found.files_searched,
    spent = messages.spent(found, ctx.limits), ceiling = messages.size(ctx.limits.result_bytes),
  }
  local overview = args.output == "files" or args.output == "count"
  if found.stop == "matches" then
    return messages.text(overview and "G10_files" or "G10", values)
  elseif found.stop == "bytes" then
    return messages.text(overview and "G11_files" or "G11", values)
  elseif found.stop == "time" then
    return messages.text("T2", values)
  end
end

--- How the first name is sent that is not shown as it is; nil where there is none.
local function spelling_notice(found)
  local shown, _, spelling = text.name(found.first_escaped)
  if spelling and #spelling <= text.RESERVED // 2 then
    return messages.text("G17", { shown = shown, p = spelling })
  end
end

local function some_matches(found, args, ctx)
  local notices = { stop_notice(found, args, ctx) }
  local which, count = messages.skipped(found, ctx.limits.grep_file_bytes)
  if count > 0 then
    notices[#notices + 1] = messages.text("G12", { which = which })
  end
  notices[#notices + 1] = spelling_notice(found)
  return notices
end

local function notices_of(found, args, ctx)
  local notices
  if found.matches == 0 and found.stop ~= "time" then
    notices = no_match(found, args, ctx)
  else
    notices = some_matches(found, args, ctx)
  end
  local walk = messages.walk(found, ctx.tool, args.path, ctx.limits.walk_depth)
  return table.move(walk, 1, #walk, #notices + 1, notices)
end

local function run(args, ctx)
  args.path = args.path or "."
  local options = { ignore_case = args.ignore_case, literal = args.literal }
  local found = search(args, ctx, ctx.regex(args.pattern, options), args.output or "lines")
  if found.expensive_file then
    errors.raise("bad_pattern", { text = bad_pattern.expensive(found, args) })
  elseif found.is_file and found.binary > 0 and found.files_searched == 0 then
    refuse("not_regular", "G14", { p = args.path, dir = text.dir(args.path) })
  end
  return found.text, messages.trailer(notices_of(found, args, ctx))
end

local function too_large(err, look)
  look.size, look.ceiling = err.size, messages.size(look.ctx.limits.grep_file_bytes)
  return messages.text("G13", look)
end

return tool.define {
  name = "grep",
  title = "Search in files",
  description = DESCRIPTION,
  access = "read",
  effect = "search",
  narrower = "T1_grep",
  samples = { pattern = "error", glob = "*.md", exclude = "node_modules" },
  explain = { bad_pattern = bad_pattern.explain, too_large = too_large },
  input = {
    type = "object",
    required = { "pattern" },
    properties = {
      pattern = {
        type = "string",
        minLength = 1,
        description = "Regular expression, or plain text with literal.",
      },
      path = {
        type = "string",
        minLength = 1,
        description = 'Directory or file, relative to the workspace root. Default: ".", all of it.',
      },
      glob = {
        type = "string",
        minLength = 1,
        description = 'Search only files that fit, such as "*.py" or "src/**/*.{c,h}".',
      },
      exclude = {
        type = "string",
        minLength = 1,
        description = 'Leave out what fits this glob, such as "node_modules" or "*.min.js".',
      },
      ignore_case = {
        type = "boolean",
        description = "Take upper and lower case for the same. Default: false.",
      },
      literal = {
        type = "boolean",
        description = "Take pattern as plain text, not as an expression. Default: false.",
      },
      context = {
        type = "integer",
        minimum = 0,
        maximum = 10,
        description = "Lines to show before and after each match. Default: 0.",
      },
      output = {
        type = "string",
        enum = { "lines", "files", "count" },
        description = "lines: the matching lines; files: names of files with a match; count: how "
          .. "many lines match in each file. Default: lines.",
      },
    },
  },
  run = run,
}
