-- SPDX-License-Identifier: MIT
--- What is wrong with a file of an operator as a whole: each with the file and, as far as it can be
--- seen, the line.
local core = require "core.text"
local loading = require "core.loading"
local definitions = require "croft.definitions"

local faults = {}

--- That the file of `module` does not return what it must, which is `wanted`.
function faults.returns(module, wanted)
  return ("%s: the file must %s"):format(loading.place_of(module), wanted)
end

--- What is wrong with a module that raised `fault`; with its file, which most faults begin with.
function faults.of_module(module, fault, files, wanted)
  if type(fault) ~= "string" then
    return ("%s: it raises an error that is a %s"):format(loading.place_of(module), type(fault))
  elseif core.find(fault, "module '" .. module, 1) == 1 then -- it returns nothing
    return faults.returns(module, wanted)
  end
  return core.find(fault, files[module], 1) and fault
    or loading.place_of(module) .. ": " .. fault
end

--- That the file `name`, which holds `what`, returned the tool `key`.
function faults.of_tool(key, name, what)
  local definition = definitions.of(key)
  return ("%sthe tool %s needs a file of another name: %s is for %s"):format(definition.place,
    core.quote(definition.name), name, what)
end

return faults
