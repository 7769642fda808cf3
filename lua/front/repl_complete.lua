-- SPDX-License-Identifier: MIT
--- repl_complete: what may follow what was typed so far. Nothing of the host's is looked at: paths
--- are found through the resolver, below the root.
local breakpoints = require("front.breakpoints")
local commands = require("front.repl_commands")
local core = require("front.core")
local plain = require("front.plain")
local session = require("front.repl_session")

local MOST = 100 -- candidates that are shown

--- Those of `words` that begin so, sorted; none that would be a command to the terminal.
local function beginning(words, typed)
  local found = {}
  for _, word in ipairs(words) do
    if word:sub(1, #typed) == typed and plain.is(word) then found[#found + 1] = word end
  end
  table.sort(found)
  return found
end

--- What all of `words` have in common behind the first `from` bytes, whole characters of it.
local function common(words, from)
  local first, last = words[1], words[#words] -- sorted: what these share, all share
  local size = 0
  while size < #first and first:byte(size + 1) == last:byte(size + 1) do size = size + 1 end
  while size > from and size < #first and first:byte(size + 1) & 0xC0 == 0x80 do size = size - 1 end
  return first:sub(from + 1, size)
end

--- Candidates -> what is inserted, and what is shown. A lone one is followed by `behind`.
local function offer(found, typed, behind)
  if #found == 0 then return nil end
  if #found == 1 then
    local word = found[1]
    local goes_on = word:sub(-1) == "/" or word:sub(-1) == "="
    return word:sub(#typed + 1) .. (goes_on and "" or behind or " ")
  end
  local insert = common(found, #typed)
  if insert ~= "" then return insert end
  local shown = table.move(found, 1, math.min(#found, MOST), 1, {})
  if #found > MOST then shown[#shown + 1] = ("... (%d in all)"):format(#found) end
  return "", table.concat(shown, "  ")
end

local function tool_names(repl)
  local names = {}
  for index, tool in ipairs((session.tools(repl))) do names[index] = tool.name end
  return names
end

local function limit_names()
  local names = {}
  for index, limit in ipairs(core.limits()) do names[index] = limit.name .. "=" end
  return names
end

--- What the argument of a command may be.
local function words_for(repl, command, rest)
  local takes = command.takes
  if type(takes) == "table" then
    if command.name == "break" then
      return table.move(tool_names(repl), 1, 1000, #takes + 1, table.move(takes, 1, #takes, 1, {}))
    end
    return takes
  elseif takes == "tool" then
    return tool_names(repl)
  elseif takes == "file" then
    return breakpoints.sources(repl)
  elseif takes == "command" then
    return commands.names
  elseif takes == "limit" and not rest:find("=[^%s]*$") then
    return limit_names()
  end
  return {}
end

local function complete_command(repl, text)
  local begun = text:match("^:(%S*)$")
  if begun then return offer(beginning(commands.names, begun), begun) end
  local word, rest = text:match("^:(%S+)%s+(.*)$")
  local good, command = pcall(commands.find, word)
  if not good then return nil end
  local typed = rest:match("%S*$")
  return offer(beginning(words_for(repl, command, rest), typed), typed)
end

local function is_path(name)
  return name == "path" or name:find("_path$") or name == "from" or name == "to"
end

--- The schema of the argument, or nil.
local function property_of(tool, name)
  local properties = tool.slice:pick("inputSchema"):pick("properties")
  return properties and properties:pick(name)
end

local function argument_names(tool)
  local names = {}
  local properties = tool.slice:pick("inputSchema"):pick("properties")
  if not properties then return names end
  for _, key in properties:each() do names[#names + 1] = key:text() .. "=" end
  return names
end

--- The names below the root that go on where `typed` ends.
local function complete_path(repl, typed)
  local found, all = repl.debugger:complete(repl.view, typed, MOST)
  local piece = typed:match("[^/]*$")
  local names = {}
  for _, name in ipairs(found) do
    if utf8.len(name) and plain.is(name) and not name:find("[%s'\"\\]") then
      names[#names + 1] = name
    end
  end
  table.sort(names)
  if not all and #names > 0 then
    return "", table.concat(names, "  ") .. "  ... (there are more)"
  end
  return offer(names, piece)
end

local function complete_value(repl, tool, name, typed)
  local property = property_of(tool, name)
  if not property then return nil end
  local choices, kind = property:pick("enum", "type")
  local words = {}
  if choices then
    for value in choices:each() do words[#words + 1] = value:text() or value:raw() end
  elseif kind and kind:text() == "boolean" then
    words = { "true", "false" }
  elseif is_path(name) then
    return complete_path(repl, typed)
  end
  return offer(beginning(words, typed), typed)
end

local function complete_call(repl, text)
  local name, rest = text:match("^(%S+)%s+(.*)$")
  if not name then return offer(beginning(tool_names(repl), text), text) end
  local _, by_name = session.tools(repl)
  local tool = by_name[name]
  if not tool or rest:find("^{") then return nil end
  local typed = rest:match("%S*$")
  local key, value = typed:match("^([^=:]+):?=(.*)$")
  if key then return complete_value(repl, tool, key, value) end
  return offer(beginning(argument_names(tool), typed), typed, "=")
end

--- What is inserted, and what is shown; nil and nil for nothing.
return function(repl, text)
  text = text:match("^%s*(.*)$")
  if text:find("^=") then return nil end
  if text:find("^:profile%s") then text = text:match("^:profile%s+(.*)$") end
  if text:find("^:") then return complete_command(repl, text) end
  return complete_call(repl, text)
end
