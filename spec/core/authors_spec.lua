-- SPDX-License-Identifier: MIT
--- What ctx offers to the author of a tool, as such a tool uses it.
local custom = require "custom"

local FILES = {
  ["a.txt"] = "one\ntwo\nthree\n", ["d/b.md"] = "x\n", ["d/e/c.md"] = "yy\n", ["d/.h"] = "",
  ["l"] = { link = "d" }, ["out"] = { link = "/etc" }, ["gone"] = { link = "none" },
  ["docs/x"] = "keep\n", ["empty/"] = true,
}

--- What the body of a tool that writes returns.
local function run(body, options)
  options = options or {}
  local source = custom.tool("probe",
    [[{ type = "object", properties = { x = { type = "string", description = "x" } } }]], body)
    :gsub('access = "read"', 'access = "write"')
  local session = custom.session(source, {
    files = options.files or FILES, resolver = options.resolver, limits = options.limits,
    read_only = options.read_only,
  })
  local result = session:call("probe", {})
  result.log = session:log()
  session:close()
  return result
end

local JOIN = [[ local function join(list) return table.concat(list, ",") end ]]

for _, resolver in ipairs { "auto", "walk" } do
  describe("ctx.fs by " .. resolver, function()
    for name, case in pairs {
      ["walk gives all entries in the order of their paths"] = {
        [[local t = {} for e in ctx.fs:walk(".") do t[#t + 1] = e.path end return join(t)]],
        "a.txt,d,d/.h,d/b.md,d/e,d/e/c.md,docs,docs/x,empty,gone,l,out" },
      ["walk gives types, sizes and where links lead"] = {
        [[local t = {} for e in ctx.fs:walk(".", { depth = 1 }) do
            t[#t + 1] = e.type:sub(1, 1) .. (e.size or e.target or e.outside and "!" or "?") end
          return join(t)]], "f14,d?,d?,d?,l?,ld,l!" },
      ["walk takes a glob and leaves out what does not fit"] = {
        [[local t = {} for e in ctx.fs:walk("d", { glob = "**/*.md" }) do t[#t + 1] = e.path end
          return join(t)]], "d/b.md,d/e/c.md" },
      ["walk leaves out and counts what is excluded"] = {
        [[local t, walk = {}, ctx.fs:walk("d", { exclude = "e" })
          for e in walk do t[#t + 1] = e.path end
          return join(t) .. " " .. walk:notes().excluded]], "d/.h,d/b.md 1" },
      ["walk can be broken off, closed, and asked for after its end"] = {
        [[local walk = ctx.fs:walk(".") walk() walk:close()
          for _ = 1, 30 do for e in ctx.fs:walk(".") do break end end
          return tostring(walk())]], "nil" },
      ["read takes a piece"] = {
        [[return ctx.fs:read("a.txt", { offset = 4, size = 3 })
          .. #ctx.fs:read("a.txt", { offset = 99 })]], "two0" },
      ["a file can be read from anywhere"] = {
        [[local f = ctx.fs:open("a.txt") f:read(2) local at = f:seek() f:seek(8)
          return at .. f:read() .. f:seek(0) .. f:read(3)]], "2three\n0one" },
      ["64 files can be open, and one more when one was closed"] = {
        [[local all = {} for i = 1, 64 do all[i] = ctx.fs:open("a.txt") end
          local ok, why = pcall(ctx.fs.open, ctx.fs, "a.txt")
          all[7]:close() all[65] = ctx.fs:open("a.txt")
          return tostring(ok) .. " " .. why .. " " .. all[65]:read(3)]],
        "false more than 64 files are open: file:close() closes one one" },
      ["files that nobody has any more are not open"] = {
        [[for _ = 1, 200 do ctx.fs:open("a.txt") pcall(ctx.fs.open, ctx.fs, "none") end
          local all = {} for i = 1, 64 do all[i] = ctx.fs:open("a.txt") end
          for _ = 1, 64 do pcall(ctx.fs.open, ctx.fs, "none") end
          return #all .. "done"]], "64done" },
      ["write is replace"] = {
        [[ctx.fs:write("n/new", "x") return ctx.fs:read("n/new")]], "x" },
      ["mkdir makes all that is missing"] = {
        [[local a, b = ctx.fs:mkdir("p/q/r"), ctx.fs:mkdir("p/q/r")
          return a.made .. a.first_made .. b.made .. ctx.fs:stat("p/q/r").type]], "3p0directory" },
      ["remove takes a file, an empty directory, and a link itself"] = {
        [[local t = { ctx.fs:remove("a.txt").type, ctx.fs:remove("empty").type,
            ctx.fs:remove("out").type, ctx.fs:remove("l").type }
          return join(t) .. ctx.fs:stat("d/b.md").size]], "file,directory,link,link2" },
      ["rename moves, and replaces when it is told"] = {
        [[ctx.fs:rename("d/e", "e2") ctx.fs:rename("a.txt", "d/b.md", { replace = true })
          return ctx.fs:read("e2/c.md") .. ctx.fs:stat("d/b.md").size]], "yy\n14" },
    } do
      it(name, function()
        local result = run(JOIN .. case[1], { resolver = resolver })
        assert.equal(case[2], result.text, result.log)
      end)
    end

    for name, case in pairs {
      ["remove of a directory with something in it"] = { 'remove("d")', "bad_argument", "P22" },
      ["remove of the root"] = { 'remove(".")', "bad_argument", "P21" },
      ["remove outside"] = { 'remove("out/passwd")', "outside" },
      ["remove in a read-only tree"] = { 'remove("docs/x")', "read_only" },
      ["remove of a read-only tree"] = { 'remove("docs")', "read_only" },
      ["mkdir in a read-only tree"] = { 'mkdir("docs/y")', "read_only" },
      ["mkdir over a file"] = { 'mkdir("a.txt")', "already_exists" },
      ["rename onto something"] = { 'rename("a.txt", "d/b.md")', "already_exists" },
      ["rename into a read-only tree"] = { 'rename("a.txt", "docs/a")', "read_only" },
      ["rename out of one"] = { 'rename("docs/x", "x")', "read_only" },
      ["rename through a link that leaves"] = { 'rename("a.txt", "out/a")', "outside" },
      ["rename into itself"] = { 'rename("d", "d/e/d")', "bad_argument" },
      ["rename of a reserved name"] = { 'rename("a.txt", ".~croft-a")', "bad_argument" },
      ["walk of a file"] = { 'walk("a.txt")', "not_a_directory" },
      ["walk outside"] = { 'walk("out")', "outside" },
      ["read of a piece outside"] = { 'read("out/passwd", { size = 9 })', "outside" },
    } do
      it("refuses " .. name, function()
        local result = run("ctx.fs:" .. case[1] .. ' return "done"', { resolver = resolver })
        assert.is_true(result.is_error)
        assert.equal(case[2], result.code, result.text)
        assert.not_matches("fault of the tool", result.text)
      end)
    end
  end)
end

describe("ctx.fs", function()
  it("says which names no primitive takes", function()
    local result = run(JOIN .. [[
      local t = {}
      for _, entry in ipairs(ctx.fs:list("d").entries) do
        local ok = pcall(ctx.fs.stat, ctx.fs, entry.path)
        t[#t + 1] = entry.path:sub(3, 3) .. tostring(entry.sendable) .. tostring(ok)
      end
      for entry in ctx.fs:walk("d") do t[#t + 1] = tostring(entry.sendable) end
      return join(t)]], { files = { ["d/a\xff"] = "x", ["d/b\u{e9}"] = "x" } })
    assert.equal("afalsefalse,btruetrue,false,true", result.text, result.log)
  end)
end)

describe("ctx", function()
  for name, case in pairs {
    ["text.repair shows what is no UTF-8"] = {
      [[return (ctx.text.repair("a\255b"))]], "a\u{FFFD}b" },
    ["text.numbered numbers"] = { [[return ctx.text.numbered("a\nb\n", 9)]], "9|a\n10|b" },
    ["text.diff of the same is empty"] = { [[return ctx.text.diff("a\n", "a\n")]], "" },
    ["text.diff shows what differs"] = {
      [[return ctx.text.diff("a\nb\nc\n", "a\nB\nc\nd", { context = 1, old_name = "x" })]],
      "--- x\n+++ x\n@@ -1,3 +1,4 @@\n a\n-b\n+B\n c\n+d\n\\ No newline at end of file" },
    ["text.diff of far places has two hunks"] = {
      [[local s = ("l\n"):rep(9)
        return ctx.text.diff("a\n" .. s .. "b\n", "A\n" .. s, { context = 0 })]],
      "@@ -1 +1 @@\n-a\n+A\n@@ -11 +10,0 @@\n-b" },
    ["text.diff gives up on too much"] = {
      [[local a, b = {}, {} for i = 1, 500 do a[i], b[i] = i .. "\n", -i .. "\n" end
        return select(2, ctx.text.diff(table.concat(a), table.concat(b)))]],
      "more than 400 lines differ" },
    ["json goes there and back"] = {
      [[local v = ctx.json.decode('{"a":[1,null,2.5],"b":{}}')
        return ctx.json.encode({ v.a[1], v.a[2] == ctx.json.null, v.a[3], ctx.json.array {} })]],
      "[1,true,2.5,[]]" },
    ["json says what is wrong"] = {
      [[local v, why, at = ctx.json.decode("{") return tostring(v) .. type(why) .. type(at)]],
      "nilstringnumber" },
    ["json takes no half of a pair"] = {
      [[return select(2, ctx.json.decode('"\\ud800"'))]], "it holds half of a surrogate pair" },
    ["cancelled is false in a call that goes on"] = {
      [[ctx.progress(3) return tostring(ctx.cancelled())]], "false" },
    ["cancelled tells when most of the steps are gone"] = {
      [[local n = 0 while not ctx.cancelled() do n = n + 1 end
        return tostring(n > 0) .. select(2, ctx.cancelled())]], "trueshort", { steps = 100000 } },
    ["log goes to the host"] = { [[ctx.log("noted") return "x"]], "x" },
  } do
    it(name, function()
      local result = run(case[1], { limits = case[3] })
      assert.equal(case[2], result.text, result.log)
    end)
  end

  it("says and refuses in the tool's own words", function()
    local session = custom.session([[return require("croft.tool").define({
      name = "own", description = "Own.", access = "read",
      input = { type = "object", properties = {
        path = { type = "string", description = "A path." } } },
      messages = { no = 'Not "{p}". Call {list} with "path": "{p}".' },
      run = function(args, ctx) ctx.refuse("no_match", "no", { p = args.path }) end })]],
      { prefix = "w_" })
    local result = session:call("w_own", { path = 'a"b' })
    session:close()
    assert.equal("no_match", result.code)
    assert.equal([[Not "a\"b". Call w_list with "path": "a\"b".]], result.text)
  end)
end)

--- A custom tool that does what it should not.
describe("A custom tool", function()
  for name, case in pairs {
    ["cannot read outside of the root"] = { [[return ctx.fs:read("../../etc/passwd")]], "outside",
      'may not climb above the workspace root' },
    ["cannot read an absolute path"] = { [[return ctx.fs:read("/etc/passwd")]], "outside",
      'must be relative to the workspace root' },
    ["cannot follow a link out"] = { [[return ctx.fs:open("out/passwd"):read()]], "outside",
      'passes through the link "out", which points outside the workspace' },
    ["cannot move something out"] = { [[ctx.fs:rename("a.txt", "../a") return ""]], "outside",
      'may not climb above the workspace root' },
    ["cannot write into docs"] = { [[ctx.fs:write("docs/new", "x") return ""]], "read_only",
      '"docs/new" is in "docs", which is read%-only here' },
    ["cannot write into docs by another spelling"] = {
      [[ctx.fs:write("d/../DOCS/x", "x") return ""]], "read_only", "which is read%-only here" },
    ["cannot keep state in a global"] = { [[count = 1 return ""]], "internal",
      "fault of the tool, not of the call" },
    ["cannot keep state in a library"] = { [[string.count = 1 return ""]], "internal",
      "fault of the tool, not of the call" },
    ["cannot keep state in what ctx shares"] = { [[ctx.text.count = 1 return ""]], "internal",
      "fault of the tool, not of the call" },
    ["cannot keep state in the limits"] = { [[ctx.limits.steps = 1 return ""]], "internal",
      "fault of the tool, not of the call" },
    ["cannot keep state in ctx.json"] = { [[ctx.json.count = 1 return ""]], "internal",
      "fault of the tool, not of the call" },
    ["cannot eat memory"] = { [[local t = {} for i = 1, 1e9 do t[i] = {} end return ""]], "stopped",
      "probe was stopped: it used more than 16 MiB of memory. Nothing was changed" },
    ["cannot eat steps, and catches no end of it"] = {
      [[pcall(function() while true do end end) return ""]], "stopped",
      "probe was stopped: it used more than" },
    ["cannot open walks without end"] = {
      [[local all = {} for i = 1, 9 do all[i] = ctx.fs:walk(".") end return ""]], "internal",
      "fault of the tool" },
  } do
    it(name, function()
      local result = run(case[1], { limits = { steps = 20000000 } })
      assert.is_true(result.is_error)
      assert.equal(case[2], result.code, result.text)
      assert.matches(case[3], result.text)
    end)
  end

  it("finds ctx as new in each call", function()
    local source = custom.tool("probe", "{ type = 'object', properties = {} }",
      [[local n = ctx.n ctx.n = 1 return tostring(n)]])
    local session = custom.session(source)
    session:call("probe", {})
    assert.equal("nil", session:call("probe", {}).text)
    session:close()
  end)

  it("declared with access = \"read\" can change nothing by any primitive", function()
    local calls = { 'write("n", "")', 'mkdir("n")', 'remove("a.txt")', 'rename("a.txt", "n")' }
    for _, call in ipairs(calls) do
      local session = custom.session(custom.tool("probe", "{ type = 'object', properties = {} }",
        "ctx.fs:" .. call .. ' return ""'), { files = FILES })
      assert.equal("read_only", session:call("probe", {}).code, call)
      session:close()
    end
  end)

  it("that writes can change nothing in a view that is read-only", function()
    for _, call in ipairs { 'mkdir("n")', 'remove("a.txt")', 'rename("a.txt", "n")' } do
      assert.equal("read_only", run("ctx.fs:" .. call .. ' return ""', { read_only = true }).code)
    end
  end)
end)
