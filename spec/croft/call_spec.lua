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

    it("in UTF-8, whatever the tool returns", function()
      assert.equal("caf\u{FFFD}", try([[return "caf\233"]]).text)
    end)

    it("within the ceiling of results, on whole lines, and says so", function() -- S0-25
      local text = try('return ("0123456789\\n"):rep(4000)').text
      assert.is_true(#text <= 32768)
      assert.matches("\n0123456789\n[cut at 32768 bytes; ask for less at once]", text, 1, true)
    end)
  end)

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
