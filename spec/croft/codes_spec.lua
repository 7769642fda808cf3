-- SPDX-License-Identifier: MIT
--- The codes that a tool may give to an error: a closed set. What would say that nothing ran, or
--- that the call was stopped, is not the tool's to say. S0-14
local custom = require "custom"

local MAY = {
  "missing", "outside", "read_only", "loop", "crosses_mount", "not_a_file", "not_a_directory",
  "not_regular", "already_exists", "too_large", "too_many", "changed", "gone", "owner", "denied",
  "gate_unavailable", "bad_argument", "bad_pattern", "no_match", "ambiguous", "unreadable", "busy",
  "no_space", "io",
}

local MAY_NOT = { "unknown_tool", "bad_json", "stopped", "cancelled", "needs_input", "no_such", "" }

--- The result of a tool with `body`, which may write, and what went to the log.
local function run(body)
  local source = custom.tool("probe", "{ type = 'object', properties = {} }", body)
    :gsub('access = "read"', 'access = "write", messages = { no = "Send \\"path\\"." }')
  local session = custom.session(source, { files = { a = "a" } })
  local result = session:call("probe", {})
  result.log, result.written = session:log(), session:call("read", { path = "b" }).code == ""
  session:close()
  return result
end

--- Ways to end a call with the code that takes the place of %s.
local WAYS = {
  ["errors.raise"] = [[require("croft.errors").raise(%s, "Send \"path\".")]],
  ["ctx.refuse"] = [[ctx.refuse(%s, "no")]],
  ["an error that was caught and changed"] = [[
    local _, err = pcall(ctx.fs.read, ctx.fs, "none")
    err.code, err.text = %s, "Send \"path\"."
    error(err, 0)]],
  ["an error made of another's metatable"] = [[
    local _, err = pcall(ctx.fs.read, ctx.fs, "none")
    error(setmetatable({ code = %s, text = "Send \"path\"." }, getmetatable(err)), 0)]],
}

describe("A tool's error", function()
  for way, body in pairs(WAYS) do
    it("may have each code of the closed set: " .. way, function()
      for _, code in ipairs(MAY) do
        local result = run(body:format(("%q"):format(code)))
        assert.equal(code, result.code)
        assert.equal('Send "path".', result.text)
        assert.equal("failed", result.outcome)
      end
    end)

    it("has no other code, and is a fault of the tool then: " .. way, function()
      for _, code in ipairs(MAY_NOT) do
        local result = run('ctx.fs:write("b", "b") ' .. body:format(("%q"):format(code)))
        assert.is_true(result.written)
        assert.equal("internal", result.code, code)
        assert.equal("failed", result.outcome)
        assert.matches("fault of the tool, not of the call", result.text)
        assert.matches(("probe: .*%q is no code that a tool may raise"):format(code), result.log)
      end
    end)
  end

  it("is told with its line where the code is given", function()
    local result = run([[require("croft.errors").raise("stopped")]])
    assert.matches('probe: .*%.lua:6: "stopped" is no code that a tool may raise, which are '
      .. ".*missing", result.log)
    assert.matches("probe: .*%.lua:6: \"stopped\" is no code",
      run([[ctx.refuse("stopped", "no")]]).log)
  end)

  it("has a code that is a text, and a text that is one", function()
    for _, code in ipairs { "nil", "1", "{}", "true" } do
      local result = run(WAYS["errors.raise"]:format(code))
      assert.equal("internal", result.code)
      assert.matches("probe: .*no code that a tool may raise", result.log)
    end
    for _, text in ipairs { "1", "{}", "true", "print" } do
      local result = run(('require("croft.errors").raise("no_match", { text = %s })'):format(text))
      assert.equal("internal", result.code, text)
      assert.matches("fault of the tool, not of the call", result.text)
      assert.matches("probe: the text of an error must be a string, not a", result.log)
    end
  end)
end)
