-- SPDX-License-Identifier: MIT
--- Makes patterns and subjects, and runs them through a string library. The same text runs in a
--- plain Lua and inside a tool, so it requires nothing, and has no pattern of its own.
local patterns = {}

--- Numbers that come out the same everywhere: a generator of Lehmer's, from a seed.
local function generator(seed)
  local state = seed % 2147483646 + 1
  return function(most)
    state = state * 48271 % 2147483647
    return state % most + 1
  end
end

local SUBJECT = {
  "a", "a", "a", "b", "b", "ab", "aa", "B", "1", "2", " ", "(", ")", "]", "[", "-", "^", "$", "%",
  ".", "\n", "\0", "\xFF", "_",
}

local SINGLES = {
  "a", "a", "b", "B", ".", ".", "%a", "%d", "%s", "%w", "%p", "%c", "%l", "%u", "%x", "%g", "%A",
  "%D", "%S", "%W", "%L", "%P", "%G", "%z", "%%", "%.", "%(", "%]", "%-", "-", "]", "^", "$", "\0",
  "\xFF", "[ab]", "[^a]", "[a-b]", "[b-a]", "[%a]", "[^%a]", "[%d_]", "[a-]", "[-a]", "[]]", "[^]]",
  "[]a]", "[^]-a]", "[%]]", "[%-a]", "[a^]", "[^^]", "[.]", "[%w%s]", "[\0-\xFE]", "[^\0]",
  "[a-b1-2]", "[(-)]", "[[]",
}

local SIGNS = { "", "", "", "", "*", "*", "+", "-", "-", "?", "?" }

local SPECIALS = {
  "%bab", "%b()", "%baa", "%b[]", "%f[a]", "%f[%a]", "%f[^%a]", "%f[%z]", "%1", "%1", "%2", "%0",
}

local FAULTS = {
  "%", "[", "[^", "[a", "[]", "[^]", "[%", "[%]", "[a-", "%b", "%ba", "%f", "%fa", "%f[", "%f[a",
  ")", "(", "%3", "%9", "()%1", "(%1)", "*", "+", "?",
}

local TEXTS = {
  "x", "", "<%0>", "%1", "%1-%0", "%2", "%%", "%", "%x", "%1%2", "%9", "a%%b", "\0", "%0%0",
}

local function items(random, depth)
  local made = {}
  for i = 1, random(4) do
    local kind = random(24)
    if kind <= 2 then
      made[i] = SPECIALS[random(#SPECIALS)]
    elseif kind <= 5 and depth < 3 then
      made[i] = "(" .. items(random, depth + 1) .. ")"
    elseif kind == 6 then
      made[i] = "()"
    elseif kind == 7 and random(3) == 1 then
      made[i] = FAULTS[random(#FAULTS)]
    else
      made[i] = SINGLES[random(#SINGLES)] .. SIGNS[random(#SIGNS)]
    end
  end
  return table.concat(made)
end

local function pattern(random)
  local front, back = random(6) == 1 and "^" or "", random(6) == 1 and "$" or ""
  return front .. items(random, 0) .. back
end

local function subject(random)
  local made = {}
  for i = 1, random(12) - 1 do
    made[i] = SUBJECT[random(#SUBJECT)]
  end
  return table.concat(made)
end

local BYTES = {}
for byte = 0, 255 do
  BYTES[byte] = byte >= 32 and byte < 127 and string.char(byte) or ("\\%03d"):format(byte)
end

--- A value, so that it can be compared and sent: printable ASCII.
local function shown(value)
  if type(value) ~= "string" then
    return tostring(value)
  end
  local out = { value:byte(1, -1) }
  for i = 1, #out do
    out[i] = BYTES[out[i]]
  end
  return '"' .. table.concat(out) .. '"'
end

local function all_shown(...)
  local out = {}
  for i = 1, select("#", ...) do
    out[i] = shown((select(i, ...)))
  end
  return table.concat(out, " ")
end

--- What goes through an iterator, at most so many times.
local function gathered(iterate)
  local out = {}
  for i = 1, 40 do
    out[i] = all_shown(pcall(iterate))
    if out[i] == "true" or out[i]:byte(1) == 102 then -- its end, or false and the error
      return table.concat(out, ";")
    end
  end
  return table.concat(out, ";") .. ";endless"
end

--- A replacement of gsub: a text, a function, a table.
local function replacement(random)
  local kind = random(4)
  if kind == 1 then
    return function(first, second)
      if random(3) > 1 then
        return second == nil and first or first .. "+" .. second
      end
    end
  elseif kind == 2 then
    return { a = "A", b = 7, ab = false, [1] = "one", [2] = "two", [""] = "empty" }
  end
  return TEXTS[random(#TEXTS)]
end

--- Runs case `number` through the library `lib`: the pattern, the subject, what came of them.
function patterns.run(lib, number)
  local random = generator(number)
  local p, s = pattern(random), subject(random)
  local start = random(3) == 1 and random(16) - 8 or nil
  local most = random(5) == 1 and random(4) - 1 or nil
  local with = replacement(random)
  return table.concat({
    shown(p), shown(s), shown(start), shown(most),
    "find " .. all_shown(pcall(lib.find, s, p, start)),
    "match " .. all_shown(pcall(lib.match, s, p, start)),
    "plain " .. all_shown(pcall(lib.find, s, p, start, true)),
    "gmatch " .. gathered(lib.gmatch(s, p, start)),
    "gsub " .. all_shown(pcall(lib.gsub, s, p, with, most)),
  }, "  ")
end

--- The same for all cases from `first` to `last`, a line each.
function patterns.run_all(lib, first, last)
  local lines = {}
  for number = first, last do
    lines[#lines + 1] = patterns.run(lib, number)
  end
  return table.concat(lines, "\n")
end

return patterns
