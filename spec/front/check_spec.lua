-- SPDX-License-Identifier: MIT
--- croft check, croft new and croft test, and twenty tools each of which is broken in its own way.
local broken = require("broken")
local drive = require("spec.front.drive")
local tree = require("tree")

local source, property, example = broken.source, broken.property, broken.example

--- File -> its source, and what the fault is called.
local BROKEN = {
  syntax = { "return {", "syntax.lua:1: unexpected symbol" },
  nothing = { "local x = 1", "nothing.lua:1: the file must return tool.define" },
  global = { 'count = 1 return require("croft.tool").define({})', "global.lua:1: .*cannot be set" },
  outside = { 'require("io")', "outside.lua:1: 'io' is not registered" },
  endless = { "while true do end", "loading set/endless.lua took more than it may" },
  hungry = { "local t = {} for i = 1, 1e9 do t[i] = { i } end",
    "loading set/hungry.lua took more than it may" },
  unnamed = { source({ name = "" }), "unnamed.lua:2: name is missing" },
  misnamed = { source({ name = '"two words"' }), 'two words: name "two words" may hold letters' },
  open = { source({ name = '"open"', access = '"all"' }), 'access must be "read" or "write"' },
  wordy = { source({ name = '"wordy"', description = '("x"):rep(2049)' }),
    "description has 2049 bytes, over 2048" },
  unknown = { source({ name = '"unknown"', extra = "1" }), "extra is not a field of a tool" },
  format = { source({ name = '"format"', input = property(
    '{ type = "string", description = "A path.", format = "uri" }') }),
    "input.properties.path.format is not a word that a schema may have" },
  either = { source({ name = '"either"', input = property(
    '{ type = { "string", "null" }, description = "A path." }') }),
    "input.properties.path.type must be object, string" },
  bare = { source({ name = '"bare"', input = property('{ type = "string" }') }),
    "input.properties.path.description is missing" },
  list = { source({ name = '"list2"', input = property(
    '{ type = "array", description = "Paths." }') }),
    "input.properties.path.items must be a table" },
  clash = { source({ name = '"grep"' }), "there is already a tool called grep, built in" },
  misled = { source({ name = '"misled"', description = '"Send \\"pth\\": \\"a\\"."' }),
    'misled: description: no tool has an argument "pth"' },
  mute = { source({ name = '"mute"', messages = '{ no = "That is no good." }' }),
    "mute: messages.no: it names neither an argument nor a tool" },
  lost = { source({ name = '"lost"', messages = [[{ no = 'Call find with "path": "a".' }]] }),
    'lost: messages.no: there is no tool "find"' },
  crash = { source({ name = '"crash"', examples = example('expect = "done"') }, "return args.x.y"),
    "crash: examples%[1%]: the tool failed inside: crash: set/crash.lua:8" },
  wrong = { source({ name = '"wrong"', examples = example('expect = "gone"') }),
    'wrong: examples%[1%]: the answer is "done", not "gone"' },
  thief = { source({ name = '"thief"', examples = example('expect = "done"') },
    'ctx.fs:write("a", "b") return "done"'), "thief: examples%[1%]: it is refused: .*read%-only" },
  vague = { source({ name = '"vague"', examples = example('error = "no_match"') },
    'require("croft.errors").raise("no_match", "No.")'),
    "vague: examples%[1%]: its refusal names neither an argument nor a tool" },
}

local function quoted(text) return "'" .. text:gsub("'", "'\\''") .. "'" end

local shell, write = tree.shell, tree.write

describe("croft check", function()
  local base

  before_each(function()
    base = shell("mktemp -d"):match("^[^\n]+")
    shell("mkdir " .. base .. "/set")
  end)

  after_each(function() shell("rm -rf " .. quoted(base)) end)

  it("finds each of twenty broken tools, and names the fault", function()
    local count = 0
    for name, case in pairs(BROKEN) do
      write(("%s/set/%s.lua"):format(base, name), case[1])
      count = count + 1
    end
    local good = source({ name = '"good"', examples = example('expect = "done"') })
    write(base .. "/set/good.lua", good)
    local result = drive.run("check", base .. "/set")
    assert.equal(1, result.status, result.err)
    for name, case in pairs(BROKEN) do
      local found
      for line in result.out:gmatch("[^\n]+") do
        found = found or line:find("^FAULT ") and line:find(case[2])
      end
      assert(found, name .. ": " .. case[2] .. "\n" .. result.out)
    end
    assert.matches("\nok    set/good.lua: good, 1 example\n", result.out)
    assert.matches((", %d faults\n$"):format(count), result.out)
    assert.is_nil(result.out:find(base, 1, true))
  end)

  it("is content with what is right, and says what was not run", function()
    write(base .. "/set/good.lua", source({ name = '"good"' }))
    local result = drive.run("check", base .. "/set")
    assert.equal(0, result.status)
    assert.equal("note  set/good.lua:2: good: has no examples: nothing of it was run\n"
      .. "ok    set/good.lua: good, 0 examples\n1 tool, 0 faults\n", result.out)
  end)

  it("takes a file that begins with a byte order mark", function()
    write(base .. "/set/good.lua", "\u{FEFF}" .. source({
      name = '"good"', examples = example('expect = "done"'),
    }))
    assert.equal("ok    set/good.lua: good, 1 example\n1 tool, 0 faults\n",
      drive.run("check", base .. "/set").out)
  end)

  it("runs examples with files, links and what is there afterwards", function()
    write(base .. "/set/good.lua", source({
      name = '"good"', access = '"write"',
      examples = [[{ {
        args = { path = "l" }, files = { ["d/a"] = "one", l = { link = "d/a" }, ["e/"] = true },
        expect = "one", after = { ["d/b"] = "two", ["d/a"] = "one", ["x"] = false } } }]],
    }, 'ctx.fs:write("d/b", "two") return ctx.fs:read(args.path)'))
    local result = drive.run("check", base .. "/set")
    assert.equal("", result.err)
    assert.equal("ok    set/good.lua: good, 1 example\n1 tool, 0 faults\n", result.out)
  end)

  it("writes no example's file outside of its root", function()
    write(base .. "/set/bad.lua", source({
      name = '"bad"',
      examples = ([[{ { expect = "done", files = { a = { link = %q }, ["a/x"] = "out" } },
        { expect = "done", files = { ["../../../../%s/y"] = "out" } } }]]):format(base, base),
    }))
    local result = drive.run("check", base .. "/set")
    assert.equal(1, result.status)
    assert.matches('the file "a/x": it cannot be made below the root', result.out)
    assert.matches("examples%[2%]: the file", result.out)
    assert.equal("set\n", shell("ls " .. base))
  end)

  it("says that a directory cannot be opened", function()
    local result = drive.run("check", base .. "/none")
    assert.equal(1, result.status)
    assert.matches('the tool directory "none" cannot be opened', result.out)
  end)

  it("says each fault with the file and a line", function()
    for name, case in pairs(BROKEN) do
      write(("%s/set/%s.lua"):format(base, name), case[1])
    end
    for line in drive.run("check", base .. "/set").out:gmatch("[^\n]+") do
      if line:find("^FAULT ") and not line:find("took more than it may$") then
        assert.matches("^FAULT set/%l+%.lua:%d+: ", line)
      end
    end
  end)

  it("tries no tool of a set whose toolset.lua is wrong, and says so", function()
    write(base .. "/set/good.lua", source({ name = '"good"', examples = example('expect = "x"') }))
    write(base .. "/set/syntax.lua", BROKEN.syntax[1])
    write(base .. "/set/toolset.lua", "return {\n  hides = {},\n}")
    local result = drive.run("check", base .. "/set")
    assert.equal(1, result.status)
    assert.equal("FAULT set/syntax.lua:1: unexpected symbol near <eof>\n"
      .. 'FAULT set/toolset.lua:2: "hides" is not a field of a tool set, which are gate, hide, '
      .. "limits, messages, name and read_only_names\n"
      .. "note  the tools were not tried: they are when toolset.lua is right\n"
      .. "0 tools, 2 faults\n", result.out)
  end)

  it("says which messages still name a tool that is hidden, and where that is", function()
    write(base .. "/set/toolset.lua", "return {\n  hide = {\n    'grep',\n  },\n}")
    local result = drive.run("check", base .. "/set")
    assert.equal(0, result.status)
    assert.matches("^note  set/toolset.lua:3: hides grep, which %d+ messages still name: [%w_]+, "
      .. "[%w_]+, [%w_]+, ...; a messages.lua can replace them\n0 tools, 0 faults\n$", result.out)
  end)

  it("is what croft serve and croft call say too, all at once", function()
    for _, name in ipairs { "syntax", "bare", "clash" } do
      write(("%s/set/%s.lua"):format(base, name), BROKEN[name][1])
    end
    local result = drive.run("call", base, "list", "--tools", base .. "/set")
    assert.equal(2, result.status)
    assert.matches("^croft: there are 3 faults:\n", result.err)
    for _, name in ipairs { "syntax", "bare", "clash" } do
      assert.matches(BROKEN[name][2], result.err)
    end
  end)
end)

describe("croft new", function()
  local base

  --- Runs the program in the directory.
  local function run(words)
    local command = ("cd %s && %s %s 2>&1"):format(quoted(base), quoted(shell("realpath "
      .. tree.program()):match("^[^\n]+")), words)
    return tree.output(command)
  end

  setup(function() base = shell("mktemp -d"):match("^[^\n]+") end)
  teardown(function() shell("rm -rf " .. quoted(base)) end)

  it("writes a tool and its spec that pass at once", function()
    local text, good = run("new find_lines")
    assert.is_true(good, text)
    text, good = run("check .")
    assert.is_true(good, text)
    assert.matches("ok    ./find_lines.lua: find_lines, 2 examples", text)
    if tree.is_plain() then -- croft test starts a plain lua5.4
      text, good = run("test .")
      assert.is_true(good, text)
      assert.matches("3 successes / 0 failures / 0 errors", text)
    end
  end)

  it("overwrites nothing", function()
    local text, good = run("new find_lines")
    assert.is_false(good)
    assert.matches('"find_lines.lua" exists already', text)
  end)

  it("wants a name that is none of croft's own, and no other file's", function()
    local names = {
      toolset = "toolset.lua holds what a tool set hides and limits; give another, such as "
        .. "toolset_tool",
      messages = "messages.lua holds texts of messages; give another, such as messages_tool",
      find_spec = "find_spec.lua would be taken for a spec; give the tool's name alone, such as "
        .. "find\n",
      read_spec = "such as my_read\n",
    }
    for _, path in ipairs(tree.files("tools/*/*.lua")) do
      local name = path:match("([^/]*)%.lua$")
      names[name] = ('"%s" is a tool of croft\'s own; give another name, such as my_%s')
        :format(name, name)
    end
    local before = shell("ls " .. quoted(base))
    for name, text in pairs(names) do
      local said, good = run("new " .. name)
      assert.is_false(good, name)
      assert.matches(text, said, 1, true)
    end
    assert.equal(before, shell("ls " .. quoted(base)))
  end)

  it("leaves nothing behind that could not be written", function()
    local text, good = run("new full_disk --help >/dev/null; ulimit -f 1; trap '' XFSZ; "
      .. quoted(shell("realpath " .. tree.program()):match("^[^\n]+")) .. " new full_disk")
    assert.is_false(good)
    assert.matches('"full_disk.lua": .*File too large', text)
    assert.equal("", shell("ls " .. quoted(base) .. " | grep full_disk || true"))
  end)

  it("writes a tool that passes though a module has its name", function()
    if not tree.is_plain() then return end
    for _, name in ipairs { "cjson", "lfs" } do
      shell("mkdir " .. quoted(base .. "/" .. name))
      local text = run(("new %s && mv %s*.lua %s/"):format(name, name, name))
      assert.matches("wrote", text)
      local tested, good = run(("test %s && cd %s && %s test ."):format(name, name,
        quoted(shell("realpath " .. tree.program()):match("^[^\n]+"))))
      assert.is_true(good, tested)
      assert.matches("3 successes / 0 failures / 0 errors", tested)
    end
  end)

  it("wants a name that is one", function()
    for _, name in ipairs { "Two", "2x", "a-b", "../x", "''" } do
      local text, good = run("new " .. name)
      assert.is_false(good)
      assert.matches("is no name for a tool", text)
    end
  end)

  it("croft test says when specs fail, and what is missing", function()
    if not tree.is_plain() then return end
    write(base .. "/bad_spec.lua", 'it("fails", function() assert.is_true(false) end)')
    local text, good = run("test .")
    assert.is_false(good)
    assert.matches("1 failure", text)
    local words = ("cd %s && PATH= %s test . 2>&1"):format(quoted(base),
      quoted(shell("realpath " .. tree.program()):match("^[^\n]+")))
    assert.matches("croft test needs lua5.4 in PATH", (tree.output(words)))
  end)
end)
