-- SPDX-License-Identifier: MIT
--- What write says. What a row may have is said in
--- spec/support/catalogue.lua.
local function write(path, content, mode)
  return { path = path, content = content, mode = mode }
end

return {
  { "W1", "a file was made", tool = "write", args = write("d/new", "x\n"),
    parts = { W1_made = "and a directory for it" } },
  { "W1_made_more", "directories were made for a file", tool = "write",
    args = write("d/e/new", "x\n") },
  { "W2", "a file was replaced", tool = "write", args = write("a.md", "x\n") },
  { "W2_sizes", "a file was replaced that is too large to count its lines", tool = "write",
    args = write("f", "x\n"), files = { f = ("x\n"):rep(600000) } },
  { "W3", "text was appended", tool = "write", args = write("a.md", "x\n", "append") },
  { "W3_joined", "text was appended to a line", tool = "write", args = write("f", "x\n", "append"),
    files = { f = "no newline" } },
  { "W4", "the file holds the same already", tool = "write", args = write("a.md", "one\ntwo\n") },
  { "W5", "more content than one write takes", tool = "write", args = write("f", "12345"),
    limits = { write_bytes = 4 } },
  { "W6", "an append that would make the file too large", tool = "write",
    args = write("a.md", "12345", "append"), limits = { write_bytes = 8 } },
  { "W7", "content is missing", tool = "write", args = { path = "a.md" } },
  { "W8", "content is no text", tool = "write", args = write("a.md", { a = 1 }) },
  { "W9", "the file exists, and mode is create", tool = "write",
    args = write("a.md", "", "create") },
  { "W10", "the line ends changed", tool = "write", args = write("f", "a\nb\n"),
    files = { f = "a\r\nb\r\n" } },
  { "W12", "the file lost most of its text", tool = "write", args = write("f", "x\n"),
    files = { f = ("line\n"):rep(400) } },
  { "W13", "the disk did not confirm the write", fills = {} },
  { "T9", "the file belongs to another user",
    raise = { code = "owner", op = "write", path = "d/a.md" } },
  { "T10", "a name that is reserved", tool = "write", args = write(".~croft-x", "") },
  { "T10_link", "a link that leads to a name that is reserved", tool = "write",
    args = write("l/f", ""), files = { l = { link = ".~croft-x" } } },
  { "T11", "the file had other names", tool = "write", args = write("a.md", "x\n"),
    prepare = "ln a.md b.md" },
}
