-- SPDX-License-Identifier: MIT
--- Replaces texts in the bytes of a file: exactly, one after another, all or none.
local diagnose = require "croft.diagnose"
local messages = require "croft.messages"
local text = require "croft.text"

local edits = {}

--- The old text of a larger file is not kept to find out which edit took away the text of another.
local KEPT_BYTES = 1048576

--- Places that are named in a sentence.
local MOST_LINES = 10

--- The old and the new text as they must be in this file, and whether the new one was given its CR
--- LF.
local function adapted(bytes, edit)
  local old, new = edit.old_string, edit.new_string
  local crlf, lf = text.endings(bytes)
  local fits_with_crlf = crlf > 0 and not text.find(bytes, old, 1)
    and text.find(bytes, text.to_crlf(old), 1)
  if fits_with_crlf then
    old = text.to_crlf(old)
  end
  if fits_with_crlf or crlf > 0 and lf == 0 then
    new = text.to_crlf(new)
  end
  return old, new, new ~= edit.new_string
end

--- The numbers of the lines at `starts`, each once, in words.
local function lines_at(bytes, starts, total)
  local numbers = {}
  for _, start in ipairs(starts) do
    local line = text.line_of(bytes, start)
    if numbers[#numbers] ~= line then
      numbers[#numbers + 1] = line
    end
  end
  return messages.lines(numbers, total > #starts and total or #numbers)
end

local function failure(code, id, values)
  return nil, { code = code, text = messages.text(id, values) }
end

local function several(bytes, old, overlapping, path)
  local starts = text.positions(bytes, old, MOST_LINES, true)
  local apart = text.count(bytes, old, false)
  return failure("ambiguous", apart == overlapping and "E13" or "E14", {
    k = overlapping, p = path, lines = lines_at(bytes, starts, overlapping),
  })
end

--- The first places of `old` in `bytes`, as places in what comes of replacing each.
local function places_after(bytes, old, new)
  local starts = text.positions(bytes, old, MOST_LINES, false)
  for i, start in ipairs(starts) do
    starts[i] = start + (i - 1) * (#new - #old)
  end
  return starts
end

--- Makes one replacement. Returns the new bytes and what was done: `count`, `starts` (the first
--- places in the new bytes), `size` of the new text, `crlf`; or nil and the failure, { code =, text
--- = }.
local function replace(bytes, edit, path, most)
  local old, new, crlf = adapted(bytes, edit)
  local overlapping = diagnose.is_utf16(bytes) and 0 or text.count(bytes, old, true)
  if overlapping == 0 then
    local sentence = diagnose.miss(bytes, edit.old_string, edit.new_string, path)
    return nil, { code = "no_match", text = sentence, missed = true }
  elseif overlapping > 1 and not edit.replace_all then
    return several(bytes, old, overlapping, path)
  elseif old == new then
    return failure("bad_argument", "E16", { p = path })
  end
  local count = text.count(bytes, old, false)
  local size = #bytes + count * (#new - #old)
  if size > most and size > #bytes then
    return failure("too_large", "E20", { p = path, size = size, n = most })
  end
  local done = {
    count = count, starts = places_after(bytes, old, new), old = old, size = #new, crlf = crlf,
  }
  return text.replace_all(bytes, old, new), done
end

--- Moves the places of earlier replacements to where they are after `done`.
local function move_places(all, done)
  local growth = done.size - #done.old
  for _, earlier in ipairs(all) do
    for i, start in ipairs(earlier.starts) do
      local before = 0
      for _, place in ipairs(done.starts) do
        if place < start + before * growth then
          before = before + 1
        end
      end
      earlier.starts[i] = start + before * growth
    end
  end
end

--- Which edit before number `failed` took away the text that it wants; nil when it was never there.
local function eaten_by(bytes, list, failed, path, most)
  local wanted = list[failed].old_string
  if not text.find(bytes, wanted, 1) then
    return nil
  end
  for i = 1, failed - 1 do
    bytes = replace(bytes, list[i], path, most)
    if not text.find(bytes, wanted, 1) then
      return i
    end
  end
end

--- The failure of edit number `i`, as one of many. `bytes` is what the file held before the first.
local function one_of_many(bytes, list, i, path, most, failed)
  if not list.is_many then
    return failed
  end
  local j = failed.missed and bytes and eaten_by(bytes, list, i, path, most)
  if j then
    return { code = failed.code, text = messages.text("E24", { i = i, j = j, p = path }) }
  end
  local values = { i = i, n = #list, message = failed.text }
  return { code = failed.code, text = messages.text("E22", values) }
end

--- Applies the edits of `list` ({old_string, new_string, replace_all}; `is_many` when they came as
--- a list) to `file.bytes`, which come to be the new ones and may then be `most`. The file is at
--- `path`.
--
-- Returns what each edit did; or nil and the failure, { code =, text = }.
function edits.apply(file, list, path, most)
  local original = #file.bytes <= KEPT_BYTES and file.bytes or nil
  local all = {}
  for i, edit in ipairs(list) do
    local changed, done = replace(file.bytes, edit, path, most)
    if not changed then
      return nil, one_of_many(original, list, i, path, most, done)
    end
    move_places(all, done)
    all[i], file.bytes = done, changed
  end
  return all
end

--- The lines of all that was done, the count of replacements, and the first of them.
local function summary(bytes, all)
  local starts, count = {}, 0
  for _, done in ipairs(all) do
    count = count + done.count
    table.move(done.starts, 1, #done.starts, #starts + 1, starts)
  end
  table.sort(starts)
  local named = table.move(starts, 1, math.min(#starts, MOST_LINES), 1, {})
  return lines_at(bytes, named, count), count
end

--- The lines around the first place of the first edit, numbered, from the new `bytes`.
local function excerpt(bytes, done)
  local start = done.starts[1]
  local first = text.line_of(bytes, math.min(start, #bytes))
  local last = text.line_of(bytes, math.min(start + math.max(done.size, 1) - 1, #bytes))
  return text.excerpt(bytes, math.max(1, first - 3), last + 3), first
end

--- What the edits did, with an excerpt of the result.
function edits.describe(bytes, all, path)
  local shown, line = "", 1
  if bytes ~= "" then
    shown, line = excerpt(bytes, all[1])
  end
  local lines, count = summary(bytes, all)
  local said
  if count == 1 then
    said = messages.text("E1", { p = path, i = line })
  else
    said = messages.text("E2", { p = path, k = count, lines = lines })
  end
  for _, done in ipairs(all) do
    if done.crlf then
      said = said .. messages.text("E3", { p = path })
      break
    end
  end
  return said, shown
end

return edits
