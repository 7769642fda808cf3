-- SPDX-License-Identifier: MIT
--- apply_patch: a changed medium of a staged one.
local edits = require "croft.edits"
local errors = require "croft.errors"
local messages = require "croft.messages"
local patch = require "croft.patch"
local staged = require "croft.staged"
local text = require "croft.text"
local tool = require "croft.tool"

local DESCRIPTION = [[
Nothing is on disk until {save_media} saves it: this makes a changed medium of a staged one, in
memory, with a new "media_id". The old one stays as it is, so that changes can be made one after
another, or tried in two ways.

- "patch": {"find": "old text", "replace": "new text"} replaces a text that is there exactly once,
  white space included; "replace_all": true in it replaces every one. "replace": "" deletes.
- "patch": a list of such changes does them one after another, or none of them if one fails.
- "patch": a text is a unified diff for this one file, with or without its "---" and "+++" lines.
  Line numbers may be off where there is just one place that a hunk fits.
- In a text whose lines end in CRLF send plain line breaks: they are given the same. All other bytes
  stay as they are.
?artifact_read - {artifact_read} with "handle": the "media_id" shows the text of a medium.]]

--- Changes in one call.
local MOST_CHANGES = 50

local function refuse(code, id, values)
  errors.raise(code, { text = messages.text(id, values) })
end

-- {find, replace} -------------------------------------------------------------------------------

--- The changes of the patch, as croft.edits takes them.
local function changes_of(given)
  local list = given.find and { given } or given
  if #list == 0 or #list > MOST_CHANGES then
    refuse("bad_argument", "D7", { most = MOST_CHANGES, n = #list })
  end
  local out = { is_many = not given.find }
  for i, change in ipairs(list) do
    out[i] = {
      old_string = change.find, new_string = change.replace, replace_all = change.replace_all,
    }
  end
  return out
end

local function replace(bytes, given, args, ctx)
  local list = changes_of(given)
  if bytes == "" then
    refuse("no_match", "D8", { p = args.media_id })
  elseif not list.is_many and list[1].old_string == list[1].new_string then
    refuse("bad_argument", "E16", { p = args.media_id })
  end
  local file = { bytes = bytes }
  local done, failure = edits.apply(file, list, args.media_id, ctx.limits.edit_bytes)
  if not done then
    errors.raise(failure.code, { text = failure.text })
  end
  return file.bytes, edits.describe(file.bytes, done, args.media_id)
end

-- Unified diffs ----------------------------------------------------------------------------------

--- The diff with the two lines that name its file, which may be left out; and how many were added.
local function with_header(diff)
  if text.starts(text.trim(diff), "@@") then
    return "--- a/medium\n+++ b/medium\n" .. diff, 2
  end
  return diff, 0
end

local function hunks_of(diff)
  local whole, added = with_header(diff)
  local files, line, why = patch.read(whole)
  if not files then
    refuse("bad_argument", "D1", { n = math.max(1, line - added), why = why })
  elseif #files > 1 then
    refuse("bad_argument", "D5", { n = #files, tool = messages.tool("apply_patch") })
  elseif files[1].is_new or files[1].is_gone then
    refuse("bad_argument", "D6")
  end
  return files[1].hunks
end

local MISSES = { differs = "D2", behind = "D3", several = "D4" }

local function apply(bytes, diff, args)
  local hunks = hunks_of(diff)
  local new, failure = patch.apply(bytes, hunks)
  if not new then
    failure.p = args.media_id
    refuse("no_match", MISSES[failure.id], failure)
  end
  return new, messages.text("M2", { k = #hunks })
end

-- The call ---------------------------------------------------------------------------------------

local function run(args, ctx)
  local bytes = ctx.artifacts:load(args.media_id, ctx.limits.edit_bytes)
  local is_diff = type(args.patch) == "string"
  local new, said, excerpt = (is_diff and apply or replace)(bytes, args.patch, args, ctx)
  local info = ctx.artifacts:derive(args.media_id, new)
  excerpt = excerpt and excerpt ~= "" and "\n" .. excerpt or ""
  return staged.handed("M1", info, {
    old = args.media_id, more = " " .. said .. excerpt,
    structured = { media_id = info.handle, made_of = args.media_id, is_on_disk = false },
  })
end

local CHANGE = {
  find = { type = "string", minLength = 1,
    description = "The text to replace, exactly as it is in the medium." },
  replace = { type = "string", description = 'The text to put in its place; "" deletes.' },
  replace_all = { type = "boolean",
    description = "Replace every occurrence. Default: false, and the text must be there once." },
}

return tool.define {
  name = "apply_patch",
  title = "Change a medium",
  description = DESCRIPTION,
  access = "read",
  annotations = { readOnlyHint = false, destructiveHint = false, idempotentHint = false },
  refusals = { ["patch.find"] = { empty = "E15" } },
  samples = { patch = { find = "old text", replace = "new text" } },
  input = {
    type = "object",
    required = { "media_id", "patch" },
    properties = {
      media_id = { type = "string", minLength = 1,
        description = "The medium, as {stage_file} or an earlier call gave it." },
      patch = {
        type = { "object", "array", "string" },
        description = "One change, a list of changes, or a unified diff.",
        required = { "find", "replace" },
        properties = CHANGE,
        items = {
          type = "object",
          description = "One change.",
          required = { "find", "replace" },
          properties = CHANGE,
        },
      },
    },
  },
  run = run,
}
