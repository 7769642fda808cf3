-- SPDX-License-Identifier: MIT
--- What tool.define made of each tool. A tool's file holds the key to its own and, since it cannot
--- require this module, none of the definitions.
local definitions = {}

local known = {}

--- How many were made.
local count = 0

--- Keeps `definition`, which nobody else may hold; returns its key, which has a name and no more.
function definitions.add(definition)
  local shown = { name = definition.name }
  local key = setmetatable({}, {
    __index = shown,
    __newindex = function(_, field)
      local problem = "the field %s of the tool %s cannot be changed"
      error(problem:format(tostring(field), shown.name), 2)
    end,
    __metatable = false,
  })
  known[key] = definition
  count = count + 1
  return key
end

--- How many were made so far: a file that makes two, and can return one, has lost the other.
function definitions.count()
  return count
end

--- The definition of `key`; nil when that is none.
function definitions.of(key)
  return known[key]
end

--- What the file of a tool gives when it is run once more, unchecked: see registry.fresh. There is
--- one at a time.
local lent

--- Keeps `definition` until definitions.returned asks for it; returns its key.
function definitions.lend(definition)
  lent = { definition = definition }
  return lent
end

--- The definition that was lent as `key`; nil when that is none.
function definitions.returned(key)
  local found = rawequal(key, lent) and lent.definition
  lent = nil
  return found or nil
end

return definitions
