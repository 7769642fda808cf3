-- SPDX-License-Identifier: MIT
--- How the server starts and ends.
local drive = require("spec.front.drive")
local testing = require("croft.testing")

local SLOW = [[
local tool = require("croft.tool")
return tool.define {
  name = "slow", title = "Slow", description = "Works until a limit stops it.", access = "read",
  input = { type = "object", properties = {} },
  run = function() while true do end end,
}
]]

--- Answered only when a limit stops it; the ping after it shows that it has been read.
local SLOW_CALL = drive.send(drive.call(1, "slow")) .. drive.send(drive.request(2, "ping"))
  .. "receive >/dev/null\n"

describe("croft serve", function()
  local session, serve

  before_each(function()
    session = testing.session { files = { ["a.txt"] = "alpha\n", ["../slow/slow.lua"] = SLOW } }
    serve = '"$CROFT" serve ' .. drive.quoted(session:root())
  end)

  after_each(function() session:close() end)

  it("prints nothing before it is asked, one line for its user, and ends with its input", function()
    local result = drive.shell(serve)
    assert.equal(0, result.status)
    assert.equal("", result.out)
    assert.matches("^croft %S+: serving [^\n]+ with 5 tools %(%w+, [^\n]*landlock[^\n]*%)\n$",
      result.err)
  end)

  local function converse(script)
    return drive.converse(session:root(), script, "--tools", session:root() .. "/../slow")
  end

  --- How soon it ends is judged by spec/checks/raw_jsonrpc.py; here, that it does.
  for _, signal in ipairs { "TERM", "INT", "HUP" } do
    it("ends at SIG" .. signal .. " while it waits", function()
      local _, result = converse("kill -" .. signal .. " $server; finish")
      assert.equal(0, result.status)
    end)

    it("ends at SIG" .. signal .. " while a call runs", function()
      local _, result = converse(SLOW_CALL .. "kill -" .. signal .. " $server; finish")
      assert.equal(0, result.status)
      assert.equal("", result.out)
    end)
  end

  it("ends when its client leaves while a call runs", function()
    local _, result = converse(SLOW_CALL .. "leave; finish")
    assert.equal(0, result.status)
  end)

  it("ends when nobody reads its answers any more", function()
    local script = "{ cat; cat /dev/zero; } | { timeout 20 " .. serve
      .. "; echo $? >&2; } | head -n 1"
    local result = drive.shell(script, ('{"jsonrpc":"2.0","id":1,"method":"ping"}\n'):rep(20000))
    assert.matches("\n0\n$", result.err)
  end)

  it("is not ended by SIGPIPE as such", function()
    local replies, result = converse("kill -PIPE $server\n" .. drive.send(drive.request(1, "ping"))
      .. "receive; leave; finish")
    assert.equal(1, #replies)
    assert.equal(0, result.status)
  end)

  it("logs to a file where it is told to, each call at the level debug", function()
    local log = session:root() .. "/../log"
    local read = drive.call(1, "read", { path = "a.txt" })
    local replies, result = drive.talk(session:root(), { read }, "--log", log,
      "--log-level", "debug")
    local text = assert(io.open(log)):read("a")
    assert.equal(1, #replies)
    assert.equal("", result.err)
    assert.matches("^croft [^\n]+\ncroft: read: done, %d+ us, %d+ steps\n$", text)
  end)

  it("says nothing at the level quiet", function()
    assert.equal("", drive.shell(serve .. " --log-level quiet").err)
  end)

  it("refuses a log that cannot be opened, and a level that there is not", function()
    local result = drive.shell(serve .. " --log /nonexistent/log")
    assert.equal(2, result.status)
    assert.matches("cannot log to \"/nonexistent/log\": No such file", result.err)
    result = drive.shell(serve .. " --log-level loud")
    assert.equal(2, result.status)
    assert.matches("quiet, info or debug", result.err)
  end)

  it("does without stderr", function()
    local result = drive.shell(serve .. " 2>&-", '{"jsonrpc":"2.0","id":1,"method":"ping"}\n')
    assert.equal('{"jsonrpc":"2.0","id":1,"result":{}}\n', result.out)
  end)

  it("fails when an answer cannot be written", function()
    local result = drive.shell(serve .. " >/dev/full", '{"jsonrpc":"2.0","id":1,"method":"ping"}\n')
    assert.equal(1, result.status)
    assert.matches("cannot write", result.err)
  end)

  it("fails when its input cannot be read", function()
    local result = drive.shell(serve .. " </")
    assert.equal(1, result.status)
    assert.matches("cannot read", result.err)
  end)

  it("refuses a tool that cannot be loaded, and names its file", function()
    local broken = testing.session { files = { ["../tools.d/broken.lua"] = "return nil +\n" } }
    local result = drive.run("serve", broken:root(), "--tools", broken:root() .. "/../tools.d")
    broken:close()
    assert.equal(2, result.status)
    assert.matches("broken%.lua", result.err)
  end)
end)
