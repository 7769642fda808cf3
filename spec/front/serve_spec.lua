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

local CALL = '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":'
  .. '"2025-11-25"}}\n{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"slow"}}\n'

describe("croft serve", function()
  local session, serve

  before_each(function()
    session = testing.session { files = { ["a.txt"] = "alpha\n", ["../slow/slow.lua"] = SLOW } }
    serve = '"$CROFT" serve ' .. drive.quoted(session:root())
  end)

  after_each(function() session:close() end)

  --- Runs a shell script and returns its result and the seconds that it took, which it prints last.
  local function timed(script, input)
    local result = drive.shell("start=$(date +%s%N); " .. script
      .. "; status=$?; echo $(( ($(date +%s%N) - start) / 1000000 )) >&2; exit $status", input)
    return result, tonumber(result.err:match("(%d+)\n$")) / 1000
  end

  local function slow()
    return serve .. " --tools " .. drive.quoted(session:root() .. "/../slow")
  end

  it("prints nothing before it is asked, one line for its user, and ends with its input", function()
    local result = drive.shell(serve)
    assert.equal(0, result.status)
    assert.equal("", result.out)
    assert.matches("^croft %S+: serving [^\n]+ with 5 tools %([%w]+%)\n$", result.err)
  end)

  for _, signal in ipairs { "TERM", "INT", "HUP" } do
    it("ends at SIG" .. signal .. " while it waits", function()
      -- a shell in the background would ignore SIGINT for its children: env sets it back
      local result, seconds = timed(("mkfifo %s/f; env --default-signal=%s %s <>%s/f & "
        .. "sleep 0.2; kill -%s $!; wait $!"):format(session:root(), signal, serve,
        session:root(), signal))
      assert.equal(0, result.status)
      assert.is_true(seconds < 1.2)
    end)
  end

  it("ends at a signal while a call runs", function()
    local script = ("mkfifo %s/f; %s <>%s/f & cat >%s/f; sleep 0.2; kill -TERM $!; wait $!")
      :format(session:root(), slow(), session:root(), session:root())
    local result, seconds = timed(script, CALL)
    assert.equal(0, result.status)
    assert.is_true(seconds < 1.4)
  end)

  it("ends within a second of a client that leaves while a call runs", function()
    local result, seconds = timed("{ cat; sleep 0.1; } | " .. slow(), CALL)
    assert.equal(0, result.status)
    assert.is_true(seconds < 1.4)
  end)

  it("ends when nobody reads its answers any more", function()
    local script = "{ cat; sleep 3; } | { timeout 2 " .. serve .. "; echo $? >&2; } | head -n 1"
    local result = drive.shell(script, ('{"jsonrpc":"2.0","id":1,"method":"ping"}\n'):rep(20000))
    assert.matches("\n0\n$", result.err)
  end)

  it("is not ended by SIGPIPE as such", function()
    local result = drive.shell(("mkfifo %s/f; %s <>%s/f & sleep 0.1; kill -PIPE $!; sleep 0.1; "
      .. "kill -0 $! && kill -TERM $!; wait $!"):format(session:root(), serve, session:root()))
    assert.equal(0, result.status)
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
