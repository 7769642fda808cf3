-- SPDX-License-Identifier: MIT
--- Calls that the program takes without Lua: what it answers is what Lua would, byte for byte.
--
-- A name that is spelled with an escape says the same, and is Lua's affair.
local drive = require("spec.front.drive")
local testing = require("croft.testing")

local META = "io.modelcontextprotocol/"
local READ = '"name":"read","arguments":{"path":"a.txt"}'
local MODERN = ('"%sprotocolVersion":"2026-07-28","%sclientCapabilities":{}'):format(META, META)

--- Looks at the same directory until something stops it: long enough for progress to be told.
local WALKER = [[
local tool = require("croft.tool")
return tool.define {
  name = "grep", description = "Walks.", access = "read",
  input = { type = "object", properties = {} },
  run = function(_, ctx)
    while true do ctx.fs:list(".", { max = 0 }) end
  end,
}
]]

local function call(id, params, before)
  return ('{"jsonrpc":"2.0",%s"id":%s,"method":"tools/call","params":{%s}}'):format(before or "",
    id, params)
end

--- The same for Lua.
local function spelled(line)
  return (line:gsub('"method"', '"m\\u0065thod"'))
end

describe("a call", function()
  local session, root

  setup(function()
    session = testing.session { files = {
      ["a.txt"] = "alpha \"beta\" é\t\n", ["docs/"] = true, ["../tools.d/grep.lua"] = WALKER,
    } }
    root = session:root()
  end)

  teardown(function() session:close() end)

  --- What the server says to the lines, byte for byte.
  local function said(lines, ...)
    local _, result = drive.serve(root, lines, ...)
    return result.out
  end

  local function is_answered_alike(line, ...)
    assert.not_equal(line, spelled(line))
    local quick = said({ drive.HANDSHAKE, line }, ...)
    assert.matches('^{"jsonrpc":"2.0","id":"hello","result".*\n{"jsonrpc":"2.0","id":', quick)
    assert.equal(said({ drive.HANDSHAKE, spelled(line) }, ...), quick)
    return quick
  end

  for name, line in pairs {
    ["as nearly all are"] = call("1", READ),
    ["with the id 0"] = call("0", READ),
    ["with the id -0"] = call("-0", READ),
    ["with a negative id"] = call("-17", READ),
    ["with an id of 18 digits"] = call("999999999999999999", READ),
    ["with an id of 64 bits"] = call("9223372036854775807", READ),
    ["with an id of 65 bits"] = call("9223372036854775808", READ),
    ["with a fraction as id"] = call("1.5", READ),
    ["with a power of ten as id"] = call("1e3", READ),
    ["with an empty id"] = call('""', READ),
    ["with a text as id"] = call('"a b\u{FC}\u{1F600}"', READ),
    ["with an escape in the id"] = call('"a\\n\\u0000b"', READ),
    ["with a lone surrogate in the id"] = call('"\\ud800"', READ),
    ["with the id null"] = call("null", READ),
    ["with an id that is a list"] = call("[1]", READ),
    ["with two ids"] = call("1", READ, '"id":2,'),
    ["with members that nobody knows"] = call("1", READ .. ',"x":{"name":"write"}', '"x":[{}],'),
    ["with a result"] = call("1", READ, '"result":{},"error":null,'),
    ["with two names"] = call("1", '"name":"write",' .. READ),
    ["with two names, the first good"] = call("1", READ .. ',"name":"nothing"'),
    ["with arguments twice"] = call("1", READ .. ',"arguments":{"path":"b.txt"}'),
    ["with params twice"] = call("1", READ):gsub("}$", ',"params":{"name":"read"}}'),
    ["with the wrong version"] = call("1", READ, '"jsonrpc":"1.0",'),
    ["with white space"] = call(" 1 ", ' "name" :\t"read" , "arguments" : { "path" : "a.txt" } '),
    ["without arguments"] = call("1", '"name":"read"'),
    ["without a name"] = call("1", '"arguments":{}'),
    ["without params"] = '{"jsonrpc":"2.0","id":1,"method":"tools/call"}',
    ["with params that are null"] = '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":null}',
    ["with params that are a list"] = '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":[]}',
    ["with arguments that are null"] = call("1", '"name":"read","arguments":null'),
    ["with arguments that are a list"] = call("1", '"name":"read","arguments":["a.txt"]'),
    ["with arguments that are a text"] = call("1", '"name":"read","arguments":"a.txt"'),
    ["with arguments that are wrong"] = call("1", '"name":"read","arguments":{"path":5,"x":1}'),
    ["with a path that is outside"] = call("1", '"name":"read","arguments":{"path":"../a"}'),
    ["with a lone surrogate in the path"] = call("1",
      '"name":"read","arguments":{"path":"\\udc00"}'),
    ["with a name that is a number"] = call("1", '"name":5,"arguments":{}'),
    ["with a name that has an escape"] = call("1",
      '"name":"re\\u0061d","arguments":{"path":"a.txt"}'),
    ["with a NUL in the name"] = call("1", '"name":"read\\u0000","arguments":{"path":"a.txt"}'),
    ["of a tool that there is not"] = call("1", '"name":"reads","arguments":{"path":"a.txt"}'),
    ["of grep"] = call("1", '"name":"grep","arguments":{"pattern":"beta"}'),
    ["of list"] = call("1", '"name":"list","arguments":{"recursive":true}'),
    ["of write"] = call("1", '"name":"write","arguments":{"path":"docs/x","content":"x"}'),
    ["with an empty _meta"] = call("1", READ .. ',"_meta":{}'),
    ["with a _meta that is null"] = call("1", READ .. ',"_meta":null'),
    ["with a _meta that is a number"] = call("1", READ .. ',"_meta":5'),
    ["with a token"] = call("1", READ .. ',"_meta":{"progressToken":"t"}'),
    ["with a token that is a fraction"] = call("1", READ .. ',"_meta":{"progressToken":0.5}'),
    ["with a token that is null"] = call("1", READ .. ',"_meta":{"progressToken":null,"x":[]}'),
    ["of the modern era"] = call("1", READ .. ',"_meta":{' .. MODERN .. "}"),
    ["of the modern era with a token"] = call("1",
      READ .. ',"_meta":{"progressToken":7,' .. MODERN .. "}"),
    ["of an era that there is not"] = call("1",
      READ .. ',"_meta":{' .. MODERN:gsub("2026", "2027") .. "}"),
    ["of the modern era without capabilities"] = call("1",
      READ .. ',"_meta":{' .. MODERN:gsub(",.*", "") .. "}"),
    ["of the modern era without a version"] = call("1",
      READ .. ',"_meta":{' .. MODERN:gsub("^.-,", "") .. "}"),
    ["of the modern era with capabilities that are none"] = call("1",
      READ .. ',"_meta":{' .. MODERN:gsub("{}", "[]") .. "}"),
  } do
    it(name .. " is answered as Lua would", function() is_answered_alike(line) end)
  end

  for _, version in ipairs { "2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25" } do
    it("is answered as " .. version .. " has it", function()
      local hello = drive.request(0, "initialize", { protocolVersion = version })
      local line = call("1", READ)
      assert.equal(said({ hello, spelled(line) }), said({ hello, line }))
    end)
  end

  it("is refused before initialize, and served behind it", function()
    local line = call("1", READ)
    assert.equal(said { spelled(line) }, said { line })
    assert.matches('"error"', said { line }, 1, true)
    assert.matches("alpha", said { drive.HANDSHAKE, line }, 1, true)
  end)

  it("of the modern era needs no initialize", function()
    local line = call("1", READ .. ',"_meta":{' .. MODERN .. "}")
    assert.equal(said { spelled(line) }, said { line })
    assert.matches("alpha", said { line }, 1, true)
  end)

  it("goes by the prefix, and by the bare name", function()
    local prefixed = call("1", '"name":"ws_read","arguments":{"path":"a.txt"}')
    assert.matches("alpha", is_answered_alike(prefixed, "--prefix", "ws_"), 1, true)
    is_answered_alike(call("1", READ), "--prefix", "ws_")
  end)

  it("of a tool set that has no such tool is refused alike", function()
    is_answered_alike(call("1", READ), "--toolset", "staged", "--gate", "allow")
    is_answered_alike(call("1", '"name":"grep"'), "--toolset", "staged", "--gate", "allow")
  end)

  it("is answered alike where the client is asked", function()
    is_answered_alike(call("1", READ), "--gate", "elicit")
  end)

  it("that is long tells of its progress with the token that came, and is called off", function()
    local script = drive.send(drive.request(1, "tools/call", {
      name = "grep", arguments = {}, _meta = { progressToken = "t" },
    })) .. "receive; receive\n" .. drive.send {
      jsonrpc = "2.0", method = "notifications/cancelled", params = { requestId = 1 },
    } .. drive.send(drive.request(2, "ping")) .. "leave; finish"
    local replies = drive.converse(root, script, "--toolset", "staged", "--gate", "allow",
      "--tools", root .. "/../tools.d", "--limit", "steps=4000000000", "--limit", "time=60s")
    assert.equal("t", replies[1].params.progressToken)
    assert.is_true(replies[1].params.progress < replies[2].params.progress)
    assert.is_true(#replies >= 3)
    for _, reply in ipairs(replies) do assert.not_equal(1, reply.id) end
    assert.equal(2, replies[#replies].id)
  end)

  it("that waits behind others is called off", function()
    local lines = { drive.HANDSHAKE }
    for id = 1, 40 do lines[#lines + 1] = call(id, '"name":"grep","arguments":{"pattern":"a"}') end
    for id = 2, 40 do
      lines[#lines + 1] = {
        jsonrpc = "2.0", method = "notifications/cancelled", params = { requestId = id },
      }
    end
    local replies = drive.serve(root, lines)
    assert.is_true(#replies < 42)
    assert.equal("hello", replies[1].id)
  end)

  it("whose input ends behind it is answered", function()
    local replies = drive.serve(root, { drive.HANDSHAKE, call('"last"', READ) })
    assert.equal("last", replies[2].id)
  end)
end)
