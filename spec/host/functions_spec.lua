-- SPDX-License-Identifier: MIT
--- functions of view:session: Lua of the host's as ctx.host of the tools.
local croft = require("croft")
local testing = require("croft.testing")

local ASK = [[
local tool = require("croft.tool")
return tool.define({
  name = "ask", description = "Asks the host.", access = "read",
  input = { type = "object", properties = {
    f = { type = "string", description = "f" }, text = { type = "string", description = "t" },
  } },
  run = function(args, ctx)
    return { got = ctx.host[args.f](args.text and { text = args.text, list = { 1, 2.5 } }) }
  end,
})
]]

describe("functions of the host", function()
  local place, view, tools

  setup(function()
    place = testing.session()
    view = assert(croft.open(place:root(), { no_fsync = true }))
    tools = os.tmpname()
    assert(os.remove(tools) and os.execute("mkdir " .. tools))
    local file <close> = assert(io.open(tools .. "/ask.lua", "w"))
    file:write(ASK)
  end)

  teardown(function()
    os.execute("rm -r " .. tools)
    view:close()
    place:close()
  end)

  local function session(functions)
    return assert(view:session { tools = { tools }, functions = functions })
  end

  local function ask(run, text)
    local asked <close> = session { f = run }
    local result = asked:call("ask", { f = "f", text = text })
    return result, asked:log()
  end

  it("get a value and give one", function()
    local given
    local result, log = ask(function(value)
      given = value
      return { n = 12, big = 9007199254740991, f = 0.5, list = { "a", true } }
    end, 'é "')
    assert.same({ text = 'é "', list = { 1, 2.5 } }, given)
    assert.equal("integer", math.type(given.list[1]))
    assert.equal('{"got":{"big":9007199254740991,"f":0.5,"list":["a",true],"n":12}}', result.text)
    assert.equal("", log)
  end)

  it("take nil for null, both ways", function()
    local given = 1
    local result = ask(function(value) given = value end)
    assert.is_nil(given)
    assert.equal("{}", result.text)
    result = ask(function() return { a = croft.null, b = 1 } end)
    assert.equal('{"got":{"a":null,"b":1}}', result.text)
  end)

  it("raise errors with a code in the tool", function()
    local result, log = ask(function()
      error({ code = "missing", message = "Nobody is called that." })
    end)
    assert.equal("missing", result.code)
    assert.equal("Nobody is called that.", result.text)
    assert.equal("", log)
  end)

  it("hand on errors of croft", function()
    local result = ask(function()
      local _, err = croft.open(place:root() .. "/none")
      error(err)
    end)
    assert.equal("missing", result.code)
  end)

  it("keep every other error for the log", function()
    local odd = setmetatable({}, { __tostring = function() error("oh") end })
    local deep = {}
    deep.deep = deep
    for wanted, run in pairs {
      ["functions_spec.lua:%d+: the disk is full"] = function() error("the disk is full") end,
      ["ctx.host.f nil"] = function() error() end,
      ["ctx.host.f {odd}"] = function() error({ code = "odd", message = "{odd}" }) end,
      ["failed, and so did telling how"] = function() error(odd) end,
      ["a number that is not finite"] = function() return 0 / 0 end,
      ["Cannot serialise function"] = function() return print end,
      ["stack overflow"] = function() return deep end,
      ["attempt to yield"] = coroutine.yield,
    } do
      local result, log = ask(run)
      assert.equal("internal", result.code)
      assert.is_nil(result.text:find("disk", 1, true))
      assert(log:find(wanted), log .. " has no " .. wanted)
    end
  end)

  it("may make calls, but not of the session that calls", function()
    local asked
    asked = session {
      other = function() return place:call("list", {}).text end,
      call = function() return asked:call("list", {}).text end,
      close = function() asked:close() end,
      usage = function() return asked:usage().calls.last end,
    }
    assert.equal("", asked:call("ask", { f = "other" }).code)
    assert.same({ got = 1 }, asked:call("ask", { f = "usage" }).structured)
    assert.equal("internal", asked:call("ask", { f = "call" }).code)
    assert.equal("internal", asked:call("ask", { f = "close" }).code)
    local _, count = asked:log():gsub("cannot call or close the session that calls it", "")
    assert.equal(2, count)
    assert.equal("", asked:call("ask", { f = "other" }).code)
    asked:close()
  end)

  it("run in the coroutine that calls", function()
    local asked <close> = session { f = function() return (coroutine.running() ~= nil) end }
    local co = coroutine.wrap(function() return asked:call("ask", { f = "f" }).text end)
    assert.equal('{"got":true}', co())
  end)

  it("may collect garbage, and other sessions with it", function()
    local result = ask(function()
      for _ = 1, 5 do session { f = print } end
      collectgarbage()
      return "done"
    end)
    assert.equal('{"got":"done"}', result.text)
  end)

  it("hold the session no longer than the program does", function()
    local seen = setmetatable({}, { __mode = "k" })
    do
      local asked
      asked = session { f = function() return asked end }
      seen[asked] = true
    end
    collectgarbage()
    collectgarbage()
    assert.is_nil(next(seen))
  end)

  it("are there for specs of tools", function()
    local asked <close> = testing.session { tools = { tools }, functions = { f = tostring } }
    assert.equal('{"got":"nil"}', asked:call("ask", { f = "f" }).text)
  end)

  it("are named to an author who asks for another", function()
    local asked <close> = session {
      b = { description = "gives b", run = print }, a = print,
    }
    asked:call("ask", { f = "c" })
    assert(asked:log():find("the host has no function c; it has: a, b (gives b)", 1, true))
  end)

  it("stop the opening where they are wrong", function()
    for _, name in ipairs { "a-b", "end", "1", "" } do
      local opened, err = view:session { functions = { [name] = print } }
      assert.is_nil(opened)
      assert.equal("bad_argument", err.code)
      assert(tostring(err):find("a function cannot be called", 1, true))
    end
    for _, functions in ipairs { { print }, { a = 1 }, { a = {} } } do
      assert.has_error(function() view:session { functions = functions } end)
    end
    assert.has_error(function() view:session { functions = 1 } end)
  end)
end)
