-- SPDX-License-Identifier: MIT
--- repl_line: what a line of the REPL is, and whether it goes on.
local fail = require("front.fail")
local words = require("front.words")

local line = {}

--- What stands for a character behind a backslash, outside of '...'.
local ESCAPES = { n = "\n", t = "\t", r = "\r" }

--- Reads the word that begins at `at`: quotes as in a shell, and \n, \t, \r as in C. Returns it and
--- where it ends; nil when a quote is not closed.
local function word_at(text, at)
  local parts, quote = {}, nil
  while at <= #text do
    local c = text:sub(at, at)
    if not quote and c:find("%s") then break end
    if c == quote then
      quote = nil
    elseif not quote and (c == "'" or c == '"') then
      quote = c
    elseif c == "\\" and quote ~= "'" and at < #text then
      at = at + 1
      local escaped = text:sub(at, at)
      parts[#parts + 1] = ESCAPES[escaped] or escaped
    else
      parts[#parts + 1] = c
    end
    at = at + 1
  end
  return not quote and table.concat(parts) or nil, at
end

--- The words of a text; nil when a quote is not closed.
function line.words(text)
  local list, at = {}, text:find("%S")
  while at do
    local word, stop = word_at(text, at)
    if not word then return nil end
    list[#list + 1] = word
    at = text:find("%S", stop)
  end
  return list
end

--- Whether brackets or a string of JSON are open at the end of the text.
local function is_open_json(text)
  local depth, in_string, at = 0, false, 1
  while at <= #text do
    local c = text:sub(at, at)
    if in_string then
      if c == "\\" then at = at + 1 elseif c == '"' then in_string = false end
    elseif c == '"' then
      in_string = true
    elseif c == "{" or c == "[" then
      depth = depth + 1
    elseif c == "}" or c == "]" then
      depth = depth - 1
    end
    at = at + 1
  end
  return in_string or depth > 0
end

--- Whether Lua would go on, as an expression or as statements: its parser says what it met.
local function is_open_lua(text)
  local is_open = false
  for _, code in ipairs { "return " .. text, text } do
    local done, reason = load(code, "=input", "t")
    if done then return false end
    is_open = is_open or reason:find("<eof>$") ~= nil
  end
  return is_open and text:find("%S") ~= nil
end

--- What kind of a line it is: "nothing", "command", "lua" or "call"; its first word, and the rest.
function line.parse(text)
  local trimmed = text:match("^%s*(.-)%s*$")
  if trimmed == "" or trimmed:find("^#") then return "nothing" end
  if trimmed:find("^=") then return "lua", "=", trimmed:sub(2) end
  local kind = trimmed:find("^:") and "command" or "call"
  local first, rest = trimmed:match("^:?(%S*)%s*(.*)$")
  return kind, first, rest
end

--- Whether the text is not whole yet. `takes_lua` says whether the arguments of a command are Lua.
function line.is_open(text, takes_lua)
  local kind, first, rest = line.parse(text)
  if kind == "lua" then return is_open_lua(rest) end
  if kind == "command" then return takes_lua(first) and is_open_lua(rest) end
  if kind ~= "call" then return false end
  if rest:find("^{") then return is_open_json(rest) end
  return line.words(rest) == nil
end

--- What follows the name of a tool -> the text of a JSON object
function line.arguments(rest)
  if rest:find("^{") then return words.arguments({ rest }, 1) end
  local list = line.words(rest)
  if not list then fail.usage("a quote is not closed") end
  return words.arguments(list, 1)
end

return line
