-- SPDX-License-Identifier: MIT
--- The command line: what it takes, what it prints, and how it ends.
local cjson = require("cjson")
local drive = require("spec.front.drive")
local testing = require("croft.testing")

local COMMANDS = { "serve", "call", "tools", "version", "help" }

local TOOLS = [[
local tool = require("croft.tool")
return tool.define {
  name = "spin", title = "Spin", description = "Counts without end.", access = "read",
  input = { type = "object", properties = {} },
  run = function() while true do end end,
}
]]

local SAYS = [[
local tool = require("croft.tool")
return tool.define {
  name = "say", title = "Say", description = "Says what moves a cursor.", access = "read",
  input = { type = "object", properties = {} },
  run = function()
    print("one\ttwo\nthree\27[31m\u{9b}\255")
    error("four\27]0;five\7", 0)
  end,
}
]]

--- One sentence on stderr, nothing on stdout, status 2.
local function refused(result)
  assert.equal(2, result.status)
  assert.equal("", result.out)
  assert.matches("^croft: [^\n]+\n$", result.err)
  return result.err
end

describe("croft", function()
  it("says what its commands are", function()
    local result = drive.run("--help")
    assert.equal(0, result.status)
    for _, name in ipairs(COMMANDS) do assert.matches("\n  " .. name .. " ", result.out) end
  end)

  for _, name in ipairs(COMMANDS) do
    it("explains " .. name .. " in two ways that are the same", function()
      local result = drive.run(name, "--help")
      assert.equal(0, result.status)
      assert.matches("^usage: croft " .. name, result.out)
      assert.equal(result.out, drive.run("help", name).out)
    end)
  end

  it("wants a command", function()
    assert.matches("a command is needed", refused(drive.run()))
  end)

  it("names the command that was meant", function()
    assert.matches('did you mean "tools"', refused(drive.run("tols")))
  end)

  it("names the option that was meant", function()
    assert.matches('did you mean "%-%-read%-only"', refused(drive.run("serve", "--reed-only", ".")))
  end)

  it("does not guess where nothing is near", function()
    assert.not_matches("did you mean", refused(drive.run("frobnicate")))
  end)

  for _, case in ipairs {
    { "an option without its value", "serve . --prefix", "needs a value" },
    { "a flag with a value", "serve . --read-only=yes", "takes no value" },
    { "an option given twice", "serve . --prefix a --prefix b", "given twice" },
    { "a missing ROOT", "serve", "needs ROOT" },
    { "a missing TOOL", "call .", "needs TOOL" },
    { "one operand too many", "serve . x", 'what to do with "x"' },
    { "an option of another command", "tools --read-only", "no option" },
    { "a limit that does not exist", "serve . --limit heep=1", 'did you mean "heap"' },
    { "a limit without a value", "serve . --limit heap", "NAME=VALUE" },
    { "a limit that is no number", "serve . --limit steps=many", "is no value" },
    { "a limit with a unit of another kind", "serve . --limit time=1MiB", "is no value" },
    { "a limit too large to count", "serve . --limit heap=99999999999GiB", "is no value" },
    { "a limit below its smallest value", "serve . --limit heap=1KiB", "heap" },
  } do
    it("refuses " .. case[1], function()
      assert.matches(case[3], refused(drive.shell('"$CROFT" ' .. case[2])))
    end)
  end

  it("prints its version", function()
    local result = drive.run("version")
    assert.equal(0, result.status)
    assert.matches("^croft %d+%.%d+%.%d+\n$", result.out)
    assert.equal(result.out, drive.run("--version").out)
  end)

  it("says so when its output cannot be written", function()
    local result = drive.shell('"$CROFT" --help >/dev/full')
    assert.equal(1, result.status)
    assert.matches("cannot write to stdout", result.err)
  end)
end)

describe("croft on a ROOT", function()
  local session

  before_each(function()
    session = testing.session {
      files = { ["a.txt"] = "alpha\nbeta\n", ["closed/"] = { mode = "0000" } },
    }
  end)

  after_each(function() session:close() end)

  -- S0-11
  for _, command in ipairs { "serve", "call", "tools" } do
    it("that does not exist: " .. command .. " does not start", function()
      local tool = command == "call" and "list" or nil
      assert.matches("absent", refused(drive.run(command, session:root() .. "/absent", tool)))
    end)
  end

  it("that is a file does not start", function()
    assert.matches("a%.txt", refused(drive.run("serve", session:root() .. "/a.txt")))
  end)

  it("that is not readable does not start", function()
    local as_nobody = "setpriv --bounding-set=-all --inh-caps=-all"
    if drive.shell(as_nobody .. " true").status ~= 0 then return pending("setpriv is missing") end
    local root = drive.quoted(session:root() .. "/closed")
    refused(drive.shell(as_nobody .. ' "$CROFT" serve ' .. root))
  end)

  -- S0-10
  it("that is a link works", function()
    local link = drive.quoted(session:root() .. "/../link")
    local result = drive.shell(('ln -s root %s && "$CROFT" call %s read path=a.txt')
      :format(link, link))
    assert.equal(0, result.status)
    assert.matches("alpha", result.out)
  end)
end)

describe("croft call", function()
  local session, root

  before_each(function()
    session = testing.session { files = {
      ["a.txt"] = "alpha\nbeta\ngamma\n",
      ["../spin/spin.lua"] = TOOLS, ["../spin/say.lua"] = SAYS,
    } }
    root = session:root()
  end)

  after_each(function() session:close() end)

  it("prints the text that a model would read, and a newline", function()
    local result = drive.run("call", root, "read", "path=a.txt")
    assert.equal(0, result.status)
    assert.equal(session:call("read", { path = "a.txt" }).text .. "\n", result.out)
    assert.equal("", result.err)
  end)

  it("takes one JSON object", function()
    local result = drive.run("call", root, "read", '{"path":"a.txt","limit":1}')
    assert.matches("alpha", result.out)
    assert.not_matches("beta", result.out)
  end)

  it("takes a number as a word", function() -- S0-65
    local result = drive.run("call", root, "read", "path=a.txt", "offset=-1")
    assert.matches("gamma", result.out)
    assert.not_matches("beta", result.out)
  end)

  it("takes JSON behind :=", function()
    local edits = 'edits:=[{"old_string":"alpha","new_string":"A"}]'
    assert.equal(0, drive.run("call", root, "edit", "path=a.txt", edits).status)
    assert.matches("A\n", drive.run("call", root, "read", "path=a.txt").out)
  end)

  it("takes text with quotes, blanks and line ends as it is", function()
    local text = 'say "x"\\n\n\tend = 1'
    assert.equal(0, drive.run("call", root, "write", "path=b.txt", "content=" .. text).status)
    assert.equal(text, require("tree").text(root .. "/b.txt"))
  end)

  it("ends with 1 when the tool refuses, and prints why", function()
    local result = drive.run("call", root, "read", "path=../a.txt")
    assert.equal(1, result.status)
    assert.matches("climb", result.out)
  end)

  it("ends with 2 for an unknown tool, and names those that there are", function() -- S0-14
    local sentence = refused(drive.run("call", root, "open"))
    for _, name in ipairs { "list", "read", "grep", "write", "edit" } do
      assert.matches("%f[%w]" .. name .. "%f[%W]", sentence)
    end
  end)

  it("ends with 2 for arguments that are not JSON", function()
    assert.matches("not JSON", refused(drive.run("call", root, "read", '{"path":}')))
    assert.matches("not JSON", refused(drive.run("call", root, "read", "path:=a.txt")))
    assert.matches("neither", refused(drive.run("call", root, "read", "a.txt")))
  end)

  it("ends with 2 for text that is not UTF-8, and writes nothing", function()
    refused(drive.run("call", root, "write", "path=b.txt", "content=\xff"))
    assert.is_nil(io.open(root .. "/b.txt"))
  end)

  it("ends with 3 when a limit stops the call", function()
    local tools = root .. "/../spin"
    local result = drive.run("call", root, "spin", "--tools", tools, "--limit", "steps=100000")
    assert.equal(3, result.status)
    assert.matches("stopped", result.out)
  end)

  it("shows what a tool says without moving the cursor", function()
    local result = drive.run("call", root, "say", "--tools", root .. "/../spin")
    assert.equal("one\ttwo\nthree\\x1b[31m\\xc2\\x9b\\xff\nsay: four\\x1b]0;five\\x07\n",
      result.err:match("^(.-)stack traceback:"))
  end)

  it("changes nothing with --read-only", function()
    local result = drive.run("call", root, "write", "path=b.txt", "content=x", "--read-only")
    assert.equal(1, result.status)
    assert.is_nil(io.open(root .. "/b.txt"))
  end)

  it("leaves out what --exclude names", function()
    local result = drive.run("call", root, "list", "--exclude=*.txt")
    assert.equal(0, result.status)
    assert.not_matches("a%.txt %(%d+ bytes%)", result.out)
  end)

  it("knows the tools under their prefix", function()
    assert.matches("alpha", drive.run("call", "--prefix", "ws_", root, "ws_read", "path=a.txt").out)
    assert.equal(2, drive.run("call", "--prefix", "ws_", root, "read", "path=a.txt").status)
  end)

  it("prints a result as JSON", function()
    local result = drive.run("call", root, "read", "path=absent", "--json")
    local decoded = cjson.decode(result.out)
    assert.equal(1, result.status)
    assert.equal("failed", decoded.outcome)
    assert.equal("missing", decoded.code)
    assert.is_true(decoded.is_error)
    assert.equal(session:call("read", { path = "absent" }).text, decoded.text)
    assert.is_number(decoded.steps)
  end)
end)

describe("croft tools", function()
  local function names(...)
    local list = {}
    for index, tool in ipairs(cjson.decode(drive.run("tools", "--json", ...).out)) do
      list[index] = tool.name
    end
    return list
  end

  it("lists exactly five tools, sorted by name", function() -- S0-1, S0-12
    assert.same({ "edit", "grep", "list", "read", "write" }, names())
  end)

  it("puts the prefix before each", function()
    local prefixed = names("--prefix", "ws_")
    assert.same({ "ws_edit", "ws_grep", "ws_list", "ws_read", "ws_write" }, prefixed)
  end)

  it("shows each argument with its type to a reader", function()
    local result = drive.run("tools")
    assert.equal(0, result.status)
    assert.matches("\n    path %(string, required%)\n", result.out)
  end)
end)
