-- SPDX-License-Identifier: MIT
--- croft.fill and croft.harvest, as a host has them. S0-47 S0-48
local croft = require("croft")
local testing = require("croft.testing")

describe("croft.fill and croft.harvest", function()
  local session, to

  before_each(function()
    session = testing.session { files = {
      ["docs/d"] = "read\n", ["notes/n"] = "note\n", ["l"] = { link = "docs/d" },
    } }
    to = os.tmpname()
    os.remove(to)
  end)

  after_each(function()
    session:close()
    os.execute("rm -rf " .. to)
  end)

  it("return what was copied", function()
    assert.same({
      files = 2, directories = 2, links = 1, bytes = 10, shared = 0, kept = 0, left_out = 0,
      unreadable = 0, count = 0,
    }, (function(copied)
      copied.shared = 0 -- as the file system can
      return copied
    end)(assert(croft.fill(session:root(), to))))
  end)

  it("return a list of what was left out", function()
    local options = { skip = { "notes" }, no_fsync = true }
    local copied = assert(croft.harvest(session:root(), to, options))
    assert.equal(3, copied.count)
    assert.same({ path = "docs", shown = "docs", code = "read_only",
      reason = 'is read-only: "docs"' }, copied[1])
    assert.equal('is to be left out: "notes"', copied[2].reason)
    assert.same({ path = "l", shown = "l", code = "missing",
      reason = "leads to nothing" }, copied[3])
    assert.equal(0, copied.files)
  end)

  -- S0-42
  it("bring pinned trees in, which tools read and never change, and leave them behind", function()
    local checkout = testing.session { files = {
      ["skills/s"] = "1\n", ["docs/d"] = "1\n", ["templates/t"] = "1\n", ["context/c"] = "1\n",
    } }
    assert(croft.fill(checkout:root(), to, { no_fsync = true }))
    checkout:close()
    local view <close> = assert(croft.open(to, { no_fsync = true }))
    local tools <close> = assert(view:session())
    for _, path in ipairs { "skills/s", "docs/d", "templates/t", "context/c" } do
      assert.matches("1|1", tools:call("read", { path = path }).text, 1, true)
      assert.equal("read_only", tools:call("write", { path = path, content = "2" }).code)
    end
    assert.equal("", tools:call("write", { path = "notes/n", content = "mine\n" }).code)
    local results = to .. ".results"
    local copied = assert(croft.harvest(to, results, { no_fsync = true }))
    os.execute("rm -rf " .. results)
    assert.same({ 1, 4 }, { copied.files, copied.count })
  end)

  it("return an error that lists what is refused", function()
    assert(os.execute(("ln -s none '%s/bad'"):format(session:root())))
    local copied, err = croft.fill(session:root(), to)
    assert.is_nil(copied)
    assert.equal("denied", err.code)
    assert.equal("bad", err[1].path)
    assert.equal("missing", select(2, croft.harvest("/none/such", to)).code)
    assert.equal("already_exists", select(2, croft.harvest(session:root(), "/usr")).code)
  end)

  it("take no option that they do not know", function()
    assert.has_error(function() croft.fill("a", "b", { skipp = {} }) end,
      'there is no option "skipp"')
    assert.has_error(function() croft.harvest("a", "b", { skip = "notes" }) end)
  end)
end)
