-- SPDX-License-Identifier: MIT
--- twins: two hosts that are the same, made by chance from a seed, with a view and questions about
--- it.
local twins = {}

local NAMES = { "a", "b.md", "c", "d" }

--- A generator of its own, so that a seed gives the same in every Lua.
local function chance_of(seed)
  local state = seed * 2654435761 % 4294967296 + 1
  return function(most)
    state = (state * 1103515245 + 12345) % 2147483648
    return state // 65536 % most + 1
  end
end

local Twins = {}
Twins.__index = Twins

local function add_file(self, tree, path)
  self.count = self.count + 1
  local token = ("tok%d_%d"):format(self.seed, self.count)
  self.lines[#self.lines + 1] = ("echo %s >%s/%s"):format(token, tree, path)
  self.paths[tree][#self.paths[tree] + 1] = { path = path, kind = "file", token = token }
end

local function add_link(self, tree, path, target, kind)
  self.lines[#self.lines + 1] = ("ln -s %s %s/%s"):format(target, tree, path)
  self.paths[tree][#self.paths[tree] + 1] = { path = path, kind = kind }
end

local function add_tree(self, tree)
  self.paths[tree] = { { path = ".", kind = "directory" } }
  for _, name in ipairs(NAMES) do
    local directory = "in_" .. name:gsub("%W", "")
    self.lines[#self.lines + 1] = ("mkdir -p %s/%s/deep/er"):format(tree, directory)
    add_file(self, tree, name)
    add_file(self, tree, directory .. "/" .. NAMES[self.chance(#NAMES)])
    add_file(self, tree, directory .. "/deep/er/x")
    self.paths[tree][#self.paths[tree] + 1] = { path = directory, kind = "directory" }
  end
  add_link(self, tree, "good", "in_a/deep/er/x", "link")
  add_link(self, tree, "lost", "none", "lost")
  add_link(self, tree, "loop", "loop", "loop")
  add_link(self, tree, "up", "../../../../../../../etc/hostname", "out")
  add_link(self, tree, "abs", "/etc/passwd", "out")
  add_link(self, tree, "next", "../other/a", "out")
  for _, path in ipairs { "none", "in_a/none", "none/none", "a/below" } do
    self.paths[tree][#self.paths[tree] + 1] = { path = path, kind = "missing" }
  end
end

--- Hides a file or directory of a tree that is read-only.
local function hide(self, tree)
  local entries = self.paths[tree]
  local entry = entries[self.chance(#entries - 1) + 1]
  if entry.kind == "file" or entry.kind == "directory" then
    self.hidden[#self.hidden + 1] = "@/" .. tree .. "/" .. entry.path
  end
end

local function json_list(items)
  return #items == 0 and "[]" or '["' .. table.concat(items, '","') .. '"]'
end

--- The view by chance: which trees there are, under which names, and what of them is hidden.
local function make_view(self)
  local chance = self.chance
  local keys = { '"tenants":"@/tenants"', '"root":"@/tenants/{tenant}"' }
  add_tree(self, "tenants/acme")
  add_tree(self, "tenants/other")
  self.seen = { { tree = "tenants/acme", tool = "", inside = "/workspace", writable = true } }
  if chance(4) > 1 then
    add_tree(self, "global")
    keys[#keys + 1] = '"global":"@/global"'
    if chance(2) == 1 then keys[#keys + 1] = '"secret_files":["c"]' end
    for _ = 1, chance(4) do hide(self, "global") end
    self.seen[#self.seen + 1] = { tree = "global", tool = "global/", inside = "/global" }
  end
  local maps = {}
  for index = 1, chance(4) - 1 do
    local tree, writable = "shared/m" .. index, chance(2) == 1
    add_tree(self, tree)
    maps[index] = ('{"src":"@/%s","dst":"map%d","mode":"%s"}'):format(tree, index,
      writable and "rw" or "ro")
    if not writable then hide(self, tree) end
    self.seen[#self.seen + 1] = { tree = tree, tool = "map" .. index .. "/",
      inside = "/map" .. index, writable = writable }
  end
  keys[#keys + 1] = '"maps":[' .. table.concat(maps, ",") .. "]"
  keys[#keys + 1] = '"hide":' .. json_list(self.hidden)
  self.view = "{" .. table.concat(keys, ",") .. "}"
end

--- A path in another spelling that means the same to both.
local function spelled(path, chance)
  if path:find("^none/") or path == "a/below" then return path end
  local how = chance(6)
  if how == 1 then return "./" .. path end
  if how == 2 then return (path:gsub("/", "//")) end
  if how == 3 then return "in_a/../" .. path end
  return path
end

--- Questions: `tool` and `inside` are the path as tools and processes are asked for it, which may
--- be spelled in a roundabout way; `checked` and `host` those that a check is asked for, plainly,
--- by the name inside and by the host's own, which a map has not.
local function make_questions(self)
  local chance = self.chance
  self.questions = {}
  local function ask(operation, seen, entry)
    local path = spelled(entry.path, chance)
    self.questions[#self.questions + 1] = {
      operation = operation, kind = entry.kind, tool = seen.tool .. path,
      inside = seen.inside .. "/" .. path,
      checked = entry.path == "." and seen.inside or seen.inside .. "/" .. entry.path,
      host = not seen.inside:find("^/map") and "@/" .. seen.tree .. "/" .. entry.path or nil,
      token = ("new%d_%d"):format(self.seed, #self.questions), plain = entry.path, seen = seen,
    }
  end
  for _, seen in ipairs(self.seen) do
    for _, entry in ipairs(self.paths[seen.tree]) do
      ask("read", seen, entry)
      ask("list", seen, entry)
      if entry.kind ~= "directory" then ask("write", seen, entry) end
    end
    for index = 1, 4 do
      ask("write", seen, { path = ("made%d/f"):format(index), kind = "new" })
      ask("read", seen, { path = ("made%d/f"):format(index), kind = "new" })
    end
  end
  -- Everything of other tenants, by ways that a view does not have.
  local acme = self.seen[1]
  for _, entry in ipairs(self.paths["tenants/other"]) do
    ask("read", acme, { path = "../other/" .. entry.path, kind = "out" })
  end
end

--- The twins of a seed: `view` (JSON), `questions`, `lines` that make a host. @ is a host's base.
function twins.new(seed)
  local self = setmetatable({
    seed = seed, chance = chance_of(seed), lines = {}, paths = {}, hidden = {}, count = 0,
  }, Twins)
  make_view(self)
  make_questions(self)
  return self
end

--- Makes one of the two in a new directory, which it returns.
function Twins:make()
  local base = os.tmpname()
  os.remove(base)
  local script = assert(io.popen("sh", "w"))
  script:write(("set -e\nmkdir %s\ncd %s\n"):format(base, base))
  script:write(table.concat(self.lines, "\n"), "\n")
  assert(script:close())
  return base
end

return twins
