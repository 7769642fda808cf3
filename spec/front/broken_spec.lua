-- SPDX-License-Identifier: MIT
--- More than fifty kinds of faults in tools that croft check finds, each with its file and line,
--- besides those of check_spec.lua.
local broken = require("broken")
local drive = require("spec.front.drive")
local tree = require("tree")

local source, property, example = broken.source, broken.property, broken.example

--- An input whose property `path` has `words` besides.
local function text(words)
  return { input = property('{ type = "string", description = "A path.", ' .. words .. " }") }
end

local function number(kind, words)
  return {
    input = property(('{ type = "%s", description = "A path.", %s }'):format(kind, words)),
  }
end

local function required(list)
  return {
    input = ('{ type = "object", required = %s, properties = { path = %s } }'):format(list,
      '{ type = "string", description = "A path." }'),
  }
end

local function described(words)
  return { input = property('{ type = "string", description = ' .. words .. " }") }
end

--- An example that wants "done" of a tool with `body`.
local function tried(body)
  return { { examples = example('expect = "done"') }, body }
end

local REFUSED = example('error = "no_match"')

--- Kind -> the fields, and the body of run, of a tool that has it; what the fault is called.
local KINDS = {
  -- what keeps a tool from being loaded
  ["a code that there is not"] = { { { examples = example('error = "nope"') } },
    '2: TOOL: examples[1].error: "nope" is no code that a tool may raise' },
  ["arguments in a list"] = { { { examples = example('args = { "a" }, expect = "x"') } },
    "2: TOOL: examples[1].args must have the arguments by their names, and is a list" },
  ["an example that wants nothing"] = { { { examples = example('contains = ""') } },
    "2: TOOL: examples[1].contains is empty: nothing is looked at" },
  ["a file that is to be a number"] = {
    { { examples = example('expect = "done", after = { a = 7 }') } },
    '2: TOOL: examples[1].after: "a" must be a text, true or false under a path' },
  ["required names in a set"] = { { required "{ path = true }" },
    '2: TOOL: input.required must be a list, and has the field "path"' },
  ["a required name twice"] = { { required '{ "path", "path" }' },
    '2: TOOL: input.required[2] is "path" again' },
  ["a required number"] = { { required "{ 1 }" },
    "2: TOOL: input.required[1] must be a string, not a number" },
  ["a word twice"] = { { text 'enum = { "a", "a" }' },
    '2: TOOL: input.properties.path.enum[2] is "a" again' },
  ["words by names"] = { { text 'enum = { a = "x" }' },
    '2: TOOL: input.properties.path.enum must be a list, and has the field "a"' },
  ["no words"] = { { text "enum = {}" }, "2: TOOL: input.properties.path.enum is empty" },
  ["a word that is no UTF-8"] = { { text 'enum = { "\\xff" }' },
    "2: TOOL: input.properties.path.enum[1] must be UTF-8" },
  ["a word that is too short"] = { { text 'minLength = 2, enum = { "ab", "c" }' },
    "2: TOOL: input.properties.path.enum[2] is shorter than minLength" },
  ["a length below 0"] = { { text "minLength = -1" },
    "2: TOOL: input.properties.path.minLength must be a whole number, not -1" },
  ["half a byte"] = { { text "minLength = 1.5" },
    "2: TOOL: input.properties.path.minLength must be a whole number, not 1.5" },
  ["a bound that is no number"] = { { number("number", "minimum = 0/0") },
    "2: TOOL: input.properties.path.minimum must be a finite number, not " },
  ["a bound without end"] = { { number("number", "maximum = math.huge") },
    "2: TOOL: input.properties.path.maximum must be a finite number, not inf" },
  ["half a whole number"] = { { number("integer", "minimum = 1.5") },
    "2: TOOL: input.properties.path.minimum must be a whole number, not 1.5" },
  ["a description that is no UTF-8"] = { { { description = '"Does \\xff."' } },
    "2: TOOL: description must be UTF-8" },
  ["a description with a NUL"] = { { { description = '"Does \\0."' } },
    "2: TOOL: description holds a control character" },
  ["a description that colours a terminal"] = { { { description = '"Does \\27[31m."' } },
    "2: TOOL: description holds a control character" },
  ["a description of blanks"] = { { { description = '"  "' } },
    "2: TOOL: description is empty: a model needs it" },
  ["an argument without a word"] = { { described '""' },
    "2: TOOL: input.properties.path.description is empty: a model needs it" },
  ["an argument described in no UTF-8"] = { { described '"\\xff"' },
    "2: TOOL: input.properties.path.description must be UTF-8" },
  ["an argument with many words"] = { { described '("x"):rep(2049)' },
    "2: TOOL: input.properties.path.description has 2049 bytes, over 2048" },
  ["a title of two lines"] = { { { title = '"a\\nb"' } },
    "2: TOOL: title holds a control character" },
  ["a title without end"] = { { { title = '("x"):rep(129)' } },
    "2: TOOL: title has 129 bytes, over 128" },
  ["an explanation that is a text"] = { { { explain = '{ missing = "Gone." }' } },
    "2: TOOL: explain.missing must be a function, not a string" },
  ["an explanation of no code"] = { { { explain = "{ mising = function() end }" } },
    "2: TOOL: explain.mising: there is no such code of an error" },
  ["a refusal that is a text"] = { { { refusals = '{ path = "A2" }' } },
    "2: TOOL: refusals.path must be a table of messages by reasons, not a string" },
  ["a refusal by no message"] = { { { refusals = '{ path = { missing = "Z1" } }' } },
    "2: TOOL: refusals.path.missing: there is no such message" },
  ["a refusal of no argument"] = { { { refusals = '{ pth = { missing = "A2" } }' } },
    "2: TOOL: refusals.pth: there is no such argument" },
  ["a sample of another type"] = { { { samples = "{ path = 7 }" } },
    "2: TOOL: samples.path must be of the type that input gives it, not a number" },
  ["a message that there is not"] = { { { narrower = '"T99"' } },
    '2: TOOL: narrower: there is no message "T99"' },
  ["a promise to read alone"] = {
    { { access = '"write"', annotations = "{ readOnlyHint = true }" } },
    '2: TOOL: annotations.readOnlyHint must not be true where access is "write"' },
  -- what would mislead a model
  ["an argument that tells of no other"] = { { described [['As "pth": "a".']] },
    '2: TOOL: input.properties.path.description: no tool has an argument "pth"' },
  ["an argument that tells of no tool"] = { { described [['Call find with "path": "a".']] },
    '2: TOOL: input.properties.path.description: there is no tool "find"' },
  ["a description that tells of no tool"] = {
    { { description = [['Call find with "path": "a".']] } },
    '2: TOOL: description: there is no tool "find"' },
  -- what only its example shows
  ["an example with no such argument"] = {
    { { examples = example('args = { pth = "a" }, expect = "done"') } },
    '2: TOOL: examples[1]: it is refused: "TOOL has no argument \\"pth\\"' },
  ["a message that it has not"] = { { { examples = REFUSED }, 'ctx.refuse("no_match", "none")' },
    "2: TOOL: examples[1]: the tool failed inside: TOOL: set/TOOL.lua:8: the tool has no message "
      .. "none" },
  ["a message without its value"] = {
    { { examples = REFUSED, messages = [[{ no = 'Not {p}: send "path".' }]] },
      'ctx.refuse("no_match", "no", { q = 1 })' },
    "2: TOOL: examples[1]: the tool failed inside: TOOL: set/TOOL.lua:8: the message " },
  ["a message said without its value"] = {
    { { examples = REFUSED, messages = [[{ no = 'Not {p}: send "path".' }]] },
      'local said = ctx.say("no") return said' },
    "2: TOOL: examples[1]: the tool failed inside: TOOL: set/TOOL.lua:8: the message " },
  ["a code that is not its to raise"] = {
    { { examples = REFUSED }, 'require("croft.errors").raise("bad_json", "Send \\"path\\".")' },
    '2: TOOL: examples[1]: the tool failed inside: TOOL: set/TOOL.lua:8: "bad_json" is no code' },
  ["nothing to return"] = { tried "local x = 1",
    "2: TOOL: examples[1]: the tool failed inside: TOOL: the tool returned a nil" },
  ["a function to return"] = { tried "return { f = print }",
    "2: TOOL: examples[1]: the tool failed inside: TOOL: a function cannot be written as JSON" },
  ["the host's clock"] = { tried "return os.time()",
    "2: TOOL: examples[1]: the tool failed inside: TOOL: set/TOOL.lua:8: unknown global 'os'" },
  ["a pattern that does not compile"] = { tried 'ctx.regex("(") return "done"',
    "2: TOOL: examples[1]: it is refused: " },
  ["no end"] = { tried "while true do end",
    "2: TOOL: examples[1]: TOOL was stopped: it used more than" },
  ["a hunger for memory"] = { tried "local t = {} for i = 1, 1e9 do t[i] = { i } end",
    "2: TOOL: examples[1]: TOOL was stopped: it used more than 16 MiB of memory" },
  ["a way out of the root"] = { tried 'return ctx.fs:read("../../etc/passwd")',
    "2: TOOL: examples[1]: it is refused: " },
  ["a file below a file"] = {
    { { examples = example('expect = "done", files = { a = "x", ["a/b"] = "y" }') } },
    '2: TOOL: examples[1]: the file "a/b": it cannot be made below the root' },
}

--- Files that are broken as a whole: their sources, and what the fault is called.
local FILES = {
  bytes = { string.dump(function() return 1 end),
    "1: it is compiled Lua, and croft takes its source alone" },
  empty = { "", "1: the file must return tool.define { ... }" },
  comment = { "-- nothing\n", "1: the file must return tool.define { ... }" },
  number = { "local x = 1\nreturn x\n", "2: the file must return tool.define { ... }" },
  shebang = { "#!/usr/bin/lua\n" .. source({}), "1: unexpected symbol near '#'" },
  label = { "\ngoto x", "2: no visible label 'x' for <goto> at line 2" },
  thrown = { "\nerror({ code = 'x' })", "2: it raises an error that is a table" },
  knot = { "local t = {}\nt.input = t\nreturn require('croft.tool').define(t)",
    "3: tables nested too deeply" },
  yield = { "coroutine.yield(1)", "1: attempt to yield from outside a coroutine" },
  two = { source({ name = '"one"' }):gsub("return tool", "tool") .. "\n"
    .. source({ name = '"two"' }):gsub("^[^\n]*\n", ""),
    "2: the file defines 2 tools and returns one: each needs a file of its own" },
  twin_a = { source({ name = '"twin"' }) },
  twin_b = { source({ name = '"twin"' }),
    "2: there is already a tool called twin, in set/twin_a.lua" },
}

local shell, write = tree.shell, tree.write

describe("croft check finds", function()
  local base, lines

  --- Runs the program over all of them at once.
  setup(function()
    base = shell("mktemp -d"):match("^[^\n]+")
    shell("mkdir " .. base .. "/set")
    for kind, case in pairs(KINDS) do
      local name = kind:gsub("[^%w]", "_"):lower()
      local fields = { name = ("%q"):format(name) }
      for field, content in pairs(case[1][1] or case[1]) do fields[field] = content end
      write(("%s/set/%s.lua"):format(base, name), source(fields, case[1][2]))
    end
    for name, case in pairs(FILES) do write(("%s/set/%s.lua"):format(base, name), case[1]) end
    local result = drive.run("check", base .. "/set")
    assert.equal(1, result.status, result.err)
    lines = result.out
  end)

  teardown(function() shell("rm -rf '" .. base .. "'") end)

  local function has(fault)
    for line in lines:gmatch("[^\n]+") do
      if line:sub(1, #fault) == fault then return true end
    end
    return false
  end

  for kind, case in pairs(KINDS) do
    it(kind, function()
      local name = kind:gsub("[^%w]", "_"):lower()
      local fault = ("FAULT set/TOOL.lua:%s"):format(case[2]):gsub("TOOL", name)
      assert(has(fault), fault .. "\n" .. lines)
    end)
  end

  for name, case in pairs(FILES) do
    if case[2] then
      it("the file " .. name .. ".lua", function()
        local fault = ("FAULT set/%s.lua:%s"):format(name, case[2])
        assert(has(fault), fault .. "\n" .. lines)
      end)
    end
  end

  it("what stands in braces and is no tool, and says so", function()
    write(base .. "/set/zbraces.lua", source({
      name = '"zbraces"', description = [["Call {lst} or {list}."]],
      examples = example('expect = "done"'),
    }))
    local result = drive.run("check", base .. "/set")
    assert.matches("note  set/zbraces.lua:2: zbraces: description: {lst} is none of croft's own "
      .. "tools here, and stays as it is\n", result.out, 1, true)
    assert.matches("ok    set/zbraces.lua: zbraces, 1 example\n", result.out, 1, true)
  end)
end)
