-- SPDX-License-Identifier: MIT
--- croft serve --gate: the client's user is asked over MCP, in both eras, while other calls go on.
local cjson = require("cjson").new()
local drive = dofile("spec/front/drive.lua")
local testing = require("croft.testing")

local FILES = { ["a.txt"] = "alpha\n", ["b.txt"] = "beta\n" }
local FORMS = { elicitation = { form = {} } }

--- The modern _meta of a client that shows forms to its user.
local MODERN = {
  ["io.modelcontextprotocol/protocolVersion"] = "2026-07-28",
  ["io.modelcontextprotocol/clientCapabilities"] = FORMS,
}

--- Makes the session of the conversation, which has been opened without, one that shows forms.
local OPEN = drive.send(drive.request("open", "initialize", {
  protocolVersion = "2025-11-25", capabilities = { elicitation = {} },
  clientInfo = { name = "spec" },
})):gsub('"elicitation":%[%]', '"elicitation":{}') .. "receive >/dev/null\n"

local RECEIVE = "receive\n"

local function reply_to(id, result)
  return drive.send { jsonrpc = "2.0", id = id, result = result }
end

local function accept(decision, note)
  return { action = "accept", content = { decision = decision, note = note } }
end

local function text_of(reply) return reply.result.content[1].text end

describe("serve --gate elicit", function()
  local place

  before_each(function() place = testing.session { files = FILES } end)
  after_each(function() place:close() end)

  --- What an audit log says of questions and verdicts: "op verdict rule decider note".
  local function audit_of(path)
    local kept = {}
    for line in io.lines(path) do
      local record = cjson.decode(line)
      if record.digest then
        kept[#kept + 1] = ("%s %s %s %s"):format(record.op, record.verdict, record.rule,
          record.note or "-")
      end
    end
    return kept
  end

  local function converse(script, ...)
    return drive.converse(place:root(), OPEN .. script, "--gate", "elicit", ...)
  end

  local function exists(name)
    local file = io.open(place:root() .. "/" .. name)
    if file then file:close() end
    return file ~= nil
  end

  describe("in the legacy era", function()
    it("asks by a request of its own, with a form", function()
      local got = converse(drive.send(drive.call(1, "write", { path = "c.txt", content = "x" }))
        .. RECEIVE .. reply_to("croft-gate-1", accept("allow once")) .. RECEIVE)
      assert.same({ "croft-gate-1", "elicitation/create" }, { got[1].id, got[1].method })
      assert.is_truthy(got[1].params.message:find('"write"', 1, true))
      assert.is_truthy(got[1].params.message:find('"c.txt"', 1, true))
      local schema = got[1].params.requestedSchema
      assert.same({ "allow once", "allow for this session", "deny" },
        schema.properties.decision.enum)
      assert.same({ "decision" }, schema.required)
      assert.equal("string", schema.properties.note.type)
      assert.equal(1, got[2].id)
      assert.is_nil(got[2].result.isError)
      assert.is_true(exists("c.txt"))
    end)

    it("shows what a terminal would obey, or would turn around, by its number", function()
      local hostile = "a\u{9b}2J\u{202e}txt.\u{7f}\u{2028}b"
      local got = converse(drive.send(drive.call(1, "write", { path = hostile, content = hostile }))
        .. RECEIVE)
      local shown = "a\\u009b2J\\u202etxt.\\u007f\\u2028b"
      local _, count = got[1].params.message:gsub(shown:gsub("%p", "%%%0"), "")
      assert.equal(3, count, got[1].params.message) -- as the path, and twice in the arguments
      assert.is_nil(got[1].params.message:find("[\x7f]"))
      for _, code in utf8.codes(got[1].params.message) do
        assert.is_false(code >= 0x7F and code <= 0x9F or code == 0x202E or code == 0x2028)
      end
    end)

    it("does not ask for a call over 48 that wait for their answers, and says so", function()
      local script = {}
      for i = 1, 49 do
        script[i] = drive.send(drive.call(i, "write", { path = i .. ".txt", content = "x" }))
      end
      local got = converse(table.concat(script) .. RECEIVE:rep(49))
      local refused = {}
      for _, message in ipairs(got) do
        if message.result then refused[#refused + 1] = text_of(message) end
      end
      assert.equal(1, #refused)
      assert.is_truthy(refused[1]:find("as many open questions as there may be", 1, true))
    end)

    -- S2-18: a real suspension, which holds nobody up
    it("answers other calls meanwhile, however many wait", function()
      local script = {}
      for id = 1, 20 do
        script[#script + 1] = drive.send(drive.call(id, "read", { path = "a.txt" })) .. RECEIVE
      end
      script[#script + 1] = drive.send(drive.request("p", "ping")) .. RECEIVE
      script[#script + 1] = drive.send(drive.call(21, "no_such_tool", {})) .. RECEIVE
      for id = 20, 1, -1 do
        script[#script + 1] = reply_to("croft-gate-" .. id, accept("allow once")) .. RECEIVE
      end
      local got = converse(table.concat(script))
      for id = 1, 20 do assert.equal("elicitation/create", got[id].method) end
      assert.equal("p", got[21].id)
      assert.equal(-32602, got[22].error.code)
      for index = 23, 42 do
        assert.equal(43 - index, got[index].id)
        assert.is_truthy(text_of(got[index]):find("1|alpha", 1, true))
      end
    end)

    it("asks about nothing again that was allowed for the session", function()
      local call = drive.call(1, "read", { path = "a.txt" })
      local got = converse(drive.send(call) .. RECEIVE
        .. reply_to("croft-gate-1", accept("allow for this session")) .. RECEIVE
        .. drive.send(call) .. RECEIVE .. drive.send(drive.call(2, "read", { path = "b.txt" }))
        .. RECEIVE)
      assert.is_truthy(text_of(got[3]):find("alpha", 1, true))
      assert.equal("elicitation/create", got[4].method)
    end)

    it("refuses what is denied, declined, dismissed, and answered with nonsense", function()
      local answers = {
        { accept("deny", "not now"), 'says: "not now"' }, { { action = "decline" }, "declined" },
        { accept("deny"), "declined" }, { { action = "cancel" }, "closed without an answer" },
        { { action = "accept" }, "asking for it failed" }, { {}, "asking for it failed" },
        { accept("yes"), "asking for it failed" }, { accept("allow"), "asking for it failed" },
        { { action = 1 }, "asking for it failed" }, { "accept", "asking for it failed" },
      }
      local script = {}
      for id, answer in ipairs(answers) do
        script[id] = drive.send(drive.call(id, "write", { path = "c.txt", content = "x" }))
          .. RECEIVE .. reply_to("croft-gate-" .. id, answer[1]) .. RECEIVE
      end
      local got = converse(table.concat(script))
      for id, answer in ipairs(answers) do
        local reply = got[2 * id]
        assert.equal(id, reply.id)
        assert.is_true(reply.result.isError)
        assert.is_truthy(text_of(reply):find(answer[2], 1, true), text_of(reply))
      end
      assert.is_false(exists("c.txt"))
    end)

    it("takes an error for no verdict, and answers to nothing for nothing", function()
      local got = converse(drive.send(drive.call(1, "read", { path = "a.txt" })) .. RECEIVE
        .. reply_to("croft-gate-7", accept("allow once")) .. reply_to(1, accept("allow once"))
        .. reply_to("croft-gate-", accept("allow once"))
        .. drive.send { jsonrpc = "2.0", id = "croft-gate-1",
          error = { code = -32603, message = "no" } } .. RECEIVE
        .. reply_to("croft-gate-1", accept("allow once"))
        .. drive.send(drive.request("p", "ping")) .. RECEIVE)
      assert.is_true(got[2].result.isError)
      assert.equal("p", got[3].id)
    end)

    it("withdraws the question of a call that is cancelled", function()
      local audit = os.tmpname()
      local got = converse(drive.send(drive.call(1, "read", { path = "a.txt" })) .. RECEIVE
        .. drive.send { jsonrpc = "2.0", method = "notifications/cancelled",
          params = { requestId = 1 } } .. RECEIVE
        .. reply_to("croft-gate-1", accept("allow once"))
        .. drive.send(drive.request("p", "ping")) .. RECEIVE .. "leave\nfinish\n",
        "--audit", audit)
      assert.same({ "notifications/cancelled", "croft-gate-1" },
        { got[2].method, got[2].params.requestId })
      assert.equal("p", got[3].id)
      assert.is_nil(got[4])
      local kept = audit_of(audit)
      assert.equal("question ok default -", kept[1])
      assert.is_nil((table.concat(kept, "\n"):find("verdict ok", 1, true)))
      os.remove(audit)
    end)

    it("takes no id for another that differs behind a NUL", function()
      local got = converse(drive.send(drive.call("\0a", "read", { path = "a.txt" })) .. RECEIVE
        .. drive.send { jsonrpc = "2.0", method = "notifications/cancelled",
          params = { requestId = "\0b" } }
        .. reply_to("croft-gate-1", accept("allow once")) .. RECEIVE)
      assert.equal("\0a", got[2].id)
      assert.is_nil(got[2].result.isError)
    end)

    it("closes the questions of a client that goes", function()
      local audit = os.tmpname()
      local got, result = converse(
        drive.send(drive.call(1, "write", { path = "c.txt", content = "x" })) .. RECEIVE
        .. "leave\nfinish\n", "--audit", audit)
      assert.equal(0, result.status)
      assert.is_truthy(text_of(got[2]):find("closed without an answer", 1, true))
      assert.same({ "question ok default -", "verdict gate_unavailable cancelled -" },
        audit_of(audit))
      assert.is_false(exists("c.txt"))
      os.remove(audit)
    end)

    -- S2-18, S2-43
    it("refuses when the client cannot show a form", function()
      local replies = drive.talk(place:root(), { drive.call(1, "read", { path = "a.txt" }) },
        "--gate", "elicit")
      assert.is_true(replies[1].result.isError)
      assert.is_truthy(text_of(replies[1]):find("no way to ask", 1, true))
    end)
  end)

  describe("in the modern era", function()
    local function call(id, name, arguments, more, meta)
      local params = { name = name, arguments = arguments }
      for key, value in pairs(more or {}) do params[key] = value end
      return drive.modern(id, "tools/call", params, meta or MODERN)
    end

    --- Keeps the state of the reply that was received last.
    local KEEP = [[state=$(sed 's/.*"requestState":"\([^"]*\)".*/\1/' <<<"$line")]] .. "\n"

    --- Sends the message with the state that was kept where it says STATE.
    local function send_again(message)
      return ("message=%s\nsend \"${message/STATE/$state}\"\n")
        :format(drive.quoted(cjson.encode(message)))
    end

    --- `call` with an answer and the state of the question.
    local function answered(id, name, arguments, answer, state)
      return send_again(call(id, name, arguments,
        { inputResponses = { gate = answer }, requestState = state or "STATE" }))
    end

    local READ = { path = "a.txt" }
    local YES = accept("allow once")

    it("asks by a result, and goes on with the call that is sent again", function()
      local got = converse(drive.send(call(1, "read", READ)) .. RECEIVE .. KEEP
        .. answered(2, "read", READ, YES) .. RECEIVE)
      local result = got[1].result
      assert.equal("input_required", result.resultType)
      local request = result.inputRequests.gate
      assert.same({ "elicitation/create", "form" }, { request.method, request.params.mode })
      assert.is_truthy(request.params.message:find('"a.txt"', 1, true))
      assert.same({ "decision" }, request.params.requestedSchema.required)
      assert.equal("complete", got[2].result.resultType)
      assert.is_truthy(text_of(got[2]):find("1|alpha", 1, true))
    end)

    it("takes a state once", function()
      local got = converse(drive.send(call(1, "read", READ)) .. RECEIVE .. KEEP
        .. answered(2, "read", READ, YES) .. RECEIVE .. answered(3, "read", READ, YES) .. RECEIVE)
      assert.is_nil(got[2].result.isError)
      assert.is_true(got[3].result.isError)
      assert.is_truthy(text_of(got[3]):find("not good for it", 1, true))
    end)

    it("takes no state for another call, another tool or other arguments", function()
      for _, other in ipairs {
        { "read", { path = "b.txt" } }, { "read", { path = "a.txt", limit = 1 } },
        { "list", { path = "a.txt" } }, { "write", { path = "a.txt", content = "x" } },
      } do
        local got = converse(drive.send(call(1, "read", READ)) .. RECEIVE .. KEEP
          .. answered(2, other[1], other[2], YES) .. RECEIVE)
        assert.is_true(got[2].result.isError, other[1])
        assert.is_truthy(text_of(got[2]):find("not good for it", 1, true))
      end
      assert.equal("alpha\n", io.open(place:root() .. "/a.txt"):read("a"))
    end)

    it("takes no state that it has not made", function()
      local digest = ("a"):rep(64)
      local script = { drive.send(call(1, "read", READ)) .. RECEIVE .. KEEP }
      local forged = {
        "", ".", "...", "1", "1.99999999999999999." .. digest .. "." .. digest,
        "x" .. ("y"):rep(5000), "STATEx", "1STATE", "STATE.", "2${state#1}", "\0", "é.é",
      }
      for id, state in ipairs(forged) do
        script[#script + 1] = answered(id + 1, "read", READ, YES, state) .. RECEIVE
      end
      for _, edit in ipairs {
        "${state/./9.}", "${state%?}", "${state%?}0", "${state%?}g", "${state^^}",
        "0$state", "+$state", "$state$state",
      } do
        script[#script + 1] = ("good=$state state=%s\n"):format(edit)
          .. "if [ \"$state\" = \"$good\" ]; then state=x; fi\n"
          .. answered("e" .. edit, "read", READ, YES) .. RECEIVE .. "state=$good\n"
      end
      script[#script + 1] = answered("good", "read", READ, YES) .. RECEIVE
      local got = converse(table.concat(script))
      for index = 2, #got - 1 do
        assert.is_true(got[index].result.isError, index)
        assert.is_truthy(text_of(got[index]):find("not good for it", 1, true))
      end
      assert.equal(#forged + 8 + 2, #got)
      assert.is_truthy(text_of(got[#got]):find("1|alpha", 1, true)) -- they did not use it up
    end)

    it("asks anew when no answer comes with the state", function()
      local got = converse(drive.send(call(1, "read", READ)) .. RECEIVE .. KEEP
        .. send_again(call(2, "read", READ, { requestState = "STATE" })) .. RECEIVE
        .. send_again(call(3, "read", READ,
          { requestState = "STATE", inputResponses = { other = YES } })) .. RECEIVE
        .. drive.send(call(4, "read", READ, { inputResponses = { gate = YES } })) .. RECEIVE)
      for index = 1, 4 do assert.equal("input_required", got[index].result.resultType) end
    end)

    it("takes a decline and a dismissal with the state", function()
      for action, words in pairs { decline = "declined", cancel = "closed without an answer" } do
        local got = converse(drive.send(call(1, "read", READ)) .. RECEIVE .. KEEP
          .. answered(2, "read", READ, { action = action }) .. RECEIVE)
        assert.is_true(got[2].result.isError)
        assert.is_truthy(text_of(got[2]):find(words, 1, true))
      end
    end)

    it("asks only a client that says in the request that it can show forms", function()
      for _, capabilities in ipairs { {}, { elicitation = { url = {} } }, { sampling = {} } } do
        local text = cjson.encode(call(1, "read", READ, nil, {
          ["io.modelcontextprotocol/protocolVersion"] = "2026-07-28",
          ["io.modelcontextprotocol/clientCapabilities"] = capabilities,
        })):gsub("%[%]", "{}")
        local got = converse("send " .. drive.quoted(text) .. "\n" .. RECEIVE)
        assert.is_true(got[1].result.isError)
        assert.is_truthy(text_of(got[1]):find("no way to ask", 1, true))
      end
    end)
  end)
end)

describe("--gate", function()
  local place

  before_each(function() place = testing.session { files = FILES } end)
  after_each(function() place:close() end)

  it("allow and deny decide about all, and the audit log says so", function()
    local audit = os.tmpname()
    local read = drive.run("call", place:root(), "read", "path=a.txt", "--gate", "allow",
      "--audit", audit)
    assert.equal("1|alpha\n[end of file: 1 line]\n", read.out)
    read = drive.run("call", place:root(), "read", "path=a.txt", "--gate", "deny", "--audit", audit)
    assert.same({ 1, "" }, { read.status, read.err })
    assert.is_truthy(read.out:find("nobody can be asked", 1, true))
    local verdicts = {}
    for line in io.lines(audit) do
      local record = cjson.decode(line)
      if record.op == "verdict" then
        verdicts[#verdicts + 1] = record.verdict .. " by " .. record.decider
      end
    end
    assert.same({ "ok by allow", "denied by deny" }, verdicts)
    os.remove(audit)
  end)

  it("is one of its words, and elicit is for a server", function()
    local result = drive.run("serve", place:root(), "--gate", "maybe")
    assert.same({ 2, "" }, { result.status, result.out })
    assert.is_truthy(result.err:find("elicit (ask the client's user), tty", 1, true))
    result = drive.run("call", place:root(), "list", "--gate", "elicit")
    assert.equal(2, result.status)
  end)

  -- S2-15, S2-18
  it("has to be given for tools that demand one, and the sentence names the choices", function()
    local tools = os.tmpname()
    os.remove(tools)
    assert(os.execute(("mkdir %s && echo 'return { gate = true }' >%s/toolset.lua")
      :format(tools, tools)))
    local result = drive.run("serve", place:root(), "--tools", tools)
    assert.equal(2, result.status)
    for _, word in ipairs { "--gate", "elicit", "tty", "allow", "deny" } do
      assert.is_truthy(result.err:find(word, 1, true), result.err)
    end
    assert.equal(0, drive.run("serve", place:root(), "--tools", tools, "--gate", "deny").status)
    os.execute("rm -r " .. tools)
  end)

  it("tty asks at the terminal", function()
    -- script(1) gives the program a terminal of its own; what it types is read as the answer
    if not os.execute("command -v script >/dev/null") then pending("no script(1)") return end
    local function ask(typed)
      local command = ("%s call %s read path=a.txt --gate tty"):format(
        drive.quoted(require("tree").program()), drive.quoted(place:root()))
      local seen = os.tmpname()
      local wait = ("for i in $(seq 200); do grep -q '\\[y\\]' %s && break; sleep .05; done")
        :format(seen)
      local result = drive.shell(("{ %s; printf '%s\\n'; sleep 0.3; } | timeout 20 script -qefc"
        .. " %s %s"):format(wait, typed, drive.quoted(command), seen))
      os.remove(seen)
      return result.out
    end
    local said = ask("y")
    assert.is_truthy(said:find('May the assistant call "read" (it reads) on "a.txt"?', 1, true))
    assert.is_truthy(said:find("1|alpha", 1, true))
    assert.is_truthy(ask("n not now"):find('says: "not now"', 1, true))
  end)

  it("tty holds up no other calls, and asks about none that is cancelled", function()
    if not os.execute("command -v script >/dev/null") then pending("no script(1)") return end
    local base = os.tmpname()
    local policy <close> = assert(io.open(base .. ".lua", "w"))
    policy:write('return policy { version = 1, rules = { allow { tools = { "read" } } } }')
    policy:close()
    os.execute("chmod 600 " .. base .. ".lua")
    local lines = { cjson.encode(drive.request("open", "initialize", {
      protocolVersion = "2025-11-25", capabilities = { elicitation = { form = { a = 1 } } },
      clientInfo = { name = "spec" } })) }
    for id = 1, 5 do
      lines[#lines + 1] = cjson.encode(drive.call(id, "write",
        { path = ("t%d.txt"):format(id), content = "x" }))
    end
    for id = 2, 5 do
      lines[#lines + 1] = cjson.encode { jsonrpc = "2.0", method = "notifications/cancelled",
        params = { requestId = id } }
    end
    lines[#lines + 1] = cjson.encode(drive.call(9, "read", { path = "a.txt" }))
    local input <close> = assert(io.open(base .. ".in", "w"))
    input:write(table.concat(lines, "\n"), "\n")
    input:close()
    local wait = "for i in $(seq 200); do grep -q '\"id\":%d,' " .. base .. ".out && break; "
      .. "sleep .05; done"
    local server = ("{ cat %s.in; %s; } | %s serve %s --gate tty --policy %s.lua >%s.out"):format(
      base, wait:format(1), drive.quoted(require("tree").program()), drive.quoted(place:root()),
      base, base)
    local result = drive.shell(("{ %s; printf 'y\\n'; %s; } | timeout 40 script -qefc %s "
      .. "%s.seen"):format(wait:format(9), wait:format(1), drive.quoted(server), base))
    local out <close> = assert(io.open(base .. ".out"))
    local answers = out:read("a")
    os.execute("rm " .. base .. "*")
    assert.is_truthy(answers:find("1|alpha", 1, true), answers .. result.out)
    assert.is_truthy(answers:find('"id":1,', 1, true), answers)
    local _, asked = result.out:gsub("May the assistant", "")
    assert.equal(1, asked, result.out)
  end)
end)

--- What the kernel is asked from a call to its question, and from the answer to its result.
describe("before the verdict", function()
  local CONVERSATION = [[
coproc SERVER { exec strace -f -qq -s 400 -o "$TRACE" -e trace=%%file,%%desc,getdents64 \
  "$CROFT" serve %s --gate elicit --no-landlock; }
in=${SERVER[1]} out=${SERVER[0]}
send() { printf '%%s\n' "$1" >&"$in"; }
receive() { IFS= read -r -t 30 line <&"$out" && printf '%%s\n' "$line"; }
%s
exec {in}>&-
while receive; do :; done
wait
]]

  --- The lines of the trace that name or read files, from the one that has `from` to the one that
  --- has `to`.
  local function looks(trace, from, to)
    local found, inside = {}, false
    for line in trace:gmatch("[^\n]+") do
      if line:find(from, 1, true) then inside = true end
      if inside and line:find(to, 1, true) then break end
      local call = line:match("^%d+%s+([%w_]+)%(")
      if inside and (call == "openat" or call == "openat2" or call == "statx"
        or call == "newfstatat" or call == "readlinkat" or call == "getdents64"
        or call == "readlink" or call == "access" or call == "faccessat2" or call == "pread64") then
        found[#found + 1] = line
      end
    end
    return found
  end

  -- S2-12, S2-14
  it("no file is opened, looked at or listed, as strace sees it", function()
    if not os.execute("strace -o /dev/null true 2>/dev/null") then
      pending("strace cannot be run here")
      return
    end
    local place = testing.session { files = FILES }
    local calls = {
      { "read", { path = "a.txt" } }, { "list", { recursive = true } },
      { "grep", { pattern = "alpha" } }, { "write", { path = "new/x", content = "x" } },
      { "edit", { path = "b.txt", old_string = "beta", new_string = "gamma" } },
    }
    local script = { OPEN }
    for id, call in ipairs(calls) do
      script[#script + 1] = drive.send(drive.call("call-" .. id, call[1], call[2])) .. RECEIVE
        .. reply_to("croft-gate-" .. id, accept("allow once")) .. RECEIVE
    end
    local trace = os.tmpname()
    local result = drive.shell("TRACE=" .. trace .. "\nexport TRACE CROFT\ntimeout 60 bash -c "
      .. drive.quoted(CONVERSATION:format(drive.quoted(place:root()), table.concat(script))))
    local replies = {}
    for line in result.out:gmatch("[^\n]+") do replies[#replies + 1] = cjson.decode(line) end
    assert.equal(2 * #calls, #replies)
    local file = assert(io.open(trace))
    local text = file:read("a")
    file:close()
    for id, call in ipairs(calls) do
      assert.is_nil(replies[2 * id].result.isError, call[1])
      assert.same({}, looks(text, "call-" .. id, "croft-gate-" .. id), call[1])
      assert.is_true(#looks(text, '\\"id\\":\\"croft-gate-' .. id, "call-" .. id + 1) > 0
        or #looks(text, "croft-gate-" .. id, "call-" .. id + 1) > 0, call[1])
    end
    os.remove(trace)
    place:close()
  end)
end)
