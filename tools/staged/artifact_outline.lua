-- SPDX-License-Identifier: MIT
--- artifact_outline: the headings of what is held by a handle.
local messages = require "croft.messages"
local staged = require "croft.staged"
local text = require "croft.text"
local tool = require "croft.tool"

local DESCRIPTION = [[
Show the headings of an opened Markdown file, each as "12|## Text": the number of its line, a bar,
one "#" for each level, and its text. Headings underlined with = or - are shown in the same form;
what stands in fenced code is none.

- "handle" is what {open_markdown_file} gave; that of any other file does too, or a "media_id".
- The last line, in [ ], says whether these are all, and which "offset" goes on.
- ]] .. staged.TRUST

local function run(args, ctx)
  local info = ctx.artifacts:info(args.handle)
  local found = ctx.artifacts:outline(args.handle, {
    first = args.offset or 1, bytes = ctx.limits.result_bytes - text.RESERVED,
  })
  local id = found.next and "U3" or found.headings == 0 and "U2" or "U1"
  return messages.join(found.text, { messages.text(id, {
    k = found.headings, n = found.lines, p = info.path, next = found.next,
    notes = staged.change(found, info),
  }) })
end

return tool.define {
  name = "artifact_outline",
  title = "Show the headings",
  description = DESCRIPTION,
  access = "read",
  samples = { offset = 1 },
  input = {
    type = "object",
    required = { "handle" },
    properties = {
      handle = { type = "string", minLength = 1,
        description = "The handle of an opened file, or a media_id." },
      offset = { type = "integer", minimum = 1,
        description = "Line at which to begin, counted from 1. Default: 1." },
    },
  },
  run = run,
}
