-- SPDX-License-Identifier: MIT
--- Makes spec/messages.md: every message that a model can read, when it does, and the spec that
--- shows it.
---     lua5.4 spec/messages.lua [-]        - prints it instead
dofile("spec/support/helper.lua")
local catalogue = require "catalogue"

local HEAD = [[
# What a model is told

Every message of `lua/croft/texts.lua` and `lua/croft/texts_staged.lua`. This table is made
by `lua5.4 spec/messages.lua` from the rows in `spec/messages/`, each of which is a call that shows
its message; a spec holds it to them.
`{name}` is filled in. `!` marks a refusal: the call did not do what was asked.
]]

local TITLES = {
  arguments = "Arguments", paths = "Paths", reading = "read and list", searching = "grep",
  writing = "write", editing = "edit", gates = "Gates", ends = "How any call can end",
  staged = "The staged tool set",
}

--- How the row shows it, where it is not a call of one of the five tools.
local function way(row)
  if row.raise then
    return ", by the error that the system gives"
  elseif row.fills then
    return ", filled in"
  end
  return row.body and ", by a tool of its own" or ""
end

local function cell(text)
  return (text:gsub("|", "\\|"))
end

local function line(id, when, row)
  local sentence, group = catalogue.sentence(id)
  return ("| %s%s | %s | `%s` | `%s`%s |"):format(id, group == "refusals" and "!" or "", cell(when),
    cell(sentence), row.file, way(row))
end

local function sorted(map)
  local keys = {}
  for key in pairs(map or {}) do
    keys[#keys + 1] = key
  end
  table.sort(keys)
  return keys
end

local function made()
  local lines, file = { HEAD }, nil
  for _, row in ipairs(catalogue.rows()) do
    if row.file ~= file then
      local part = row.file:match("(%w+)%.lua$")
      lines[#lines + 1] = ("%s## %s\n"):format(file and "\n" or "", TITLES[part])
      lines[#lines + 1] = "| id | when | text | shown by |\n| --- | --- | --- | --- |"
      file = row.file
    end
    lines[#lines + 1] = line(row[1], row[2], row)
    for _, id in ipairs(sorted(row.parts)) do
      lines[#lines + 1] = line(id, row[2] .. ", " .. row.parts[id], row)
    end
  end
  return table.concat(lines, "\n") .. "\n"
end

local out = arg[1] == "-" and io.stdout or assert(io.open("spec/messages.md", "w"))
assert(out:write(made()))
