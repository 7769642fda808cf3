-- SPDX-License-Identifier: MIT
local custom = require "custom"

--- What a tool's table becomes as JSON.
local function encoded(expression)
  local session = custom.session(custom.tool("make", '{ type = "object", properties = {} }',
    "return " .. expression))
  local result = session:call("make", {})
  local log = session:log()
  session:close()
  return result.text, result, log
end

describe("JSON from a tool's table", function()
  for name, case in pairs {
    ["sorts keys"] = { "{ b = 1, a = { d = 2, c = 3 } }", '{"a":{"c":3,"d":2},"b":1}' },
    ["keeps lists in order"] = { "{ 3, 1, 2 }", "[3,1,2]" },
    ["takes an empty table for an object"] = { "{ a = {} }", '{"a":{}}' },
    ["keeps all digits of integers"] = { "{ math.maxinteger, math.mininteger }",
      "[9223372036854775807,-9223372036854775808]" },
    ["keeps all digits of fractions"] = { "{ 0.1, 1/3, 1e300, 2.0 }",
      "[0.1,0.3333333333333333,1e+300,2]" },
    ["escapes what a line of JSON cannot hold"] = { [[{ '"\\\n\t\0' }]], [=["\"\\\n\t\u0000"]=] },
    ["replaces bytes that are no characters"] = { [[{ "caf\233" }]], '["caf\u{FFFD}"]' },
    ["knows truth"] = { "{ true, false }", "[true,false]" },
  } do
    it(name, function()
      local text = encoded(case[1])
      assert.equal(case[2]:sub(1, 1) == '"' and "[" .. case[2] .. "]" or case[2], text)
    end)
  end

  it("is structured content too", function()
    local _, result = encoded('{ text = "for a model", structured = { n = 1 } }')
    assert.equal("for a model", result.text)
    assert.same({ n = 1 }, result.structured)
  end)

  for name, case in pairs {
    ["functions"] = { "{ print }", "a function cannot be written as JSON" },
    ["a list with keys"] = { "{ 1, a = 2 }", "a table with both a list and keys" },
    ["a list with holes"] = { "{ 1, nil, [7] = 3 }", "a table with both a list and keys" },
    ["keys that are no texts"] = { "{ [true] = 1 }", "a key that is a boolean" },
    ["infinity"] = { "{ math.huge }", "a number that is not finite" },
    ["no number"] = { "{ 0/0 }", "a number that is not finite" },
    ["what never ends"] = { "(function() local t = {} t.t = t return t end)()",
      "nested deeper than 64" },
  } do
    it("refuses " .. name, function()
      local _, result, log = encoded(case[1])
      assert.equal("internal", result.code)
      assert.matches(case[2], log, 1, true)
    end)
  end
end)
