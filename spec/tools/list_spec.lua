-- SPDX-License-Identifier: MIT
local testing = require "croft.testing"

--- Files `name1`, `name2`, ... of no bytes.
local function many_files(count, prefix)
  local files = {}
  for i = 1, count do
    files[("%s%05d"):format(prefix, i)] = ""
  end
  return files
end

describe("list", function()
  local session

  local function open(files, options)
    options = options or {}
    options.files = files
    session = testing.session(options)
  end

  local function list(args)
    return session:call("list", args or {})
  end

  after_each(function()
    session:close()
  end)

  describe("shows", function()
    before_each(function()
      open {
        [".hidden"] = "x", ["a.md"] = "four", ["docs/deep/x.md"] = "", ["docs/y.md"] = "1",
        ["cur"] = { link = "docs/deep" }, ["file-link"] = { link = "a.md" },
        ["gone"] = { link = "nowhere" }, ["out"] = { link = "/etc/passwd" },
        ["round"] = { link = "round" }, ["void/"] = true,
      }
    end)

    -- S0-49 S0-50
    it("one level of the root, in order of bytes, without a trailer when it is all", function()
      assert.equal(table.concat({
        ".hidden (1 byte)",
        "a.md (4 bytes)",
        "cur -> docs/deep/",
        "docs/",
        "file-link -> a.md",
        "gone -> (missing)",
        "out -> (outside)",
        "round -> (loop)",
        "void/",
      }, "\n"), list().text)
    end)

    it("paths from the root, so that they can be sent back", function() -- S0-70
      assert.equal("docs/deep/\ndocs/y.md (1 byte)", list({ path = "docs" }).text)
      assert.equal("docs/deep/x.md (0 bytes)", list({ path = "docs/deep/" }).text)
    end)

    it("all levels when it is asked to, and enters no link", function() -- S0-49 S0-50
      local text = list({ recursive = true }).text
      assert.matches("docs/deep/x.md (0 bytes)", text, 1, true)
      assert.is_nil(text:find("cur/x.md", 1, true))
    end)

    it("as many levels as depth says", function()
      local text = list({ depth = 2 }).text
      assert.matches("docs/deep/\n", text, 1, true)
      assert.is_nil(text:find("x.md", 1, true))
    end)

    it("through a link to a directory inside", function()
      assert.equal("cur/x.md (0 bytes)", list({ path = "cur" }).text)
    end)

    it("what fits a glob, in all levels when it crosses them", function()
      assert.equal("a.md (4 bytes)", list({ glob = "*.md" }).text)
      local crossing = list({ glob = "**/*.md" }).text
      assert.equal("a.md (4 bytes)\ndocs/deep/x.md (0 bytes)\ndocs/y.md (1 byte)", crossing)
      assert.equal("docs/y.md (1 byte)", list({ glob = "docs/*.md" }).text)
    end)

    it("that nothing fits a glob, which is an answer", function()
      local result = list { glob = "*.zip" }
      assert.is_false(result.is_error)
      assert.matches('^%[none of the 9 entries fits "glob": "%*%.zip"', result.text)
    end)

    it("what an exclusion left out", function()
      local text = list({ recursive = true, exclude = "docs" }).text
      assert.is_nil(text:find("docs/y.md", 1, true))
      assert.matches("\n%[not entered: docs %(excluded%)%]$", text)
    end)

    it("that a directory is empty", function()
      local result = list { path = "void" }
      assert.is_false(result.is_error)
      assert.equal('["void" is empty]', result.text)
    end)
  end)

  it("escapes names that could pose as something else", function()
    open { ["a\nb (9 bytes)"] = "x", ["caf\233"] = "" }
    local expected = 'a\\x0ab (9 bytes) (1 byte) (send "path": "a\\nb (9 bytes)")\n'
      .. "caf\\xe9 (0 bytes) (name cannot be sent)"
    assert.equal(expected, list().text)
  end)

  it("says how a name is sent that is not shown as it is", function()
    local name = 'd"\\\t\u{202E}\u{E9}\127\u{85}'
    open { [name .. "/f"] = "" }
    assert.equal([[d"\\x09\xe2\x80\xae]] .. "\u{E9}" .. [[\x7f\xc2\x85/]]
      .. [[ (send "path": "d\"\\\t\u202e]] .. "\u{E9}" .. [[\u007f\u0085")]], list().text)
    assert.is_false(list({ path = name }).is_error)
  end)

  -- S0-21
  it("stops at its ceiling of entries, says how many there are and what makes it fewer", function()
    open(many_files(1201, "f"))
    local text = list().text
    assert.matches("f01000 (0 bytes)\n[first 1000 of 1201 entries. ", text, 1, true)
    assert.is_nil(text:find("f01001", 1, true))
    assert.matches('"glob"', text, 1, true)
  end)

  it("stops at the ceiling of a result with its trailer inside", function()
    open(many_files(1000, ("n"):rep(60)))
    local text = list().text
    assert.is_true(#text <= 32768)
    assert.matches("\n%[first %d+ of 1000 entries; the 32 KiB ceiling stops here%.[^\n]*%]$", text)
  end)

  it("has ceilings that a host can change", function() -- S0-24
    open(many_files(9, "f"), { limits = { list_entries = 3 } })
    assert.matches("%[first 3 of 9 entries", list().text)
  end)

  describe("refuses", function()
    before_each(function()
      open { ["a.md"] = "four", ["out"] = { link = "/etc" }, ["docs/y.md"] = "" }
    end)

    local function refusal(code, pattern, args)
      local result = list(args)
      assert.is_true(result.is_error)
      assert.equal(code, result.code)
      assert.matches(pattern, result.text)
    end

    it("a file, with its size and the tool that opens it", function()
      refusal("not_a_directory", '^"a.md" is a file of 4 bytes, not a directory%. '
        .. 'Call read with "path": "a.md"%.$', { path = "a.md" })
    end)

    it("a link that leaves the workspace", function() -- S0-32
      refusal("outside", 'passes through the link "out"', { path = "out" })
    end)

    it("a glob that does not parse, with the place", function()
      refusal("bad_argument", '^"glob" does not parse: .* at character %d+ of "%[a"',
        { glob = "[a" })
      refusal("bad_argument", '^"exclude" does not parse', { exclude = "{a" })
    end)

    it("a depth of 0", function()
      refusal("bad_argument", 'Send "depth": 1%.$', { depth = 0 })
    end)

    it("a directory that is not there, with names that are close", function() -- S0-71
      refusal("missing", '^"dosc" does not exist%. Send "path": "docs"', { path = "dosc" })
    end)
  end)
end)
