-- SPDX-License-Identifier: MIT
--- find_files: files whose names fit, a line of JSON for each.
local errors = require "croft.errors"
local messages = require "croft.messages"
local staged = require "croft.staged"
local text = require "croft.text"
local tool = require "croft.tool"

local DESCRIPTION = [[
Find the files of the workspace whose paths fit a glob. Each comes as a line of JSON with its
"path".

- "glob": "*.md" fits names in any directory; with "/" it fits paths: "src/**/*.c". "iglob" does not
  tell upper and lower case apart. One of them is needed.
- "limit" is needed: the most files to show.
- "path" narrows to a directory, relative to the workspace root: "src", never "/src", "~" or "..".
- Names that begin with "." are left out, unless "hidden" is true.
- Where no file fits, or there are more, a first line {"note": ...} says so.
- ]] .. staged.TRUST

local function check(args, ctx)
  staged.read_scope(args, "list")
  args.shown_glob = args.glob or args.iglob
  if not args.shown_glob then
    errors.raise("bad_argument", { text = messages.text("A1", {
      tool = ctx.tool, arg = "glob", remedy = messages.text("A_add", {
        arg = "glob", example = '"*.md"',
      }),
    }) })
  end
end

--- The lines of the files that are found; whether there are more, and of which kind; how many files
--- were looked at.
local function gather(args, ctx)
  local walk = ctx.fs:walk(args.path, staged.scoped(args, {}))
  local bytes, lines, stop = ctx.limits.result_bytes - 4 * text.RESERVED, {}, nil
  for entry in walk do
    if entry.type == "file" then
      local line = ('{"path":%s%s}'):format(staged.quoted(entry.path))
      bytes = bytes - #line - 1
      stop = #lines == args.limit and "Z5" or bytes < 0 and "Z8" or nil
      if stop then
        break
      end
      lines[#lines + 1] = line
    end
  end
  local notes = walk:notes()
  walk:close()
  return lines, stop, notes
end

local function notices_of(shown, stop, found, args, ctx)
  local notices = staged.walk_notices(found, args, ctx)
  if found.stopped then
    table.insert(notices, 1, messages.text("Z9", { spent = messages.spent(found, ctx.limits) }))
  elseif stop then
    local ceiling = messages.size(ctx.limits.result_bytes)
    table.insert(notices, 1, messages.text(stop, { k = shown, ceiling = ceiling }))
  elseif shown == 0 then
    table.insert(notices, 1, messages.text("Z6", { p = args.path, glob = args.shown_glob }))
  end
  return notices
end

local function run(args, ctx)
  check(args, ctx)
  local lines, stop, found = gather(args, ctx)
  local notes = staged.notes(notices_of(#lines, stop, found, args, ctx))
  table.move(lines, 1, #lines, #notes + 1, notes)
  return table.concat(notes, "\n")
end

return tool.define {
  name = "find_files",
  title = "Find files",
  description = DESCRIPTION,
  access = "read",
  effect = "search",
  samples = { glob = "**/*.md", iglob = "*.md", limit = 100 },
  input = {
    type = "object",
    required = { "limit" },
    properties = staged.with_scope {
      glob = { type = "string", minLength = 1,
        description = 'Files to show, such as "*.md", "**/*.{c,h}" or "src/**".' },
      limit = { type = "integer", minimum = 1, maximum = 100000,
        description = "Most files to show." },
      path = { type = "string", minLength = 1,
        description = 'Directory, relative to the workspace root. Default: ".".' },
    },
  },
  run = run,
}
