-- SPDX-License-Identifier: MIT
--- Unified diffs: read, and applied to a text. The lines that a hunk shows must be in the text
--- exactly; only where they are may differ from what the hunk says, if there is one such place.
local core = require "core.text"

local patch = {}

local NOTHING = "/dev/null"

--- Lines that git puts before a file's part, which say nothing that matters here.
local IGNORED = {
  "diff ", "index ", "new file mode ", "deleted file mode ", "similarity index ", "old mode ",
  "new mode ",
}

local function starts(line, with)
  return line:sub(1, #with) == with
end

-- Reading ---------------------------------------------------------------------------------------

--- The path in a header, without what diff puts behind it; nil where there is no file.
local function path_of(line)
  local path = line:sub(5):match("^([^\t]*)"):gsub("%s+$", "")
  return path ~= NOTHING and path or nil
end

--- Takes `a/` and `b/` off, which git adds.
local function without_prefix(old, new)
  local is_git = (not old or starts(old, "a/")) and (not new or starts(new, "b/"))
  if is_git then
    return old and old:sub(3), new and new:sub(3)
  end
  return old, new
end

local function is_header(lines, at)
  return starts(lines[at], "--- ") and lines[at + 1] and starts(lines[at + 1], "+++ ")
end

local function ends_hunk(lines, at)
  local line = lines[at]
  return starts(line, "@@") or starts(line, "diff --git ") or is_header(lines, at)
end

--- Adds a line of a hunk to what it takes away and what it puts there.
local function add_line(hunk, line)
  local sign, rest = line:sub(1, 1), line:sub(2) .. "\n"
  if sign == "+" or sign == " " or line == "" then
    hunk.new[#hunk.new + 1] = rest
  end
  if sign == "-" or sign == " " or line == "" then
    hunk.old[#hunk.old + 1] = rest
  end
  hunk.last = sign
end

--- "\ No newline at end of file": of the line before it.
local function drop_newline(hunk)
  local function drop(side)
    side[#side] = side[#side] and side[#side]:gsub("\n$", "")
  end
  if hunk.last ~= "+" then
    drop(hunk.old)
  end
  if hunk.last ~= "-" then
    drop(hunk.new)
  end
  hunk.is_marked = true
end

--- Reads the hunk whose header is line `at`. Returns it and the line behind it, or nil and why not.
local function read_hunk(lines, at)
  local hunk = { old = {}, new = {}, line = at, start = tonumber(lines[at]:match("^@@ %-(%d+)")) }
  at = at + 1
  while lines[at] and not ends_hunk(lines, at) do
    local line = lines[at]
    if starts(line, "\\") then
      drop_newline(hunk)
    elseif line == "" and not lines[at + 1] then
      break -- the newline at the end of the patch
    elseif line ~= "" and not line:find("^[-+ ]") then
      return nil, at, "begins with none of \" \", \"+\" and \"-\""
    else
      add_line(hunk, line)
    end
    at = at + 1
  end
  if #hunk.old + #hunk.new == 0 then
    return nil, hunk.line, "begins a hunk with nothing in it"
  end
  return hunk, at
end

local function read_file(lines, at)
  local old, new = without_prefix(path_of(lines[at]), path_of(lines[at + 1]))
  local file = { path = new or old, is_new = not old, is_gone = not new, hunks = {} }
  if not file.path then
    return nil, at, "names no file"
  elseif old and new and old ~= new then
    return nil, at, "gives the file another name, which a patch cannot do here"
  end
  at = at + 2
  while lines[at] and starts(lines[at], "@@") do
    local hunk, next_at, reason = read_hunk(lines, at)
    if not hunk then
      return nil, next_at, reason
    end
    file.hunks[#file.hunks + 1], at = hunk, next_at
  end
  if #file.hunks == 0 then
    return nil, at, "should begin a hunk with \"@@\""
  end
  return file, at
end

local function is_ignored(line)
  for _, beginning in ipairs(IGNORED) do
    if starts(line, beginning) then
      return true
    end
  end
  return line == ""
end

--- The files in the unified diff `text`, at least one: { path, is_new, is_gone, hunks }. nil, the
--- line and what is wrong with it when it is none.
function patch.read(text)
  local lines, files, seen, at = core.split(text, "\n"), {}, {}, 1
  for i, line in ipairs(lines) do
    lines[i] = line:gsub("\r$", "")
  end
  while lines[at] do
    if is_header(lines, at) then
      local file, next_at, reason = read_file(lines, at)
      if not file then
        return nil, next_at, reason
      elseif seen[file.path] then
        return nil, at, "begins another part for a file that has one"
      end
      files[#files + 1], seen[file.path], at = file, true, next_at
    elseif is_ignored(lines[at]) then
      at = at + 1
    else
      return nil, at, 'is outside of a hunk; a file begins with "--- " and "+++ "'
    end
  end
  if #files == 0 then
    return nil, 1, 'is the end: there is no "--- " and "+++ "'
  end
  return files
end

-- Applying --------------------------------------------------------------------------------------

--- The lines of `bytes`, each with its LF where it has one.
local function lines_of(bytes)
  local lines = core.split(bytes, "\n")
  for i = 1, #lines - 1 do
    lines[i] = lines[i] .. "\n"
  end
  if lines[#lines] == "" then
    lines[#lines] = nil
  end
  return lines
end

--- `lines` with CR LF, for a file all of whose lines end so.
local function with_crlf(lines)
  local out = {}
  for i, line in ipairs(lines) do
    out[i] = line:gsub("\n$", "\r\n")
  end
  return out
end

--- Whether `old` is in `lines` from `at` on. The last line of a file may lack the newline that a
--- hunk without the mark for it shows.
local function fits(lines, at, old, is_marked)
  for i, wanted in ipairs(old) do
    local line = lines[at + i - 1]
    local is_last = at + i - 1 == #lines and not is_marked
    if line ~= wanted and not (is_last and line and line == wanted:gsub("\r?\n$", "")) then
      return false, i
    end
  end
  return at >= 1
end

--- Where the hunk belongs: at its line, or at the one other place where it fits from `from` on.
local function find_place(lines, hunk, from)
  if #hunk.old == 0 then
    return math.max(from, math.min((hunk.start or 0) + 1, #lines + 1))
  end
  if hunk.start and hunk.start >= from and fits(lines, hunk.start, hunk.old, hunk.is_marked) then
    return hunk.start
  end
  local found, count = nil, 0
  for at = from, #lines - #hunk.old + 1 do
    if fits(lines, at, hunk.old, hunk.is_marked) then
      found, count = found or at, count + 1
    end
  end
  return count == 1 and found or nil, count
end

local function bare(line)
  return line and line:gsub("\r?\n$", "") or ""
end

--- What keeps the hunk from being applied: `id` is "several" when it fits in `count` places,
--- "differs" when the file has `got` at `line` in place of `wanted`, and "behind" when it has no
--- such line.
local function failure_of(lines, hunk, number, count)
  local start = math.max(hunk.start or 1, 1)
  local _, at = fits(lines, start, hunk.old, hunk.is_marked)
  local line = start + (at or 1) - 1
  return {
    id = count > 1 and "several" or lines[line] and "differs" or "behind",
    hunk = number, count = count, line = line,
    got = bare(lines[line]), wanted = bare(hunk.old[at or 1]),
  }
end

local function splice(out, lines, hunk, from, at)
  table.move(lines, from, at - 1, #out + 1, out)
  local last = at + #hunk.old - 1
  local new = table.move(hunk.new, 1, #hunk.new, 1, {})
  local is_bare = last == #lines and last > 0 and not hunk.is_marked and lines[last]:sub(-1) ~= "\n"
  if is_bare and #new > 0 then
    new[#new] = new[#new]:gsub("\r?\n$", "")
  end
  table.move(new, 1, #new, #out + 1, out)
  return last + 1
end

--- `bytes` after all `hunks`, in their order; nil and failure_of the one that does not fit.
function patch.apply(bytes, hunks)
  local lines, out, from = lines_of(bytes), {}, 1
  local crlf, lf = core.endings(bytes)
  local is_crlf = crlf > 0 and lf == 0
  for number, hunk in ipairs(hunks) do
    local shown = hunk
    if is_crlf then
      shown = { start = hunk.start, is_marked = hunk.is_marked, old = with_crlf(hunk.old),
        new = with_crlf(hunk.new) }
    end
    local at, count = find_place(lines, shown, from)
    if not at then
      return nil, failure_of(lines, shown, number, count)
    end
    from = splice(out, lines, shown, from, at)
  end
  table.move(lines, from, #lines, #out + 1, out)
  return table.concat(out)
end

return patch
