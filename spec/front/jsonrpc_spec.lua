-- SPDX-License-Identifier: MIT
--- Lines in, lines out: JSON-RPC 2.0 as the server speaks it.
local drive = require("spec.front.drive")
local testing = require("croft.testing")

describe("the server", function()
  local session, root

  setup(function()
    session = testing.session { files = { ["a.txt"] = "alpha\n" } }
    root = session:root()
  end)

  teardown(function() session:close() end)

  --- The one reply to a line.
  local function reply_to(line)
    local replies = drive.talk(root, { line })
    assert.equal(1, #replies)
    return replies[1]
  end

  local function silent_about(line)
    local replies = drive.talk(root, { line, drive.request("after", "ping") })
    assert.equal(1, #replies)
    assert.equal("after", replies[1].id)
  end

  for name, line in pairs {
    ["half a message"] = '{"jsonrpc":"2.0","id":1,"meth',
    ["two messages in a line"] = '{"jsonrpc":"2.0","id":1,"method":"ping"}{}',
    ["bytes that are not UTF-8"] = '{"jsonrpc":"2.0","id":1,"method":"ping","x":"\xff"}',
    ["a NUL"] = "\0",
    ["a raw tab in a string"] = '{"jsonrpc":"2.0","id":1,"method":"ping","x":"\t"}',
    ["NaN"] = '{"jsonrpc":"2.0","id":1,"method":"ping","x":NaN}',
    ["nesting without end"] = ("["):rep(100000),
  } do
    it("answers " .. name .. " with a parse error and no id", function()
      local reply = reply_to(line)
      assert.equal(-32700, reply.error.code)
      assert.equal(drive.null, reply.id)
    end)
  end

  for name, line in pairs {
    ["a batch"] = '[{"jsonrpc":"2.0","id":1,"method":"ping"}]',
    ["an empty batch"] = "[]",
    ["a number"] = "42",
    ["an empty object"] = "{}",
    ["id null"] = '{"jsonrpc":"2.0","id":null,"method":"ping"}',
    ["a fraction as id"] = '{"jsonrpc":"2.0","id":1.5,"method":"ping"}',
    ["an id of more than 64 bits"] = '{"jsonrpc":"2.0","id":99999999999999999999,"method":"ping"}',
    ["a lone surrogate in the id"] = '{"jsonrpc":"2.0","id":"\\ud800","method":"ping"}',
  } do
    it("refuses " .. name .. " without an id", function()
      local reply = reply_to(line)
      assert.equal(-32600, reply.error.code)
      assert.equal(drive.null, reply.id)
    end)
  end

  for name, line in pairs {
    ["another version of JSON-RPC"] = '{"jsonrpc":"1.0","id":7,"method":"ping"}',
    ["no version"] = '{"id":7,"method":"ping"}',
    ["no method"] = '{"jsonrpc":"2.0","id":7}',
    ["a method that is no string"] = '{"jsonrpc":"2.0","id":7,"method":1}',
  } do
    it("refuses " .. name .. " under its id", function()
      local reply = reply_to(line)
      assert.equal(-32600, reply.error.code)
      assert.equal(7, reply.id)
    end)
  end

  it("refuses params that are no object", function()
    local reply = reply_to('{"jsonrpc":"2.0","id":7,"method":"tools/list","params":[1]}')
    assert.equal(-32602, reply.error.code)
  end)

  it("does not know every method, and does not repeat a long one", function()
    local _, result = drive.talk(root, { drive.request(1, ("m"):rep(70000)) })
    local line = result.out:match("[^\n]*\n$")
    assert.matches('"code":%-32601', line)
    assert.is_true(#line < 1000)
  end)

  for name, id in pairs {
    ["beyond 2^53"] = "9007199254740993",
    ["of 64 bits"] = "-9223372036854775808",
    ["zero"] = "0",
    ["an empty text"] = '""',
    ["a text with escapes"] = '"a\\u0062\\"\\n"',
    ["a text in other letters"] = '"漢字"',
  } do
    it("gives back an id byte for byte: " .. name, function()
      local _, result = drive.talk(root, { '{"jsonrpc":"2.0","id":' .. id .. ',"method":"ping"}' })
      local last = result.out:match("([^\n]*)\n$")
      assert.equal('{"jsonrpc":"2.0","id":' .. id .. ',"result":{}}', last)
    end)
  end

  for name, line in pairs {
    ["a notification"] = '{"jsonrpc":"2.0","method":"notifications/unknown","params":{"a":1}}',
    ["a call without an id"] = '{"jsonrpc":"2.0","method":"tools/call","params":{"name":"list"}}',
    ["a notification with odd params"] = '{"jsonrpc":"2.0","method":"notifications/cancelled",'
      .. '"params":[1]}',
    ["a result that it never asked for"] = '{"jsonrpc":"2.0","id":9,"result":{}}',
    ["an error that it never asked for"] = '{"jsonrpc":"2.0","id":null,"error":{"code":1}}',
    ["an empty line"] = "",
    ["a line of blanks"] = " \t \r",
  } do
    it("never answers " .. name, function() silent_about(line) end)
  end

  it("does not run a call without an id", function()
    silent_about('{"jsonrpc":"2.0","method":"tools/call","params":{"name":"write",'
      .. '"arguments":{"path":"ghost.txt","content":"x"}}}')
    assert.is_nil(io.open(root .. "/ghost.txt"))
  end)

  it("takes the last of members that are called the same", function()
    assert.equal(32, reply_to('{"jsonrpc":"2.0","id":31,"id":32,"method":"ping"}').id)
  end)

  it("reads names with escapes", function()
    local line = '{"\\u006asonrpc":"2.0","\\u0069d":5,"m\\u0065thod":"pi\\u006eg"}'
    assert.equal(5, reply_to(line).id)
  end)

  -- In the spelling that nearly all have; with escapes in a name they are read another way.
  for name, line in pairs {
    ["a ping"] = '{"jsonrpc":"2.0","id":"x","method":"ping"}',
    ["a call"] = '{"jsonrpc":"2.0","id":-7,"method":"tools/call","params":'
      .. '{"name":"read","arguments":{"path":"a.txt"}}}',
    ["a call with a token"] = '{"jsonrpc":"2.0","id":123456789012345678,"method":"tools/call",'
      .. '"params":{"_meta":{"progressToken":1},"name":"list"}}',
    ["a call of nothing"] = '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{}}',
    ["params that are null"] = '{"jsonrpc":"2.0","id":2,"method":"tools/list","params":null}',
    ["a method that is not there"] = '{"jsonrpc":"2.0","id":3,"method":"a/b","params":{}}',
    ["an answer that is a request, too"] = '{"jsonrpc":"2.0","id":4,"method":"ping","result":{}}',
    ["an id of 20 digits"] = '{"jsonrpc":"2.0","id":12345678901234567890,"method":"ping"}',
  } do
    it("reads names with escapes as those without: " .. name, function()
      local other = line:gsub('"method"', '"\\u006dethod"')
      assert.same(reply_to(line), reply_to(other))
    end)
  end

  it("takes a CR before the line end, and a byte order mark at the start", function()
    local replies = drive.serve(root, { '\xEF\xBB\xBF{"jsonrpc":"2.0","id":1,"method":"ping"}\r' })
    assert.equal(1, replies[1].id)
  end)

  it("takes a last line without its line end", function()
    local result = drive.shell('"$CROFT" serve ' .. drive.quoted(root),
      '{"jsonrpc":"2.0","id":1,"method":"ping"}')
    assert.equal('{"jsonrpc":"2.0","id":1,"result":{}}\n', result.out)
  end)

  it("skips a line over 8 MiB, says so once, and goes on", function()
    local long = '{"jsonrpc":"2.0","id":1,"method":"ping","x":"' .. ("x"):rep(9 << 20) .. '"}'
    local replies = drive.talk(root, { long, drive.request(2, "ping") })
    assert.equal(2, #replies)
    assert.equal(-32600, replies[1].error.code)
    assert.equal(drive.null, replies[1].id)
    assert.equal(2, replies[2].id)
  end)

  it("serves a line just below 8 MiB", function()
    local long = '{"jsonrpc":"2.0","id":1,"method":"ping","x":"' .. ("x"):rep(8300000) .. '"}'
    assert.equal(1, reply_to(long).id)
  end)

  it("answers in the order of the requests, one line each", function()
    local requests = {}
    for id = 1, 500 do requests[id] = drive.request(id, "ping") end
    for index, reply in ipairs(drive.talk(root, requests)) do assert.equal(index, reply.id) end
  end)
end)
