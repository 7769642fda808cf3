-- SPDX-License-Identifier: MIT
--- What artifact_outline makes of the forms that Markdown can have, and artifact_grep of texts and
--- expressions that want much.
local staged = require "staged"

local function open(tool, text, limits)
  local session = staged.session { files = { ["a.md"] = text }, limits = limits }
  return session, staged.handle(session, tool, { path = "a.md" })
end

describe("artifact_outline", function()
  local function outline(text, args, limits)
    local session, handle = open("open_markdown_file", text, limits)
    args = args or {}
    args.handle = handle
    local result = session:call("artifact_outline", args)
    session:close()
    return result.text
  end

  it("knows headings from what only looks like one", function()
    assert.matches("^1|# One\n12|# Two\n14|## Three\n17|### #4#\n18|###### Six\n%[5 headings",
      outline("# One\n####### seven\n#none\n    # code\n~~~ `x`\n# in\n```\n~~~~\n``` a`b\n> q\n"
        .. "---\n"
        .. "Two\n===\nThree\n---\n- item\n### #4# ###\n ###### Six ##\n- x\n===\n"))
  end)

  it("goes on to the end after a fence that is not closed", function()
    assert.matches("^1|# One\n%[1 heading", outline("# One\n```\n# in\n"))
  end)

  it("reads more than fits into memory at once, and lines longer than that", function()
    local parts = {}
    for i = 1, 40 do
      parts[i] = ("# H%d %s\n%s\n"):format(i, ("w"):rep(i * 50), ("text %d\n"):format(i):rep(2000))
    end
    parts[#parts + 1] = ("x"):rep(300000) .. "\n## Last\n"
    local text = outline(table.concat(parts))
    assert.matches("^1|# H1 ", text)
    assert.matches("|## Last\n%[41 headings", text)
  end)

  it("ends at what an answer may have, and says where to go on", function()
    local text = ("# A heading that says something\n\n"):rep(4000)
    assert.matches("^1|# A heading.*\n%[.-offset", outline(text))
  end)
end)

describe("artifact_grep", function()
  local function grep(text, args, limits)
    local session, handle = open("open_file", text, limits)
    args.handle = handle
    local result = session:call("artifact_grep", args)
    session:close()
    return result
  end

  it("finds in lines that are longer than what is looked at at once, one row each", function()
    local long = ("a"):rep(400000) .. "needle" .. ("b"):rep(400000) .. "needle"
    local result = grep("first\n" .. long .. "\nlast needle", { pattern = "needle" })
    assert.is_false(result.is_error, result.text)
    assert.equal(2, select(2, ("\n" .. result.text):gsub("\n%d+|", "")))
    assert.matches("\n3|last needle\n", result.text)
  end)

  it("ends at as many as were asked for, and at what an answer may have", function()
    local many = ("needle and some words behind it\n"):rep(9000)
    assert.matches("^1|needle.*\n2|needle[^\n]*\n%[", grep(many,
      { pattern = "needle", max_results = 2 }).text)
    local result = grep(many, { pattern = "needle", max_results = 9000 })
    assert.is_true(#result.text <= 65536)
  end)

  it("says that an expression was too expensive", function()
    local hard = { pattern = "^(a+)+$" }
    assert.matches("too much backtracking", grep(("a"):rep(5000) .. "b\n", hard).text)
    local long = ("a"):rep(600000) .. "b"
    assert.matches("too much backtracking", grep(long, { pattern = "(a+)+$" }).text)
  end)
end)
