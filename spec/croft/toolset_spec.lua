-- SPDX-License-Identifier: MIT
--- toolset.lua, the manifest beside the tools of an operator.
local croft = require "croft"
local testing = require "croft.testing"
local tree = require("tree")

local TOOL = [[return require("croft.tool").define {
  name = "mine", description = "Mine.", access = "write", input = { type = "object", properties = {
    path = { type = "string", description = "A path." } } },
  run = function(args, ctx)
    return ctx.limits.steps .. " " .. ctx.fs:write(args.path, "x").size end }]]

local function make_directory()
  local pipe = io.popen("mktemp -d")
  local directory = pipe:read("l")
  pipe:close()
  return directory
end

--- A session with the toolset.lua `source`, and `files` beside it; or nil and the error.
local function open(source, options, files)
  local directory = make_directory()
  tree.write(directory .. "/toolset.lua", source)
  tree.write(directory .. "/mine.lua", TOOL)
  for name, text in pairs(files or {}) do
    tree.write(directory .. "/" .. name, text)
  end
  options = options or {}
  options.files = { ["a.md"] = "one\n", ["keep/x"] = "k", ["d/"] = true }
  options.tools = { directory }
  local ok, session = pcall(testing.session, options)
  os.execute("rm -r " .. directory)
  return ok and session, tostring(session)
end

--- A session over the repository that leaves out what is broken of `files`, tools; or nil and the
--- error.
local function open_lenient(files)
  local directory = make_directory()
  for name, text in pairs(files) do
    tree.write(directory .. "/" .. name, text)
  end
  local view = assert(croft.open("."))
  local session, err = view:session { tools = { directory }, leave_out_broken = true }
  view:close()
  os.execute("rm -r " .. directory)
  return session, err and table.concat(err.problems, "\n")
end

describe("A toolset.lua", function()
  local session

  after_each(function()
    if session then
      session:close()
    end
    session = nil
  end)

  it("hides built-in tools", function()
    session = open [[return { name = "small", hide = { "grep", "edit" } }]]
    local names = {}
    for i, tool in ipairs(session:tools()) do
      names[i] = tool.name
    end
    assert.same({ "list", "mine", "read", "write" }, names)
    assert.equal("unknown_tool", session:call("grep", { pattern = "x" }).code)
  end)

  it("sets limits, below those of the host", function()
    session = open [[return { limits = { steps = 123456 } }]]
    assert.equal("123456 1", session:call("mine", { path = "n" }).text)
    session:close()
    session = open([[return { limits = { steps = 123456 } }]], { limits = { steps = 654321 } })
    assert.equal("654321 1", session:call("mine", { path = "n" }).text)
  end)

  it("lifts no limit that another set has, whatever their order", function()
    for _, first in ipairs { 123456, 654321 } do
      local sets = { make_directory(), make_directory() }
      for i, steps in ipairs { first, 123456 + 654321 - first } do
        tree.write(sets[i] .. "/toolset.lua", ("return { limits = { steps = %d } }"):format(steps))
      end
      tree.write(sets[1] .. "/mine.lua", TOOL)
      session = testing.session { tools = sets }
      os.execute("rm -r " .. table.concat(sets, " "))
      assert.equal("123456 1", session:call("mine", { path = "n" }).text)
      session:close()
    end
  end)

  it("adds read-only names, which hold for all tools", function()
    session = open [[return { read_only_names = { "keep" } }]]
    for _, path in ipairs { "keep/y", "KEEP/y", "docs/y" } do
      assert.equal("read_only", session:call("write", { path = path, content = "" }).code)
      assert.equal("read_only", session:call("mine", { path = path }).code)
    end
    assert.equal("123", session:call("mine", { path = "other" }).text:gsub("^%d+ 1$", "123"))
  end)

  it("replaces messages", function()
    session = open [[return { messages = { L1 = 'nichts in "{p}"' } }]]
    assert.equal('[nichts in "d"]', session:call("list", { path = "d" }).text)
  end)

  it("is no tool, and can be made of code", function()
    session = open [[local names = {} for i = 1, 2 do names[i] = "n" .. i end
      return { read_only_names = names }]]
    assert.equal(6, #session:tools())
    assert.equal("read_only", session:call("mine", { path = "n2/x" }).code)
  end)

  local FAULTS = {
    ["an unknown field"] = { "return { hides = {} }",
      'toolset.lua:1: "hides" is not a field of a tool set, which are gate, hide,' },
    ["a field of another type"] = { 'return { hide = "grep" }',
      "toolset.lua:1: hide must be a table, not a string" },
    ["a tool that is not built in"] = { 'return { hide = { "mine" } }',
      'toolset.lua:1: hide: there is no built-in tool "mine"' },
    ["an unknown limit"] = { "return { limits = { step = 1 } }",
      'toolset.lua:1: limits: there is no limit "step"' },
    ["a limit out of its range"] = { "return { limits = { calls = 0 } }",
      'toolset.lua:1: limits: limit "calls" must be between' },
    ["a limit that is no number"] = { 'return { limits = { calls = "2" } }',
      "toolset.lua:1: limits.calls must be a whole number" },
    ["a name that is none"] = { 'return { read_only_names = { "a/b" } }',
      'toolset.lua:1: read_only_names: the read-only name "a/b" is not one name at the top' },
    ["a name that is no text"] = { "return { read_only_names = { 1 } }",
      "toolset.lua:1: read_only_names[1] must be a string, not a number" },
    ["a message that there is not"] = { 'return { messages = { X9 = "x" } }',
      "toolset.lua:1: messages: X9: there is no such message" },
    ["an error of syntax"] = { "return { name = }", "toolset.lua:1: unexpected symbol near '}'" },
    ["what is no table"] = { "return 1", "toolset.lua:1: it must return a table, not a number" },
    ["nothing"] = { "local x = 1\nlocal y = x", "toolset.lua:2: the file must return { ... }" },
    ["an error that is a table"] = { "\nerror({})",
      "toolset.lua:2: it raises an error that is a table" },
    ["a table that cannot be gone through"] = {
      'return setmetatable({}, { __pairs = function() error("no") end })', "toolset.lua:1: no" },
    ["a tool"] = { TOOL,
      'toolset.lua:5: the tool "mine" needs a file of another name: toolset.lua is for what the' },
    ["a read-only name of two lines"] = {
      [[return { read_only_names = { "a\nlimit\tx\tcalls\t1" } }]],
      [[toolset.lua:1: read_only_names[1] "a\nlimit\tx\tcalls\t1" holds a control character]] },
    ["a read-only name that is no UTF-8"] = { [[return { read_only_names = { "a", "\xff" } }]],
      "toolset.lua:1: read_only_names[2] must be UTF-8" },
    ["a read-only name without end"] = { [[return { read_only_names = { ("x"):rep(256) } }]],
      "toolset.lua:1: read_only_names[1] has 256 bytes, over 255" },
    ["a long name"] = { [[return { name = ("x"):rep(65) }]],
      "toolset.lua:1: name has 65 bytes, over 64" },
    ["a name that is no UTF-8"] = { [[return { name = "\xff" }]],
      "toolset.lua:1: name must be UTF-8" },
    ["a read-only name with a NUL"] = { [[return { read_only_names = { "keep\0" } }]],
      "toolset.lua:1: read_only_names[1]" },
    ["a tool with a tab in its name"] = { [[return { hide = { "grep\t" } }]],
      [[toolset.lua:1: hide[1] "grep\t" holds a control character]] },
    ["a limit with a tab in its name"] = { [[return { limits = { ["calls\t1"] = 2 } }]],
      [[toolset.lua:1: limits: the name of a limit "calls\t1" holds a control character]] },
    ["a name of two lines"] = { [[return { name = "a\nb" }]],
      [[toolset.lua:1: name "a\nb" holds a control character]] },
    ["a list with a name in it"] = { [[return { hide = { x = "grep" } }]],
      [[toolset.lua:1: hide must be a list, and has the field "x"]] },
    ["messages that are a tool"] = { "return { messages = " .. TOOL:gsub("^return ", "") .. " }",
      'the tool "mine" needs a file of another name: messages.lua is for texts' },
    ["a binary chunk"] = { string.dump(function() return {} end),
      "toolset.lua:1: it is compiled Lua, and croft takes its source alone" },
    ["what reaches out"] = { 'return { name = io.read() }', "unknown global 'io'" },
  }

  for name, case in pairs(FAULTS) do
    it("is refused with " .. name, function()
      local err
      session, err = open(case[1])
      assert.is_false(session)
      assert.matches(case[2], err, 1, true)
      session = nil
    end)
  end

  -- what it restricts would be lost without a word
  it("is never left out with what is broken, whatever is wrong with it", function()
    FAULTS["no end"] = { "while true do end", "/toolset.lua took more than it may" }
    for name, case in pairs(FAULTS) do
      local opened, err = open_lenient { ["toolset.lua"] = case[1], ["bad.lua"] = "return {" }
      assert.is_nil(opened, name)
      assert.matches(case[2], err, 1, true)
      assert.matches("/bad.lua:1: unexpected symbol", err, 1, true)
    end
  end)

  it("is not taken for absent when its directory cannot be read", function()
    local view = assert(croft.open("."))
    local opened, err = view:session { tools = { "spec/none" }, leave_out_broken = true }
    view:close()
    assert.is_nil(opened)
    assert.matches('the tool directory "none" cannot be opened', tostring(err), 1, true)
  end)

  it("holds where tools beside it are left out", function()
    local opened = open_lenient {
      ["toolset.lua"] = 'return { hide = { "grep" }, read_only_names = { "keep" } }',
      ["bad.lua"] = "return {", ["messages.lua"] = "return { X9 = 1 }",
    }
    assert.equal("unknown_tool", opened:call("grep", { pattern = "x" }).code)
    assert.equal("read_only", opened:call("write", { path = "keep/y", content = "" }).code)
    assert.equal(2, #opened:problems())
    opened:close()
  end)

  it("is told of with all that is wrong, each with its line", function()
    local err
    session, err = open([[
-- keep and hide
local keep = "a/b"
return {
  colour = "red",
  hide = {
    "grep",
    "mine", -- mine
    7,
  },
  limits = {
    calls = 0,
    time = "2s",
    steps = 123456,
    pace = 1,
  },
  read_only_names = { keep, "ok",
    "c/d" },
  messages = {
    L1 = 5,
    X9 = "x",
  },
}]], nil, { ["messages.lua"] = "return {\n  L1 = 1,\n}", ["bad.lua"] = "return {" })
    session = nil
    local lines = {}
    for line in err:gmatch("[^\n]+") do
      lines[#lines + 1] = line:match("^[^/]*/(.*)$")
    end
    table.sort(lines)
    assert.same({
      "bad.lua:1: unexpected symbol near <eof>",
      "messages.lua:2: L1: the text must be a string, not a number",
      "toolset.lua:11: limits: limit \"calls\" must be between 1 and 64",
      "toolset.lua:12: limits.time must be a whole number, not a string",
      "toolset.lua:14: limits: there is no limit \"pace\"",
      "toolset.lua:17: read_only_names: the read-only name \"c/d\" is not one name at the top",
      "toolset.lua:19: messages: L1: the text must be a string, not a number",
      "toolset.lua:20: messages: X9: there is no such message",
      "toolset.lua:2: read_only_names: the read-only name \"a/b\" is not one name at the top",
      "toolset.lua:4: \"colour\" is not a field of a tool set, which are gate, hide, limits, "
        .. "messages, name and read_only_names",
      "toolset.lua:5: hide[3] must be a string, not a number",
      "toolset.lua:7: hide: there is no built-in tool \"mine\"",
    }, lines)
  end)

  it("that has no end keeps nothing else from being told", function()
    local err
    session, err = open("while true do end", nil,
      { ["bad.lua"] = "return {", ["endless.lua"] = "while true do end", ["no.lua"] = "return 1" })
    session = nil
    for _, text in ipairs { "/toolset.lua took more", "/endless.lua took more", "/bad.lua:1: ",
      "/no.lua:1: the file must return tool.define" } do
      assert.matches(text, err, 1, true)
    end
  end)

  it("is told once of too many names", function()
    local err
    session, err = open([[local names = {} for i = 1, 99 do names[i] = "n" .. i end
      return { read_only_names = names }]])
    session = nil
    assert.matches("^[^\n]*/toolset.lua:%d: read_only_names: there are more than 64 read%-only "
      .. "names$", err)
  end)

  it("has no file beside it whose name is not one line of UTF-8", function()
    local err
    session, err = open("return {}", nil,
      { ["a\tb.lua"] = TOOL, ["c\xff.lua"] = TOOL, ["\u{e9}.lua"] = "return {" })
    session = nil
    for _, text in ipairs { "/a?b.lua: the name of a file must be UTF-8 without control characters",
      "/c?.lua: the name of a file must be", "/\u{e9}.lua:1: unexpected symbol" } do
      assert.matches(text, err, 1, true)
    end
  end)

  it("is a file of a directory, whatever bytes that is called by", function()
    local base = make_directory()
    local directory = base .. "/a\tb\nlimit\tx\tcalls\t1\xff"
    os.execute("mkdir '" .. directory .. "'")
    tree.write(directory .. "/toolset.lua",
      'return { limits = { steps = 123456, calls = 0 }, read_only_names = { "keep" } }')
    local ok, err = pcall(testing.session, { tools = { directory } })
    os.execute("rm -r " .. base)
    assert.is_false(ok)
    assert.matches('^a%?b%?limit%?x%?calls%?1%?/toolset.lua:1: limits: limit "calls" must be',
      tostring(err))
  end)

  it("is told of with all that is wrong with the others", function()
    local bad = {}
    for i = 1, 30 do
      bad[("t%02d.lua"):format(i)] = "return {"
    end
    local err
    session, err = open("return { x = 1, y = 2 }", nil, bad)
    session = nil
    assert.matches("/t01.lua:1: unexpected symbol near <eof>\n", err, 1, true)
    assert.matches("\nand %d+ more$", err)
    assert.is_true(#err < 1024)
  end)
end)
