-- SPDX-License-Identifier: MIT
--- The audit log: every call is in it, and none runs that cannot be. S0-4
local cjson = require("cjson").new()
local drive = require("spec.front.drive")
local testing = require("croft.testing")
local tree = require("tree")

local FULL = "/dev/full"

describe("croft --audit", function()
  local session, root, log

  before_each(function()
    session = testing.session { files = { ["a.txt"] = "alpha\n", ["link"] = { link = "a.txt" } } }
    root = session:root()
    log = root .. "/../log"
  end)

  after_each(function() session:close() end)

  local function records()
    local list = {}
    for line in tree.text(log):gmatch("[^\n]+") do list[#list + 1] = cjson.decode(line) end
    return list
  end

  it("appends one object a line, of which each has all fields", function()
    drive.run("call", root, "read", "path=link", "--audit", log)
    local lines = tree.text(log)
    assert.equal(3, select(2, lines:gsub("\n", "")))
    local keys = '^{"time":"[^"]+","call":%d+,"tool":"[^"]+","op":"%l+","path":[^,]+,'
      .. '"resolved":[^,]+,"verdict":"%l+","rule":%l+,"bytes":%d+,"us":%d+}$'
    for line in lines:gmatch("[^\n]+") do assert.matches(keys, line) end
    local page = records()[2]
    assert.same({ "page", "link", "a.txt", "ok" },
      { page.op, page.path, page.resolved, page.verdict })
    drive.run("call", root, "read", "path=link", "--audit", log)
    assert.equal(lines, tree.text(log):sub(1, #lines))
    assert.equal(6, #records())
  end)

  it("makes a file for its owner alone", function()
    drive.run("call", root, "list", "--audit", log)
    assert.equal("600\n", (tree.output("stat -c %a " .. drive.quoted(log))))
  end)

  it("has the calls of a server, of all its threads, whole", function()
    local messages = {}
    for id = 1, 60 do
      messages[id] = drive.call(id, id % 3 == 0 and "grep" or "read",
        id % 3 == 0 and { pattern = "alpha" } or { path = id % 2 == 0 and "link" or "../x" })
    end
    drive.talk(root, messages, "--audit", log)
    local begun, ended, refused = {}, {}, 0
    for _, record in ipairs(records()) do
      if record.op == "call" then begun[record.call] = record.tool end
      if record.op == "end" then ended[record.call] = record.tool end
      if record.rule == "climbs" then refused = refused + 1 end
    end
    assert.equal(60, #begun)
    assert.same(begun, ended)
    assert.equal(20, refused)
  end)

  it("never holds what stands in a file", function()
    drive.run("call", root, "write", "path=b.txt", "content=TOPSECRET", "--audit", log)
    drive.run("call", root, "edit", "path=b.txt", "old_string=TOP", "new_string=A", "--audit", log)
    drive.run("call", root, "grep", "pattern=SECRET", "--audit", log)
    assert.is_nil(tree.text(log):find("SECRET", 1, true))
  end)

  it("is written on behind the wall, and when it is copied and cut short meanwhile", function()
    local call = drive.send(drive.call(1, "read", { path = "a.txt" })) .. "receive\n"
    drive.converse(root, call .. ": >" .. drive.quoted(log) .. "\n" .. call .. "leave; finish",
      "--audit", log)
    local list = records()
    assert.equal(3, #list)
    assert.equal("call", list[1].op)
  end)

  for _, case in ipairs {
    { "a FIFO that nobody reads", 'mkfifo "$LOG"', "FIFO" },
    { "a FIFO that somebody reads", 'mkfifo "$LOG"; sleep 2 <>"$LOG" &', "FIFO" },
    { "a directory", 'mkdir "$LOG"', "directory" },
    { "a link", 'ln -s /dev/null "$LOG"', "link" },
    { "a file in ROOT", 'LOG="$ROOT/log"', "in ROOT" },
    { "a file in a directory of ROOT, by another way",
      'mkdir "$ROOT/d"; ln -s root/d "$ROOT/../way"; LOG="$ROOT/../way/log"', "in ROOT" },
    { "a file whose directory is missing", 'LOG="$ROOT/../none/log"', "does not exist" },
  } do
    it("refuses " .. case[1] .. " at the start", function()
      for _, command in ipairs { 'serve "$ROOT"', 'call "$ROOT" list' } do
        local result = drive.shell(('ROOT=%s LOG=%s; rm -rf "$LOG" "$ROOT/d" "$ROOT/../way"; %s\n'
          .. '"$CROFT" %s --audit "$LOG"; status=$?; test ! -e "$ROOT/log" -a ! -e "$ROOT/d/log" '
          .. "&& exit $status"):format(drive.quoted(root), drive.quoted(log), case[2], command))
        assert.equal(2, result.status)
        assert.equal("", result.out)
        assert.matches("^croft: the audit log [^\n]+: [^\n]*" .. case[3] .. "[^\n]*\n$", result.err)
      end
    end)
  end

  it("lets no call run while the disk is full", function()
    local result = drive.run("call", root, "write", "path=b.txt", "content=x", "--audit", FULL)
    assert.equal(1, result.status)
    assert.equal("The audit log cannot be written, and without it write may not run, nor may "
      .. "another tool. Nothing was changed. There is no next call: tell the operator.\n",
      result.out)
    assert.is_nil(io.open(root .. "/b.txt"))
  end)

  it("lets no call of a server run either, and the server live", function()
    local replies, result = drive.talk(root, {
      drive.call(1, "read", { path = "a.txt" }), drive.call(2, "grep", { pattern = "alpha" }),
      drive.request(3, "ping"),
    }, "--audit", FULL)
    assert.equal(0, result.status)
    for _, reply in ipairs(replies) do
      if reply.id ~= 3 then
        assert.is_true(reply.result.isError)
        assert.matches("audit log cannot be written", reply.result.content[1].text)
      end
    end
    assert.equal(3, #replies)
  end)

  it("ends a call when the disk is full then, and goes on when it no longer is", function()
    local small = root .. "/../small"
    local mount = ("mkdir -p %s && mount -t tmpfs -o size=8k none %s"):format(small, small)
    if drive.shell(mount).status ~= 0 then return pending("mounting is refused") end
    local write = drive.send(drive.call(1, "write", { path = "b.txt", content = "x" }))
      .. "receive\n"
    local script = write .. "head -c 100000 /dev/zero >" .. small .. "/fill 2>/dev/null\n"
      .. ("for i in 1 2 3 4 5 6 7 8 9 10 11 12; do %s done\n"):format(write)
      .. "rm " .. small .. "/fill\n" .. write .. "leave; finish"
    local replies = drive.converse(root, script, "--audit", small .. "/log")
    log = small .. "/log"
    local lines = tree.text(log)
    drive.shell("umount " .. drive.quoted(small))
    assert.is_falsy(replies[1].result.isError)
    assert.is_true(replies[13].result.isError)
    assert.is_falsy(replies[14].result.isError)
    local whole = 0
    for line in lines:gmatch("[^\n]+") do
      if pcall(cjson.decode, line) then whole = whole + 1 end
    end
    assert.is_true(select(2, lines:gsub("\n", "")) - whole <= 1) -- one may be cut short
    assert.matches('"op":"end".-\n$', lines)
  end)
end)

describe("croft call --trace", function()
  local session <const> = testing.session { files = { ["a.txt"] = "alpha\n",
    ["link"] = { link = "a.txt" } } }

  teardown(function() session:close() end)

  it("prints a table of what the call did, on stderr", function()
    local result = drive.run("call", session:root(), "read", "path=link", "--trace")
    assert.equal(0, result.status)
    assert.matches("^1|alpha\n", result.out)
    local lines = {}
    for line in result.err:gmatch("[^\n]+") do lines[#lines + 1] = line end
    assert.matches("landlock", lines[1])
    assert.matches("^op +path +verdict +bytes +us$", lines[2])
    assert.matches("^call +%- +ok +15 +0$", lines[3])
    assert.matches("^page +link %-> a%.txt +ok +%d+ +%d+$", lines[4])
    assert.matches("^end +%- +ok +%d+ +%d+$", lines[5])
    for index = 3, #lines do assert.equal(#lines[2], #lines[index]) end
  end)

  it("says what refused", function()
    local result = drive.run("call", session:root(), "read", "path=../x", "--trace")
    assert.equal(1, result.status)
    assert.matches("\npage +%.%./x +outside %(climbs%) +0 +%d+\n", result.err)
    assert.matches("\nend +%- +outside +", result.err)
  end)

  it("prints it for a call that cannot be made, too", function()
    local result = drive.run("call", session:root(), "none", "--trace")
    assert.equal(2, result.status)
    assert.matches("\nend +%- +unknown_tool +", result.err)
  end)
end)
