-- SPDX-License-Identifier: MIT
--- Where a process may give its files no more than a size (ulimit -f), the kernel would end it in
--- the middle of a write that asks for more. S0-60 S0-71
local cjson = require("cjson").new()
local drive = require("spec.front.drive")
local testing = require("croft.testing")
local tree = require("tree")

--- In blocks of 512 bytes. What the program prints goes to a file, too.
local LIMITED = 'ulimit -f 64\n"$CROFT" '
local LONG = ("x"):rep(100000)

describe("where no file may be large", function()
  local session, root

  before_each(function()
    session = testing.session { files = { ["a.txt"] = "old\n" } }
    root = session:root()
  end)

  after_each(function() session:close() end)

  --- The old content is there, no new file, and no temporary one.
  local function assert_unchanged()
    assert.equal("old\n", tree.text(root .. "/a.txt"))
    assert.equal("./a.txt\n", drive.shell("cd " .. drive.quoted(root) .. "; find . -type f").out)
  end

  local function assert_refused(text, other)
    assert.matches("would be larger than a file may be on this host. Nothing was changed", text, 1,
      true)
    assert.matches('"path": "' .. other .. '"', text, 1, true)
  end

  for path, other in pairs { ["a.txt"] = "more-a.txt", ["d/new.txt"] = "d/more-new.txt" } do
    it("croft call says so of a write to " .. path, function()
      local args = drive.quoted(cjson.encode { path = path, content = LONG })
      local call = LIMITED .. "call --json " .. drive.quoted(root) .. " write "
      local result = drive.shell(call .. args)
      assert.equal(1, result.status)
      assert.equal("no_space", cjson.decode(result.out).code)
      assert_refused(cjson.decode(result.out).text, other)
      assert_unchanged()
    end)
  end

  it("croft serve says so, and goes on", function()
    local lines = { cjson.encode(drive.HANDSHAKE) }
    for id, args in ipairs {
      { path = "a.txt", content = LONG }, { path = "a.txt", content = LONG, mode = "append" },
      { path = "new.txt", content = "new\n" },
    } do
      lines[#lines + 1] = cjson.encode(drive.call(id, "write", args))
    end
    local result = drive.shell(LIMITED .. "serve " .. drive.quoted(root),
      table.concat(lines, "\n") .. "\n")
    local replies = {}
    for line in result.out:gmatch("[^\n]+") do
      local reply = cjson.decode(line)
      replies[reply.id] = reply.result
    end
    assert.equal(0, result.status)
    assert_refused(replies[1].content[1].text, "more-a.txt")
    assert_refused(replies[2].content[1].text, "more-a.txt")
    assert.equal("new\n", tree.text(root .. "/new.txt"))
    os.remove(root .. "/new.txt")
    assert_unchanged()
  end)

  it("croft repl says so", function()
    local line = ("read path=a.txt\nwrite path=a.txt content=%s\n"):format(LONG)
    local result = drive.shell(LIMITED .. "repl " .. drive.quoted(root), line)
    assert.equal(1, result.status)
    assert_refused(result.out, "more-a.txt")
    assert_unchanged()
  end)

  it("an audit log that may not grow any more refuses the call", function()
    local log = drive.quoted(root .. "/../audit.log")
    drive.shell("head -c 32760 /dev/zero | tr '\\0' '\\n' >" .. log)
    local result = drive.shell(LIMITED .. "call " .. drive.quoted(root)
      .. " write path=a.txt content=new --audit " .. log)
    assert.equal(1, result.status)
    assert.matches("The audit log cannot be written", result.out, 1, true)
    assert_unchanged()
  end)

  it("a host in Lua is not ended, and what it makes of the signal stays", function()
    local host = ([[
      package.path, package.cpath = %q, %q
      local view = assert(require("croft").open(%q))
      local session = assert(view:session())
      print(session:call("write", { path = "a.txt", content = ("x"):rep(100000) }).code)
      io.open(%q, "w"):write(("x"):rep(100000)):close()
    ]]):format(package.path, package.cpath, root, root .. "/../own")
    local result = drive.shell("ulimit -f 64\n" .. tree.lua() .. " -", host)
    assert.matches("^no_space\n", result.out)
    assert.is_true(result.status ~= 0) -- by its own write
    assert_unchanged()
  end)
end)
