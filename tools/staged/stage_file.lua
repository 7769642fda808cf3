-- SPDX-License-Identifier: MIT
--- stage_file: a file as a medium in memory, which can be changed and saved.
local staged = require "croft.staged"
local tool = require "croft.tool"

local DESCRIPTION = [[
Nothing is on disk until {save_media} saves it: this puts a file of the workspace in memory, as a
medium, and writes nothing.

- "path" is relative to the workspace root: "src/a.c", never "/src/a.c", "~" or "..".
- The answer has the "media_id" of the medium.
?apply_patch - {apply_patch} makes a changed medium of it, which is in memory too.
?save_media - {save_media} is the one step that writes: a medium that was changed and not saved
?save_media   has changed nothing.
?artifact_read - {artifact_read} shows the lines of a medium.
?media_list - {media_list} shows what is staged and not saved.
- ]] .. staged.TRUST

local function run(args, ctx)
  local info = ctx.artifacts:stage(staged.path(args.path, "read"))
  local media_type = staged.mime(info.path)
  local id = ctx.offers("save_media") and "O2" or "O2_read_only"
  return staged.handed(id, info, {
    what = media_type,
    structured = {
      media_id = info.handle, media_kind = staged.media_kind(media_type), filename = info.path,
      is_on_disk = false,
    },
  })
end

return tool.define {
  name = "stage_file",
  title = "Stage a file",
  description = DESCRIPTION,
  access = "read",
  annotations = { idempotentHint = false },
  input = staged.file_input(),
  run = run,
}
