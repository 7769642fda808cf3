-- SPDX-License-Identifier: MIT
--- What calls were given and answered is kept in a file, and made again.
local cjson = require("cjson").new()
local drive = require("spec.front.drive")
local testing = require("croft.testing")
local tree = require("tree")

local FILES = {
  ["a.txt"] = "alpha\nbeta\n", ["notes/plan.md"] = "# Plan\n\n- one\n", ["out"] = { link = "/etc" },
}

local SLOW = [[
local tool = require("croft.tool")
return tool.define {
  name = "slow", title = "Slow", description = "Works until it is stopped.", access = "read",
  input = { type = "object", properties = {} },
  run = function(_, ctx) while not ctx.cancelled() do end end,
}
]]

--- A conversation in which each call waits for the one before it: a list of {tool, arguments}.
local function script_of(calls)
  local lines = {}
  for index, call in ipairs(calls) do
    lines[index] = drive.send(drive.call(index, call[1], call[2])) .. "receive\n"
  end
  return table.concat(lines) .. "leave; finish"
end

local WORK = {
  { "list", { recursive = true } },
  { "read", { path = "a.txt" } },
  { "grep", { pattern = "alpha|one" } },
  { "edit", { path = "a.txt", old_string = "beta", new_string = "gamma \"\u{2028}\\" } },
  { "write", { path = "new/b.txt", content = "line\r\n\tnext \u{1F600}\n" } },
  { "read", { path = "new/b.txt" } },
  { "read", { path = "../x" } },
  { "read", { path = "out/passwd" } },
  { "read", { pth = "a.txt" } },
  { "nothing", {} },
  { "write", { path = "docs/x", content = "x" } },
  { "read", { path = "a.txt" } },
}

describe("a recording", function()
  local session, other, root, copy, file

  before_each(function()
    session = testing.session { files = FILES }
    other = testing.session { files = FILES }
    root, copy = session:root(), other:root()
    file = root .. "/../r.jsonl"
  end)

  after_each(function()
    other:close() -- first what was opened last
    session:close()
  end)

  --- Records these calls of a client, made one after another.
  local function record(calls, ...)
    local _, result = drive.converse(root, script_of(calls), "--record", file, ...)
    assert.equal(0, result.status, result.err)
    return result
  end

  local function replay(...) return drive.run("replay", file, copy, ...) end

  local function lines()
    local list = {}
    for line in tree.text(file):gmatch("[^\n]+") do list[#list + 1] = cjson.decode(line) end
    return list
  end

  local function put(path, text)
    local out = assert(io.open(path, "wb"))
    out:write(text)
    out:close()
  end

  --- Puts lines of the test's own in the place of the recording.
  local function forge(...) put(file, table.concat({ ... }, "\n") .. "\n") end

  it("has a head and a line for each call", function()
    record({ WORK[2], WORK[7] }, "--prefix", "w_", "--exclude", "*.o", "--exclude", "d")
    local head = lines()[1]
    assert.same({ 1, 65536, false }, { head.recording, head.most_bytes, head.redacted })
    assert.equal("croft " .. head.croft .. "\n", drive.run("version").out)
    assert.same({ "w_edit", "w_grep", "w_list", "w_read", "w_write" }, head.tools)
    assert.same({ prefix = "w_", read_only = false, one_file_system = false, enable = {},
      exclude = { "*.o", "d" }, limits = {} }, head.options)
    os.remove(file)
    record { WORK[2], WORK[7] }
    local first, second = lines()[2], lines()[3]
    for _, name in ipairs { "steps", "heap_bytes", "microseconds" } do
      assert.equal("number", type(first.usage[name]), name)
    end
    first.usage, second.usage = nil, nil
    assert.same({ call = 1, tool = "read", arguments = { path = "a.txt" }, outcome = "done",
      code = "", is_error = false, text = "1|alpha\n2|beta\n[end of file: 2 lines]" }, first)
    assert.same({ 2, "failed", "outside", true },
      { second.call, second.outcome, second.code, second.is_error })
  end)

  it("of a client's work is the same when it is made again", function()
    record(WORK)
    assert.same({ status = 0, out = "12 same, 0 different\n", err = "" }, replay())
    assert.equal("1|alpha\n2|gamma \"\u{2028}\\\n[end of file: 2 lines]",
      other:call("read", { path = "a.txt" }).text)
  end)

  it("in the examples is the same still", function()
    drive.shell(("rm -rf %s && cp -r examples/recording/files %s"):format(drive.quoted(copy),
      drive.quoted(copy)))
    assert.same({ status = 0, out = "10 same, 0 different\n", err = "" },
      drive.run("replay", "examples/recording/session.jsonl", copy))
  end)

  it("names a file that was changed, with a diff, and stops there", function()
    record(WORK)
    put(copy .. "/a.txt", "alpha\nBETA!\n")
    local result = replay()
    assert.equal(1, result.status)
    assert.equal("", result.err)
    assert.equal(file .. ':2: list {"recursive":true}: the text differs\n' .. [[
--- recorded
+++ now
@@ -1,4 +1,4 @@
-a.txt (11 bytes)
+a.txt (12 bytes)
 notes/
 notes/plan.md (14 bytes)
 out -> (outside)
0 same, 1 different, 11 not made (--keep-going goes on)
]], result.out)
    assert.is_nil(io.open(copy .. "/new/b.txt"))
  end)

  it("is gone through to its end where that is asked for", function()
    record(WORK)
    put(copy .. "/a.txt", "alpha\nBETA!\n")
    local result = replay("--keep-going")
    assert.equal(1, result.status)
    local places = {}
    for at, what in result.out:gmatch("r%.jsonl:(%d+): ([^\n]+)\n") do
      places[#places + 1] = at .. " " .. what:match("^%a+") .. ": " .. what:match("}: (.*)$")
    end
    assert.same({ "2 list: the text differs", "3 read: the text differs",
      "5 edit: failed (no_match) now, done recorded; the text differs",
      "13 read: the text differs" }, places)
    assert.matches("\n8 same, 4 different\n$", result.out)
  end)

  it("is compared as JSON, an object a line", function()
    record { WORK[2], WORK[7] }
    put(copy .. "/a.txt", "alpha\n")
    local list = {}
    for line in replay("--json", "--keep-going").out:gmatch("[^\n]+") do
      list[#list + 1] = cjson.decode(line)
    end
    assert.equal(3, #list)
    assert.same({ file, 2, 1, "read", "different", "the text differs" }, { list[1].file,
      list[1].line, list[1].call, list[1].tool, list[1].verdict, list[1].reason })
    assert.matches("\n%-2|beta\n", list[1].difference)
    assert.same({ file = file, line = 3, call = 2, tool = "read", verdict = "same" }, list[2])
    assert.same({ same = 1, different = 1, not_made = 0 }, list[3])
  end)

  it("shows no control character of the file itself", function()
    local head = '{"recording":1,"croft":"x","tools":["%s"],"options":{"prefix":"",'
      .. '"read_only":false,"one_file_system":false,"exclude":[],"enable":[%s],"limits":{%s}}}\n'
    for _, text in ipairs { "\\u001b[31m", "\\u009b31m" } do
      for _, line in ipairs {
        head:format("read", '"' .. text .. '"', ""), head:format("read", "", '"' .. text .. '":1'),
        head:format(text, "", ""),
      } do
        put(file, line)
        local result = replay()
        assert.equal(2, result.status)
        assert.is_nil(result.err:find("[\27\155]"))
        assert.matches("31m", result.err)
      end
    end
  end)

  it("is not begun for the staged tools, which a replay does not have", function()
    local result = drive.run("serve", root, "--toolset", "staged", "--gate", "allow", "--record",
      file)
    assert.equal(2, result.status)
    assert.matches("%-%-toolset staged does not go with a recording", result.err)
    assert.is_nil(io.open(file))
  end)

  it("shows at most 24 lines of a difference, and no control character", function()
    record { { "read", { path = "a.txt" } } }
    put(copy .. "/a.txt", ("line \27[31m\n"):rep(100))
    local out = replay().out
    assert.is_nil(out:find("\27", 1, true))
    assert.matches("|line \\x1B%[31m\n", out)
    assert.matches("\n%[%d+ more lines%]\n0 same, 1 different\n$", out)
    assert.equal(27, select(2, out:gsub("\n", "")))
  end)

  it("has the calls of a server, of all its threads, whole", function()
    local messages, seen = {}, {}
    for id = 1, 60 do
      messages[id] = drive.call(id, id % 3 == 0 and "grep" or "read",
        id % 3 == 0 and { pattern = "alpha" } or { path = id % 2 == 0 and "a.txt" or "../x" })
    end
    local replies = drive.talk(root, messages, "--record", file)
    local list = lines()
    assert.equal(61, #list)
    for index, reply in ipairs(replies) do -- in the order of the answers
      assert.equal(reply.result.content[1].text, list[index + 1].text)
      seen[list[index + 1].call] = true
    end
    assert.equal(60, #seen)
    assert.equal("60 same, 0 different\n", replay().out)
  end)

  it("is written behind the wall, by one call too, for its owner alone", function()
    for _, path in ipairs { "a.txt", "none" } do
      drive.run("call", root, "read", "path=" .. path, "--record", file)
    end
    drive.run("call", root, "nothing", "--record", file)
    assert.equal("600\n", (tree.output("stat -c %a " .. drive.quoted(file))))
    assert.equal(6, #lines())
    assert.equal("3 same, 0 different\n", replay().out)
  end)

  it("goes on where a server ended, each part with its own options", function()
    record({ WORK[2] }, "--prefix", "p_")
    record({ { "write", { path = "b.txt", content = "x" } } }, "--read-only")
    record({ { "write", { path = "b.txt", content = "x" } }, { "list", {} } }, "--exclude", "n*",
      "--limit", "write_bytes=100")
    assert.same({ "unknown_tool", "read_only" }, { lines()[2].code, lines()[4].code })
    assert.same({ write_bytes = 100 }, lines()[5].options.limits)
    assert.matches("excluded", lines()[7].text)
    assert.equal("4 same, 0 different\n", replay().out)
  end)

  it("begins a line of its own whatever was left of the last one", function()
    put(file, '{"torn":')
    record { WORK[2] }
    assert.matches('^{"torn":\n{"recording":1,', tree.text(file))
  end)

  it("leaves a call out that was cancelled", function()
    local tools = root .. "/../slow"
    drive.shell(("mkdir %s && cat >%s/slow.lua"):format(drive.quoted(tools), drive.quoted(tools)),
      SLOW)
    local _, result = drive.converse(root, drive.send(drive.call(1, "slow"))
      .. drive.send(drive.request(2, "ping")) .. "receive\n"
      .. drive.send { jsonrpc = "2.0", method = "notifications/cancelled",
        params = { requestId = 1 } }
      .. drive.send(drive.call(3, "read", { path = "a.txt" })) .. "receive\nleave; finish",
      "--record", file, "--tools", tools)
    assert.equal(0, result.status)
    local outcomes = {}
    for _, line in ipairs(lines()) do outcomes[#outcomes + 1] = line.outcome end
    table.sort(outcomes)
    assert.same({ "called_off", "done" }, outcomes)

    result = replay()
    assert.equal(2, result.status)
    assert.equal("croft: " .. file .. ':1: the recording has the tool "slow", which is not here; '
      .. "--tools DIR loads tools\n", result.err)
    result = replay("--tools", tools)
    assert.equal(0, result.status)
    assert.matches(":%d: slow {}: not made: it was cancelled while it ran\n"
      .. "1 same, 0 different, 1 not made\n$", result.out)
  end)

  describe("without long texts", function()
    local long = ("0123456789"):rep(20)

    it("has their hashes, and compares by those", function()
      put(root .. "/long.txt", long)
      put(copy .. "/long.txt", long)
      record({ { "read", { path = "long.txt" } }, { "read", { path = "a.txt" } },
        { "write", { path = "b.txt", content = long } } }, "--record-bytes", "100")
      local list = lines()
      assert.same({ bytes = 247, sha256 = list[2].text.sha256 }, list[2].text)
      assert.equal("string", type(list[3].text))
      assert.same({ path = "b.txt", content = { bytes = 200, sha256 = tree.output(
        "sha256sum " .. drive.quoted(root .. "/long.txt")):sub(1, 64) } }, list[4].arguments)
      assert.equal(1, list[4].left_out)
      assert.is_nil(tree.text(file):find(long, 1, true))

      local result = replay()
      assert.equal(0, result.status)
      assert.equal(file .. ":4: write (left out): not made: a part of its arguments was left out "
        .. "of the recording\n2 same, 0 different, 1 not made\n", result.out)
      put(copy .. "/long.txt", long .. "!")
      assert.matches("%[recorded were 247 bytes with the SHA%-256 " .. list[2].text.sha256
        .. "; now they are 248 with %x+%]\n", replay().out)
    end)

    it("keeps 64 KiB by default", function()
      record { { "write", { path = "b", content = ("x"):rep(64 * 1024) } },
        { "write", { path = "b", content = ("x"):rep(64 * 1024 + 1) } } }
      assert.is_nil(lines()[2].left_out)
      assert.equal(1, lines()[3].left_out)
    end)

    it("fails where no call is left", function()
      record({ { "write", { path = "b", content = long } } }, "--record-bytes", "100")
      local result = replay()
      assert.equal(2, result.status)
      assert.matches("0 same, 0 different, 1 not made\n$", result.out)
      assert.equal("croft: " .. file .. ": there is no call that can be made again\n", result.err)
    end)
  end)

  describe("without contents", function()
    local SECRETS = {
      { "write", { path = "b.txt", content = "Zebra one" } },
      { "edit", { path = "b.txt", old_string = "Zebra", new_string = "Zebra two" } },
      { "edit", { path = "b.txt", edits = { { old_string = "Zebra 2", new_string = "Zebra" } } } },
      { "grep", { pattern = "Zebra", path = ".", output = "files" } },
      { "read", { path = "b.txt", Zebra_member = 1, deep = { { ["Zebra\n"] = "Zebra" } } } },
      { "read", { path = ("Zebra"):rep(1000) } },
      { "Zebra tool", {} },
      { "read", { "Zebra" } },
      { "read", { path = "secret.txt" } },
    }

    before_each(function()
      put(root .. "/secret.txt", "the Zebra of the file\n")
      put(copy .. "/secret.txt", "the Zebra of the file\n")
      record(SECRETS, "--redact")
    end)

    it("has none of them, wherever they stood", function()
      assert.equal(10, #lines())
      assert.is_nil(tree.text(file):lower():find("zebra", 1, true))
      assert.is_true(lines()[1].redacted)
    end)

    it("has paths, names and the words of schemas", function()
      local list = lines()
      assert.equal("b.txt", list[2].arguments.path)
      assert.same({ ".", "files" }, { list[5].arguments.path, list[5].arguments.output })
      assert.equal("table", type(list[4].arguments.edits[1].old_string))
      assert.equal(2, list[4].left_out)
      assert.equal(4, list[6].left_out)
      assert.equal("string", type(list[10].arguments.path))
      assert.equal("read", list[10].tool)
    end)

    it("is compared by hashes as far as it can be made again", function()
      local result = replay()
      assert.equal(0, result.status)
      assert.matches("\n1 same, 0 different, 8 not made\n$", result.out)
      put(copy .. "/secret.txt", "another\n")
      assert.equal(1, replay().status)
    end)
  end)

  describe("that cannot be written", function()
    for _, case in ipairs {
      { "lies in ROOT", 'F="$ROOT/r"', "it lies in ROOT, where tools could change it" },
      { "is a link", 'ln -s /dev/null "$F"', "it is a link" },
      { "is a directory", 'mkdir "$F"', "it is a directory" },
      { "is a FIFO", 'mkfifo "$F"', "it is a FIFO or a socket" },
      { "has no directory", 'F="$ROOT/../none/r"', "its directory does not exist" },
      { "is full", "F=/dev/full", "its disk is full" },
      { "is recorded to by another", 'exec 9>>"$F"; flock -n 9', "another program records to it" },
    } do
      it("stops the start when it " .. case[1], function()
        for _, command in ipairs { 'serve "$ROOT"', 'call "$ROOT" list' } do
          local result = drive.shell(('ROOT=%s F=%s; rm -rf "$F"; %s\n"$CROFT" %s --record "$F"')
            :format(drive.quoted(root), drive.quoted(file), case[2], command))
          assert.equal(2, result.status)
          assert.equal("", result.out)
          assert.matches("^croft: the recording [^\n]+ cannot be used: " .. case[3] .. "\n$",
            result.err)
        end
      end)
    end

    it("ends with its last whole line when the disk fills, and the calls go on", function()
      local calls = {}
      for id = 1, 20 do calls[id] = drive.call(id, "read", { path = "a.txt" }) end
      local messages = { drive.HANDSHAKE }
      table.move(calls, 1, 20, 2, messages)
      local input = {}
      for index, message in ipairs(messages) do input[index] = cjson.encode(message) end
      local result = drive.shell(("( trap '' XFSZ; ulimit -f 2; "
        .. 'exec "$CROFT" serve %s --record %s ) | cat'):format(drive.quoted(root),
        drive.quoted(file)), table.concat(input, "\n") .. "\n")
      assert.equal(21, select(2, result.out:gsub("\n", "")))
      assert.matches("^croft [^\n]+\ncroft: recording has stopped, further calls are not in the "
        .. "file: it may not be larger\n$", result.err)
      assert.equal("\n", tree.text(file):sub(-1))
      assert.is_true(#tree.text(file) <= 2048)
      local count = #lines() - 1
      assert.is_true(count > 2 and count < 20)
      assert.equal(count .. " same, 0 different\n", replay().out)
    end)

    it("is refused with options that are none", function()
      for words, said in pairs {
        ["--redact"] = "%-%-redact goes with %-%-record FILE",
        ["--record-bytes=1"] = "%-%-record%-bytes goes with %-%-record FILE",
        ["--record=/dev/null --record-bytes=lots"] = '"lots" is no size',
      } do
        local result = drive.shell('"$CROFT" call ' .. drive.quoted(root) .. " list " .. words)
        assert.equal(2, result.status)
        assert.matches(said, result.err)
      end
    end)
  end)

  describe("that is not trusted", function()
    local HEAD = '{"recording":1,"croft":"0.1.0","tools":["read"],"options":{"prefix":"",'
      .. '"read_only":false,"one_file_system":false,"exclude":[],"enable":[],"limits":{}}}'
    local CALL = '{"call":1,"tool":"write","arguments":{"path":"x","content":"x"},'
      .. '"outcome":"done","code":"","is_error":false,"text":""}'

    local function changed(line, from, to)
      local at, stop = line:find(from, 1, true)
      return line:sub(1, at - 1) .. to .. line:sub(stop + 1)
    end

    --- {what, lines, the line and what is said of it}
    local CASES = {
      { "is empty", "", "1: it is no recording: it is empty" },
      { "is some other text", "hello\n", "1: it is not JSON: [^\n]+ at byte 1" },
      { "is some other JSON", "[]\n", "1: a line is an object, not a array" },
      { "has no head", CALL .. "\n", "1: it is no recording: [^\n]+" },
      { "has another form", changed(HEAD, "1", "2") .. "\n",
        "1: the recording has form 2; this croft knows form 1" },
      { "has a head of strings", changed(HEAD, "1", '"1"') .. "\n",
        '1: "recording" must be a whole number' },
      { "has no tools", changed(HEAD, '["read"]', "null") .. "\n", '1: "tools" must be an array' },
      { "has tools that are none", changed(HEAD, '"read"', "1") .. "\n",
        '1: "tools" must be a string' },
      { "has no options", changed(HEAD, '"options":', '"other":') .. "\n",
        '1: "options" must be an object' },
      { "has a flag that is a word", changed(HEAD, "false", '"no"') .. "\n",
        '1: "read_only" must be true or false' },
      { "has a NUL in an option", changed(HEAD, '"exclude":[', '"exclude":["\\u0000"') .. "\n",
        '1: "exclude" must have no NUL in it' },
      { "has a glob that is none", changed(HEAD, '"exclude":[', '"exclude":["["') .. "\n",
        "1: cannot open [^\n]+" },
      { "has a limit that is none", changed(HEAD, '"limits":{', '"limits":{"luck":1') .. "\n",
        "1: [^\n]*luck[^\n]*" },
      { "has a limit of a half", changed(HEAD, '"limits":{', '"limits":{"steps":1.5') .. "\n",
        '1: "steps" must be a whole number' },
      { "is cut short", HEAD .. "\n" .. CALL .. "\n" .. CALL:sub(1, 40),
        "3: the line is cut short" },
      { "has a call with no tool", HEAD .. "\n" .. changed(CALL, '"tool"', '"too"') .. "\n",
        '2: "tool" must be a string' },
      { "has a tool with a NUL", HEAD .. "\n" .. changed(CALL, "write", "w\\u0000") .. "\n",
        '2: "tool" must have no NUL in it' },
      { "has no arguments", HEAD .. "\n" .. changed(CALL, '"arguments"', '"a"') .. "\n",
        '2: "arguments" is missing' },
      { "has an outcome that is none", HEAD .. "\n\n" .. changed(CALL, '"done"', '"won"') .. "\n",
        '3: "outcome" is "won", which is none' },
      { "has a number that is negative", HEAD .. "\n" .. changed(CALL, "1", "-1") .. "\n",
        '2: "call" must be a whole number' },
      { "has a hash that is none", HEAD .. "\n" .. changed(CALL, '""}',
        '{"bytes":1,"sha256":"x"}}') .. "\n", '2: "sha256" must have 64 hexadecimal digits' },
      { "nests deeply", HEAD .. "\n" .. ("["):rep(100000) .. "\n", "2: it is not JSON: [^\n]+" },
      { "is not UTF-8", HEAD .. "\n" .. changed(CALL, "write", "\xFF") .. "\n",
        "2: it is not JSON: [^\n]+" },
    }

    for _, case in ipairs(CASES) do
      it("is refused when it " .. case[1], function()
        put(file, case[2])
        local result = replay()
        assert.equal(2, result.status)
        assert.equal("", result.out)
        assert.matches("^croft: [^\n]+/r%.jsonl:" .. case[3] .. "\n$", result.err)
        assert.is_nil(io.open(copy .. "/x")) -- nothing was begun
      end)
    end

    it("is left out as far as a gate refused", function()
      record({ WORK[2], { "write", { path = "b.txt", content = "x" } } }, "--gate", "deny")
      assert.same({ "denied", "denied" }, { lines()[2].code, lines()[3].code })
      local result = replay("--gate", "allow")
      assert.equal(2, result.status)
      assert.matches("\n0 same, 0 different, 2 not made\n$", result.out)
      assert.is_nil(io.open(copy .. "/b.txt"))
    end)

    it("is made again behind a gate where one is wanted", function()
      record({ WORK[2] }, "--gate", "allow")
      assert.equal("1 same, 0 different\n", replay().out)
      assert.equal("1 same, 0 different\n", replay("--gate", "allow").out)
      assert.matches(": failed %(denied%) now, done recorded; ", replay("--gate", "deny").out)
      assert.equal(2, replay("--gate", "elicit").status)
    end)

    it("is left out as far as a gate had to be asked", function()
      forge(HEAD, changed(CALL, '"done"', '"needs_input"'), changed(CALL, "write", "read"))
      local result = replay()
      assert.equal(1, result.status)
      assert.matches(':2: write [^\n]+: not made: a gate had to be asked first\n', result.out)
      assert.matches("\n0 same, 1 different, 1 not made\n$", result.out)
      assert.is_nil(io.open(copy .. "/x"))
    end)

    it("is refused when a line never ends", function()
      local result = drive.shell('"$CROFT" replay /dev/zero ' .. drive.quoted(copy))
      assert.equal(2, result.status)
      assert.equal("croft: /dev/zero:1: the line is longer than 64 MiB\n", result.err)
    end)

    it("is refused when it cannot be read", function()
      for path, said in pairs { ["/"] = "it cannot be read: Is a directory",
        ["/none/x"] = "No such file or directory" } do
        local result = drive.run("replay", path, copy)
        assert.equal(2, result.status)
        assert.matches("^croft: [^\n]+" .. said .. "\n$", result.err)
      end
    end)

    it("is not blamed for a ROOT that is not there", function()
      forge(HEAD, CALL)
      local result = drive.run("replay", file, root .. "/none")
      assert.equal(2, result.status)
      assert.matches("^croft: cannot open [^\n]+\n$", result.err)
    end)

    it("says who recorded when that was another croft", function()
      forge(changed(HEAD, '0.1.0', '0.0.1\\u001b'), CALL)
      local result = replay()
      assert.equal(1, result.status)
      assert.matches("\n%[recorded by croft 0%.0%.1\\u001b; this is [^\n]+%]\n"
        .. "0 same, 1 different\n$", result.out)
    end)

    it("cannot reach out of ROOT", function()
      forge(HEAD, changed(CALL, '"x"', '"../escaped"'), changed(CALL, '"x"', '"out/escaped"'))
      local result = replay("--keep-going")
      assert.equal(1, result.status)
      assert.matches("failed %(outside%) now, done recorded; [^\n]+\n.*\n0 same, 2 different\n$",
        result.out)
      assert.is_nil(io.open(copy .. "/../escaped"))
    end)

    it("is answered with a sentence or a comparison whatever byte of it is changed", function()
      record { WORK[2], WORK[3], WORK[7] }
      local text = tree.text(file)
      local commands = {}
      math.randomseed(20261130)
      for round = 1, 150 do
        local at = math.random(#text)
        local bytes = ({ "", "\0", '"', "{", "}", "\n", "9", "\xC3", "-1e999", "null" })[
          math.random(10)]
        local path = ("%s.%d"):format(file, round)
        put(path, text:sub(1, at - 1) .. bytes .. text:sub(at + math.random(0, 3)))
        commands[round] = ('"$CROFT" replay --keep-going %s %s >%s; echo $? >&2')
          :format(drive.quoted(path), drive.quoted(copy), drive.quoted(root .. "/../out"))
      end
      local result = drive.shell(table.concat(commands, "\n"))
      local seen = { ["0"] = 0, ["1"] = 0, ["2"] = 0 }
      for line in result.err:gmatch("[^\n]+") do
        local status = line:match("^%d+$")
        if status then seen[status] = seen[status] + 1 end
        assert(status or line:find("^croft: [^\n]+$"), line)
        assert.is_nil(line:find("traceback", 1, true))
      end
      assert.equal(150, seen["0"] + seen["1"] + seen["2"])
      assert.is_true(seen["2"] > 10 and seen["1"] > 5)
    end)
  end)
end)
