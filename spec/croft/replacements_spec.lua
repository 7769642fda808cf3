-- SPDX-License-Identifier: MIT
--- A messages.lua beside the tools of an operator: single messages in other words.
local testing = require "croft.testing"
local tree = require("tree")

local TOOL = [[return require("croft.tool").define {
  name = "mine", title = "Mine", description = "Mine.", access = "read",
  input = { type = "object", properties = {
    colour = { type = "string", description = "A colour." } } },
  run = function() return require("croft.messages").text("L1", { p = "x" }) end }]]

--- A session with the messages.lua `source`, and with a tool beside it.
local function open(source, options)
  local pipe = io.popen("mktemp -d")
  local directory = pipe:read("l")
  pipe:close()
  tree.write(directory .. "/messages.lua", source)
  tree.write(directory .. "/mine.lua", TOOL)
  options = options or {}
  options.files, options.tools = { ["a.md"] = "one\n", ["d/"] = true }, { directory }
  local ok, session = pcall(testing.session, options)
  os.execute("rm -r " .. directory)
  return ok and session, tostring(session)
end

describe("A messages.lua", function()
  local session

  after_each(function()
    if session then
      session:close()
    end
    session = nil
  end)

  it("replaces the messages that it has, and no others", function()
    session = open [[return { L1 = 'nichts in "{p}"' }]]
    assert.equal('[nichts in "d"]', session:call("list", { path = "d" }).text)
    assert.equal("1|one\n[end of file: 1 line]", session:call("read", { path = "a.md" }).text)
  end)

  it("holds for tools of the operator's own too, and is none", function()
    session = open [[return { L1 = 'nichts in "{p}"' }]]
    assert.equal('nichts in "x"', session:call("mine", {}).text)
    assert.equal(6, #session:tools())
  end)

  it("holds in every interpreter of the session", function()
    session = open([[return { L1 = 'nichts in "{p}"' }]], { limits = { steps = 300000 } })
    session:call("grep", { pattern = "(a|b)*c" })
    for _ = 1, 5 do
      assert.equal('[nichts in "d"]', session:call("list", { path = "d" }).text)
    end
  end)

  it("may count in its own words, and name tools", function()
    session = open [[return { R1 = 'Ende: {n|Zeile|Zeilen}{notes}, {grep} sucht' }]]
    assert.equal("1|one\n[Ende: 1 Zeile, grep sucht]",
      session:call("read", { path = "a.md" }).text)
  end)

  it("may name arguments of any tool of the set", function()
    session = open [[return { L1 = '"{p}" is empty. Call mine with "colour": "red"' }]]
    assert.matches('"colour": "red"', session:call("list", { path = "d" }).text)
  end)

  for name, case in pairs {
    ["an unknown message"] = { [[return { E99 = "x" }]], "E99: there is no such message" },
    ["a key that is no number of one"] = { [[return { "x" }]], "1: there is no such message" },
    ["a placeholder left out"] = { [[return { P8 = '"{p}" is a directory. Call {list}.' }]],
      "P8: it leaves out {tool}" },
    ["a placeholder too many"] = { [[return { L1 = '"{p}" of {size} is empty' }]],
      "L1: there is no {size} in it to fill in" },
    ["a placeholder that is not closed"] = { [[return { L1 = '"{p}" is {empty' }]],
      "L1: a { is not closed in" },
    ["an argument that does not exist"] = { [[return { L1 = '"{p}": send "pfad": "x"' }]],
      'L1: no tool has an argument "pfad"' },
    ["a text of two lines"] = { [[return { L1 = '"{p}"\nis empty' }]],
      "L1: the text must be one line of UTF-8" },
    ["bytes that are not UTF-8"] = { [[return { L1 = '"{p}" \255' }]],
      "L1: the text must be one line of UTF-8" },
    ["what is no text"] = { [[return { L1 = true }]],
      "L1: the text must be a string, not a boolean" },
    ["no table"] = { [[return 1]], "it must return a table of texts" },
    ["a syntax error"] = { [[return {]], "messages.lua:1: unexpected symbol" },
  } do
    it("stops the start with the file and the reason: " .. name, function()
      local made, reason = open(case[1])
      assert.is_false(made)
      assert.matches(case[2], reason, 1, true)
      assert.matches("messages.lua", reason, 1, true)
    end)
  end
end)
