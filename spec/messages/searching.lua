-- SPDX-License-Identifier: MIT
--- What grep says. What a row may have is said in
--- spec/support/catalogue.lua.
local BIG = { big = ("x\n"):rep(600000) }

--- Every line needs more backtracking than one may have, if repeats lie in repeats.
local SLOW = { f = "ok\n" .. ("a"):rep(60) .. "!\n" }

return {
  { "G1", "a pattern that does not compile", tool = "grep", args = { pattern = "foo(" } },
  { "G2", "a pattern that backtracks too much", tool = "grep", files = SLOW,
    args = { pattern = "^(a+)+(b|c)$|(a|a)*b\\1d" } },
  { "G3_long", "a pattern that is too long", tool = "grep", args = { pattern = ("x"):rep(4097) } },
  { "G3_large", "a pattern that grows too large", tool = "grep",
    args = { pattern = "((x{1,999}){1,999}){1,99}" } },
  { "G4", "a pattern with a newline in it", tool = "grep", args = { pattern = "one\ntwo" } },
  { "G4_blank", "a pattern that is a newline", tool = "grep", args = { pattern = "\n" } },
  { "G5", "no match below a directory", tool = "grep", args = { pattern = "zebra" } },
  { "G6", "no match in one file", tool = "grep", args = { pattern = "zebra", path = "a.md" } },
  { "G7", "no match, and some files were skipped", tool = "grep", args = { pattern = "zebra" },
    files = { f = "a\n", b = "\0" }, parts = { G12_binary = "binary files among them" } },
  { "G7_none", "all files were skipped", tool = "grep", args = { pattern = "zebra" },
    files = { b = "\0" } },
  { "G8", "no file fits the glob", tool = "grep", args = { pattern = "x", glob = "*.c" } },
  { "G9", "there are no files", tool = "grep", args = { pattern = "x" },
    files = { ["d/"] = true } },
  { "G9_rest", "no file could be reached", tool = "grep", args = { pattern = "x", exclude = "d" },
    files = { ["d/f"] = "" } },
  { "G10", "as many matches as are shown", tool = "grep", args = { pattern = "l" },
    limits = { grep_matches = 2 }, files = { f = ("l\n"):rep(3) } },
  { "G10_files", "as many files as are shown", tool = "grep",
    args = { pattern = "l", output = "files" }, limits = { grep_matches = 2 },
    files = { a = "l\n", b = "l\n", c = "l\n" } },
  { "G11", "as many bytes as are shown", tool = "grep", args = { pattern = "l" },
    limits = { result_bytes = 4096 }, files = { f = (("l"):rep(200) .. "\n"):rep(50) } },
  { "G11_files", "as many bytes of names as are shown", tool = "grep",
    args = { pattern = "l", output = "files" }, limits = { result_bytes = 4096 },
    prepare = "for i in $(seq 99); do echo l >long-name-of-a-file-long-name-of-a-file-$i; done" },
  { "G12", "matches, and some files were skipped", tool = "grep", args = { pattern = "x" },
    files = { f = "x\n", big = BIG.big }, limits = { grep_file_bytes = 1000000 },
    parts = { G12_large = "files over the ceiling among them" } },
  { "G12_unreadable", "files that cannot be read among the skipped", fills = { k = 2 } },
  { "G13", "the file named is over the ceiling", tool = "grep",
    args = { pattern = "x", path = "big" }, files = BIG, limits = { grep_file_bytes = 1000000 } },
  { "G14", "the file named is binary", tool = "grep", args = { pattern = "x", path = "b" },
    files = { b = "\0" } },
  { "G15", "no match but for upper and lower case", tool = "grep", args = { pattern = "ONE" } },
  { "G16", "no match but as plain text", tool = "grep", args = { pattern = "a.b*c" },
    files = { f = "x = a.b*c\n" } },
  { "T2", "the time is over", fills = { t = "10", n = 3 } },
  { "T14", "a pattern that begins with a setting of the matcher", tool = "grep",
    args = { pattern = "(*UCP)x" } },
}
