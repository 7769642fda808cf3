-- SPDX-License-Identifier: MIT
--- The staged tool set: what changes files. Nothing is on disk until save_media.
local staged = require "staged"

describe("Staged media", function()
  local session

  before_each(function()
    session = staged.session {
      files = {
        ["a.txt"] = "one\ntwo\nthree\n", ["crlf.txt"] = "one\r\ntwo\r\n",
        ["raw.bin"] = "a\255\0b\n",
        ["docs/x.md"] = "keep\n", ["d/y"] = "y\n", l = { link = "d" }, lf = { link = "a.txt" },
        dead = { link = "nothing" }, out = { link = "/tmp" }, ["pic.png"] = "\137PNG",
        ["run.sh"] = { text = "#!/bin/sh\n", mode = "0755" },
      },
    }
  end)

  after_each(function()
    session:close()
  end)

  local function call(tool, args) return session:call(tool, args) end
  local function stage(path) return staged.handle(session, "stage_file", { path = path }) end
  local function content(path) return staged.content(session, path) end

  local function patch(media_id, change)
    return staged.handle(session, "apply_patch", { media_id = media_id, patch = change })
  end

  local function save(media_id, path, more)
    local args = { media_id = media_id, path = path }
    for name, value in pairs(more or {}) do args[name] = value end
    return call("save_media", args)
  end

  local function snapshot()
    return staged.shell(session, "find . -printf '%p %s %T@ %C@\\n' | sort; cat a.txt crlf.txt")
  end

  it("lead both descriptions with what is not on disk", function() -- S2-30
    for _, tool in ipairs(session:tools()) do
      if tool.name == "stage_file" or tool.name == "save_media" then
        assert.matches("^Nothing is on disk until ", tool.description)
      end
    end
    assert.matches("Nothing is on disk until save_media saves it",
      call("stage_file", { path = "a.txt" }).text)
  end)

  it("write nothing before they are saved", function() -- S2-5 S2-6 S2-27 S2-30
    local before = snapshot()
    local media = stage("a.txt")
    local patched = patch(media, { find = "two", replace = "2" })
    patch(patched, { find = "one", replace = "1" })
    assert.equal(before, snapshot())
    assert.matches('"unsaved":true', call("media_list", {}).text)
  end)

  it("tell what kind of medium they are", function()
    local info = call("stage_file", { path = "pic.png" }).structured
    assert.equal("image", info.media_kind)
    assert.equal("image/png", info.mime)
    assert.equal("pic.png", info.filename)
    info = call("stage_file", { path = "d/y" }).structured
    assert.equal("document", info.media_kind)
    assert.equal("application/octet-stream", info.mime)
  end)

  it("are saved with a receipt that counts the bytes on disk", function() -- S2-6 S2-29 S2-33
    local media = patch(stage("a.txt"), { find = "one\ntwo\nthree\n", replace = "hello" })
    local result = save(media, "a.txt")
    assert.equal("Saved a.txt (5 bytes)", result.text)
    assert.equal(5, result.structured.bytes)
    assert.equal("hello", content("a.txt"))
  end)

  it("make media of media, each by a verb, in memory", function() -- S2-28 S2-31
    local first = stage("a.txt")
    local second = patch(first, { find = "two", replace = "2" })
    local third = patch(second, "@@ -1 +1 @@\n-one\n+1\n")
    local fork = patch(second, { find = "three", replace = "3" })
    assert.equal("Saved t (10 bytes)", save(third, "t").text)
    assert.equal("Saved f (8 bytes)", save(fork, "f").text)
    assert.equal("Saved s (12 bytes)", save(second, "s").text)
    assert.equal("1\n2\nthree\n", content("t"))
    assert.equal("one\n2\n3\n", content("f"))
    assert.equal("one\n2\nthree\n", content("s"))
    assert.equal("one\ntwo\nthree\n", content("a.txt"))
  end)

  it("take several changes, all or none", function()
    local media = stage("a.txt")
    local list = { { find = "one", replace = "1" }, { find = "nine", replace = "9" } }
    local result = call("apply_patch", { media_id = media, patch = list })
    assert.equal("no_match", result.code)
    assert.matches("^patch%[2%] of 2 failed and none was applied: \"find\" is not in", result.text)
    assert.is_nil(result.text:find("string", 1, true))
    list[2].find = "two"
    assert.equal("Saved b (10 bytes)", save(patch(media, list), "b").text)
    assert.equal("1\n9\nthree\n", content("b"))
  end)

  it("take a unified diff with its headers or without", function()
    local media = stage("a.txt")
    local hunk = "@@ -2,2 +2,3 @@\n two\n+2.5\n three\n"
    for i, diff in ipairs { hunk, "--- a/a.txt\n+++ b/a.txt\n" .. hunk } do
      save(patch(media, diff), "n" .. i)
      assert.equal("one\ntwo\n2.5\nthree\n", content("n" .. i))
    end
    assert.equal("no_match",
      call("apply_patch", { media_id = media, patch = "@@ -1 +1 @@\n-uno\n+1\n" }).code)
    assert.equal("bad_argument", call("apply_patch", { media_id = media, patch = "nonsense" }).code)
    assert.equal("bad_argument", call("apply_patch", { media_id = media, patch = 7 }).code)
  end)

  it("keep CRLF and bytes that are no text", function()
    save(patch(stage("crlf.txt"), { find = "two\n", replace = "2\n3\n" }), "crlf.txt")
    assert.equal("one\r\n2\r\n3\r\n", content("crlf.txt"))
    save(patch(stage("raw.bin"), { find = "b", replace = "c" }), "raw.bin")
    assert.equal("a\255\0c\n", content("raw.bin"))
  end)

  it("keep the mode of the file that they replace", function()
    save(patch(stage("run.sh"), { find = "sh", replace = "bash" }), "run.sh")
    assert.equal("755\n", staged.shell(session, "stat -c %a run.sh"))
  end)

  it("are shown and searched by their handle", function()
    local media = patch(stage("a.txt"), { find = "two", replace = "2" })
    assert.matches("^1|one\n2|2\n", call("artifact_read", { handle = media }).text)
    assert.matches("^2|2\n", call("artifact_grep", { handle = media, pattern = "2" }).text)
  end)

  it("are saved through no link", function() -- S2-29
    local media = patch(stage("a.txt"), { find = "two", replace = "2" })
    local before = snapshot()
    for _, path in ipairs { "l/y", "l/new", "lf", "dead", "out/croft-must-not-be" } do
      for _, overwrite in ipairs { false, true } do
        local result = save(media, path, { overwrite = overwrite })
        assert.is_true(result.is_error, path)
        assert.is_truthy(result.text:find("link", 1, true) or result.text:find("leads to", 1, true))
        assert.is_nil(result.text:find("/tmp", 1, true))
      end
    end
    assert.equal(before, snapshot())
    assert.is_nil(io.open("/tmp/croft-must-not-be"))
  end)

  it("are saved below the write root alone", function() -- S2-7 S2-29 S2-38
    local narrow = staged.session {
      files = { ["src/a.txt"] = "two\n", ["outer/x"] = "", ["out/x"] = "x" }, write_root = "out",
    }
    local media = staged.handle(narrow, "stage_file", { path = "src/a.txt" })
    media = staged.handle(narrow, "apply_patch", {
      media_id = media, patch = { find = "two", replace = "2" },
    })
    for _, path in ipairs { "src/a.txt", "outer/y", "out", "out/../src/b", "x" } do
      local result = narrow:call("save_media", { media_id = media, path = path })
      assert.equal("outside", result.code, path)
      assert.matches('is outside of "out"', result.text)
    end
    local saved = narrow:call("save_media", { media_id = media, path = "out/new/a.txt" }).text
    assert.equal('Saved out/new/a.txt (2 bytes). Made directory "out/new".', saved)
    narrow:close()
    assert.has_error(function() staged.session { write_root = "../x" } end)
  end)

  it("are not saved over what is read-only, or names another file", function()
    local media = stage("a.txt")
    assert.equal("read_only", save(media, "docs/x.md").code)
    assert.equal("already_exists", save(media, "d/y").code)
    assert.equal("not_a_file", save(media, "d").code)
    assert.equal("outside", save(media, "../x").code)
    assert.equal("y\n", content("d/y"))
    assert.is_false(save(media, "d/y", { overwrite = true }).is_error) -- S2-39
    assert.equal("one\ntwo\nthree\n", content("d/y"))
  end)

  it("are not saved over what changed since they were staged, unless told", function()
    local media = patch(stage("a.txt"), { find = "two", replace = "2" })
    staged.shell(session, "printf 'theirs\\n' > a.txt")
    assert.equal("changed", save(media, "a.txt").code)
    assert.equal("theirs\n", content("a.txt"))
    assert.is_false(save(media, "a.txt", { overwrite = true }).is_error)
    assert.equal("one\n2\nthree\n", content("a.txt"))
  end)

  it("see a file that was swapped or removed between stage and save", function() -- S2-37
    local media = patch(stage("a.txt"), { find = "two", replace = "2" })
    staged.shell(session, "cp a.txt copy; mv copy a.txt")
    assert.equal("changed", save(media, "a.txt").code)
    staged.shell(session, "rm a.txt")
    assert.equal("changed", save(media, "a.txt").code)
    staged.shell(session, "ln -s d/y a.txt")
    assert.is_true(save(media, "a.txt", { overwrite = true }).is_error)
    assert.equal("y\n", content("d/y"))
    staged.shell(session, "rm a.txt; mkfifo a.txt")
    assert.equal("not_regular", save(media, "a.txt", { overwrite = true }).code)
  end)

  it("write nothing outside while a directory is swapped for a link under them", function()
    staged.shell(session, "mkdir -p ../outside/d real; rm -rf dir; mkdir dir")
    local media = stage("a.txt")
    local pid = staged.shell(session, [[(
      while [ ! -e ../stop ]; do
        mv dir real/dir 2>/dev/null; ln -s ../outside/d dir 2>/dev/null
        rm -f dir 2>/dev/null; mv real/dir dir 2>/dev/null
      done) >/dev/null 2>&1 & echo $!]])
    local done = 0
    for i = 1, 400 do
      local result = save(media, "dir/" .. i, { overwrite = i % 2 == 0 })
      done = done + (result.is_error and 0 or 1)
    end
    staged.shell(session, "touch ../stop; while kill -0 " .. pid:match("%d+")
      .. " 2>/dev/null; do :; done; [ -z \"$(ls ../outside/d)\" ]")
    assert.is_true(done > 0)
  end)

  it("refuse to be patched when their file changed under them", function()
    local media = stage("a.txt")
    staged.shell(session, "echo more >> a.txt")
    local result = call("apply_patch", {
      media_id = media, patch = { find = "two", replace = "2" },
    })
    assert.equal("changed", result.code)
    assert.matches('Call stage_file with "path": "a.txt" again', result.text)
  end)

  it("go on from where they were saved", function()
    local media = patch(stage("a.txt"), { find = "two", replace = "2" })
    local child = patch(media, { find = "one", replace = "1" })
    assert.is_false(save(media, "a.txt").is_error)
    assert.is_false(save(child, "a.txt").is_error)
    assert.equal("1\n2\nthree\n", content("a.txt"))
    assert.is_false(save(child, "new/b.txt").is_error)
    child = patch(child, { find = "three", replace = "3" })
    assert.is_false(save(child, "new/b.txt").is_error)
    assert.equal("1\n2\n3\n", content("new/b.txt"))
    assert.equal("changed", save(stage("d/y"), "new/b.txt").code == "already_exists" and "changed")
  end)

  it("do not undo what another medium of the session saved", function()
    local one = patch(stage("a.txt"), { find = "two", replace = "2" })
    local other = patch(stage("a.txt"), { find = "three", replace = "3" })
    assert.is_false(save(one, "a.txt").is_error)
    assert.equal("changed", save(other, "a.txt").code)
    assert.equal("one\n2\nthree\n", content("a.txt"))
  end)

  it("say which of them are on no disk", function()
    local media = patch(stage("a.txt"), { find = "two", replace = "2" })
    local said = call("media_list", {}).text
    assert.matches('"media_id":"' .. media .. '"[^\n]*"unsaved":true', said)
    assert.matches("2 media, 1 of them unsaved", said)
    save(media, "b.txt")
    said = call("media_list", {}).text
    assert.matches('"saved_path":"b.txt"', said)
    assert.matches("2 media, 0 of them unsaved", said)
  end)

  it("cannot be described for others before they are saved", function() -- S2-32 S2-43
    local custom = require "custom"
    local own = custom.session(custom.tool("describe", '{ type = "object", properties = {} }', [[
      local media = ctx.artifacts:stage("a.txt").handle
      return ctx.artifacts:describe(media).path]]), {
      toolset = "staged", gate = "allow", files = { ["a.txt"] = "x" },
    })
    local result = own:call("describe", {})
    assert.is_true(result.is_error)
    assert.matches("^E_READER_NOT_DESCRIBABLE: ", result.text)
    own:close()
  end)

  it("tell artifacts and handles of nothing from themselves", function()
    local artifact = staged.handle(session, "open_file", { path = "a.txt" })
    local change = { find = "two", replace = "2" }
    local result = call("apply_patch", { media_id = artifact, patch = change })
    assert.equal("bad_argument", result.code)
    assert.matches("is an artifact", result.text)
    assert.equal("bad_argument", save(artifact, "b.txt").code)
    assert.equal("missing", save("med_nothing", "b.txt").code)
    assert.equal("missing", call("apply_patch", { media_id = "", patch = change }).code
      == "bad_argument" and "missing")
  end)

  it("are shown to the gate by the size and the hash of what would be written", function()
    local seen
    local gated = staged.session {
      files = { ["a.txt"] = "two\n" },
      gate = function(request)
        seen = request.effect == "write" and request or seen
        return { decision = "allow", scope = "once" }
      end,
    }
    local media = staged.handle(gated, "stage_file", { path = "a.txt" })
    media = staged.handle(gated, "apply_patch", {
      media_id = media, patch = { find = "two\n", replace = "abc" },
    })
    gated:call("save_media", { media_id = media, path = "b.txt" })
    assert.equal(3, seen.content_size)
    assert.equal("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
      seen.content_sha256)
    assert.same({ "b.txt" }, seen.paths)
    gated:close()
  end)

  it("are told at the end of a session that lost them", function()
    local told = {}
    local losing = staged.session { files = { ["a.txt"] = "two\n" } }
    local media = staged.handle(losing, "stage_file", { path = "a.txt" })
    media = staged.handle(losing, "apply_patch", {
      media_id = media, patch = { find = "two", replace = "2" },
    })
    local handles = losing.session:handles()
    for _, held in ipairs(handles) do
      told[held.handle] = held.unsaved
    end
    assert.is_true(told[media])
    losing:close()
  end)
end)
