-- SPDX-License-Identifier: MIT
--- The sources of tools that are broken in one way each.
local broken = {}

local ORDER = {
  "name", "title", "description", "access", "input", "run", "examples", "messages", "explain",
  "refusals", "samples", "narrower", "paths", "annotations", "extra",
}

--- A tool in which `fields` take the place of what is good, and `run` that of its body.
function broken.source(fields, run)
  local all = {
    name = '"fine"', description = '"Does a thing with \\"path\\"."', access = '"read"',
    input = [[{ type = "object", properties = {
      path = { type = "string", description = "A path." } } }]],
    run = "function(args, ctx) " .. (run or 'return "done"') .. " end",
  }
  for name, text in pairs(fields) do all[name] = text end
  local lines = { 'local tool = require("croft.tool")', "return tool.define({" }
  for _, name in ipairs(ORDER) do
    local text = all[name] or ""
    if text ~= "" then lines[#lines + 1] = ("  %s = %s,"):format(name, text) end
  end
  lines[#lines + 1] = "})"
  return table.concat(lines, "\n")
end

--- An input with the property `path` that `text` is.
function broken.property(text)
  return ('{ type = "object", properties = { path = %s } }'):format(text)
end

--- One example that has `text`.
function broken.example(text) return "{ { " .. text .. " } }" end

return broken
