-- SPDX-License-Identifier: MIT
--- .luacheckrc says what tools may name; this holds it to what the sandbox has.
local testing = require("croft.testing")

local STOCK = {} -- every name that a plain Lua 5.4 has
for name, value in pairs(_G) do
  STOCK[name] = true
  if type(value) == "table" and package.loaded[name] == value and name ~= "_G" then
    for field in pairs(value) do
      STOCK[name .. "." .. field] = true
    end
  end
end

--- The names that .luacheckrc gives to the sandbox, sorted.
local function listed()
  local rc = { stds = {}, files = {} }
  assert(loadfile(".luacheckrc", "t", setmetatable(rc, { __index = _G })))()
  local names = {}
  for key, value in pairs(rc.stds.sandbox.read_globals) do
    names[#names + 1] = key
    for field in pairs(value.fields or {}) do
      names[#names + 1] = key .. "." .. field
    end
  end
  table.sort(names)
  return names
end

describe("the list of names in .luacheckrc", function()
  local session

  setup(function()
    session = testing.session({ tools = { "spec/support/tools" } })
  end)

  teardown(function()
    session:close()
  end)

  it("is exactly what the sandbox has", function()
    local asked, wanted = {}, listed()
    for name in pairs(STOCK) do
      asked[#asked + 1] = name
    end
    table.move(wanted, 1, #wanted, #asked + 1, asked)
    local found = {}
    for name in session:call("names", { names = asked }).text:gmatch("%S+") do
      found[name] = true
    end
    local too_many, too_few = {}, {}
    for _, name in ipairs(wanted) do
      if not found[name] then
        too_many[#too_many + 1] = name
      end
      found[name] = nil
    end
    for name in pairs(found) do
      too_few[#too_few + 1] = name
    end
    assert.same({}, too_many, "listed, but not there")
    assert.same({}, too_few, "there, but not listed")
  end)
end)
