-- SPDX-License-Identifier: MIT
--- read: lines of a text file, numbered, a page at a time.
local errors = require "croft.errors"
local messages = require "croft.messages"
local text = require "croft.text"
local tool = require "croft.tool"

local DESCRIPTION = [[
Read a text file of the workspace. Every line comes as "12|text": its number, a bar, and the
text as it stands in the file, tabs and all. The number and the bar are not part of the file:
leave them out when you copy text for {edit}.

- "path" is relative to the workspace root: "docs/a.md", never "/docs/a.md" and never "..". When
  you do not know it, call {list} or {grep} first.
- Without "offset" and "limit" it shows as many whole lines as fit into 32 KiB. The last line,
  in [ ], says which lines these are, how many there are, and what to send for the next ones.
- "offset": 201, "limit": 100 shows lines 201 to 300; "offset": -20 shows the last 20 lines.
- A line too long for a page is shown in part; "column" goes on inside it.
- Text only: for a binary file it says what that is.]]

--- What a file is by its first bytes.
local KINDS = {
  { "\137PNG", "PNG image" }, { "\255\216\255", "JPEG image" }, { "GIF8", "GIF image" },
  { "%PDF", "PDF document" }, { "PK\3\4", "ZIP archive or office document" },
  { "\31\139", "gzip data" }, { "\127ELF", "ELF program" },
  { "SQLite format 3", "SQLite database" },
  { "\255\254", "UTF-16 text" }, { "\254\255", "UTF-16 text" },
}

local function kind_of(head)
  for _, kind in ipairs(KINDS) do
    if text.starts(head, kind[1]) then
      return kind[2]
    end
  end
  return "it holds NUL bytes"
end

--- What is unusual in the file, each part beginning with "; ".
local function notes_of(page, column)
  local notes = ""
  if column > 1 and page.stop ~= "long_line" then
    notes = messages.text("R6_column", { i = page.first, c = column })
  end
  if page.crlf > 0 then
    local id = page.lf == 0 and "R10" or "R10_mixed"
    notes = notes .. messages.text(id, { x = page.crlf, y = page.lf })
  end
  if page.bom then
    notes = notes .. messages.text("R10_bom")
  end
  if not page.final_newline then
    notes = notes .. messages.text("R11")
  end
  if page.invalid > 0 then
    notes = notes .. messages.text("R9", { k = page.invalid })
  end
  if page.unsettled then
    notes = notes .. messages.text("R14")
  elseif page.changed and (page.first > 1 or column > 1) then
    notes = notes .. messages.text("R13")
  end
  return notes
end

--- The last line of a page whose one line did not fit.
local function long_line(page, notes, column)
  local id = page.first < page.total and "R6" or "R6_last"
  return messages.text(id, {
    i = page.first, size = page.line_bytes, c = column, d = page.last_byte,
    column = page.last_byte + 1, next = page.first + 1, notes = notes,
  })
end

--- The last line of a page that ends with the file.
local function file_end(page, notes, is_tail)
  if page.first == 1 then
    return messages.text("R1", { n = page.total, notes = notes })
  end
  local shown = page.last - page.first + 1
  return messages.text(is_tail and "R12" or "R1_from", {
    a = page.first, b = page.last, n = page.total, k = shown,
    before = math.max(1, page.first - shown), notes = notes,
  })
end

local function trailer(page, args, column, ctx)
  local notes = notes_of(page, column)
  if page.stop == "long_line" then
    return long_line(page, notes, column)
  elseif page.last >= page.total then
    return file_end(page, notes, (args.offset or 1) < 0)
  end
  return messages.text(page.stop == "limit" and "R3" or "R2", {
    a = page.first, b = page.last, n = page.total, next = page.last + 1, limit = args.limit,
    ceiling = messages.size(ctx.limits.result_bytes), notes = notes,
  })
end

local function refuse_binary(page, args)
  errors.raise("not_regular", { text = messages.text("R8", {
    p = args.path, kind = kind_of(page.head), size = page.size, dir = text.dir(args.path),
  }) })
end

local function refuse_offset(page, args)
  errors.raise("bad_argument", { text = messages.text("R4", {
    p = args.path, n = page.total, offset = args.offset,
  }) })
end

local function refuse_column(page, args)
  errors.raise("bad_argument", { text = messages.text("R7", {
    p = args.path, i = page.first, size = page.line_bytes, column = args.column,
  }) })
end

local function run(args, ctx)
  local column = args.column or 1
  local page = ctx.fs:page(args.path, {
    first = args.offset,
    limit = args.limit,
    column = column,
    bytes = ctx.limits.result_bytes - text.RESERVED,
  })
  if page.binary then
    refuse_binary(page, args)
  elseif page.total == 0 then
    return messages.join("", { messages.text("R5", { p = args.path }) })
  elseif page.stop == "past_end" then
    refuse_offset(page, args)
  elseif page.stop == "past_line" then
    refuse_column(page, args)
  end
  return page.text, messages.trailer { trailer(page, args, column, ctx) }
end

return tool.define {
  name = "read",
  title = "Read a file",
  description = DESCRIPTION,
  access = "read",
  narrower = "T1_read",
  samples = { limit = 100, offset = 1, column = 1 },
  input = {
    type = "object",
    required = { "path" },
    properties = {
      path = {
        type = "string",
        minLength = 1,
        description = "File, relative to the workspace root.",
      },
      offset = {
        type = "integer",
        description = "First line to show, counted from 1; negative: that many lines from the end. "
          .. "Default: 1.",
      },
      limit = {
        type = "integer",
        minimum = 1,
        description = "Most lines to show. Default: as many as fit.",
      },
      column = {
        type = "integer",
        minimum = 1,
        description = "Byte of the first line at which to begin, counted from 1: for a line longer "
          .. "than a page. Default: 1.",
      },
    },
  },
  run = run,
}
