-- SPDX-License-Identifier: MIT
--- Names that are close to a name which does not exist. The cost is bounded by the number of names.
local core = require "core.text"

local near = {}

--- Longest name for which letters are compared one by one.
local LONGEST = 64

--- Most names that are looked at.
local MOST_NAMES = 1000

local function stem(name)
  local dot = core.find(name, ".", 2)
  return dot and name:sub(1, dot - 1) or name
end

--- The next row of the table of distances, and its least entry.
local function next_row(a, b, i, row)
  local new, least = { [0] = i }, i
  for j = 1, #b do
    local cost = a:byte(i) == b:byte(j) and 0 or 1
    new[j] = math.min(row[j] + 1, new[j - 1] + 1, row[j - 1] + cost)
    least = math.min(least, new[j])
  end
  return new, least
end

--- How many letters must be added, dropped or changed; nil when more than `most`.
function near.distance(a, b, most)
  if math.abs(#a - #b) > most or #a > LONGEST or #b > LONGEST then
    return nil
  end
  local row = {}
  for j = 0, #b do
    row[j] = j
  end
  for i = 1, #a do
    local least
    row, least = next_row(a, b, i, row)
    if least > most then
      return nil
    end
  end
  return row[#b] <= most and row[#b] or nil
end

--- Whether `a` is `b` with two neighbouring letters swapped.
local function is_swapped(a, b)
  local at = 1
  while at < #a and a:byte(at) == b:byte(at) do
    at = at + 1
  end
  return #a == #b and a:byte(at) == b:byte(at + 1) and a:byte(at + 1) == b:byte(at)
    and a:sub(at + 2) == b:sub(at + 2)
end

--- How far `name` is from what was `wanted`: 0 is nearest, nil is not near.
local function score(wanted, name)
  local a, b = wanted:lower(), name:lower()
  if a == b then
    return 0
  end
  if #stem(a) > 1 and stem(a) == stem(b) or is_swapped(a, b) then
    return 1
  end
  local distance = near.distance(a, b, math.min(3, #a // 3))
  return distance and 1 + distance
end

--- Up to `most` of `names` that are close to `wanted`, the nearest first.
function near.best(wanted, names, most)
  local found = {}
  for i, name in ipairs(names) do
    if i > MOST_NAMES then
      break
    end
    local points = name ~= wanted and score(wanted, name)
    if points then
      found[#found + 1] = { name = name, points = points }
    end
  end
  table.sort(found, function(a, b)
    if a.points ~= b.points then
      return a.points < b.points
    end
    return a.name < b.name
  end)
  local best = {}
  for i = 1, math.min(most, #found) do
    best[i] = found[i].name
  end
  return best
end

return near
