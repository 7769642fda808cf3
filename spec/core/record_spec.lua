-- SPDX-License-Identifier: MIT
--- The record: what a host is told of each thing that a call does.
local custom = require("custom")
local testing = require("croft.testing")

local FILES = {
  ["a.txt"] = "alpha\nbeta\n", ["d/"] = true, ["docs/x.md"] = "x\n",
  ["link"] = { link = "a.txt" }, ["alias"] = { link = "docs" }, ["host"] = { link = "/etc" },
}

--- A tool that runs `body` with ctx.fs as `fs`.
local function tool(body, access)
  local source = custom.tool("act", '{ type = "object", properties = {} }',
    "local fs = ctx.fs\n" .. body .. '\nreturn "done"')
  return (source:gsub('access = "read"', ('access = "%s"'):format(access or "read")))
end

--- The records of one call of a tool with that body, and its result.
local function act(body, options)
  options = options or {}
  local session <close> = custom.session(tool(body, options.access),
    { files = FILES, trace = true, limits = options.limits })
  local result = session:call("act", {})
  return session:records(), result
end

--- "op path -> resolved verdict (rule) bytes" of each.
local function lines(records)
  local list = {}
  for index, record in ipairs(records) do
    list[index] = ("%s %s%s %s%s %d"):format(record.op, record.path or "-",
      record.resolved and record.resolved ~= record.path and " -> " .. record.resolved or "",
      record.verdict, record.rule and " (" .. record.rule .. ")" or "", record.bytes)
  end
  return list
end

--- Those of the primitives alone.
local function primitives(...)
  local list = lines((act(...)))
  assert.equal("call - ok 2", table.remove(list, 1))
  assert.matches("^end %- ", table.remove(list))
  return list
end

describe("The records of a call", function()
  it("begin before its first primitive and end behind its last", function() -- S0-4
    local records = act('fs:stat("a.txt")')
    assert.same({ "call - ok 2", "stat a.txt ok 0", "end - ok 4" }, lines(records))
    for _, record in ipairs(records) do
      assert.equal(1, record.call)
      assert.equal("act", record.tool)
      assert.matches("^%d%d%d%d%-%d%d%-%d%dT%d%d:%d%d:%d%d%.%d%d%d%d%d%dZ$", record.time)
    end
    assert.is_true(records[3].us >= records[2].us)
    assert.is_true(records[1].time <= records[2].time)
  end)

  for _, case in ipairs {
    { 'fs:stat("link")', "stat link -> a.txt ok 0" },
    { 'fs:read("a.txt")', "read a.txt ok 11" },
    { 'fs:load("./d/../link")', "load ./d/../link -> a.txt ok 11" },
    { 'fs:page("link", { limit = 1 })', "page link -> a.txt ok 7" },
    { 'fs:list("alias")', "list alias -> docs ok 0" },
    { 'fs:list(".")', "list . ->  ok 0" },
    { 'fs:search(".", ctx.regex("beta"))', "search . ->  ok 12" },
    { 'fs:search("link", ctx.regex("beta"))', "search link -> a.txt ok 11" },
    { 'fs:replace("n/m", "12345")', "replace n/m ok 5", "write" },
    { 'fs:replace("new", "12345")', "replace new ok 5", "write" },
    { 'fs:replace("link", "12345")', "replace link -> a.txt ok 5", "write" },
    { 'fs:replace("a.txt", "alpha\\nbeta\\n")', "replace a.txt ok 0", "write" },
  } do
    it("tell of " .. case[1], function()
      assert.same({ case[2] }, primitives(case[1], { access = case[3] }))
    end)
  end

  for _, case in ipairs { -- what is refused, and by which rule
    { 'fs:read("../a")', "read ../a outside (climbs) 0" },
    { 'fs:read("/etc/passwd")', "read /etc/passwd outside (absolute) 0" },
    { 'fs:read("host/passwd")', "read host/passwd outside (link) 0" },
    { 'fs:stat("nope")', "stat nope missing 0" },
    { 'fs:page("d")', "page d not_a_file 0" },
    { 'fs:read("a.txt", 3)', "read a.txt too_large 0" },
    { 'fs:list("a.txt")', "list a.txt not_a_directory 0" },
    { 'fs:list(".", { glob = "[" })', "list . bad_argument (glob) 0" },
    { 'fs:open("nope")', "open nope missing 0" },
    { 'fs:replace("a.txt", "x")', "replace a.txt read_only 0" },
    { 'fs:replace("docs/x.md", "x")', "replace docs/x.md read_only (docs) 0", "write" },
    { 'fs:replace("alias/y", "x")', "replace alias/y -> docs/y read_only (docs) 0", "write" },
    { "fs:stat({})", "stat - internal 0" }, -- a fault of the tool
    { "fs.stat()", "stat - internal 0" },
  } do
    it("tell of the refusal of " .. case[1], function()
      assert.same({ case[2] }, primitives("pcall(function() " .. case[1] .. " end)",
        { access = case[3] }))
    end)
  end

  it("come in the order of what was done, faults included", function()
    assert.same({ "stat - internal 0", "stat a.txt ok 0", "read nope missing 0" },
      primitives('pcall(fs.stat, fs, {}); fs:stat("a.txt"); pcall(fs.read, fs, "nope")'))
  end)

  it("tell what was read by a handle, once, when it is closed", function()
    assert.same({ "open link -> a.txt ok 0", "file link ok 11", "stat d ok 0" }, primitives(
      'local f = fs:open("link"); for _ in f:lines() do end; f:close(); f:close(); fs:stat("d")'))
  end)

  it("tell it at the end of the call when it is not closed", function()
    assert.same({ "open a.txt ok 0", "stat d ok 0", "file a.txt ok 11" },
      primitives('local f = fs:open("a.txt"); f:read(2); fs:stat("d")'))
  end)

  it("tell the same of each call, as no handle lives on", function()
    local session <close> = custom.session((tool([[
      if not held.f then held.f = fs:open("a.txt"); return "opened" end
      held.f:read(100)]]):gsub("return tool", "local held = {}\nreturn tool")),
      { files = FILES, trace = true })
    local each = { "call - ok 2", "open a.txt ok 0", "file a.txt ok 0", "end - ok 6" }
    local all = {}
    for call = 1, 3 do
      session:call("act", {})
      table.move(each, 1, #each, (call - 1) * #each + 1, all)
    end
    assert.same(all, lines(session:records()))
  end)

  it("tell of a primitive in which a limit ended the call", function()
    local ended_inside = 0
    for steps = 100000, 130000, 3000 do -- some of these strike between two of them
      local records, result = act('while true do fs:stat("a.txt") end',
        { limits = { steps = steps } })
      assert.equal("stopped", result.code)
      local list = lines(records)
      assert.equal("end - stopped (steps) 0", list[#list])
      ended_inside = ended_inside + (list[#list - 1] == "stat a.txt stopped (steps) 0" and 1 or 0)
    end
    assert.is_true(ended_inside > 0)
  end)

  it("tell of a handle that a limit closed", function()
    local records = act('local f = fs:open("a.txt"); f:read(1); while true do end',
      { limits = { steps = 100000 } })
    assert.same({ "call - ok 2", "open a.txt ok 0", "file a.txt ok 11",
      "end - stopped (steps) 0" }, lines(records))
  end)

  it("never hold what stands in a file, and cut what is long", function()
    local session <close> = testing.session { files = FILES, trace = true }
    session:call("read", { path = ("x"):rep(100000) })
    session:call("write", { path = "b.txt", content = "TOPSECRET" })
    session:call(("y"):rep(100000), {})
    local records = session:records()
    for _, record in ipairs(records) do
      for _, value in pairs(record) do
        assert.is_nil(tostring(value):find("TOPSECRET", 1, true))
        assert.is_true(#tostring(value) <= 4095)
      end
    end
    assert.equal("unknown_tool", records[#records].verdict)
  end)

  it("tell paths with bytes that are no text", function()
    local session <close> = testing.session {
      files = { ["\xff\n"] = "x\n", l = { link = "\xff\n" } }, trace = true,
    }
    session:call("read", { path = "l" })
    assert.equal("page l -> \\xff\\x0a ok 3", lines(session:records())[2])
  end)

  it("number the calls", function()
    local session <close> = testing.session { files = FILES, trace = true }
    session:call("read", { path = "a.txt" })
    session:call("read", { path = "a.txt" })
    local records = session:records()
    assert.equal(1, records[1].call)
    assert.equal(2, records[#records].call)
    assert.same({}, session:records())
  end)

  it("are the same by the walk", function()
    local session <close> = testing.session { files = FILES, trace = true, resolver = "walk" }
    session:call("read", { path = "link" })
    assert.equal("page link -> a.txt ok 14", lines(session:records())[2])
  end)

  it("are not made where nobody asks", function()
    local session <close> = testing.session { files = FILES }
    session:call("read", { path = "link" })
    assert.same({}, session:records())
  end)
end)
