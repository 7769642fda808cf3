-- SPDX-License-Identifier: MIT
--- Mounts and views from the command line.
local drive = require("spec.front.drive")
local host_tree = require("host_tree")

local TREE = [[
mkdir -p ws lib tenants/acme tenants/beta global/billing files
echo root > ws/a; echo lib > lib/f; echo acme > tenants/acme/n; echo beta > tenants/beta/n
echo open > global/open; echo bill > global/billing/b
]]

describe("croft call and serve", function()
  local tree

  before_each(function() tree = host_tree.make(TREE) end)
  after_each(function() tree:remove() end)

  local function run(...)
    local words = { ... }
    for index, word in ipairs(words) do words[index] = tree:path(word) end
    return drive.run(table.unpack(words))
  end

  local function put(name, text)
    local file = assert(io.open(tree:path("@/" .. name), "w"))
    file:write(tree:path(text))
    file:close()
  end

  it("show other directories under their names", function()
    local result = run("call", "@/ws", "list", "--mount", "lib=@/lib:ro", "--mount", "b=@/global",
      "--hide", "@/global/billing")
    assert.equal("a (5 bytes)\nb/\nlib/\n", result.out)
    result = run("call", "@/ws", "write", "path=lib/x", "content=x", "--mount", "lib=@/lib:ro")
    assert.equal(1, result.status)
    assert.matches('"lib", which is read-only', result.out, 1, true)
    assert.equal(0, run("call", "@/ws", "write", "path=lib/x", "content=x", "--mount",
      "lib=@/lib").status)
    assert.equal("x", tree:text("lib/x"))
    assert.equal(0, run("call", "@/ws", "read", "path=lib/f", "--mount", "lib=@/lib:rw").status)
  end)

  it("are held by the wall to what is mounted, by its mode", function()
    local result = run("call", "@/ws", "write", "path=lib/y", "content=y", "--mount", "lib=@/lib",
      "--trace")
    assert.equal(0, result.status, result.out)
    assert.equal("y", tree:text("lib/y"))
    assert.matches("lib/y", result.err, 1, true)
  end)

  it("keep the log of what was done out of all that is mounted", function()
    for _, file in ipairs { "@/lib/log", "@/lib/f", "@/ws/log", "@/lib/../ws/log" } do
      local result = run("call", "@/ws", "list", "--mount", "lib=@/lib", "--audit", file)
      assert.equal(2, result.status)
      assert.matches("where tools could change it", result.err)
    end
    assert.is_nil(tree:text("lib/log"))
    assert.equal(0, run("call", "@/ws", "list", "--mount", "lib=@/lib", "--audit",
      "@/files/log").status)
    assert.matches('"op":"list"', tree:text("files/log"))
  end)

  it("take a view from JSON and from Lua, without a ROOT", function()
    put("view.json", '{"root": "@/tenants/acme", "tenants": "@/tenants", "global": "@/global",'
      .. ' "hide": ["@/global/billing"]}')
    put("view.lua", 'return { root = "@/tenants/{tenant}", tenants = "@/tenants", '
      .. 'global = "@/global", hide = { "@/global/" .. "billing" } }')
    for _, words in ipairs { { "@/view.json" }, { "@/view.lua", "--tenant", "acme" } } do
      local result = run("call", "--view", words[1], "list", "recursive:=true",
        table.unpack(words, 2))
      assert.equal("global/\nglobal/open (5 bytes)\nn (5 bytes)\n", result.out, result.err)
    end
    assert.matches("1|beta", run("call", "--view", "@/view.lua", "--tenant", "beta", "read",
      "path=n").out)
  end)

  it("say all that is wrong with a view, and open nothing", function()
    put("bad.json", '{"root": "@/none", "color": 1, "net": "on", "hide": "x"}')
    local result = run("call", "--view", "@/bad.json", "list")
    assert.equal(2, result.status)
    assert.equal("", result.out)
    for _, word in ipairs { "4 faults", "does not exist", "color", "net:", "hide is" } do
      assert.matches(word, result.err, 1, true)
    end
    assert.matches("2 faults", run("call", "@/ws", "list", "--mount", "x=@/none", "--mount",
      "../y=@/lib").err)
  end)

  for _, case in ipairs {
    { "a mount without a path", { "call", "@/ws", "list", "--mount", "lib" }, "NAME=PATH" },
    { "a root besides a view", { "serve", "@/ws", "--view", "@/v.json" }, "does not know" },
    { "a mount besides a view",
      { "call", "--view", "@/v.json", "list", "--mount", "a=@/lib" }, "does not go with" },
    { "a tenant without a view", { "call", "@/ws", "list", "--tenant", "x" }, "needs %-%-view" },
    { "a view that is not there", { "call", "--view", "@/none.json", "list" }, "cannot read" },
    { "a view in Lua that fails", { "call", "--view", "@/fails.lua", "list" }, "does not run" },
    { "a view in Lua that is no table", { "call", "--view", "@/text.lua", "list" }, "a table" },
    { "a tenant that climbs", { "call", "--view", "@/t.json", "--tenant", "../x", "list" },
      "is no name" },
    { "a view for tenants, and no tenant", { "call", "--view", "@/t.json", "list" }, "tenants" },
    { "a tenant that is not there", { "call", "--view", "@/t.json", "--tenant", "gamma", "list" },
      "does not exist" },
  } do
    it("refuse " .. case[1], function()
      put("v.json", '{"root": "@/ws"}')
      put("t.json", '{"tenants": "@/tenants"}')
      put("fails.lua", "return nothing.at.all")
      put("text.lua", 'return "x"')
      local result = run(table.unpack(case[2]))
      assert.equal(2, result.status)
      assert.equal("", result.out)
      assert.matches(case[3], result.err)
    end)
  end

  it("serve a view to a client", function()
    put("v.json", '{"root": "@/ws", "maps": [{"src": "@/lib", "dst": "kit"}]}')
    local result = drive.shell(('"$CROFT" serve --view %s'):format(
      drive.quoted(tree:path("@/v.json"))), '{"jsonrpc":"2.0","id":1,"method":"initialize",'
      .. '"params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"s"}}}\n'
      .. '{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"read","arguments":'
      .. '{"path":"kit/f"}}}\n')
    assert.equal(0, result.status)
    assert.matches("1|lib", result.out)
    assert.not_matches("is covered", result.err)
    tree:run("mkdir ws/kit")
    result = drive.shell(('"$CROFT" serve --view %s'):format(
      drive.quoted(tree:path("@/v.json"))), "")
    assert.matches('has as "kit" is covered by a mount', result.err, 1, true)
  end)

  it("serve it by its names alone", function()
    put("v.json", '{"root": "@/ws", "maps": [{"src": "@/lib", "dst": "kit"}]}')
    local result = drive.shell(('"$CROFT" serve --view %s'):format(
      drive.quoted(tree:path("@/v.json"))), '{"jsonrpc":"2.0","id":1,"method":"initialize",'
      .. '"params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"s"}}}\n')
    assert.matches("skills, docs, templates, context and kit", result.out)
    assert.not_matches(tree.base, result.out, 1, true)
  end)
end)
