-- SPDX-License-Identifier: MIT
--- The tools of a session: loaded, checked, and found again by the names under which they are
--- offered. What is wrong with the files of an operator is gathered, so that it can be put right at
--- once.
local core = require "core.text"
local loading = require "core.loading"
local definitions = require "croft.definitions"
local faults = require "croft.faults"
local json = require "croft.json"
local messages = require "croft.messages"
local paths = require "croft.paths"
local replacements = require "croft.replacements"
local schema = require "croft.schema"
local tool = require "croft.tool"
local toolset = require "croft.toolset"
local wording = require "croft.wording"

local registry = {}

--- The tools that were loaded, by the names under which they are offered, and the modules of those
--- that will be when they are called.
local tools, pending = {}, {}

--- The modules of tools that a manifest hides, each with where that is said.
local hidden = {}

--- What registry.list says of each tool, in the order of the modules.
local offered = {}

--- What the file of a tool must do.
local WANTED = "return tool.define { ... }"

--- The definition that `module` returns; nil and what is wrong.
local function definition_in(module, files)
  local before = definitions.count()
  local ok, value = pcall(require, module)
  if not ok then
    return nil, faults.of_module(module, value, files, WANTED)
  end
  local definition = definitions.of(value)
  if not definition then
    return nil, faults.returns(module, WANTED)
  elseif definitions.count() > before + 1 then
    return nil, ("%sthe file defines %d tools and returns one: each needs a file of its own")
      :format(definition.place, definitions.count() - before)
  end
  return definition
end

local function is_operators(module)
  return core.find(module, "user.", 1) == 1
end

local function origin_of(module, files)
  return is_operators(module) and "in " .. files[module] or "built in"
end

--- Loads a tool. Returns what is wrong, or nil.
local function load_one(module, prefix, files)
  local definition, problem = definition_in(module, files)
  if not definition then
    return problem
  end
  local name = prefix .. definition.name
  local other = tools[name]
  if other then
    return ("%sthere is already a tool called %s, %s"):format(definition.place, name,
      origin_of(other.module, files))
  end
  definition.module, definition.file = module, files[module]
  definition.is_own = not is_operators(module)
  tools[name] = definition
  offered[#offered + 1] = table.concat({ name, definition.narrower or "", module }, "\t")
end

--- Loads the tool that another interpreter of the session offered as `name`.
local function load_late(name, module, prefix, file)
  local definition = definitions.of(require(module))
  if not definition or prefix .. definition.name ~= name then
    error(("%s: the tool was called %s, and is not any more"):format(module, name), 0)
  end
  definition.module, definition.file = module, file
  definition.is_own = not is_operators(module)
  tools[name], pending[name] = definition, nil
end

--- The definition of the tool offered as `name`; nil when there is none.
function registry.find(name)
  local found = pending[name]
  if found then
    load_late(name, found.module, found.prefix, found.file)
  end
  return tools[name]
end

--- What the functions of an operator's tool are in this call. Its file is run once more: what a
--- call leaves in the locals of the file is gone with it, and no call can tell which interpreter of
--- the session it runs in, nor who was there before.
function registry.fresh(definition)
  if definition.is_own then
    return definition
  end
  local again = definitions.returned(loading.again(definition.module))
  if type(again) ~= "table" then
    error("the file did not return tool.define { ... } when it was run once more", 0)
  end
  return setmetatable({ run = rawget(again, "run"), explain = rawget(again, "explain") },
    { __index = definition })
end

--- The names of all tools, sorted.
function registry.names()
  local names = {}
  for _, set in ipairs { tools, pending } do
    for name in pairs(set) do
      names[#names + 1] = name
    end
  end
  table.sort(names)
  return names
end

--- All definitions by their offered names.
function registry.all()
  for _, name in ipairs(registry.names()) do
    registry.find(name)
  end
  return tools
end

--- The names of the arguments of all tools, as a set.
function registry.arguments()
  local known = {}
  for _, definition in pairs(registry.all()) do
    schema.add_names(definition.input, known)
  end
  return known
end

local function append(problems, more)
  for _, problem in ipairs(core.split(more or "", "\n")) do
    if problem ~= "" then
      problems[#problems + 1] = problem
    end
  end
end

--- Puts the messages in place that the manifests and the files messages.lua have. Returns what is
--- wrong with those of the manifests, and then with the others.
local function replace_messages(names, manifests, files)
  local of_manifests, others, known = {}, {}, nil
  local function use(returned, module, name, problems)
    known = known or registry.arguments()
    append(problems, table.concat(replacements.use(returned, known, module, name), "\n"))
  end
  for _, manifest in ipairs(manifests) do
    if manifest.messages then
      use(manifest.messages, manifest.module, "messages: ", of_manifests)
    end
  end
  for _, module in ipairs(names) do
    if replacements.is(module) then
      local ok, returned = pcall(require, module)
      if ok then
        use(returned, module, "", others)
      else
        append(others, faults.of_module(module, returned, files, "return { ... }"))
      end
    end
  end
  return of_manifests, others
end

--- What each tool of the session is, as registry.list says it, or the core of the library's own.
local function expect(known, prefix, files)
  for _, line in ipairs(core.split(known, "\n")) do
    if line ~= "" then
      local name, narrower, module = table.unpack(core.split(line, "\t"))
      pending[name] = {
        module = module, prefix = prefix, file = files[module],
        narrower = narrower ~= "" and narrower,
      }
    end
  end
end

local function load_all(names, prefix, files, problems)
  for _, module in ipairs(names) do
    local is_tool = not replacements.is(module) and not toolset.is(module)
    if is_tool and not hidden[module] then
      append(problems, load_one(module, prefix, files))
    end
  end
end

local function add_all(problems, more)
  table.move(more, 1, #more, #problems + 1, problems)
end

--- Loads the tools in the modules `names`, whose files are called `files[name]`, and what the
--- manifests and messages of tool sets say. Returns a list of what is wrong with them, and whether
--- some of that is wrong with a manifest: then what it restricts is not known.
--
-- `known` is the second result of registry.list in another interpreter of the session: then each
-- tool is loaded when it is called.
function registry.load(names, prefix, files, known)
  local fatal, problems = {}, {}
  local manifests = toolset.read(names, files, fatal)
  wording.use_prefix(prefix)
  if known then
    expect(known, prefix, files)
  else
    hidden = toolset.hidden(manifests, names, fatal)
    load_all(names, prefix, files, problems)
  end
  local of_manifests, others = replace_messages(names, manifests, files)
  add_all(fatal, of_manifests)
  add_all(problems, others)
  local is_fatal = #fatal > 0
  add_all(fatal, problems)
  return fatal, is_fatal
end

--- Where a manifest hides one of the five built-in tools, as "set/toolset.lua:2"; nil for nowhere.
function registry.hidden(name)
  return hidden["tools.workspace." .. name]
end

--- Whether croft's own tool of that name is offered.
function registry.offers(name)
  name = wording.tool(name) or name
  return tools[name] ~= nil or pending[name] ~= nil
end

--- `description` without the lines that are for tools which are not offered: "?save_media text" is
--- "text" where save_media is (S2-9).
local function fitting(description)
  local lines = {}
  for _, line in ipairs(core.split(description, "\n")) do
    local name, rest = line:match("^%?([%l_]+) ?(.*)$")
    if not name then
      lines[#lines + 1] = line
    elseif registry.offers(name) then
      lines[#lines + 1] = rest
    end
  end
  return messages.with_names(table.concat(lines, "\n"))
end

local function advertised(name, definition)
  return {
    name = name,
    title = definition.title,
    description = fitting(definition.description),
    inputSchema = schema.advertised(definition.input, messages.with_names),
    annotations = tool.annotations(definition),
  }
end

--- All tools as the JSON array that a client is sent, sorted by name; and what registry.load needs,
--- a line each: the name, the number of the message that says how to ask for less, the module.
function registry.list()
  local list = {}
  for i, name in ipairs(schema.sorted_keys(tools)) do
    list[i] = advertised(name, tools[name])
  end
  return json.encode(json.array(list)), table.concat(offered, "\n")
end

local function is_required(definition, name)
  for _, required in ipairs(definition.input.required or {}) do
    if required == name then
      return true
    end
  end
  return false
end

--- What a gate has to know of each tool, a line each: its own name, "read", "write" or "search",
--- and its arguments that name a path, with a "?" before one that may be left out for the root.
function registry.gates()
  local lines = {}
  for _, name in ipairs(registry.names()) do
    local definition = registry.find(name)
    local effect = definition.access == "write" and "write" or definition.effect or "read"
    local fields = { definition.name, effect }
    for _, path in ipairs(paths.named(definition)) do
      fields[#fields + 1] = (is_required(definition, path) and "" or "?") .. path
    end
    lines[#lines + 1] = table.concat(fields, "\t")
  end
  return table.concat(lines, "\n")
end

--- The number of the message that says how to ask the tool `name` for less, or nil.
function registry.narrower(name)
  local found = pending[name]
  if found and not is_operators(found.module) then
    found = registry.find(name)
  end
  found = found or tools[name]
  return found and found.narrower or nil
end

return registry
