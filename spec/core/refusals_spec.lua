-- SPDX-License-Identifier: MIT
--- What the bounded library and ctx refuse in so many words.
local custom = require "custom"

local RUN = custom.tool("run", [[{
  type = "object", properties = { code = { type = "string", description = "Lua" } } }]], [[
    local ok, got = pcall(assert(load(args.code, "=code")), ctx)
    return type(got) == "table" and got.code .. ": " .. got.reason or tostring(got)
  ]])

-- Code, and what comes of it.
local CASES = {
  ["rep of nothing"] = { [[return ("x"):rep(0) .. "<" .. ("x"):rep(-1) .. (""):rep(9)]], "<" },
  ["rep of too much"] = { [[return ("x"):rep(9 << 20)]], "the result of rep is too long" },
  ["unpack of too much"] = { [[return table.unpack({}, 1, 9000000)]], "too many" },
  ["move of too much"] = { [[return table.move({}, 1, math.maxinteger, 2)]], "too many elements" },
  ["a metatable with __gc"] = { [[return setmetatable({}, { __gc = print })]],
    "'__gc' is not available in a metatable here" },
  ["a __tostring without a text"] = {
    [[return tostring(setmetatable({}, { __tostring = function() return 1 end }))]],
    "'__tostring' must return a string" },
  ["an expression that finds nothing"] = {
    [[local ctx = ... return tostring(ctx.regex("b", {}):find("aaa", 1))]], "nil" },
  ["an expression behind the line"] = {
    [[local ctx = ... return tostring(ctx.regex("b", {}):find("aaa", 9))]], "nil" },
  ["a field that is no integer"] = {
    [[local ctx = ... return ctx.fs:page("a.txt", { limit = "many" })]],
    "field 'limit' must be an integer" },
  ["a field that is no text"] = {
    [[local ctx = ... return ctx.fs:list(".", { glob = 1 })]], "field 'glob' must be a string" },
  ["a field that lacks a part"] = {
    [[local ctx = ... return ctx.fs:list(".", { rows = { before = " " } })]],
    "rows takes before, one and many" },
  ["a field that is negative"] = {
    [[local ctx = ... return ctx.fs:search(".", ctx.regex("x", {}), { context = -1 })]],
    "field 'context' is negative" },
}

describe("what is refused:", function()
  for name, case in pairs(CASES) do
    it(name, function()
      local session <close> = custom.session(RUN, { files = { ["a.txt"] = "aaa\n" } })
      assert.matches(case[2], session:call("run", { code = case[1] }).text, 1, true)
    end)
  end
end)
