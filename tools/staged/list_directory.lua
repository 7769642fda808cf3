-- SPDX-License-Identifier: MIT
--- list_directory: what lies in a directory and below, a line of JSON for each.
local messages = require "croft.messages"
local staged = require "croft.staged"
local text = require "croft.text"
local tool = require "croft.tool"

local DESCRIPTION = [[
List a directory of the workspace and what lies below it, a line of JSON for each entry: its "path"
from the workspace root, its "type" (file, directory, link, ...), "bytes" of a file, and where a
link leads as its "target".

- "path" is relative to the workspace root: "docs", never "/docs", "~" or ".."; "." is the root.
- "max_depth": 0 shows the directory alone, 1 also what lies in its directories, and so on; 20 if
  left out. Links are shown and not entered.
- At most 1000 entries and 32 KiB are shown. When that is not all, a first line {"note": ...} says
  so, and how to ask for less.
?find_files - To find files by their names use {find_files}.
- ]] .. staged.TRUST

local function target_of(entry)
  if entry.outside or entry.loop or not entry.target then
    return '"target":null'
  end
  return ('"target":%s'):format((staged.quoted(entry.target == "" and "." or entry.target)))
end

local function line_of(entry)
  local name, more = staged.quoted(entry.path)
  local parts = { '{"path":' .. name .. more, ('"type":%s'):format(text.quote(entry.type)) }
  if entry.type == "file" then
    parts[#parts + 1] = ('"bytes":%d'):format(entry.size)
  elseif entry.type == "link" then
    parts[#parts + 1] = target_of(entry)
  end
  return table.concat(parts, ",") .. "}"
end

local function notices_of(found, shown, args, ctx)
  local notices = messages.walk(found, ctx.tool, args.path, ctx.limits.walk_depth)
  if found.at_depth > 0 then
    table.insert(notices, 1, messages.text("Z2", { k = found.at_depth, d = args.max_depth }))
  end
  if found.stopped then
    table.insert(notices, 1, messages.text("Z9", { spent = messages.spent(found, ctx.limits) }))
  elseif found.total == 0 then
    table.insert(notices, 1, messages.text("Z3", { p = args.path }))
  elseif shown < found.total then
    table.insert(notices, 1, messages.text("Z1", { k = shown, n = found.total }))
  end
  return notices
end

local function run(args, ctx)
  args.path, args.max_depth = staged.path(args.path, "list"), args.max_depth or staged.DEPTH
  local bytes = ctx.limits.result_bytes - 4 * text.RESERVED
  local found = ctx.fs:list(args.path, {
    depth = args.max_depth + 1, max = ctx.limits.list_entries, bytes = bytes,
  })
  local lines = text.lines_within(found.entries, bytes, line_of)
  local notes = staged.notes(notices_of(found, #lines, args, ctx))
  table.move(lines, 1, #lines, #notes + 1, notes)
  return table.concat(notes, "\n")
end

return tool.define {
  name = "list_directory",
  title = "List a directory",
  description = DESCRIPTION,
  access = "read",
  samples = { path = "." },
  input = {
    type = "object",
    required = { "path" },
    properties = {
      path = { type = "string", minLength = 1,
        description = 'Directory, relative to the workspace root; "." is the root.' },
      max_depth = { type = "integer", minimum = 0, maximum = 1000,
        description = "Levels of directories to enter: 0 is the directory alone. Default: 20." },
    },
  },
  run = run,
}
