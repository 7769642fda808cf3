-- SPDX-License-Identifier: MIT
--- What edit says. What a row may have is said in
--- spec/support/catalogue.lua.
local function edit(old, new)
  return { path = "f", old_string = old, new_string = new or "a new text" }
end

--- A row for a call of edit on the file f with `bytes`.
local function on(bytes, id, when, args, more)
  local row = { id, when, tool = "edit", args = args, files = { f = bytes } }
  for key, value in pairs(more or {}) do
    row[key] = value
  end
  return row
end

local LONG = ("line\n"):rep(999)

return {
  on("a\n", "E1", "one replacement", edit("a")),
  on("a\na\n", "E2", "several replacements",
    { path = "f", old_string = "a", new_string = "b", replace_all = true }),
  on("a\r\nb\r\n", "E3", "the new text was given CR LF", edit("a\nb", "x\ny")),
  on("one\n\ttwo\n", "E4", "the numbers of read were copied", edit("1|one\n2|\ttwo")),
  on("alpha\nbeta\n", "E5", "the new text is there already", edit("gamma", "beta")),
  on("all:\n\techo hi\n", "E6", "white space differs", edit("    echo hi"), { parts = {
    E6_line = "in one line", E6_tabs = "tabs and blanks", E_exact = "and the text can be sent" } }),
  on("x {\n    return  1\n}\n", "E6_lines", "white space differs in several lines",
    edit("{\n    return 1\n}"), { parts = { E6_blanks = "blanks alone" } }),
  on("alpha  \nbeta\n", "E6_tails", "white space differs at the ends of lines",
    edit("alpha\nbeta")),
  on("it\u{2019}s here\n", "E7", "look-alike characters differ", edit("it's here")),
  on("word\u{200B}count\n", "E7_file", "the file has a character that cannot be seen",
    edit("wordcount")),
  on("wordcount\n", "E7_sent", "the call has a character that cannot be seen",
    edit("word\u{200B}count")),
  on("caf\u{E9}\n", "E8", "the same letters in another form of Unicode", edit("cafe\u{301}")),
  on("one\ntwo\n", "E9", "escapes in the place of line breaks", edit("one\\ntwo"),
    { parts = { E9_line = "a line break" } }),
  on("one\ttwo\n", "E9_tab", "escapes in the place of tabs", edit("one\\ttwo")),
  on('say "hi"\n', "E9_quote", "escapes before quotes", edit('say \\"hi\\"')),
  on("a\\d+b\n", "E9_backslash", "escapes before backslashes", edit("a\\\\d+b")),
  on("a\nlast", "E10", "the file has no newline at its end", edit("last\n")),
  on("one two\nthree\n", "E10_more", "a newline that is not there", edit("one\n")),
  on("head\nfirst line\nsecond is new\n" .. LONG, "E11", "lines have changed since",
    edit("first line\nsecond is old")),
  on("the quick brown fox\n" .. LONG, "E11_line", "a line is close",
    edit("the quick brown dog")),
  on(LONG, "E12", "nothing is near", edit("zeta eta")),
  on(LONG, "E12_large", "nothing is there, and nothing near was looked for",
    edit(("zeta eta theta\n"):rep(2000))),
  on(LONG, "E12_blank", "white space that is not there", edit("  \n  \n")),
  on("\255\254a\0b\0", "E12_utf16", "the file is UTF-16", edit("a")),
  on("\0\1\2", "E12_binary", "the file is binary", edit("a")),
  on("one\n", "E12_short", "nothing is near in a file that is short", edit("zeta eta")),
  on(("x "):rep(400) .. " y\n", "E_copy", "a text that fits is too long to be sent back",
    edit(("x "):rep(400) .. "y")),
  on("\tx\n\tx\n", "E_several", "a text that would fit is there several times", edit("  x")),
  on("a\nb\na\n", "E13", "the text is there several times", edit("a")),
  on("aaa\n", "E14", "the text fits places that overlap", edit("aa")),
  on("a\n", "E15", "the old text is empty", edit("")),
  on("a\n", "E16", "the new text is the old one", edit("a", "a")),
  on("a\n", "E17", "the new text is missing", { path = "f", old_string = "a" }),
  on("a\n", "E17_old", "the old text is missing", { path = "f", new_string = "a" }),
  { "E18", "the file does not exist", tool = "edit",
    args = { path = "zebra", old_string = "a", new_string = "b" } },
  { "E18_near", "the file does not exist, and one like it does", tool = "edit",
    args = { path = "b.md", old_string = "a", new_string = "b" } },
  on("", "E19", "the file is empty", edit("a")),
  on("abc\n", "E20", "the file would become too large", edit("abc", "0123456789"),
    { limits = { write_bytes = 8 } }),
  on("a\n", "E21", "both forms at once",
    { path = "f", old_string = "a", edits = { { old_string = "a", new_string = "b" } } }),
  on("one\n", "E22", "one of several edits fails", { path = "f", edits = {
    { old_string = "one", new_string = "1" }, { old_string = "zeta eta", new_string = "" } } }),
  on("a\n", "E23", "no edits, or too many", { path = "f", edits = {} }),
  on("one\ntwo\n", "E24", "an edit took away the text of another", { path = "f", edits = {
    { old_string = "two", new_string = "2" }, { old_string = "two", new_string = "zwei" } } }),
  on("12345\n", "E25", "the file is too large", edit("1"), { limits = { edit_bytes = 4 } }),
  on(("x\n"):rep(400000) .. "end", "E26", "somebody else writes the file all the time",
    edit("end", "END"), { beside = "while :; do echo x; done >>f" }),
}
