-- SPDX-License-Identifier: MIT
local testing = require "croft.testing"

describe("write", function()
  local session

  local function contents(path)
    local file = io.open(session:root() .. "/" .. path, "rb")
    local bytes = file and file:read("a")
    if file then
      file:close()
    end
    return bytes
  end

  local function open(files, options)
    options = options or {}
    options.files = files
    session = testing.session(options)
  end

  local function write(args)
    return session:call("write", args)
  end

  after_each(function()
    session:close()
  end)

  describe("writes", function()
    for name, bytes in pairs {
      ["no newline of its own"] = "abc", ["line ends as they are"] = "a\r\nb\n", ["a NUL"] = "a\0b",
      ["nothing"] = "", ["characters as they are"] = "\u{201C}q\u{201D} \u{1F680}",
    } do
      it(name, function()
        open {}
        assert.is_false(write({ path = "f", content = bytes }).is_error)
        assert.equal(bytes, contents("f"))
      end)
    end

    it("a new file, and says what it holds", function()
      open {}
      assert.equal('Created "f": 2 lines, 4 bytes.', write({ path = "f", content = "a\nb\n" }).text)
    end)

    it("directories on the way", function() -- S0-33 S0-60
      open {}
      assert.equal('Created "a/f": 1 line, 1 byte. Made directory "a".',
        write({ path = "a/f", content = "x" }).text)
      assert.equal('Created "b/c/d/f": 1 line, 1 byte. Made 3 directories, from "b" on.',
        write({ path = "b/c/d/f", content = "x" }).text)
      assert.equal("x", contents("b/c/d/f"))
    end)

    it("over a file, and says what was there", function()
      open { f = "one\ntwo\n" }
      assert.equal('Replaced "f": 1 line, 2 bytes (before: 2 lines, 8 bytes).',
        write({ path = "f", content = "x\n" }).text)
    end)

    it("nothing when the file holds exactly this", function()
      open { f = "x\n" }
      assert.equal('"f" already holds exactly this content; nothing had to be written.',
        write({ path = "f", content = "x\n" }).text)
    end)

    it("at the end with append", function()
      open { f = "one" }
      assert.equal('Appended 4 bytes to "f"; it now has 1 line, 7 bytes.'
        .. " The old text had no newline at its end.",
        write({ path = "f", content = "two\n", mode = "append" }).text)
      assert.equal("onetwo\n", contents("f"))
    end)

    it("through a link that stays inside, which stays a link", function() -- D2
      open { real = "old", link = { link = "real" } }
      write { path = "link", content = "new" }
      assert.equal("new", contents("real"))
      assert.matches("link %-> real", session:call("list", {}).text)
    end)

    it("one name of several, and says so", function() -- D10
      open { f = "old" }
      os.execute(("ln '%s/f' '%s/g'"):format(session:root(), session:root()))
      assert.matches("It had 2 names %(hard links%); only this one has the new text%.$",
        write({ path = "f", content = "new" }).text)
      assert.equal("old", contents("g"))
    end)
  end)

  it("says when line ends changed", function()
    open { f = "a\r\nb\r\n" }
    assert.matches(" Its lines ended in CRLF and now end in LF%.$",
      write({ path = "f", content = "a\nb\nc\n" }).text)
  end)

  it("says when the file shrank a lot", function()
    open { f = ("line\n"):rep(1000) }
    assert.matches("That is 99 %% smaller; if a part was left out, the old text is gone",
      write({ path = "f", content = "line\n" }).text)
  end)

  it("keeps the mode of the file", function()
    open { ["run.sh"] = { text = "#!/bin/sh\n", mode = "0750" } }
    write { path = "run.sh", content = "#!/bin/sh\necho\n" }
    local pipe = io.popen(("stat -c %%a '%s/run.sh'"):format(session:root()))
    assert.equal("750", pipe:read("l"))
    pipe:close()
  end)

  it("passes its ceiling in parts", function() -- S0-20 S0-59
    open {}
    local part = ("x"):rep(1048576)
    assert.is_false(write({ path = "f", content = part:sub(2) }).is_error)
    assert.is_false(write({ path = "f", content = "x", mode = "append" }).is_error)
    assert.equal(part, contents("f"))
  end)

  describe("refuses", function()
    local function refusal(files, args, code, pattern)
      open(files)
      local result = write(args)
      assert.is_true(result.is_error)
      assert.equal(code, result.code)
      assert.matches(pattern, result.text)
      assert.is_nil(result.text:find(session:root(), 1, true)) -- S0-70 S0-71
    end

    it("more than 1 MiB, before it looks at the path", function() -- S0-20 S0-59 S0-60
      refusal({}, { path = "/x", content = ("x"):rep(1048577) }, "too_large",
        '^"content" has 1048577 bytes and one write takes at most 1048576%. Nothing was written%. '
        .. 'Send a first part of it, then each further part with "mode": "append"; or write a summ')
    end)

    it("to append over the ceiling, with another name", function()
      refusal({ ["a.txt"] = ("x"):rep(1048576) },
        { path = "a.txt", content = "y", mode = "append" }, "too_large",
        'would pass the file ceiling .* "path": "a%-2.txt"%.$')
    end)

    it("a missing content, which is no empty one", function() -- S0-67 D14
      refusal({ f = "keep" }, { path = "f" }, "bad_argument", '^write needs "content"')
      assert.equal("keep", contents("f"))
    end)

    it("a content that is no text, with the text to send", function()
      refusal({}, { path = "f", content = { a = 1 } }, "bad_argument",
        '^"content" must be text, not an object%. .* "content": "{\\"a\\":1}"%.$')
    end)

    it("to create what exists", function()
      refusal({ f = "1234" }, { path = "f", content = "x", mode = "create" }, "already_exists",
        '^"f" exists already %(4 bytes%) and "mode" is "create"')
    end)

    it("a directory, and a name that ends as one", function()
      refusal({ ["d/"] = true }, { path = "d", content = "x" }, "not_a_file", '^"d" is a directory')
      session:close()
      refusal({}, { path = "new/", content = "x" }, "bad_argument", '"path": "new/notes.md"%.$')
    end)

    it("a name below a file", function()
      refusal({ f = "" }, { path = "f/g", content = "x" }, "not_a_directory", '^"f" is a file')
    end)

    it("a link that leaves, dangling or not", function() -- S0-34 S0-35 S0-36
      for _, target in ipairs { "/etc/passwd", "../escaped", "/nowhere/at/all" } do
        refusal({ l = { link = target } }, { path = "l", content = "x" }, "outside", 'link "l"')
        assert.is_nil(io.open(session:root() .. "/../escaped"))
        session:close()
      end
      open {}
    end)

    for _, name in ipairs { "skills", "docs", "templates", "context" } do
      it("the tree " .. name .. ", there or not", function() -- S0-41
        refusal({}, { path = name .. "/x.md", content = "x" }, "read_only",
          ('^"%s/x.md" is in "%s", which is read%%-only here .* "path": "notes/x.md"%%.$')
            :format(name, name))
      end)
    end

    it("a link into a read-only tree", function() -- S0-43 S0-44
      refusal({ ["docs/x.md"] = "old", l = { link = "docs/x.md" } }, { path = "l", content = "x" },
        "read_only", '^"l" leads into "docs" through a link')
      assert.equal("old", contents("docs/x.md"))
    end)

    -- S0-45 S0-46
    it("a read-only name that is itself a link, by the name that was sent", function()
      refusal({ ["store/"] = true, skills = { link = "store" } },
        { path = "skills/x", content = "y" }, "read_only",
        '^"skills/x" is in "skills", which is read%-only here')
    end)

    it("names that are the own ones of the workspace", function()
      refusal({}, { path = "d/.~croft-1", content = "x" }, "bad_argument", '"path": "d/1"%.$')
    end)
  end)

  it("leaves names alone that are only like those of read-only trees", function()
    open {}
    for _, path in ipairs { "docs2/x", "sub/docs/x", "my-skills" } do
      assert.is_false(write({ path = path, content = "x" }).is_error)
    end
  end)

  it("refuses everything in a read-only workspace", function()
    open({ f = "" }, { read_only = true })
    local result = write { path = "f", content = "x" }
    assert.equal("read_only", result.code)
    assert.matches('it is read%-only%. Nothing was written%. Call list with "path": "%."',
      result.text)
  end)
end)
