-- SPDX-License-Identifier: MIT
--- list: what lies in a directory, one entry a line, each as a path that can be sent back.
local messages = require "croft.messages"
local text = require "croft.text"
local tool = require "croft.tool"

local DESCRIPTION = [[
List a directory of the workspace: one entry a line, as a path from the workspace root that can
be sent back to any tool. Directories end in "/", files show their size, links show where they
lead.

- Without arguments it lists the root, one level deep. "path" is relative to the root: "docs",
  never "/docs" and never "..".
- "recursive": true shows all levels below, "depth": 2 shows two.
- To find files by name, wherever they are, send "glob": "**/*.md". Without "**" a glob fits
  names in the levels that are shown. "exclude": "node_modules" leaves names out.
- Links are shown and not entered. Names that begin with "." are shown.
- At most 1000 entries and 32 KiB are shown. A last line in [ ] says when there is more, what
  was left out, and which argument makes it less.]]

--- How many levels to show: nil for all of them.
local function depth_of(args)
  local crosses = args.glob and (text.find(args.glob, "**", 1) or text.find(args.glob, "/", 1))
  if args.depth or args.recursive or crosses then
    return args.depth
  end
  return 1
end

local function target_of(entry)
  if entry.outside then
    return messages.text("T13_outside")
  elseif entry.loop then
    return messages.text("T13_loop")
  elseif entry.closed then
    return messages.text("T13_closed")
  elseif not entry.target then
    return messages.text("T13")
  end
  local target = entry.target == "" and "." or (text.name(entry.target))
  return entry.target_is_directory and target .. "/" or target
end

--- The words around the size of a file, here and where fs:list makes the rows of plain entries.
local ROWS = { before = " (", one = " byte)", many = " bytes)" }

local function line_of(entry)
  local name, sendable, spelling = text.name(entry.path)
  local tail = ""
  if not sendable then
    tail = messages.text("T12")
  elseif spelling then
    tail = messages.text("T12_json", { p = spelling })
  end
  if entry.type == "file" then
    return name .. ROWS.before .. entry.size .. (entry.size == 1 and ROWS.one or ROWS.many) .. tail
  elseif entry.type == "directory" then
    return name .. "/" .. tail
  elseif entry.type == "link" then
    return ("%s -> %s%s"):format(name, target_of(entry), tail)
  end
  return ("%s (%s)%s"):format(name, entry.type, tail)
end

--- What to say where nothing is shown.
local function emptiness(found, args)
  if args.glob and found.seen > 0 then
    return messages.text("L5", { n = found.seen, glob = args.glob })
  end
  local hidden = found.excluded + found.unreadable_directories + found.deep + found.other_mounts
  return messages.text(hidden > 0 and "L1_rest" or "L1", { p = args.path })
end

local function cut_notice(shown, found, ctx)
  if shown == ctx.limits.list_entries then
    return messages.text("L2", { k = shown, n = found.total })
  end
  local ceiling = messages.size(ctx.limits.result_bytes)
  return messages.text("L3", { k = shown, n = found.total, ceiling = ceiling })
end

local function notices_of(found, shown, args, ctx)
  local notices = messages.walk(found, ctx.tool, args.path, ctx.limits.walk_depth)
  if found.stopped then
    local spent = messages.spent(found, ctx.limits)
    table.insert(notices, 1, messages.text("T2_list", { spent = spent }))
  elseif found.total == 0 then
    table.insert(notices, 1, emptiness(found, args))
  elseif shown < found.total then
    table.insert(notices, 1, cut_notice(shown, found, ctx))
  end
  return notices
end

local function run(args, ctx)
  args.path = args.path or "."
  local bytes = ctx.limits.result_bytes - text.RESERVED
  local found = ctx.fs:list(args.path, {
    depth = depth_of(args),
    glob = args.glob,
    exclude = args.exclude,
    max = ctx.limits.list_entries,
    bytes = bytes,
    rows = ROWS,
  })
  local lines = text.lines_within(found.entries, bytes, line_of)
  return table.concat(lines, "\n"), messages.trailer(notices_of(found, #lines, args, ctx))
end

return tool.define {
  name = "list",
  title = "List a directory",
  description = DESCRIPTION,
  access = "read",
  narrower = "T1_list",
  samples = { glob = "**/*.md", exclude = "node_modules" },
  input = {
    type = "object",
    properties = {
      path = {
        type = "string",
        minLength = 1,
        description = 'Directory, relative to the workspace root. Default: ".", the root.',
      },
      recursive = {
        type = "boolean",
        description = "Show all levels below it. Default: false.",
      },
      depth = {
        type = "integer",
        minimum = 1,
        description = "Show this many levels. Default: 1, or all with recursive.",
      },
      glob = {
        type = "string",
        minLength = 1,
        description = 'Show only entries that fit, such as "*.md", "**/*.{c,h}" or "src/**". "*" '
          .. 'stays in one level, "**" crosses levels; without "/" it fits the last name.',
      },
      exclude = {
        type = "string",
        minLength = 1,
        description = 'Leave out what fits this glob, such as "node_modules"; it is not entered.',
      },
    },
  },
  run = run,
}
