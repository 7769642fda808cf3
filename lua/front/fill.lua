-- SPDX-License-Identifier: MIT
--- fill: makes a root from a checkout, and copies what sessions made in one.
local core = require("front.core")
local fail = require("front.fail")

local fill = {}

local function as_line(fault) return ("%s: %s\n"):format(fault.shown, fault.reason) end

local function as_json(fault)
  return ('{"path":%s,"code":%s,"reason":%s}\n'):format(core.quote(fault.shown),
    core.quote(fault.code), core.quote(fault.reason))
end

local function show_faults(write, values, faults)
  local show = values.json and as_json or as_line
  local lines = {}
  for index, fault in ipairs(faults) do lines[index] = show(fault) end
  write(table.concat(lines))
  local rest = faults.count - #lines
  if rest > 0 then io.stderr:write(("croft: %d more are not shown\n"):format(rest)) end
end

local function counted(number, one, many)
  return ("%d %s"):format(number, number == 1 and one or many)
end

local function summary(copied)
  local parts = {
    counted(copied.files, "file", "files"), counted(copied.directories, "directory", "directories"),
    counted(copied.links, "link", "links"), counted(copied.bytes, "byte", "bytes"),
  }
  local notes = {}
  if copied.shared > 0 then notes[#notes + 1] = copied.shared .. " share their blocks" end
  if copied.kept > 0 then
    notes[#notes + 1] = ("%d had been copied by an earlier run"):format(copied.kept)
  end
  if copied.left_out > 0 then notes[#notes + 1] = copied.left_out .. " left out" end
  return ("copied %s%s\n"):format(table.concat(parts, ", "),
    #notes > 0 and " (" .. table.concat(notes, ", ") .. ")" or "")
end

local FIELDS = {
  "files", "directories", "links", "bytes", "shared", "kept", "left_out", "unreadable",
}

local function summary_json(copied)
  local parts = {}
  for index, name in ipairs(FIELDS) do parts[index] = ('"%s":%d'):format(name, copied[name]) end
  return "{" .. table.concat(parts, ",") .. "}\n"
end

local function need(command, values, ...)
  for _, name in ipairs { ... } do
    if not values[name] then
      fail.usage('%s needs --%s; see "croft help %s"', command, name, command)
    end
  end
end

local function copy(write, values, verb, from)
  local copied, err = core[verb](from, values.to, {
    read_only_names = values["read-only-name"], skip = values.skip,
    no_fsync = values["no-fsync"],
  })
  show_faults(write, values, copied or err)
  if copied then
    write((values.json and summary_json or summary)(copied))
    return copied.unreadable > 0 and fail.TOOL or fail.DONE
  end
  if err.code ~= "denied" then
    fail.usage("cannot make %s from %s: %s", core.quote(values.to), core.quote(from), err.message)
  end
  io.stderr:write(("croft: %s is refused: %s\n"):format(core.quote(from), err.message))
  return fail.TOOL
end

function fill.fill(write, values)
  need("fill", values, "from", "to")
  return copy(write, values, "fill", values.from)
end

function fill.harvest(write, values, operands)
  need("harvest", values, "to")
  return copy(write, values, "harvest", operands[1])
end

return fill
