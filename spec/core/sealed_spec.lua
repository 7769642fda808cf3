-- SPDX-License-Identifier: MIT
--- What tools share, and what a call gives: one tool tries to change all of it, whatever it can
--- reach, and another one must find it as it was.
local custom = require "custom"
local testing = require "croft.testing"
local tree = require "tree"

local OBJECT = "{ type = 'object', properties = {} }"

-- Whatever a tool can get at without asking for more than one thing.
local GIVEN = [==[
  local function given(ctx)
    local file, walk = ctx.fs:open("a.txt"), ctx.fs:walk(".")
    local _, refused = pcall(ctx.fs.read, ctx.fs, "none")
    local _, raised = pcall(require("croft.errors").raise, "mine", "text")
    local all = {
      ctx = ctx, globals = _G, text = "", refused = refused, raised = raised,
      file = file, lines = file:lines(), walk = walk, entry = walk(), notes = walk:notes(),
      regex = ctx.regex("o"), array = ctx.json.array {}, null = ctx.json.null,
      decoded = ctx.json.decode('{"a":[1,[]],"b":null}'), stat = ctx.fs:stat("a.txt"),
      list = ctx.fs:list("."), thread = coroutine.create(print), codes = utf8.codes("x"),
      found = ("x"):gmatch("x"), told = ctx.host.tell({ 1 }),
    }
    for _, name in ipairs { "tool", "text", "errors", "messages", "edits", "patch" } do
      all[name] = require("croft." .. name)
    end
    return all
  end
]==]

-- Sets fields, metamethods and metatables of every table, and of the metatable of everything.
local CHANGE = GIVEN .. [[
  local METAMETHODS = { "__index", "__newindex", "__call", "__tostring", "__pairs", "__len", "__eq",
    "__name", "__metatable", "__gc", "__close" }
  local function mine() return "mine" end
  local change

  local function change_table(value, seen)
    local inner = {}
    pcall(function() for key, v in next, value do inner[key] = v end end)
    pcall(function() for key, v in pairs(value) do inner[key] = v end end)
    for _, v in pairs(inner) do change(v, seen) end
    for key in pairs(inner) do
      if type(inner[key]) ~= "table" then pcall(function() value[key] = mine end) end
    end
    for _, name in ipairs(METAMETHODS) do pcall(function() value[name] = mine end) end
    pcall(function() value.none = "mine" end)
    pcall(table.insert, value, "mine")
    pcall(table.remove, value)
    pcall(table.sort, value, mine)
    pcall(table.move, { mine, mine }, 1, 2, 1, value)
  end

  function change(value, seen)
    if value == nil or seen[value] then return end
    seen[value] = true
    change(getmetatable(value), seen)
    if type(value) == "table" then change_table(value, seen) end
    pcall(setmetatable, value, { __index = mine, __call = mine, __metatable = mine })
  end

  for _, value in pairs(given(ctx)) do change(value, {}) end
  return "done"
]]

-- Says all of it: the names and kinds of what is there, and what the objects do.
local TELL = GIVEN .. [[
  local sorted_pairs = require("croft.tool").sorted_pairs
  local out = {}
  local function say(...)
    for _, value in ipairs { ... } do out[#out + 1] = tostring(value) end
  end
  local tell

  local function tell_table(path, value, seen)
    local names = {}
    for key, v in pairs(value) do names[tostring(key)] = v end
    for name, v in sorted_pairs(names) do tell(path .. "." .. name, v, seen) end
  end

  function tell(path, value, seen)
    local plain = type(value) ~= "table" and type(value) ~= "function"
    say(path, type(value), plain and value or "", type(getmetatable(value)))
    if type(value) ~= "table" or seen[value] then return end
    seen[value] = true
    tell_table(path, value, seen)
    local ok, none = pcall(function() return value.none end)
    say(ok, ok and none or "")
  end

  local all = given(ctx)
  for name, value in sorted_pairs(all) do tell(name, value, {}) end
  say(all.file:read(), all.file.path, all.file.size, all.walk().path, all.regex:find("one"),
    ctx.json.encode({ all.array, {}, all.null }), all.refused.code, all.raised.text,
    require("croft.errors").is(all.raised), ctx.fs:read("a.txt"), ("x"):upper())
  return ctx.json.encode(out)
]]

describe("a tool that changes all that it can reach", function()
  local session

  setup(function()
    local directory = tree.output("mktemp -d"):match("%S+")
    for name, body in pairs { evil = CHANGE, other = TELL } do
      local file = assert(io.open(directory .. "/" .. name .. ".lua", "w"))
      file:write(custom.tool(name, OBJECT, body))
      file:close()
    end
    session = testing.session {
      files = { ["a.txt"] = "one\n", ["b.txt"] = "two\n" }, tools = { directory },
      functions = { tell = function(value) return { told = value } end },
    }
    tree.output("rm -r " .. directory)
  end)

  teardown(function() session:close() end)

  it("changes nothing for another", function()
    local before = session:call("other", {})
    assert.is_false(before.is_error, session:log())
    assert.matches('"one\\n","a.txt","4","b.txt","1"', before.text)
    assert.matches('"[[],{},null]"', before.text, nil, true)
    local evil = session:call("evil", {})
    assert.equal("done", evil.text, session:log())
    assert.equal(before.text, session:call("other", {}).text)
  end)
end)
