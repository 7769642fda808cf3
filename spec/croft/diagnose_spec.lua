-- SPDX-License-Identifier: MIT
--- Why an edit missed: the nine looks, one after another, and what each proposes to send.
local cjson = require "cjson"
local testing = require "croft.testing"

local LONG = ("line\n"):rep(999)

--- So many long lines, no two alike.
local function numbered(count)
  local lines = {}
  for i = 1, count do
    lines[i] = ("x"):rep(60) .. i .. "\n"
  end
  return table.concat(lines)
end

describe("An edit that misses", function()
  local session

  local function try(bytes, old, new)
    session = testing.session { files = { f = bytes } }
    return session:call("edit", { path = "f", old_string = old, new_string = new or "a new text" })
  end

  local function says(bytes, old, pattern, new)
    local result = try(bytes, old, new)
    assert.equal("no_match", result.code)
    assert.matches(pattern, result.text)
    local file = assert(io.open(session:root() .. "/f", "rb"))
    assert.equal(bytes, file:read("a"))
    file:close()
    return result.text
  end

  --- What `text` says to send, sent.
  local function send_what_is_said(text)
    local old = cjson.decode(text:match('"old_string": (".*")%.$'))
    return session:call("edit", { path = "f", old_string = old, new_string = "new" })
  end

  after_each(function()
    session:close()
  end)

  --- Each with the file, the old text, and what is said; and what it says to send fits.
  local FITS = {
    ["1: the numbers of read were copied"] = {
      "func a() {\n\treturn 1\n}\n", "1|func a() {\n2|\treturn 1",
      'begins its lines with the "1|" that read adds.* fits line 1;' },
    ["1: the same in a file of CR LF"] = { "x\r\na\r\nb\r\n", "2|a\n3|b\n", "fits line 2;" },
    ["3: tabs"] = { "all:\n\techo hi\n", "    echo hi",
      'Line 2 differs only in tabs and blanks%..*"old_string": "\\techo hi"%.$' },
    ["3: indentation"] = { "class A:\n    def f(self):\n        return 1\n",
      "def f(self):\n    return 1",
      'Lines 2%-3 differ only in blanks%..*: "def f%(self%):\\n        return 1"%.$' },
    ["3: blanks at the end"] = { "alpha  \nbeta\n", "alpha\nbeta",
      'Lines 1%-2 differ only in blanks at the end of a line%..*"alpha  \\nbeta"%.$' },
    ["3: a run of blanks"] = { "x\na  =  1;\n", "a = 1",
      'Line 2 differs only in blanks%..*"old_string": "a  =  1"%.$' },
    ["3: CR LF in some lines"] = { "a\r\nb\nc\r\n", "a\nb\nc",
      "Lines 1%-3 differ only in blanks at" },
    ["4: a quote"] = { "x\nit\u{2019}s here\n", "it's here",

      'Line 2 differs only in look%-alike.* has U%+2019, you sent U%+0027%..*"it\\u2019s here"' },
    ["4: quotes that were sent"] = { 'say "hi"\n', "say \u{201C}hi\u{201D}",
      "the file has U%+0022, you sent U%+201C" },
    ["4: a dash"] = { "pages 1\u{2013}9\n", "pages 1-9", "the file has U%+2013, you sent U%+002D" },
    ["4: another dash"] = { "a\u{2014}b\n", "a\u{2013}b",
      "the file has U%+2014, you sent U%+2013" },
    ["4: a blank"] = { "10\u{A0}km\n", "10 km", "the file has U%+00A0, you sent U%+0020" },
    ["4: three dots"] = { "and so on\u{2026}\n", "so on...", "has U%+2026, you sent U%+002E" },
    ["4: a sign of full width"] = { "f\u{FF08}x\u{FF09}\n", "f(x)",
      "has U%+FF08, you sent U%+0028" },
    ["4: in the second of two lines, over CR LF"] = { "one\r\ntwo \u{2019}\r\n", "one\ntwo '",
      "Line 2 differs only" },
    ["4: signs alone"] = { "\u{2018}\u{2019}\n", "''", "the file has U%+2018" },
    ["4: between characters that are not ASCII"] = { "漢字\u{FF0C}文\n", "漢字,文", "has U%+FF0C" },
    ["4: what cannot be seen, in the file"] = { "word\u{200B}count\n", "wordcount",
      "a character that cannot be seen: the file has U%+200B there" },
    ["4: what cannot be seen, in the call"] = { "wordcount\n", "word\u{AD}count",
      "differs from line 1 only .*: you sent U%+00AD" },
    ["4: letters with marks, composed in the file"] = { "x\ncaf\u{E9}\n", "cafe\u{301}",
      'Line 2 has the same text in another Unicode form %(NFC%)%..*without "é".*"caf\\u00e9"%.$' },
    ["4: letters with marks, taken apart in the file"] = { "cafe\u{301} au lait\n", "caf\u{E9} au",
      'another Unicode form %(NFD%)%..*"cafe\\u0301 au"%.$' },
    ["4: Greek"] = { "\u{3AC}\u{3BB}\u{3C6}\u{3B1}\n", "\u{3B1}\u{301}\u{3BB}\u{3C6}\u{3B1}",
      "NFC" },
    ["4: Cyrillic"] = { "мой\n", "мои\u{306}", "NFC" },
    ["4: two marks on a letter"] = { "Vi\u{1EC7}t\n", "Vie\u{323}\u{302}t", "NFC" },
    ["4: kana"] = { "か\u{3099}き\n", "がき", "NFD" },
    ["4: Hangul"] = { "한글 x\n", "\u{1112}\u{1161}\u{11AB}\u{1100}\u{1173}\u{11AF} x", "NFC" },
    ["5: a line break"] = { "one\ntwo\n", "one\\ntwo",
      'holds a backslash and "n" where "f" has a real line break %(line 1%)' },
    ["5: a line break in a file of CR LF"] = { "one\r\ntwo\r\n", "one\\ntwo", "a real line break" },
    ["5: a tab"] = { "x\n\tone\n", "\\tone", 'and "t" where "f" has a real tab %(line 2%)' },
    ["5: quotes"] = { 'say("a\\n")\n', 'say(\\"a\\n\\")', "has the quote alone" },
    ["5: all of it twice"] = { 'say("a\\n")\nend\n', 'say(\\"a\\\\n\\")\\nend',
      "has the quote alone" },
    ["5: backslashes"] = { "a\\d+\n", "a\\\\d+", "has one backslash" },
    ["6: a final newline"] = { "a\nlast", "last\n",
      'but "f" ends without one%. .* Send exactly: "old_string": "last"%.$' },
    ["6: the same after CR LF"] = { "a\r\nlast", "a\nlast\n", "ends without one" },
    ["6: a newline where the line goes on"] = { "a\none two\n", "one\n", "fits line 2" },
    ["6: a line too many at the end"] = { "x\nlast line\n", "last line\n\n", "fits line 2" },
  }

  for name, case in pairs(FITS) do
    it("is told what differs, and what to send: " .. name, function()
      local result = send_what_is_said(says(case[1], case[2], case[3]))
      assert.is_false(result.is_error, result.text)
    end)
  end

  --- Each with the file, the old text, what is said, and the new text where it matters.
  local TOLD = {
    ["2: the edit is done already"] = { "alpha\nbeta\n", "gamma",
      "at line 2: this edit seems to be done already", "beta" },
    ["2: but not for a short text that happens to be there"] = { "alpha\nbeta\n", "gamma",
      '^"old_string" is not in "f", nor is anything close', "a" },
    ["3 to 6: a text that is too long to be sent back"] = { ("x "):rep(400) .. " y\n",
      ("x "):rep(400) .. "y", 'Call read with "path": "f", "offset": 1, "limit": 1, and copy' },
    ["3 to 6: bytes that cannot be sent"] = { "caf\233 it\u{2019}s\n", "caf\u{E9} it's",
      'Call read with "path": "f", "offset": 1, "limit": 1, and copy' },
    ["3 to 6: a text that is there several times"] = { "\tx\n\tx\n", "  x",
      'It is there 2 times: call read with "path": "f", "offset": 1, "limit": 1' },
    ["7: a line that is still there"] = { "head\nfirst line\nsecond is new\nend\n" .. LONG,
      "first line\nsecond is old\nend",
      'Closest are lines 2%-4, and line 3 is the first that differs%..*"offset": 2, "limit": 3%.'
        .. ' The file now has:\n2|"first line"\n3|"second is new"\n4|"end"$' },
    ["7: the last line of the old text is there, far up"] = { "the only one\n" .. LONG,
      "what was before\nthe only one", "Line 1 comes closest" },
    ["7: the best of several places"] = {
      "common line\nx\n" .. LONG .. "common line\nsecond = 2\nthird = 4\n",
      "common line\nsecond = 2\nthird = 3", "Closest are lines 1002%-1004, and line 1004 is" },
    ["7: a region that is long is shown from where it differs"] = {
      numbered(30), numbered(29) .. "other",
      "line 30 is the first that differs.*The file now has:\n28|.*\n30|[^\n]*$" },
    ["8: a line that is close"] = { "one\nthe quick brown fox\nthree\n" .. LONG,
      "the quick brown dog",
      'Line 2 comes closest.*now has:\n1|"one"\n2|"the quick brown fox"\n3|"three"$' },


    ["8: a line that is close in a long file"] = {
      LONG .. LONG .. "local value = get(name)\n" .. LONG,
      "local valeu = get(name)", "Line 1999 comes closest" },
    ["8: several lines, by the longest"] = { LONG .. "if ready then\n  start_engine(1)\nend\n",
      "when ready\n  start_engine(2)\nok", "Closest are lines 1000%-1002" },
    ["8: not a line that is too different"] = { LONG .. "the quick brown fox\n",
      "a lazy dog sleeps here", "nothing close to it is" },
    ["8: not in more than 1 MiB"] = { ("line\n"):rep(300000) .. "the quick brown fox\n",
      "the quick brown dog", "in so much text nothing close to it was looked for" },
    ["9: nothing near"] = { LONG, "zeta eta",
      'Call grep with "path": "f", "pattern": "zeta", "literal": true%.$' },
  }

  for name, case in pairs(TOLD) do
    it("is told why: " .. name, function()
      says(case[1], case[2], case[3], case[4])
    end)
  end

  it("is told the first look that applies", function()
    says("x\none\n\ttwo\n", "2|one\n3|\ttwo", "begins its lines with", "one\n\ttwo") -- 1 before 2
    session:close()
    says("a new text\n\techo\n", "  echo", "seems to be done already") -- 2 before 3
    session:close()
    says("\techo 'x'\n\techo \u{2019}x\u{2019}\n", "  echo 'x'", "in tabs and blanks") -- 3 before 4
  end)

  describe("takes little time", function()
    local MIB = 1048576

    local function filled(piece, size)
      return piece:rep(size // #piece)
    end

    --- Files and old texts that make each look work hardest.
    for name, case in pairs {
      ["one line"] = { filled("a", 4 * MIB), ("a"):rep(300) .. "b" },
      ["empty lines"] = { filled("\n", 4 * MIB), "x\n\n\ny" },
      ["white space everywhere"] = { filled("    x = 1;\n", 4 * MIB), "\tx = 1;\n\tx = 2;" },
      ["look-alikes everywhere"] = { filled("say \u{2019}a\u{2019} \u{E9}\n", MIB),
        filled("say 'a' \u{E9}\n", 8000) .. "x" },
      ["lines all alike"] = { filled("    return value\n", MIB),
        filled("        return value\n", 16000) .. "zzz" },
      ["an old text of 1 MiB"] = { filled("abc\n", MIB), filled("abcd\n", MIB) },
      ["pieces of lines everywhere"] = { filled("abcde fghij\n", MIB), "fghij abcde klmno abcde" },
    } do
      it("over " .. name, function()
        session = testing.session { files = { f = case[1] }, limits = { steps = 8000000 } }
        local before = os.clock()
        local result = session:call("edit", { path = "f", old_string = case[2], new_string = "" })
        assert.equal("no_match", result.code)
        assert.is_true(os.clock() - before < 1) -- some 50 ms, but for sanitizers
      end)
    end
  end)
end)
