-- SPDX-License-Identifier: MIT
--- toolset.lua, the manifest beside the tools of an operator.
local testing = require "croft.testing"

local TOOL = [[return require("croft.tool").define {
  name = "mine", description = "Mine.", access = "write", input = { type = "object", properties = {
    path = { type = "string", description = "A path." } } },
  run = function(args, ctx)
    return ctx.limits.steps .. " " .. ctx.fs:write(args.path, "x").size end }]]

local function write_file(path, text)
  local file = assert(io.open(path, "w"))
  assert(file:write(text))
  assert(file:close())
end

local function make_directory()
  local pipe = io.popen("mktemp -d")
  local directory = pipe:read("l")
  pipe:close()
  return directory
end

--- A session with the toolset.lua `source`, and `files` beside it; or nil and the error.
local function open(source, options, files)
  local directory = make_directory()
  write_file(directory .. "/toolset.lua", source)
  write_file(directory .. "/mine.lua", TOOL)
  for name, text in pairs(files or {}) do
    write_file(directory .. "/" .. name, text)
  end
  options = options or {}
  options.files = { ["a.md"] = "one\n", ["keep/x"] = "k", ["d/"] = true }
  options.tools = { directory }
  local ok, session = pcall(testing.session, options)
  os.execute("rm -r " .. directory)
  return ok and session, tostring(session)
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

  for name, case in pairs {
    ["an unknown field"] = { "return { hides = {} }",
      "toolset.lua: hides is not a field of a tool set" },
    ["a field of another type"] = { 'return { hide = "grep" }',
      "toolset.lua: hide must be a table, not a string" },
    ["a tool that is not built in"] = { 'return { hide = { "mine" } }',
      'toolset.lua: hide: there is no built-in tool "mine"' },
    ["an unknown limit"] = { "return { limits = { step = 1 } }",
      'toolset.lua: limits: there is no limit "step"' },
    ["a limit out of its range"] = { "return { limits = { calls = 0 } }",
      'toolset.lua: limits: limit "calls" must be between' },
    ["a limit that is no number"] = { 'return { limits = { calls = "2" } }',
      "toolset.lua: limits.calls must be a whole number" },
    ["a name that is none"] = { 'return { read_only_names = { "a/b" } }',
      'toolset.lua: read_only_names: the read-only name "a/b" is not one name at the top' },
    ["a name that is no text"] = { "return { read_only_names = { 1 } }",
      "toolset.lua: read_only_names[1] must be a string, not a number" },
    ["a message that there is not"] = { 'return { messages = { X9 = "x" } }',
      "toolset.lua: messages: X9: there is no such message" },
    ["an error of syntax"] = { "return { name = }", "toolset.lua:1: unexpected symbol near '}'" },
    ["what is no table"] = { "return 1", "toolset.lua: it must return a table, not a number" },
    ["what reaches out"] = { 'return { name = io.read() }', "unknown global 'io'" },
  } do
    it("is refused with " .. name, function()
      local err
      session, err = open(case[1])
      assert.is_false(session)
      assert.matches(case[2], err, 1, true)
      session = nil
    end)
  end

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
