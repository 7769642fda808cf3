-- SPDX-License-Identifier: MIT
--- The Model Context Protocol, in both of its eras.
local drive = require("spec.front.drive")
local testing = require("croft.testing")

local META = "io.modelcontextprotocol/"
local LEGACY = { "2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05" }

local session, root

local function new_root()
  session = testing.session { files = { ["a.txt"] = "alpha\nbeta\n", ["docs/"] = true } }
  root = session:root()
end

local function close_root() session:close() end

--- The reply to the one request after a handshake.
local function ask(request, ...) return drive.talk(root, { request }, ...)[1] end

--- The reply to one request on a fresh server.
local function ask_first(request) return drive.serve(root, { request })[1] end

local function initialize(version)
  return drive.request(1, "initialize", { protocolVersion = version, capabilities = {} })
end

describe("the handshake", function()
  before_each(new_root)
  after_each(close_root)

  for _, version in ipairs(LEGACY) do
    it("agrees to " .. version, function()
      assert.equal(version, ask_first(initialize(version)).result.protocolVersion)
    end)
  end

  for _, version in ipairs { "1999-01-01", "2026-07-28", "" } do
    it("offers the latest version to who asks for '" .. version .. "'", function()
      assert.equal(LEGACY[1], ask_first(initialize(version)).result.protocolVersion)
    end)
  end

  it("wants a version", function()
    assert.equal(-32602, ask_first(drive.request(1, "initialize", {})).error.code)
    assert.equal(-32602, ask_first(initialize(5)).error.code)
  end)

  it("declares tools and nothing else", function()
    local result = ask_first(initialize(LEGACY[1])).result
    assert.same({ tools = {} }, result.capabilities)
  end)

  -- S0-78; the name `workspace` is reserved by a client (D20)
  it("names the server croft", function()
    local info = ask_first(initialize(LEGACY[1])).result.serverInfo
    assert.equal("croft", info.name)
    assert.matches("^%d+%.%d+%.%d+$", info.version)
  end)

  it("can be repeated", function()
    local replies = drive.serve(root, { initialize(LEGACY[1]), initialize(LEGACY[2]) })
    assert.equal(LEGACY[2], replies[2].result.protocolVersion)
  end)

  it("comes before everything but ping, and nothing runs before it", function()
    local replies = drive.serve(root, {
      drive.request(1, "ping"),
      drive.request(2, "tools/list"),
      drive.call(3, "write", { path = "early.txt", content = "x" }),
    })
    assert.same({}, replies[1].result)
    assert.equal(-32602, replies[2].error.code)
    assert.equal(-32602, replies[3].error.code)
    assert.is_nil(io.open(root .. "/early.txt"))
  end)
end)

describe("the instructions", function()
  before_each(new_root)
  after_each(close_root)

  local function instructions(...)
    return drive.serve(root, { drive.HANDSHAKE }, ...)[1].result.instructions
  end

  it("tell of relative paths first, then of what cannot be changed", function()
    local text = instructions()
    assert.is_true(#text <= 1000)
    assert.is_true(text:find("relative", 1, true) < text:find("skills, docs, templates", 1, true))
  end)

  it("name the tools as they are called here", function()
    assert.matches("ws_read", instructions("--prefix", "ws_"))
    assert.not_matches(" read shows", instructions("--prefix", "ws_"))
  end)

  it("say when nothing can be changed", function()
    assert.matches("whole workspace is read%-only", instructions("--read-only"))
  end)
end)

describe("tools/list", function()
  before_each(new_root)
  after_each(close_root)

  it("lists the five tools on one page, sorted by name", function() -- S0-1, S0-4, S0-12
    local names, result = {}, ask(drive.request(1, "tools/list")).result
    for index, tool in ipairs(result.tools) do names[index] = tool.name end
    assert.same({ "edit", "grep", "list", "read", "write" }, names)
    assert.is_nil(result.nextCursor)
  end)

  it("says the same in both eras and each time", function()
    local replies = drive.talk(root, {
      drive.request(1, "tools/list"), drive.request(2, "tools/list"),
      drive.modern(3, "tools/list"),
    })
    assert.same(replies[1].result.tools, replies[2].result.tools)
    assert.same(replies[1].result.tools, replies[3].result.tools)
  end)

  it("has no second page", function()
    assert.equal(-32602, ask(drive.request(1, "tools/list", { cursor = "x" })).error.code)
  end)
end)

describe("tools/call", function()
  before_each(new_root)
  after_each(close_root)

  it("gives what the library gives, as one text", function() -- S0-4, S0-13
    local result = ask(drive.call(1, "read", { path = "a.txt" })).result
    assert.same({ { type = "text", text = session:call("read", { path = "a.txt" }).text } },
      result.content)
    assert.is_nil(result.isError)
  end)

  it("flags what the tool refuses, with a text to act on", function() -- S0-15
    local result = ask(drive.call(1, "read", { path = "../a.txt" })).result
    assert.is_true(result.isError)
    assert.equal(session:call("read", { path = "../a.txt" }).text, result.content[1].text)
  end)

  it("has an error of the protocol for an unknown tool alone", function() -- S0-14
    local err = ask(drive.call(1, "open", {})).error
    assert.equal(-32602, err.code)
    assert.matches('"open"', err.message)
    assert.is_true(ask(drive.call(1, "read", { path = "absent" })).result.isError)
  end)

  it("does not take a name that is cut short by a NUL for the tool", function()
    assert.equal(-32602, ask(drive.call(1, "read\0x", { path = "a.txt" })).error.code)
  end)

  it("takes no error of a tool for one that says that nothing ran", function()
    local path = root .. "/../tools/liar.lua"
    local file = assert(io.open(path, "w"))
    file:write([[local _, err return require("croft.tool").define {
      name = "liar", description = "Lies.", access = "write",
      input = { type = "object", properties = {
        code = { type = "string", description = "A code." } } },
      run = function(args, ctx)
        ctx.fs:write(args.code, "written")
        _, err = pcall(ctx.fs.read, ctx.fs, "none")
        err.code = args.code
        error(err, 0)
      end }]])
    file:close()
    for _, code in ipairs { "unknown_tool", "bad_json", "cancelled", "stopped" } do
      local reply = ask(drive.call(1, "liar", { code = code }), "--tools", root .. "/../tools")
      assert.is_nil(reply.error)
      assert.is_true(reply.result.isError)
      assert.matches("fault of the tool", reply.result.content[1].text)
      assert.equal("", session:call("read", { path = code }).code)
    end
  end)

  it("wants a name and an object", function()
    for _, params in ipairs {
      { arguments = {} }, { name = 5 }, { name = "list", arguments = "x" },
      { name = "list", arguments = { 1 } },
    } do
      assert.equal(-32602, ask(drive.request(1, "tools/call", params)).error.code)
    end
  end)

  it("takes arguments that are absent or null as none", function()
    assert.is_nil(ask(drive.request(1, "tools/call", { name = "list" })).result.isError)
    assert.is_nil(ask(drive.call(1, "list", drive.null)).result.isError)
  end)

  it("lets no argument move the root", function() -- S0-5
    local result = ask(drive.call(1, "list", { path = ".", root = "/" })).result
    assert.is_true(result.isError)
  end)

  it("never tells where the root is", function() -- S0-70
    local _, output = drive.talk(root, {
      drive.call(1, "list", {}), drive.call(2, "read", { path = "absent" }),
      drive.call(3, "read", { path = "docs" }), drive.call(4, "open", {}),
    })
    assert.is_nil(output.out:find(root, 1, true))
  end)

  it("serves the calls after one another", function() -- S0-8
    local edits = {}
    for id = 1, 60 do
      edits[id] = drive.call(id, "write", { path = "log", content = "x", mode = "append" })
    end
    drive.talk(root, edits, "--no-fsync") -- all end within the second that a client leaves them
    assert.equal(("x"):rep(60), require("tree").text(root .. "/log"))
  end)
end)

describe("a request that names its version", function()
  before_each(new_root)
  after_each(close_root)

  it("needs no handshake", function()
    local result = ask_first(drive.modern(1, "tools/call",
      { name = "read", arguments = { path = "a.txt" } })).result
    assert.equal("complete", result.resultType)
    assert.equal("croft", result._meta[META .. "serverInfo"].name)
    assert.matches("alpha", result.content[1].text)
  end)

  it("discovers what there is", function()
    local result = ask_first(drive.modern(1, "server/discover")).result
    assert.same({ "2026-07-28", table.unpack(LEGACY) }, result.supportedVersions)
    assert.same({ tools = {} }, result.capabilities)
    assert.equal("public", result.cacheScope)
    assert.is_true(result.ttlMs >= 0)
  end)

  it("may stand between those of the other era", function()
    local replies = drive.serve(root, {
      drive.modern(1, "server/discover"), drive.HANDSHAKE, drive.request(2, "ping"),
      drive.modern(3, "tools/list"),
    })
    assert.equal(LEGACY[1], replies[2].result.protocolVersion)
    assert.same({}, replies[3].result)
    assert.equal("complete", replies[4].result.resultType)
  end)

  for name, meta in pairs {
    ["no version"] = { [META .. "clientCapabilities"] = {} },
    ["no capabilities"] = { [META .. "protocolVersion"] = "2026-07-28" },
    ["a version that is no string"] = {
      [META .. "protocolVersion"] = 5, [META .. "clientCapabilities"] = {},
    },
    ["capabilities that are no object"] = {
      [META .. "protocolVersion"] = "2026-07-28", [META .. "clientCapabilities"] = "x",
    },
  } do
    it("is refused with " .. name, function()
      assert.equal(-32602, ask_first(drive.modern(1, "server/discover", {}, meta)).error.code)
    end)
  end

  for _, version in ipairs { "1900-01-01", LEGACY[1] } do
    it("learns which versions there are when it names " .. version, function()
      local err = ask_first(drive.modern(1, "tools/list", {}, {
        [META .. "protocolVersion"] = version, [META .. "clientCapabilities"] = {},
      })).error
      assert.equal(-32022, err.code)
      assert.equal(version, err.data.requested)
      assert.equal("2026-07-28", err.data.supported[1])
    end)
  end

  for _, method in ipairs { "ping", "logging/setLevel", "resources/list" } do
    it("finds no method " .. method, function()
      assert.equal(-32601, ask_first(drive.modern(1, method)).error.code)
    end)
  end

  it("holds a subscription until the input ends", function()
    local replies = drive.serve(root, {
      drive.modern("s1", "subscriptions/listen", { notifications = {} }),
      drive.modern(2, "tools/list"),
    })
    assert.equal("notifications/subscriptions/acknowledged", replies[1].method)
    assert.equal("s1", replies[1].params._meta[META .. "subscriptionId"])
    assert.equal(2, replies[2].id)
    assert.equal("s1", replies[3].id)
  end)

  it("hears nothing more of a subscription that it cancelled", function()
    local replies = drive.serve(root, {
      drive.modern("s1", "subscriptions/listen", { notifications = {} }),
      { jsonrpc = "2.0", method = "notifications/cancelled", params = { requestId = "s1" } },
    })
    assert.equal(1, #replies)
  end)
end)
