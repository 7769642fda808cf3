-- SPDX-License-Identifier: MIT
--- The gate of a session: asked before anything is looked at, bound to one call, refusing in doubt.
local testing = require("croft.testing")

local FILES = {
  ["a.txt"] = "alpha\n", ["src/x.c"] = "needle\n", ["src/y.c"] = "none\n",
  ["link"] = { link = "src/x.c" }, ["way"] = { link = "src" },
}

local ALLOW = { decision = "allow" }

describe("a gate", function()
  local session

  after_each(function()
    if session then session:close() end
    session = nil
  end)

  --- A session whose gate answers `verdict`, a value or a function; returns what it was asked.
  local function open(verdict, options)
    local asked = {}
    options = options or {}
    options.files = options.files or FILES
    options.gate = function(request)
      asked[#asked + 1] = request
      if type(verdict) == "function" then return verdict(request) end
      return verdict
    end
    session = testing.session(options)
    return asked
  end

  -- S2-11, S2-12, S2-13, S2-16
  it("is asked about reads, searches and writes, with the call as it was sent", function()
    local asked = open(ALLOW)
    session:call("read", { path = "./src//x.c" })
    session:call("grep", { pattern = "pass(word)?" })
    session:call("write", { path = "new/b.txt", content = "abc" })
    assert.equal(3, #asked)
    assert.same({ "read", "read", { path = "./src//x.c" }, { "src/x.c" } },
      { asked[1].tool, asked[1].effect, asked[1].arguments, asked[1].paths })
    assert.same({ "search", { "." } }, { asked[2].effect, asked[2].paths })
    assert.same({ "write", 3, { "new/b.txt" } },
      { asked[3].effect, asked[3].content_size, asked[3].paths })
    assert.equal("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
      asked[3].content_sha256)
    assert.is_nil(asked[1].content_sha256)
    for _, request in ipairs(asked) do
      assert.equal(64, #request.digest)
      assert.is_true(request.milliseconds == 120000)
    end
  end)

  it("gives one digest to all spellings of a call, and another to another call", function()
    local asked = open(ALLOW)
    session:call("read", '{"path":"a.txt","limit":1}')
    session:call("read", ' { "limit" : 1, "path": "\\u0061.txt" }')
    session:call("read", '{"path":"b","path":"a.txt","limit":1}')
    session:call("read", '{"path":"a.txt","limit":2}')
    session:call("list", '{"path":"a.txt","limit":1}')
    assert.equal(asked[1].digest, asked[2].digest)
    assert.equal(asked[1].digest, asked[3].digest)
    assert.not_equal(asked[1].digest, asked[4].digest)
    assert.is_nil(asked[5]) -- list has no limit: nobody is asked about a call that cannot run
  end)

  -- S2-14
  it("is asked before any path is translated or opened", function()
    local gate_saw = {}
    open(function(request)
      gate_saw[#gate_saw + 1] = request.paths[1]
      return ALLOW
    end, { trace = true })
    session:call("read", { path = "no/such/file" })
    local operations = {}
    for index, record in ipairs(session:records()) do operations[index] = record.op end
    assert.same({ "call", "question", "verdict", "page" }, { table.unpack(operations, 1, 4) })
    assert.same({ "no/such/file" }, gate_saw)
  end)

  it("can create the file that is then read: nothing was looked at before", function()
    open(function()
      local file <close> = assert(io.open(session:root() .. "/late.txt", "w"))
      file:write("made late\n")
      return ALLOW
    end)
    assert.equal("1|made late\n[end of file: 1 line]",
      session:call("read", { path = "late.txt" }).text)
  end)

  -- S2-19, S2-21
  it("declines, and the note is what the model reads", function()
    open({ decision = "deny", note = "not before Friday" })
    local result = session:call("write", { path = "b.txt", content = "x" })
    assert.same({ "failed", "denied" }, { result.outcome, result.code })
    assert.is_truthy(result.text:find('says: "not before Friday"', 1, true))
    assert.is_nil(io.open(session:root() .. "/b.txt"))
  end)

  -- S2-18, S2-20: where the original hangs, or takes it for an approval
  it("that gives no verdict has refused", function()
    local broken = {
      false, true, "allow", 1, {}, { decision = true }, { decision = "yes" }, { decision = "" },
      { decision = "allow", extra = 1 }, { decision = "allow", scope = "always" },
      { decision = "allow", scope = 1 }, { decision = "allow", note = 7 }, { "allow" },
      { decision = "allow", note = ("x"):rep(1024) }, { decision = "allow", note = "\xFF" },
      { decision = "allow", note = "a\0b" }, function() end, function() return nil end,
      function() error("broken") end, function() error({ decision = "allow" }) end,
      setmetatable({}, { __index = ALLOW }),
    }
    for index, verdict in ipairs(broken) do
      open(verdict)
      local result = session:call("write", { path = "b.txt", content = "x" })
      assert.same({ "failed", "gate_unavailable" }, { result.outcome, result.code }, index)
      assert.is_nil(io.open(session:root() .. "/b.txt"))
      session:close()
    end
  end)

  -- S2-18, S2-43
  it("that answers after the deadline has refused", function()
    open(function(request)
      local until_then = os.clock() + request.milliseconds / 1000 + 0.01
      while os.clock() < until_then do end
      return ALLOW
    end, { gate_time = 1 })
    local result = session:call("read", { path = "a.txt" })
    assert.equal("gate_unavailable", result.code)
    assert.is_truthy(result.text:find("nobody answered in time", 1, true))
  end)

  it("takes time that is not the call's", function()
    open(function()
      local until_then = os.clock() + 0.06
      while os.clock() < until_then do end
      return ALLOW
    end, { limits = { time = 50 } })
    assert.equal("done", session:call("read", { path = "a.txt" }).outcome)
  end)

  it("is asked again about the same call, unless the approval was for the session", function()
    local scope = "once"
    local asked = open(function() return { decision = "allow", scope = scope } end)
    session:call("read", { path = "a.txt" })
    session:call("read", { path = "a.txt" })
    assert.equal(2, #asked)
    scope = "session"
    for _ = 1, 3 do session:call("read", { path = "a.txt", limit = 1 }) end
    session:call("read", { path = "./a.txt", offset = 1 })
    assert.equal(3, #asked)
    session:call("read", { path = "src/x.c" })
    session:call("write", { path = "a.txt", content = "x" })
    assert.equal(5, #asked)
  end)

  -- S2-13
  it("is asked about each search by itself: where it leads is in its pattern", function()
    local asked = open({ decision = "allow", scope = "session" })
    session:call("grep", { pattern = "needle", path = "src" })
    session:call("grep", { pattern = "needle", path = "src" })
    session:call("grep", { pattern = "password", path = "src" })
    assert.equal(2, #asked)
  end)

  it("is not asked about a call that cannot run", function()
    local asked = open(ALLOW)
    assert.equal("unknown_tool", session:call("nope", {}).code)
    assert.equal("bad_json", session:call("read", "[]").code)
    assert.equal("bad_argument", session:call("read", {}).code)
    assert.equal("bad_argument", session:call("read", { path = 7 }).code)
    assert.equal("outside", session:call("read", { path = "/etc/passwd" }).code)
    assert.equal("outside", session:call("read", { path = "a/../../b" }).code)
    assert.same({}, asked)
  end)

  -- S2-37
  it("approves a path and not what a link makes of it", function()
    open(ALLOW)
    for _, tool in ipairs { "read", "write", "edit" } do
      local result = session:call(tool, {
        path = tool ~= "read" and "link" or "way/x.c",
        content = tool == "write" and "x" or nil,
        old_string = tool == "edit" and "needle" or nil,
        new_string = tool == "edit" and "n" or nil,
      })
      assert.equal("denied", result.code, tool)
      assert.is_truthy(result.text:find('"path": "src/x.c"', 1, true), result.text)
    end
    assert.equal("1|needle\n[end of file: 1 line]",
      session:call("read", { path = "src/x.c" }).text)
  end)

  -- S2-37
  it("refuses where a link was put in the way between approval and use", function()
    for _, call in ipairs {
      { "read", { path = "a.txt" } }, { "write", { path = "a.txt", content = "x" } },
      { "edit", { path = "a.txt", old_string = "alpha", new_string = "x" } },
      { "list", { path = "plain" } }, { "grep", { path = "plain", pattern = "." } },
      { "read", { path = "plain/f" } }, { "write", { path = "plain/new", content = "x" } },
    } do
      open(function()
        os.execute(("cd '%s' && rm -r a.txt plain && ln -s src/x.c a.txt && ln -s src plain")
          :format(session:root()))
        return ALLOW
      end, { files = { ["a.txt"] = "alpha\n", ["plain/f"] = "f\n", ["src/x.c"] = "needle\n",
        ["src/f"] = "hidden\n" } })
      local result = session:call(table.unpack(call))
      assert.equal("denied", result.code, call[1])
      assert.is_nil(result.text:find("needle", 1, true))
      assert.is_nil(result.text:find("hidden", 1, true))
      session:close()
    end
  end)

  it("shows in a listing where links lead, and does not follow them in a search", function()
    open(ALLOW)
    local text = session:call("list", {}).text
    assert.is_truthy(text:find("link -> src/x.c", 1, true))
    assert.equal("src/x.c:1|needle", session:call("grep", { pattern = "needle" }).text)
  end)

  it("lets a tool of its own touch what the call named, and nothing else", function()
    local file = os.tmpname() .. ".lua"
    local out <close> = assert(io.open(file, "w"))
    out:write([[return require("croft.tool").define {
      name = "both", description = "Both.", access = "read", paths = { "one" },
      input = { type = "object", required = { "one", "two" }, properties = {
        one = { type = "string", description = "1" }, two = { type = "string", description = "2" },
      } },
      run = function(args, ctx)
        return ctx.fs:read(args.one, 100) .. ctx.fs:read(args.two, 100) end }]])
    out:close()
    local asked = open(ALLOW, { tools = { file } })
    assert.equal("alpha\nalpha\n", session:call("both", { one = "a.txt", two = "./a.txt" }).text)
    local result = session:call("both", { one = "a.txt", two = "src/x.c" })
    assert.equal("denied", result.code)
    assert.is_truthy(result.text:find("was not part of what was approved", 1, true), result.text)
    assert.same({ "a.txt" }, asked[1].paths)
    os.remove(file)
  end)

  it("answers for whatever a tool touches that names no path", function()
    local asked = open(ALLOW, { enable = { "apply_patch" } })
    local patch = "--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-alpha\n+beta\n"
    assert.equal("", session:call("apply_patch", { patch = patch }).code)
    assert.same({}, asked[1].paths)
    assert.equal(#patch, asked[1].content_size)
    patch = patch:gsub("a%.txt", "link"):gsub("alpha", "needle")
    assert.equal("denied", session:call("apply_patch", { patch = patch }).code)
  end)

  -- S2-17, S2-18
  it("that allows everything does so where links lead, too", function()
    session = testing.session { files = FILES, gate = "allow" }
    assert.equal("", session:call("read", { path = "link" }).code)
    assert.equal("", session:call("read", { path = "way/y.c" }).code)
  end)

  it("may be a word: allow or deny", function()
    for word, code in pairs { allow = "", deny = "denied" } do
      session = testing.session { files = FILES, gate = word, trace = true }
      assert.equal(code, session:call("read", { path = "a.txt" }).code)
      local verdict = session:records()[2]
      assert.same({ "verdict", word }, { verdict.op, verdict.decider })
      session:close()
    end
    assert.has_error(function() testing.session { gate = "maybe" } end)
    assert.has_error(function() testing.session { gate = true } end)
  end)

  -- S2-7, S2-15
  it("has to be chosen for tools that demand one", function()
    local directory = os.tmpname()
    os.remove(directory)
    os.execute("mkdir " .. directory)
    local file <close> = assert(io.open(directory .. "/toolset.lua", "w"))
    file:write("return { gate = true }")
    file:close()
    local good, err = pcall(testing.session, { tools = { directory } })
    assert.is_false(good)
    assert.equal("gate_unavailable", err.code)
    assert.is_truthy(err.message:find("these tools need a gate", 1, true))
    session = testing.session { tools = { directory }, gate = "deny" }
    os.execute("rm -r " .. directory)
  end)
end)

describe("a question that is returned", function()
  local session

  before_each(function()
    session = testing.session { files = FILES, gate = "needs_input", trace = true }
  end)

  after_each(function() session:close() end)

  local function ask(tool, arguments)
    local result = session:call(tool, arguments)
    assert.equal("needs_input", result.outcome)
    return result.question
  end

  local function answered(question, fields)
    local answer = { id = question.id, decision = "allow" }
    for name, value in pairs(fields or {}) do answer[name] = value end
    return answer
  end

  it("is answered with the call made again", function()
    local question = ask("read", { path = "a.txt" })
    assert.same({ { path = "a.txt" }, { "a.txt" }, "read" },
      { question.arguments, question.paths, question.effect })
    local result = session:call("read", '{"path" : "a.txt"}', answered(question))
    assert.equal("1|alpha\n[end of file: 1 line]", result.text)
  end)

  it("is answered once", function()
    local question = ask("read", { path = "a.txt" })
    session:call("read", { path = "a.txt" }, answered(question))
    local result = session:call("read", { path = "a.txt" }, answered(question))
    assert.equal("gate_unavailable", result.code)
    assert.is_truthy(result.text:find("it was used already", 1, true))
  end)

  it("is about one call: an answer that comes with another is used up", function()
    local question = ask("read", { path = "a.txt" })
    assert.equal("gate_unavailable",
      session:call("read", { path = "src/x.c" }, answered(question)).code)
    assert.equal("gate_unavailable",
      session:call("read", { path = "a.txt" }, answered(question)).code)
  end)

  it("that was never asked has no answer", function()
    assert.equal("gate_unavailable",
      session:call("read", { path = "a.txt" }, { id = 77, decision = "allow" }).code)
    assert.equal("gate_unavailable",
      session:call("read", { path = "a.txt" }, { id = -1, decision = "allow" }).code)
  end)

  it("may be declined, and stay without a verdict", function()
    local question = ask("read", { path = "a.txt" })
    local result = session:call("read", { path = "a.txt" },
      answered(question, { decision = "deny", note = "no" }))
    assert.equal("denied", result.code)
    for cause, words in pairs {
      timeout = "nobody answered in time", cancelled = "closed without an answer",
      no_decider = "no way to ask", error = "asking for it failed",
      too_many = "as many open questions as there may be",
    } do
      question = ask("read", { path = "a.txt" })
      result = session:call("read", { path = "a.txt" }, { id = question.id, cause = cause })
      assert.equal("gate_unavailable", result.code)
      assert.is_truthy(result.text:find(words, 1, true), result.text)
    end
  end)

  it("is forgotten for newer ones when too many wait", function()
    local first = ask("read", { path = "a.txt" })
    local second = ask("read", { path = "a.txt" })
    for _ = 1, 63 do ask("read", { path = "src/x.c" }) end
    assert.equal("gate_unavailable",
      session:call("read", { path = "a.txt" }, answered(first)).code)
    assert.equal("", session:call("read", { path = "a.txt" }, answered(second)).code)
  end)

  it("and its verdict are in the records, with decider and digest", function()
    local question = ask("read", { path = "a.txt" })
    session:call("read", { path = "a.txt" },
      answered(question, { note = "fine", scope = "session" }))
    session:call("read", { path = "a.txt" })
    local kept = {}
    for _, record in ipairs(session:records()) do
      if record.digest then
        assert.equal(question.digest, record.digest)
        kept[#kept + 1] = ("%s %s %s %s %s"):format(record.op, record.verdict, record.rule,
          record.decider, record.note)
      end
    end
    assert.same({
      "question ok default host nil", "verdict ok session host fine",
      "verdict ok session session nil",
    }, kept)
  end)
end)
