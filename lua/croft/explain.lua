-- SPDX-License-Identifier: MIT
--- From the structured error of a primitive to the sentence that a model reads.
local core = require "core.text"
local look = require "croft.look"
local messages = require "croft.messages"
local paths = require "croft.paths"
local staging = require "core.staging"
local view = require "core.view"

local explain = {}

--- Bytes of a path and of a name in it; the core holds them too.
local PATH_BYTES, NAME_BYTES = 4095, 255

--- "skills, docs and context": what is read-only in this workspace, where that is several names.
local function read_only_names()
  local names = {}
  for i, name in ipairs(view.read_only_names) do names[i] = name end
  local last = table.remove(names)
  return #names > 0 and table.concat(names, ", ") .. " and " .. last or nil
end

--- What the tool set has to say of errors, by their codes.
local of_set = staging.toolset == "staged" and require "croft.staged_errors" or {}

--- What primitives that change something call themselves.
local WRITES = { write = true, mkdir = true, remove = true, rename = true }

local say = {}

--- The end of a refusal of a path by its syntax.
local function way_inside(seen, path)
  local rel = seen:tail_inside(path)
  if rel then
    return messages.text("P1_inside", { arg = seen.arg, rel = rel })
  end
  return messages.text("A_names")
end

--- The same of one that begins with a drive, where a directory may have its name.
local function way_past_drive(seen)
  seen.a = "./" .. seen.p
  local found = seen:stat(seen.a) or seen:stat("./" .. seen.parts[1])
  if found then
    seen.top = seen.parts[1]
    return messages.text("P1_here", seen)
  end
  return way_inside(seen, seen.p:sub(3))
end

function say.outside(seen)
  local detail = seen.err.detail
  if detail == "absolute" then
    seen.remedy = way_inside(seen, seen.p)
    return messages.text("P1", seen)
  elseif detail == "drive" then
    seen.remedy = way_past_drive(seen)
    return messages.text("P1_drive", seen)
  elseif detail == "climbs" then
    seen.remedy = way_inside(seen, seen.p)
    return messages.text("P2", seen)
  end
  return messages.text("P3", seen)
end

function say.missing(seen)
  local itself, close = seen:neighbours()
  seen.a, seen.b = close[1], close[2]
  if itself and itself.type == "link" then
    return messages.text("P5_link", seen)
  elseif seen.b then
    return messages.text("P4_two", seen)
  elseif seen.a then
    return messages.text("P4", seen)
  end
  return messages.text(seen:at_end() and "P5" or "P6", seen)
end

--- A path that a mask hides or a policy denies does not exist (D3). One that a gate did not let
--- through is another matter: it can be asked for by its own name. A directory goes nowhere with
--- what may not.
function say.denied(seen)
  if seen.err.detail == "contents" then
    return messages.text("V_contents", seen)
  elseif seen.err.detail ~= "elsewhere" then
    seen:blame_first_absent()
    return say.missing(seen)
  end
  seen.other = seen.err.reason
  return messages.text(seen.other == seen.p and "V_unasked" or "V_elsewhere", seen)
end

function say.not_a_directory(seen)
  local part, is_last, size = seen:first_file()
  if not part then
    local itself = seen:neighbours()
    return messages.text(itself and itself.type == "link" and "P7_link" or "P7", seen)
  end
  seen.part, seen.dir, seen.size = part, paths.dir(part), size
  if not is_last then
    return messages.text("P7", seen)
  end
  return messages.text(seen.err.op == "list" and "L4" or "P7_end", seen)
end

function say.not_a_file(seen)
  return messages.text("P8", seen)
end

function say.not_regular(seen)
  seen.kind, seen.dir = seen.err.detail, paths.dir(seen.p)
  return messages.text("P9", seen)
end

function say.loop(seen)
  return messages.text(seen.err.detail == "long" and "P10_long" or "P10", seen)
end

function say.unreadable(seen)
  if seen.err.detail == "wall" then
    return messages.text("P25", seen)
  end
  return messages.text(WRITES[seen.err.op] and "P12_write" or "P12_read", seen)
end

local function outside_read_only(seen)
  if seen.err.op == "remove" or seen.err.op == "rename" and not seen.err.is_target then
    return messages.text("P13_names", seen)
  end
  local edits = seen.tool == messages.tool("edit")
  seen.a = "notes/" .. (seen.parts[#seen.parts] or "notes.md")
  return messages.text(edits and "P13_edit" or "P13_write", seen)
end

--- By which way a path is protected, its spelling apart: the numbers are the core's.
local PROTECTED = { "P14", "P14_now", "P14_start", "P14_way" }

function say.read_only(seen)
  seen.top = seen.err.detail
  if not seen.top or seen.top == "" then
    return messages.text("P13_all", seen)
  end
  seen.remedy, seen.dir = outside_read_only(seen), paths.dir(seen.p)
  if PROTECTED[seen.err.at] then
    return messages.text(PROTECTED[seen.err.at], seen)
  end
  seen.names = read_only_names()
  return messages.text(seen.names and "P13" or "P13_own", seen)
end

--- What lies across mounts, by the detail of the error. "kept" is --one-file-system.
local MOUNTS = { kept = "T8", systems = "P26", trees = "P26_trees", whole = "P26_whole" }

function say.crosses_mount(seen)
  local id = MOUNTS[seen.err.detail]
  if not id then
    return say.io(seen)
  end
  seen.remedy = messages.text(seen.err.is_directory and "P26_directory" or "P26_file", seen)
  return messages.text(id, seen)
end

function say.already_exists(seen)
  return messages.text("P20", seen)
end

function say.too_large(seen)
  seen.size = seen.err.size
  return messages.text("P17", seen)
end

function say.changed(seen)
  return messages.text(seen.err.detail == "removed" and "P18_removed" or "P18", seen)
end

function say.gone(seen)
  return messages.text("T5", seen)
end

function say.busy(seen)
  return messages.text(seen.err.detail == "mount" and "P27" or "T7", seen)
end

function say.exhausted(seen)
  return messages.text("T19", seen)
end

function say.owner(seen)
  local other = "new-" .. paths.base(seen.p)
  seen.a = seen.dir == "." and other or seen.dir .. "/" .. other
  return messages.text("T9", seen)
end

function say.no_space(seen)
  if seen.err.detail ~= "limit" then
    return messages.text("P16_full", seen)
  end
  local dir, other = paths.dir(seen.p), "more-" .. paths.base(seen.p)
  seen.a = dir == "." and other or dir .. "/" .. other
  return messages.text("P16_limit", seen)
end

function say.io(seen)
  return messages.text(WRITES[seen.err.op] and "P16_write" or "P16_read", seen)
end

local function bad_glob(seen, arg)
  return messages.text("L7", {
    arg = arg, reason = seen.err.reason, i = seen.err.position, glob = seen.args[arg] or "",
    example = arg == "glob" and "**/*.md" or "node_modules",
  })
end

--- The path with `name` in the place of the component at fault.
local function with_name(seen, name)
  local parts = table.move(seen.parts, 1, #seen.parts, 1, {})
  parts[math.max(seen.at, 1)] = name
  return paths.join(parts, 1, #parts)
end

--- Another name for one that is reserved: what follows the prefix, or a plain one.
local function free_name(seen)
  local rest = seen.base:sub(#".~croft-" + 1)
  return with_name(seen, rest ~= "" and rest or "notes.md")
end

--- Bytes of a name that any file system takes.
local SHORT_NAME = 100

--- What there is to send instead of a path with a name that is too long.
local function shorter(seen)
  if not WRITES[seen.err.op] then
    return messages.text("A_names")
  end
  local ending = seen.base:match("%.%w+$") or ""
  ending = #ending < SHORT_NAME // 2 and ending or ""
  seen.a = with_name(seen, core.cut(seen.base, SHORT_NAME - #ending) .. ending)
  return messages.text("P11_shorter", seen)
end

--- A path, or a name in it, is too long: for croft, or for the file system that it is on.
local function too_long(seen)
  if #seen.p > PATH_BYTES then
    seen.n = PATH_BYTES
    return messages.text("P11_long", seen)
  end
  seen.n, seen.remedy = NAME_BYTES, shorter(seen)
  return messages.text(seen.err.errno == 0 and "P11_name" or "P11_disk", seen)
end

--- What names cannot be removed or moved, by the detail of the error.
local NAMES = { root = "P21", not_empty = "P22", into_itself = "P23", same_file = "P24" }

function say.bad_argument(seen)
  local detail = seen.err.detail
  if NAMES[detail] then
    return messages.text(NAMES[detail], seen)
  end
  if detail == "glob" or detail == "exclude" then
    return bad_glob(seen, detail)
  elseif detail == "reserved" then
    seen.a = free_name(seen)
    return messages.text("T10", seen)
  elseif detail == "reserved_link" then
    return messages.text("T10_link", seen)
  elseif detail == "slash" then
    seen.a = paths.join(seen.parts, 1, #seen.parts) .. "/notes.md"
    return messages.text("P15", seen)
  elseif detail == "long" then
    return too_long(seen)
  elseif detail == "link_long" then
    seen.n = NAME_BYTES
    return messages.text("P11_link", seen)
  elseif detail == "nul" or detail == "utf8" or detail == "empty" or detail == "deep" then
    return messages.text("P11_" .. detail, seen)
  end
end

function say.bad_pattern(seen)
  if seen.err.detail == "expensive" then
    return messages.text("P19_expensive", seen)
  end
  seen.reason, seen.i = seen.err.reason or "it is not supported", seen.err.position or 0
  return messages.text("P19", seen)
end

--- The sentence for the structured error `err`, raised while `definition` ran with `args`: the
--- tool's own where it has one, else the usual one. An error that no call can cause is a fault of
--- the tool.
function explain.sentence(err, definition, args, ctx)
  if err.text then
    return err.text
  end
  local seen = look.new(err, args, ctx)
  local own = definition.explain and definition.explain[err.code]
  local shared = of_set[err.code]
  local sentence = own and own(err, seen) or shared and shared(err, seen)
  if not sentence and say[err.code] then
    sentence = say[err.code](seen)
  end
  return sentence or messages.text("T4", seen)
end

return explain
