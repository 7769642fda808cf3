-- SPDX-License-Identifier: MIT
--- What Lua code may do inside a session: coroutines, load, what no tool can change for another,
--- and that a ceiling ends it wherever it is.
local testing = require "croft.testing"
local custom = require "custom"
local tree = require "tree"

local RUN = custom.tool("run", [[{
  type = "object", properties = { code = { type = "string", description = "Lua" } } }]], [[
    local function values(...)
      local out = {}
      for i = 1, select("#", ...) do out[i] = tostring((select(i, ...))) end
      return table.concat(out, " ")
    end
    return values(assert(load(args.code, "=code"))(ctx))
  ]])

--- A session over tools given as { name = source }.
local function session_with(sources, options)
  options = options or {}
  local directory = tree.output("mktemp -d"):match("%S+")
  for name, source in pairs(sources) do
    local file = assert(io.open(directory .. "/" .. name .. ".lua", "w"))
    file:write(source)
    file:close()
  end
  options.tools = { directory }
  local ok, session = pcall(testing.session, options)
  tree.output("rm -r " .. directory)
  return ok and session or error(session, 0)
end

-- Code, and what comes of it.
local GIVES = {
  coroutines = {
    { [[local co = coroutine.create(function(a) local b = coroutine.yield(a + 1) return a + b end)
        local _, first = coroutine.resume(co, 10)
        local before, _, last = coroutine.status(co), coroutine.resume(co, 5)
        return first, before, last, coroutine.status(co)]],
      "11 suspended 15 dead" },
    { [[local out = {}
        for i in coroutine.wrap(function() for i = 1, 3 do coroutine.yield(i) end end) do
          out[#out + 1] = i
        end
        return table.concat(out, ",")]], "1,2,3" },
    { [[return coroutine.resume(coroutine.create(function() error("mine", 0) end))]],
      "false mine" },
    { [[return pcall(coroutine.wrap(function() error("mine", 0) end))]], "false mine" },
    { [[local f = coroutine.wrap(function() error("mine", 0) end)
        return pcall(function() f() end)]], "false code:2: mine" },
    { [[return pcall(coroutine.wrap(function() error({}) end))]], "false table" },
    { [[local co = coroutine.create(function() end) coroutine.resume(co)
        return coroutine.resume(co)]], "false cannot resume dead coroutine" },
    { [[return coroutine.resume((coroutine.running()))]],
      "false cannot resume non-suspended coroutine" },
    { [[local co co = coroutine.create(function()
          return coroutine.status(co), select(2, coroutine.resume(co)) end)
        return coroutine.resume(co)]], "true running cannot resume non-suspended coroutine" },
    { [[local outer outer = coroutine.create(function()
          local inner = coroutine.create(function() return coroutine.status(outer) end)
          return select(2, coroutine.resume(inner)) end)
        return coroutine.resume(outer)]], "true normal" },
    { [[return coroutine.isyieldable(), coroutine.wrap(coroutine.isyieldable)()]], "false true" },
    { [[return select(2, coroutine.running()),
          coroutine.wrap(function() return select(2, coroutine.running()) end)()]], "true false" },
    { [[return coroutine.wrap(function() return pcall(coroutine.yield, 1) end)()]], "1" },
    { [[return pcall(coroutine.yield)]], "false attempt to yield from outside a coroutine" },
    { [[return coroutine.resume(coroutine.create(function()
          return (("x"):gsub("x", coroutine.yield)) end))]],
      "false attempt to yield across a C-call boundary" },
    { [[return coroutine.resume(coroutine.create(function() table.sort({ 2, 1 }, coroutine.yield)
        end))]], "false attempt to yield across a C-call boundary" },
    { [[return select("#", coroutine.wrap(function(...) return ... end)(nil, nil, nil))]], "3" },
    { [[return coroutine.close]], "nil" },
    { [[local depth = 0
        local function nest() depth = depth + 1 return coroutine.wrap(nest)() end
        local ok, err = pcall(nest)
        return ok, depth > 100, err:find("C stack overflow", 1, true) ~= nil]], "false true true" },
    { [[return tostring(coroutine.create(print))]], "thread" },
  },
  load = {
    { [[return load("return 1 + 1")()]], "2" },
    { [[return load("return ...")(7)]], "7" },
    { [[return load("x = ")]], [=[nil [string "x = "]:1: unexpected symbol near <eof>]=] },
    { [[return load("x = ", "=here")]], "nil here:1: unexpected symbol near <eof>" },
    { [[return #select(2, load("x = ", ("long"):rep(1000)))]], "91" },
    { [[return load("\27Lua")]],
      "nil attempt to load a binary chunk (mode is 't')" },
    { [[return load("\27Lua", "x", "b")]], "nil attempt to load a binary chunk (mode is 't')" },
    { [[return load("return a", "=x", "t", { a = 5 })()]], "5" },
    { [[return load("return string")() == string]], "true" },
    { [[return pcall(load("return os"))]], "false [string \"return os\"]:1: unknown global 'os'" },
    { [[return pcall(load("leak = 1"))]],
      "false [string \"leak = 1\"]:1: 'leak' cannot be set: "
        .. "this table is read-only (use a local)" },
    { [[return load("return " .. ("("):rep(250))]], "nil C stack overflow" },
    { [[return load((" "):rep(262144))]], "function" },
    { [[return load((" "):rep(262145))]],
      "nil the text is too long: load takes at most 256 KiB" },
    { [[return pcall(function() load(print) end)]],
      "false code:1: bad argument #1 to 'load' (string expected, got function)" },
    { [[return pcall(function() load("return 1", "=x", "t", 5) end)]],
      "false code:1: bad argument #4 to 'load' (table expected, got number)" },
    { [[return rawset, dofile, loadstring]], nil },
  },
  ["frozen tables"] = {
    { [[return pcall(function() string.find = nil end)]],
      "false code:1: 'find' cannot be set: this table is read-only (use a local)" },
    { [[return pcall(function() _G.x = 1 end)]],
      "false code:1: 'x' cannot be set: this table is read-only (use a local)" },
    { [[return getmetatable(""), getmetatable(_G), getmetatable(string)]], "false false false" },
    { [[return pcall(setmetatable, string, {})]], "false cannot change a protected metatable" },
    { [[return rawget(string, "find"), next(_G), rawlen(table)]], "nil nil 0" },
    { [[return pcall(function() table.insert(string, 1) end)]],
      "false code:1: bad argument #1 to 'insert' "
        .. "(metamethods for elements are not supported here)" },
    { [[local n = 0 for _ in pairs(string) do n = n + 1 end return n]], "16" },
    { [[local iterate, state = pairs(string) return state, type(iterate)]], "nil function" },
    { [[return pcall(function() return strng end)]], "false code:1: unknown global 'strng'" },
    { [[return _G == _G._G, _G.string == string]], "true true" },
  },
  ["texts of values"] = {
    { [[return {}, print, coroutine.create(print), (...).fs]], "table function thread userdata" },
    { [[return ("%s %s"):format({}, print)]], "table function" },
    { [[return pcall(string.format, "%p", {})]], "false '%p' is not available" },
    { [[return pcall(error, {})]], "false table" },
    { [[return pcall(function() return {} < {} end)]],
      "false code:1: attempt to compare two table values" },
    { [[return tostring(setmetatable({}, { __name = "mine" }))]], "table" },
    { [[return setmetatable({}, { __tostring = function() return "mine" end })]], "mine" },
  },
  ["order"] = {
    { [[local tool = require "croft.tool" local out = {}
        for key, value in tool.sorted_pairs { b = 1, a = 2, ["\xFF"] = 3, B = 4, [2] = 5, [1.5] = 6,
            [-1] = 7 } do
          out[#out + 1] = tostring(key) .. "=" .. value
        end
        return table.concat(out, " ")]], "-1=7 1.5=6 2=5 B=4 a=2 b=1 \u{FFFD}=3" },
    { [[local ok, err = pcall(require "croft.tool".sorted_pairs, { [true] = 1 })
        return ok, err:find("not a boolean", 1, true) ~= nil]], "false true" },
    { [[local t = { "b", "a", "B", "aa", "" } table.sort(t) return table.concat(t, ",")]],
      ",B,a,aa,b" },
    { [[local t = { 3, -1, 2 } table.sort(t, math.ult) return table.concat(t, ",")]], "2,3,-1" },
  },
}

-- What no ceiling may be kept out of.
local ENDLESS = {
  "while true do end",
  "coroutine.wrap(function() while true do end end)()",
  "while true do coroutine.wrap(function() for _ = 1, 50 do end end)() end",
  "while true do coroutine.resume(coroutine.create(function() while true do end end)) end",
  "local function f() coroutine.wrap(f)() end while true do pcall(f) end",
  "return (('x'):gsub('x', function() while true do end end))",
  "return (('x'):gsub('x', setmetatable({}, { __index = function() while true do end end })))",
  "for _ in function() return 1 end do end",
  "table.sort({ 3, 2, 1 }, function() while true do end end)",
  "local e = setmetatable({}, { __lt = function() while true do end end }) table.sort { e, e, e }",
  "return setmetatable({}, { __index = function() while true do end end }).x",
  "return #setmetatable({}, { __len = function() while true do end end })",
  "return setmetatable({}, { __concat = function() while true do end end }) .. 'x'",
  "return tostring(setmetatable({}, { __tostring = function() while true do end end }))",
  "print(setmetatable({}, { __tostring = function() while true do end end }))",
  "for _ in pairs(setmetatable({}, { __pairs = function() while true do end end })) do end",
  "xpcall(error, function() while true do end end)",
  "pcall(pcall, pcall, function() while true do end end)",
  "error(setmetatable({}, { __tostring = function() while true do end end }))",
  "local m = {} local o = setmetatable({}, m) m.__close = function() while true do end end "
    .. "local c <close> = o",
  "while true do load('return 1') end",
  "local text = ('x=1 '):rep(50000) while true do load(text) end",
  "local t = {} while true do t[#t + 1] = ('x'):rep(1000) .. #t end",
  "local t = {} while true do t[#t + 1] = coroutine.create(print) end",
  "local s = 'x' while true do s = s:gsub('x', 'xx') end",
  "while true do (...).fs:read('a.txt') end",
  "for _ in ('x'):rep(1e6):gmatch('') do for _ in ('y'):rep(1e6):gmatch('') do end end",
}

describe("Lua in a session", function()
  local session

  setup(function()
    session = session_with({ run = RUN },
      { files = { ["a.txt"] = "one\n" }, limits = { steps = 3000000, time = 60000 } })
  end)

  teardown(function()
    session:close()
  end)

  local function run(code)
    return session:call("run", { code = code })
  end

  for subject, rows in pairs(GIVES) do
    describe("has " .. subject .. ":", function()
      for _, row in ipairs(rows) do
        it(row[1], function()
          local result = run(row[1])
          if row[2] then
            assert.equal(row[2], result.text, session:log())
          else
            assert.equal("internal", result.code)
          end
        end)
      end
    end)
  end

  for _, code in ipairs(ENDLESS) do
    it("is ended by a ceiling, and the next call is right: " .. code, function()
      local result = run(code)
      assert.equal("stopped", result.code, result.text)
      assert.equal("ended", result.outcome)
      assert.equal("2", run("return 1 + 1").text)
    end)
  end

  it("may raise what cannot be shown", function()
    local result = run("local e = {} setmetatable(e, { __tostring = function() error(e) end }) "
      .. "error(e)")
    assert.equal("internal", result.code)
    assert.equal("2", run("return 1 + 1").text)
  end)

  it("gets the same random numbers in every call", function()
    local first = run("return math.random(1000000)").text
    run("for _ = 1, 10 do math.random() end")
    assert.equal(first, run("return math.random(1000000)").text)
  end)

  it("keeps no coroutine's time from the next call", function()
    assert.equal("1", run([[return coroutine.wrap(function()
      for i = 1, 100000 do coroutine.yield(i) end end)()]]).text)
    assert.equal("stopped", run("while true do end").code)
  end)

  it("loads again what could not be loaded so deep in the stack", function()
    run([[local function deep() local ok = pcall(deep) require "croft.edits" return ok end
      return pcall(deep)]])
    assert.equal("table", run([[return type(require "croft.edits")]]).text)
  end)
end)

describe("Lua with expressions", function()
  local MAKE = [[local ctx = ...
    local function make(i) return ctx.regex(("[a-f]+x?"):rep(200) .. i) end ]]
  local session

  local function run(code)
    return session:call("run", { code = code })
  end

  setup(function()
    session = session_with({ run = RUN }, { limits = { steps = 200000000, time = 60000 } })
  end)

  teardown(function() session:close() end)

  it("has as many as the heap has room for", function()
    local result = run(MAKE .. [[
      local all = {} for i = 1, 500 do all[i] = make(i) end return "done"]])
    assert.equal("stopped", result.code, result.text)
    assert.matches("16 MiB of memory", result.text)
    assert.equal("2", run("return 1 + 1").text)
  end)

  it("makes any number of them, one after another", function()
    local result = run(MAKE .. [[local tried = 0
      for i = 1, 500 do if not make(i):test("abc") then tried = tried + 1 end end
      return tried]])
    assert.equal("500", result.text, session:log())
  end)

  it("has hundreds, and tries them by turns", function()
    local result = run(MAKE .. [[local all, hits = {}, 0
      for i = 1, 500 do all[i] = ctx.regex("(a+)+$|^x" .. i .. "$") end
      for _ = 1, 3 do
        for i = 1, 500 do if all[i]:test("x" .. i) then hits = hits + 1 end end
      end
      return hits]])
    assert.equal("1500", result.text, session:log())
  end)
end)

-- What one tool tries, and what another one says before and after it.
local ATTEMPTS = {
  { "the metatable of errors", [[
      local _, err = pcall(ctx.fs.read, ctx.fs, "none")
      local metatable = getmetatable(err)
      pcall(function() metatable.__index = { code = "mine" } end)
      pcall(function() metatable.__tostring = function() return "mine" end end)
      pcall(setmetatable, metatable, { __index = { code = "mine" } })]], [[
      local _, err = pcall(ctx.fs.read, ctx.fs, "none")
      return tostring(err) .. err.code .. tostring(err.none)]] },
  { "an error of a module", [[
      local errors = require "croft.errors"
      local _, err = pcall(errors.raise, "mine", "text")
      pcall(function() getmetatable(err).__index = function() return "mine" end end)]], [[
      local errors = require "croft.errors"
      local _, err = pcall(errors.raise, "code", "text")
      return tostring(errors.is(err)) .. tostring(err.none)]] },
  { "the methods of strings", [[
      pcall(function() getmetatable("").__index.upper = print end)
      pcall(function() ("").upper = print end)
      pcall(function() string.upper = print end)]], [[return ("x"):upper()]] },
  { "a module", [[
      for _, name in ipairs { "tool", "text", "errors", "messages", "edits" } do
        local module = require("croft." .. name)
        for key in pairs(module) do
          pcall(function() module[key] = nil end)
        end
        pcall(setmetatable, module, nil)
      end]], [[
      local out = {}
      for _, name in ipairs { "tool", "text", "errors", "messages", "edits" } do
        for key, value in require "croft.tool".sorted_pairs(require("croft." .. name)) do
          out[#out + 1] = key .. type(value)
        end
      end
      return table.concat(out)]] },
  { "the names of the tools", [[
      pcall(function() require "croft.messages".use_prefix("mine_") end)]], [[
      return ctx.names("list")]] },
  { "ctx", [[
      pcall(function() ctx.limits.steps = 1 end)
      ctx.fs, ctx.tool, ctx.regex, ctx.mine = nil, nil, nil, 1]], [[
      return tostring(ctx.fs) .. ctx.tool .. ctx.limits.steps .. tostring(ctx.mine)]] },
  { "what regex and fs can do", [[
      pcall(function() ctx.fs.read = print end)
      pcall(function() getmetatable(ctx.fs).__index = {} end)
      pcall(function() ctx.regex("x").test = print end)]], [[
      return ctx.fs:read("a.txt") .. tostring(ctx.regex("x"):test("x"))]] },
  { "globals", [[
      pcall(function() leak = 1 end)
      pcall(function() _G.leak = 1 end)
      pcall(load("leak = 1"))
      pcall(function() string.leak = 1 end)]], [[
      return tostring(pcall(function() return leak end)) .. tostring(string.leak)]] },
}

local function tool_of(name, body)
  return custom.tool(name, [[{ type = "object", properties = {} }]], body)
end

describe("a tool of a session", function()
  for _, attempt in ipairs(ATTEMPTS) do
    it("changes for no other " .. attempt[1], function()
      local session <close> = session_with({
        evil = tool_of("evil", attempt[2] .. "\nreturn 'done'"),
        other = tool_of("other", attempt[3]),
      }, { files = { ["a.txt"] = "one\n" } })
      local before = session:call("other", {}).text
      assert.equal("done", session:call("evil", {}).text, session:log())
      assert.equal(before, session:call("other", {}).text)
    end)
  end

  it("does not get at the definition of another, or at what was checked of its own", function()
    local session <close> = session_with({
      evil = [[
        local input = { type = "object", properties = {} }
        local definition = require("croft.tool").define {
          name = "evil", description = "d", access = "read", input = input,
          run = function() return "done" end }
        input.type = "nonsense"
        input.properties.self = input
        pcall(function() definition.input.type = "nonsense" end)
        pcall(function() definition.input.properties.x = {} end)
        pcall(function() definition.name = "list" end)
        pcall(function() definition.mark.mine = 1 end)
        pcall(function() for _, t in pairs(definition) do t.mine = 1 end end)
        return definition]],
      other = tool_of("other", "return 'right'"),
    })
    for _, tool in ipairs(session:tools()) do
      if tool.name == "evil" then
        assert.same({ type = "object", properties = {}, additionalProperties = false },
          tool.inputSchema)
      end
    end
    assert.equal("right", session:call("other", {}).text)
  end)

  it("cannot have a schema without an end", function()
    local ok, err = pcall(session_with, { evil = [[
      local input = { type = "object", properties = {} }
      input.properties.x = input
      return require("croft.tool").define {
        name = "evil", description = "d", access = "read", input = input, run = print }]] })
    assert.is_false(ok)
    assert(tostring(err.message):find("evil: tables nested too deeply", 1, true), err.message)
  end)

  it("does not change how another is explained", function()
    local session <close> = session_with({
      evil = [[
        return require("croft.tool").define {
          name = "evil", description = "d", access = "read",
          input = { type = "object", properties = {} },
          explain = { missing = function(_, look)
            pcall(function() getmetatable(look).__index = {} end)
            pcall(function() look.__index.neighbours = print end)
            look.neighbours = print
          end },
          run = function(_, ctx) return ctx.fs:read("b.txt") end }]],
    }, { files = { ["a.txt"] = "" } })
    local before = session:call("read", { path = "aa.txt" }).text
    session:call("evil", {})
    assert.equal(before, session:call("read", { path = "aa.txt" }).text)
    assert(before:find("a.txt", 1, true))
  end)

  it("cannot keep the heap from the others", function()
    local session <close> = session_with({
      evil = [[
        local kept = {}
        return require("croft.tool").define {
          name = "evil", description = "d", access = "read",
          input = { type = "object", properties = {} },
          run = function()
            for i = 1, 12 do kept[#kept + 1] = ("x"):rep(1000000) .. i end
            return "done"
          end }]],
      other = tool_of("other", "return tostring(#('x'):rep(7000000))"),
    }, { limits = { heap = 16777216 } })
    assert.equal("done", session:call("evil", {}).text)
    assert.equal("7000000", session:call("other", {}).text)
  end)

  it("spoils nothing but its own calls when its file goes wrong later", function()
    local session <close> = session_with({
      evil = [[
        local tool = require("croft.tool")
        return tool.define {
          name = "evil", description = "d", access = "read",
          input = { type = "object", properties = {} },
          run = function() while true do end end }]],
      other = tool_of("other", "return 'right'"),
    }, { limits = { steps = 100000 } })
    for _ = 1, 3 do
      assert.equal("stopped", session:call("evil", {}).code)
      assert.equal("right", session:call("other", {}).text)
      assert.equal("unknown_tool", session:call("none", {}).code)
    end
    local said = session:call("none", {}).text
    assert(said:find("edit, evil, grep, list, other, read and write", 1, true), said)
  end)

  it("is named when loading it does not end", function()
    local ok, err = pcall(session_with, { evil = "while true do end" })
    assert.is_false(ok)
    assert(err.message:find("evil.lua took more than it may", 1, true), err.message)
  end)
end)
