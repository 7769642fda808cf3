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

local DEPTH = 20

local function refuse(id, values)
  errors.raise("bad_argument", { text = messages.text(id, values) })
end

local function check(args, ctx)
  if args.follow then
    refuse("F1")
  elseif args.glob and args.iglob then
    refuse("F2")
  elseif not args.glob and not args.iglob then
    refuse("A1", {
      tool = ctx.tool, arg = "glob", remedy = messages.text("A_add", {
        arg = "glob", example = '"*.md"',
      }),
    })
  end
  args.path, args.max_depth = staged.path(args.path, "list"), args.max_depth or DEPTH
  args.shown_glob = args.glob or args.iglob
end

--- The lines of the files that are found; whether there are more, and of which kind; how many files
--- were looked at.
local function gather(args, ctx)
  local walk = ctx.fs:walk(args.path, {
    depth = args.max_depth + 1,
    glob = args.iglob and staged.without_case(args.iglob) or args.glob,
    exclude = not args.hidden and ".*" or nil,
  })
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
  if found.stopped then
    table.insert(notices, 1, messages.text("Z9", { t = messages.seconds(ctx.limits.time) }))
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
    properties = {
      glob = { type = "string", minLength = 1,
        description = 'Files to show, such as "*.md", "**/*.{c,h}" or "src/**".' },
      iglob = { type = "string", minLength = 1,
        description = "As glob, with upper and lower case taken for the same." },
      limit = { type = "integer", minimum = 1, maximum = 100000,
        description = "Most files to show." },
      path = { type = "string", minLength = 1,
        description = 'Directory, relative to the workspace root. Default: ".".' },
      max_depth = { type = "integer", minimum = 0, maximum = 1000,
        description = "Levels of directories to enter: 0 is the directory alone. Default: 20." },
      hidden = { type = "boolean",
        description = 'Show names that begin with "." too. Default: false.' },
      no_ignore = { type = "boolean",
        description = "Files such as .gitignore leave nothing out here, so this changes nothing." },
      follow = { type = "boolean", description = "Can only be false: links are not followed." },
    },
  },
  run = run,
}
