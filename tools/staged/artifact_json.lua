-- SPDX-License-Identifier: MIT
--- artifact_json: a value of what is held by a handle, by its JSON Pointer.
local errors = require "croft.errors"
local messages = require "croft.messages"
local staged = require "croft.staged"
local text = require "croft.text"
local tool = require "croft.tool"

local DESCRIPTION = [[
Show a value of an opened JSON file by its JSON Pointer (RFC 6901). The file is read as a stream: it
may be of any size.

- "handle" is what {open_json_file} gave; that of any other file with JSON in it does too.
- "pointer": "" is the whole, "/items/0/name" the name of the first item; "~1" stands for "/" in a
  name, "~0" for "~".
- A value that fits into a page is shown as it stands. Of a larger object or list the children are
  shown, a line each, with the pointer that shows each of them; "offset" goes on behind the first
  ones.
- Of members with the same name the last counts.
- ]] .. staged.TRUST

local function counted(found)
  if found.type == "object" then
    return "an object with " .. messages.count(found.children, "member")
  elseif found.type == "array" then
    return "a list of " .. messages.count(found.children, "value")
  elseif found.type == "null" then
    return "null"
  end
  return "a " .. found.type
end

local function refuse(code, id, values)
  errors.raise(code, { text = messages.text(id, values) })
end

local function check(found, info, args)
  local values = { p = info.path, handle = args.handle, pointer = args.pointer }
  if found.fault then
    values.why, values.i = found.fault, found.fault_at
    refuse("bad_argument", "J3", values)
  elseif found.missing then
    values.found, values.what = args.pointer:sub(1, found.found), counted(found)
    refuse("missing", "J2", values)
  elseif args.offset > 0 and found.shown == 0 and args.offset >= found.children then
    values.n, values.offset, values.last = found.children, args.offset, found.children - 1
    refuse("bad_argument", "J4", values)
  end
end

local function trailer(found, info, args)
  local values = {
    pointer = args.pointer, p = info.path, what = counted(found),
    notes = staged.change(found, info), a = args.offset, b = args.offset + found.shown - 1,
    k = #found.text,
  }
  if found.is_whole then
    return messages.text("Q1", values)
  elseif found.type ~= "object" and found.type ~= "array" then
    return messages.text("Q4", values)
  end
  local is_too_long = found.shown == 0 -- the row of the first child alone is more than a page
  local behind = args.offset + (is_too_long and 1 or found.shown)
  if behind < found.children then
    values.notes = messages.text("Q3", { next = behind }) .. values.notes
  end
  return messages.text(is_too_long and "Q5" or "Q2", values)
end

local function run(args, ctx)
  args.pointer, args.offset = args.pointer or "", args.offset or 0
  local info = ctx.artifacts:info(args.handle)
  local found = ctx.artifacts:json(args.handle, args.pointer, {
    first = args.offset, bytes = ctx.limits.result_bytes - text.RESERVED,
  })
  check(found, info, args)
  return messages.join(found.text, { trailer(found, info, args) })
end

return tool.define {
  name = "artifact_json",
  title = "Show a JSON value",
  description = DESCRIPTION,
  access = "read",
  samples = { pointer = "/items/0", offset = 0 },
  input = {
    type = "object",
    required = { "handle" },
    properties = {
      handle = { type = "string", minLength = 1, description = "The handle of an opened file." },
      pointer = { type = "string",
        description = 'JSON Pointer of the value. Default: "", the whole.' },
      offset = { type = "integer", minimum = 0,
        description = "Child with which to begin, from 0, where children are shown. Default: 0." },
    },
  },
  run = run,
}
