-- SPDX-License-Identifier: MIT
--- The manifest of a tool set, toolset.lua: a table that says what the set is called, which of the
--- built-in tools it hides, which limits and read-only names it wants, whether its calls need a
--- gate, and which messages it replaces. A field that is not known is refused.
local core = require "core.text"
local loading = require "core.loading"
local definitions = require "croft.definitions"
local faults = require "croft.faults"
local schema = require "croft.schema"

local toolset = {}

--- The modules of tools that come with croft begin so.
local BUILT_IN = { "tools.workspace.", "tools.staged.", "tools.extra." }

local FIELDS = {
  name = "string", hide = "table", limits = "table", read_only_names = "table", messages = "table",
  gate = "boolean",
}

--- Longest name in a manifest, in bytes: what a file system takes; and longest name of a set.
local NAME_BYTES, SET_BYTES = 255, 64

--- Whether the module `name` is no tool but the manifest of a tool set.
function toolset.is(name)
  return name:match("^user%.%d+%.toolset$") ~= nil
end

--- A gatherer of what is wrong with the manifest in `module`: add(word, text, ...) says it with the
--- line of `word`.
local function finder(module, problems)
  return function(word, text, ...)
    problems[#problems + 1] = ("%s: %s"):format(loading.place_of(module, tostring(word)),
      text:format(...))
  end
end

--- What is wrong with the text `value`, which may have `most` bytes: "is empty", say; nil when
--- nothing is.
local function text_fault(value, most)
  if type(value) ~= "string" then
    return "must be a string, not a " .. type(value)
  elseif value == "" then
    return "is empty"
  elseif #value > most then
    return ("has %d bytes, over %d"):format(#value, most)
  elseif not core.is_utf8(value) then
    return "must be UTF-8"
  elseif value:find("%c") then
    return core.quote(value) .. " holds a control character"
  end
end

local takes = {}

--- The texts of a list that are good.
local function take_texts(list, field, add)
  local taken = {}
  for _, key in ipairs(schema.sorted_keys(list)) do
    if math.type(key) ~= "integer" or key < 1 or key > rawlen(list) then
      add(key, "%s must be a list, and has the field %s", field, core.quote(tostring(key)))
    else
      local fault = text_fault(list[key], NAME_BYTES)
      if fault then
        add(field, "%s[%d] %s", field, key, fault)
      else
        taken[#taken + 1] = list[key]
      end
    end
  end
  return taken
end

takes.hide, takes.read_only_names = take_texts, take_texts

function takes.name(name, field, add)
  local fault = text_fault(name, SET_BYTES)
  if fault then
    add(field, "%s %s", field, fault)
  end
  return name
end

function takes.limits(limits, field, add)
  local taken = {}
  for _, name in ipairs(schema.sorted_keys(limits)) do
    local value = limits[name]
    local fault = text_fault(name, NAME_BYTES)
    if fault then
      add(field, "%s: the name of a limit %s", field, fault)
    elseif math.type(value) ~= "integer" or value < 0 then
      add(name, "%s.%s must be a whole number, not %s", field, name,
        type(value) == "number" and tostring(value) or "a " .. type(value))
    else
      taken[name] = value
    end
  end
  return taken
end

--- What of the manifest's `fields` is good; adds what is not.
local function take_fields(fields, add)
  local taken = {}
  for _, field in ipairs(schema.sorted_keys(fields)) do
    local wanted, value = FIELDS[field], fields[field]
    if not wanted then
      add(field, "%s is not a field of a tool set, which are gate, hide, limits, messages, name "
        .. "and read_only_names", core.quote(tostring(field)))
    elseif type(value) ~= wanted then
      add(field, "%s must be a %s, not a %s", field, wanted, type(value))
    else
      taken[field] = takes[field] and takes[field](value, field, add) or value
    end
  end
  return taken
end

--- What of the manifest in `module` is good, all the same what else is wrong with it.
local function read_one(module, files, problems)
  local ok, returned = pcall(require, module)
  if not ok then
    problems[#problems + 1] = faults.of_module(module, returned, files, "return { ... }")
    return {}
  elseif definitions.of(returned) then
    problems[#problems + 1] = faults.of_tool(returned, "toolset.lua",
      "what the set hides and limits")
    return {}
  elseif type(returned) ~= "table" then
    finder(module, problems)("", "it must return a table, not a %s", type(returned))
    return {}
  end
  return take_fields(returned, finder(module, problems))
end

--- The manifests among the modules `names`, as far as they are good. Adds what is wrong with them
--- to `problems`.
function toolset.read(names, files, problems)
  local manifests = {}
  for _, module in ipairs(names) do
    if toolset.is(module) then
      local fields = read_one(module, files, problems)
      manifests[#manifests + 1] = {
        module = module, name = fields.name, hide = fields.hide or {},
        limits = fields.limits or {}, read_only_names = fields.read_only_names or {},
        messages = fields.messages, gate = fields.gate,
      }
    end
  end
  return manifests
end

local function built_in(name, modules)
  for _, beginning in ipairs(BUILT_IN) do
    if modules[beginning .. name] then
      return beginning .. name
    end
  end
end

--- The modules of the built-in tools that `manifests` hide: each with where that is said.
function toolset.hidden(manifests, names, problems)
  local modules, hidden = {}, {}
  for _, module in ipairs(names) do
    modules[module] = true
  end
  for _, manifest in ipairs(manifests) do
    for _, name in ipairs(manifest.hide) do
      local module = built_in(name, modules)
      if module then
        hidden[module] = loading.place_of(manifest.module, name)
      else
        finder(manifest.module, problems)(name, "hide: there is no built-in tool %s",
          core.quote(name))
      end
    end
  end
  return hidden
end

--- What of the manifests has to be known before tools are loaded, a line each: `limit`, the file, a
--- name and a number; `name`, the file and a read-only name; or `gate` and the file; with tabs
--- between, and the file with its line.
function toolset.gather(names, files)
  local lines = {}
  for _, manifest in ipairs(toolset.read(names, files, {})) do
    for _, name in ipairs(schema.sorted_keys(manifest.limits)) do
      lines[#lines + 1] = ("limit\t%s\t%s\t%d")
        :format(loading.place_of(manifest.module, name), name, manifest.limits[name])
    end
    if manifest.gate then
      lines[#lines + 1] = ("gate\t%s\t"):format(loading.place_of(manifest.module, "gate"))
    end
    for _, name in ipairs(manifest.read_only_names) do
      lines[#lines + 1] = ("name\t%s\t%s")
        :format(loading.place_of(manifest.module, name), name)
    end
  end
  return table.concat(lines, "\n")
end

return toolset
