-- SPDX-License-Identifier: MIT
--- The tools that are off unless they are named: move, remove, stat, apply_patch. For run see
--- spec/front/run_spec.lua.
local testing = require "croft.testing"
local tree = require "tree"

local FILES = {
  ["a.md"] = "one\ntwo\nthree\n", ["b.md"] = "b\n", ["d/c.md"] = "c\n",
  ["crlf"] = "x\r\ny\r\nz\r\n",
  ["docs/x.md"] = "keep\n", ["l"] = { link = "a.md" }, ["out"] = { link = "/etc" },
  ["e/"] = true, ["bare"] = "p\nq", ["twice"] = "k\nv\nk\nv\n",
}

local EXTRA = { "move", "remove", "stat", "apply_patch" }

describe("An extra tool", function()
  local session

  before_each(function()
    session = testing.session { files = FILES, enable = EXTRA }
  end)

  after_each(function()
    session:close()
  end)

  local function content(path)
    local file = io.open(session:root() .. "/" .. path, "rb")
    local text = file and file:read("a")
    if file then
      file:close()
    end
    return text
  end

  local function answers(tool, args, expected)
    local result = session:call(tool, args)
    assert.equal(expected, result.text)
    assert.is_false(result.is_error)
  end

  local function refuses(tool, args, code, expected)
    local result = session:call(tool, args)
    assert.equal(expected, result.text)
    assert.equal(code, result.code)
    assert.is_true(#result.text <= 350)
  end

  it("is not there unless it is named", function()
    local plain = testing.session {}
    assert.equal(5, #plain:tools())
    plain:close()
    assert.equal(9, #session:tools())
  end)

  it("has to be one that there is", function()
    local ok, err = pcall(testing.session, { enable = { "move", "walk" } })
    assert.is_false(ok)
    assert.matches('there is no tool "walk" to enable; there are apply_patch, move, remove, run '
      .. "and stat", tostring(err), 1, true)
  end)

  it("has under 120 lines", function()
    for _, path in ipairs(tree.files("tools/extra/*.lua")) do
      assert.is_true(select(2, tree.text(path):gsub("\n", "")) < 120, path)
    end
  end)

  it("is content with croft check", function()
    assert.matches("\n5 tools, 0 faults\n$",
      (tree.output(tree.program() .. " check tools/extra 2>&1")):gsub("is already a tool", ""))
  end)

  it("can be hinted at and is: what writes is destructive", function()
    for _, tool in ipairs(session:tools()) do
      if tool.name == "stat" then
        assert.is_true(tool.annotations.readOnlyHint)
      elseif tool.name == "move" or tool.name == "remove" or tool.name == "apply_patch" then
        assert.is_true(tool.annotations.destructiveHint)
      end
    end
  end)

  it("stat says what a path is", function()
    answers("stat", { path = "a.md" }, "a.md: file, 14 bytes")
    answers("stat", { path = "./d/" }, "./d/: directory")
    answers("stat", { path = "l" }, "l: file, 14 bytes; links lead to a.md")
    answers("stat", { path = "d/../l" }, "d/../l: file, 14 bytes; links lead to a.md")
    assert.equal("outside", session:call("stat", { path = "out/passwd" }).code)
  end)

  it("move renames, makes directories, and moves links themselves", function()
    answers("move", { from = "a.md", to = "n/m/a.md" },
      'Moved the file "a.md" to "n/m/a.md". Made 2 directories, from "n" on.')
    answers("move", { from = "d", to = "d2" }, 'Moved the directory "d" to "d2".')
    answers("move", { from = "out", to = "out2" }, 'Moved the link "out" to "out2".')
    assert.equal("c\n", content("d2/c.md"))
    assert.is_nil(content("a.md"))
  end)

  it("move overwrites only when it is told", function()
    refuses("move", { from = "a.md", to = "b.md" }, "already_exists", '"b.md" exists already. '
      .. 'Nothing was moved. Send another "to", or "replace": true to let it give way.')
    answers("move", { from = "a.md", to = "b.md", replace = true },
      'Moved the file "a.md" to "b.md". It replaced what was there (2 bytes).')
    assert.equal("one\ntwo\nthree\n", content("b.md"))
  end)

  it("move says what to send instead", function()
    refuses("move", { from = "a.md", to = "d" }, "already_exists", '"d" is a directory, and '
      .. '"to" is '
      .. 'the new name in full. Nothing was moved. To put it in there send "to": "d/a.md".')
    answers("move", { from = "a.md", to = "d/a.md" }, 'Moved the file "a.md" to "d/a.md".')
    refuses("move", { from = "d", to = "d/e/f" }, "bad_argument", '"d" cannot be moved into '
      .. 'itself, '
      .. 'and "d/e/f" lies in it. Nothing was moved. Send a "to" outside of it.')
    refuses("move", { from = "docs/x.md", to = "x" }, "read_only", '"docs/x.md" belongs to "docs", '
      .. 'which is read-only here. Nothing was moved. Call list with "path": "." for names outside '
      .. 'of it.')
    refuses("move", { from = "b.md", to = "docs/b" }, "read_only", '"docs/b" is in "docs", '
      .. 'which is '
      .. 'read-only here (skills, docs, templates and context are). Nothing was written. '
      .. 'Send a "to" '
      .. 'outside it, for example "to": "notes/b".')
    refuses("move", { from = "c.md", to = "x" }, "missing", '"c.md" does not exist. Send "from": '
      .. '"b.md", which is close by, or call list with "path": ".".')
  end)

  it("remove takes one name", function()
    answers("remove", { path = "a.md" }, 'Removed "a.md" (file, 14 bytes).')
    answers("remove", { path = "l" }, 'Removed "l" (link).')
    answers("remove", { path = "e/" }, 'Removed "e/" (directory).')
    assert.is_nil(content("a.md"))
  end)

  it("remove says what to send instead", function()
    refuses("remove", { path = "d" }, "bad_argument", '"d" is a directory that is not empty, and '
      .. 'only empty ones can be removed. Nothing was changed. Call list with "path": "d", '
      .. '"recursive": true, and remove what it shows, from the deepest up.')
    refuses("remove", { path = "." }, "bad_argument", '"." is the workspace root itself, which can '
      .. 'be neither moved nor removed. Nothing was changed. Call list with "path": "." for '
      .. 'the names '
      .. 'in it.')
    refuses("remove", { path = "l/" }, "not_a_directory", '"l/" ends in "/", but it is no '
      .. 'directory '
      .. 'itself. Nothing was changed. Send "path": "l" to remove the file or link of that name.')
    assert.equal("read_only", session:call("remove", { path = "docs" }).code)
    assert.equal("outside", session:call("remove", { path = "out/passwd" }).code)
  end)

  it("apply_patch changes, creates and deletes", function()
    answers("apply_patch", { patch = [[
diff --git a/a.md b/a.md
index 1..2 100644
--- a/a.md
+++ b/a.md
@@ -1,3 +1,4 @@
 one
-two
+2
+2.5
 three
--- /dev/null
+++ b/new/file
@@ -0,0 +1,2 @@
+n
+m
--- a/b.md
+++ /dev/null
@@ -1 +0,0 @@
-b
]] }, 'Patch applied: changed "a.md", created "new/file", deleted "b.md".')
    assert.equal("one\n2\n2.5\nthree\n", content("a.md"))
    assert.equal("n\nm\n", content("new/file"))
    assert.is_nil(content("b.md"))
  end)

  local function patched(path, hunks)
    return session:call("apply_patch", { patch = ("--- %s\n+++ %s\n%s"):format(path, path, hunks) })
  end

  it("apply_patch keeps CRLF, and the lack of a newline at the end", function()
    assert.is_false(patched("crlf", "@@ -2 +2,2 @@\n-y\n+Y\n+YY\n").is_error)
    assert.equal("x\r\nY\r\nYY\r\nz\r\n", content("crlf"))
    assert.is_false(patched("bare", "@@ -2 +2 @@\n-q\n+Q\n").is_error)
    assert.equal("p\nQ", content("bare"))
    assert.is_false(patched("bare",
      "@@ -2 +2 @@\n-Q\n\\ No newline at end of file\n+R\n").is_error)
    assert.equal("p\nR\n", content("bare"))
  end)

  it("apply_patch finds a hunk whose line number is off, where there is one place", function()
    assert.is_false(patched("a.md", "@@ -9,2 +9,2 @@\n two\n-three\n+3\n").is_error)
    assert.equal("one\ntwo\n3\n", content("a.md"))
    local result = patched("twice", "@@ -9 +9 @@\n-k\n+K\n")
    assert.equal('Hunk 1 of "twice" fits in 2 places, and not at its line. Nothing was '
      .. 'changed. Send '
      .. 'a "patch" with more lines around the change.', result.text)
    assert.is_false(patched("twice", "@@ -3,2 +3,2 @@\n-k\n+K\n v\n").is_error)
    assert.equal("k\nv\nK\nv\n", content("twice"))
  end)

  it("apply_patch changes nothing when one hunk of one file does not fit", function()
    local result = session:call("apply_patch", { patch = [[
--- a/b.md
+++ b/b.md
@@ -1 +1 @@
-b
+B
--- a/a.md
+++ b/a.md
@@ -2,2 +2,2 @@
 two
-four
+4
]] })
    assert.equal("no_match", result.code)
    assert.equal('Hunk 1 of "a.md" does not fit: line 3 is "three", not "four". Nothing was '
      .. 'changed. '
      .. 'Call read with "path": "a.md", and send a "patch" with the lines it shows.', result.text)
    assert.equal("b\n", content("b.md"))
  end)

  it("apply_patch says what it has done when it has to stop", function()
    local patch = "--- a/a.md\n+++ b/a.md\n@@ -1 +1 @@\n-one\n+ONE\n--- /dev/null\n+++ b/%s/x\n"
      .. "@@ -0,0 +1 @@\n+x\n"
    assert.equal('"docs/x" in "patch": it is read-only. Done before it: changed "a.md". Send a '
      .. '"patch" of what is left.',
      session:call("apply_patch", { patch = patch:format("docs") }).text)
    assert.equal("ONE\ntwo\nthree\n", content("a.md"))
    assert.equal('"out/x" in "patch": it is outside of the workspace. Nothing was changed. Send a '
      .. '"patch" without that part, or call list with "path": "." for the names that there are.',
      session:call("apply_patch", {
        patch = "--- out/x\n+++ out/x\n@@ -1 +1 @@\n-x\n+y\n" }).text)
  end)

  it("apply_patch refuses what is no patch, and files that it may not have", function()
    for patch, code in pairs {
      ["hello"] = "bad_argument", ["--- a\n+++ b\n"] = "bad_argument", ["\n"] = "bad_argument",
      ["--- a.md\n+++ a.md\nx\n"] = "bad_argument",
      ["--- a.md\n+++ a.md\n@@ -1 +1 @@\nx\n"] = "bad_argument",
      ["--- /dev/null\n+++ b/a.md\n@@ -0,0 +1 @@\n+x\n"] = "already_exists",
      ["--- none\n+++ none\n@@ -1 +1 @@\n-x\n+y\n"] = "missing",
      ["--- ../x\n+++ ../x\n@@ -1 +1 @@\n-x\n+y\n"] = "outside",
      ["--- out/passwd\n+++ out/passwd\n@@ -1 +1 @@\n-x\n+y\n"] = "outside",
      ["--- docs/x.md\n+++ docs/x.md\n@@ -1 +1 @@\n-keep\n+y\n"] = "read_only",
      ["--- a.md\n+++ /dev/null\n@@ -1 +0,0 @@\n-one\n"] = "no_match",
    } do
      local result = session:call("apply_patch", { patch = patch })
      assert.equal(code, result.code, patch .. result.text)
      assert.matches('"patch"', result.text)
    end
    assert.equal("keep\n", content("docs/x.md"))
    assert.equal("one\ntwo\nthree\n", content("a.md"))
  end)
end)
