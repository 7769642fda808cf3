-- SPDX-License-Identifier: MIT
--- One instruction of Lua may go over all of a long text or a large table. The time of a call ends
--- it also among such instructions, which are too few here for the hook to be called after a
--- thousand: a coroutine counts its own from 0.
local custom = require "custom"

-- Instructions that take long, as the body of a coroutine. None of these gets to its end in time.
local ROWS = {
  { "looks for a long text in a table", [[
      local a, b = ("a"):rep(8388608), ("a"):rep(8388608)
      local t = { [a] = 1 }
      return function()
        local t, b, n = t, b
        for _ = 1, 150 do n = t[b] n = t[b] n = t[b] n = t[b] n = t[b] end
        return n
      end]] },
  { "looks for a text in a chain of tables", [[
      local chain, key, other = {}, ("a"):rep(15000), ("a"):rep(14999) .. "b"
      for _ = 1, 1990 do chain = setmetatable({ [key] = 1 }, { __index = chain }) end
      return function()
        local t, k, n = chain, other
        for _ = 1, 180 do n = t[k] n = t[k] n = t[k] n = t[k] end
        return n
      end]] },
  { "compares long texts", [[
      local a, b = ("a"):rep(8388608), ("a"):rep(8388608)
      a, b = a .. a .. a .. a, b .. b .. b .. b
      return function()
        local a, b, n = a, b
        for _ = 1, 90 do n = a < b n = a < b end
        return n
      end]] },
  { "takes a long text for a number", [[
      local text = (" "):rep(8388600) .. "0"
      return function()
        local text = text
        for _ = 1, 150 do for _ = 1, text do end end
      end]] },
  { "makes the long text itself", [[
      return function()
        local text = (" "):rep(8388600) .. "0"
        for _ = 1, 150 do for _ = 1, text do end end
      end]] },
}

local TOOL = custom.tool("run", [[{ type = "object", properties = {
    code = { type = "string", description = "Lua" },
    count = { type = "integer", description = "How many coroutines" } } }]], [[
  local body = assert(load(args.code, "=code"))()
  for _ = 1, args.count do coroutine.wrap(body)() end
  return "done"
]])

local CHAIN = [[
  local chain, key, other = {}, ("a"):rep(500), ("a"):rep(499) .. "b"
  for _ = 1, 1990 do chain = setmetatable({ [key] = 1 }, { __index = chain }) end
  return function()
    local t, k, n = chain, other
    for _ = 1, 180 do n = t[k] n = t[k] n = t[k] n = t[k] end
    return n
  end]]

describe("the time of a call", function()
  local session

  setup(function()
    session = custom.session(TOOL, { limits = { time = 100, heap = 268435456 } })
  end)

  teardown(function() session:close() end)

  local function assert_late(code, count)
    local result = session:call("run", { code = code, count = count })
    assert.equal("run was stopped after 0.1 s, its time limit. Ask for less at once. "
      .. "Nothing was changed.", result.text)
  end

  for _, row in ipairs(ROWS) do
    it("ends a tool that " .. row[1], function() assert_late(row[2], 1) end)
  end

  it("ends a tool whose coroutines are each too short for the hook", function()
    assert_late(CHAIN, 9)
  end)
end)
