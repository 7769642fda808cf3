-- SPDX-License-Identifier: MIT
--- Looks around a path that was refused, so that the refusal can name a next call that works. Every
--- look is bounded, and one that fails finds nothing.
local core = require "core.text"
local near = require "croft.near"
local paths = require "croft.paths"

local look = {}

--- Its methods. A tool's own explanation gets a look, and must not change what others get.
local methods = {}
local metatable = { __index = methods, __metatable = false }

--- Most entries of a directory that are compared with a name.
local MOST_ENTRIES = 1000

--- Most leading components that are left out in search of a path that exists.
local MOST_TAILS = 16

--- The name of the argument that holds `path`.
local function argument_of(args, path)
  local found = "path"
  for name, value in pairs(args) do
    if value == path and args.path ~= path and (found == "path" or name < found) then
      found = name
    end
  end
  return found
end

--- Which of the `parts` of the path `err` is about. Of what is protected `at` tells something else.
local function at_fault(err, parts)
  if not err.at or err.code == "read_only" then
    return #parts
  end
  return math.min(err.at + 1, #parts)
end

--- Takes the component `at` for the one at fault.
function methods:blame(at)
  self.at = at
  self.part = paths.join(self.parts, 1, at)
  self.dir = paths.join(self.parts, 1, at - 1)
  self.base = self.parts[at] or "."
end

--- What there is to say about the structured error `err` of a call: `p` the path as sent, `arg` the
--- argument that holds it, `tool`, `part` the path up to the component at fault, `dir` the
--- directory that holds that component, `base` its name. `made` directories were made before, from
--- `first_made` on, and stay.
function look.new(err, args, ctx)
  local p = err.path or args.path or "."
  local parts = paths.parts(p)
  local seen = setmetatable({
    err = err, args = args, ctx = ctx, tool = ctx.tool, p = p, parts = parts,
    arg = argument_of(args, p), made = err.made,
    first_made = err.first_made and (core.name(err.first_made)),
  }, metatable)
  seen:blame(at_fault(err, parts))
  return seen
end

--- Whether the last component is the one at fault.
function methods:at_end()
  return self.at >= #self.parts
end

--- What ctx.fs:stat says of `path`; nil when it cannot be reached.
function methods:stat(path)
  local ok, found = pcall(self.ctx.fs.stat, self.ctx.fs, path)
  return ok and found or nil
end

--- The first of the tails of `path` that exists inside, without its first, two first, ...
--- components.
function methods:tail_inside(path)
  local parts = paths.parts(path)
  if #parts == 0 then
    return "."
  end
  for i = 1, math.min(#parts, MOST_TAILS) do
    local tail = paths.join(parts, i, #parts)
    if self:stat(tail) then
      return tail
    end
  end
end

--- The path up to the first component that is no directory; nil when none can be told. (An error of
--- the last step does not say which component it is.)
function methods:first_file()
  for i = 1, #self.parts do
    local path = paths.join(self.parts, 1, i)
    local found = self:stat(path)
    if not found then
      return nil
    elseif found.type ~= "directory" then
      return path, i == #self.parts, found.size
    end
  end
end

--- Takes the first component that cannot be reached for the one at fault.
function methods:blame_first_absent()
  for at = 1, math.min(#self.parts - 1, MOST_TAILS) do
    if not self:stat(paths.join(self.parts, 1, at)) then
      return self:blame(at)
    end
  end
end

--- The entries of the directory `dir`; none when it cannot be listed.
function methods:entries(dir)
  local options = { depth = 1, max = MOST_ENTRIES, bytes = self.ctx.limits.result_bytes }
  local ok, found = pcall(self.ctx.fs.list, self.ctx.fs, dir, options)
  return ok and found.entries or {}
end

--- Whether an entry may be what the primitive `op` wanted.
local function is_wanted(entry, op, is_last)
  local is_directory = entry.type == "directory" or entry.target_is_directory
  if not is_last or op == "list" then
    return is_directory
  elseif op == "grep" or op == "stat" or op == "remove" or op == "rename" then
    return true
  end
  return entry.type == "file" or entry.target and not is_directory
end

--- The entry that is the component at fault itself (a link that leads nowhere), and up to two paths
--- close to what was sent, each of which exists.
function methods:neighbours()
  local names, itself = {}, nil
  for _, entry in ipairs(self:entries(self.dir)) do
    local name = paths.base(entry.path)
    if name == self.base then
      itself = entry
    elseif core.is_utf8(name) and is_wanted(entry, self.err.op, self:at_end()) then
      names[#names + 1] = name
    end
  end
  local found = {}
  for _, name in ipairs(near.best(self.base, names, 2)) do
    local path = paths.sendable(self.dir == "." and name or self.dir .. "/" .. name)
    local rest = self:at_end() and "" or "/" .. paths.join(self.parts, self.at + 1, #self.parts)
    if rest == "" or self:stat(path .. rest) then
      found[#found + 1] = path .. rest
    end
  end
  return itself, found
end

return look
