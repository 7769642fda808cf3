-- SPDX-License-Identifier: MIT
--- stat: what one path is, without its content.
local text = require "croft.text"
local tool = require "croft.tool"

local DESCRIPTION = [[
Say what a path of the workspace is: a file or a directory, its size, and where it leads when
there are links on the way.

- "path" is relative to the workspace root: "notes/a.md", never "/notes/a.md" and never "..".
- To see what is in a directory use {list}; to see what is in a file use {read}.]]

local function size_of(found)
  if found.type ~= "file" then
    return ""
  end
  return (", %d %s"):format(found.size, found.size == 1 and "byte" or "bytes")
end

--- The path without what makes no difference, as fs:stat shows it.
local function plain(path)
  local parts = {}
  for _, part in ipairs(text.split(path, "/")) do
    if part == ".." then
      parts[#parts] = nil
    elseif part ~= "" and part ~= "." then
      parts[#parts + 1] = part
    end
  end
  return table.concat(parts, "/")
end

local function run(args, ctx)
  local found = ctx.fs:stat(args.path)
  local said = ("%s: %s%s"):format(args.path, found.type, size_of(found))
  if plain(found.path) ~= plain(args.path) then
    said = ("%s; links lead to %s"):format(said, found.path == "" and "." or text.name(found.path))
  end
  if found.type == "file" and found.links > 1 then
    said = ("%s; it has %d names (hard links)"):format(said, found.links)
  end
  return said
end

return tool.define {
  name = "stat",
  title = "Look at a path",
  description = DESCRIPTION,
  access = "read",
  samples = { path = "notes.md" },
  examples = {
    { args = { path = "a.md" }, files = { ["a.md"] = "one\n" }, expect = "a.md: file, 4 bytes" },
    { args = { path = "d/" }, files = { ["d/a"] = "" }, expect = "d/: directory" },
    { args = { path = "l" }, files = { l = { link = "d/a" }, ["d/a"] = "x" },
      expect = "l: file, 1 byte; links lead to d/a" },
    { args = { path = "none" }, error = "missing" },
  },
  input = {
    type = "object",
    required = { "path" },
    properties = {
      path = {
        type = "string", minLength = 1,
        description = "File or directory, relative to the workspace root.",
      },
    },
  },
  run = run,
}
