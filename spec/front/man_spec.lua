-- SPDX-License-Identifier: MIT
--- croft help --man: the page croft(1), which has all that the program takes.
local drive = require("spec.front.drive")

describe("croft help --man", function()
  local page

  setup(function() page = drive.run("help", "--man").out end)

  it("has every command and every option that help has", function()
    for name in drive.run("--help").out:gmatch("\n  (%l[%l-]*) ") do
      assert(page:find("\n.SS croft " .. name:gsub("-", "\\-"), 1, true), name)
      for option in drive.run("help", name).out:gmatch("\n  (%-%-[%l-]+)") do
        assert(page:find("\n.B " .. option:gsub("-", "\\-"), 1, true), option)
      end
    end
  end)

  it("has every limit with its default", function()
    for limit in drive.run("help", "serve").out:match("Limits.*"):gmatch(" ([%l_]+=%w+)") do
      assert(page:find("\n" .. limit .. "\n", 1, true), limit)
    end
  end)

  it("is what man(1) can read", function()
    if not os.execute("command -v groff >/dev/null") then return end
    local groff = "groff -man -Tascii -ww -z 2>&1"
    local result = drive.shell('"$CROFT" help --man | ' .. groff)
    assert.equal("", result.out)
  end)

  it("is the same each time", function()
    assert.equal(page, drive.run("help", "--man").out)
  end)
end)
