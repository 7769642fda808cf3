-- SPDX-License-Identifier: MIT
--- Fills in the sentences of croft.texts.
local core = require "core.text"
local paths = require "croft.paths"
local texts = require "croft.texts"

local messages = {}

--- Longest quotation that is not the value of an argument, in bytes.
local SHOWN = 200

local names = { list = "list", read = "read", grep = "grep", write = "write", edit = "edit" }

--- Says under which names the five tools are offered: each with `prefix` before it.
function messages.use_prefix(prefix)
  for name in pairs(names) do
    names[name] = prefix .. name
  end
end

--- The advertised name of one of the five tools.
function messages.tool(name)
  return names[name] or error("no tool is called " .. tostring(name), 2)
end

--- `text` with `{list}`, `{read}` and so on replaced by the names of those tools.
function messages.with_names(text)
  for _, name in ipairs { "list", "read", "grep", "write", "edit" } do
    text = table.concat(core.split(text, "{" .. name .. "}"), names[name])
  end
  return text
end

--- `1 line`, `3 lines`; a plural that is not the singular with "s" is given.
function messages.count(number, one, many)
  if number == 1 then
    return "1 " .. one
  end
  return ("%s %s"):format(number, many or one .. "s")
end

--- `32 KiB`, `4 MiB`, `1000 bytes`.
function messages.size(bytes)
  if bytes >= 1048576 and bytes % 1048576 == 0 then
    return ("%d MiB"):format(bytes // 1048576)
  elseif bytes >= 1024 and bytes % 1024 == 0 then
    return ("%d KiB"):format(bytes // 1024)
  end
  return messages.count(bytes, "byte")
end

--- Milliseconds as seconds: `10`, `0.25`.
function messages.seconds(milliseconds)
  return ("%.3g"):format(milliseconds / 1000)
end

--- A file name or path that came from the file system: one line, and characters only.
function messages.shown(name)
  if core.is_utf8(name) then
    return name
  end
  return (core.name(name))
end

local function quotation(value, whole)
  value = tostring(value)
  if not whole and #value > SHOWN then
    value = core.cut(value, SHOWN) .. "..."
  end
  return core.quote(value)
end

local function counted(value, forms)
  return messages.count(value, forms[2], forms[3])
end

--- Where the next placeholder of `template` begins and ends, at or after `from`.
local function placeholder(template, from)
  local open = core.find(template, "{", from)
  while open do
    local first = template:byte(open + 1)
    if first and first >= 0x61 and first <= 0x7A then
      return open, assert(core.find(template, "}", open), "not closed: " .. template)
    end
    open = core.find(template, "{", open + 1)
  end
end

local function lookup(id, name, values)
  local value = values[name]
  if value == nil then
    value = names[name]
  end
  if value == nil then
    error(("message %s has no value for {%s}"):format(id, name), 0)
  end
  return value
end

--- The literal before a placeholder, the placeholder filled in, and where the rest begins.
local function fill_one(id, template, from, open, close, values)
  local forms = core.split(template:sub(open + 1, close - 1), "|")
  local value = lookup(id, forms[1], values)
  if #forms > 1 then
    return template:sub(from, open - 1), counted(value, forms), close + 1
  end
  if template:sub(open - 1, open - 1) == '"' and template:sub(close + 1, close + 1) == '"' then
    local whole = template:sub(open - 3, open - 2) == ": "
    return template:sub(from, open - 2), quotation(value, whole), close + 2
  end
  return template:sub(from, open - 1), tostring(value), close + 1
end

local function fill(id, template, values)
  local out, from = {}, 1
  local open, close = placeholder(template, 1)
  while open do
    local before, filled, after = fill_one(id, template, from, open, close, values)
    out[#out + 1] = before
    out[#out + 1] = filled
    from = after
    open, close = placeholder(template, from)
  end
  out[#out + 1] = template:sub(from)
  return table.concat(out)
end

--- The text `id` with `values` filled in. A missing value and an unknown id are errors.
function messages.text(id, values)
  local template = texts.refusals[id] or texts.notices[id] or texts.remedies[id]
  if not template then
    error("there is no message " .. tostring(id), 2)
  end
  return fill(id, template, values or {})
end

--- The last line of a result: all `notices` in one pair of brackets, so that no content can pose as
--- one. nil when there are none.
function messages.trailer(notices)
  if #notices == 0 then
    return nil
  end
  return "[" .. table.concat(notices, "; ") .. "]"
end

--- `body` and its trailer, each where it is there.
function messages.join(body, notices)
  local trailer = messages.trailer(notices)
  if not trailer then
    return body
  end
  return body == "" and trailer or body .. "\n" .. trailer
end

--- `line 3`, `lines 3, 9 and 14`, `lines 3, 9, 14, ... (20 in all)`.
function messages.lines(numbers, total)
  if #numbers == 1 and total <= 1 then
    return "line " .. numbers[1]
  end
  local shown = table.concat(numbers, ", ")
  if total > #numbers then
    return ("lines %s, ... (%d in all)"):format(shown, total)
  end
  return "lines " .. shown
end

local function excluded_list(found)
  local shown = {}
  for _, name in ipairs(found.excluded_names) do
    shown[#shown + 1] = (core.name(name))
  end
  if found.excluded > #shown then
    shown[#shown + 1] = ("... (%d in all)"):format(found.excluded)
  end
  return table.concat(shown, ", ")
end

--- `name`, found below the directory `path`, as it can be sent.
local function below(path, name)
  local parts = paths.parts(path)
  parts[#parts + 1] = name
  return messages.shown(table.concat(parts, "/"))
end

--- What a walk below the directory `path` did not enter, as notices. `found` is what fs:list and
--- fs:search return, `tool` the advertised name of the tool that walked, `depth` its deepest level.
function messages.walk(found, tool, path, depth)
  local notices = {}
  local function add(id, values)
    notices[#notices + 1] = messages.text(id, values)
  end
  if found.unreadable_directories > 0 then
    add("L6", { k = found.unreadable_directories, name = below(path, found.first_unreadable) })
  end
  if found.deep > 0 then
    add("T6", { k = found.deep, n = depth, name = below(path, found.first_deep), tool = tool })
  end
  if found.other_mounts > 0 then
    add("T8_walk", { k = found.other_mounts })
  end
  if found.excluded > 0 then
    add("T15", { which = excluded_list(found) })
  end
  return notices
end

return messages
