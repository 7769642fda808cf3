-- SPDX-License-Identifier: MIT
--- What a host does wrong is told where it does it.
local croft = require("croft")
local testing = require("croft.testing")

describe("a host that", function()
  local place, view

  before_each(function()
    place = testing.session()
    view = assert(croft.open(place:root()))
  end)

  after_each(function()
    view:close()
    place:close()
  end)

  --- The message of the error that the call raises.
  local function complaint(call, ...)
    local ok, message = pcall(call, ...)
    assert.is_false(ok)
    return message
  end

  it("leaves out by a glob that does not parse is told where", function()
    local opened, err = croft.open(place:root(), { exclude = { "a", "[" } })
    assert.is_nil(opened)
    assert.matches('the exclude glob "[" does not parse', err.message, 1, true)
  end)

  it("names a resolver that there is not is told which there are", function()
    assert.matches('resolver: "auto" or "walk" is needed',
      complaint(croft.open, place:root(), { resolver = "other" }), 1, true)
  end)

  it("gives limits that are none is told what they are", function()
    assert.matches("limits: a table of name = whole number is needed",
      complaint(view.session, view, { limits = { steps = "many" } }), 1, true)
  end)

  it("gives a text that is none is told so", function()
    assert.matches("a text is needed, not a number",
      complaint(croft.open, place:root(), { exclude = { 1 } }), 1, true)
    assert.matches("a text without NUL is needed",
      complaint(croft.open, place:root(), { exclude = { "a\0b" } }), 1, true)
  end)

  it("has more than 64 read-only names is refused", function()
    local names = {}
    for i = 1, 65 do names[i] = "name" .. i end
    local opened, err = croft.open(place:root(), { read_only_names = names })
    assert.is_nil(opened)
    assert.equal("there are more than 64 read-only names", err.message)
  end)
end)
