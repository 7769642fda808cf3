-- SPDX-License-Identifier: MIT
--- croft.verify_links: the verdict on a checkout as a host has it. S0-72 S0-73 S0-74 S0-75
local croft = require("croft")
local testing = require("croft.testing")

describe("croft.verify_links", function()
  local session

  before_each(function()
    session = testing.session { files = {
      ["docs/"] = true, ["a.txt"] = "", ["l"] = { link = "a.txt" },
    } }
  end)

  after_each(function() session:close() end)

  local function link(target, name)
    assert(os.execute(("ln -s '%s' '%s/%s'"):format(target, session:root(), name)))
  end

  it("is true when all links can be trusted", function()
    assert.is_true(croft.verify_links(session:root()))
    assert.is_true(croft.verify_links(session:root(), {}))
  end)

  it("gives a list of those that cannot, in order", function()
    link("/etc", "z")
    link("..", "b\n\xff")
    link("none", "c")
    link("none", "docs/d")
    local good, err = croft.verify_links(session:root())
    assert.is_nil(good)
    assert.equal("denied", err.code)
    assert.equal(4, err.count)
    assert.equal("4 entries cannot be trusted", tostring(err))
    assert.same({ path = "b\n\xff", shown = "b\\x0a\\xff", code = "outside",
      reason = "leads outside" }, err[1])
    assert.same({ path = "c", shown = "c", code = "missing", reason = "leads to nothing" }, err[2])
    assert.same({ path = "docs/d", shown = "docs/d", code = "read_only",
      reason = 'lies in the read-only "docs"' }, err[3])
    assert.same({ path = "z", shown = "z", code = "outside",
      reason = "has an absolute target" }, err[4])
    assert.equal(4, #err)
  end)

  it("takes the names that a view takes", function()
    link("a.txt", "Vendor")
    link("../a.txt", "docs/d")
    local _, err = croft.verify_links(session:root(), { read_only_names = { "vendor" } })
    assert.equal(1, err.count)
    assert.equal("Vendor", err[1].path)
    assert.is_true(croft.verify_links(session:root(), { read_only_names = {} }))
  end)

  it("has no list when it cannot look", function()
    local good, err = croft.verify_links(session:root() .. "/none")
    assert.is_nil(good)
    assert.equal("missing", err.code)
    assert.is_nil(err.count)
    assert.is_nil(err[1])
  end)

  it("raises what is misused", function()
    local root = session:root()
    assert.has_error(function() croft.verify_links(root, { names = {} }) end)
    assert.has_error(function() croft.verify_links(root, { read_only_names = "docs" }) end)
    assert.has_error(function() croft.verify_links("a\0b") end)
    assert.has_error(function() croft.verify_links() end)
  end)
end)
