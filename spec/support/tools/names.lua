-- SPDX-License-Identifier: MIT
--- names: which of the global names in `names` exist here; "string.len" is a field of a library.
local tool = require("croft.tool")

local DOT = 46

--- "string.len" -> "string", "len"; "print" -> "print"
local function parts(name)
  for i = 1, #name do
    if name:byte(i) == DOT then
      return name:sub(1, i - 1), name:sub(i + 1)
    end
  end
  return name
end

local function exists(name)
  local library, field = parts(name)
  local good, value = pcall(function()
    return _ENV[library]
  end)
  if not good or value == nil then
    return false
  end
  return field == nil or value[field] ~= nil
end

return tool.define({
  name = "names",
  title = "Names",
  description = "Say which names exist.",
  access = "read",
  input = {
    type = "object",
    required = { "names" },
    properties = {
      names = { type = "array", items = { type = "string" }, description = "The names." },
    },
  },
  run = function(args)
    local found = {}
    for _, name in ipairs(args.names) do
      if exists(name) then
        found[#found + 1] = name
      end
    end
    return table.concat(found, " ")
  end,
})
