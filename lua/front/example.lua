-- SPDX-License-Identifier: MIT
--- example: one call that a tool gives as an example, made in a root of its own.
local core = require("front.core")

local example = {}

local SHOWN = 200

local function quoted(text)
  return core.quote(#text > SHOWN and text:sub(1, SHOWN):gsub("[\128-\255]+$", "") .. "..." or text)
end

--- Puts the files of the example below `root`. Returns what is wrong, or nil.
local function fill(root, files)
  for what, key in files:each() do
    local path = key:text()
    local good, reason
    if what:type() == "object" then
      good, reason = core.scratch_link(root, path, what:pick("link"):text())
    else
      good, reason = core.scratch_put(root, path, what:type() == "string" and what:text() or nil)
    end
    if not good then return ("the file %s: %s"):format(core.quote(path), reason) end
  end
end

--- Whether the files are afterwards as the example says: a text, true for anything, false for
--- nothing.
local function check_after(root, after)
  for wanted, key in after:each() do
    local path = key:text()
    local got = core.scratch_get(root, path)
    local kind = wanted:raw()
    if kind == "false" then
      if got then return ("afterwards %s is there"):format(core.quote(path)) end
    elseif not got then
      return ("afterwards %s is not there"):format(core.quote(path))
    elseif kind ~= "true" and got ~= wanted:text() then
      return ("afterwards %s holds %s, not %s"):format(core.quote(path), quoted(got),
        quoted(wanted:text()))
    end
  end
end

--- Whether a refusal names an argument or a tool.
local function names_something(text, known)
  for name in pairs(known.arguments) do
    if text:find('"' .. name .. '"', 1, true) then return true end
  end
  for verb, word in text:gmatch("(%a+) ([%w_%-]+)") do
    if known.tools[word] and (verb:lower() == "call" or verb:lower() == "use") then return true end
  end
  return false
end

local function check_error(result, wanted, known)
  if not result.is_error then
    return ("it was done, and should be refused with %q: %s"):format(wanted, quoted(result.text))
  elseif result.code ~= wanted then
    return ("it is refused with %q, not %q: %s"):format(result.code, wanted, quoted(result.text))
  elseif not names_something(result.text, known) then
    return ("its refusal names neither an argument nor a tool: %s"):format(quoted(result.text))
  end
end

local function check_text(result, expect, contains)
  if expect and result.text ~= expect:text() then
    return ("the answer is %s, not %s"):format(quoted(result.text), quoted(expect:text()))
  elseif contains and not result.text:find(contains:text(), 1, true) then
    return ("the answer %s does not hold %s"):format(quoted(result.text), quoted(contains:text()))
  end
end

local function judge(slice, result, known, root, log)
  local expect, contains, wanted, after = slice:pick("expect", "contains", "error", "after")
  if result.code == "internal" then
    return ("the tool failed inside: %s"):format(log:match("^[^\n]*"))
  elseif result.outcome == "ended" then
    return result.text
  elseif wanted then
    return check_error(result, wanted:text(), known) or check_text(result, expect, contains)
  elseif result.is_error then
    return ("it is refused: %s"):format(quoted(result.text))
  end
  return check_text(result, expect, contains) or check_after(root, after)
end

local function call(slice, known, options, root)
  local tool, args, files = slice:pick("tool", "args", "files")
  local problem = fill(root, files)
  if problem then return problem end
  local view = assert(core.open(root, { no_fsync = true }))
  local session, err = view:session(options)
  if not session then
    view:close()
    return err.message
  end
  local result = session:call(tool:text(), (args:text()))
  local log = session:log():gsub("[^\n]*: allowed, nobody was asked %(%x+%)\n", "")
  session:close()
  view:close()
  return judge(slice, result, known, root, log)
end

--- Makes the call that `slice` of a report describes, in a session with `options`. `known` has the
--- names of all tools and arguments. Returns what is wrong, or nil.
function example.run(slice, known, options)
  local root, reason = core.scratch()
  if not root then return reason end
  local good, problem = pcall(call, slice, known, options, root)
  core.scratch_drop(root)
  return problem or not good and "it could not be run" or nil
end

return example
