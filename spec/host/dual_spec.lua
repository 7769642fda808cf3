-- SPDX-License-Identifier: MIT
--- One configuration, two mechanisms: what the tools answer, what the checks answer, and what a
--- real process in the view finds are the same, path by path. S1-1 S1-9 S1-11 S1-17 S1-20 D1 D2
--- D3 D5
local boxed = require("boxed")
local croft = require("croft")
local drive = require("spec.front.drive")
local tree = require("tree")
local twins = require("twins")

local SEEDS = tonumber(os.getenv("CROFT_DUAL_SEEDS")) or 12

--- Where tools and processes do not agree, and why that is meant: operation, kind and name.
local DIFFERENCES = {
  ["read out abs"] = "a process sees the system's files, and follows an absolute link to one of "
    .. "them; the tools refuse every link that is absolute",
}

local function filled(text, base) return (text:gsub("@", base)) end

local function read_tool(session, question)
  local result = session:call("read", { path = question.tool })
  if result.is_error then return "no" end
  return result.text:match("tok%d+_%d+") or result.text:match("new%d+_%d+") or "other"
end

local function list_tool(session, question)
  local result = session:call("list", { path = question.tool })
  if result.is_error or result.text:find("^[^\n]*is empty") then return "no" end
  return result.text == "" and "no" or "yes"
end

local function write_tool(session, question)
  local result = session:call("write", { path = question.tool, content = question.token .. "\n" })
  return result.is_error and "no" or "yes"
end

local ASK_TOOL = { read = read_tool, list = list_tool, write = write_tool }

--- The same of a process: a line of output each.
local SHELL = {
  read = [[v=; { read -r v <%s; } 2>/dev/null; ]]
    .. [[case $v in tok*|new*) echo "$v";; "") echo no;; *) echo other;; esac]],
  list = [[if [ -d %s ] && [ -n "$(ls -A %s 2>/dev/null)" ]; then echo yes; else echo no; fi]],
  write = [[if mkdir -p "$(dirname %s)" 2>/dev/null && echo %s 2>/dev/null >%s; then echo yes; ]]
    .. [[else echo no; fi]],
}

local function line_of(question)
  local path = drive.quoted(question.inside)
  if question.operation == "write" then
    return SHELL.write:format(path, question.token, path)
  end
  return (SHELL[question.operation]:gsub("%%s", (path:gsub("%%", "%%%%"))))
end

--- What a process in the view of the host `base` answers to all questions, in order.
local function ask_process(base, pair, json)
  local lines = {}
  for index, question in ipairs(pair.questions) do lines[index] = line_of(question) end
  local file = assert(io.open(base .. "/tenants/acme/.ask", "wb"))
  file:write(table.concat(lines, "\n"), "\n")
  file:close()
  file = assert(io.open(base .. "/view.json", "wb"))
  file:write((filled(json or pair.view, base)))
  file:close()
  local result = drive.shell(('"$CROFT" wrap --view %s/view.json --tenant acme -- sh .ask')
    :format(base))
  assert(result.status == 0, result.err)
  local answers = {}
  for answer in result.out:gmatch("[^\n]+") do answers[#answers + 1] = answer end
  return answers
end

--- What tools and checks answer: for each question {answer, whether the check allows it}.
local function ask_tools(base, pair)
  local template = assert(croft.template(filled(pair.view, base)))
  local view = assert(template:view("acme", { read_only_names = {}, no_fsync = true }))
  local session = assert(view:session())
  local answers = {}
  for index, question in ipairs(pair.questions) do
    local check = question.operation == "write" and view.check_write or view.check_read
    local allowed = check(view, question.checked) == true
    local host = allowed
    if question.host then host = check(view, filled(question.host, base)) == true end
    answers[index] = { ASK_TOOL[question.operation](session, question), allowed, host }
  end
  session:close()
  view:close()
  template:close()
  return answers
end

local function shown(pair, question)
  return ("seed %d: %s of %s (%s)"):format(pair.seed, question.operation, question.tool,
    question.kind)
end

--- Whether the difference is one that is listed.
local function is_meant(question)
  local name = question.plain:match("[^/]*$")
  return DIFFERENCES[("%s %s %s"):format(question.operation, question.kind, name)]
end

local function skip(reason) pending(reason) end

describe("a view", function()
  local asked, faults = 0, {}

  local function judge(pair, question, tool, process, allowed, host)
    asked = asked + 1
    local where = shown(pair, question)
    if tool ~= process and not is_meant(question) then
      faults[#faults + 1] = ("%s: the tool says %s, a process %s"):format(where, tool, process)
    end
    -- A check knows no contents: what is not there may be read, and a directory is no file.
    if tool ~= "no" and not allowed then
      faults[#faults + 1] = where .. ": the tool does it, and the check refuses"
    end
    if tool == "no" and allowed and question.kind == "out" then
      faults[#faults + 1] = where .. ": the tool refuses it, and the check allows"
    end
    if allowed ~= host then
      faults[#faults + 1] = where .. ": the check tells the two names of one file apart"
    end
    if question.operation == "write" and question.kind == "file" and allowed ~= (tool == "yes") then
      faults[#faults + 1] = where .. ": the tool and the check differ about a file"
    end
  end

  it("is the same for the tools, the checks and a process", boxed.needs("", skip, function()
    for seed = 1, SEEDS do
      local pair = twins.new(seed)
      local left, right = pair:make(), pair:make()
      local tools, process = ask_tools(left, pair), ask_process(right, pair)
      assert.equal(#pair.questions, #process)
      for index, question in ipairs(pair.questions) do
        local answer = tools[index]
        judge(pair, question, answer[1], process[index], answer[2], answer[3])
      end
      tree.output(("rm -rf %s %s"):format(left, right))
    end
    assert.is_true(#faults == 0, ("%d of %d:\n%s"):format(#faults, asked,
      table.concat(faults, "\n", 1, math.min(#faults, 40))))
    assert.is_true(asked >= 2000, asked .. " are not enough")
  end))

  it("would be caught if it were not", boxed.needs("", skip, function()
    local differ = 0
    for seed = 1, 4 do
      local pair = twins.new(seed)
      local left, right = pair:make(), pair:make()
      local tools = ask_tools(left, pair)
      local process = ask_process(right, pair, (pair.view:gsub('"hide":%b[]', '"hide":[]')))
      for index in ipairs(pair.questions) do
        if tools[index][1] ~= process[index] then differ = differ + 1 end
      end
      tree.output(("rm -rf %s %s"):format(left, right))
    end
    assert.is_true(differ > 20, tostring(differ))
  end))
end)
