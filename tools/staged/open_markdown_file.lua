-- SPDX-License-Identifier: MIT
--- open_markdown_file: holds a file with Markdown, to be looked at by its headings.
local staged = require "croft.staged"
local tool = require "croft.tool"

local DESCRIPTION = [[
Open a file of the workspace that holds Markdown. The answer is a handle, never the text: a file of
any size opens at once.

- "path" is relative to the workspace root: "docs/a.md", never "/docs/a.md", "~" or "..".
?artifact_outline - {artifact_outline} shows its headings with the numbers of their lines.
?artifact_read - {artifact_read} shows its lines, a page at a time.
?artifact_grep - {artifact_grep} finds lines in it that match a pattern.
?stage_file - To change the file use {stage_file}: what is opened can only be looked at.
- ]] .. staged.TRUST

return tool.define(staged.opener {
  name = "open_markdown_file",
  title = "Open a Markdown file",
  description = DESCRIPTION,
  kind = "markdown",
  what = "Markdown",
  shown_by = { "artifact_outline", "artifact_read", "artifact_grep" },
})
