-- SPDX-License-Identifier: MIT
--- view:read_only_names(): a host's edits of the list change nothing. S0-47
local croft = require("croft")
local testing = require("croft.testing")

local FOUR = { "skills", "docs", "templates", "context" }

describe("the list of read-only names", function()
  local place, view

  before_each(function()
    place = testing.session()
    view = assert(croft.open(place:root(), { no_fsync = true }))
  end)

  after_each(function()
    view:close()
    place:close()
  end)

  local function write(path)
    local session <close> = assert(view:session())
    return session:call("write", { path = path, content = "x" }).code
  end

  it("is a copy each time", function()
    local names = view:read_only_names()
    assert.same(FOUR, names)
    table.remove(names)
    names[1] = "src"
    assert.same(FOUR, view:read_only_names())
  end)

  it("is not the policy", function()
    local names = view:read_only_names()
    for index in ipairs(names) do names[index] = "src" end
    assert.equal("read_only", write("skills/a"))
    assert.equal("read_only", write("context"))
    assert.equal("", write("src/a"))
  end)

  it("is not the list that the view was opened with either", function()
    local given = { "vendor" }
    local other <close> = assert(croft.open(place:root(), {
      read_only_names = given, no_fsync = true,
    }))
    given[1] = "src"
    assert.same({ "vendor" }, other:read_only_names())
  end)

  it("is refused where it holds what is not one name", function()
    for _, name in ipairs { "docs/", "a/b", ".", "..", "" } do
      local opened, err = croft.open(place:root(), { read_only_names = { name } })
      assert.is_nil(opened)
      assert.equal("bad_argument", err.code)
    end
  end)
end)
