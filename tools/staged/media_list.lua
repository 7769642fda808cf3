-- SPDX-License-Identifier: MIT
--- media_list: what is staged, and what of it is not saved.
local messages = require "croft.messages"
local staged = require "croft.staged"
local text = require "croft.text"
local tool = require "croft.tool"

local DESCRIPTION = [[
Show all staged media, the oldest first, a line of JSON each: "media_id", the "path" that it was
staged from, its "bytes", "made_of" the medium before it, "saved_path" where it was saved last, and
"unsaved", true where its content is on no disk and will be lost with the session.

?save_media - {save_media} with a "media_id" and a "path" saves one.]]

--- One medium on a line, in a fixed order.
local function line_of(info)
  local parts = {
    '{"media_id":' .. text.quote(info.handle), ('"path":%s'):format(text.quote(info.path)),
    ('"bytes":%d'):format(info.size), ('"mime":%s'):format(text.quote(staged.mime(info.path))),
    ('"trust":%s'):format(text.quote(staged.TIER)), ('"unsaved":%s'):format(info.unsaved),
  }
  if info.made_of then
    parts[#parts + 1] = ('"made_of":%s'):format(text.quote(info.made_of))
  end
  if info.saved_path then
    parts[#parts + 1] = ('"saved_path":%s'):format(text.quote(info.saved_path))
  end
  return table.concat(parts, ",") .. "}"
end

local function run(_, ctx)
  local lines, unsaved = {}, 0
  for _, info in ipairs(ctx.artifacts:list()) do
    if info.kind == "media" then
      lines[#lines + 1] = line_of(info)
      unsaved = unsaved + (info.unsaved and 1 or 0)
    end
  end
  local id = #lines == 0 and "Y1" or "Y2"
  local said = messages.text(id, { k = #lines, u = unsaved })
  return messages.join(table.concat(lines, "\n"), { said })
end

return tool.define {
  name = "media_list",
  title = "List staged media",
  description = DESCRIPTION,
  access = "read",
  input = { type = "object", properties = {} },
  run = run,
}
