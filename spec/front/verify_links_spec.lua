-- SPDX-License-Identifier: MIT
--- croft verify-links: what it prints of a checkout, and how it ends.
local cjson = require("cjson").new()
local drive = require("spec.front.drive")
local testing = require("croft.testing")

describe("croft verify-links", function()
  local session

  local function checkout(files)
    session = testing.session { files = files }
    return session:root()
  end

  after_each(function()
    if session then session:close() end
    session = nil
  end)

  it("is silent about a checkout that can be trusted", function()
    local result = drive.run("verify-links", checkout {
      ["a.txt"] = "alpha\n", ["d/e/"] = true, ["l"] = { link = "d/e/../../a.txt" },
    })
    assert.same({ status = 0, out = "", err = "" }, result)
  end)

  it("names each link with what is wrong, in order", function() -- S0-72 S0-73 S0-74 S0-75
    local result = drive.run("verify-links", checkout {
      ["docs/a"] = { link = "b" }, ["docs/b"] = "", ["skills"] = { link = "d" },
      ["d/abs"] = { link = "/etc/passwd" }, ["d/far"] = { link = "../../x" },
      ["d/lost"] = { link = "none" }, ["d/good"] = { link = "../docs/b" },
      ["loop"] = { link = "loop" },
    })
    assert.equal(1, result.status)
    assert.equal(table.concat({
      "d/abs: has an absolute target",
      "d/far: leads outside",
      "d/lost: leads to nothing",
      'docs/a: lies in the read-only "docs"',
      "loop: leads through too many links",
      'skills: has the read-only name "skills"',
    }, "\n") .. "\n", result.out)
    assert.matches("^croft: \"[^\n]+ is refused: 6 entries cannot be trusted\n$", result.err)
  end)

  it("does not believe the text of a link", function() -- S0-77
    local result = drive.run("verify-links", checkout {
      ["d/e/dot"] = { link = "." }, ["trap"] = { link = "d/e/dot/../../.." },
    })
    assert.equal(1, result.status)
    assert.equal("trap: leads outside\n", result.out)
  end)

  it("refuses the whole and removes nothing", function() -- S0-76
    local root = checkout { ["good"] = { link = "." }, ["bad"] = { link = "none" } }
    assert.equal(1, drive.run("verify-links", root).status)
    assert.equal(0, drive.shell(('cd %s && test -h bad && test -h good'):format(
      drive.quoted(root))).status)
  end)

  it("takes other read-only names in place of the four", function()
    local root = checkout { ["skills"] = { link = "." }, ["Vendor"] = { link = "." } }
    local result = drive.run("verify-links", "--read-only-name", "vendor", root,
      "--read-only-name=lib")
    assert.equal(1, result.status)
    assert.equal('Vendor: has the read-only name "vendor"\n', result.out)
  end)

  it("prints one object a line as JSON", function()
    local root = checkout { ["a\nb\xff"] = { link = "none" }, ["docs"] = { link = '"' } }
    local result = drive.run("verify-links", "--json", root)
    local faults = {}
    for line in result.out:gmatch("[^\n]+") do faults[#faults + 1] = cjson.decode(line) end
    assert.equal(1, result.status)
    assert.same({
      { path = "a\\x0ab\\xff", code = "missing", reason = "leads to nothing" },
      { path = "docs", code = "read_only", reason = 'has the read-only name "docs"' },
    }, faults)
  end)

  it("counts what it does not show", function()
    local root = checkout {}
    drive.shell(("cd %s && for i in $(seq 1003); do ln -s none l$i; done"):format(
      drive.quoted(root)))
    local result = drive.run("verify-links", root)
    local _, lines = result.out:gsub("\n", "")
    assert.equal(1, result.status)
    assert.equal(1000, lines)
    assert.matches("1003 entries cannot be trusted, 3 of them are not shown\n$", result.err)
  end)

  it("does not trust a directory that it cannot read", function()
    local as_nobody = "setpriv --bounding-set=-all --inh-caps=-all "
    if drive.shell(as_nobody .. "true").status ~= 0 then return pending("setpriv is missing") end
    local root = checkout { ["d/closed/"] = { mode = "0000" } }
    local result = drive.shell(as_nobody .. '"$CROFT" verify-links ' .. drive.quoted(root))
    assert.equal(1, result.status)
    assert.equal("d/closed/: cannot be read\n", result.out)
  end)

  for _, case in ipairs {
    { "a directory that is not there", '"$CROFT" verify-links none', "does not exist" },
    { "a file", '"$CROFT" verify-links README.md', "not a directory" },
    { "no directory", '"$CROFT" verify-links', "needs DIR" },
    { "two directories", '"$CROFT" verify-links . .', "what to do" },
    { "an option of another command", '"$CROFT" verify-links . --read-only', "no option" },
    { "a name with a slash", '"$CROFT" verify-links . --read-only-name docs/', '"docs/" is not' },
  } do
    it("ends with 2 for " .. case[1], function()
      local result = drive.shell(case[2])
      assert.equal(2, result.status)
      assert.equal("", result.out)
      assert.matches("^croft: [^\n]+\n$", result.err)
      assert.is_truthy(result.err:find(case[3], 1, true))
    end)
  end

  it("is explained in two ways that are the same", function()
    local result = drive.run("verify-links", "--help")
    assert.equal(0, result.status)
    assert.is_truthy(result.out:find("usage: croft verify-links [OPTION...] DIR\n", 1, true))
    assert.equal(result.out, drive.run("help", "verify-links").out)
    assert.is_truthy(drive.run("--help").out:find("\n  verify-links ", 1, true))
  end)
end)
