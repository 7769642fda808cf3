-- SPDX-License-Identifier: MIT
--- save_media: writes a staged medium to the workspace.
local messages = require "croft.messages"
local staged = require "croft.staged"
local text = require "croft.text"
local tool = require "croft.tool"

local DESCRIPTION = [[
Nothing is on disk until this saves it: it writes a staged medium to a file of the workspace, in
full or not at all, and is the one step that makes a change real.

- "media_id" is what {stage_file} gave.
?apply_patch   A changed medium is what {apply_patch} gave: save that one, not the one before.
- "path" is relative to the workspace root: "out/a.c", never "/out/a.c", "~" or "..". Directories on
  the way are made. No part of it may be a link. What lies in skills, docs, templates and context is
  read-only.
- What was staged from "path" is replaced only while it still is what it was; another file that
  exists is not replaced. "overwrite": true does both all the same.
- The answer says how many bytes the file has on disk.]]

local function refusal(id, err, look)
  look.handle, look.size = look.args.media_id, err.size
  return messages.text(id, look)
end

local function exists(err, look)
  return err.op == "write" and refusal("V1", err, look) or nil
end

local function changed(err, look)
  return err.op == "write" and err.detail ~= "removed" and refusal("V2", err, look) or nil
end

--- The first part of the path that is a link; the whole where none is found any more.
local function link_in(look)
  for i = 1, #look.parts do
    local path, dir = staged.join(look.parts, 1, i), staged.join(look.parts, 1, i - 1)
    for _, entry in ipairs(look:entries(dir)) do
      if entry.path == path and entry.type == "link" then
        return path, dir
      end
    end
  end
  return look.p, "."
end

local function is_link(err, look)
  if err.detail ~= "link" then
    return nil
  end
  look.part, look.dir = link_in(look)
  return refusal("V3", err, look)
end

local function outside(err, look)
  if err.detail ~= "write_root" then
    return nil
  end
  look.root = staged.WRITE_ROOT
  look.a = staged.WRITE_ROOT .. "/" .. (look.parts[#look.parts] or "notes.md")
  return refusal("V4", err, look)
end

local function run(args, ctx)
  local path = staged.path(args.path, "write")
  local done = ctx.artifacts:save(args.media_id, path, { overwrite = args.overwrite })
  local parts = staged.parts(path)
  local shown = staged.join(parts, 1, #parts)
  local said = messages.text(done.same and "X2" or "X1", {
    p = text.name(shown), size = done.size, -- on one line, whatever the name is
  })
  if done.made > 0 then
    said = said .. "." .. messages.text(done.made == 1 and "W1_made" or "W1_made_more", {
      k = done.made, name = done.first_made,
    })
  end
  if done.links > 1 then
    said = said .. "." .. messages.text("T11", { n = done.links })
  end
  if done.not_confirmed then
    said = said .. "." .. messages.text("W13")
  end
  return {
    text = said,
    structured = {
      media_id = args.media_id, path = shown, bytes = done.size, created = done.created,
      is_on_disk = true,
    },
  }
end

return tool.define {
  name = "save_media",
  title = "Save a medium",
  description = DESCRIPTION,
  access = "write",
  explain = {
    already_exists = exists, changed = changed, bad_argument = is_link, outside = outside,
  },
  samples = { path = "out/notes.md", overwrite = true },
  input = {
    type = "object",
    required = { "media_id", "path" },
    properties = {
      media_id = { type = "string", minLength = 1, description = "The medium to save." },
      path = { type = "string", minLength = 1,
        description = "File to write, relative to the workspace root." },
      overwrite = { type = "boolean",
        description = "Replace what is there, whatever it is. Default: false." },
    },
  },
  run = run,
}
