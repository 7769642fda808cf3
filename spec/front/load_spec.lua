-- SPDX-License-Identifier: MIT
--- Many calls at once: what is short is answered while what is long goes on; what is cancelled is
--- silent; nothing is lost, and writes of one file keep their order. S0-8
local cjson = require("cjson").new()
local drive = require("spec.front.drive")
local testing = require("croft.testing")

--- Ends only when a limit or a cancel stops it.
local SLOW = [[
local tool = require("croft.tool")
return tool.define {
  name = "slow", description = "Works until something stops it.", access = "read",
  input = { type = "object", properties = {} },
  run = function() while true do end end,
}
]]

--- Looks at the same directory until something stops it: long enough for progress to be told.
local WALKER = [[
local tool = require("croft.tool")
return tool.define {
  name = "walker", description = "Walks.", access = "read",
  input = { type = "object", properties = {} },
  run = function(_, ctx)
    while true do ctx.fs:list(".", { max = 0 }) end
  end,
}
]]

local LIMITS = { "--limit", "steps=4000000000", "--limit", "time=60s" }

local function files(count)
  local list = { ["../tools.d/slow.lua"] = SLOW, ["../tools.d/walker.lua"] = WALKER }
  for i = 1, count do list[("f%d.txt"):format(i)] = ("own %d\n"):format(i) end
  return list
end

local function cancel(id)
  return drive.send {
    jsonrpc = "2.0", method = "notifications/cancelled", params = { requestId = id },
  }
end

local function ping(id) return drive.send(drive.request(id, "ping")) end

local function call(...) return drive.send(drive.call(...)) end

local function ids(replies)
  local list = {}
  for i, reply in ipairs(replies) do
    list[i] = tostring(math.tointeger(reply.id) or reply.id)
  end
  return table.concat(list, " ")
end

describe("a busy server", function()
  local session, root

  before_each(function()
    session = testing.session { files = files(200) }
    root = session:root()
  end)

  after_each(function() session:close() end)

  local function converse(script, ...)
    local words = { "--tools", root .. "/../tools.d", ... }
    table.move(LIMITS, 1, #LIMITS, #words + 1, words)
    return drive.converse(root, script, table.unpack(words))
  end

  it("answers a ping and a read while a call runs", function()
    local replies = converse(call("long", "slow") .. ping(1) .. "receive\n"
      .. call(2, "read", { path = "f7.txt" }) .. "receive\n"
      .. cancel("long") .. ping(3) .. "receive; leave; finish")
    assert.equal("1 2 3", ids(replies))
    assert.matches("own 7", replies[2].result.content[1].text)
  end)

  it("answers them also while more calls wait than may run", function()
    local script = {}
    for i = 1, 20 do script[i] = call("long" .. i, "slow") end
    script[#script + 1] = call("short", "read", { path = "f9.txt" }) .. "receive\n"
    for i = 20, 1, -1 do script[#script + 1] = cancel("long" .. i) end
    script[#script + 1] = ping("after") .. "receive; leave; finish"
    assert.equal("short after", ids((converse(table.concat(script)))))
  end)

  it("answers what it has read before it stops reading, as too much waits", function()
    local script = { call("long", "slow") }
    for i = 1, 62 do script[i + 1] = call(i, "read", { path = "f1.txt" }) end
    local last = cjson.encode(drive.request("ping", "ping")) .. "\n"
      .. cjson.encode(drive.call("last", "read", { path = "f1.txt" }))
    script[#script + 1] = "send " .. drive.quoted(last) .. "\nreceive || exit 1; leave; finish"
    assert.equal("ping", ids((converse(table.concat(script), "--limit", "calls=1"))))
  end)

  it("says nothing of a cancelled call, and goes on with the others", function()
    local replies = converse(call(1, "slow") .. call("1", "slow") .. cancel(1)
      .. cancel("unknown") .. call(2, "grep", { pattern = "own 5$" }) .. "receive\n"
      .. cancel("1") .. cancel(2) .. "leave; finish")
    assert.equal("2", ids(replies))
    assert.matches("f5%.txt:1|own 5", replies[1].result.content[1].text)
  end)

  it("tells how far a long call has come, if it was asked to", function()
    local params = { name = "walker", arguments = {}, _meta = { progressToken = "t" } }
    local replies = converse(call("untold", "walker")
      .. drive.send(drive.request("told", "tools/call", params)) .. "receive; receive; receive\n"
      .. cancel("told") .. cancel("untold") .. ping("after") .. "leave; finish")
    local before, told = 0, 0
    for _, note in ipairs(replies) do
      if note.id == nil then
        assert.equal("notifications/progress", note.method)
        assert.equal("t", note.params.progressToken)
        assert.is_true(note.params.progress > before)
        before, told = note.params.progress, told + 1
      else
        assert.equal("after", note.id)
      end
    end
    assert.is_true(told >= 3)
  end)

  it("answers each of 200 reads with its own file", function()
    local messages = {}
    for i = 1, 200 do messages[i] = drive.call(i, "read", { path = ("f%d.txt"):format(i) }) end
    local replies = drive.talk(root, messages)
    assert.equal(200, #replies)
    for _, reply in ipairs(replies) do
      assert.matches(("1|own %d\n"):format(reply.id), reply.result.content[1].text, 1, true)
    end
  end)

  it("loses none of 60 edits of one file", function()
    local lines, messages = {}, {}
    for i = 1, 60 do
      lines[i] = ("<%d>"):format(i)
      messages[i + 1] = drive.call(i, "edit",
        { path = "edits", old_string = ("<%d>"):format(i), new_string = ("[%d]"):format(i) })
    end
    messages[1] = drive.call(0, "write", { path = "edits", content = table.concat(lines, "\n") })
    local replies = drive.talk(root, messages, "--no-fsync")
    for _, reply in ipairs(replies) do assert.is_nil(reply.result.isError) end
    local text = session:call("read", { path = "edits" }).text
    for i = 1, 60 do assert.matches(("|[%d]"):format(i), text, 1, true) end
  end)

  it("does the writes of one file in the order in which they were sent", function()
    local messages = {}
    for i = 1, 50 do
      messages[i] = drive.call(i, "write", { path = "last", content = ("write %d"):format(i) })
    end
    drive.talk(root, messages, "--no-fsync")
    assert.matches("1|write 50", session:call("read", { path = "last" }).text, 1, true)
  end)

  it("drops what runs when the client leaves", function()
    local _, result = converse(call(1, "slow") .. "leave; finish")
    assert.equal(0, result.status)
    assert.equal("", result.out)
  end)

  it("ends when nobody reads its answers any more, though a call runs", function()
    local _, result = converse(call(1, "slow") .. "exec {out}<&-; wait \"$server\"")
    assert.equal(0, result.status)
  end)

  it("answers what it has done when a signal ends it", function()
    local lines = {}
    for i = 1, 300 do
      lines[i] = cjson.encode(drive.call(i, "write", { path = "w/" .. i, content = "x" }))
    end
    local file = assert(io.open(root .. "/../batch", "w"))
    file:write(table.concat(lines, "\n"), "\n")
    file:close()
    local replies = converse(([[
      exec 9<&"$out"; out=9 # bash closes its own when the server has ended
      cat %s/../batch >&"$in"
      until [ -e %s/w/90 ]; do :; done
      kill -TERM "$server"; finish
    ]]):format(root, root), "--no-fsync")
    local done = {}
    for _, reply in ipairs(replies) do done[reply.id] = true end
    for i = 1, 300 do
      local is_there = session:call("read", { path = "w/" .. i }).is_error == false
      assert.equal(is_there, done[i] or false, "w/" .. i)
    end
  end)
end)
