-- SPDX-License-Identifier: MIT
--- open_json_file: holds a file with JSON, to be asked for its values.
local staged = require "croft.staged"
local tool = require "croft.tool"

local DESCRIPTION = [[
Open a file of the workspace that holds JSON. The answer is a handle, never the text: a file of any
size opens at once.

- "path" is relative to the workspace root: "data/a.json", never "/data/a.json", "~" or "..".
?artifact_json - {artifact_json} shows a value of it by its JSON Pointer, such as "/items/0/name".
?artifact_read - {artifact_read} shows its lines, also when it turns out to be no JSON.
?artifact_grep - {artifact_grep} finds lines in it that match a pattern.
?stage_file - To change the file use {stage_file}: what is opened can only be looked at.
- ]] .. staged.TRUST

return tool.define(staged.opener {
  name = "open_json_file",
  title = "Open a JSON file",
  description = DESCRIPTION,
  kind = "json",
  what = "JSON",
  shown_by = { "artifact_json", "artifact_read", "artifact_grep" },
})
