-- SPDX-License-Identifier: MIT
--- The second wall of the program: with a resolver that is broken on purpose nothing outside is
--- read or written. S0-38, S0-39
local drive = require("spec.front.drive")
local testing = require("croft.testing")
local tree = require("tree")

local FILES = {
  ["a.txt"] = "inside\n", ["host"] = { link = "../outside" }, ["../outside/secret"] = "TOPSECRET\n",
  ["link"] = { link = "a.txt" },
}

--- What the program says of the wall when it starts: "landlock 7", "no landlock: ...".
local function wall_of(root, ...)
  local _, result = drive.serve(root, {}, ...)
  return result.err:match("%(%w+, (.-)%)\n$")
end

--- How many filters of system calls hold each thread: a container has its own, which count too.
local function filters_of(status)
  local found = {}
  for count in ("\n" .. status):gmatch("\nSeccomp_filters:%s*(%d+)") do
    found[#found + 1] = tonumber(count)
  end
  return found
end

local function assert_fenced(status)
  local ours = filters_of(tree.text("/proc/self/status"))[1]
  local found = filters_of(status)
  assert.is_true(#found >= 1)
  for _, count in ipairs(found) do assert.equal(ours + 1, count) end
end

describe("The second wall", function()
  local session, root, broken, missing

  setup(function()
    session = testing.session { files = FILES }
    root = session:root()
    local wall = wall_of(root)
    missing = not wall:find("^landlock") and wall
    broken = root .. "/../broken.so"
    local built = drive.shell(("cc -shared -fPIC -o %s spec/checks/broken_openat2.c")
      :format(drive.quoted(broken)))
    assert.equal(0, built.status, built.err)
  end)

  teardown(function() session:close() end)

  --- Runs croft with the broken resolver, behind the wall or not.
  local function break_out(command, words, ...)
    local _, kept = drive.shell, drive.quoted
    local line = ("LD_PRELOAD=%s \"$CROFT\" %s %s"):format(kept(broken), command, kept(root))
    for _, word in ipairs { ... } do line = line .. " " .. kept(word) end
    return drive.shell(line, words)
  end

  it("is said to be up when the server starts, or why it is not", function()
    local said = wall_of(root)
    assert.is_truthy(said:find("^landlock %d+$") or said:find("^no landlock: %l"), said)
    assert.equal("no landlock: as asked for", wall_of(root, "--no-landlock"))
  end)

  it("is what holds: without it the broken resolver reads outside", function()
    if missing then return pending(missing) end
    local result = break_out("call", "", "read", "path=host/secret", "--no-landlock")
    assert.matches("TOPSECRET", result.out)
  end)

  it("keeps a call from reading outside", function()
    if missing then return pending(missing) end
    local result = break_out("call", "", "read", "path=host/secret")
    assert.equal(1, result.status)
    assert.not_matches("TOPSECRET", result.out)
    assert.matches("inside", break_out("call", "", "read", "path=link").out)
  end)

  it("keeps every thread of the server from it", function()
    if missing then return pending(missing) end
    local lines = { '{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":'
      .. '"2025-11-25"}}' }
    for id = 1, 40 do -- a grep hands the reading of the next line to another thread
      lines[#lines + 1] = ('{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"%s",'
        .. '"arguments":%s}}'):format(id, id % 2 == 0 and "read" or "grep", id % 2 == 0
        and '{"path":"host/secret"}' or '{"pattern":"TOP","path":"host"}')
    end
    local input = table.concat(lines, "\n") .. "\n"
    local held = break_out("serve", input)
    local free = break_out("serve", input, "--no-landlock")
    assert.equal(0, held.status)
    assert.equal(40, select(2, held.out:gsub('"isError":true', "")))
    assert.not_matches("TOPSECRET", held.out)
    assert.equal(40, select(2, free.out:gsub("TOPSECRET", "")))
  end)

  it("leaves the server no way to more rights", function()
    if missing then return pending(missing) end
    local _, result = drive.converse(root, drive.send(drive.call(1, "grep", { pattern = "x" }))
      .. "receive >/dev/null; cat /proc/$server/task/*/status >&2; leave; finish")
    local all = select(2, result.err:gsub("\nNoNewPrivs:", ""))
    assert.is_true(all >= 3)
    assert.equal(all, select(2, result.err:gsub("\nNoNewPrivs:%s1\n", "\n")))
    assert_fenced(result.err)
  end)

  it("keeps the REPL from system calls, too", function()
    if missing then return pending(missing) end
    local result = drive.shell(([[at=$(mktemp -d); mkfifo $at/in $at/out
      "$CROFT" repl %s <$at/in >$at/out & exec 3>$at/in 4<$at/out
      echo "= 'ready'" >&3; read -r line <&4; cat /proc/$!/task/*/status
      exec 3>&-; wait; rm -r $at]]):format(drive.quoted(root)))
    assert_fenced(result.out)
  end)

  it("lets tools that move and remove do their work", function()
    if missing then return pending(missing) end
    local ground <close> = testing.session { files = {
      ["d/a.txt"] = "a\n", ["d/link"] = { link = "a.txt" }, ["empty/"] = true,
      ["e/sub/b.txt"] = "b\n",
    } }
    local function call(tool, ...)
      local result = drive.run("call", ground:root(), tool, "--enable", "move,remove", ...)
      assert.equal(0, result.status, result.out .. result.err)
    end
    call("move", "from=d/a.txt", "to=e/a.txt")
    call("move", "from=e/sub", "to=d/sub")
    call("move", "from=d/link", "to=e/link")
    call("remove", "path=empty")
    assert.equal("a\n", tree.text(ground:root() .. "/e/link"))
    assert.equal("b\n", tree.text(ground:root() .. "/d/sub/b.txt"))
    assert.equal("d\ne\n", tree.output("ls " .. ground:root()))
  end)

  it("can be put up by a host in Lua", function()
    local script = [[
      local croft = require("croft")
      local view = assert(croft.open("%s"))
      local session = assert(view:session())
      local wall, err = view:confine()
      print(wall and wall.landlock or err.message, io.open("/etc/passwd") == nil,
        session:call("read", { path = "link" }).text:match("inside"))]]
    local result = drive.shell(('LUA_PATH="lua/host/?.lua" LUA_CPATH="$(dirname $CROFT)/?.so;;" '
      .. "%s -e %s"):format(tree.lua(), drive.quoted(script:format(root))))
    if result.out:find("^%d") then
      assert.matches("^%d+\ttrue\tinside\n$", result.out)
    else
      assert.matches("^%l[^\t]+\tfalse\tinside\n$", result.out, result.err)
    end
  end)
end)
