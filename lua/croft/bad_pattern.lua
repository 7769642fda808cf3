-- SPDX-License-Identifier: MIT
--- Why a pattern that a model sent is refused, and what to send instead.
local messages = require "croft.messages"
local text = require "croft.text"

local bad_pattern = {}

--- Bytes of a pattern that are shown in a refusal of it.
local PATTERN_SHOWN = 40

--- Bytes of a line from which on it is its size that makes a pattern expensive.
local LONG_LINE = 65536

--- The glob that fits the file `path` and no other.
local function glob_of(path)
  local glob = path:gsub("[\\*?%[{},]", "\\%0")
  return path:find("/", 1, true) and glob or "/" .. glob
end

--- How to search the other files: `found` is what fs:search returned for `args`.
local function others(found, args)
  local prefix = text.below(args.path)
  local path = found.expensive_file
  if found.is_file or not utf8.len(path) or path:sub(1, #prefix) ~= prefix then
    return ""
  end
  local glob = glob_of(path:sub(#prefix + 1))
  if args.exclude then
    glob = "{" .. args.exclude .. "," .. glob .. "}"
  end
  return messages.text("G2_others", { glob = glob })
end

--- What to say of a search that a line was too expensive for. `args` are those of the call, where
--- its tool takes "path" and "exclude", or nil.
function bad_pattern.expensive(found, args)
  return messages.text(found.expensive_bytes < LONG_LINE and "G2" or "G2_long", {
    file = messages.shown(found.expensive_file), i = found.expensive_line,
    size = found.expensive_bytes, others = args and others(found, args) or "",
  })
end

--- The characters of `pattern` around number `at`.
local function around(pattern, at)
  local length = utf8.len(pattern)
  if not length or length == 0 then
    return pattern:sub(1, PATTERN_SHOWN)
  end
  local first = math.max(1, math.min(at, length) - 10)
  local last = math.min(length, at + 10)
  return pattern:sub(utf8.offset(pattern, first), utf8.offset(pattern, last + 1) - 1)
end

local function longest_line(pattern)
  local longest = ""
  for _, line in ipairs(text.split(pattern, "\n")) do
    if #line > #longest then
      longest = line
    end
  end
  return text.cut(longest, 2000)
end

local BAD_PATTERNS = {
  long = function(look)
    look.n = 4096
    look.start = text.cut(look.args.pattern, PATTERN_SHOWN)
    return messages.text("G3_long", look)
  end,
  large = function(look)
    return messages.text("G3_large", look)
  end,
  newline = function(look)
    look.line = longest_line(look.args.pattern)
    return messages.text(look.line == "" and "G4_blank" or "G4", look)
  end,
  verb = function(look)
    return messages.text("T14", look)
  end,
}

--- The sentence for the error `err` of a pattern that the call which `look` is about sent.
function bad_pattern.explain(err, look)
  local special = BAD_PATTERNS[err.detail]
  if special then
    return special(look)
  end
  look.reason, look.i = err.reason, err.position
  look.near = around(look.args.pattern, err.position or 1)
  return messages.text("G1", look)
end

return bad_pattern
