-- SPDX-License-Identifier: MIT
--- open_file: holds a file, to be looked at piece by piece.
local staged = require "croft.staged"
local tool = require "croft.tool"

local DESCRIPTION = [[
Open a file of the workspace to look at it. The answer is a handle, never the text: a file of any
size opens at once, and is read piece by piece.

- "path" is relative to the workspace root: "docs/a.md", never "/docs/a.md", "~" or "..".
?artifact_read - {artifact_read} shows its lines, a page at a time.
?artifact_grep - {artifact_grep} finds lines in it that match a pattern.
?stage_file - To change the file use {stage_file}: what is opened can only be looked at.
- The handle is good in this session, also when the file is renamed; what shows it says when the
  file was changed since.
- ]] .. staged.TRUST

return tool.define(staged.opener {
  name = "open_file",
  title = "Open a file",
  description = DESCRIPTION,
  kind = "text",
  shown_by = { "artifact_read", "artifact_grep" },
})
