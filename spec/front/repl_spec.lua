-- SPDX-License-Identifier: MIT
--- The REPL by a pipe: calls, what is shown of them, and how a script ends.
local cjson = require("cjson").new()
local drive = require("spec.front.drive")
local repl = require("spec.front.repl_drive")
local tree = require("tree")

local workspace

--- What a script prints, all of it, though lines fail.
local function shown(...)
  local result = repl.run(workspace, { ... }, "--keep-going")
  return result.out, result.err, result.status
end

--- A tool that looks at a file more often than is kept, and is refused another.
local MANY = [[
local tool = require "croft.tool"
return tool.define {
  name = "many", description = "Looks.", access = "read",
  input = { type = "object", properties = {} },
  run = function(_, ctx)
    for _ = 1, 9000 do ctx.fs:stat("a.txt") end
    return (ctx.fs:read("nope"))
  end,
}
]]

describe("croft repl", function()
  setup(function() workspace = repl.workspace() end)
  teardown(function() workspace.close() end)

  describe("calls a tool", function()
    for _, line in ipairs {
      "read path=a.txt limit=1", 'read path="a.txt" limit=1', "read path=a.txt limit:=1",
      'read {"path": "a.txt", "limit": 1}', "  read   path=a.txt   limit=1  ",
    } do
      it("by the line " .. line, function()
        local out, err, status = shown(line)
        assert.equal("1|one\n[lines 1-1 of 2. Next: \"offset\": 2, \"limit\": 1]\n"
          .. "ok T, N steps, heap H, 1 primitive\n", out)
        assert.equal("", err)
        assert.equal(0, status)
      end)
    end

    it("with a value of several lines", function()
      local out = shown("write path=n.txt content='x", "", "  y'", "read path=n.txt")
      assert.matches("1|x\n2|\n3|  y\n", out)
    end)

    it("with JSON of several lines", function()
      assert.matches("^1|one\n", (shown("read {", '"path": "a.txt",', '"limit": 1}')))
    end)

    it("with escapes, in quotes and without", function()
      shown([[write path=e.txt content="a\tb\n\"c\""]], [[write path=f.txt content=a\ b\\n]])
      assert.equal('a\tb\n"c"', tree.text(workspace.root .. "/e.txt"))
      assert.equal("a b\\n", tree.text(workspace.root .. "/f.txt"))
    end)

    for _, case in ipairs {
      { "an unknown one", "raed path=a.txt", 'no tool "raed"; did you mean "read"%?; there are ' },
      { "one with words that are no arguments", "read a.txt", '"a.txt" is neither key=text' },
      { "one with broken JSON", 'read {"path" "a"}', "are not JSON" },
      { "one with a broken value", "read limit:=x", 'value of "limit" is not JSON' },
      { "one with a quote that stays open", "read path='a", "ends in the middle" },
      { "one with bytes that are no UTF-8", "read path=\xff", "not UTF%-8" },
    } do
      it("and refuses " .. case[1], function()
        local out, err, status = shown(case[2])
        assert.equal("", out)
        assert.matches(case[3], err)
        assert.equal(2, status)
      end)
    end
  end)

  describe("evaluates Lua", function()
    for _, case in ipairs {
      { "= 1 + 1", "2" },
      { '= "a\\n", nil, true', '"a\\n", nil, true' },
      { "= {x = 1, 2, {3}, ['a b'] = 4}", "{2, {3}, [\"a b\"] = 4, x = 1}" },
      { '= ctx.fs:list("d").entries[1].path', '"d/b.txt"' },
      { '= load("return 1", "")', "function :0" },
      { '= load("return 1\\nor 2")', "function return 1:0" },
      { "= for i = 1, 2 do\nprint(i)\nend", "| 1\n| 2" },
      { [[= {["a\0b"] = 1, a = 2, ["a\0"] = 3}]],
        [[{a = 2, ["a\x00"] = 3, ["a\x00b"] = 1}]] },
      { "= print", "function (C)" },
      { [[= "\r\t\\\1\127"]], [["\r\t\\\x01\x7F"]] },
      { "= coroutine.create(print)", "coroutine" },
      { "= {[1.5] = true, ['9'] = false}", '{["9"] = false, [1.5] = true}' },
      { "= function() end", "function input:1" },
      { "= x\n= 1", nil, "unknown global 'x'" },
      { "= io", nil, "unknown global 'io'" },
      { "= 1 +", nil, "ends in the middle" },
      { "= )", nil, "unexpected symbol" },
      { '= ctx.fs:write("a.txt", "x")', nil, "read_only" },
      { "=", nil, "needs Lua" },
    } do
      it("such as " .. case[1]:gsub("\n", " "), function()
        local out, err = shown(case[1])
        if case[2] then
          assert.equal(case[2] .. "\n", out)
        else
          assert.matches(case[3], out .. err)
        end
      end)
    end

    it("and keeps what is assigned", function()
      assert.equal("6\n", (shown("= x = 5", "= x + 1")))
    end)

    it("under the limits of a call", function()
      local out, _, status = shown(":limits steps=20000", "= (function() while true do end end)()",
        "= 1")
      assert.matches("stopped T, N steps", out)
      assert.matches("\n1\n$", out)
      assert.equal(3, status)
    end)

    it("and cuts a long value, with one hint", function()
      local out = shown('= ("x"):rep(900)', '= ("x"):rep(900)', ":maxlen 1000", '= ("x"):rep(900)')
      assert.equal(2, select(2, out:gsub('"' .. ("x"):rep(400) .. "%.%.%.\n", "")))
      assert.equal(1, select(2, out:gsub("cut at 400 bytes; :maxlen", "")))
      assert.matches('"' .. ("x"):rep(900) .. '"\n', out)
    end)
  end)

  describe("shows", function()
    it("the tools and where they come from", function()
      local out = shown(":tools")
      assert.matches("\nread   tools/workspace/read.lua   built in\n", out)
      assert.matches("\nsum    tools/sum.lua\n", out)
    end)

    it("a schema", function()
      local out = shown(":schema sum")
      local schema = cjson.decode(out)
      assert.equal("integer", schema.properties.numbers.items.type)
      assert.matches('\n  "properties": {\n', out)
    end)

    it("the source of a tool, and of a file", function()
      assert.matches("\n    6    local result = n %* factor\n", (shown(":show sum")))
      assert.matches("tools/workspace/read.lua\n    1  %-%- SPDX", (shown(":show read")))
      assert.matches("lua/croft/call.lua", (shown(":show croft/call.lua")))
    end)

    it("the last call again, with other arguments, and its raw result", function()
      local out = shown("read path=a.txt limit=1", ":last", ":args limit=2 offset=2", ":args",
        ":raw")
      assert.equal(2, select(2, out:gsub("1|one\n", "")))
      assert.matches('\nread {"path":"a.txt","limit":"2","offset":"2"}\n', out)
      local raw = cjson.decode(out:match("({\"content\".*)\n$"))
      assert.equal("2|two\n[lines 2-2 of 2: end of file]", raw.content[1].text)
    end)

    it("the limits, and changes them", function()
      local out = shown(":limits time=1s", ":limits")
      assert.matches("time=1s +%(10s by default%)\n", out)
      assert.matches("\nheap=16MiB\n", out)
    end)

    it("what calls have taken", function()
      local out = shown("read path=a.txt", ":usage")
      assert.matches("\nsteps +%d+ +%d+ +50000000\n", out)
      assert.matches("1 calls since the tools were loaded; 1 interpreters made, 0 thrown away", out)
    end)

    it("what would mislead a model", function()
      assert.matches("note  tools/sum.lua: has no examples", (shown(":check")))
    end)

    it("help for all commands and for one, within 80 columns", function()
      local out = shown(":help", ":help bre")
      for line in out:gmatch("[^\n]+") do assert.is_true(#line <= 80, line) end
      assert.matches(":break %[WHERE %[if EXPR%]%]  %(short: :b%)", out)
    end)

    it("what tools print", function()
      assert.equal("| a\t1\n", (shown('= print("a", 1)')))
    end)
  end)

  describe("traces", function()
    it("each primitive: name, path and where it leads, bytes, verdict, line", function()
      local out = shown(":trace on", "read path=link", "list", "write path=w.txt content=abc")
      assert.matches("n +us +op +path +bytes +verdict +at\n", out)
      assert.matches("\n1 +%d+ +page +link %-> a.txt +11 +ok +read.lua:%d+\n", out)
      assert.matches("\n1 +%d+ +list +%. +0 +ok +list.lua:%d+\n", out)
      assert.matches("\n1 +%d+ +replace +w.txt +3 +ok +write.lua:%d+\n", out)
    end)

    it("refusals with their rule", function()
      local out = shown(":trace on", "read path=host/passwd", "write path=docs/q content=x")
      assert.matches("host/passwd +0 +outside %(link%)", out)
      assert.matches("docs/q +0 +read_only %(docs%)", out)
    end)

    it("the last call, when it is asked afterwards", function()
      assert.matches("\n1 +%d+ +page +a.txt", (shown("read path=a.txt", ":trace")))
    end)

    it("within the width, and in full without", function()
      local path = ("d/../"):rep(20) .. "a.txt"
      local out = shown(":trace on", "read path=" .. path)
      for line in out:gmatch("[^\n]+") do assert.is_true(#line <= 80, line) end
      assert.matches(path:gsub("%p", "%%%0"), (shown(":trace full", "read path=" .. path)))
    end)

    it("the line of a tool of one's own", function()
      local out = shown(":trace full", "sum numbers:=[1] path=a.txt")
      assert.matches("\n1 +%d+ +read +a.txt +8 +ok +tools/sum.lua:24\n", out)
    end)
  end)

  describe("explains", function()
    for _, case in ipairs {
      { "a link to the host", "read path=host/passwd",
        { "way +host: link %-> an absolute path", "outside %(link%)", "inside the root, and to" } },
      { "a link that climbs", "read path=up/secret",
        { "up: link %-> a path that goes up\n +%.%.: above the root", "outside %(link%)" } },
      { "a path that climbs", "read path=../x", { "outside %(climbs%)", "does not go up above" } },
      { "a path that is absolute", "read path=/etc/passwd",
        { "outside %(absolute%)", "does not begin with /" } },
      { "a read-only tree", "write path=docs/q content=x",
        { "docs: directory", "q: missing", 'read%-only tree "docs"', "read_only %(docs%)" } },
      { "what is missing", "edit path=d/q old_string=a new_string=b",
        { "d: directory\n +q: missing", "verdict +missing" } },
      { "a file in the way", "read path=a.txt/b", { "a.txt: file\n +b: behind a file" } },
      { "a directory", "read path=d", { "d: directory", "not_a_file" } },
      { "arguments alone", "read pth=a", { "bad_argument", "by the arguments alone", ":schema" } },
      { "what an edit did not find", "edit path=a.txt old_string=zzz new_string=y",
        { "no_match", "primitive" } },
      { "a fault of the tool", "sum numbers:=[] boom=true", { "internal", ":break error" } },
      { "a gate", ":gate deny\nread path=a.txt",
        { "denied", "before the tool ran: by the gate", ":gate off" } },
      { "a limit", "sum numbers:=[] forever=true",
        { "stopped %(steps%)", "steps +30000 of 30000", ":profile" } },
    } do
      it(case[1], function()
        local out = shown(":limits steps=30000", case[2], ":why")
        for _, pattern in ipairs(case[3]) do assert.matches(pattern, out) end
        assert.not_matches(workspace.root:gsub("%p", "%%%0"), out)
        assert.not_matches("/etc\n", out)
      end)
    end

    it("with paths of the host where that is asked for", function()
      local result = repl.run(workspace, { "read path=host/passwd", ":why" }, "--keep-going",
        "--show-host-paths")
      assert.matches("host: link %-> /etc\n", result.out)
    end)

    it("nothing of the host in JSON either, unless that is asked for", function()
      local script = { ":trace on", "read path=host/passwd", ":why" }
      local result = repl.json(workspace, script, "--keep-going")
      assert.matches("an absolute path", result.out)
      assert.not_matches('"/etc"', result.out)
      result = repl.json(workspace, script, "--keep-going", "--show-host-paths")
      assert.matches('"target":"/etc"', result.out)
    end)

    it("a refusal behind more primitives than are kept", function()
      local many <close> = setmetatable(repl.workspace { ["../tools/many.lua"] = MANY },
        { __close = function(self) self.close() end })
      local out = repl.run(many, { ":trace on", "many", ":why" }, "--keep-going").out
      assert.matches(", 900%d primitives\n", out)
      assert.matches("\n9001 +%d+ +read +nope ", out)
      assert.matches("%(of %d+ more that were not refused nothing was kept%)", out)
      assert.matches("primitive +9001, read at tools/many.lua:%d+\n", out)
    end)

    it("nothing where nothing was refused", function()
      assert.matches("was not refused anything", (shown("read path=a.txt", ":why")))
      assert.matches("no tool was called yet", (select(2, shown(":why"))))
    end)
  end)

  describe("profiles", function()
    it("a call by line and by primitive", function()
      local out = shown(":profile sum numbers:=[1,2,3] path=a.txt")
      assert.matches("us +%% +hits +line\n", out)
      assert.matches("\n *%d+ +%d+ +%d+ +sum.lua:%d+ ", out)
      local hits = {}
      local object = repl.json(workspace, { ":profile sum numbers:=[1,2,3]" }).objects[1]
      for _, entry in ipairs(object.profile) do
        hits[("%s:%d"):format(entry.file, entry.line)] = entry.hits
      end
      assert.equal(3, hits["tools/sum.lua:7"])
      assert.equal(1, hits["tools/sum.lua:19"])
      assert.matches("us +bytes +times +primitive\n *%d+ +8 +1 +read\n", out)
    end)

    it("nothing but a call", function()
      for _, rest in ipairs { "# x", ":bt", "= 1" } do
        assert.matches(":profile takes a call", (select(2, shown(":profile " .. rest))))
      end
    end)

    it("the last call, and one that a limit stopped", function()
      local out = shown(":limits steps=30000", "sum numbers:=[] forever=true", ":profile")
      assert.matches("total = total %+ 1\n", out)
      assert.matches("stopped T", out)
    end)
  end)

  describe("loads tools again", function()
    local function rewrite(from, to)
      local file = assert(io.open(workspace.tools .. "/sum.lua", "w"))
      file:write((repl.SUM:gsub(from, to)))
      file:close()
    end

    before_each(function() rewrite("$", "") end)

    --- Runs the lines with a change of the file between the first and the rest.
    local function changed(first, from, to, ...)
      local fifo = workspace.root .. "/../fifo"
      local new = workspace.root .. "/../new.lua"
      local file = assert(io.open(new, "w"))
      file:write((repl.SUM:gsub(from, to)))
      file:close()
      local rest = table.concat({ ... }, "\n")
      -- what the first lines print is waited for, so that the file changes after them
      return drive.shell(([[
        rm -f %s; mkfifo %s
        { printf '%%s\n' %s '= "first"'; read -r _ <%s; cp %s %s; printf '%%s\n' %s; } |
          "$CROFT" repl %s --tools %s --keep-going 2>&1 |
          while IFS= read -r line; do
            printf '%%s\n' "$line"; [ "$line" != '"first"' ] || echo go >%s
          done]]):format(fifo, fifo, drive.quoted(first), fifo, new, workspace.tools .. "/sum.lua",
        drive.quoted(rest), drive.quoted(workspace.root), drive.quoted(workspace.tools), fifo)).out
    end

    it("when it is told to, behind the wall", function()
      local out = changed("sum numbers:=[1]", "factor = 2", "factor = 7", "sum numbers:=[1]",
        ":reload sum", "sum numbers:=[1]")
      assert.matches("total 2\n.*total 2\n.*loaded again, from tools/sum.lua\ntotal 7\n", out)
    end)

    it("by itself, with :watch on", function()
      local out = changed(":watch on", "factor = 2", "factor = 9", "sum numbers:=[1]")
      assert.matches("%(the tools were loaded again: their files have changed%)\ntotal 9\n", out)
    end)

    it("and keeps those that it has when they are broken", function()
      local out = changed(":watch on", "return tool.define {", "return tool.define {{", ":reload",
        "sum numbers:=[1]")
      assert.matches("sum.lua:%d+: ", out)
      assert.matches("total 2\n", out)
    end)

    it("and finds the places of breakpoints again", function()
      local out = changed(":break double", "local factor", "\n\nlocal factor", ":reload", ":break",
        "sum numbers:=[1]", ":abort")
      assert.matches("1  double %(tools/sum.lua:7%)\n", out)
      assert.matches("stopped at tools/sum.lua:8: breakpoint 1\n", out)
    end)
  end)

  describe("has a gate", function()
    it("where one is set, that says no in a script", function()
      local out, _, status = shown("write path=g1.txt content=x", ":gate ask",
        "write path=g2.txt content=x", "read path=a.txt", ":gate off", "read path=a.txt")
      assert.matches('Created "g1.txt"', out)
      assert.matches('write of "g2.txt" was declined by the user, who says: "nobody was asked: the '
        .. 'script runs without %-%-yes"', out)
      assert.matches("gate is off\n1|one\n", out)
      assert.equal(1, status)
    end)

    it("that says yes with --yes and no with --no", function()
      local script = { ":gate ask", "write path=g3.txt content=x" }
      assert.matches('declined by the user', repl.run(workspace, script, "--no").out)
      assert.matches('Created "g3.txt"', repl.run(workspace, script, "--yes").out)
      assert.equal(2, repl.run(workspace, script, "--yes", "--no").status)
    end)

    it("that allows or refuses all, or tells what it allows", function()
      local out = shown(":gate deny", "read path=a.txt", ":gate allow", "read path=a.txt",
        ":gate log", "write path=g4.txt content=abc", "grep pattern=one")
      assert.matches("gate is deny\n[^\n]+needs somebody's approval", out)
      assert.matches("gate is allow\n| [^\n]+ allowed, nobody was asked [^\n]+\n1|one\n", out)
      assert.matches('gate: write g4.txt %(3 bytes, new%)\nCreated', out)
      assert.matches('gate: grep . %(search%)\n', out)
    end)

    it("which keeps nothing from Lua that is typed", function()
      assert.matches('"one\\ntwo\\n"', (shown(":gate ask", '= ctx.fs:read("a.txt")')))
    end)

    it("when a set of tools demands one", function()
      local file = assert(io.open(workspace.tools .. "/toolset.lua", "w"))
      file:write('return { name = "gated", gate = true }\n')
      file:close()
      local out = shown(":gate", "read path=a.txt")
      os.remove(workspace.tools .. "/toolset.lua")
      assert.matches("^gate is ask\nread of \"a.txt\" was declined", out)
    end)

    it("and knows no other word", function()
      assert.matches(":gate takes off, ask, allow, deny or log", (select(2, shown(":gate maybe"))))
    end)
  end)

  describe("ends", function()
    it("at the first line that fails, with its status", function()
      local result = repl.run(workspace, { "read path=nope", "read path=a.txt" })
      assert.equal(1, result.status)
      assert.not_matches("1|one", result.out)
      assert.equal(2, repl.run(workspace, { ":nope", "read path=a.txt" }).status)
      assert.equal(3, repl.run(workspace, { "= (function() while true do end end)()" },
        "--limit", "steps=20000").status)
    end)

    it("after all lines with --keep-going, with the first failure's status", function()
      local result = repl.run(workspace, { "read path=nope", ":nope", "read path=a.txt" },
        "--keep-going")
      assert.equal(1, result.status)
      assert.matches("1|one", result.out)
    end)

    it("with 0 when all went well, comments and blank lines among them", function()
      local result = repl.run(workspace, "# a comment\n\n   \nread path=a.txt\r\n:quit\n:nope\n")
      assert.equal(0, result.status)
      assert.equal("", result.err)
    end)

    it("at :quit, and where a call stands still at the end", function()
      assert.equal(0, repl.run(workspace, { ":quit", ":nope" }).status)
      assert.equal(0, repl.run(workspace, { ":break sum", "sum numbers:=[1]" }).status)
    end)

    it("without prompt or colour", function()
      local result = repl.run(workspace, { "read path=nope" })
      assert.not_matches("\27", result.out .. result.err)
      assert.not_matches("croft>", result.out .. result.err)
    end)
  end)

  it("reads its lines from the FILE of --script", function()
    local path = workspace.root .. "/../script"
    local file = assert(io.open(path, "w"))
    file:write("read path=a.txt\n")
    file:close()
    assert.matches("1|one", repl.run(workspace, "", "--script", path).out)
    assert.equal(2, repl.run(workspace, "", "--script", path .. "x").status)
  end)

  it("reads croft's own Lua from CROFT_LUA_DIR behind the wall, too, where a build does", function()
    local result = drive.shell(('env CROFT_LUA_DIR="$PWD" "$CROFT" repl %s --keep-going'):format(
      drive.quoted(workspace.root)), ":reload\nraed\n:help\n")
    assert.matches("^5 tools were loaded again\n", result.out)
    assert.matches('no tool "raed"; did you mean "read"', result.err)
    assert.matches("may be cut short", result.out)
  end)

  it("says with --json, too, that its input ends in the middle", function()
    local result = repl.json(workspace, { "= {" })
    assert.equal(2, result.status)
    assert.matches("ends in the middle of: = {", result.objects[1].error)
    assert.is_false(result.objects[1].ok)
  end)

  it("answers each line by one object with --json", function()
    local result = repl.json(workspace, { "# no", "read path=a.txt", ":trace on", "read path=nope",
      ":xyz", "= 1", ":tools", ":break sum", "sum numbers:=[1]", ":bt", ":locals", ":print args",
      ":continue" }, "--keep-going")
    local objects = result.objects
    assert.equal("read path=a.txt", objects[1].input)
    assert.is_true(objects[1].ok)
    assert.equal("1|one\n2|two\n[end of file: 2 lines]", objects[1].result.text)
    assert.equal("missing", objects[3].result.code)
    assert.equal("page", objects[3].primitives[1].op)
    assert.equal("missing", objects[3].primitives[1].steps[1].what)
    assert.matches('no command ":xyz"', objects[4].error)
    assert.is_false(objects[4].ok)
    assert.equal("1", objects[5].result.text)
    assert.equal("edit", objects[6].tools[1].name)
    assert.equal(1, objects[7].breakpoint)
    assert.equal("breakpoint", objects[8].stop.why)
    assert.equal("tools/sum.lua", objects[9].frames[1].file)
    assert.equal("args", objects[10].variables[1].name)
    assert.equal("{numbers = {1}}", objects[11].value)
    assert.equal(":continue", objects[12].input)
    assert.equal("total 2", objects[13].result.text)
    assert.equal(13, #objects)
  end)

  describe("finds commands", function()
    local names = {}
    for name in tree.text("lua/front/repl_commands.lua"):gmatch('\n%s+{?%s*name = "(%l+)"') do
      names[#names + 1] = name
    end

    it("by any beginning that no other has, and by the short form", function()
      assert.is_true(#names > 25)
      local lines = {}
      for index, name in ipairs(names) do lines[index] = ":help " .. name end
      local shortest = {}
      for name, short in shown(table.unpack(lines)):gmatch(":(%l+)[^\n]-%(short: :(%l+)%)") do
        shortest[name] = short
      end
      for index, name in ipairs(names) do
        lines[index] = ":help " .. (shortest[name] or name)
      end
      local out, err = shown(table.unpack(lines))
      assert.equal("", err)
      local found = {}
      for name in ("\n" .. out):gmatch("\n:(%l+)") do found[#found + 1] = name end
      assert.same(names, found)
    end)

    it("and says what there is where it cannot", function()
      assert.matches('no command ":trce"; did you mean "trace"%?', (select(2, shown(":trce"))))
      assert.matches('":t" may be :tools or :trace', (select(2, shown(":t"))))
      assert.matches("takes nothing behind it", (select(2, shown(":bt 3"))))
      assert.matches(':trace takes off, on or full, not "loud"', (select(2, shown(":trace loud"))))
      assert.matches(':watch takes on or off, not "bananas"',
        (select(2, shown(":watch bananas"))))
      assert.matches("takes a number of bytes", (select(2, shown(":maxlen 0"))))
      assert.matches('no limit "stps"; did you mean "steps"', (select(2, shown(":limits stps=1"))))
    end)

    for _, name in ipairs(names) do
      it("such as :" .. name .. ", which never breaks off", function()
        local place = name == "record" and "/none/" or "" -- no file is to be made here
        local wrong = ":" .. name .. " " .. place .. "x"
        local result = repl.run(workspace, {
          ":" .. name, wrong, ":" .. name .. " " .. place .. "\xff\1 99999999999999999999",
          ":break sum", "sum numbers:=[1]", ":" .. name, wrong, "= 0" }, "--keep-going")
        assert.not_matches("traceback", result.err)
        assert.is_true(result.status >= 0 and result.status <= 3, result.err)
      end)
    end
  end)
end)
