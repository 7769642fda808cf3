-- SPDX-License-Identifier: MIT
--- A read-only name that is a link protects what it leads to, whenever it was made to lead there.
--- S0-43 S0-44 S0-45 S0-46
local testing = require "croft.testing"

describe("a read-only name that is a link", function()
  local session, root

  before_each(function()
    session = testing.session {
      files = {
        ["real/f.md"] = "real\n", ["other/f.md"] = "other\n", ["deep/in/f.md"] = "deep\n",
        docs = { link = "other" }, to_real = { link = "real" },
      },
      enable = { "move", "remove" },
    }
    root = session:root()
  end)

  after_each(function() session:close() end)

  --- What another process does meanwhile.
  local function meanwhile(line)
    assert(os.execute(("cd '%s' && %s"):format(root, line)))
  end

  local function text(path)
    local file <close> = assert(io.open(root .. "/" .. path))
    return file:read("a")
  end

  local function refused(tool, args)
    local result = session:call(tool, args)
    assert.equal("read_only", result.code, tool)
    assert.is_nil(result.text:find(root, 1, true)) -- S0-70
    return result.text
  end

  --- Each of the tools that change something, in the directory `real`.
  local function assert_kept(name)
    local said = refused("write", { path = "real/f.md", content = "x" })
    assert.equal(('"%s" is read-only, and it leads to where "real/f.md" is. Nothing was changed. '
      .. 'Send a "path" outside it, for example "path": "notes/f.md".'):format(name), said)
    assert.equal(said:gsub("f%.md", "new.md"),
      (refused("write", { path = "real/new.md", content = "x" })))
    refused("write", { path = "real/a/b.md", content = "x" })
    refused("write", { path = "real/f.md", content = "x", mode = "append" })
    refused("write", { path = "to_real/f.md", content = "x" })
    assert.matches(('^"%s" is read%%-only, and it leads to'):format(name),
      refused("edit", { path = "real/f.md", old_string = "real", new_string = "x" }))
    local outside = 'Nothing was changed. Call list with "path": "." for names outside of it.'
    local leads = ('"%s" is read-only, and it leads to where "real/f.md" is. '):format(name)
    assert.equal(leads .. outside, refused("remove", { path = "real/f.md" }))
    assert.matches(outside, refused("move", { from = "real/f.md", to = "f.md" }), 1, true)
    assert.matches('where "real/f.md" is. Nothing was changed. Send a "to" outside it',
      refused("move", { from = "deep", to = "real/f.md" }), 1, true)
    refused("move", { from = "real", to = "mine" })
    assert.equal("real\n", text("real/f.md"))
    assert.is_false(session:call("read", { path = "real/f.md" }).is_error)
  end

  it("keeps what it is changed to lead to, from the next call on", function()
    assert.equal("", session:call("write", { path = "real/g.md", content = "x" }).code)
    meanwhile("ln -sfn real docs && rm real/g.md")
    assert_kept("docs")
  end)

  it("and what it led to when the session began", function()
    meanwhile("ln -sfn real docs")
    assert.matches('^"docs" is read%-only, and it led to where "other/f.md" is when the',
      refused("write", { path = "other/f.md", content = "x" }))
    assert.equal("other\n", text("other/f.md"))
  end)

  it("keeps what it leads to though it was not there at first", function()
    meanwhile("ln -s to_real templates")
    assert_kept("templates")
    assert.matches('^"templates" is read%-only, and it leads through "to_real"',
      refused("remove", { path = "to_real" }))
    meanwhile("rm templates")
    assert.equal("", session:call("write", { path = "real/f.md", content = "x" }).code)
  end)

  it("keeps the directories on its way", function()
    meanwhile("ln -s deep/in context")
    assert.matches('^"context" is read%-only, and it leads through "deep"',
      refused("move", { from = "deep", to = "mine" }))
    assert.equal("", session:call("write", { path = "deep/f.md", content = "x" }).code)
    refused("write", { path = "deep/in/f.md", content = "x" })
  end)

  it("keeps the name of what is not there yet", function()
    meanwhile("ln -s new/dir context")
    refused("write", { path = "new/dir/f.md", content = "x" })
    refused("move", { from = "real", to = "new/dir" })
    assert.is_nil(io.open(root .. "/new"))
    assert.equal("", session:call("write", { path = "new/f.md", content = "x" }).code)
  end)
end)
