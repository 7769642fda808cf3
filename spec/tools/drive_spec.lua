-- SPDX-License-Identifier: MIT
--- A directory at the top whose name is that of a drive: it is shown as it can be sent, "./C:/a",
--- and "C:/a" is refused with that spelling. S0-28
local custom = require "custom"
local staged = require "staged"
local testing = require "croft.testing"

local FILES = {
  ["C:/t"] = "one\ntwo\n", ["C:/deep/u"] = "three\n", ["C:/l"] = { link = "t" },
  ["C:/deep/plan.md"] = "",
  ["C:/out"] = { link = "/etc" }, top = { link = "C:/deep" }, ["e.md"] = "",
}

describe("A directory called C:", function()
  local session

  before_each(function()
    local enable = { "move", "remove", "stat", "apply_patch" }
    session = testing.session { files = FILES, enable = enable }
  end)

  after_each(function()
    session:close()
  end)

  local function answers(tool, args, expected)
    assert.equal(expected, session:call(tool, args).text)
  end

  it("is listed in paths that can be sent", function()
    answers("list", { path = "C:" }, "./C:/deep/\n./C:/l -> ./C:/t\n./C:/out -> (outside)\n"
      .. "./C:/t (8 bytes)")
    answers("list", { recursive = true, glob = "u" }, "./C:/deep/u (6 bytes)")
    answers("list", { glob = "top" }, "top -> ./C:/deep/")
    answers("grep", { pattern = "t.*e" }, "./C:/deep/u:1|three")
    answers("grep", { pattern = "one", path = "./C:", output = "files" }, "./C:/t")
  end)

  it("takes every tool", function()
    answers("read", { path = "./C:/t", limit = 1 },
      '1|one\n[lines 1-1 of 2. Next: "offset": 2, "limit": 1]')
    answers("write", { path = "./C:/n/a", content = "x\n" },
      'Created "./C:/n/a": 1 line, 2 bytes. Made directory "./C:/n".')
    answers("edit", { path = "./C:/n/a", old_string = "x", new_string = "y" },
      'Edited "./C:/n/a": 1 replacement at line 1.\n1|y')
    answers("apply_patch", { patch = "--- a/./C:/n/a\n+++ b/./C:/n/a\n@@ -1 +1 @@\n-y\n+z\n" },
      'Patch applied: changed "./C:/n/a".')
    answers("move", { from = "./C:/n/a", to = "./D:/a" },
      'Moved the file "./C:/n/a" to "./D:/a". Made directory "D:".')
    answers("stat", { path = "./D:/a" }, "./D:/a: file, 2 bytes")
    answers("remove", { path = "./D:/a" }, 'Removed "./D:/a" (file, 2 bytes).')
  end)

  for tool, more in pairs {
    read = {}, list = {}, grep = { pattern = "o" }, write = { content = "" },
    edit = { old_string = "one", new_string = "1" }, remove = {}, stat = {},
  } do
    it("is proposed to " .. tool, function()
      more.path = "C:/t"
      local result = session:call(tool, more)
      assert.equal("outside", result.code)
      assert.equal('"path" must be relative to the workspace root, and "C:/t" begins with a drive. '
        .. 'Here is a "C:" all the same. Send "path": "./C:/t".', result.text)
    end)
  end

  it("is proposed for what is to be made in it, and not where there is none", function()
    local refusal = session:call("write", { path = "C:/new", content = "" }).text
    assert.matches('Send "path": "./C:/new".', refusal, 1, true)
    refusal = session:call("move", { from = "e.md", to = "C:/e.md" }).text
    assert.matches('Send "to": "./C:/e.md".', refusal, 1, true)
    refusal = session:call("read", { path = "D:/e.md" }).text
    assert.matches('Send "path": "e.md", which exists inside.', refusal, 1, true)
  end)

  it("is named in refusals as it can be sent", function()
    assert.matches('Send "path": "./C:/deep/plan.md"',
      session:call("read", { path = "./C:/deep/plans.md" }).text, 1, true)
    assert.matches('already "./C:/none" is missing. Call list with "path": "C:".',
      session:call("read", { path = "./C:/none/v" }).text, 1, true)
    assert.matches('Call list with "path": "./C:/deep"',
      session:call("read", { path = "./C:/deep/u/x" }).text, 1, true)
  end)
end)

describe("A directory called C: gives a tool of the operator's own", function()
  for what, body in pairs {
    ["entries of fs:walk"] =
      'for e in ctx.fs:walk(".") do path = e.size == 6 and e.path or path end',
    ["entries of fs:list"] = 'path = ctx.fs:list("./C:/deep").entries[2].path',
    ["where a link leads"] = 'path = ctx.fs:list("C:", { depth = 1 }).entries[2].target',
    ["the path of fs:stat"] = 'path = ctx.fs:stat("top/u").path',
    ["the path of fs:open"] = 'path = ctx.fs:open("./C:/t").path',
  } do
    it(what .. " that it can send", function()
      local session = custom.session(custom.tool("try", '{ type = "object", properties = {} }',
        "local path\n" .. body .. '\nreturn path .. ": " .. ctx.fs:read(path)'), { files = FILES })
      assert.matches("^%./C:/[%w/]+: [ot]", session:call("try", {}).text)
      session:close()
    end)
  end
end)

describe("A directory called C: in the staged set", function()
  it("takes every tool", function()
    local session = staged.session { files = FILES }
    local shown = staged.done(session, "list_directory", { path = "./C:/deep" }).text
    assert.matches('"./C:/deep/u"', shown, 1, true)
    shown = staged.done(session, "find_files", { path = ".", glob = "**/u", limit = 9 }).text
    assert.matches('"./C:/deep/u"', shown, 1, true)
    shown = staged.done(session, "search_files", { path = ".", pattern = "three", limit = 9 }).text
    assert.matches('"./C:/deep/u"', shown, 1, true)
    local medium = staged.done(session, "stage_file", { path = "./C:/t" })
    assert.matches('"./C:/t"', medium.text, 1, true)
    local saved = staged.done(session, "save_media", {
      media_id = medium.structured.media_id, path = "./C:/copy" })
    assert.matches('./C:/copy', saved.text, 1, true)
    local link = session:call("save_media", {
      media_id = medium.structured.media_id, path = "./C:/l" })
    assert.matches('the link "./C:/l"', link.text, 1, true)
    session:close()
  end)
end)
