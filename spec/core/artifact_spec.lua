-- SPDX-License-Identifier: MIT
--- What a session holds: ceilings, large files, several threads' worth of handles.
local staged = require "staged"

--- Kilobytes that this process has held at most, as the kernel counts them.
local function peak()
  local file = assert(io.open("/proc/self/status"))
  local text = file:read("a")
  file:close()
  return tonumber(text:match("VmHWM:%s*(%d+)"))
end

describe("A file of 5 GB", function()
  local session, handle, before

  setup(function()
    session = staged.session { files = { ["a.txt"] = "x" } }
    staged.shell(session, [[
      { printf 'first\nsecond\n'; seq 1 200000; } > big
      truncate -s 5000000000 big
      printf '\nneedle\nlast line' >> big]])
    before = peak()
    handle = staged.handle(session, "open_file", { path = "big" })
  end)

  teardown(function()
    session:close()
  end)

  it("opens, is paged and searched in little memory", function() -- S2-22 S2-23
    assert.matches("^1|first\n2|second\n3|1\n", staged.done(session, "artifact_read", {
      handle = handle,
    }).text)
    assert.matches("^100002|100000\n", staged.done(session, "artifact_read", {
      handle = handle, offset = 100002, limit = 1,
    }).text)
    local found = staged.done(session, "artifact_grep", { handle = handle, pattern = "^needle$" })
    assert.matches("^200004|needle\n%[1 match in 200005 lines", found.text)
    assert.matches("1 line is over 1 MiB and searched in pieces", found.text)
    assert.matches("^200005|last line\n%[lines 200005%-200005 of 200005: end of file",
      staged.done(session, "artifact_read", { handle = handle, offset = -1 }).text)
    assert.is_true(peak() - before < 64 * 1024, "took " .. peak() - before .. " KiB")
  end)

  it("opens without being read", function() -- S2-23
    local result = staged.done(session, "open_file", { path = "big" })
    assert.is_true(result.steps < 20000, "took " .. result.steps .. " steps")
    assert.equal(5000000017, result.structured.bytes)
  end)

  it("shows a piece of a line that is most of it", function()
    local page = staged.done(session, "artifact_read", {
      handle = handle, offset = 200003, column = 4000000000, limit = 1,
    }).text
    assert.matches("bytes 4000000000%-%d+ are shown", page)
  end)

  it("is staged and not read, nor written whole", function()
    local media = staged.done(session, "stage_file", { path = "big" })
    assert.is_true(media.steps < 20000)
    local id = media.structured.handle
    local change = { find = "first", replace = "1" }
    assert.equal("too_large", session:call("apply_patch", { media_id = id, patch = change }).code)
    assert.equal("too_large", session:call("save_media", { media_id = id, path = "copy" }).code)
  end)
end)

describe("A session", function()
  local function open(session, path)
    return staged.handle(session, "open_file", { path = path })
  end

  it("holds so many handles as it may, and closes what was used longest ago", function()
    local session = staged.session {
      files = { a = "a", b = "b", c = "c" }, limits = { handles = 2 },
    }
    local a, b = open(session, "a"), open(session, "b")
    staged.done(session, "artifact_read", { handle = a })
    local result = staged.done(session, "open_file", { path = "c" })
    assert.matches('To make room the handle of "b" was closed', result.text)
    assert.is_false(session:call("artifact_read", { handle = a }).is_error)
    assert.equal("missing", session:call("artifact_read", { handle = b }).code)
    session:close()
  end)

  it("never closes what would be lost", function()
    local session = staged.session { files = { a = "two", b = "two" }, limits = { handles = 2 } }
    local change = { find = "two", replace = "2" }
    local function patch(media)
      return session:call("apply_patch", { media_id = media, patch = change })
    end
    local first = patch(staged.handle(session, "stage_file", { path = "a" })).structured.handle
    for _ = 1, 5 do
      open(session, "b")
    end
    local second = staged.handle(session, "stage_file", { path = "b" })
    assert.equal("too_many", patch(second).code)
    staged.done(session, "save_media", { media_id = first, path = "a" })
    assert.is_false(patch(second).is_error)
    session:close()
  end)

  it("holds so many bytes of staged content as it may", function()
    local session = staged.session { files = { a = ("x"):rep(100) .. "two" },
      limits = { staged_bytes = 250 } }
    local media = staged.handle(session, "stage_file", { path = "a" })
    local function patch(id, find, replace)
      return session:call("apply_patch", {
        media_id = id, patch = { find = find, replace = replace },
      })
    end
    local first = patch(media, "two", "2").structured.handle
    local second = patch(first, "2", "zwei").structured.handle
    local third = patch(second, "zwei", "dos") -- the first gives way
    assert.is_false(third.is_error)
    assert.equal("missing", session:call("artifact_read", { handle = first }).code)
    assert.is_false(patch(second, "zwei", "due").is_error == nil)
    assert.equal("too_large", patch(media, "two", ("y"):rep(300)).code)
    session:close()
  end)

  it("gives no id twice, and none that follows from another", function()
    local session = staged.session { files = { a = "a" } }
    local seen = {}
    for _ = 1, 200 do
      local id = open(session, "a")
      assert.matches("^art_[0-9a-hjkmnp-z]+$", id)
      assert.is_nil(seen[id:sub(1, 12)])
      seen[id:sub(1, 12)] = true
    end
    session:close()
  end)

  it("records what is done by a handle, with the file that it is of", function()
    local session = staged.session { files = { ["d/a"] = "two" }, trace = true }
    local media = staged.handle(session, "stage_file", { path = "d/a" })
    media = staged.handle(session, "apply_patch", {
      media_id = media, patch = { find = "two", replace = "2" },
    })
    staged.done(session, "save_media", { media_id = media, path = "d/b" })
    local seen = {}
    for _, record in ipairs(session:records()) do
      seen[#seen + 1] = record.op .. ":" .. (record.resolved or "")
    end
    local text = table.concat(seen, " ")
    assert.matches("media_stage:d/a", text)
    assert.matches("media_load:d/a", text)
    assert.matches("media_derive:d/a", text)
    assert.matches("media_save:d/b", text)
    session:close()
  end)

  it("gives its descriptors back", function() -- testing.session looks for those that are left
    local session = staged.session { files = { a = "two" } }
    for _ = 1, 40 do
      local media = staged.handle(session, "stage_file", { path = "a" })
      session:call("apply_patch", { media_id = media, patch = { find = "two", replace = "2" } })
      session:call("apply_patch", { media_id = media, patch = { find = "no", replace = "2" } })
    end
    session:close()
  end)

  it("finds lines of a file that grows, shrinks and is written anew", function()
    local session = staged.session { files = { a = ("line\n"):rep(3) } }
    local handle = open(session, "a")
    local function last()
      return session:call("artifact_read", { handle = handle, offset = -1 }).text:match("^%d+|%w+")
    end
    assert.equal("3|line", last())
    staged.shell(session, "echo more >> a")
    assert.equal("4|more", last())
    staged.shell(session, "printf 'x\\n' > a")
    assert.equal("1|x", last())
    session:close()
  end)
end)

describe("JSON in a stream", function()
  local session

  setup(function()
    session = staged.session { files = {
      ["dup"] = '{"a": 1, "b": {"c": [10, 20]}, "a": 2}',
      ["esc"] = '{"a/b": {"~": "\\u00e9"}, "": 5}',
      ["bom"] = '\239\187\191[true]', ["two"] = "[1] [2]", ["cut"] = '{"a": [1, 2',
      ["deep"] = ("["):rep(1000) .. ("]"):rep(1000), ["deeper"] = ("["):rep(1030),
      ["bad"] = "[1, 2,]", ["number"] = "[01]", ["text"] = '["a\nb"]', ["word"] = "[nul]",
      ["empty"] = "", ["scalar"] = ' "x" ',
    } }
    staged.shell(session, [[
      { printf '{"items": ['; i=0
        while [ $i -lt 20000 ]; do printf '{"id": %d, "name": "item %d"},\n' $i $i; i=$((i+1)); done
        printf '{"id": -1}], "tail": "end"}'; } > large]])
  end)

  teardown(function()
    session:close()
  end)

  local function ask(path, pointer, offset)
    local handle = staged.handle(session, "open_json_file", { path = path })
    return session:call("artifact_json", { handle = handle, pointer = pointer, offset = offset })
  end

  local function value(path, pointer)
    return (ask(path, pointer).text:match("^[^\n]*"))
  end

  it("takes the last of members with one name", function()
    assert.equal("2", value("dup", "/a"))
    assert.equal("20", value("dup", "/b/c/1"))
  end)

  it("reads pointers as RFC 6901 has them", function()
    assert.equal('"\\u00e9"', value("esc", "/a~1b/~0"))
    assert.equal("5", value("esc", "/"))
    assert.equal("missing", ask("dup", "/b/c/01").code)
    assert.equal("missing", ask("dup", "/b/c/-").code)
    assert.equal("bad_argument", ask("dup", "a").code)
    assert.equal("bad_argument", ask("dup", "/a~2").code)
    assert.equal("true", value("bom", "/0"))
    assert.equal('"x"', value("scalar", ""))
  end)

  it("says where a text ceases to be JSON", function()
    for path, why in pairs {
      two = "something follows", cut = "too early", bad = "no value begins so", empty = "too early",
      number = "comma or an end", text = "control character", word = "a word",
      deeper = "too deeply",
    } do
      local result = ask(path, "")
      assert.is_true(result.is_error, path)
      assert.matches(why, result.text)
      assert.matches("at byte %d+", result.text)
    end
    assert.is_false(ask("deep", "").is_error)
  end)

  it("finds values in a large text, and pages through its children", function()
    assert.equal('{"id": 19999, "name": "item 19999"}', value("large", "/items/19999"))
    assert.equal('"end"', value("large", "/tail"))
    local page = ask("large", "/items").text
    assert.matches('^"/items/0": {"id": 0, "name": "item 0"}\n', page)
    assert.matches("a list of 20001 values; children 0 to %d+ are shown", page)
    local next_offset = tonumber(page:match('"offset": (%d+) shows the next'))
    page = ask("large", "/items", next_offset).text
    assert.equal(('"/items/%d"'):format(next_offset), page:match("^[^:]+"))
    assert.matches('^"/items": array, %d+ bytes\n"/tail": "end"\n', ask("large", "").text)
  end)
end)
