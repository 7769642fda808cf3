-- SPDX-License-Identifier: MIT
--- The manifest of a tool set, toolset.lua: a table that says what the set is called, which of the
--- built-in tools it hides, which limits and read-only names it wants, whether its calls need a
--- gate, and which messages it replaces. A field that is not known is refused.
local core = require "core.text"
local schema = require "croft.schema"

local toolset = {}

--- The modules of tools that come with croft begin so.
local BUILT_IN = { "tools.workspace.", "tools.staged.", "tools.extra." }

local FIELDS = {
  name = "string", hide = "table", limits = "table", read_only_names = "table", messages = "table",
  gate = "boolean",
}

--- Whether the module `name` is no tool but the manifest of a tool set.
function toolset.is(name)
  return name:match("^user%.%d+%.toolset$") ~= nil
end

local checks = {}

local function check_texts(list, where, problems)
  for _, key in ipairs(schema.sorted_keys(list)) do
    if math.type(key) ~= "integer" or key < 1 or key > #list then
      problems[#problems + 1] = ("%s must be a list, and has the field %s")
        :format(where, tostring(key))
    elseif type(list[key]) ~= "string" then
      problems[#problems + 1] = ("%s[%d] must be a string, not a %s")
        :format(where, key, type(list[key]))
    end
  end
end

checks.hide, checks.read_only_names = check_texts, check_texts

function checks.name(name, where, problems)
  if name == "" or #name > 64 or not core.is_utf8(name) then
    problems[#problems + 1] = where .. " must have 1 to 64 bytes of UTF-8"
  end
end

function checks.limits(limits, where, problems)
  for _, name in ipairs(schema.sorted_keys(limits)) do
    local value = limits[name]
    if type(name) ~= "string" or math.type(value) ~= "integer" or value < 0 then
      problems[#problems + 1] = ("%s.%s must be a whole number"):format(where, tostring(name))
    end
  end
end

local function problems_of(manifest, file)
  if type(manifest) ~= "table" then
    return { file .. ": it must return a table, not a " .. type(manifest) }
  end
  local found = {}
  for _, field in ipairs(schema.sorted_keys(manifest)) do
    local wanted, got = FIELDS[field], type(manifest[field])
    local where = ("%s: %s"):format(file, tostring(field))
    if not wanted then
      found[#found + 1] = where .. " is not a field of a tool set"
    elseif got ~= wanted then
      found[#found + 1] = ("%s must be a %s, not a %s"):format(where, wanted, got)
    elseif checks[field] then
      checks[field](manifest[field], where, found)
    end
  end
  return found
end

local function add_all(problems, more)
  table.move(more, 1, #more, #problems + 1, problems)
end

--- The manifests among the modules `names`, those that are good. Each has `file`, how errors call
--- it. Adds what is wrong with the others to `problems`.
function toolset.read(names, files, problems)
  local manifests = {}
  for _, module in ipairs(names) do
    if toolset.is(module) then
      local ok, manifest = pcall(require, module)
      local found = ok and problems_of(manifest, files[module]) or { tostring(manifest) }
      add_all(problems, found)
      if #found == 0 then
        manifests[#manifests + 1] = {
          file = files[module], name = manifest.name, hide = manifest.hide or {},
          limits = manifest.limits or {}, read_only_names = manifest.read_only_names or {},
          messages = manifest.messages, gate = manifest.gate,
        }
      end
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

--- The modules of the built-in tools that `manifests` hide, as a set.
function toolset.hidden(manifests, names, problems)
  local modules, hidden = {}, {}
  for _, module in ipairs(names) do
    modules[module] = true
  end
  for _, manifest in ipairs(manifests) do
    for _, name in ipairs(manifest.hide) do
      local module = built_in(name, modules)
      if module then
        hidden[module] = true
      else
        problems[#problems + 1] = ("%s: hide: there is no built-in tool %s")
          :format(manifest.file, core.quote(name))
      end
    end
  end
  return hidden
end

--- What of the manifests has to be known before tools are loaded, a line each: `limit`, the file, a
--- name and a number; `name`, the file and a read-only name; or `gate` and the file; with tabs
--- between.
function toolset.gather(names, files)
  local lines = {}
  for _, manifest in ipairs(toolset.read(names, files, {})) do
    for _, name in ipairs(schema.sorted_keys(manifest.limits)) do
      lines[#lines + 1] = ("limit\t%s\t%s\t%d"):format(manifest.file, name, manifest.limits[name])
    end
    if manifest.gate then
      lines[#lines + 1] = ("gate\t%s\t"):format(manifest.file)
    end
    for _, name in ipairs(manifest.read_only_names) do
      lines[#lines + 1] = ("name\t%s\t%s"):format(manifest.file, name)
    end
  end
  return table.concat(lines, "\n")
end

return toolset
