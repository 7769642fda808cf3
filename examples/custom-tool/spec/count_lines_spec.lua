-- SPDX-License-Identifier: MIT
local testing = require("croft.testing")

describe("count_lines", function()
  local session

  before_each(function()
    session = testing.session({
      files = { ["poem.txt"] = "one\ntwo\nthree\n", ["empty.txt"] = "" },
      tools = { testing.directory() .. "/.." },
    })
  end)

  after_each(function()
    session:close()
  end)

  it("counts the lines of a file", function()
    assert.equal("poem.txt: 3 lines", session:call("count_lines", { path = "poem.txt" }).text)
  end)

  it("counts none in an empty file", function()
    assert.equal("empty.txt: 0 lines", session:call("count_lines", { path = "empty.txt" }).text)
  end)

  it("counts only the lines that fit", function()
    local result = session:call("count_lines", { path = "poem.txt", match = "^t" })
    assert.equal("poem.txt: 2 lines", result.text)
  end)

  it("cannot leave the root", function()
    local result = session:call("count_lines", { path = "../secret" })
    assert.is_true(result.is_error)
    assert.equal("outside", result.code)
  end)
end)
