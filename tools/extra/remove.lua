-- SPDX-License-Identifier: MIT
--- remove: one file, one link, or one directory that is empty.
local messages = require "croft.messages"
local tool = require "croft.tool"

local DESCRIPTION = [[
Remove one name from the workspace: a file, a link (not what it leads to), or a directory that is
empty. There is no undo.

- "path" is relative to the workspace root: "notes/a.md", never "/notes/a.md" and never "..".
  What lies in skills, docs, templates and context is read-only.
- A directory with something in it is refused: remove what is in it first, one call each; {list}
  with "recursive": true shows it all.]]

local function run(args, ctx)
  local gone = ctx.fs:remove(args.path)
  local what = gone.type
  if what == "file" then
    what = ("file, %s"):format(messages.count(gone.size, "byte"))
  end
  local said = messages.fill('Removed "{p}" ({what}).', { p = args.path, what = what })
  if gone.type == "file" and gone.links > 1 then
    said = ("%s The file lives on under %s."):format(said,
      messages.count(gone.links - 1, "other name"))
  end
  return gone.not_confirmed and said .. messages.text("W13") or said
end

--- What is to go belongs to a read-only tree; of what a link of that name leads to the usual words
--- hold.
local function read_only(err, look)
  look.top = err.detail
  return err.detail ~= "" and err.at <= 1 and look.ctx.say("read_only", look) or nil
end

local function no_directory(_, look)
  local rest = look.p:match("^(.-)/+$")
  if rest then
    look.a = rest
    return look.ctx.say("link", look)
  end
end

return tool.define {
  name = "remove",
  title = "Remove a file or an empty directory",
  description = DESCRIPTION,
  access = "write",
  messages = {
    read_only = '"{p}" belongs to "{top}", which is read-only here. Nothing was changed. Call '
      .. '{list} with "path": "." for names outside of it.',
    link = '"{p}" ends in "/", but it is no directory itself. Nothing was changed. Send "path": '
      .. '"{a}" to remove the file or link of that name.',
  },
  explain = { not_a_directory = no_directory, read_only = read_only },
  examples = {
    { args = { path = "a.md" }, files = { ["a.md"] = "one\n" }, after = { ["a.md"] = false },
      expect = 'Removed "a.md" (file, 4 bytes).' },
    { args = { path = "d" }, files = { ["d/"] = true }, expect = 'Removed "d" (directory).' },
    { args = { path = "d" }, files = { ["d/a"] = "x" }, error = "bad_argument" },
    { args = { path = "docs/a" }, files = { ["docs/a"] = "x" }, error = "read_only" },
  },
  input = {
    type = "object",
    required = { "path" },
    properties = {
      path = {
        type = "string", minLength = 1,
        description = "File, link or empty directory, relative to the workspace root.",
      },
    },
  },
  run = run,
}
