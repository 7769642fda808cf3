-- SPDX-License-Identifier: MIT
--- croft.lend_signal: the time limit within one instruction of Lua. The ways there are to make one
--- long, and what the signal may end, are in spec/c/overrun_test.c.
local croft = require("croft")
local custom = require("custom")

local SIGNAL = 40

describe("A signal that is lent", function()
  it("ends a call by its time limit in the middle of an instruction", function()
    assert.is_true(croft.lend_signal(SIGNAL))
    assert.is_true(croft.lend_signal(SIGNAL))
    local session = custom.session(custom.tool("grow", '{ type = "object", properties = {} }', [[
      local apart, t = 2 ^ 19 - 1 | 0, {}
      for i = 1, 2 ^ 18 do t[i * apart] = 1 end
      t[-apart] = 1 -- all of them go in anew, and each collides with those before: 2 ^ 35 steps
      return "grown"]]), { limits = { time = 500, steps = 2 ^ 40 | 0, heap = 64 * 2 ^ 20 | 0 } })
    local result = session:call("grow", {})
    session:close()
    assert.equal("stopped", result.code)
    assert.matches("after 0.5 s, its time limit", result.text, 1, true)
  end)

  it("must be one that there is, and that can be handled", function()
    for _, number in ipairs({ -1, 0, 9, 4096, 2 ^ 40 | 0 }) do
      local good, err = croft.lend_signal(number)
      assert.is_nil(good)
      assert.equal("bad_argument", err.code)
    end
  end)
end)
