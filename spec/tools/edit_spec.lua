-- SPDX-License-Identifier: MIT
local testing = require "croft.testing"

describe("edit", function()
  local session

  local function contents(path)
    local file = assert(io.open(session:root() .. "/" .. path, "rb"))
    local bytes = file:read("a")
    file:close()
    return bytes
  end

  --- Edits the file `f` with `bytes` in it.
  local function edit(bytes, args)
    session = testing.session { files = { f = bytes } }
    args.path = args.path or not args.file_path and "f" or nil
    return session:call("edit", args)
  end

  after_each(function()
    session:close()
  end)

  describe("replaces", function()
    local function becomes(before, after, args)
      local result = edit(before, args)
      assert.is_false(result.is_error, result.text)
      assert.equal(after, contents("f"))
      return result.text
    end

    it("a text that is there once, and shows the lines around", function() -- S0-61
      local said = becomes("1\n2\n3\n4\n5\n6\n7\n8\n9\n", "1\n2\n3\n4\nfive\n6\n7\n8\n9\n",
        { old_string = "5", new_string = "five" })
      assert.equal('Edited "f": 1 replacement at line 5.\n2|2\n3|3\n4|4\n5|five\n6|6\n7|7\n8|8',
        said)
    end)

    it("every occurrence with replace_all, from the left", function() -- S0-62
      local said = becomes("aaaa a\nb\naa\n", "bb a\nb\nb\n",
        { old_string = "aa", new_string = "b", replace_all = "true" })
      assert.matches('^Edited "f": 3 replacements, lines 1, 3%.\n1|bb a\n', said)
    end)

    it("with nothing", function()
      becomes("a\nb\n", "a\n", { old_string = "b\n", new_string = "" })
    end)

    it("all there is", function()
      assert.equal('Edited "f": 1 replacement at line 1.',
        becomes("a\n", "", { old_string = "a\n", new_string = "" }))
    end)

    for name, case in pairs {
      ["signs of patterns"] = { "x (a-b)*[c]^$?%w+. y", "x OK y", "(a-b)*[c]^$?%w+.", "OK" },
      ["signs of replacements"] = { "HERE", "100%1 %0 $& \\1", "HERE", "100%1 %0 $& \\1" },
      ["a backslash and an n"] = { 'say("a\\nb")', 'say("a\\tb")', "a\\nb", "a\\tb" },
      ["bytes around it that are not UTF-8"] = { "a=\214\208\n", "b=\214\208\n", "a=", "b=" },
      ["bytes around it that are NUL"] = { "A\0B tail", "A\0B TAIL", "tail", "TAIL" },
      ["what looks like the number of a line"] = { "1|a\n2|b\n", "1|a\n2|B\n", "2|b", "2|B" },
      ["one normal form by another"] = { "cafe\u{301}", "caf\u{E9}", "cafe\u{301}", "caf\u{E9}" },
      ["nothing but the final newline"] = { "a\nlast", "a\nLAST", "last", "LAST" },
    } do
      it("as bytes: " .. name, function()
        becomes(case[1], case[2], { old_string = case[3], new_string = case[4] })
      end)
    end

    it("in many places at once", function()
      becomes(("a"):rep(200000), ("bc"):rep(200000),
        { old_string = "a", new_string = "bc", replace_all = true })
    end)

    it("in a file over the ceiling of files that does not grow", function()
      local big = ("x"):rep(2000000)
      becomes(big .. "old", big .. "new", { old_string = "old", new_string = "new" })
    end)

    it("by the names that models are trained on", function()
      becomes("a\n", "b\n", { file_path = "f", old_str = "a", new_str = "b" })
    end)
  end)

  describe("keeps", function()
    it("the mode", function() -- S0-63
      session = testing.session { files = { f = { text = "a\n", mode = "0755" } } }
      session:call("edit", { path = "f", old_string = "a", new_string = "b" })
      local pipe = io.popen(("stat -c %%a '%s/f'"):format(session:root()))
      assert.equal("755", pipe:read("l"))
      pipe:close()
    end)

    it("CR LF where the texts were sent with LF, and says so", function()
      local result = edit("a\r\nb\r\nc\r\n", { old_string = "a\nb", new_string = "x\ny" })
      assert.equal("x\r\ny\r\nc\r\n", contents("f"))
      assert.matches('Lines in "f" end in CRLF, and the new text was given the same%.\n1|x\n2|y',
        result.text)
    end)

    it("CR LF in lines that are added", function()
      edit("a\r\nb\r\n", { old_string = "a", new_string = "a\na2" })
      assert.equal("a\r\na2\r\nb\r\n", contents("f"))
    end)

    it("CR LF that was sent as it was sent", function()
      edit("a\r\nb\r\n", { old_string = "a\r\nb", new_string = "x\r\ny" })
      assert.equal("x\r\ny\r\n", contents("f"))
    end)

    it("mixed line ends", function()
      edit("a\r\nb\nc\r\nd\n", { old_string = "b", new_string = "B" })
      assert.equal("a\r\nB\nc\r\nd\n", contents("f"))
    end)
  end)

  describe("takes several edits", function()
    it("one after another", function()
      local result = edit("one\ntwo\nthree\n", { edits = {
        { old_string = "three", new_string = "3" },
        { old_string = "one", new_string = "1\n1" },
        { old_string = "1\n1", new_string = "1\n1\n1" },
      } })
      assert.equal("1\n1\n1\ntwo\n3\n", contents("f"))
      assert.matches('^Edited "f": 3 replacements, lines 1, 5%.', result.text)
    end)

    it("or none", function()
      local result = edit("one\ntwo\n", { edits = {
        { old_string = "one", new_string = "1" }, { old_string = "three", new_string = "3" },
      } })
      assert.equal("no_match", result.code)
      assert.matches('^edits%[2%] of 2 failed and none was applied: "old_string" is not in "f"',
        result.text)
      assert.equal("one\ntwo\n", contents("f"))
    end)

    it("and says which took away the text of another", function()
      local result = edit("one\ntwo\n", { edits = {
        { old_string = "two", new_string = "2" }, { old_string = "one\n", new_string = "" },
        { old_string = "two", new_string = "zwei" },
      } })
      assert.matches('^edits%[3%]: its "old_string" was in "f" until edits%[1%] replaced',
        result.text)
    end)

    it("but between 1 and 50, and not beside old_string", function()
      local one = { old_string = "a", new_string = "b" }
      local many = {}
      for i = 1, 51 do
        many[i] = one
      end
      assert.matches("must hold 1 to 50 edits, not 51", edit("a", { edits = many }).text)
      assert.matches("must hold 1 to 50 edits, not 0",
        session:call("edit", { path = "f", edits = {} }).text)
      assert.matches('^Send either "old_string" and "new_string", or "edits"',
        session:call("edit", { path = "f", old_string = "a", edits = { one } }).text)
    end)
  end)

  describe("refuses", function()
    local function refusal(bytes, args, code, pattern)
      local result = edit(bytes, args)
      assert.is_true(result.is_error)
      assert.equal(code, result.code)
      assert.matches(pattern, result.text)
      assert.equal(bytes, contents("f"))
      return result
    end

    it("a text that is not there", function() -- S0-61
      refusal(("line\n"):rep(999), { old_string = "zeta eta", new_string = "x" }, "no_match",
        '^"old_string" is not in "f" and nothing close to it is%. Nothing was changed%. Call '
        .. 'grep with "path": "f", "pattern": "zeta", "literal": true%.$')
    end)

    it("the same in a short file, which it shows", function()
      refusal("v = 2\n\tw\n", { old_string = "zeta", new_string = "v = 9" }, "no_match",
        'Now it has:\n1|"v = 2"\n2|"\\tw"$')
    end)

    it("a text that is there more than once, with the lines", function() -- S0-62
      refusal("a\nb\na\n", { old_string = "a", new_string = "x" }, "ambiguous",
        '^"old_string" occurs 2 times in "f", at lines 1, 3%. Nothing was changed%. Add a '
        .. 'neighbouring line to "old_string" to pick one, or send "replace_all": true%.$')
    end)

    it("places that overlap", function()
      refusal("foo\nfoo\nfoo\n", { old_string = "foo\nfoo\n", new_string = "bar\n" }, "ambiguous",
        '^"old_string" fits 2 overlapping places in "f"')
    end)

    it("a long text that is there at every byte of a long file", function()
      local steps = refusal(("a"):rep(2000000),
        { old_string = ("a"):rep(1000000), new_string = "x" }, "ambiguous",
        '^"old_string" fits 1000001 overlapping places in "f"').steps
      assert(steps < 2000000 * 10, steps .. " steps")
    end)

    it("an empty old text", function() -- D14
      refusal("abc\n", { old_string = "", new_string = "X", replace_all = true }, "bad_argument",
        '^"old_string" must not be empty')
    end)

    it("missing texts", function() -- S0-67
      refusal("abc\n", { old_string = "abc" }, "bad_argument", 'send "new_string": ""%.$')
      session:close()
      refusal("abc\n", { new_string = "abc" }, "bad_argument", '^edit needs "old_string"')
    end)

    it("equal texts", function()
      refusal("abc\n", { old_string = "abc", new_string = "abc" }, "bad_argument",
        '^"new_string" equals "old_string"')
    end)

    it("an empty file", function()
      refusal("", { old_string = "a", new_string = "b" }, "no_match",
        'Call write with "path": "f", "content": "b"%.$')
    end)

    it("a result over the ceiling", function() -- S0-20
      refusal(("x"):rep(300000), { old_string = "x", new_string = ("y"):rep(10),
        replace_all = true },
        "too_large", '^"f" would have 3000000 bytes, over the file ceiling of 1048576')
    end)

    it("a file over 4 MiB", function()
      refusal(("x"):rep(4194305), { old_string = "x", new_string = "y" }, "too_large",
        '^"f" has 4194305 bytes and edit takes files up to 4194304')
    end)

    it("UTF-16, where a byte may look like a match", function()
      refusal("\255\254a\0=\0001\0", { old_string = "a", new_string = "bb" }, "no_match", "UTF%-16")
    end)

    it("a file that is not there, with what makes one", function()
      refusal("a", { path = "nope.txt", old_string = "a", new_string = "b" }, "missing",
        '^"nope.txt" does not exist, and edit changes existing files only%. To create it use write')
    end)

    it("a read-only tree, with a way out", function() -- S0-41 S0-44
      session = testing.session { files = { ["docs/x.md"] = "a\n" } }
      local result = session:call("edit", { path = "docs/x.md", old_string = "a",
        new_string = "b" })
      assert.equal("read_only", result.code)
      assert.matches('is in "docs", which is read%-only here.* Call read with "path": "docs/x.md"',
        result.text)
    end)
  end)
end)
