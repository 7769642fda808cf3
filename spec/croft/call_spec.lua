-- SPDX-License-Identifier: MIT
local custom = require "custom"
local testing = require "croft.testing"

local NO_INPUT = '{ type = "object", properties = {} }'

describe("A call", function()
  local session

  --- Makes a session with the tool `try` and calls it.
  local function try(body, options)
    session = custom.session(custom.tool("try", NO_INPUT, body), options)
    return session:call("try", {})
  end

  after_each(function()
    session:close()
  end)

  describe("answers", function()
    it("with the text that a tool returns", function()
      local result = try('return "done"')
      assert.equal("done", result.text)
      assert.is_false(result.is_error)
      assert.is_nil(result.structured)
    end)

    it("with that text alone, whatever stands beside it", function()
      assert.equal("done", try('return "done", "and more"').text)
    end)

    it("in UTF-8, whatever the tool returns", function()
      assert.equal("caf\u{FFFD}", try([[return "caf\233"]]).text)
    end)

    it("within the ceiling of results, on whole lines, and says so", function() -- S0-25
      local text = try('return ("0123456789\\n"):rep(4000)').text
      assert.is_true(#text <= 32768)
      assert.matches("\n0123456789\n[cut at 32768 bytes; ask for less at once]", text, 1, true)
    end)
  end)

  it("gives what the tool says as it is, whatever its values are called", function()
    local source = custom.tool("try", NO_INPUT, [[
      return ctx.say("none", { made = 2, first_made = "a" })]]):gsub('access = "read",',
      '%0 messages = { none = "Nothing was found. {made} are {first_made}." },')
    session = custom.session(source)
    assert.equal("Nothing was found. 2 are a.", session:call("try", {}).text)
  end)

  it("fills in texts and numbers of all kinds", function()
    local source = custom.tool("try", NO_INPUT, [[
      return ctx.say("all", { none = 0, below = -1, one = 1, some = 2, real = 1.5, half = 0.5,
        truth = true, text = "a{b}", quoted = "x\ny" })]]):gsub('access = "read",',
      '%0 messages = { all = "{none|file}, {below|file}, {one|child|children}, '
        .. '{some|child|children}, {real|file}, {half}, {truth}, {text}, \\"{quoted}\\", '
        .. '{below}, {list}" },')
    session = custom.session(source)
    assert.equal('0 files, -1 files, 1 child, 2 children, 1.5 files, 0.5, true, a{b}, "x\\ny", '
      .. "-1, list", session:call("try", {}).text)
  end)

  for name, values in pairs {
    plain = { "{a} {a|file} {b} {c|child|children}", '{ a = -7, b = "x", c = 1 }',
      "-7 -7 files x 1 child" },
    long = { ("{a}"):rep(70), "{ a = 1 }", ("1"):rep(70) },
  } do
    it("fills in what is " .. name, function()
      local source = custom.tool("try", NO_INPUT, ('return ctx.say("it", %s)'):format(values[2]))
        :gsub('access = "read",', '%0 messages = { it = "' .. values[1] .. '" },')
      session = custom.session(source)
      assert.equal(values[3], session:call("try", {}).text)
    end)
  end

  describe("fails", function()
    it("with the code and the text that a tool raises", function() -- S0-15
      local result = try('require("croft.errors").raise("no_match", "nothing fits")')
      assert.is_true(result.is_error)
      assert.equal("no_match", result.code)
      assert.equal("nothing fits", result.text)
    end)

    it("with the usual sentence for what a primitive raises", function() -- S0-71
      local result = try('return ctx.fs:read("gone.md", 100)', { files = { f = "" } })
      assert.equal("missing", result.code)
      assert.equal('"gone.md" does not exist; "." has no "gone.md". Call list with "path": "." '
        .. "to see its names.", result.text)
    end)

    it("without details when the tool is at fault, which the log has", function()
      local result = try('local t = nil return t.x')
      assert.equal("internal", result.code)
      assert.equal("try failed inside; this is a fault of the tool, not of the call. It is in "
        .. 'the log. Another "path" or argument may work.', result.text)
      assert.matches("try: .*attempt to index a nil value", session:log())
    end)

    it("with the way to the fault in the log, and no address", function()
      try([[
        local function inner(t) return t.x.y, 1 end
        local function outer() return inner({}), 1 end
        return outer(), 1]])
      local log, place = session:log(), "\ttools/[%w_]+.lua:%d+: in "
      assert.matches("^try: tools/[%w_]+.lua:%d+: attempt to index a nil value %(field 'x'%)\n"
        .. "stack traceback:\n" .. place .. "upvalue 'inner'\n" .. place .. "local 'outer'\n"
        .. place, log)
      assert.not_matches("0x%x", log)
      assert.not_matches("/tmp", log)
    end)

    it("with the way through the coroutine in which the fault was", function()
      try([[
        local function deep() error("so deep") end
        local inner = coroutine.wrap(function() deep() end)
        local middle = coroutine.wrap(function() inner() end)
        local co = coroutine.create(function() middle() end)
        error(select(2, coroutine.resume(co)))]])
      local log = session:log()
      assert.matches("so deep\nstack traceback:\n\t%[C%]: in global 'error'\n", log)
      assert.matches("\nin the coroutine that it ended, stack traceback:\n"
        .. "\t%[C%]: in global 'error'\n\ttools/[%w_]+.lua:%d+: in upvalue 'deep'\n", log)
    end)

    it("with the way through what the tool loaded under a name of croft's own", function()
      try([[
        local run = load("local f = ... f() return 1", "@lua/croft/call.lua")
        coroutine.wrap(run)(function() error("deep") end)]])
      assert.matches("\n\tlua/croft/call.lua:1: in ", session:log(), 1, true)
    end)

    it("with no coroutine that has nothing to do with the fault", function()
      try([[
        coroutine.resume(coroutine.create(function() error("caught", 0) end))
        error("another", 0)]])
      local log = session:log()
      assert.matches("^try: another\nstack traceback:\n", log)
      assert.not_matches("in the coroutine", log)
    end)

    for name, code in pairs {
      ["a deep stack"] = "local function deep(n) return deep(n + 1), n end return deep(1)",
      ["a deep stack of C"] = 'local function f() return ("x"):gsub("x", f) end return f()',
      ["a long message"] = 'error(("x"):rep(100000))',
      ["long names"] = ("local X X = function() error('x') end X()"):gsub("X", ("n"):rep(20000)),
    } do
      it("with at most 4 KiB of the fault: " .. name, function()
        local result = try(code, { limits = { heap = 268435456, time = 60000 } })
        assert.equal("internal", result.code, result.text)
        local log = session:log()
        assert.matches("\nstack traceback:\n", log)
        assert(#log < 4096, #log)
      end)
    end

    it("with the fault in the log that the tool has filled up", function()
      try([[print(("x"):rep(20000)) error("after that")]])
      assert.matches("x\ntry: tools/[%w_]+.lua:%d+: after that\nstack traceback:\n", session:log())
    end)

    it("with nothing in the log when the tool refuses", function()
      try('return ctx.fs:read("none")')
      assert.equal("", session:log())
    end)

    it("when the tool returns what is no result", function()
      assert.equal("internal", try("return 5").code)
      assert.matches("the tool returned a number", session:log())
    end)

    it("when a tool that reads tries to write", function()
      local result = try('return ctx.fs:replace("f", "x", {})', { files = { f = "" } })
      assert.equal("read_only", result.code)
    end)

    it("in one sentence when a ceiling ends it", function()
      local result = try("while true do end", { limits = { steps = 100000 } })
      assert.equal("stopped", result.code)
      assert.equal("try was stopped: it used more than 100000 steps. Nothing was changed. "
        .. "Ask for less at once.", result.text)
      assert.equal("stopped", session:call("try", {}).code)
      assert.is_false(session:call("list", {}).is_error)
    end)
  end)

  describe("that cannot be made", function()
    before_each(function()
      session = testing.session { files = { f = "" } }
    end)

    it("names the tools that there are", function() -- S0-13 S0-14
      local result = session:call("rm", {})
      assert.equal("unknown_tool", result.code)
      assert.equal('There is no tool "rm". The tools are edit, grep, list, read and write.',
        result.text)
    end)

    for _, json in ipairs { "[1]", "5", "null", '"f"', "{", "{}x" } do
      it("says what arguments are: " .. json, function()
        local result = session:call("read", json)
        assert.equal("bad_json", result.code)
        assert.equal('The arguments must be a JSON object such as {"path": "notes.md"}.',
          result.text)
      end)
    end
  end)
end)

describe("A tool", function()
  local function problem(source)
    local ok, err = pcall(custom.session, source)
    assert.is_false(ok)
    return tostring(err)
  end

  local function define(fields)
    return ([[return require("croft.tool").define {
      name = "mine", title = "Mine", description = "Mine.", access = "read",
      input = { type = "object", properties = {} }, run = function() return "" end, %s }]])
      :format(fields)
  end

  -- S0-18: what is wrong with a definition is told when the session is made
  for name, case in pairs {
    ["without run"] = { define "run = false", "mine: run must be a function, not a boolean" },
    ["with an unknown field"] = { define "acces = 'read'", "mine: acces is not a field of a tool" },
    ["with an unknown access"] = { define "access = 'all'",
      'mine: access must be "read" or "write", not "all"' },
    ["with a name that clients refuse"] = { define "name = 'my tool'",
      "may hold letters, digits, _ and - only" },
    ["with an unknown hint"] = { define "annotations = { safe = true }",
      "mine: annotations.safe is not a hint" },
    ["with a long description"] = { define "description = ('x'):rep(3000)",
      "has 3000 bytes, over 2048" },
    ["with a name that is taken"] = { define "name = 'read'",
      "there is already a tool called read" },
    ["that is none"] = { "return {}", "the file must return tool.define { ... }" },
    ["that does not parse"] = { "return (", "unexpected symbol" },
  } do
    it("is refused " .. name, function()
      assert.matches(case[2], problem(case[1]), 1, true)
    end)
  end

  it("has the hints that follow from its access, and its own", function()
    local hints = "annotations = { openWorldHint = true }"
    local session = custom.session(define("access = 'write', " .. hints))
    for _, tool in ipairs(session:tools()) do
      if tool.name == "mine" then
        assert.same({ readOnlyHint = false, destructiveHint = true, idempotentHint = false,
          openWorldHint = true }, tool.annotations)
      end
    end
    session:close()
  end)
end)
