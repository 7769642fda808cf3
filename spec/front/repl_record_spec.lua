-- SPDX-License-Identifier: MIT
--- :record and :replay: what is done at the REPL is kept, made again, and stepped through.
local cjson = require("cjson").new()
local drive = require("spec.front.drive")
local repl = require("spec.front.repl_drive")
local tree = require("tree")

describe("croft repl", function()
  local workspace, other, file

  before_each(function()
    workspace, other = repl.workspace(), repl.workspace()
    file = workspace.root .. "/../r.jsonl"
  end)

  after_each(function()
    other.close()
    workspace.close()
  end)

  --- Runs these lines, and goes on though some fail.
  local function run(where, ...) return repl.run(where, { ... }, "--keep-going") end

  local function lines()
    local list = {}
    for line in tree.text(file):gmatch("[^\n]+") do list[#list + 1] = cjson.decode(line) end
    return list
  end

  local WORK = {
    "read path=a.txt", "write path=n.txt content=new", "read path=host/passwd",
    "sum numbers:=[1,2]",
  }

  --- Records those calls, with what `after` does behind them.
  local function record(...)
    return run(workspace, ":record " .. file, WORK[1], WORK[2], WORK[3], WORK[4], ...)
  end

  describe(":record", function()
    it("keeps calls, behind the wall, in the form that croft replay takes", function()
      local result = run(workspace, WORK[1], ":record " .. file, "read path=d", "= 1 + 1",
        WORK[4], ":record", ":record off", WORK[1], ":record")
      assert.equal("", result.err)
      local quoted = cjson.encode(file):gsub("\\/", "/")
      assert.is_truthy(result.out:find("calls are recorded to " .. quoted .. "; :record off ends "
        .. "that\n", 1, true))
      assert.is_truthy(result.out:find("\n2 calls are recorded in " .. quoted .. " so far\n", 1,
        true))
      assert.is_truthy(result.out:find("\n" .. quoted .. " has 2 calls of this session\n", 1, true))
      assert.matches("\nnothing is recorded; :record FILE starts that\n$", result.out)
      local list = lines()
      assert.equal(3, #list)
      assert.same({ 1, "read", "not_a_file" }, { list[2].call, list[2].tool, list[2].code })
      assert.same({ 2, "sum", "total 6" }, { list[3].call, list[3].tool, list[3].text })
      assert.equal("2 same, 0 different\n",
        drive.run("replay", file, other.root, "--tools", other.tools).out)
    end)

    it("begins a new part when the limits change", function()
      record(":limits steps=100000", WORK[1])
      local list = lines()
      assert.same({ {}, { steps = 100000 } }, { list[1].options.limits, list[6].options.limits })
      assert.equal(5, list[7].call)
      assert.equal("5 same, 0 different\n",
        drive.run("replay", file, other.root, "--tools", other.tools).out)
    end)

    it("refuses a session whose calls cannot be made again: that of the staged tools", function()
      local result = repl.run(workspace, { ":record " .. file }, "--toolset", "staged")
      assert.equal(2, result.status)
      assert.matches("%-%-toolset staged does not go with a recording: its calls go by handles",
        result.err)
    end)

    for _, case in ipairs {
      { "a file in ROOT", function() return workspace.root .. "/r" end, "it lies in ROOT" },
      { "a full disk", function() return "/dev/full" end, "its disk is full" },
      { "a directory that is not there", function() return "/none/r" end, "does not exist" },
    } do
      it("refuses " .. case[1], function()
        local result = run(workspace, ":record " .. case[2](), ":record off")
        assert.equal(2, result.status)
        assert.matches("the recording [^\n]+ cannot be used: [^\n]*" .. case[3], result.err)
        assert.matches("nothing is recorded; :record FILE starts that\n$", result.err)
      end)
    end

    it("refuses a second file meanwhile", function()
      local result = run(workspace, ":record " .. file, ":record " .. file .. "2", WORK[1])
      assert.matches("calls are recorded to [^\n]+; :record off ends that\n$", result.err)
      assert.equal(2, #lines())
    end)
  end)

  describe(":replay", function()
    it("makes the calls of a client again", function()
      drive.talk(workspace.root, {
        drive.call(1, "read", { path = "a.txt" }), drive.call(2, "read", { path = "../x" }),
      }, "--record", file)
      local result = run(other, ":replay " .. file)
      assert.same({ "2 same, 0 different\n", "", 0 }, { result.out, result.err, result.status })
    end)

    it("names what differs, and ends there", function()
      record()
      run(other, "write path=a.txt content=other")
      local result = run(other, ":replay " .. file, ":replay " .. file .. " --keep-going", ":raw")
      assert.equal(1, result.status)
      assert.matches('^line 2: read {"path":"a.txt"}: the text differs\n'
        .. "%-%-%- recorded\n%+%+%+ now\n@@ [^\n]+\n%-1|one\n", result.out)
      assert.matches("\n0 same, 1 different, 3 not made\n", result.out)
      assert.matches("\n3 same, 1 different\n", result.out)
      assert.matches('"total 6"', result.out) -- the last call is the last one of the recording
    end)

    it("says with which options a recording was made that this session has not", function()
      record(":limits heap=8MiB", WORK[1])
      local result = run(other, ":replay " .. file)
      assert.matches("\n%(it was recorded with other options than these: limits%)\n", "\n"
        .. result.out)
      assert.matches("\n5 same, 0 different\n$", result.out)
    end)

    it("stops before each call, and does what is asked for there", function()
      record()
      local result = run(other, ":replay " .. file .. " --step", ":next", "list", ":trace on",
        ":next", ":continue", ":why")
      assert.equal("", result.err)
      local seen = {}
      for line in result.out:gmatch("[^\n]+") do
        if line:find("^next, ") or line == "as it was recorded" or line:find("different$") then
          seen[#seen + 1] = line
        end
      end
      assert.same({
        'next, line 2: read {"path":"a.txt"}', "as it was recorded",
        'next, line 3: write {"path":"n.txt","content":"new"}', "as it was recorded",
        'next, line 4: read {"path":"host/passwd"}', "as it was recorded", "as it was recorded",
        "4 same, 0 different",
      }, seen)
      assert.matches("replace", result.out) -- the trace of the second
    end)

    it("steps into a call that it stopped before", function()
      record()
      local result = run(other, ":replay " .. file .. " --step", ":step", ":print args.path",
        ":step", ":continue", ":abort", ":break")
      assert.equal("", result.err)
      assert.matches("\nstopped at tools/workspace/read%.lua:%d+: breakpoint\n", result.out)
      assert.matches('\n"a%.txt"\n', result.out)
      assert.matches("\nstopped at tools/workspace/read%.lua:%d+: step\n", result.out)
      assert.matches("\nas it was recorded\nnext, line 3: [^\n]+\n1 same, 0 different, 3 not made\n"
        .. "there are no breakpoints\n$", result.out)
    end)

    it("stops at breakpoints, and ends with its call when that is ended", function()
      record()
      local result = run(other, ":break primitive replace", ":replay " .. file, ":abort")
      assert.matches("\nstopped at [^\n]+: before the primitive replace\n", result.out)
      assert.matches("\n1 same, 1 different, 2 not made\n$", result.out)
      assert.is_nil(io.open(other.root .. "/n.txt"))
    end)

    it("ends with its script", function()
      record()
      local result = run(other, ":replay " .. file .. " --step", ":next")
      assert.matches("\n1 same, 0 different, 3 not made\n$", result.out)
      assert.equal(0, result.status)
    end)

    it("gives objects where JSON is asked for", function()
      record()
      local result = repl.json(other, { ":replay " .. file .. " --step", ":next", ":continue" })
      local first, last = result.objects[1], result.objects[#result.objects]
      assert.same({ line = 2, call = 'read {"path":"a.txt"}' }, first.next)
      assert.same({ same = 4, different = 0, not_made = 0 }, last.replay)
      assert.equal(":replay " .. file .. " --step", last.input)
    end)

    it("steps on with an empty line, and ends with Ctrl-C", function()
      record("read path=d/b.txt")
      local text = tree.text(file):gsub('{"path":"d/b.txt"}', '{"numbers":[],"forever":true}')
      text = text:gsub('"tool":"read"(,"arguments":{"numbers")', '"tool":"sum"%1')
      local out = assert(io.open(file, "wb"))
      out:write(text)
      out:close()
      local result = repl.terminal(other, {
        { line = "croft>" }, { send = ":replay " .. file .. " --step\r" },
        { line = "\\(replay 1/5\\)" }, { send = ":n\r" }, { line = "\\(replay 2/5\\)" },
        { send = "\r" }, { line = "\\(replay 3/5\\)" }, { send = ":c\r" },
        { expect = "total 6" }, { expect = "as it was recorded" },
        { interrupt = "4 same, 1 different" }, { line = "croft>" },
        { send = "read path=a.txt\r" }, { expect = "^1.one" }, { line = "croft>" },
        { send = "\4" }, { ["end"] = true },
      })
      assert.equal(0, result.status, result.out .. result.err)
    end)

    for words, said in pairs {
      [""] = "needs the FILE",
      ["/none/r"] = "No such file or directory",
      ["a b"] = ':replay takes FILE, %-%-step and %-%-keep%-going, not "b"',
      ["a --fast"] = 'not "%-%-fast"',
      ["spec/run"] = "spec/run:1: it is not JSON",
    } do
      it("refuses what is none: " .. words, function()
        local result = run(workspace, ":replay " .. words)
        assert.equal(2, result.status)
        assert.matches(said, result.err)
      end)
    end

    it("does not wait for a FIFO", function()
      assert(os.execute("mkfifo " .. drive.quoted(file)))
      local result = run(other, ":replay " .. file)
      assert.equal(2, result.status)
      assert.matches(": it is no regular file\n$", result.err)
    end)

    it("is not begun within itself", function()
      record()
      local result = run(other, ":replay " .. file .. " --step", ":replay " .. file, ":continue")
      assert.matches("a recording is replayed already; :abort ends that\n$", result.err)
      assert.matches("\n4 same, 0 different\n$", result.out)
    end)
  end)
end)
