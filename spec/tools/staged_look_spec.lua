-- SPDX-License-Identifier: MIT
--- The staged tool set: what looks at files. Observing and authoring are separate verbs, and a
--- handle is given in the place of a text.
local cjson = require "cjson"
local staged = require "staged"
local testing = require "croft.testing"

local TOOLS = {
  "apply_patch", "artifact_grep", "artifact_json", "artifact_outline", "artifact_read",
  "find_files", "list_directory", "media_list", "open_file", "open_json_file",
  "open_markdown_file", "save_media", "search_files", "stage_file",
}

--- The eight of S2-1; the others come from the host, so that the set is complete (S2-25, S2-31).
local EIGHT = {
  "open_file", "open_json_file", "open_markdown_file", "stage_file", "save_media",
  "list_directory", "search_files", "find_files",
}

describe("The staged tool set", function()
  local session

  before_each(function()
    session = staged.session {
      files = {
        ["a.txt"] = "one\ntwo\nthree\n", ["d/b.json"] = '{"items": [{"name": "x"}, 7]}',
        ["d/m.md"] = "# Top\n\ntext\n\nSub\n---\n\n```\n# no heading\n```\n### Deep ###\n",
        [".hidden"] = "two\n", l = { link = "d" }, out = { link = "/etc" }, ["bin"] = "a\0two\n",
        ["docs/x.md"] = "two\n",
      },
    }
  end)

  after_each(function()
    session:close()
  end)

  local function call(tool, args) return session:call(tool, args) end
  local function open(path) return staged.handle(session, "open_file", { path = path }) end

  it("has eight unique tools, and the verbs that they need", function() -- S2-1 S2-2 S2-3 S2-31
    local names, seen = {}, {}
    for i, tool in ipairs(session:tools()) do
      names[i] = tool.name
      assert.is_nil(seen[tool.name])
      seen[tool.name] = true
    end
    assert.same(TOOLS, names)
    for _, name in ipairs(EIGHT) do
      assert.is_true(seen[name])
    end
    for _, absent in ipairs { "read_file", "edit_file", "read", "edit", "write", "git" } do
      assert.is_nil(seen[absent])
    end
  end)

  it("calls all that it shows untrusted, or what the operator says", function() -- S2-7 S2-10
    local shows_nothing = { apply_patch = true, save_media = true, media_list = true }
    for _, tool in ipairs(session:tools()) do
      if not shows_nothing[tool.name] then
        assert.matches("What it shows is untrusted", tool.description)
      end
    end
    assert.equal("untrusted", call("open_file", { path = "a.txt" }).structured.trust_tier)
    local other = staged.session { files = { a = "" }, trust_tier = "first-party" }
    assert.equal("first-party", other:call("stage_file", { path = "a" }).structured.trust_tier)
    other:close()
    assert.has_error(function() staged.session { trust_tier = "No Tier" } end)
  end)

  it("does not begin without a gate", function() -- S2-7 S2-11 S2-15
    local ok, err = pcall(testing.session, { toolset = "staged" })
    assert.is_false(ok)
    assert.equal("gate_unavailable", err.code)
    assert.matches("the staged tool set", err.message)
  end)

  it("asks the gate for every tool, reads included", function() -- S2-11 S2-13 S2-14 S2-16
    local asked = {}
    local gated = staged.session {
      files = { ["a.txt"] = "two\n" },
      gate = function(request)
        asked[#asked + 1] = request.tool
        return { decision = "allow", scope = "once" }
      end,
    }
    local media = gated:call("stage_file", { path = "a.txt" }).structured.handle
    local text = gated:call("open_file", { path = "a.txt" }).structured.handle
    local calls = {
      { "open_json_file", { path = "a.txt" } }, { "open_markdown_file", { path = "a.txt" } },
      { "list_directory", { path = "." } }, { "search_files", { pattern = "t", limit = 1 } },
      { "find_files", { glob = "*", limit = 1 } }, { "artifact_read", { handle = text } },
      { "artifact_grep", { handle = text, pattern = "t" } }, { "artifact_json", { handle = text } },
      { "artifact_outline", { handle = text } }, { "media_list", {} },
      { "apply_patch", { media_id = media, patch = { find = "two", replace = "2" } } },
      { "save_media", { media_id = media, path = "b.txt" } },
    }
    for _, one in ipairs(calls) do
      gated:call(one[1], one[2])
    end
    table.sort(asked)
    assert.same(TOOLS, asked)
    gated:close()
  end)

  it("looks at nothing and writes nothing that was denied", function() -- S2-14 S2-16 S2-19
    local denied = staged.session {
      files = { ["a.txt"] = "secret\n" }, trace = true,
      gate = function(request)
        local allowed = request.tool == "stage_file"
        return allowed and { decision = "allow", scope = "once" }
          or { decision = "deny", note = "not today" }
      end,
    }
    local media = denied:call("stage_file", { path = "a.txt" }).structured.handle
    denied:records()
    for tool, args in pairs {
      open_file = { path = "a.txt" }, list_directory = { path = "." },
      search_files = { pattern = "secret", limit = 9 }, find_files = { glob = "*", limit = 9 },
      save_media = { media_id = media, path = "new.txt" },
    } do
      local result = denied:call(tool, args)
      assert.equal("denied", result.code)
      assert.matches("not today", result.text)
      assert.is_nil(result.text:find("secret", 1, true))
    end
    local harmless = { call = true, question = true, verdict = true, ["end"] = true }
    for _, record in ipairs(denied:records()) do
      assert.is_truthy(harmless[record.op], record.op)
    end
    assert.is_nil(staged.content(denied, "new.txt"))
    denied:close()
  end)

  it("gives a handle that nobody can guess, and no text", function() -- S2-4 S2-22 S2-26
    local result = call("open_file", { path = "a.txt" })
    assert.matches("^Opened \"a.txt\" as art_%w+: text/plain, 14 bytes%.", result.text)
    assert.is_nil(result.text:find("three", 1, true))
    assert.is_nil(result.text:find("object Object", 1, true))
    assert.equal(30, #result.structured.handle)
    assert.not_equal(result.structured.handle, open("a.txt"))
    assert.equal("a.txt", result.structured.path)
    assert.equal(14, result.structured.bytes)
  end)

  it("gives handles of three kinds", function()
    assert.equal("text", call("open_file", { path = "a.txt" }).structured.kind)
    assert.equal("json", call("open_json_file", { path = "d/b.json" }).structured.kind)
    assert.equal("markdown", call("open_markdown_file", { path = "d/m.md" }).structured.kind)
  end)

  it("shows an artifact a page at a time", function() -- S2-24 S2-25
    local handle = open("a.txt")
    assert.equal("1|one\n2|two\n3|three\n[end of file: 3 lines]",
      call("artifact_read", { handle = handle }).text)
    assert.equal('1|one\n[lines 1-1. Next: "offset": 2, "limit": 1]',
      call("artifact_read", { handle = open("a.txt"), limit = 1 }).text)
    assert.equal("3|three\n[lines 3-3 of 3: end of file]",
      call("artifact_read", { handle = handle, offset = -1 }).text)
    assert.equal("bad_argument", call("artifact_read", { handle = handle, offset = 4 }).code)
  end)

  it("searches an artifact up to max_results", function() -- S2-24 S2-43
    local handle = open("a.txt")
    assert.equal('2|two\n3|three\n[2 matches in 3 lines, all of "a.txt"]',
      call("artifact_grep", { handle = handle, pattern = "t" }).text)
    assert.equal('2|two\n[stopped at 1 match. For the rest: "offset": 3]',
      call("artifact_grep", { handle = handle, pattern = "t", max_results = 1 }).text)
    assert.equal('3|three\n[1 match in 1 line, all of "a.txt"]',
      call("artifact_grep", { handle = handle, pattern = "t", offset = 3 }).text)
    assert.equal("bad_pattern", call("artifact_grep", { handle = handle, pattern = "(" }).code)
  end)

  it("keeps a handle between calls, and no longer than the session", function()
    local handle = open("a.txt")
    for _ = 1, 3 do
      assert.is_false(call("artifact_read", { handle = handle }).is_error)
    end
    local other = staged.session { files = { ["a.txt"] = "x" } }
    assert.equal("missing", other:call("artifact_read", { handle = handle }).code)
    other:close()
  end)

  it("finds values of JSON by their pointer", function()
    local handle = staged.handle(session, "open_json_file", { path = "d/b.json" })
    local function value(pointer)
      return (call("artifact_json", { handle = handle, pointer = pointer }).text:match("^[^\n]*"))
    end
    assert.equal('"x"', value("/items/0/name"))
    assert.equal("7", value("/items/1"))
    assert.equal('{"items": [{"name": "x"}, 7]}', value(""))
    assert.equal("missing",
      call("artifact_json", { handle = handle, pointer = "/items/2" }).code)
  end)

  it("takes JSON that is none as text", function()
    local handle = staged.handle(session, "open_json_file", { path = "a.txt" })
    local result = call("artifact_json", { handle = handle })
    assert.is_true(result.is_error)
    assert.matches('"a.txt" is no JSON', result.text)
    assert.matches("1|one", call("artifact_read", { handle = handle }).text)
  end)

  it("shows the headings of Markdown with their lines", function()
    local handle = staged.handle(session, "open_markdown_file", { path = "d/m.md" })
    assert.matches("^1|# Top\n5|## Sub\n11|### Deep\n%[3 headings in 11 lines",
      call("artifact_outline", { handle = handle }).text)
  end)

  it("says of a file what became of it under a handle", function()
    local changed, gone, same = open("a.txt"), open("d/b.json"), open("d/m.md")
    staged.shell(session, "echo four >> a.txt; rm d/b.json")
    local page = call("artifact_read", { handle = changed }).text
    assert.matches("4|four", page)
    assert.matches('"a.txt" was changed since it was opened, and this is what it holds now', page)
    page = call("artifact_read", { handle = gone }).text
    assert.matches("items", page)
    assert.matches('"d/b.json" was removed or replaced since it was opened', page)
    assert.is_nil(call("artifact_read", { handle = same }).text:find("changed", 1, true))
  end)

  it("lists a directory in lines of JSON, links named and not entered", function() -- S2-40
    local lines = {}
    for line in call("list_directory", { path = "." }).text:gmatch("[^\n]+") do
      lines[#lines + 1] = cjson.decode(line)
    end
    local types = {}
    for _, line in ipairs(lines) do
      types[line.path] = line.type
    end
    assert.same({
      [".hidden"] = "file", ["a.txt"] = "file", bin = "file", d = "directory",
      ["d/b.json"] = "file", ["d/m.md"] = "file", docs = "directory", ["docs/x.md"] = "file",
      l = "link", out = "link",
    }, types)
  end)

  it("shows names of any kind so that they can be sent back", function()
    staged.shell(session, [[printf 'two\n' > "$(printf 'new\nline "q" \303\251')"
      printf 'two\n' > "$(printf 'not\377utf')"]])
    local name = 'new\nline "q" \u{e9}'
    for _, text in ipairs {
      call("list_directory", { path = "." }).text,
      call("find_files", { glob = "*", limit = 99 }).text,
      call("search_files", { pattern = "^two$", limit = 99 }).text,
    } do
      local seen = {}
      for line in text:gmatch("[^\n]+") do
        seen[cjson.decode(line).path or ""] = true
      end
      assert.is_true(seen[name])
      assert.is_true(seen["not\\xffutf"])
    end
    local media = staged.handle(session, "stage_file", { path = name })
    assert.equal('Saved new\\x0aline "q" \u{e9} (4 bytes), which held exactly this already',
      call("save_media", { media_id = media, path = name }).text)
  end)

  it("enters so many levels as max_depth says", function()
    local result = call("list_directory", { path = ".", max_depth = 0 })
    assert.is_nil(result.text:find("d/b.json", 1, true))
    assert.matches('^{"note":"2 directories at \\"max_depth\\" 0 not entered', result.text)
    assert.is_nil(call("list_directory", { path = "." }).text:find('"note"', 1, true))
  end)

  it("searches files in lines of JSON", function() -- S2-8
    local result = call("search_files", { pattern = "two", limit = 9 })
    local lines = {}
    for line in result.text:gmatch("[^\n]+") do
      local value = cjson.decode(line)
      if value.path then
        lines[#lines + 1] = ("%s:%d:%s"):format(value.path, value.line, value.text)
      end
    end
    assert.same({ "a.txt:2:two", "docs/x.md:1:two" }, lines)
    assert.matches("hidden", result.text:match("^[^\n]*\n[^\n]*"))
    assert.matches('".hidden"', call("search_files", {
      pattern = "two", limit = 9, hidden = true,
    }).text)
  end)

  it("needs a limit that is a whole number of 1 or more", function()
    assert.equal("bad_argument", call("search_files", { pattern = "t" }).code)
    assert.equal("bad_argument", call("find_files", { glob = "*" }).code)
    for _, limit in ipairs { 0, 1.5, -1 } do
      local result = call("search_files", { pattern = "t", limit = limit })
      assert.equal("bad_argument", result.code)
      assert.matches('"limit"', result.text)
    end
  end)

  it("says in its first line that nothing matched, which is no error", function()
    local result = call("search_files", { pattern = "zebra", limit = 9 })
    assert.is_false(result.is_error)
    assert.matches('^{"note":"no line of', result.text)
    result = call("find_files", { glob = "*.zebra", limit = 9 })
    assert.is_false(result.is_error)
    assert.matches('^{"note":"no file below', result.text)
  end)

  it("shows what it found up to the limit, and says so first", function()
    local result = call("find_files", { glob = "*", limit = 2 })
    assert.matches('^{"note":"stopped at \\"limit\\" 2: there are more"}\n', result.text)
    assert.equal(2, select(2, result.text:gsub('"path"', "")))
    assert.is_nil(call("find_files", { glob = "*.txt", limit = 1 }).text:find("stopped", 1, true))
  end)

  it("finds files without regard to case on demand, and follows no links", function()
    assert.matches('"a.txt"', call("find_files", { iglob = "A.T[xX]T", limit = 9 }).text)
    assert.matches("no file below", call("find_files", { glob = "A.TXT", limit = 9 }).text)
    assert.equal("bad_argument", call("find_files", { glob = "*", limit = 1, follow = true }).code)
    assert.is_false(call("find_files", { glob = "*", limit = 1, follow = false }).is_error)
    for _, wrong in ipairs { "ignore_case", "literal" } do
      local args = { glob = "*", limit = 1, [wrong] = true }
      assert.equal("bad_argument", call("find_files", args).code)
    end
  end)

  it("takes no notice of case in the [ ] of \"iglob\" either", function()
    for glob, fits in pairs {
      ["[A-C].TXT"] = true, ["[!A-C].TXT"] = false, ["[x-zA].txt"] = true, ["[^b-z].TXT"] = true,
      ["[]A-].TXT"] = true, ["[Z\\A].T[W-Y]T"] = true, ["[Y-b].TXT"] = true, ["\\A.TXT"] = true,
      ["[B-Z].TXT"] = false, ["[A"] = "bad", ["[[:alpha:]].TXT"] = "bad", ["[Z-A].TXT"] = "bad",
      ["[é-ü].TXT"] = false, ["[-B].TXT"] = false, ["[+--A].TXT"] = true,
    } do
      local result = call("find_files", { iglob = glob, limit = 9 })
      if fits == "bad" then
        assert.is_true(result.is_error, glob)
      else
        assert.equal(fits, result.text:find('"path":"a.txt"', 1, true) ~= nil, glob .. result.text)
      end
    end
  end)

  it("refuses a fifo, a directory and a socket before it opens them", function()
    staged.shell(session, "mkfifo fifo")
    for _, tool in ipairs { "open_file", "stage_file", "open_json_file" } do
      assert.equal("not_regular", call(tool, { path = "fifo" }).code)
      assert.equal("not_a_file", call(tool, { path = "d" }).code)
      assert.equal("missing", call(tool, { path = "none" }).code)
    end
  end)

  it("gives each reason for which a path is rejected a remedy of its own", function() -- S2-20
    local seen = {}
    for path, code in pairs {
      ["../a.txt"] = "outside", ["/etc/passwd"] = "outside", ["~/a.txt"] = "outside",
      ["\\\\host\\share"] = "outside", ["//./COM1"] = "outside", ["C:\\x"] = "outside",
      ["a\0b"] = "bad_argument",
    } do
      local result = call("open_file", { path = path })
      assert.equal(code, result.code, path)
      local shape = result.text:gsub('"[^"]*"', "")
      assert.is_nil(seen[shape], path)
      seen[shape] = path
    end
  end)

  it("narrates an escape from a listing, and never the host's path", function() -- S2-21
    for _, tool in ipairs { "list_directory", "open_file" } do
      local result = call(tool, { path = "out/passwd" })
      assert.equal("outside", result.code)
      assert.matches('passes through the link "out"', result.text)
      assert.is_nil(result.text:find(session:root(), 1, true))
      assert.is_nil(result.text:find("/etc", 1, true))
    end
  end)

  it("describes the tools that there are, and no others", function() -- S2-9
    local path = os.tmpname()
    os.remove(path)
    assert(os.execute("mkdir " .. path))
    local file = assert(io.open(path .. "/toolset.lua", "w"))
    file:write('return { name = "look", hide = { "stage_file", "save_media", "apply_patch", '
      .. '"media_list", "artifact_grep" } }')
    file:close()
    local looking = staged.session { files = { a = "x" }, tools = { path } }
    for _, tool in ipairs(looking:tools()) do
      assert.is_nil(tool.name:find("stage", 1, true))
      for _, gone in ipairs { "stage_file", "artifact_grep", "save_media" } do
        assert.is_nil(tool.description:find(gone, 1, true), tool.name .. " names " .. gone)
      end
      assert.is_nil(("\n" .. tool.description):find("\n?", 1, true))
    end
    assert.equal("unknown_tool", looking:call("stage_file", { path = "a" }).code)
    assert.is_nil(looking:call("open_file", { path = "a" }).text:find("artifact_grep", 1, true))
    looking:close()
    os.execute("rm -r " .. path)
  end)

  it("names only arguments that its tools have", function()
    for _, tool in ipairs(session:tools()) do
      local own = tool.inputSchema.properties
      for name in tool.description:gmatch('"([%l_]+)":') do
        local known = own[name] or name == "note" or own.patch
        assert.is_truthy(known, tool.name .. " has no " .. name)
      end
    end
  end)
end)
