-- SPDX-License-Identifier: MIT
--- What a model is told of the five tools before it calls one: it is short, constant and plain.
local cjson = require "cjson"
local testing = require "croft.testing"
local tree = require "tree"

--- Bytes of all definitions as they are sent.
local MOST_BYTES = 12000

describe("The definitions of the tools", function()
  local session, tools

  setup(function()
    session = testing.session { files = { ["a.md"] = "" } }
    tools = session:tools()
  end)

  teardown(function()
    session:close()
  end)

  it("are sorted, the same bytes each time, and below the ceiling", function()
    local command = tree.program() .. " tools --json 2>&1"
    local text = tree.output(command)
    assert.is_true(#text < MOST_BYTES, "they have " .. #text .. " bytes")
    assert.equal(text, (tree.output(command)))
    local last = ""
    for _, tool in ipairs(cjson.decode(text)) do
      assert.is_true(last < tool.name)
      last = tool.name
    end
  end)

  it("have the four hints", function()
    local READS = { readOnlyHint = true, destructiveHint = false, idempotentHint = true,
      openWorldHint = false }
    local WRITES = { readOnlyHint = false, destructiveHint = true, idempotentHint = true,
      openWorldHint = false }
    local EDITS = { readOnlyHint = false, destructiveHint = true, idempotentHint = false,
      openWorldHint = false }
    local wanted = { list = READS, read = READS, grep = READS, write = WRITES, edit = EDITS }
    for _, tool in ipairs(tools) do
      assert.same(wanted[tool.name], tool.annotations)
    end
  end)

  it("say how a path is spelled before they say anything else that can be sent", function()
    for _, tool in ipairs(tools) do
      local rule = tool.description:find("relative to the", 1, true)
      assert.is_truthy(rule, tool.name)
      for _, argument in ipairs { '"offset"', '"recursive"', '"mode"', '"edits"', '"context"' } do
        assert.is_true(rule < (tool.description:find(argument, 1, true) or math.huge))
      end
    end
  end)

  it("name only arguments that there are, in the form in which they are sent", function()
    for _, tool in ipairs(tools) do
      local properties = tool.inputSchema.properties
      for name in tool.description:gmatch('"([%l_]+)":') do
        assert.is_truthy(properties[name], tool.name .. " has no " .. name)
      end
    end
  end)

  it("describe each argument", function()
    for _, tool in ipairs(tools) do
      for name, node in pairs(tool.inputSchema.properties) do
        assert.is_true(#node.description >= 10, tool.name .. "." .. name)
      end
      assert.is_false(tool.inputSchema.additionalProperties)
    end
  end)
end)
