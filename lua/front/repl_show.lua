-- SPDX-License-Identifier: MIT
--- repl_show: commands that show tools, and small ones.
local breakpoints = require("front.breakpoints")
local core = require("front.core")
local fail = require("front.fail")
local session = require("front.repl_session")

local show = {}

--- :tools
function show.tools(repl)
  local rows = { { "tool", "source", "" } }
  local tools = session.tools(repl)
  for _, tool in ipairs(tools) do
    rows[#rows + 1] = { tool.name, tool.file, tool.built_in and "built in" or "" }
  end
  repl.out:add("tools", repl.session:tools())
  repl.out:columns(rows, {}, function(row) return row == rows[1] and "dim" or nil end)
end

--- JSON with one member a line, so far as it is nested.
local function pretty(slice, indent, parts)
  local kind = slice:type()
  local inner = indent .. "  "
  local first = true
  if kind ~= "object" and kind ~= "array" then
    parts[#parts + 1] = slice:raw()
    return
  end
  parts[#parts + 1] = kind == "object" and "{" or "["
  for value, key in slice:each() do
    parts[#parts + 1] = (first and "\n" or ",\n") .. inner
    if kind == "object" then parts[#parts + 1] = key:raw() .. ": " end
    pretty(value, inner, parts)
    first = false
  end
  parts[#parts + 1] = (first and "" or "\n" .. indent) .. (kind == "object" and "}" or "]")
end

--- :schema NAME
function show.schema(repl, name)
  local tool = session.tool(repl, name)
  local schema = tool.slice:pick("inputSchema")
  local parts = {}
  repl.out:add("schema", schema:raw())
  pretty(schema, "", parts)
  repl.out:show(table.concat(parts))
end

--- :show NAME, of a tool or a file
function show.source(repl, name)
  if name == "" then fail.usage(":show needs the name of a tool or a file; :tools lists them") end
  local _, by_name = session.tools(repl)
  local file = by_name[name] and by_name[name].file or breakpoints.file(repl, name)
  local lines = breakpoints.lines(repl, file)
  repl.out:add("file", core.quote(file))
  repl.out:say(repl.out:paint("dim", repl.out:safe(file)))
  for number, text in ipairs(lines) do
    local mark = breakpoints.at(repl, file, number) and "*" or " "
    repl.out:show(("%s%4d  %s"):format(mark, number, text))
  end
end

local LEAST, MOST = 16, 1024 * 1024

--- :maxlen [N]
function show.maxlen(repl, word)
  if word ~= "" then
    local number = word:find("^%d+$") and math.tointeger(tonumber(word))
    if not number or number < LEAST or number > MOST then
      fail.usage(':maxlen takes a number of bytes from %d to %d, not "%s"', LEAST, MOST, word)
    end
    repl.maxlen = number
  end
  repl.out:add("maxlen", ("%d"):format(repl.maxlen))
  repl.out:say(("values are cut at %d bytes"):format(repl.maxlen))
end

--- :quit
function show.quit(repl)
  repl.has_ended = true
  return repl.stop and "abort" or nil
end

return show
