-- SPDX-License-Identifier: MIT
--- recording_line: makes the line of a call in a recording, in the recorder's own interpreter.
local core = require("front.core")

--- Arguments that are paths in every tool, and those of `move`.
local PATHS = { path = true, file_path = true }
local MOVE_PATHS = { from = true, to = true }

--- Bytes of a path that stays though contents are left out.
local PATH_BYTES = 4095

--- What stays though contents are left out: the names of tools, and the names of members and words
--- that their schemas list, as sets.
local function words_of(tools)
  local tool_names, names, words = {}, {}, {}
  local function look(schema)
    if schema:type() == "array" then
      for value in schema:each() do look(value) end
    elseif schema:type() == "object" then
      local properties, listed = schema:pick("properties", "enum")
      if properties then
        for _, key in properties:each() do names[key:text()] = true end
      end
      if listed then
        for word in listed:each() do words[word:text() or ""] = true end
      end
      for value in schema:each() do look(value) end
    end
  end
  for tool in assert(core.parse(tools)):each() do
    local name, schema = tool:pick("name", "inputSchema")
    tool_names[name:text()] = true
    look(schema)
  end
  for name in pairs(PATHS) do names[name] = true end
  return { tools = tool_names, names = names, words = words }
end

--- What stands for a text that is left out.
local function mark(text) return ('{"bytes":%d,"sha256":"%s"}'):format(#text, core.sha256(text)) end

local line = {}
line.__index = line

--- The JSON of a text, or what stands for it.
function line:text(text)
  if self.redact or #text > self.most then return mark(text) end
  return core.quote(text)
end

function line:tool(name)
  if (self.redact and not self.known.tools[name]) or #name > self.most then return mark(name) end
  return core.quote(name)
end

--- Whether a text of the arguments stays.
function line:keeps(text, is_path)
  if #text > self.most then return false end
  return not self.redact or self.known.words[text] or is_path and #text <= PATH_BYTES
end

--- The JSON of a member's name.
function line:name(key)
  local name = key:text()
  if #name <= self.most and (not self.redact or self.known.names[name]) then return key:raw() end
  self.count = self.count + 1
  return '"sha256:' .. core.sha256(name) .. '"'
end

--- The JSON of a value in the arguments; `paths` has the names of the members that are paths.
function line:value(value, paths, is_path)
  local kind, parts = value:type(), {}
  if kind == "string" then
    local text = value:text()
    if self:keeps(text, is_path) then return value:raw() end
    self.count = self.count + 1
    return mark(text)
  elseif kind == "array" then
    for element in value:each() do parts[#parts + 1] = self:value(element, paths, is_path) end
    return "[" .. table.concat(parts, ",") .. "]"
  elseif kind == "object" then
    for member, key in value:each() do
      parts[#parts + 1] = self:name(key) .. ":" .. self:value(member, paths, paths[key:text()])
    end
    return "{" .. table.concat(parts, ",") .. "}"
  end
  return value:raw()
end

--- The JSON of the arguments, and the member that counts what was left out of them.
function line:arguments(tool, args)
  if args == "" then return "{}", "" end
  if not self.redact and #args <= self.most and not args:find("[\r\n]") then return args, "" end
  local paths = PATHS
  if tool == self.prefix .. "move" then paths = MOVE_PATHS end
  self.count = 0
  local json = self:value(assert(core.parse(args)), paths)
  return json, self.count > 0 and ('"left_out":%d,'):format(self.count) or ""
end

--- `tools` is JSON, `most` the bytes of a text that is kept. Returns a function from the fields of
--- a call to its line.
return function(tools, prefix, most, redact)
  local self = setmetatable({
    known = redact and words_of(tools), prefix = prefix, most = most, redact = redact, count = 0,
  }, line)
  return function(id, tool, args, outcome, code, is_error, text, steps, heap, microseconds)
    local json, left_out = self:arguments(tool, args)
    return ('{"call":%d,"tool":%s,"arguments":%s,%s"outcome":"%s","code":"%s","is_error":%s,'
      .. '"text":%s,"usage":{"steps":%d,"heap_bytes":%d,"microseconds":%d}}\n'):format(id,
      self:tool(tool), json, left_out, outcome, code, tostring(is_error), self:text(text),
      steps, heap, microseconds)
  end
end
