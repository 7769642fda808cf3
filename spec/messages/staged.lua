-- SPDX-License-Identifier: MIT
--- What the staged tool set says. What a row may have is said in spec/support/catalogue.lua.
local OPEN = { "open_file", { path = "a.md" } }
local JSON = { "open_json_file", { path = "a.json" } }
local STAGE = { "stage_file", { path = "a.md" } }
local DATA = { ["a.json"] = '{"items": [1, 2], "name": "x"}' }

--- A call that patches what was staged.
local function patch(change)
  return { "apply_patch", { media_id = "$1", patch = change } }
end

local TWO = { find = "two", replace = "2" }
local LONG = ("x"):rep(9000)

--- A JSON text of many children.
local function many()
  local list = {}
  for i = 1, 400 do
    list[i] = ('"%03d: %s"'):format(i, ("y"):rep(20))
  end
  return "[" .. table.concat(list, ",\n") .. "]"
end

return {
  { "H1", "a handle that there is not", tool = "artifact_read", args = { handle = "art_0" } },
  { "H2", "no more handles, and all of them hold what is not saved", limits = { handles = 2 },
    calls = { STAGE, patch(TWO), { "stage_file", { path = "b.md" } } },
    files = { ["a.md"] = "one\ntwo\n", ["b.md"] = "two\n" },
    tool = "apply_patch", args = { media_id = "$3", patch = TWO } },
  { "H3", "too much staged content", limits = { staged_bytes = 4 }, calls = { STAGE },
    tool = "apply_patch", args = { media_id = "$1", patch = TWO } },
  { "H4", "the file was changed since it was staged", calls = { STAGE },
    between = "echo more >> a.md", tool = "apply_patch", args = { media_id = "$1", patch = TWO } },
  { "H5", "an artifact where a medium is wanted", calls = { OPEN }, tool = "apply_patch",
    args = { media_id = "$1", patch = TWO } },
  { "H6", "a medium that is larger than what can be patched", limits = { edit_bytes = 3 },
    calls = { STAGE }, tool = "apply_patch", args = { media_id = "$1", patch = TWO } },
  { "H7", "a medium on no disk is to be read by somebody else, through a tool of its own",
    body = [[return ctx.artifacts:describe(ctx.artifacts:stage("a.md").handle)]] },
  { "K1", "a path that begins with ~", tool = "open_file", args = { path = "~/x.md" } },
  { "K2", "a path to a device of Windows", tool = "open_file", args = { path = "//?/C:/x" } },
  { "K3", "a path to a share", tool = "open_file", args = { path = "\\\\host\\x" } },

  { "J1", "a pointer that is none", files = DATA, calls = { JSON }, tool = "artifact_json",
    args = { handle = "$1", pointer = "items" } },
  { "J2", "a pointer to nothing", files = DATA, calls = { JSON }, tool = "artifact_json",
    args = { handle = "$1", pointer = "/items/9" } },
  { "J3", "a text that is no JSON", calls = { OPEN }, tool = "artifact_json",
    args = { handle = "$1" } },
  { "J4", "a child past the last", files = DATA, calls = { JSON }, tool = "artifact_json",
    args = { handle = "$1", pointer = "/items", offset = 2 } },

  { "D1", "a patch that is no diff", calls = { STAGE }, tool = "apply_patch",
    args = { media_id = "$1", patch = "hello" } },
  { "D2", "a hunk that differs", calls = { STAGE }, tool = "apply_patch",
    args = { media_id = "$1", patch = "@@ -1 +1 @@\n-uno\n+1\n" } },
  { "D3", "a hunk behind the end", calls = { STAGE }, tool = "apply_patch",
    args = { media_id = "$1", patch = "@@ -9 +9 @@\n-nine\n+9\n" } },
  { "D4", "a hunk that fits in several places", files = { ["a.md"] = "k\nv\nk\n" },
    calls = { STAGE }, tool = "apply_patch",
    args = { media_id = "$1", patch = "@@ -9 +9 @@\n-k\n+K\n" } },
  { "D5", "a diff of two files", calls = { STAGE }, tool = "apply_patch",
    args = { media_id = "$1", patch = "--- a\n+++ a\n@@ -1 +1 @@\n-one\n+1\n--- b\n+++ b\n"
      .. "@@ -1 +1 @@\n-b\n+B\n" } },
  { "D6", "a diff that makes a file", calls = { STAGE }, tool = "apply_patch",
    args = { media_id = "$1", patch = "--- /dev/null\n+++ b\n@@ -0,0 +1 @@\n+b\n" } },
  { "D7", "a patch without a change", calls = { STAGE }, tool = "apply_patch",
    args = { media_id = "$1", patch = {} } },
  { "D8", "a change of an empty text", files = { ["a.md"] = "" }, calls = { STAGE },
    tool = "apply_patch", args = { media_id = "$1", patch = TWO } },

  { "V1", "another file is in the way", files = { ["a.md"] = "two\n", ["b.md"] = "b" },
    calls = { STAGE, patch(TWO) }, tool = "save_media",
    args = { media_id = "$2", path = "b.md" } },
  { "V2", "somebody else changed the file that was staged", calls = { STAGE, patch(TWO) },
    between = "echo theirs > a.md", tool = "save_media",
    args = { media_id = "$2", path = "a.md" } },
  { "V3", "a link on the way, where a rule allows what it leads to",
    fills = { p = "l/a.md", part = "l", dir = ".", handle = "med_0" } },
  { "V4", "outside of the write root", write_root = "out", calls = { STAGE, patch(TWO) },
    tool = "save_media", args = { media_id = "$2", path = "a.md" } },
  { "V5", "more than may be written", limits = { write_bytes = 3 }, calls = { STAGE },
    tool = "save_media", args = { media_id = "$1", path = "b.md" } },

  { "F1", "links are to be followed", tool = "find_files",
    args = { glob = "*", limit = 1, follow = true } },
  { "F2", "two globs", tool = "search_files",
    args = { pattern = "x", limit = 1, glob = "*", iglob = "*" } },

  { "O1", "a file was opened", tool = "open_file", args = { path = "a.md" },
    parts = { O4 = "as all that hands over content", O5 = "and there are tools that show it" } },
  { "O1_none", "a file was opened, and no tool shows it",
    fills = { p = "a.md", handle = "art_0", what = "text/plain", size = 8 } },
  { "O2", "a file was staged", tool = "stage_file", args = { path = "a.md" } },
  { "O2_read_only", "a file was staged, and nothing can be saved",
    fills = { p = "a.md", handle = "med_0", what = "text/plain", size = 8 } },
  { "O3", "one handle gave way", limits = { handles = 2 }, calls = { OPEN, OPEN },
    tool = "open_file", args = { path = "a.md" } },
  { "O3_more", "several handles gave way", fills = { k = 2, name = "a.md" } },

  { "N1", "the file was changed under the handle", calls = { OPEN }, between = "echo 3 >> a.md",
    tool = "artifact_read", args = { handle = "$1" } },
  { "N2", "the file was removed under the handle", calls = { OPEN }, between = "rm a.md",
    tool = "artifact_read", args = { handle = "$1" } },
  { "N3", "the file has other attributes", calls = { OPEN }, between = "chmod 600 a.md",
    tool = "artifact_read", args = { handle = "$1" } },
  { "N4", "it holds NUL bytes", files = { ["a.md"] = "a\0b\n" }, calls = { OPEN },
    tool = "artifact_read", args = { handle = "$1" } },

  { "B1", "all of it was shown", calls = { OPEN }, tool = "artifact_read",
    args = { handle = "$1" } },
  { "B2", "there is more", calls = { OPEN }, tool = "artifact_read",
    args = { handle = "$1", limit = 1 } },
  { "B3", "the rest was shown", calls = { OPEN }, tool = "artifact_read",
    args = { handle = "$1", offset = 2 } },
  { "B4", "a line that is longer than a page", files = { ["a.md"] = LONG },
    limits = { result_bytes = 4096 }, calls = { OPEN }, tool = "artifact_read",
    args = { handle = "$1" } },
  { "B5", "the line was not found in time",
    fills = { spent = "10 s", i = 7, byte = 100, size = 1000, notes = "" } },
  { "B6", "it is empty", files = { ["a.md"] = "" }, calls = { OPEN }, tool = "artifact_read",
    args = { handle = "$1" } },

  { "C1", "no line matches", calls = { OPEN }, tool = "artifact_grep",
    args = { handle = "$1", pattern = "zebra" } },
  { "C2", "all matches are shown", calls = { OPEN }, tool = "artifact_grep",
    args = { handle = "$1", pattern = "o" } },
  { "C3", "there are more matches", calls = { OPEN }, tool = "artifact_grep",
    args = { handle = "$1", pattern = "o", max_results = 1 } },
  { "C4", "the search was not over in time",
    fills = { spent = "10 s", next = 7, m = 1, notes = "" } },
  { "C5", "a line was searched in pieces", files = { ["a.md"] = ("x"):rep(1100000) },
    calls = { OPEN }, tool = "artifact_grep", args = { handle = "$1", pattern = "zebra" } },

  { "Q1", "the value is shown", files = DATA, calls = { JSON }, tool = "artifact_json",
    args = { handle = "$1" } },
  { "Q2", "its children are shown", files = { ["a.json"] = many() }, calls = { JSON },
    limits = { result_bytes = 4096 }, tool = "artifact_json", args = { handle = "$1" },
    parts = { Q3 = "and not all of them" } },
  { "Q5", "the pointer of a child is longer than a page", calls = { JSON },
    files = { ["a.json"] = ('{ "%s": { "b": "%s" } }'):format(("k"):rep(5000), LONG) },
    limits = { result_bytes = 4096 }, tool = "artifact_json",
    args = { handle = "$1", pointer = "/" .. ("k"):rep(5000) } },
  { "Q4", "a long text is shown in part", files = { ["a.json"] = '"' .. LONG .. '"' },
    calls = { JSON }, limits = { result_bytes = 4096 }, tool = "artifact_json",
    args = { handle = "$1" } },

  { "U1", "the headings", files = { ["a.md"] = "# T\n" }, calls = { OPEN },
    tool = "artifact_outline", args = { handle = "$1" } },
  { "U2", "no headings", calls = { OPEN }, tool = "artifact_outline", args = { handle = "$1" } },
  { "U3", "more headings than fit", files = { ["a.md"] = ("# heading\n"):rep(600) },
    limits = { result_bytes = 4096 }, calls = { OPEN }, tool = "artifact_outline",
    args = { handle = "$1" } },

  { "M1", "a medium was changed", calls = { STAGE }, tool = "apply_patch",
    args = { media_id = "$1", patch = "@@ -1 +1 @@\n-one\n+1\n" },
    parts = { M2 = "by a diff" } },
  { "X1", "a medium was saved", calls = { STAGE, patch(TWO) }, tool = "save_media",
    args = { media_id = "$2", path = "a.md" } },
  { "X2", "a medium was saved over the same text", calls = { STAGE }, tool = "save_media",
    args = { media_id = "$1", path = "a.md" } },
  { "Y1", "nothing is staged", tool = "media_list" },
  { "Y2", "something is staged", calls = { STAGE }, tool = "media_list" },

  { "Z1", "more entries than are shown", files = { a = "", b = "" }, limits = { list_entries = 1 },
    tool = "list_directory", args = { path = "." } },
  { "Z2", "directories that are not entered", files = { ["d/a"] = "" }, tool = "list_directory",
    args = { path = ".", max_depth = 0 } },
  { "Z3", "an empty directory", files = { ["d/"] = true }, tool = "list_directory",
    args = { path = "d" } },
  { "Z4", "no line matches", tool = "search_files", args = { pattern = "zebra", limit = 1 } },
  { "Z5", "more than the limit", tool = "search_files", args = { pattern = "o", limit = 1 } },
  { "Z6", "no file fits", tool = "find_files", args = { glob = "*.zebra", limit = 1 } },
  { "Z7", "hidden names were left out", files = { [".a"] = "", b = "" }, tool = "find_files",
    args = { glob = "*", limit = 9 } },
  { "Z8", "more than a result holds", files = { ["a.md"] = ("one and two\n"):rep(600) },
    limits = { result_bytes = 4096 }, tool = "search_files",
    args = { pattern = "one", limit = 9000 } },
  { "Z9", "the walk was not over in time", fills = { spent = "10 s" } },
}
