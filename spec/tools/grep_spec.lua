-- SPDX-License-Identifier: MIT
local cjson = require "cjson"
local testing = require "croft.testing"

describe("grep", function()
  local session

  local function grep(files, args, options)
    options = options or {}
    options.files = files
    session = testing.session(options)
    return session:call("grep", args)
  end

  local function text(files, args, options)
    local result = grep(files, args, options)
    assert.is_false(result.is_error)
    return result.text
  end

  after_each(function()
    session:close()
  end)

  describe("finds", function()
    it("lines that match, as path:line|text in order of paths", function() -- S0-55 S0-70
      assert.equal("a.txt:2|two 2\nd/b.txt:1|a 22", text({
        ["d/b.txt"] = "a 22\n", ["a.txt"] = "one\ntwo 2\n", ["z.txt"] = "no\n",
      }, { pattern = "\\b2+$" }))
    end)

    it("below a directory, with paths from the root", function()
      local files = { ["d/e/f"] = "x\n", f = "x\n" }
      assert.equal("d/e/f:1|x", text(files, { pattern = "x", path = "d" }))
    end)

    it("in one file", function()
      assert.equal("d/f:1|x", text({ ["d/f"] = "x\n", g = "x\n" }, { pattern = "x", path = "d/f" }))
    end)

    it("lines around a match, told apart from it", function()
      local found = text({ f = "a\nb\nc\nd\ne\n" }, { pattern = "c", context = 1 })
      assert.equal("f:2-b\nf:3|c\nf:4-d", found)
    end)

    it("names of files, or counts of lines", function()
      local files = { a = "x\nx\n", b = "y\n", c = "x\n" }
      assert.equal("a\nc", text(files, { pattern = "x", output = "files" }))
      session:close()
      assert.equal("a: 2\nc: 1", text(files, { pattern = "x", output = "count" }))
    end)

    it("plain text with literal", function()
      assert.equal("f:1|a.*(", text({ f = "a.*(\nabc(\n" }, { pattern = ".*(", literal = true }))
    end)

    it("without regard to case when asked", function()
      assert.equal("f:1|ABC", text({ f = "ABC\n" }, { pattern = "abc", ignore_case = "true" }))
    end)

    it("only in files that fit a glob and are not excluded", function()
      local files = { ["a.md"] = "x\n", ["a.txt"] = "x\n", ["n/b.md"] = "x\n" }
      assert.equal("a.md:1|x\n[not entered: n (excluded)]",
        text(files, { pattern = "x", glob = "*.md", exclude = "n" }))
    end)

    it("the end of a line before CR LF", function()
      assert.equal("f:1|foo", text({ f = "foo\r\nfoobar\r\n" }, { pattern = "foo$" }))
    end)

    -- S0-56 S0-32
    it("nothing through links to directories, nor through links that leave", function()
      assert.equal("d/f:1|root", text({
        ["d/f"] = "root\n", up = { link = "d" }, pw = { link = "/etc/passwd" },
      }, { pattern = "root" }))
    end)
  end)

  it("says how a name is sent that is not shown as it is", function()
    local files = { ["a\nb"] = "x\n", ["c\n"] = "y\n" }
    local found = text(files, { pattern = "x" })
    assert.equal('a\\x0ab:1|x\n[a\\x0ab is sent as "path": "a\\nb"]', found)
  end)

  describe("stops", function()
    it("at 200 matching lines, and says how to get fewer", function() -- S0-22
      local found = text({ f = ("hit\n"):rep(300) }, { pattern = "hit" })
      assert.matches("f:200|hit\n[stopped at 200 matches in 1 file. For fewer:", found, 1, true)
      assert.is_nil(found:find("f:201", 1, true))
    end)

    it("without a notice at exactly 200", function()
      assert.is_nil(text({ f = ("hit\n"):rep(200) }, { pattern = "hit" }):find("[", 1, true))
    end)

    it("when its steps run short, and says that it was not the time", function() -- S0-22
      local big = (("x"):rep(60) .. "\n"):rep(50000)
      local found = text({ a = big, b = big, c = big }, { pattern = [[(\w)\1\d]] },
        { limits = { steps = 100000 } })
      assert.matches("^%[stopped after 100000 steps with %d files? searched; ", found)
      assert.matches('a narrower "path" or "glob"', found, 1, true)
    end)

    it("at the ceiling of a result with its trailer inside", function()
      local found = text({ f = (("long "):rep(60) .. "\n"):rep(190) }, { pattern = "long" })
      assert.is_true(#found <= 32768)
      assert.matches("\n%[stopped after %d+ matches; the 32 KiB ceiling is reached%.[^\n]*%]$",
        found)
    end)
  end)

  describe("skips, and says so:", function()
    it("binary files", function()
      assert.equal("t:1|needle\n[skipped: 1 binary]",
        text({ b = "needle\0", t = "needle\n" }, { pattern = "needle" }))
    end)

    it("files over 4 MiB", function() -- S0-23 S0-57
      assert.equal('t:1|needle\n[skipped: 1 over 4 MiB ("big")]',
        text({ big = ("x"):rep(4194305), t = "needle\n" }, { pattern = "needle" }))
    end)

    it("an unreadable directory, and goes on", function() -- S0-58
      local found = text({
        ["a/f"] = "needle\n", ["b/f"] = "needle\n", ["a/"] = { mode = "0000" },
      }, { pattern = "needle" })
      assert.matches("b/f:1|needle", found, 1, true)
      if found:find("a/f", 1, true) then
        return -- the user of this run may read everything
      end
      assert.matches('%[1 directory could not be opened: "a"%]$', found)
    end)
  end)

  describe("tells nothing found from nothing searched:", function()
    it("no line in so many files", function()
      assert.equal('[no line matches in "."; 2 files searched]',
        text({ a = "1\n", b = "2\n" }, { pattern = "zeta" }))
    end)

    it("no line of a file", function()
      assert.equal('[no line of "a" matches; 3 lines searched]',
        text({ a = "1\n2\n3\n" }, { pattern = "zeta", path = "a" }))
    end)

    it("some files skipped", function()
      assert.equal("[no line matches in the 1 file searched, but 1 was skipped: 1 binary]",
        text({ a = "1\n", b = "\0" }, { pattern = "zeta" }))
    end)

    it("all files skipped", function()
      assert.equal("[nothing was searched: 1 file was skipped: 1 binary]",
        text({ b = "\0" }, { pattern = "zeta" }))
    end)

    it("a glob that no file fits", function()
      assert.equal('[nothing was searched: no file under "." fits "glob": "*.zip"]',
        text({ a = "1\n" }, { pattern = "1", glob = "*.zip" }))
    end)

    it("no files at all", function()
      assert.equal('[nothing was searched: "d" holds no files]',
        text({ ["d/"] = true }, { pattern = "1", path = "d" }))
    end)
  end)

  describe("hints, after no match,", function()
    it("at upper and lower case", function()
      assert.matches('without regard to case 2 lines would match: add "ignore_case": true%]$',
        text({ f = "One\nONE\n" }, { pattern = "one" }))
    end)

    it("with a count that says so where not all were counted", function()
      local files = { a = "One x[1]\n", b = "ONE x[1]\n", c = "ONE\n" }
      local options = { limits = { grep_matches = 1 } }
      assert.matches('at least 1 line would match: add "ignore_case": true%]$',
        text(files, { pattern = "one" }, options))
      session:close()
      assert.matches('and at least 1 line contains it as plain text: add "literal": true%]$',
        text(files, { pattern = "x[1]" }, options))
    end)

    it("at special characters", function()
      assert.matches('1 line contains it as plain text: add "literal": true%]$',
        text({ f = "a[0] = 1\n" }, { pattern = "a[0]" }))
    end)
  end)

  describe("where a line is too expensive", function()
    local PATTERN = "^(a+)+(b|c)$|(a|a)*b\\1d"
    local SLOW = ("a"):rep(60) .. "!\n"

    --- The answer, and that of the call that it names.
    local function followed(files, args)
      local first = grep(files, args)
      assert.is_true(first.is_error)
      args.exclude = cjson.decode('{"e": ' .. first.text:match('"exclude": (".*")%.$') .. "}").e
      return first.text, session:call("grep", args).text
    end

    it("names the way to the other files", function()
      local said, rest = followed({ a = SLOW, ["n/a"] = "aab\n" }, { pattern = PATTERN })
      assert.matches('"a" line 1, .* write each repeat once', said)
      assert.equal("n/a:1|aab\n[not entered: a (excluded)]", rest)
    end)

    it("names it from the directory that was searched, with what was left out already", function()
      local _, rest = followed({ ["n/m/a[1],{"] = SLOW, ["n/b"] = "aab\n", ["n/x.c"] = "aab\n" },
        { pattern = PATTERN, path = "./n/", exclude = "*.c" })
      assert.equal("n/b:1|aab\n[not entered: m/a[1],{, x.c (excluded)]", rest)
    end)

    it("says that the line is long where it is", function()
      local said, rest = followed({ a = ("a"):rep(1000000), b = "aa bb\n" },
        { pattern = "(\\w+)\\s\\w" })
      assert.matches('"a" line 1, which has 1000000 bytes, ', said, 1, true)
      assert.equal("b:1|aa bb\n[not entered: a (excluded)]", rest)
    end)

    it("names no way to other files where there are none", function()
      local result = grep({ a = SLOW }, { pattern = PATTERN, path = "a" })
      assert.is_nil(result.text:find("exclude", 1, true))
    end)
  end)

  describe("refuses", function()
    local function refusal(files, args, code, pattern)
      local result = grep(files, args)
      assert.is_true(result.is_error)
      assert.equal(code, result.code)
      assert.matches(pattern, result.text)
    end

    it("a pattern that does not compile, with the place and literal", function() -- S0-55
      refusal({ f = "" }, { pattern = "foo(" }, "bad_pattern",
        '^"pattern" does not compile: .+ at character %d+ %("[^"]+"%)%. .* add "literal": true%.$')
    end)

    it("a newline, with a line to send", function()
      refusal({ f = "" }, { pattern = "ab\ncde" }, "bad_pattern",
        '"pattern": "cde", "literal": true, "context": 3%.$')
      session:close()
      refusal({ f = "" }, { pattern = "\n" }, "bad_pattern", '"pattern": "^$"%.$')
    end)

    it("settings of the matcher", function()
      refusal({ f = "" }, { pattern = "(*CR)a" }, "bad_pattern", 'may not begin with "%(%*"')
    end)

    it("a pattern that is too long, or grows too large", function()
      refusal({ f = "" }, { pattern = ("a"):rep(5000) }, "bad_pattern", "longer than 4096 bytes")
      session:close()
      refusal({ f = "" }, { pattern = "((a{1,1000}){1,1000}){1,1000}" }, "bad_pattern", "too large")
    end)

    it("an empty pattern", function() -- D14
      refusal({ f = "" }, { pattern = "" }, "bad_argument", '^"pattern" is empty')
    end)

    it("a named file that is too large, with the tool that opens it", function() -- S0-57
      refusal({ big = ("x"):rep(4194305) }, { pattern = "x", path = "big" }, "too_large",
        '^"big" has 4194305 bytes and grep reads at most 4 MiB .* Call read with "path": "big"')
    end)

    it("a named file that is binary", function()
      refusal({ ["d/b"] = "\0" }, { pattern = "x", path = "d/b" }, "not_regular",
        '^"d/b" is binary, and grep searches text only%. Call grep with "path": "d"')
    end)

    it("a path that is not there", function() -- S0-71
      refusal({ f = "" }, { pattern = "x", path = "pods.json" }, "missing",
        '"pods.json" does not exist')
    end)
  end)
end)
