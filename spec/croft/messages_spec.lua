-- SPDX-License-Identifier: MIT
local custom = require "custom"
local testing = require "croft.testing"

local texts = dofile("lua/croft/texts.lua")

--- A tool that fills in the message `id`: short names for names, 7 for all else.
local SAY = custom.tool("say", [[{
  type = "object",
  required = { "id" },
  properties = { id = { type = "string", description = "Of a message." } },
}]], [[
    local short = {
      p = "a.md", a = "b.md", b = "c.md", dir = "d", part = "e", base = "f.md", rel = "g.md",
        top = "docs",
      other = "h.md", file = "i.md", name = "j", glob = "*.md", arg = "path", tool = "list",
      remedy = 'Send "path": "a.md".', outcome = "Nothing was changed.", message = "it failed",
      names = "path", words = '"a" or "b"', kind = "text", got = "an object", example = "text",
      lines = "lines 1, 2", what = "blanks", text = "one\ttwo", reason = "a reason", near = "x",
      word = "word", line = "line", start = "start", ceiling = "32 KiB", which = "1 binary",
        prefix = "1|",
      notes = "", form = "NFD", c = "x", sent = '"one\\ttwo"', x = "2019", y = "0027",
    }
    local values = setmetatable({}, {
      __index = function(_, name)
        local tools = { list = true, read = true, grep = true, write = true, edit = true }
        return short[name] or not tools[name] and 7 or nil
      end,
    })
    return require("croft.messages").text(args.id, values)
]])

--- Placeholders that stand for an argument, for a tool, or for a text that names one.
local NAMING = { arg = true, tool = true, names = true, remedy = true, message = true }

--- The identifiers of `group`, in order.
local function ids(group)
  local out = {}
  for id in pairs(texts[group]) do
    out[#out + 1] = id
  end
  table.sort(out)
  return out
end

describe("Messages", function()
  local session, words

  setup(function()
    session = custom.session(SAY)
    words = {}
    for _, tool in ipairs(session:tools()) do
      if tool.name ~= "say" then
        words[tool.name] = true
        for name in pairs(tool.inputSchema.properties) do
          words[name] = true
        end
      end
    end
  end)

  teardown(function()
    session:close()
  end)

  local function say(id)
    local result = session:call("say", { id = id })
    assert.is_false(result.is_error, id)
    return result.text
  end

  for _, group in ipairs { "refusals", "notices", "remedies" } do
    it("can all be filled in: " .. group, function()
      for _, id in ipairs(ids(group)) do
        assert.is_nil(say(id):find("{%l"), id)
      end
    end)
  end

  --- Whether a sentence names an argument or a tool: "path", or a placeholder that stands for one.
  local function names_something(sentence)
    for word in sentence:gmatch('"([%l_]+)"') do
      if words[word] then
        return true
      end
    end
    for name in sentence:gmatch("{(%l+)}") do
      if NAMING[name] or words[name] then
        return true
      end
    end
    return false
  end

  it("that refuse name an argument or a tool", function() -- S0-16
    for _, id in ipairs(ids("refusals")) do
      assert.is_true(names_something(texts.refusals[id]), id)
    end
    for _, id in ipairs(ids("remedies")) do
      if texts.remedies[id]:find("^%u%l+ .*%.$") and not id:find("^T3_") then
        assert.is_true(names_something(texts.remedies[id]), id)
      end
    end
  end)

  it("have at most 350 bytes", function()
    for _, group in ipairs { "refusals", "notices" } do
      for _, id in ipairs(ids(group)) do
        assert.is_true(#say(id) <= 350, id .. " has " .. #say(id))
      end
    end
  end)

  it("never say the same for two causes", function()
    local seen = {}
    for _, group in ipairs { "refusals", "notices", "remedies" } do
      for _, id in ipairs(ids(group)) do
        local text = texts[group][id]
        assert.is_nil(seen[text], id)
        seen[text] = id
      end
    end
  end)

  it("have no place for the path of the root", function() -- messages_spec shows each of them
    for _, group in ipairs { "refusals", "notices", "remedies" } do
      for _, id in ipairs(ids(group)) do
        assert.is_nil(texts[group][id]:find("{root}", 1, true), id)
      end
    end
  end)

  it("advise no shell and tell no errno", function()
    for _, id in ipairs(ids("refusals")) do
      local text = say(id)
      for _, word in ipairs { "errno", "bash", "shell", "chmod", "sudo", "ENOENT" } do
        assert.is_nil(text:find(word, 1, true), id)
      end
    end
  end)

  it("fail loudly when a value is missing", function()
    local broken = custom.session(custom.tool("say", '{ type = "object", properties = {} }',
      'return require("croft.messages").text("P4", { p = "a" })'))
    assert.equal("internal", broken:call("say", {}).code)
    assert.matches("message P4 has no value for {%l+}", broken:log())
    broken:close()
  end)

  it("quote what can be sent as it stands, whole, and cut other quotations", function()
    local name = ('"\n'):rep(150)
    local listing = testing.session { files = { [name:sub(1, 100) .. "/x"] = "" } }
    local result = listing:call("read", { path = name:sub(1, 100) .. "/" .. ("y"):rep(240) })
    local path = result.text:match('Call list with "path": (".*") to see its names%.$')
    assert.equal(name:sub(1, 100), require("cjson").decode(path))
    assert.matches('y%.%.%." does not exist', result.text)
    assert.is_nil(result.text:find("\n", 1, true))
    listing:close()
  end)

  it("and descriptions name tools as the host offers them", function() -- S0-26
    local prefixed = testing.session { files = { ["d/f"] = "" }, prefix = "workspace_" }
    assert.matches("Call workspace_list with", prefixed:call("workspace_read", { path = "d" }).text)
    for _, tool in ipairs(prefixed:tools()) do
      assert.matches("^workspace_", tool.name)
      assert.is_nil(tool.description:find("{%l+}"))
    end
    local unknown = prefixed:call("list", {})
    assert.equal("unknown_tool", unknown.code)
    prefixed:close()
  end)
end)
