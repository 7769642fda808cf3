-- SPDX-License-Identifier: MIT
--- What a model is told: sentences filled in, and the notices that tools share.
local core = require "core.text"
local paths = require "croft.paths"
local template = require "croft.template"
local wording = require "croft.wording"

local messages = {}

--- The advertised name of one of croft's own tools.
function messages.tool(name)
  return wording.tool(name) or error("no tool is called " .. tostring(name), 2)
end

--- `text` with `{list}`, `{read}` and so on replaced by the names of those tools.
function messages.with_names(text)
  for slot, name in pairs(wording.tools()) do
    text = table.concat(core.split(text, "{" .. slot .. "}"), name)
  end
  return text
end

messages.count = template.count -- (number, one, many) -> `1 line`, `3 lines`

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

--- What was used up, of a search or walk that ended because its budget ran short: `10 s`,
--- `50000000 steps`. `found` tells it (short_of).
function messages.spent(found, limits)
  if found.short_of == "steps" then
    return messages.text("T2_steps", { n = limits.steps })
  end
  return messages.text("T2_time", { t = messages.seconds(limits.time) })
end

--- A file name or path that came from the file system: one line, and characters only.
function messages.shown(name)
  if core.is_utf8(name) then
    return name
  end
  return (core.name(name))
end

--- `sentence` where it says that nothing was done, and `made` directories were made all the same.
local function with_made(sentence, made)
  local said = wording.sentence(made == 1 and "T3_made" or "T3_made_more")
  return (sentence:gsub("Nothing was (%l+)%.", function(done)
    return (said:gsub("{done}", done))
  end, 1))
end

--- What `name` stands for: one of `values`, or of the names of tools.
local function looked_up(name, values, what, of)
  local value = values and values[name]
  if value == nil then
    value = wording.tool(name)
  end
  if value == nil then
    error(("%s %s has no value for {%s}"):format(what, of, name), 0)
  end
  return value
end

local function fill(sentence, values, what, of)
  return template.filled(sentence, values) or template.fill(sentence, function(name)
    return looked_up(name, values, what, of)
  end)
end

--- The text `id` with `values` filled in. A missing value and an unknown id are errors.
function messages.text(id, values)
  local sentence = wording.sentence(id) or error("there is no message " .. tostring(id), 2)
  if values and values.made and values.first_made then
    sentence = with_made(sentence, values.made)
  end
  return fill(sentence, values, "message", id)
end

--- `sentence`, in the form that croft.texts explains, with `values` filled in.
function messages.fill(sentence, values)
  return fill(sentence, values, "the message", core.quote(core.cut(sentence, 40)))
end

--- The last line of a result: all `notices` in one pair of brackets, so that no content can pose as
--- one. nil when there are none.
function messages.trailer(notices)
  if #notices == 0 then
    return nil
  end
  return "[" .. (notices[2] and table.concat(notices, "; ") or notices[1]) .. "]"
end

--- `body` and, behind it, its trailer.
function messages.with_trailer(body, trailer)
  return body == "" and trailer or body .. "\n" .. trailer
end

--- `body` and its trailer, each where it is there.
function messages.join(body, notices)
  local trailer = messages.trailer(notices)
  return trailer and messages.with_trailer(body, trailer) or body
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
  return messages.shown(paths.join(parts, 1, #parts))
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

--- What a search skipped, as a list in words ("" for nothing), and of how many files. `found` is
--- what fs:search returns, `ceiling` the size above which files are not searched.
function messages.skipped(found, ceiling)
  local parts, total = {}, found.binary + found.large + found.unreadable
  if found.binary > 0 then
    parts[#parts + 1] = messages.text("G12_binary", { k = found.binary })
  end
  if found.large > 0 then
    parts[#parts + 1] = messages.text("G12_large", {
      k = found.large, name = messages.shown(found.first_large or ""),
      ceiling = messages.size(ceiling),
    })
  end
  if found.unreadable > 0 then
    parts[#parts + 1] = messages.text("G12_unreadable", { k = found.unreadable })
  end
  return table.concat(parts, ", "), total
end

return messages
