-- SPDX-License-Identifier: MIT
--- The staged tool set over MCP: links to what was opened, and resources to be read.
local cjson = require "cjson"
local drive = require("spec.front.drive")
local testing = require("croft.testing")

local STAGED = { "--toolset", "staged", "--gate", "allow" }

describe("the staged tool set over MCP", function()
  local session, root

  before_each(function()
    local lines = {}
    for i = 1, 300 do lines[i] = "line " .. i end
    session = testing.session { files = {
      ["a.txt"] = "alpha\nbeta\n", ["long.txt"] = table.concat(lines, "\n") .. "\n",
    } }
    root = session:root()
  end)

  after_each(function() session:close() end)

  --- Talks step by step: each of `steps` makes a request of the replies so far.
  local function talk(steps, handshake)
    local script = {}
    for i, step in ipairs(steps) do
      script[i] = step
    end
    return drive.converse(root, table.concat(script, ""), table.unpack(handshake or STAGED))
  end

  local function opened(path)
    return drive.send(drive.call(1, "open_file", { path = path })) .. "receive\n"
  end

  --- A request whose "HANDLE" is the handle in the reply that came last.
  local function about(request)
    return [[handle=$(printf '%s' "$line" | grep -o 'art_[0-9a-z]*' | head -n 1)]] .. "\n"
      .. "message=" .. drive.quoted(cjson.encode(request)) .. "\n"
      .. 'send "${message//HANDLE/$handle}"; receive\n'
  end

  local function read(id, uri) return drive.request(id, "resources/read", { uri = uri }) end

  it("declares resources", function()
    local hello = drive.serve(root, { drive.HANDSHAKE }, table.unpack(STAGED))[1].result
    assert.same({ tools = {}, resources = {} }, hello.capabilities)
    assert.matches("save_media writes it: nothing is on disk before", hello.instructions)
    local plain = drive.serve(root, { drive.HANDSHAKE })[1].result
    assert.same({ tools = {} }, plain.capabilities)
  end)

  it("gives a link to what was opened, besides the text", function()
    local reply = talk { opened("a.txt") }[1].result
    assert.equal("text", reply.content[1].type)
    local link = reply.content[2]
    assert.equal("resource_link", link.type)
    assert.equal("a.txt", link.name)
    assert.equal(11, link.size)
    assert.matches("^croft://handle/art_%w+$", link.uri)
    assert.is_truthy(reply.content[1].text:find(link.uri:match("art_%w+"), 1, true))
  end)

  it("gives no link to a client that knows none, nor to what is staged", function()
    local hello = cjson.decode(cjson.encode(drive.HANDSHAKE))
    hello.params.protocolVersion = "2025-03-26"
    local replies = drive.serve(root, { hello, drive.call(1, "open_file", { path = "a.txt" }) },
      table.unpack(STAGED))
    assert.equal(1, #replies[2].result.content)
    replies = drive.talk(root, { drive.call(1, "stage_file", { path = "a.txt" }) },
      table.unpack(STAGED))
    assert.equal(1, #replies[1].result.content)
  end)

  it("lists what is open, and reads it a page at a time", function()
    local replies = talk {
      opened("long.txt"),
      about(drive.request(2, "resources/list")),
      about(read(3, "croft://handle/HANDLE?offset=299")),
      about(read(4, "croft://handle/HANDLE?offset=2&limit=1")),
    }
    local resource = replies[2].result.resources[1]
    assert.equal("long.txt", resource.name)
    local page = replies[3].result.contents[1]
    assert.equal("299|line 299\n300|line 300\n[lines 299-300 of 300: end of file]", page.text)
    assert.equal("text/plain", page.mimeType)
    assert.matches("^2|line 2\n%[lines 2%-2 of 300%. Next: \"offset\": 3, \"limit\": 1%]$",
      replies[4].result.contents[1].text)
  end)

  it("says what cannot be read", function()
    local replies = drive.talk(root, {
      read(1, "croft://handle/art_nothing"), read(2, "croft://handle/med_nothing"),
      read(3, "file:///etc/passwd"), read(4, "croft://handle/art_x?offset=a"),
      drive.request(5, "resources/read", {}),
      drive.request(6, "resources/list", { cursor = "nonsense" }),
      drive.request(7, "resources/subscribe", { uri = "croft://handle/art_x" }),
      drive.request(8, "resources/list", { cursor = "from-9223372036854775807" }),
      drive.request(9, "resources/list", { cursor = "from-101" }),
    }, table.unpack(STAGED))
    local codes = {}
    for _, reply in ipairs(replies) do
      codes[reply.id] = reply.error.code
      assert.is_nil(reply.error.message:find(root, 1, true))
    end
    assert.same({ -32002, -32602, -32602, -32602, -32602, -32602, -32601, -32602, -32602 },
      codes)
    assert.matches("E_READER_NOT_DESCRIBABLE", cjson.encode(replies)) -- S2-32
  end)

  it("has a template for the pages", function()
    local reply = drive.talk(root, { drive.request(1, "resources/templates/list") },
      table.unpack(STAGED))[1].result
    assert.equal("croft://handle/{handle}{?offset,limit}", reply.resourceTemplates[1].uriTemplate)
  end)

  it("does the same in the modern era, whose errors and caching differ", function()
    local replies = drive.serve(root, {
      drive.modern(1, "tools/call", { name = "open_file", arguments = { path = "a.txt" } }),
      drive.modern(2, "resources/read", { uri = "croft://handle/art_nothing" }),
      drive.modern(3, "resources/list"),
    }, table.unpack(STAGED))
    local by_id = {}
    for _, reply in ipairs(replies) do by_id[reply.id] = reply end
    assert.equal("resource_link", by_id[1].result.content[2].type)
    assert.equal(-32602, by_id[2].error.code)
    assert.equal(0, by_id[3].result.ttlMs)
    assert.equal("private", by_id[3].result.cacheScope)
    assert.equal("complete", by_id[3].result.resultType)
  end)

  --- Opens a session that shows forms to its user.
  local FORMS = drive.send(drive.request("open", "initialize", {
    protocolVersion = "2025-11-25", capabilities = { elicitation = { form = cjson.null } },
  })):gsub("null", "{}") .. "receive >/dev/null\n"

  local function verdict(id, decision)
    return drive.send { jsonrpc = "2.0", id = id, result = {
      action = "accept", content = { decision = decision },
    } } .. "receive\n"
  end

  local ELICIT = { "--toolset", "staged", "--gate", "elicit" }

  it("asks before a file is opened, and before a page of it is read", function() -- S2-11 S2-18
    local handle = 'handle=$(printf "%s" "$line" | grep -o "art_[0-9a-z]*" | head -n 1)\n'
    local page = cjson.encode(read(2, "croft://handle/HANDLE"))
    local message = "message=" .. drive.quoted(page) .. "\n"
    local replies = talk({
      FORMS, drive.send(drive.call(1, "open_file", { path = "a.txt" })), "receive\n",
      verdict("croft-gate-1", "allow once"), handle, message,
      'send "${message//HANDLE/$handle}"; receive\n', verdict("croft-gate-2", "allow once"),
      'send "${message//HANDLE/$handle}"; receive\n', verdict("croft-gate-3", "deny"),
    }, ELICIT)
    assert.equal("elicitation/create", replies[1].method)
    assert.matches('"a.txt"', replies[1].params.message)
    assert.equal("resource_link", replies[2].result.content[2].type)
    assert.equal("elicitation/create", replies[3].method)
    assert.matches("^1|alpha\n2|beta\n", replies[4].result.contents[1].text)
    assert.equal("elicitation/create", replies[5].method)
    assert.matches("declined", replies[6].error.message)
  end)

  it("answers with the question in the modern era", function()
    local meta = cjson.decode(cjson.encode(drive.MODERN))
    meta["io.modelcontextprotocol/clientCapabilities"] = { elicitation = { form = cjson.null } }
    local request = cjson.encode(drive.modern(1, "resources/read",
      { uri = "croft://handle/art_0" }, meta)):gsub("null", "{}")
    local reply = drive.serve(root, { request }, table.unpack(ELICIT))[1]
    assert.equal("input_required", reply.result.resultType)
    assert.equal("elicitation/create", reply.result.inputRequests.gate.method)
    assert.is_string(reply.result.requestState)
  end)

  it("serves no resources without the set", function()
    local reply = drive.talk(root, { drive.request(1, "resources/list") })[1]
    assert.equal(-32601, reply.error.code)
  end)

  it("says at its end what was staged and never saved", function() -- S2-30
    local patch = drive.call(2, "apply_patch", {
      media_id = "HANDLE", patch = { find = "beta", replace = "b" },
    })
    local _, result = talk {
      drive.send(drive.call(1, "stage_file", { path = "a.txt" })) .. "receive >/dev/null\n",
      [[handle=$(printf '%s' "$line" | grep -o 'med_[0-9a-z]*' | head -n 1)]] .. "\n",
      "message=" .. drive.quoted(cjson.encode(patch)) .. "\n",
      'send "${message//HANDLE/$handle}"; receive\nleave\nfinish\n',
    }
    assert.matches('staged and never saved, so it is lost: "a.txt" %(med_%w+%)', result.err)
  end)

  it("does not begin without a gate, and names the choices", function() -- S2-11 S2-15
    local run = drive.run("serve", root, "--toolset", "staged")
    assert.equal(2, run.status)
    assert.matches("the staged tool set: these tools need a gate", run.err)
    assert.matches("%-%-gate elicit", run.err)
    assert.equal(2, drive.run("call", root, "media_list", "--toolset", "staged").status)
  end)

  it("shows its tools without one, since nothing is called", function()
    local run = drive.run("tools", root, "--toolset", "staged")
    assert.equal(0, run.status)
    assert.matches("save_media", run.out)
    assert.equal(2, drive.run("tools", root, "--toolset", "other").status)
  end)

  it("enables no tool that writes at once", function()
    local run = drive.run("tools", root, "--toolset", "staged", "--enable", "move")
    assert.equal(2, run.status)
    assert.matches("changes none before save_media", run.err)
  end)
end)
