-- SPDX-License-Identifier: MIT
--- What a tool leaves in the locals of its file is gone with the call: no call can tell which
--- interpreter of its session it runs in, nor who was there before. D15
local custom = require "custom"

--- A tool whose file begins with `head` and whose run is `body`.
local function counting(head, body)
  return head .. "\n" .. custom.tool("probe", '{ type = "object", properties = {} }', body)
end

-- What each call must answer, however many there were before.
local CASES = {
  ["counts in a local"] = { "local n = 0", "n = n + 1 return tostring(n)", "1" },
  ["fills a table"] = { "local seen = {}", "seen[#seen + 1] = 1 return tostring(#seen)", "1" },
  ["counts in a closure"] = {
    "local next_one do local n = 0 next_one = function() n = n + 1 return n end end",
    "return tostring(next_one())", "1" },
  ["keeps a coroutine"] = {
    [[local co = coroutine.wrap(function() for i = 1, 1e6 do coroutine.yield(i) end end)]],
    "return tostring(co())", "1" },
  ["keeps what ctx was"] = { "local old", "local was = old old = ctx return tostring(was)", "nil" },
  ["puts another environment in the place of its own"] = {
    [[local function other() _ENV = { mine = true } end]],
    [[local tostring = tostring local was = mine == nil other() return tostring(was)]], nil },
}

describe("a tool that", function()
  for name, case in pairs(CASES) do
    it(name .. " answers as at its first call", function()
      local session <close> = custom.session(counting(case[1], case[2]))
      local first = session:call("probe", {})
      for _ = 1, 4 do
        local again = session:call("probe", {})
        assert.equal(first.is_error, again.is_error)
        assert.equal(first.text, again.text)
      end
      if case[3] then assert.equal(case[3], first.text) end
    end)
  end

  it("leaves nothing behind after a refusal or an error either", function()
    local session <close> = custom.session(counting("local n = 0",
      [[n = n + 1 if n > 1 then return "again" end error("fault " .. n)]]))
    for _ = 1, 3 do
      assert.is_true(session:call("probe", {}).is_error)
    end
  end)

  it("returns another thing when its file is run once more spoils its own calls", function()
    local session <close> = custom.session([[
      local tool = require "croft.tool"
      local made = tool.define {
        name = "probe", description = "Does what the spec says.", access = "read",
        input = { type = "object", properties = {} },
        run = function() return "done" end,
      }
      return made]])
    assert.equal("done", session:call("probe", {}).text)
    assert.equal("done", session:call("probe", {}).text)
  end)
end)
