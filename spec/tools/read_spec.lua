-- SPDX-License-Identifier: MIT
local testing = require "croft.testing"

local function lines(from, to)
  local out = {}
  for i = from, to do
    out[#out + 1] = tostring(i)
  end
  return table.concat(out, "\n") .. "\n"
end

describe("read", function()
  local session

  local function read(files, args)
    session = testing.session { files = files }
    args.path = args.path or "f"
    return session:call("read", args)
  end

  after_each(function()
    session:close()
  end)

  it("numbers lines and leaves their bytes alone", function() -- S0-51
    local result = read({ f = "\tone\ntwo  \n" }, {})
    assert.equal("1|\tone\n2|two  \n[end of file: 2 lines]", result.text)
    assert.is_false(result.is_error)
  end)

  it("has no phantom line after the final newline", function() -- S0-69
    assert.is_nil(read({ f = "a\nb\n" }, {}).text:find("3|", 1, true))
  end)

  it("says that the last line has no newline", function()
    assert.equal("1|a\n2|b\n[end of file: 2 lines; no newline at the end]",
      read({ f = "a\nb" }, {}).text)
  end)

  describe("pages", function() -- S0-52
    it("with offset and limit, and says what to send next", function()
      local text = read({ f = lines(11, 20) }, { offset = 3, limit = 2 }).text
      assert.equal('3|13\n4|14\n[lines 3-4 of 10. Next: "offset": 5, "limit": 2]', text)
    end)

    it("and says nothing of more when the window ends with the file", function()
      assert.equal("2|b\n3|c\n[lines 2-3 of 3: end of file]",
        read({ f = "a\nb\nc\n" }, { offset = 2, limit = 2 }).text)
    end)

    it("from the end with a negative offset", function()
      assert.equal('49|49\n50|50\n[last 2 of 50 lines. Before them: "offset": 47, "limit": 2]',
        read({ f = lines(1, 50) }, { offset = -2 }).text)
    end)

    it("at 32 KiB with the trailer inside, naming offset and limit", function() -- S0-19 S0-25 S0-26
      local text = read({ f = lines(1, 10000) }, {}).text
      assert.is_true(#text <= 32768 and #text > 32000)
      local last, next_line = text:match("\n(%d+)|%d+\n%[lines 1%-%d+ of 10000; .*"
        .. '"offset": (%d+); for less, add "limit"%]$')
      assert.equal(tonumber(last) + 1, tonumber(next_line))
    end)

    it("through all of a file, each page where the last one said", function()
      local files, seen, offset = { f = lines(1, 20000) }, {}, 1
      session = testing.session { files = files }
      while offset do
        local text = session:call("read", { path = "f", offset = offset }).text
        for number in text:gmatch("%f[^\n\0]%d+|(%d+)") do
          seen[#seen + 1] = number
        end
        offset = tonumber(text:match('Next: "offset": (%d+)'))
      end
      assert.equal(lines(1, 20000), table.concat(seen, "\n") .. "\n")
    end)

    it("inside a line that is longer than a page", function()
      local text = read({ f = ("x"):rep(40000) .. "\ntail\n" }, {}).text
      assert.is_true(#text <= 32768)
      local column = text:match('\n%[line 1 has 40000 bytes, more than a page; bytes 1%-%d+ are '
        .. 'shown%. Next: "offset": 1, "column": (%d+) for its rest, or "offset": 2 for the next '
        .. 'line%]$')
      local rest = session:call("read", { path = "f", column = tonumber(column) }).text
      assert.matches("x\n2|tail\n%[end of file: 2 lines; line 1 is shown from its byte " .. column,
        rest)
    end)
  end)

  it("says that a file is empty, as an answer", function() -- S0-53
    local result = read({ f = "" }, { offset = 7 })
    assert.is_false(result.is_error)
    assert.equal('["f" is empty: 0 lines]', result.text)
  end)

  it("gives the number of lines when it is asked for one past the end", function() -- S0-54 D13
    local result = read({ f = "a\nb\nc\n" }, { offset = 4 })
    assert.is_true(result.is_error)
    assert.matches('^"f" has 3 lines, so "offset" 4 is past its end%.', result.text)
  end)

  it("gives the length of a line when the column is past it", function()
    local result = read({ f = "abc\n" }, { column = 9 })
    assert.equal("bad_argument", result.code)
    assert.matches('^Line 1 of "f" has 3 bytes', result.text)
  end)

  it("shows no CR, and tells of line ends", function()
    assert.equal("1|a\n2|b\n[end of file: 2 lines; lines end in CRLF]",
      read({ f = "a\r\nb\r\n" }, {}).text)
  end)

  it("tells of mixed line ends", function()
    assert.matches("; line ends are mixed %(1 CRLF, 2 LF%)", read({ f = "a\r\nb\nc\n" }, {}).text)
  end)

  it("tells of a byte order mark, which is no part of line 1", function()
    assert.matches("^1|a\n%[end of file: 1 line; it begins with a UTF%-8 BOM",
      read({ f = "\239\187\191a\n" }, {}).text)
  end)

  it("tells of bytes that are not UTF-8", function()
    local text = read({ f = "caf\233\n" }, {}).text
    assert.matches("^1|caf\u{FFFD}\n", text)
    assert.matches("; 1 byte is not UTF%-8 and shown as U%+FFFD", text)
  end)

  it("ends a page on whole characters", function()
    local text = read({ f = ("\u{20AC}"):rep(20000) }, {}).text
    assert.is_truthy(utf8.len(text))
    assert.is_nil(text:find("\u{FFFD}", 1, true))
  end)

  it("cannot be made to pose its content as a notice", function()
    assert.matches("^1|%[end of file: 0 lines%]\n%[end of file: 1 line%]$",
      read({ f = "[end of file: 0 lines]\n" }, {}).text)
  end)

  it("says what a binary file is", function()
    local result = read({ ["d/f"] = "\137PNG\0\0" }, { path = "d/f" })
    assert.is_true(result.is_error)
    assert.matches('"d/f" is binary %(PNG image, 6 bytes%) and read shows text only', result.text)
    assert.matches('call list with "path": "d"', result.text, 1, true)
  end)

  describe("refuses", function()
    local function refusal(files, path, code, pattern)
      local result = read(files, { path = path })
      assert.is_true(result.is_error)
      assert.equal(code, result.code)
      assert.matches(pattern, result.text)
      assert.is_nil(result.text:find(session:root(), 1, true)) -- S0-70
    end

    it("a directory, with the tool that shows it", function()
      refusal({ ["d/a"] = "" }, "d", "not_a_file", 'Call list with "path": "d", then read one')
    end)

    it("an absolute path, with the one to send when it lies inside", function() -- S0-27 D1
      refusal({ ["d/a"] = "" }, "/d/a", "outside", 'Send "path": "d/a", which exists inside')
    end)

    it("an absolute path, without saying it again", function() -- S0-27 S0-71
      refusal({ f = "" }, "/etc/passwd", "outside", 'Call list without "path"')
    end)

    it("a drive", function() -- S0-28
      refusal({ f = "" }, "C:/f", "outside", 'begins with a drive%. Send "path": "f"')
    end)

    for _, path in ipairs { "../f", "a/../../f", "a/b/../../../f" } do
      it("a path that climbs: " .. path, function() -- S0-29
        refusal({ f = "" }, path, "outside", 'may not climb above .* Send "path": "f"')
      end)
    end

    it("a file below a link that leaves the workspace", function() -- S0-32
      refusal({ l = { link = "/etc" } }, "l/passwd", "outside",
        '^"l/passwd" passes through the link "l", which points outside the workspace')
    end)

    it("a circle of links", function() -- S0-37
      refusal({ a = { link = "b" }, b = { link = "a" } }, "a", "loop", "circle of links")
    end)

    it("a link to nothing, as such", function() -- S0-34
      refusal({ l = { link = "gone" } }, "l", "missing",
        '"l" is a link to a name that is not there')
    end)

    it("a missing file, with names that are close", function() -- S0-71
      refusal({ ["src/config.json"] = "" }, "src/config.jsn", "missing",
        '^"src/config.jsn" does not exist%. Send "path": "src/config.json"')
    end)

    it("a missing file in a directory that is close", function()
      refusal({ ["src/main.c"] = "" }, "scr/main.c", "missing", 'Send "path": "src/main.c"')
    end)

    it("a missing file, with what its directory is", function()
      refusal({ ["src/a.c"] = "" }, "src/zebra.txt", "missing",
        'does not exist; "src" has no "zebra.txt"%. Call list with "path": "src"')
    end)

    it("a missing directory, with the deepest that is there", function()
      refusal({ ["a/b/x"] = "" }, "a/b/quux/corge/f", "missing",
        'already "a/b/quux" is missing%. Call list with "path": "a/b"')
    end)

    it("a file as a directory", function()
      refusal({ f = "" }, "f/x", "not_a_directory", '^"f" is a file, so "f/x" cannot lie inside it')
    end)

    it("a file spelled as a directory", function()
      refusal({ f = "" }, "f/", "not_a_directory", 'Send "path": "f"%.$')
    end)

    it("a NUL", function()
      refusal({ f = "" }, "f\0.txt", "bad_argument", '^"path" holds a NUL')
    end)

    it("a path that is too long, cutting what it quotes", function()
      refusal({ f = "" }, ("a/"):rep(3000), "bad_argument", '^"path" is longer than 4095 bytes')
    end)
  end)
end)
