-- SPDX-License-Identifier: MIT
--- tools: prints the tools as a model sees them.
local core = require("front.core")
local fail = require("front.fail")
local open = require("front.open")

--- Descriptions come in lines of up to 100; only longer ones are broken here.
local WIDTH = 104

--- Breaks a text at blanks; its own line ends stay.
local function wrap(text, indent, lines)
  for paragraph in (text .. "\n"):gmatch("(.-)\n") do
    local line = ""
    for word in paragraph:gmatch("%S+") do
      if line ~= "" and #indent + #line + 1 + #word > WIDTH then
        lines[#lines + 1] = indent .. line
        line = ""
      end
      line = line .. (line ~= "" and " " or "") .. word
    end
    lines[#lines + 1] = line ~= "" and indent .. line or ""
  end
end

--- "text, required" / "whole number from 1 to 10" in the schema's own words
local function kind(schema, required)
  local type_name, least, most, words = schema:pick("type", "minimum", "maximum", "enum")
  local parts = { type_name and type_name:text() or "any" }
  if words then
    local choices = {}
    for value in words:each() do choices[#choices + 1] = value:raw() end
    parts[1] = parts[1] .. " " .. table.concat(choices, " | ")
  end
  if least then parts[1] = parts[1] .. " >= " .. least:raw() end
  if most then parts[1] = parts[1] .. " <= " .. most:raw() end
  if required then parts[#parts + 1] = "required" end
  return table.concat(parts, ", ")
end

local function show_arguments(schema, lines)
  local properties, required = schema:pick("properties", "required")
  local needed = {}
  if required then
    for name in required:each() do needed[name:text()] = true end
  end
  if not properties then return end
  for property, key in properties:each() do
    local name, about = key:text(), property:pick("description")
    lines[#lines + 1] = ("    %s (%s)"):format(name, kind(property, needed[name]))
    if about then wrap(about:text(), "        ", lines) end
  end
end

local function show(tool, lines)
  local name, title, about, schema = tool:pick("name", "title", "description", "inputSchema")
  lines[#lines + 1] = name:text() .. (title and ": " .. title:text() or "")
  if about then wrap(about:text(), "    ", lines) end
  if schema then show_arguments(schema, lines) end
  lines[#lines + 1] = ""
end

return function(write, values, operands)
  values.gate = "deny" -- no call is made, and some tools demand one
  local session = open.session(operands[1] or ".", values)
  local text = session:tools()
  local lines = {}
  session:close()

  if values.json then
    write(text .. "\n")
    return fail.DONE
  end
  for tool in assert(core.parse(text)):each() do show(tool, lines) end
  write(table.concat(lines, "\n"))
  return fail.DONE
end
