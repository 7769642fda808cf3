-- SPDX-License-Identifier: MIT
--- The debugger of `croft repl`: where calls stand still, what can be seen there, how they go on.
local repl = require("spec.front.repl_drive")

local workspace

local HANDLING = [[
local tool = require("croft.tool")
return tool.define {
  name = "handle", description = "Handles what it raises.", access = "read",
  input = { type = "object", properties = {} },
  run = function()
    local function raise(text) error(text, 0) end
    local function handler(fault) return "handled " .. fault end
    local good, text = xpcall(raise, handler, "it")
    local fine, one, two = xpcall(function(...) return ... end, handler, 1, 2)
    return ("%s %s %s %s %s"):format(good, text, fine, one, two)
  end,
}
]]

local CATCHING = [[
local tool = require("croft.tool")
local errors = require("croft.errors")

local function inner(value)
  if value == "plain" then
    error("plain fault")
  elseif value == "structured" then
    errors.raise("no_match", { text = "nothing there" })
  end
  return value.x.y
end

local function run(args)
  local ok, caught = pcall(inner, args.value)
  local co = coroutine.create(function() return inner(args.value) end)
  local fine, also = coroutine.resume(co)
  return ("%s %s %s %s"):format(ok, type(caught), fine, type(also))
end

return tool.define {
  name = "catch", description = "Catches what it raises.", access = "read",
  input = {
    type = "object", properties = { value = { type = "string", description = "What is raised." } },
  },
  run = run,
}
]]

--- What a script prints, errors of its lines among it.
local function shown(...)
  local result = repl.run(workspace, { ... }, "--keep-going")
  assert.not_matches("traceback", result.err)
  return result.out .. result.err, result.status
end

--- Where a call stands still, in order: "file:line why".
local function stops(...)
  local list = {}
  for _, object in ipairs(repl.json(workspace, { ... }, "--keep-going").objects) do
    if object.stop then
      list[#list + 1] = ("%s:%d %s"):format(object.stop.file, object.stop.line, object.stop.why)
    end
  end
  return list
end

describe("The debugger", function()
  setup(function()
    workspace = repl.workspace {
      ["../tools/catch.lua"] = CATCHING, ["../tools/handle.lua"] = HANDLING,
    }
  end)
  teardown(function() workspace.close() end)

  it("knows files of one name apart, though their directories have one name, too", function()
    local other = workspace.root .. "/../other/tools"
    assert(os.execute(("mkdir -p %s && sed 's/\"sum\"/\"more\"/; s/return result/local r = result "
      .. "return r/' %s/sum.lua >%s/sum.lua"):format(other, workspace.tools, other)))
    local result = repl.run(workspace, { ":break tools/sum.lua:7", ":break tools-2/sum.lua:7",
      "sum numbers:=[1]", ":continue", "more numbers:=[1]", ":continue" },
      "--tools", other)
    assert.equal(0, result.status, result.err)
    assert.matches("stopped at tools/sum.lua:7: breakpoint 1\n>%*   7    return result\n",
      result.out)
    assert.matches("stopped at tools%-2/sum.lua:7: breakpoint 2\n>%*   7    local r = result",
      result.out)
  end)

  describe("stands still", function()
    it("before a line", function()
      assert.same({ "tools/sum.lua:7 breakpoint", "tools/sum.lua:7 breakpoint" },
        stops(":break sum.lua:7", "sum numbers:=[1,2]", ":continue", ":continue"))
    end)

    it("at the first line with code from there on", function()
      assert.matches("breakpoint 1  tools/sum.lua:5\n", (shown(":break sum.lua:4")))
      assert.matches("has no line 999: it has 1 to %d+", (shown(":break sum.lua:999")))
    end)

    it("at no line that a file has not got, however it is written", function()
      for _, number in ipairs { "0", "99999999999999999999" } do
        assert.matches("has no line " .. number, (shown(":break sum.lua:" .. number)))
        assert.matches("has no line " .. number, (shown(":list sum.lua:" .. number)))
      end
    end)

    it("in a function, wherever it is called", function()
      assert.same({ "tools/sum.lua:6 breakpoint", "tools/sum.lua:6 breakpoint" },
        stops(":break double", "sum numbers:=[1,2]", ":continue", ":continue"))
    end)

    it("in a tool, one of its own or one that is built in", function()
      assert.same({ "tools/sum.lua:19 breakpoint" }, stops(":break sum", "sum numbers:=[]", ":c"))
      local list = stops(":break read", "read path=a.txt", ":c")
      assert.equal(1, #list)
      assert.matches("^tools/workspace/read.lua:%d+ breakpoint$", list[1])
    end)

    it("before a primitive, one or any", function()
      assert.same({ "tools/sum.lua:24 primitive" },
        stops(":break primitive read", "sum numbers:=[] path=a.txt", ":c", "list", ":c"))
      assert.equal(2, #stops(":break primitive", "sum numbers:=[] path=a.txt", ":c", "list", ":c"))
    end)

    it("where an error is raised, its stack still there", function()
      local out = shown(":break error", "sum numbers:=[1] boom=true", ":print total", ":bt", ":c")
      assert.matches("stopped at tools/sum.lua:28: error\n  tools/sum.lua:28: attempt to index a ",
        out)
      assert.matches("\n2\n", out)
      assert.matches(">#0  run %(tools/sum.lua:28%)", out)
    end)

    it("where a tool is refused something", function()
      local list = stops(":break refusal", "sum numbers:=[] path=nope", ":c", "sum", ":c")
      assert.equal("tools/sum.lua:24 refusal", list[1])
      assert.matches("lua/croft/%l+.lua:%d+ refusal", list[2])
    end)

    it("at errors that a tool handles, which it does all the same", function()
      local out = shown(":break error", "handle", ":c")
      assert.matches("stopped at tools/handle.lua:6: error", out, 1, true)
      assert.matches("false handled it true 1 2\nok", out)
    end)

    it("at errors that a tool catches, in a pcall and in a coroutine", function()
      assert.same({ "tools/catch.lua:6 error", "tools/catch.lua:6 error" },
        stops(":break error", "catch value=plain", ":c", ":c"))
      assert.same({ "tools/catch.lua:8 refusal", "tools/catch.lua:8 refusal" },
        stops(":break refusal", "catch value=structured", ":c", ":c"))
      assert.same({}, stops(":break refusal", "catch value=plain"))
      assert.matches("false string false string\nok",
        (shown(":break refusal", "catch value=plain")))
    end)

    it("only where its condition holds", function()
      assert.matches("\n2\n.*total 12", (shown(":break sum.lua:7 if n == 2 and result == 4",
        "sum numbers:=[1,2,3]", ":print n", ":c")))
      assert.same({}, stops(":break double if false", "sum numbers:=[1,2]"))
    end)

    it("for conditions, whose time is not the call's", function()
      local slow = "(function() for i = 1, 1e5 do end return false end)()"
      local numbers = "[" .. ("1,"):rep(999) .. "1]"
      assert.matches("total 2000\nok", (shown(":limits time=500ms steps=10000000",
        ":break sum.lua:7 if " .. slow, "sum numbers:=" .. numbers)))
    end)

    it("where its condition cannot be evaluated, and says so", function()
      assert.matches("its condition cannot be evaluated: .-unknown global 'nope'",
        (shown(":break double if nope > 1", "sum numbers:=[1]", ":c")))
      assert.matches("the condition is no Lua", (shown(":break double if 1 +")))
    end)

    it("in an expression that is evaluated", function()
      assert.same({ "input:1 primitive" },
        stops(":break primitive list", "= #ctx.fs:list('.').entries", ":c"))
    end)

    it("in a new interpreter as in the one that a limit ended", function()
      assert.same({ "tools/sum.lua:19 breakpoint", "tools/sum.lua:19 breakpoint" },
        stops(":limits steps=30000", ":break sum", "sum numbers:=[] forever=true", ":c",
          "sum numbers:=[]", ":c"))
    end)

    it("no more where a breakpoint was deleted", function()
      assert.same({}, stops(":break sum", ":break primitive", ":delete 1", ":delete all",
        "sum numbers:=[] path=a.txt"))
      assert.matches('no breakpoint "7"', (shown(":delete 7")))
    end)

    for _, case in ipairs {
      { "nothing.lua:3", 'no file "nothing.lua"' },
      { "nobody", 'no function and no tool "nobody"' },
      { "primitive raed", 'no primitive "raed"; did you mean "read"' },
      { "what is this", ':break does not know "what is this"' },
    } do
      it("nowhere that is not known: " .. case[1], function()
        assert.matches(case[2], (shown(":break " .. case[1])))
      end)
    end
  end)

  describe("goes on", function()
    local START = { ":break sum", "sum numbers:=[1]" }

    --- The lines where it stands still after these moves.
    local function moves(...)
      local script = table.move({ ... }, 1, select("#", ...), #START + 1, { table.unpack(START) })
      local lines = {}
      for index, stop in ipairs(stops(table.unpack(script))) do
        lines[index] = tonumber(stop:match(":(%d+)"))
      end
      return lines
    end

    it("line by line, into functions and coroutines", function()
      assert.same({ 19, 20, 11, 15, 11, 12, 13, 21, 6, 7 },
        moves(":s", ":s", ":s", ":s", ":s", ":s", ":s", ":s", ":s"))
    end)

    it("over what is called", function()
      assert.same({ 19, 20, 21, 20, 22 }, moves(":next", ":next", ":next", ":next"))
    end)

    it("out of a function", function()
      assert.same({ 19, 6, 20 }, moves(":break double", ":c", ":out"))
    end)

    it("out of a coroutine, to the one that resumed it", function()
      assert.same({ 19, 13, 21 }, moves(":break sum.lua:13", ":c", ":out"))
    end)

    it("to a line of the file", function()
      assert.same({ 19, 23 }, moves(":until 23"))
      assert.same({ 19, 30 }, moves(":until 30", ":delete all"))
    end)

    it("to the end", function()
      assert.matches("total 2\nok", (shown(START[1], START[2], ":continue")))
    end)

    it("no more when it is aborted", function()
      local out, status = shown(START[1], START[2], ":abort", "read path=a.txt")
      assert.matches("\ninterrupted T, N steps, heap H, 0 primitives\n1|one\n", out)
      assert.equal(0, status)
    end)

    it("past an error to what the model reads", function()
      assert.matches("error\n.*sum failed inside.*refused: internal",
        (shown(":break error", "sum numbers:=[] boom=true", ":next")))
    end)

    it("and stepping passes over croft's own Lua", function()
      for _, line in ipairs(stops(START[1], START[2], ":s", ":s", ":s", ":s", ":s", ":s", ":s",
        ":s", ":s", ":s", ":s", ":s", ":s", ":s", ":s", ":s")) do
        assert.not_matches("^lua/croft", line)
      end
    end)
  end)

  describe("shows", function()
    it("the frames, over coroutines", function()
      local out = shown(":break sum.lua:13", "sum numbers:=[1]", ":bt")
      assert.matches(">#0  %? %(tools/sum.lua:13%)  %[coroutine 1%]\n #1  %[C%] for iterator\n"
        .. " #2  run %(tools/sum.lua:20%)\n", out)
    end)

    it("another frame", function()
      local out = shown(":break double", "sum numbers:=[4]", ":frame 1", ":locals", ":frame 99")
      assert.matches("#1  run %(tools/sum.lua:21%)\n> +21 ", out)
      assert.matches("\ntotal  =  0\n", out)
      assert.matches('no frame "99"', out)
    end)

    it("arguments, locals, upvalues and all", function()
      local out = shown(":break sum.lua:7", "sum numbers:=[4]", ":locals", ":upvalues",
        ":locals all")
      assert.matches("\nn       =  4\nresult  =  8\n", out)
      assert.matches("\nfactor  =  2\n", out)
      assert.matches("\nargument +n +=  4\n", out)
      assert.matches("\nupvalue +factor +=  2\n", out)
    end)

    it("the source, with the line and its breakpoints", function()
      local out = shown(":break sum.lua:7", "sum numbers:=[4]", ":list", ":list 21",
        ":list sum.lua:3")
      assert.matches("\n>%*   7    return result\n", out)
      assert.matches("\n    21      total = total %+ double%(v%)\n", out)
      assert.matches("\n     3  local factor = 2\n", out)
    end)

    it("what Lua gives in the frame", function()
      local out = shown(":break sum.lua:7", "sum numbers:=[4]", ":print n + factor, result",
        "= string.rep('x', n)", ":print function()\n  return 1\nend", ":print nope",
        ":print error({ 1 })")
      assert.matches("\n6, 8\n", out)
      assert.matches('\n"xxxx"\n', out)
      assert.matches("\nfunction input:1\n", out)
      assert.matches("unknown global 'nope'", out)
      assert.matches("{1}", out)
    end)

    it("nothing where no call stands still", function()
      for _, line in ipairs { ":bt", ":locals", ":upvalues", ":frame 0", ":print 1", ":set x = 1",
        ":list", ":step", ":next", ":out", ":until 3", ":continue", ":abort" } do
        assert.matches("no call stands still", (shown(line)), line)
      end
    end)

    it("that a call must wait for the one that stands still", function()
      for _, line in ipairs { "read path=a.txt", ":last", ":args a=b", ":reload", ":limits time=1s",
        ":profile" } do
        assert.matches("a call stands still: :continue or :abort",
          (shown(":break sum", "sum numbers:=[]", line, ":c")), line)
      end
    end)
  end)

  describe("evaluates", function()
    it("and changes locals and upvalues, and nothing else", function()
      local out = shown(":break sum.lua:7", "sum numbers:=[4,1]", ":set result = 100",
        ":set factor = 10", ":set nope = 1", ":set string.x = 1", ":set", ":c", ":c",
        ":delete all", ":last")
      assert.matches("\n100\n", out)
      assert.matches("there is no local or upvalue 'nope' here", out)
      assert.matches("this table is read%-only", out)
      assert.matches(":set needs NAME = EXPR", out)
      assert.matches("total 110\n.*total 10\n", out) -- the next call begins as the file does
    end)

    it("for a bounded time, whatever is caught", function()
      for _, text in ipairs {
        "(function() while true do end end)()",
        "(function() while true do pcall(error) end end)()",
        "(function() local function f() pcall(f) f() end f() end)()",
        "(function() while true do coroutine.wrap(function() while true do end end)() end end)()",
        '("x"):rep(1e6):find((".-"):rep(20) .. "y")',
      } do
        local out = shown(":break sum", "sum numbers:=[1]", ":print " .. text, ":c")
        assert.matches("the evaluation takes more", out, text)
        assert.matches("total 2\nok", out, text)
      end
    end)

    it("in bounded memory", function()
      local out = shown(":break sum", "sum numbers:=[1]",
        ":print (function() local t = {} while true do t[#t + 1] = ('x'):rep(100000) end end)()",
        ":print (function() local s = 'x' while true do s = s .. s end end)()", ":c")
      assert.equal(2, select(2, out:gsub("the evaluation takes more", "")))
      assert.matches("total 2\nok", out)
    end)

    it("what outlives its frame, without harm", function()
      local out = shown(":break sum.lua:7 if n == 1", "sum numbers:=[1,2]",
        ":set factor = setmetatable({}, { __mul = function() return 5 end, __unm = function() "
        .. "return n end })", ":delete all",
        ":break sum.lua:7 if n == 2", ":c", ":print -factor", ":c")
      assert.matches("unknown global 'n'", out)
      assert.matches("total 7\nok", out)
    end)

    it("without a trace in the records or the steps of the call", function()
      local plain = repl.json(workspace, { ":trace on", "sum numbers:=[1,2] path=a.txt",
        "sum numbers:=[1,2] path=a.txt" }).objects[3]
      local looked = repl.json(workspace, { ":trace on", "sum numbers:=[1,2] path=a.txt",
        ":break primitive", "sum numbers:=[1,2] path=a.txt", ":print ctx.fs:read('a.txt')",
        ":locals all", ":bt", ":c" }).objects
      looked = looked[#looked]
      assert.equal(plain.result.text, looked.result.text)
      assert.equal(1, #looked.primitives)
      assert.equal(plain.primitives[1].path, looked.primitives[1].path)
    end)

    it("while the time of the call stands still", function()
      local script = { ":limits time=1s", ":break sum", "sum numbers:=[1]" }
      for _ = 1, 12 do
        script[#script + 1] = ":print (function() while true do end end)()"
      end
      script[#script + 1] = ":c"
      assert.matches("total 2\nok T", (shown(table.unpack(script))))
    end)
  end)
end)
