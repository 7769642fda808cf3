-- SPDX-License-Identifier: MIT
--- What artifact_json makes of the forms that JSON can have, and of what is none.
local staged = require "staged"

-- What does not hold, and where the fault lies.
local BROKEN = {
  ['{"a": "\\u12"}'] = true, ['{"a": "open'] = true, ['{"a": -}'] = true, ['{"a": 1.}'] = true,
  ['{"a": 1e}'] = true, ["{1: 2}"] = true, ['{"a": fals}'] = true, ['{"a" 1}'] = true,
  ['[1 2]'] = true, ['{"a": "\\x"}'] = true, ['{"a": 01}'] = true,
}

describe("artifact_json", function()
  local function open(text)
    local session = staged.session { files = { ["a.json"] = text } }
    return session, staged.handle(session, "open_json_file", { path = "a.json" })
  end

  it("finds values of each type, however they are written", function()
    local session, handle = open([[{"n": -1.5e+10, "e": 2E-3, "f": false, "t": true, "z": null,
      "s": "a\u00e9\n\"b\"", "o": {"in": []}, "a": [1, {"x": "y"}], "~key/": "odd",
      "]] .. ("k"):rep(90) .. [[": 1}]])
    local function value(pointer)
      local result = session:call("artifact_json", { handle = handle, pointer = pointer })
      return (result.text:match("^[^\n]*"))
    end
    assert.equal("-1.5e+10", value("/n"))
    assert.equal("2E-3", value("/e"))
    assert.equal("false", value("/f"))
    assert.equal("true", value("/t"))
    assert.equal("null", value("/z"))
    assert.equal('"a\\u00e9\\n\\"b\\""', value("/s"))
    assert.equal("[]", value("/o/in"))
    assert.equal('"y"', value("/a/1/x"))
    assert.equal('"odd"', value("/~0key~1"))
    assert.equal("1", value("/" .. ("k"):rep(90)))
    session:close()
  end)

  it("tells what lies below a value that is too large to be shown", function()
    local items = {}
    for i = 1, 3000 do items[i] = ('{"~a/%d": %d,\n "f": false}'):format(i, i) end
    local session, handle = open('{"many": [' .. table.concat(items, ",\n") .. '], "o/~": {"b": "'
      .. ("x"):rep(30000) .. '"}, "n": ' .. ("1"):rep(10) .. "}")
    for _, pointer in ipairs { "", "/many", "/o~1~0", "/many/7" } do
      local result = session:call("artifact_json", { handle = handle, pointer = pointer })
      assert.is_false(result.is_error, result.text)
      assert.is_true(#result.text < 70000)
    end
    session:close()
  end)

  it("says what a path that goes on below a value leads to", function()
    local session, handle = open('{"s": "text", "n": 1, "o": {}, "a": []}')
    for _, pointer in ipairs { "/s/x", "/n/0", "/o/x", "/a/0", "/gone" } do
      local result = session:call("artifact_json", { handle = handle, pointer = pointer })
      assert.equal("missing", result.code, result.text)
    end
    session:close()
  end)

  for text in pairs(BROKEN) do
    it("takes " .. text .. " for no JSON, and names the place", function()
      local session, handle = open(text)
      local result = session:call("artifact_json", { handle = handle, pointer = "" })
      assert.is_true(result.is_error, result.text)
      assert.matches("is no JSON", result.text)
      session:close()
    end)
  end
end)
