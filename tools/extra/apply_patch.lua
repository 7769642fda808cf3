-- SPDX-License-Identifier: MIT
--- apply_patch: a unified diff of one or more files.
local errors = require "croft.errors"
local messages = require "croft.messages"
local patch = require "croft.patch"
local tool = require "croft.tool"

local DESCRIPTION = [[
Apply a unified diff to text files of the workspace: change, create and delete several at once.

- The paths in the diff are relative to the workspace root; "a/" and "b/" before them are taken
  off. "--- /dev/null" makes a file, "+++ /dev/null" deletes one.
- Every line that a hunk shows with " " or "-" must be in the file exactly. Line numbers may be
  off when there is just one place where the hunk fits.
- All hunks of all files are looked at first: when one does not fit, nothing is changed. CRLF is
  kept. What lies in skills, docs, templates and context is read-only. For a little, use {edit}.]]

local MESSAGES = {
  bad = '"patch" is no unified diff: its line {n} {why}. Nothing was changed. Send a "patch" that '
    .. 'has "--- a/FILE", "+++ b/FILE" and "@@ -1,3 +1,3 @@" before its hunks.',
  differs = 'Hunk {hunk} of "{p}" does not fit: line {line} is "{got}", not "{wanted}". Nothing '
    .. 'was changed. Call {read} with "path": "{p}", and send a "patch" with the lines it shows.',
  behind = 'Hunk {hunk} of "{p}" does not fit: there is no line {line}. Nothing was changed. Call '
    .. '{read} with "path": "{p}", and send a "patch" with the lines it shows.',
  several = 'Hunk {hunk} of "{p}" fits in {count} places, and not at its line. Nothing was '
    .. 'changed. Send a "patch" with more lines around the change.',
  more = 'The "patch" deletes "{p}" but leaves lines of it. Nothing was changed. Call {read} with '
    .. '"path": "{p}", and send a "patch" with all of them.',
  refused = '"{p}" in "patch": {why}. Nothing was changed. Send a "patch" without that part, or '
    .. 'call {list} with "path": "." for the names that there are.',
  later = '"{p}" in "patch": {why}. Done before it: {done}. Send a "patch" of what is left.',
}

--- Why a file of the patch cannot be read or written, by the code of the error.
local REASONS = {
  missing = "it does not exist", outside = "it is outside of the workspace",
  read_only = "it is read-only", not_a_file = "it is a directory", too_large = "it is too large",
  not_a_directory = "a file stands in its way", already_exists = "it exists already",
  unreadable = "there is no right to it", changed = "somebody else changed it meanwhile",
  busy = "it is in use, or a mount point", exhausted = "the host is short of descriptors or memory",
}

--- Does `action` for a file of the patch; what it raises is told with the file's name.
local function attempt(ctx, file, done, action)
  local ok, result, second = pcall(action)
  if ok then
    return result, second
  elseif not errors.is(result) or result.text or result.code == "gone" then
    error(result, 0)
  end
  ctx.refuse(result.code, #done > 0 and "later" or "refused", {
    p = file.path, why = REASONS[result.code] or "it cannot be used",
    done = table.concat(done, ", "), made = result.made, first_made = result.first_made,
  })
end

--- Reads a file of the patch and works out what it will hold.
local function prepare(ctx, file)
  local failure
  file.bytes, file.stamp = attempt(ctx, file, {}, function()
    if not file.is_new then
      return ctx.fs:load(file.path, ctx.limits.edit_bytes)
    elseif pcall(ctx.fs.stat, ctx.fs, file.path) then
      errors.raise("already_exists")
    end
    return ""
  end)
  file.new, failure = patch.apply(file.bytes, file.hunks)
  if not file.new then
    failure.p = file.path
    ctx.refuse("no_match", failure.id, failure)
  elseif file.is_gone and file.new ~= "" then
    ctx.refuse("no_match", "more", { p = file.path })
  end
end

--- Writes one file. Returns what to say of it.
local function write(ctx, file)
  local verb = file.is_new and "created" or file.is_gone and "deleted" or "changed"
  if file.is_gone then
    ctx.fs:remove(file.path)
  else
    local mode = file.is_new and "create" or "overwrite"
    ctx.fs:replace(file.path, file.new, { mode = mode, expect = file.stamp })
  end
  return messages.fill(verb .. ' "{p}"', { p = file.path })
end

local function run(args, ctx)
  local files, line, why = patch.read(args.patch)
  if not files then
    ctx.refuse("bad_argument", "bad", { n = line, why = why })
  end
  for _, file in ipairs(files) do prepare(ctx, file) end
  local done = {}
  for _, file in ipairs(files) do
    done[#done + 1] = attempt(ctx, file, done, function() return write(ctx, file) end)
  end
  return "Patch applied: " .. table.concat(done, ", ") .. "."
end

return tool.define {
  name = "apply_patch",
  title = "Apply a patch",
  description = DESCRIPTION,
  access = "write",
  messages = MESSAGES,
  samples = { patch = "--- a/a.md\n+++ b/a.md\n@@ -1 +1 @@\n-old\n+new\n" },
  examples = {
    { args = { patch = "--- a/a\n+++ b/a\n@@ -1,2 +1,2 @@\n one\n-two\n+2\n" },
      files = { a = "one\ntwo\nthree\n" }, after = { a = "one\n2\nthree\n" },
      expect = 'Patch applied: changed "a".' },
  },
  input = {
    type = "object", required = { "patch" },
    properties = { patch = { type = "string", minLength = 1, description = "The unified diff." } },
  },
  run = run,
}
