-- SPDX-License-Identifier: MIT
--- The primitives of ctx.fs, as a tool of a user's own calls them.
local custom = require "custom"

local FILES = {
  ["notes.txt"] = "one\ntwo\r\nthree", ["d/e.txt"] = "inside\n", ["empty"] = "",
  ["to_notes"] = { link = "notes.txt" },
  ["odd/none"] = "", ["odd/one"] = "1", ["odd/two"] = "22", ["odd/a\nb"] = "", ["odd/d/e"] = "",
  ["odd/\u{FC}"] = "", ["odd/to"] = { link = "one" }, ["C:/x"] = "",
}

--- What the body of a tool returns; `args` is a table with the field x.
local function run(body, x)
  local source = custom.tool("probe",
    [[{ type = "object", properties = { x = { type = "string", description = "x" } } }]], body)
  local session = custom.session(source, { files = FILES })
  local result = session:call("probe", { x = x })
  session:close()
  return result
end

describe("a primitive", function()
  for name, case in pairs {
    ["fs:read gives all bytes"] = { [[return ctx.fs:read("notes.txt")]], "one\ntwo\r\nthree" },
    ["fs:read of an empty file gives no bytes"] = { [[return #ctx.fs:read("empty") .. ""]], "0" },
    ["fs:load gives bytes and a stamp"] = {
      [[local bytes, stamp = ctx.fs:load("d/e.txt") return bytes .. type(stamp)]],
      "inside\nuserdata" },
    ["fs:list needs no options"] = { [[return ctx.fs:list("d").entries[1].path]], "d/e.txt" },
    ["fs:list makes rows of what needs no more words"] = {
      [[local rows = { before = " (", one = " byte)", many = " bytes)" }
        local out = {}
        for i, entry in ipairs(ctx.fs:list("odd", { rows = rows }).entries) do
          out[i] = type(entry) == "string" and entry or entry.type .. " " .. entry.path
        end
        return table.concat(out, ", ")]],
      "file odd/a\nb, odd/d/, odd/d/e (0 bytes), odd/none (0 bytes), odd/one (1 byte), "
        .. "link odd/to, odd/two (2 bytes), file odd/\u{FC}" },
    ["fs:list makes no row of what is spelled like a drive"] = {
      [[local rows = { before = " ", one = "", many = "" }
        local entry = ctx.fs:list("C:", { rows = rows }).entries[1]
        return entry.path]], "./C:/x" },
    ["fs:page needs no options"] = {
      [[return ctx.fs:page("notes.txt").text]], "1|one\n2|two\n3|three" },
    ["fs:search needs no options"] = {
      [[return ctx.fs:search(".", ctx.regex("in.ide")).text]], "d/e.txt:1|inside" },
    ["fs:stat follows links"] = {
      [[local s = ctx.fs:stat("to_notes") return s.path .. " " .. s.type .. " " .. s.size]],
      "notes.txt file 14" },
    ["fs:open has a path and a size"] = {
      [[local f = ctx.fs:open("notes.txt") return f.path .. " " .. f.size]], "notes.txt 14" },
    ["file:lines drops line ends"] = {
      [[local t = {} for line in ctx.fs:open("notes.txt"):lines() do t[#t + 1] = line end
        return table.concat(t, ",")]], "one,two,three" },
    ["file:read reads on, and ends with nil"] = {
      [[local f = ctx.fs:open("notes.txt")
        return f:read(3) .. "," .. f:read(5) .. "," .. #f:read() .. "," .. tostring(f:read())]],
      "one,\ntwo\r,6,nil" },
    ["regex:find gives first and last byte"] = {
      [[local a, b = ctx.regex("w+"):find("twwo") return a .. "-" .. b]], "2-3" },
    ["regex:test looks at one line"] = {
      [[return tostring(ctx.regex("^B$", { ignore_case = true }):test("b"))]], "true" },
  } do
    it(name, function()
      local result = run(case[1])
      assert.equal(case[2], result.text)
      assert.is_false(result.is_error)
    end)
  end

  for name, case in pairs {
    ["fs:read over its ceiling is too_large"] = {
      [[return ctx.fs:read("notes.txt", 3)]], "too_large" },
    ["fs:replace in a tool that only reads is read_only"] = {
      [[return ctx.fs:replace("new", "x").size .. ""]], "read_only" },
    ["fs:open of a directory is not_a_file"] = { [[return ctx.fs:open("d").path]], "not_a_file" },
    ["an argument of the wrong type is a fault of the tool"] = {
      [[return ctx.fs:read({})]], "internal" },
    ["a closed file is a fault of the tool"] = {
      [[local f = ctx.fs:open("empty") f:close() f:close() return f:read()]], "internal" },
    ["what is outside is outside"] = { [[return ctx.fs:read("../x")]], "outside" },
  } do
    it(name, function() -- S0-5 S0-39 S0-40
      local result = run(case[1])
      assert.is_true(result.is_error)
      assert.equal(case[2], result.code)
    end)
  end

  it("can be asked again after a refusal that the tool caught", function()
    local result = run([[local ok, err = pcall(ctx.fs.read, ctx.fs, "none")
      return tostring(ok) .. " " .. err.code .. " " .. ctx.fs:read("d/e.txt")]])
    assert.equal("false missing inside\n", result.text)
  end)
end)
