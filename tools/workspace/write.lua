-- SPDX-License-Identifier: MIT
--- write: a whole file, or more text at its end.
local errors = require "croft.errors"
local messages = require "croft.messages"
local text = require "croft.text"
local tool = require "croft.tool"

local DESCRIPTION = [[
Write a text file of the workspace: create it, replace all of it, or append to it. Exactly the
bytes of "content" are written; no newline is added and no line end converted. The file is there
in full or not changed at all.

- "path" is relative to the workspace root: "notes/a.md", never "/notes/a.md" and never "..".
  Directories on the way are made. What lies in skills, docs, templates and context is
  read-only.
- To change part of a file use {edit}: it needs only the text that changes.
- "mode": "create" refuses when the file exists; "overwrite", the default, replaces it.
- "content" has at most 1 MiB (1048576 bytes). For more, send a first part, then each further
  part with "mode": "append"; a file holds at most 1 MiB in all.]]

--- A replacement is remarked on when the old file had this many bytes and lost this part of them.
local SHRANK_FROM, SHRANK_PART = 1000, 0.6

local function created(info, args)
  local said = messages.text("W1", { p = args.path, l = info.lines, s = info.size })
  if info.made == 1 then
    said = said .. messages.text("W1_made", { name = info.first_made })
  elseif info.made > 1 then
    said = said .. messages.text("W1_made_more", { k = info.made, name = info.first_made })
  end
  return said
end

local function appended(info, args)
  local said = messages.text("W3", {
    s = #args.content, p = args.path, l = info.lines, t = info.size,
  })
  if info.old_size > 0 and not info.old_ends_in_newline and args.content ~= "" then
    said = said .. messages.text("W3_joined")
  end
  return said
end

local function replaced(info, args)
  local said = messages.text(info.old_known and "W2" or "W2_sizes", {
    p = args.path, l = info.lines, s = info.size, l0 = info.old_lines, s0 = info.old_size,
  })
  local has_lf = text.find(args.content, "\n", 1)
  if info.old_known and info.old_crlf and not info.new_crlf and has_lf then
    said = said .. messages.text("W10")
  end
  local lost = info.old_size - info.size
  if info.old_size >= SHRANK_FROM and lost >= info.old_size * SHRANK_PART then
    said = said .. messages.text("W12", { x = lost * 100 // info.old_size, p = args.path })
  end
  return said
end

local function answer(info, args)
  if info.same then
    return messages.text("W4", { p = args.path })
  elseif info.created then
    return created(info, args)
  end
  local said = args.mode == "append" and appended(info, args) or replaced(info, args)
  if info.links > 1 then
    said = said .. messages.text("T11", { n = info.links })
  end
  return said
end

local function run(args, ctx)
  local most = ctx.limits.write_bytes
  if #args.content > most then
    errors.raise("too_large", { text = messages.text("W5", { size = #args.content, n = most }) })
  end
  local info = ctx.fs:replace(args.path, args.content, { mode = args.mode or "overwrite" })
  return answer(info, args) .. (info.not_confirmed and messages.text("W13") or "")
end

--- `path` with "-2" before what follows the last point of its name.
local function sibling(path)
  for at = #path, 1, -1 do
    local byte = path:byte(at)
    if byte == 0x2F then
      break
    elseif byte == 0x2E and at > 1 and path:byte(at - 1) ~= 0x2F then
      return path:sub(1, at - 1) .. "-2" .. path:sub(at)
    end
  end
  return path .. "-2"
end

local function would_be_too_large(err, look)
  look.old, look.n = err.size or 0, look.ctx.limits.write_bytes
  look.size, look.other = #(look.args.content or ""), sibling(look.p)
  return messages.text("W6", look)
end

local function exists(err, look)
  look.size = err.size or 0
  return messages.text("W9", look)
end

return tool.define {
  name = "write",
  title = "Write a file",
  description = DESCRIPTION,
  access = "write",
  idempotent = true,
  samples = { path = "notes.md", content = "text\n" },
  refusals = { content = { missing = "W7", wrong_type = "W8" } },
  explain = { too_large = would_be_too_large, already_exists = exists },
  input = {
    type = "object",
    required = { "path", "content" },
    properties = {
      path = {
        type = "string",
        minLength = 1,
        description = "File, relative to the workspace root.",
      },
      content = {
        type = "string",
        description = 'The text to write, all of it. "" makes an empty file.',
      },
      mode = {
        type = "string",
        enum = { "overwrite", "create", "append" },
        description = "overwrite: replace what is there; create: only where there is nothing; "
          .. "append: add at the end. Default: overwrite.",
      },
    },
  },
  run = run,
}
