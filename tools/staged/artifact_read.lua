-- SPDX-License-Identifier: MIT
--- artifact_read: lines of what is held by a handle, a page at a time.
local errors = require "croft.errors"
local messages = require "croft.messages"
local staged = require "croft.staged"
local text = require "croft.text"
local tool = require "croft.tool"

local DESCRIPTION = [[
Show lines of an opened file, or of a staged medium, as "12|text": the number of the line, a bar,
and the text as it stands. The number and the bar are not part of the text.

- "handle" is what {open_file} and the like gave, or a "media_id".
- Without "offset" and "limit" it shows as many whole lines as fit into 32 KiB. The last line, in
  [ ], says which lines these are, and what to send for the next ones.
- "offset": 201, "limit": 100 shows lines 201 to 300; "offset": -20 shows the last 20 lines.
- A line too long for a page is shown in part; "column" goes on inside it.
- Large files are counted as they are read: how many lines there are is said once the end is seen.
- ]] .. staged.TRUST

local function notes_of(page, info)
  local notes = {}
  if page.binary then
    notes[1] = messages.text("N4")
  end
  if page.invalid > 0 then
    notes[#notes + 1] = messages.text("R9", { k = page.invalid })
  end
  return table.concat(notes) .. staged.change(page, info)
end

local function more_lines(page, notes, args)
  return messages.text("B2", {
    a = page.first, b = page.last, of = page.total and " of " .. page.total or "", notes = notes,
    next = page.last + 1, limit = args.limit and (', "limit": %d'):format(args.limit) or "",
  })
end

local function trailer(page, notes, args, ctx)
  if page.stop == "short" then
    return messages.text("B5", {
      spent = messages.spent(page, ctx.limits), i = page.counted_lines + 1,
      byte = page.counted_bytes, size = page.size, notes = notes,
    })
  elseif page.stop == "long_line" then
    return messages.text("B4", {
      i = page.first, size = page.line_bytes, c = args.column, d = page.last_byte, notes = notes,
      column = page.last_byte + 1, next = page.first + 1,
    })
  elseif page.stop ~= "end" and page.last ~= page.total then
    return more_lines(page, notes, args)
  end
  return messages.text(page.first == 1 and "B1" or "B3", {
    a = page.first, b = page.last, n = page.total, notes = notes,
  })
end

local function refuse(page, info, args)
  if page.stop == "past_end" then
    errors.raise("bad_argument", { text = messages.text("R4", {
      p = info.path, n = page.total, offset = args.offset,
    }) })
  end
  errors.raise("bad_argument", { text = messages.text("R7", {
    p = info.path, i = page.first, size = page.line_bytes, column = args.column,
  }) })
end

local function run(args, ctx)
  args.offset, args.column = args.offset or 1, args.column or 1
  local info = ctx.artifacts:info(args.handle)
  local page = ctx.artifacts:page(args.handle, {
    first = args.offset, limit = args.limit, column = args.column,
    bytes = ctx.limits.result_bytes - text.RESERVED,
  })
  local notes = notes_of(page, info)
  if page.total == 0 then
    return messages.join("", { messages.text("B6", { p = info.path, notes = notes }) })
  elseif page.stop == "past_end" or page.stop == "past_line" then
    refuse(page, info, args)
  end
  return messages.join(page.text, { trailer(page, notes, args, ctx) })
end

return tool.define {
  name = "artifact_read",
  title = "Show lines of a handle",
  description = DESCRIPTION,
  access = "read",
  samples = { offset = 1, limit = 100, column = 1 },
  input = {
    type = "object",
    required = { "handle" },
    properties = {
      handle = { type = "string", minLength = 1,
        description = "The handle of an opened file, or a media_id." },
      offset = { type = "integer",
        description = "First line to show, counted from 1; negative: that many from the end. "
          .. "Default: 1." },
      limit = { type = "integer", minimum = 1,
        description = "Most lines to show. Default: as many as fit." },
      column = { type = "integer", minimum = 1,
        description = "Byte of the first line at which to begin, from 1: for a line longer than a "
          .. "page. Default: 1." },
    },
  },
  run = run,
}
