-- SPDX-License-Identifier: MIT
--- Each function of the standard library that works through its arguments is charged for them: a
--- tool that calls it over and over on a long one is ended by its steps before it has done much.
local custom = require "custom"

local CALLS = 3000

-- A call, and the text of `n` bytes that it is given: `zeros`, `ones` and `blank` are some, `list`
-- is a table with n / 16 elements, and `...` stands for `n` values.
local ROWS = {
  { "tonumber(text)", "zeros" }, { "tonumber(text)", "blank" }, { "tonumber(text)", "ones .. 'x'" },
  { "tonumber(text, 10)", "zeros" }, { "tonumber('1', text)", "zeros" },
  { "rawequal(text, other)", "ones" }, { "error('x', text)", "zeros" },
  { "select(text, 1)", "zeros" }, { "select('#', ...)", count = 100000 },
  { "select(-1, ...)", count = 100000 },

  { "text:lower()", "ones" }, { "text:upper()", "ones" }, { "text:reverse()", "ones" },
  { "text:byte(1, 100000)", "ones", count = 100000 }, { "('x'):byte(text)", "zeros" },
  { "('x'):byte(1, text)", "zeros" }, { "string.char(...)", count = 100000 },
  { "string.char(text)", "zeros" }, { "('x'):sub(text)", "zeros" },
  { "('x'):sub(1, text)", "zeros" }, { "('x'):rep(text)", "zeros" },
  { "string.pack(text)", "blank" }, { "string.pack('z', text)", "ones" },
  { "string.pack('b', text)", "zeros" }, { "string.packsize(text)", "blank" },
  { "string.packsize(text)", "('x'):rep(n)" }, { "string.unpack(text, '')", "blank" },
  { "string.unpack('z', text)", "ones" }, { "string.unpack('b', 'x', text)", "zeros" },
  { "string.unpack('zz', text)", "'x\\0' .. ones" },
  { "('%.3s'):format(text)", "ones" }, { "('%d'):format(text)", "zeros" },
  { "('%5.1f'):format(text)", "zeros" }, { "string.format(text)", "ones" },
  { "text:find('b')", "ones" }, { "('x'):find(text .. '[')", "ones" },
  { "('x'):find(text)", "'[' .. ones" }, { "('x'):match(text)", "'[^' .. ones" },
  { "('x'):match(text)", "'%f[' .. ones" }, { "('x'):gsub(text, '')", "'x*[' .. ones" },
  { "('x'):gmatch(text)()", "'[' .. ones" }, { "('x'):find('x', text)", "zeros" },
  { "('x'):match('x', text)", "zeros" }, { "('x'):gmatch('x', text)", "zeros" },
  { "('x'):gsub('x', '', text)", "zeros" }, { "('x'):gsub('x', text)", "ones .. '%'" },

  { "table.concat({}, '', text)", "zeros" }, { "table.concat({}, '', 1, text)", "zeros" },
  { "table.concat(list)", "list" }, { "table.insert({}, text, 1)", "zeros" },
  { "table.insert(list, 1, table.remove(list))", "list" }, { "table.remove({}, text)", "zeros" },
  { "table.remove(list, 1)", "list" }, { "table.move({}, text, 1, 1)", "zeros" },
  { "table.move({}, 1, text, 1)", "zeros" }, { "table.move({}, 1, 1, text)", "zeros" },
  { "table.move(list, 2, #list, 1)", "list" }, { "table.sort({ text, other })", "ones" },
  { "table.sort(list)", "list" }, { "table.unpack({}, text)", "zeros" },
  { "table.unpack({}, 1, text)", "zeros" }, { "table.unpack(list, 1, n // 160)", "list" },
  { "table.pack(...)", count = 100000 },

  { "utf8.len(text)", "ones" }, { "utf8.len('x', text)", "zeros" },
  { "utf8.len('x', 1, text)", "zeros" }, { "utf8.char(...)", count = 100000 },
  { "utf8.char(text)", "zeros" }, { "utf8.codepoint(text, 1, 100000)", "ones", count = 100000 },
  { "utf8.codepoint('x', text)", "zeros" }, { "utf8.codepoint('x', 1, text)", "zeros" },
  { "utf8.offset(text, n)", "ones" }, { "utf8.offset(text, -n)", "ones" },
  { "utf8.offset(text, 0, n)", "('\\x80'):rep(n)" }, { "utf8.offset('x', text)", "zeros" },
  { "utf8.offset('x', 1, text)", "zeros" }, { "codes(text, 1)", "('\\x80'):rep(n)" },
  { "codes('x', text)", "zeros" },

  { "coroutine.wrap(function() end)(...)", count = 100000 },
  { "coroutine.resume(coroutine.create(type), ...)", count = 100000 },

  { "regex:find('x', text)", "zeros" }, { "file:read(text)", "zeros", calls = 1000 },
  { "file:seek(text)", "zeros" }, { "ctx.progress(text)", "zeros" },
  { "ctx.fs:read('f', text)", "zeros" }, { "ctx.fs:read('f', { size = text })", "zeros" },
  { "ctx.regex(text)", "ones", calls = 1000 },
  { "ctx.regex(text, { ignore_case = true })", "('[a-\\\\x{10ffff}]'):rep(n // 10000)", calls = 5 },
  { "ctx.regex(text)", "'(?i)' .. ('[a-\u{10ffff}]'):rep(n // 10000)", calls = 5 },
  { "ctx.json.decode(text)", "zeros" }, { "ctx.json.decode(text)", "blank" },
  { "ctx.json.encode(text)", "ones" }, { "ctx.fs:stat(text)", "ones" },
  { "ctx.fs:read('f', { size = 1, offset = text })", "zeros", calls = 1000 },
  { "ctx.text.repair(text)", "ones" }, { "ctx.text.cut(text, 5)", "ones" },
  { "ctx.text.name(text)", "ones" },
  { "print(text)", "ones" }, { "load(text)", "blank", count = 200000 },
}

for _, name in ipairs {
  "abs", "acos", "asin", "atan", "ceil", "cos", "deg", "exp", "floor", "log", "modf", "rad",
  "random", "sin", "sqrt", "tan", "tointeger",
} do
  ROWS[#ROWS + 1] = { "math." .. name .. "(text)", "zeros" }
end
for _, name in ipairs { "atan", "fmod", "log", "max", "min", "random", "ult" } do
  ROWS[#ROWS + 1] = { "math." .. name .. "(1, text)", "zeros" }
end
ROWS[#ROWS + 1] = { "math.max(...)", count = 100000 }
ROWS[#ROWS + 1] = { "math.min(...)", count = 100000 }

local TOOL = custom.tool("run", [[{ type = "object", properties = {
    call = { type = "string", description = "What is called" },
    make = { type = "string", description = "What with" },
    n = { type = "integer", description = "How much" },
    calls = { type = "integer", description = "How often" } } }]], [=[
  local code = [[
    local ctx, n, calls = ...
    local zeros, ones, blank = ("0"):rep(n - 1) .. "1", ("1"):rep(n), (" "):rep(n)
    local codes, list = utf8.codes("x"), {}
    local regex, file = ctx.regex("x"), ctx.fs:open("f")
    local text = MAKE
    local other = text == ones and ones:sub(1, -2) .. "2"
    for i = 1, text == list and n // 16 or 0 do list[i] = "x" end
    zeros, ones, blank = nil, nil, nil
    local function repeat_call(...)
      for _ = 1, calls do CALL end
    end
    repeat_call(VALUES)
    return "done"]]
  local is_many = args.call:find("...", 1, true)
  local values = {
    MAKE = args.make, VALUES = is_many and "text:byte(1, -1)" or "",
    CALL = is_many and "local _ = " .. args.call
      or "pcall(function() return " .. args.call .. " end)",
  }
  return assert(load((code:gsub("%u%u%u+", values)), "=code"))(ctx, args.n, args.calls)
]=])

describe("a call of", function()
  local session

  setup(function()
    session = custom.session(TOOL, {
      files = { f = "text\n" }, limits = { steps = 3000000, time = 60000, heap = 33554432 },
    })
  end)

  teardown(function() session:close() end)

  local function run(row, n)
    return session:call("run",
      { call = row[1], make = row[2] or "ones", n = n, calls = row.calls or CALLS })
  end

  for _, row in ipairs(ROWS) do
    local name = row[1] .. (row[2] and " with " .. row[2] or "")

    it(name .. " is charged for what is long", function()
      local result = run(row, row.count or 1048576)
      assert.equal("stopped", result.code, result.text .. session:log())
      assert.matches("more than 3000000 steps", result.text)
    end)

    it(name .. " is cheap for what is short", function()
      assert.equal("done", run(row, 16).text, session:log())
    end)
  end
end)
