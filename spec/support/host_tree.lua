-- SPDX-License-Identifier: MIT
--- A directory of the host's, with what lines of shell put in it, that is thrown away.
local host_tree = {}

local function quoted(text) return "'" .. text:gsub("'", "'\\''") .. "'" end

local Tree = {}
Tree.__index = Tree

--- Runs lines of shell in it.
function Tree:run(lines)
  assert(os.execute(("cd %s && { set -e\n%s\n}"):format(quoted(self.base), lines)))
end

--- The text of a file, or nil.
function Tree:text(path)
  local file = io.open(self.base .. "/" .. path, "rb")
  local text = file and file:read("a")
  if file then file:close() end
  return text
end

--- A host's path: "@/a" is a in the directory.
function Tree:path(text) return (text:gsub("@", self.base)) end

--- A configuration with each "@" of its texts replaced.
function Tree:filled(value)
  if type(value) == "string" then return self:path(value) end
  if type(value) ~= "table" then return value end
  local copy = {}
  for key, inner in pairs(value) do copy[key] = self:filled(inner) end
  return copy
end

function Tree:remove() os.execute("rm -rf -- " .. quoted(self.base)) end

function host_tree.make(lines)
  local pipe = assert(io.popen('mktemp -d "${TMPDIR:-/tmp}/croft-view.XXXXXX"'))
  local tree = setmetatable({ base = pipe:read("l") }, Tree)
  pipe:close()
  tree:run(lines)
  return tree
end

return host_tree
