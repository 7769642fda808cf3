-- SPDX-License-Identifier: MIT
--- edit: replaces an exact text in a file.
local edits = require "croft.edits"
local errors = require "croft.errors"
local messages = require "croft.messages"
local tool = require "croft.tool"

local DESCRIPTION = [[
Change part of a text file of the workspace: "old_string" is replaced by "new_string".

- "path" is relative to the workspace root: never "/a.md", never "..". The file must exist;
  {write} makes new ones. What lies in skills, docs, templates and context is read-only.
- "old_string" must be in the file exactly, white space included, and exactly once. Copy it from
  what {read} shows, without the "12|" before each line. When it occurs several times, add a
  neighbouring line to it, or send "replace_all": true to replace every one.
- "new_string": "" deletes. All bytes around the text stay as they are. In a file whose lines
  end in CRLF, send plain line breaks: they are given the same.
- For several changes in one file send "edits": a list of {"old_string", "new_string",
  "replace_all"}, done one after another, or none of them if one fails.
- The answer shows the lines around the change; no need to {read} them again. A refusal says
  what differs, and nothing was changed.]]

--- Edits in one call.
local MOST_EDITS = 50

local function refuse(code, id, values)
  errors.raise(code, { text = messages.text(id, values) })
end

--- The one edit that the arguments hold.
local function single_edit(args, ctx)
  if not args.old_string then
    refuse("bad_argument", "E17_old", { tool = ctx.tool, p = args.path })
  elseif not args.new_string then
    refuse("bad_argument", "E17", { tool = ctx.tool, p = args.path })
  end
  return { { old_string = args.old_string, new_string = args.new_string,
    replace_all = args.replace_all } }
end

--- The edits that the arguments hold, in either form.
local function edits_of(args, ctx)
  if not args.edits then
    return single_edit(args, ctx)
  elseif args.old_string or args.new_string then
    refuse("bad_argument", "E21")
  elseif #args.edits == 0 or #args.edits > MOST_EDITS then
    refuse("bad_argument", "E23", { most = MOST_EDITS, n = #args.edits })
  end
  args.edits.is_many = true
  return args.edits
end

local function check_equal(list, path)
  if not list.is_many and list[1].old_string == list[1].new_string then
    refuse("bad_argument", "E16", { p = path })
  end
end

--- An empty file holds no old text: the new one is written instead.
local function refuse_empty(list, path)
  local new = list[1].new_string
  refuse("no_match", "E19", { p = path, example = #new <= 100 and new or "text\n" })
end

local function load(list, args, ctx)
  local bytes, stamp = ctx.fs:load(args.path, ctx.limits.edit_bytes)
  if bytes == "" then
    refuse_empty(list, args.path)
  end
  return { bytes = bytes, stamp = stamp }
end

--- Reads, changes and writes the file once. Returns the new bytes, what each edit did, and what the
--- write says; raises "changed" when somebody else wrote the file meanwhile.
local function attempt(list, args, ctx)
  local file = load(list, args, ctx)
  local done, failure = edits.apply(file, list, args.path, ctx.limits.write_bytes)
  if not done then
    errors.raise(failure.code, { text = failure.text })
  end
  local options = { mode = "overwrite", expect = file.stamp }
  local info = ctx.fs:replace(args.path, file.bytes, options)
  return { bytes = file.bytes, done = done, info = info }
end

local function run(args, ctx)
  local list = edits_of(args, ctx)
  check_equal(list, args.path)
  local result = errors.unless("changed", attempt, list, args, ctx) or attempt(list, args, ctx)
  local said, excerpt = edits.describe(result.bytes, result.done, args.path)
  if result.info.links > 1 then
    said = said .. messages.text("T11", { n = result.info.links })
  end
  if result.info.not_confirmed then
    said = said .. messages.text("W13")
  end
  return excerpt == "" and said or said .. "\n" .. excerpt
end

local function is_missing(_, look)
  local itself, close = look:neighbours()
  if itself or not look:at_end() then
    return nil
  end
  look.a = close[1]
  return messages.text(look.a and "E18_near" or "E18", look)
end

local function is_too_large(err, look)
  look.size, look.n = err.size or 0, look.ctx.limits.edit_bytes
  return messages.text("E25", look)
end

local function has_changed(err, look)
  return err.detail ~= "removed" and messages.text("E26", look) or nil
end

return tool.define {
  name = "edit",
  title = "Edit a file",
  description = DESCRIPTION,
  access = "write",
  samples = { edits = { { old_string = "a", new_string = "b" } }, replace_all = true },
  refusals = {
    old_string = { empty = "E15" },
  },
  explain = { missing = is_missing, too_large = is_too_large, changed = has_changed },
  input = {
    type = "object",
    required = { "path" },
    properties = {
      path = {
        type = "string",
        minLength = 1,
        description = "File, relative to the workspace root.",
      },
      old_string = {
        type = "string",
        minLength = 1,
        description = "The text to replace, exactly as it is in the file. Needed, unless edits is "
          .. "sent.",
      },
      new_string = {
        type = "string",
        description = 'The text to put in its place; "" deletes. Needed, unless edits is sent.',
      },
      replace_all = {
        type = "boolean",
        description = "Replace every occurrence, from the top. Default: false, and the text must "
          .. "be there exactly once.",
      },
      edits = {
        type = "array",
        description = "Several edits, instead of old_string and new_string: one after another, all "
          .. "or none. At most 50.",
        items = {
          type = "object",
          description = "One edit.",
          required = { "old_string", "new_string" },
          properties = {
            old_string = {
              type = "string",
              minLength = 1,
              description = "The text to replace, exactly as it is after the edits before.",
            },
            new_string = { type = "string", description = "The text to put in its place." },
            replace_all = { type = "boolean", description = "Replace every occurrence." },
          },
        },
      },
    },
  },
  run = run,
}
