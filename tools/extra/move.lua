-- SPDX-License-Identifier: MIT
--- move: gives a file, a link or a directory another name.
local messages = require "croft.messages"
local tool = require "croft.tool"

local DESCRIPTION = [[
Move or rename a file or a directory of the workspace. A link is moved itself, not what it leads
to. Nothing is overwritten unless "replace" says so.

- "from" and "to" are relative to the workspace root: "notes/a.md", never "/notes/a.md" and never
  "..". "to" is the new name in full, not the directory to put it in. Directories that lead to it
  are made.
- What lies in skills, docs, templates and context is read-only: nothing is moved into or out of
  it.
- "replace": true lets a file or link at "to" give way; a directory never does.]]

local function run(args, ctx)
  local info = ctx.fs:rename(args.from, args.to, { replace = args.replace })
  local said = messages.fill('Moved the {kind} "{from}" to "{to}".', {
    kind = info.type, from = args.from, to = args.to,
  })
  if info.replaced then
    said = ("%s It replaced what was there (%s)."):format(said,
      messages.count(info.old_size, "byte"))
  end
  if info.made > 0 then
    said = said .. messages.text(info.made == 1 and "W1_made" or "W1_made_more", {
      name = messages.shown(info.first_made), k = info.made,
    })
  end
  return info.not_confirmed and said .. messages.text("W13") or said
end

--- `{from}`, `{to}` and what else a refusal may name.
local function say(id, look)
  look.from, look.to = look.args.from, look.args.to
  look.inside = look.to:gsub("/+$", "") .. "/" .. (look.from:match("([^/]+)/*$") or "file")
  return look.ctx.say(id, look)
end

local function bad_argument(err, look)
  local known = { into_itself = true, same_file = true, slash = true }
  return known[err.detail] and say(err.detail, look) or nil
end

local function exists(err, look)
  local keeps = look.args.replace and "kept" or "exists"
  look.kind = err.detail
  return say(err.detail == "directory" and "directory" or keeps, look)
end

--- What is to be moved belongs to a read-only tree; for its new name the usual words hold, and for
--- what a link leads to.
local function read_only(err, look)
  local is_own = err.detail ~= "" and err.at <= 1 and not err.is_target
  look.top = err.detail
  return is_own and say("read_only", look) or nil
end

local MESSAGES = {
  exists = '"{to}" exists already. Nothing was moved. Send another "to", or "replace": true to let '
    .. 'it give way.',
  kept = '"{to}" is a {kind}, which does not give way to "{from}". Nothing was moved. Send another '
    .. '"to".',
  directory = '"{to}" is a directory, and "to" is the new name in full. Nothing was moved. To put '
    .. 'it in there send "to": "{inside}".',
  read_only = '"{p}" belongs to "{top}", which is read-only here. Nothing was moved. Call {list} '
    .. 'with "path": "." for names outside of it.',
  into_itself = '"{from}" cannot be moved into itself, and "{to}" lies in it. Nothing was moved. '
    .. 'Send a "to" outside of it.',
  same_file = '"{from}" and "{to}" are one file already. Nothing was moved. Send another "to".',
  slash = '"{to}" ends in "/", but "{from}" is no directory. Nothing was moved. Send "to": '
    .. '"{inside}".',
}

local function path(what)
  return { type = "string", minLength = 1, description = what }
end

return tool.define {
  name = "move",
  title = "Move or rename",
  description = DESCRIPTION,
  access = "write",
  paths = { "from", "to" },
  messages = MESSAGES,
  explain = {
    bad_argument = bad_argument, already_exists = exists, read_only = read_only,
  },
  samples = { from = "old.md", to = "new.md" },
  examples = {
    { args = { from = "a", to = "b" }, files = { a = "x" }, after = { a = false, b = "x" },
      expect = 'Moved the file "a" to "b".' },
    { args = { from = "a", to = "b" }, files = { a = "x", b = "y" }, error = "already_exists" },
  },
  input = {
    type = "object",
    required = { "from", "to" },
    properties = {
      from = path("What to move, relative to the workspace root."),
      to = path("Its new name in full, relative to the workspace root."),
      replace = { type = "boolean", description = 'A file at "to" gives way. Default: false.' },
    },
  },
  run = run,
}
