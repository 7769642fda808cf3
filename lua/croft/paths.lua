-- SPDX-License-Identifier: MIT
--- Arguments that name a path, as the core reads them: only for texts, never for access.
local core = require "core.text"

local paths = {}

--- The components of `path` after cleaning; those that climb above the root are left out.
function paths.parts(path)
  local parts = {}
  for _, part in ipairs(core.split(path, "/")) do
    if part == ".." then
      parts[#parts] = nil
    elseif part ~= "" and part ~= "." then
      parts[#parts + 1] = part
    end
  end
  return parts
end

--- `path` as it can be sent: "C:/a" would name a drive.
function paths.sendable(path)
  return path:find("^%a:[/\\]") and "./" .. path or path
end

--- Components `from` to `to` as one path that can be sent; "." where there are none.
function paths.join(parts, from, to)
  if from > to then
    return "."
  end
  return paths.sendable(table.concat(parts, "/", from, to))
end

--- What the paths below the directory `path` begin with: "" or "src/".
function paths.below(path)
  local parts = paths.parts(path)
  return #parts == 0 and "" or table.concat(parts, "/") .. "/"
end

--- The directory in which the last component of `path` lies.
function paths.dir(path)
  local parts = paths.parts(path)
  return paths.join(parts, 1, #parts - 1)
end

--- The last component of `path`; "." for the root.
function paths.base(path)
  local parts = paths.parts(path)
  return parts[#parts] or "."
end

--- The names of the arguments of `definition` that name a path: those that it says, or "path".
function paths.named(definition)
  if definition.paths then
    return definition.paths
  end
  local path = definition.input.properties and definition.input.properties.path
  return path and path.type == "string" and { "path" } or {}
end

return paths
