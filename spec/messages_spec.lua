-- SPDX-License-Identifier: MIT
--- Every message of croft.texts, made to appear; and the table of all of them, spec/messages.md.
local catalogue = require "catalogue"
local tree = require "tree"

local rows = catalogue.rows()

--- Longest text of a refusal, and of the excerpt after it, in bytes.
local TEXT_BYTES, EXCERPT_BYTES = 350, 1100

--- What of a refusal counts: quotations that are as long as what was sent do not.
local function weight(text)
  local first = text:match("^[^\n]*")
  return #first:gsub('"[^"]*"', function(quoted)
    return #quoted > 60 and quoted:sub(1, 60) or quoted
  end)
end

describe("The message", function()
  for _, row in ipairs(rows) do
    it(row[1] .. " is shown for: " .. row[2], function()
      local result, root = catalogue.show(row)
      local _, group = catalogue.sentence(row[1])
      local text = result.text:gsub('^{"note":.*', function(notes) -- a line of JSON
        return (notes:gsub('\\"', '"'))
      end)
      assert.matches(catalogue.pattern(row[1]), text)
      for id in pairs(row.parts or {}) do
        assert.matches(catalogue.pattern(id), text)
      end
      if group == "refusals" then
        assert.equal(not row.fills, result.is_error)
        assert.is_true(weight(result.text) <= TEXT_BYTES, "has " .. weight(result.text) .. " bytes")
        assert.is_true(#(result.text:match("\n(.*)$") or "") <= EXCERPT_BYTES)
      end
      assert.is_nil(result.text:find(root, 1, true))
    end)
  end
end)

describe("The table of messages", function()
  it("has each of them once", function()
    local seen = {}
    for _, row in ipairs(rows) do
      for id in pairs(row.parts or {}) do
        assert.is_nil(seen[id], id .. " is there twice")
        seen[id] = true
      end
      assert.is_nil(seen[row[1]], row[1] .. " is there twice")
      seen[row[1]] = true
    end
    for _, texts in pairs(catalogue.texts) do
      for id in pairs(texts) do
        assert.is_truthy(seen[id], id .. " is not shown")
        seen[id] = nil
      end
    end
    assert.is_nil(next(seen), "there is no message of that number")
  end)

  it("is current in spec/messages.md (lua5.4 spec/messages.lua makes it)", function()
    local made = tree.output(tree.lua() .. " spec/messages.lua -")
    assert.equal(made, tree.text("spec/messages.md"))
  end)

  it("has no message that no code uses", function()
    local code = {}
    for _, path in ipairs(tree.files("lua/croft/*.lua tools/workspace/*.lua tools/staged/*.lua")) do
      if not path:find("texts", 1, true) then
        code[#code + 1] = tree.text(path)
      end
    end
    code = table.concat(code)
    for _, texts in pairs(catalogue.texts) do
      for id in pairs(texts) do
        local made = id:match("^P11_") and '"P11_"' or '"' .. id .. '"'
        assert.is_truthy(code:find(made, 1, true), id .. " is not used")
      end
    end
  end)
end)
