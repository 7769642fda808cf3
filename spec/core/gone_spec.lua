-- SPDX-License-Identifier: MIT
--- The root is removed while a session is open: every tool says so, in one sentence. S0-71
local testing = require "croft.testing"

local CALLS = {
  list = {}, read = { path = "a.md" }, grep = { pattern = "a" },
  write = { path = "a.md", content = "x" },
  edit = { path = "a.md", old_string = "a", new_string = "b" },
  move = { from = "a.md", to = "b.md" }, remove = { path = "a.md" },
  apply_patch = { patch = "--- a/a.md\n+++ b/a.md\n@@ -1,1 +1,1 @@\n-a\n+b\n" },
}

describe("where the root was removed,", function()
  local session

  before_each(function()
    session = testing.session {
      files = { ["a.md"] = "a\n", ["d/b.md"] = "b\n" },
      enable = { "move", "remove", "apply_patch", "stat" },
    }
    assert(os.execute(("rm -r '%s'"):format(session:root())))
  end)

  after_each(function() session:close() end)

  for tool, args in pairs(CALLS) do
    it(tool .. " says that it is gone", function()
      local result = session:call(tool, args)
      assert.equal("gone", result.code)
      assert.equal(("The workspace itself is gone; no call of %s or another tool can succeed. "
        .. "There is no next call: tell the operator."):format(tool), result.text)
    end)
  end

  for name, args in pairs {
    ["a new file"] = { path = "new.md", content = "x", mode = "create" },
    ["a new file in new directories"] = { path = "x/y/new.md", content = "x" },
    ["a file in a directory that was there"] = { path = "d/b.md", content = "x" },
    ["an append"] = { path = "d/b.md", content = "x", mode = "append" },
  } do
    it("write says so of " .. name, function()
      assert.matches("^The workspace itself is gone;", session:call("write", args).text)
    end)
  end
end)
