-- SPDX-License-Identifier: MIT
--- When a session loads its tools: croft's own when the first is needed, an operator's at once.
local croft = require("croft")
local testing = require("croft.testing")

local CUSTOM = "examples/custom-tool"

describe("a session", function()
  local place, view

  before_each(function()
    place = testing.session({ files = { ["a.txt"] = "one\n" } })
    view = assert(croft.open(place:root()))
  end)

  after_each(function()
    view:close()
    place:close()
  end)

  it("makes no interpreter before there is something to do", function()
    local session <close> = assert(view:session())
    assert.equal(0, session:usage().interpreters_made)
    assert.matches("^1|one\n", session:call("read", { path = "a.txt" }).text)
    assert.equal(1, session:usage().interpreters_made)
  end)

  it("tells its tools before any is called, and behind a call", function()
    local session <close> = assert(view:session())
    assert.equal(5, #session:tools())
    assert.equal(1, session:usage().interpreters_made)
    assert.matches("^1|one\n", session:call("read", { path = "a.txt" }).text)
    assert.equal(1, session:usage().interpreters_made)
    local other <close> = assert(view:session())
    other:call("read", { path = "a.txt" })
    assert.same(session:tools(), other:tools())
  end)

  it("holds no more for a call of one tool than that tool", function()
    local all <close> = assert(view:session({ tools = { CUSTOM } }))
    local one <close> = assert(view:session())
    all:call("read", { path = "a.txt" })
    one:call("read", { path = "a.txt" })
    assert.is_true(one:usage().heap.last < 0.9 * all:usage().heap.last)
  end)

  it("may be closed unused", function()
    assert(view:session()):close()
  end)

  it("loads what is not croft's own when it is opened", function()
    local session <close> = assert(view:session({ tools = { CUSTOM } }))
    assert.equal(1, session:usage().interpreters_made)
    local extra <close> = assert(view:session({ enable = { "stat" } }))
    assert.equal(1, extra:usage().interpreters_made)
  end)
end)
