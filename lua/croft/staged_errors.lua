-- SPDX-License-Identifier: MIT
--- What errors mean in a session with the staged tool set, by their codes: functions that return a
--- sentence or nil, as in `explain` of tool.define. They come before those of croft.explain.
local messages = require "croft.messages"

local staged_errors = {}

local REJECTED = { home = "K1", device = "K2", share = "K3" }

function staged_errors.outside(err, look)
  local id = REJECTED[err.detail]
  if not id then
    return nil
  end
  local rest = look.p:gsub("\\", "/"):gsub("^~[^/]*", ""):gsub("^/+[?.]/", "")
  local inside = look:tail_inside(rest)
  if inside and inside ~= "." then
    look.remedy = messages.text("P1_inside", { arg = look.arg, rel = inside })
  else
    look.remedy = messages.text("A_names")
  end
  return messages.text(id, look)
end


--- What is known of the handle that a refusal is about: `handle`, and `p`, the path of its file.
local function about(err, look)
  local handle = err.path or ""
  local ok, info = pcall(look.ctx.artifacts.info, look.ctx.artifacts, handle)
  return { handle = handle, p = ok and info.path or handle, tool = look.tool }
end

function staged_errors.missing(err)
  if err.detail == "handle" then
    return messages.text("H1", { handle = err.path })
  end
end

function staged_errors.too_many(_, look)
  return messages.text("H2", { n = look.ctx.limits.handles })
end

function staged_errors.changed(err, look)
  if err.detail == "handle" then
    return messages.text("H4", about(err, look))
  end
end

function staged_errors.too_large(err, look)
  local seen = about(err, look)
  seen.size = err.size
  if err.detail == "room" then
    seen.n = look.ctx.limits.staged_bytes
    return messages.text("H3", seen)
  elseif err.detail == "handle" then
    local saves = look.tool == messages.tool("save_media")
    seen.n = saves and look.ctx.limits.write_bytes or look.ctx.limits.edit_bytes
    return messages.text(saves and "V5" or "H6", seen)
  end
end

function staged_errors.bad_argument(err, look)
  if err.detail == "not_media" then
    return messages.text("H5", about(err, look))
  elseif err.detail == "not_describable" then
    return messages.text("H7", { handle = err.path })
  elseif err.detail == "pointer" then
    return messages.text("J1")
  end
end

return staged_errors
