-- SPDX-License-Identifier: MIT
--- check: loads the tools of a directory, looks for what would mislead a model, and makes the calls
--- that they give as examples, each in a directory of its own that is thrown away.
local core = require("front.core")
local example = require("front.example")
local fail = require("front.fail")
local open_tools = require("front.open")

--- Opens the tools in `directory` over an empty root: those that can be loaded.
local function open(root, directory, values)
  local view = assert(core.open(root))
  local session, err = view:session {
    tools = { directory }, prefix = values.prefix, enable = open_tools.enabled(values),
    leave_out_broken = true,
    gate = "allow", -- for tools that demand one: what they do, they do to a copy
  }
  if not session then
    view:close()
    return nil, err.problems and #err.problems > 0 and err.problems or { err.message }
  end
  return session, session:problems(), view
end

local function text_of(slice) return slice and slice:type() == "string" and slice:text() or "" end

--- {file =, tool =, fault =, text =} of a finding in the report.
local function finding_of(slice)
  local file, place, tool, fault, text = slice:pick("file", "place", "tool", "fault", "text")
  return {
    file = text_of(file), place = text_of(place), tool = text_of(tool),
    fault = fault:raw() == "true", text = text_of(text),
  }
end

--- The words in a list of the report, as a set.
local function words_in(slice)
  local words = {}
  for word in slice:each() do words[word:text()] = true end
  return words
end

--- What is known of each tool, by its name, and the names in order.
local function tools_of(slice)
  local tools, names = {}, {}
  for tool in slice:each() do
    local name, file, count = tool:pick("name", "file", "examples")
    names[#names + 1] = name:text()
    tools[name:text()] = {
      file = file:text(), examples = math.tointeger(count:raw()), faults = {}, notes = {},
    }
  end
  return tools, names
end

--- Adds to the tools what the report found, and what their examples did. Returns the notes that are
--- about none of them.
local function judge(report, tools, run)
  local found, examples, names, arguments = report:pick("findings", "examples", "names",
    "arguments")
  local known = { tools = words_in(names), arguments = words_in(arguments) }
  local rest = {}
  for slice in found:each() do
    local finding = finding_of(slice)
    local tool = tools[finding.tool]
    local list = not tool and rest or finding.fault and tool.faults or tool.notes
    list[#list + 1] = tool and ("%s%s: %s"):format(finding.place, finding.tool, finding.text)
      or finding.file .. " " .. finding.text
  end
  for slice in examples:each() do
    local own, where, place = slice:pick("own_name", "where", "place")
    local problem = example.run(slice, known, run)
    local name = own:text()
    local list = tools[name].faults
    if problem then
      list[#list + 1] = ("%s%s: %s: %s"):format(place:text(), name, where:text(), problem)
    end
  end
  return rest
end

local function counted(count, one)
  return ("%d %s%s"):format(count, one, count == 1 and "" or "s")
end

--- The health list. Returns its text and how many faults there are.
local function health(tools, names, problems, rest)
  local lines, faults = {}, #problems
  for _, problem in ipairs(problems) do lines[#lines + 1] = "FAULT " .. problem end
  for _, name in ipairs(names) do
    local tool = tools[name]
    for _, text in ipairs(tool.faults) do lines[#lines + 1] = "FAULT " .. text end
    for _, text in ipairs(tool.notes) do lines[#lines + 1] = "note  " .. text end
    if #tool.faults == 0 then
      lines[#lines + 1] = ("ok    %s: %s, %s"):format(tool.file, name,
        counted(tool.examples, "example"))
    end
    faults = faults + #tool.faults
  end
  for _, text in ipairs(rest) do lines[#lines + 1] = "note  " .. text end
  lines[#lines + 1] = ("%s, %s"):format(counted(#names, "tool"), counted(faults, "fault"))
  return table.concat(lines, "\n") .. "\n", faults
end

--- What there is to say where no session was opened. A tool set is not tried without what its
--- manifest restricts.
local function untried(problems)
  for _, problem in ipairs(problems) do
    if problem:find("/toolset.lua", 1, true) then
      return { "the tools were not tried: they are when toolset.lua is right" }
    end
  end
  return {}
end

local function check(root, directory, values)
  local session, problems, view = open(root, directory, values)
  if not session then return health({}, {}, problems, untried(problems)) end
  local text, code = session:report()
  session:close()
  view:close()
  if not text then
    problems[#problems + 1] = "the tools could not be looked through: " .. code
    return health({}, {}, problems, {})
  end
  local report = assert(core.parse(text))
  local tools, names = tools_of((report:pick("tools")))
  local rest = judge(report, tools, {
    tools = { directory }, prefix = values.prefix, enable = open_tools.enabled(values),
    leave_out_broken = true,
    gate = "allow", -- for tools that demand one: what they do, they do to a copy
  })
  return health(tools, names, problems, rest)
end

return function(write, values, operands)
  local root, reason = core.scratch()
  if not root then fail.usage("%s", reason) end
  local good, text, faults = pcall(check, root, operands[1], values)
  core.scratch_drop(root)
  if not good then error(text, 0) end
  write(text)
  return faults == 0 and fail.DONE or fail.TOOL
end
