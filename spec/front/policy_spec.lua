-- SPDX-License-Identifier: MIT
--- croft policy, and --policy of the other commands.
local cjson = require("cjson").new()
local drive = require("spec.front.drive")
local testing = require("croft.testing")

describe("croft policy", function()
  local directory, file

  local function write(text)
    local out <close> = assert(io.open(file, "w"))
    out:write(text)
    out:close()
    os.execute("chmod 600 " .. file)
  end

  setup(function()
    local pipe = assert(io.popen("mktemp -d"))
    directory = pipe:read("l")
    pipe:close()
    file = directory .. "/rules.lua"
  end)

  before_each(function()
    write([[return policy {
  version = 1,
  decider = { kind = "policy", timeout_s = 0.05 },
  rules = {
    deny { tools = "*", paths = { "**/.env" }, why = "credentials" },
    allow { tools = { "read", "list" }, paths = { "**" } },
  },
}]])
  end)

  teardown(function() os.execute("rm -r " .. directory) end)

  it("check says that nothing is wrong, or all that is", function()
    local result = drive.run("policy", "check", file)
    assert.same({ 0, file .. ": 2 rules, nothing is wrong\n" }, { result.status, result.out })
    write('return policy { version = 1, rules = { deny { tools = { "nope" }, x = 1 } } }')
    result = drive.run("policy", "check", file)
    assert.equal(1, result.status)
    assert.is_truthy(result.out:find('rules.lua:1: "x" is no field of a rule', 1, true))
    write('return policy { version = 1, rules = { deny { tools = { "nope" } } } }')
    result = drive.run("policy", "check", file)
    assert.is_truthy(result.out:find('rules.lua:1: there is no tool "nope"', 1, true))
    assert.equal(2, drive.run("policy", "look", file).status)
    assert.equal(2, drive.run("policy", "check", file, "more").status)
  end)

  it("check finds nothing wrong with the example", function()
    local source <close> = assert(io.open("examples/policy.lua"))
    write(source:read("a"))
    local result = drive.run("policy", "check", file)
    assert.equal(0, result.status, result.out)
  end)

  it("check knows the tools of --tools", function()
    local tools = directory .. "/tools"
    os.execute("mkdir -p " .. tools)
    local out <close> = assert(io.open(tools .. "/mine.lua", "w"))
    out:write([[return require("croft.tool").define { name = "mine", description = "M.",
      access = "read", input = { type = "object", properties = {} },
      run = function() return "done" end }]])
    out:close()
    write('return policy { version = 1, rules = { allow { tools = { "mine" } } } }')
    assert.equal(1, drive.run("policy", "check", file).status)
    assert.equal(0, drive.run("policy", "check", file, "--tools", tools).status)
  end)

  it("explain says which rules match, and which decides", function()
    local result = drive.run("policy", "explain", file, "read", "path=a/.env")
    assert.same({ 1, 'read: deny\n"a/.env": deny\n  rules.lua:5  deny  "**/.env"  credentials'
      .. '  <- decides\n  rules.lua:6  allow  "**"\n' }, { result.status, result.out })
    assert.equal(0, drive.run("policy", "explain", file, "read", "path=a").status)
    result = drive.run("policy", "explain", file, "write", '{"path":"a","content":""}', "--json")
    assert.equal(3, result.status)
    assert.equal("default", cjson.decode(result.out).paths[1].by)
    assert.equal(2, drive.run("policy", "explain", file, "nope").status)
    assert.equal(2, drive.run("policy", "explain", file, "read", "path=/x").status)
    assert.equal(2, drive.run("policy", "explain", file).status)
  end)

  it("check knows the tools of --toolset", function()
    write('return policy { version = 1, rules = { allow { tools = { "find_files" } } } }')
    assert.equal(0, drive.run("policy", "check", file, "--toolset", "staged").status)
    local result = drive.run("policy", "check", file, "--toolset", "mine")
    assert.equal(2, result.status)
  end)

  it("calls its file the same in all that is wrong with it", function()
    write([[return policy { version = 1, default = "x", rules = {
      deny { tools = "*", paths = { "[" } }, deny { tools = { "nope" } } } }]])
    local result = drive.run("policy", "check", file)
    local lines = 0
    for line in result.out:gmatch("[^\n]+") do
      assert.equal(file .. ":", line:sub(1, #file + 1))
      lines = lines + 1
    end
    assert.equal(3, lines)
    local place <close> = testing.session {}
    result = drive.run("call", place:root(), "list", "--policy", file)
    assert.equal("croft: there are 3 faults:", result.err:match("[^\n]+"))
  end)

  it("narrows the first file with further ones", function()
    local tenant = directory .. "/tenant.lua"
    local out <close> = assert(io.open(tenant, "w"))
    out:write('return policy { version = 1, rules = { ask { tools = "*", paths = { "b" } } } }')
    out:close()
    os.execute("chmod 600 " .. tenant)
    local result = drive.run("policy", "explain", file, "read", "path=b", "--policy", tenant)
    assert.equal(3, result.status)
  end)

  it("is what serve and call keep to, with the decider of the file or --gate", function()
    local place <close> = testing.session { files = { [".env"] = "KEY\n", ["a.txt"] = "alpha\n" } }
    local function call(...) return drive.run("call", place:root(), ...) end
    assert.equal(0, call("read", "path=a.txt", "--policy", file).status)
    local result = call("read", "path=.env", "--policy", file)
    assert.equal(1, result.status)
    assert.is_truthy(result.out:find("credentials", 1, true))
    assert.equal("a.txt (6 bytes)\n", call("list", "--policy", file).out)
    assert.equal(1, call("write", "path=b", "content=x", "--policy", file).status)
    assert.equal(0,
      call("write", "path=b", "content=x", "--policy", file, "--gate", "allow").status)
    result = call("write", "path=b", "content=x", "--gate", "policy")
    assert.same({ 2, "" }, { result.status, result.out })
    write("return policy { version = 1, rules = {} }")
    result = call("list", "--policy", file)
    assert.equal(2, result.status)
    assert.is_truthy(result.err:find("--gate elicit", 1, true))
    write("return policy { version = 2 }")
    result = call("list", "--policy", file)
    assert.equal(2, result.status)
    assert.is_truthy(result.err:find("version: it must be 1", 1, true))
  end)

  -- S2-18, S2-43
  it("says how long a question waits: nobody in time is no verdict", function()
    local place <close> = testing.session { files = { ["a.txt"] = "alpha\n" } }
    local audit = directory .. "/audit.log"
    local hello = drive.send(drive.request("open", "initialize", {
      protocolVersion = "2025-11-25", capabilities = { elicitation = { form = { a = 1 } } },
      clientInfo = { name = "spec" },
    })) .. "receive >/dev/null\n"
    local got = drive.converse(place:root(), hello
      .. drive.send(drive.call(1, "write", { path = "b", content = "x" })) .. "receive\nreceive\n"
      .. "receive\n", "--policy", file, "--gate", "elicit", "--audit", audit)
    assert.equal("elicitation/create", got[1].method)
    local by_kind = {}
    for index = 2, 3 do by_kind[got[index].method or got[index].id] = got[index] end
    assert.equal("croft-gate-1", by_kind["notifications/cancelled"].params.requestId)
    assert.is_true(by_kind[1].result.isError)
    assert.is_truthy(by_kind[1].result.content[1].text:find("nobody answered in time", 1, true))
    local kept = {}
    for line in io.lines(audit) do
      local record = cjson.decode(line)
      if record.decider then kept[#kept + 1] = record.verdict .. " " .. record.rule end
    end
    assert.same({ "ok default", "gate_unavailable timeout" }, kept)
  end)
end)
