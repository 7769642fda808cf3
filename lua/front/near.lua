-- SPDX-License-Identifier: MIT
--- near: the word that somebody may have meant.
local near = {}

--- How many letters have to be changed, added, left out or swapped with their neighbour.
local function distance(a, b)
  local before, above = {}, {}
  for j = 0, #b do above[j] = j end
  for i = 1, #a do
    local row = { [0] = i }
    for j = 1, #b do
      local same = a:byte(i) == b:byte(j)
      row[j] = math.min(above[j] + 1, row[j - 1] + 1, above[j - 1] + (same and 0 or 1))
      local swapped = i > 1 and j > 1 and a:byte(i) == b:byte(j - 1) and a:byte(i - 1) == b:byte(j)
      if swapped then row[j] = math.min(row[j], before[j - 2] + 1) end
    end
    before, above = above, row
  end
  return above[#b]
end

--- The one of `words` that is closest to `word`, or nil when none is close.
function near.word(word, words)
  local best, least
  for _, candidate in ipairs(words) do
    local far = #word > 40 and math.huge or distance(word, candidate)
    if far <= math.max(1, #candidate // 3) and (not least or far < least) then
      best, least = candidate, far
    end
  end
  return best
end

return near
