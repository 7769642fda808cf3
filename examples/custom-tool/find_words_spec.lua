-- SPDX-License-Identifier: MIT
local testing = require("croft.testing")

describe("find_words", function()
  local session

  before_each(function()
    session = testing.session({
      files = { ["a.md"] = "one\nTwo\n", ["d/b.md"] = "two twos\n", ["out"] = { link = "/etc" } },
      tools = { testing.directory() }, -- the tools beside this spec
    })
  end)

  after_each(function()
    session:close()
  end)

  it("shows file and line", function()
    local result = session:call("find_words", { words = "two|three" })
    assert.equal("a.md:2|Two\nd/b.md:1|two twos", result.text)
  end)

  it("says what to send where there are no files", function()
    local result = session:call("find_words", { words = "one", glob = "*.txt" })
    assert.equal("no_match", result.code)
    assert.matches('"glob"', result.text)
  end)

  it("cannot leave the root", function()
    assert.equal("outside", session:call("find_words", { words = "x", path = "out" }).code)
  end)
end)
