-- SPDX-License-Identifier: MIT
--- Lua's patterns inside a session: by hand what the reference manual says (section 6.4.1), and by
--- the hundred thousand what the Lua that runs this spec says.
local custom = require "custom"
local patterns = require "patterns"
local tree = require "tree"

local CASES, AT_ONCE = 120000, 5000

-- Each row: a Lua expression, and what it gives, as table.concat shows it.
local MANUAL = {
  { "('hello world'):find('o w')", "5 7" },
  { "('hello'):find('l+')", "3 4" },
  { "('hello'):find('x')", "nil" },
  { "('hello'):find('l', 4)", "4 4" },
  { "('hello'):find('l', -2)", "4 4" },
  { "('hello'):find('', 6)", "6 5" },
  { "('hello'):find('', 7)", "nil" },
  { "('hello'):find('', -100)", "1 0" },
  { "('a.b'):find('.', 2, true)", "2 2" },
  { "('a+b'):find('+', 1, true)", "2 2" },
  { "('a)'):find(')')", "2 2" },
  { "('key = value'):find('(%w+) = (%w+)')", "1 11 key value" },
  { "('hello'):match('^(h)(.-)(o)$')", "h ell o" },
  { "('hello'):match('()ll()')", "3 5" },
  { "('  trim  '):match('^%s*(.-)%s*$') .. '|'", "trim|" },
  { "('THE (quick) fox'):find('%((%a+)%)')", "5 11 quick" },
  { "('THE (quick) fox'):match('%b()')", "(quick)" },
  { "('f(a(b)c)d'):match('%b()')", "(a(b)c)" },
  { "('THE (quick) fox'):gsub('%f[%a]%a+', 'w')", "w (w) w 3" },
  { "('THE fox'):find('%f[%z]')", "8 7" },
  { [[('say "it\'s"'):match('(["\'])(.-)%1')]], [[" it's]] },
  { "('abc123'):match('%a+', 2)", "bc" },
  { "('abc'):match('.-')", "" },
  { "('aaab'):match('a-b')", "aaab" },
  { "('ab'):match('a?ab')", "ab" },
  { "('x^y'):match('x^y')", "x^y" },
  { "('a$b'):match('a$b')", "a$b" },
  { "('a]b'):match('[]]')", "]" },
  { "('a-b'):match('[+-]')", "-" },
  { "('a^b'):match('[b^]')", "^" },
  { "('caf\\xC3\\xA9!'):match('%a+')", "caf" },
  { "('a\\0b'):find('%z')", "2 2" },
  { "('a\\0b'):find('\\0b')", "2 3" },
  { "('hello world'):gsub('o', '0')", "hell0 w0rld 2" },
  { "('hello world'):gsub('o', '0', 1)", "hell0 world 1" },
  { "('hello world'):gsub('o', '0', 0)", "hello world 0" },
  { "('hello'):gsub('', '-')", "-h-e-l-l-o- 6" },
  { "('abc'):gsub('%w', '%0%0')", "aabbcc 3" },
  { "('abc def'):gsub('(%w+) (%w+)', '%2 %1')", "def abc 1" },
  { "('abc'):gsub('b', '%%')", "a%c 1" },
  { "('abc'):gsub('b', 7)", "a7c 1" },
  { "('abc'):gsub('b*', '-')", "-a-c- 3" },
  { "('aaa'):gsub('^a', 'b')", "baa 1" },
  { "('abc'):gsub('()', '%1')", "1a2b3c4 4" },
  { "('$name is $age'):gsub('%$(%w+)', {name = 'lua', age = 5})", "lua is 5 2" },
  { "('$name is $age'):gsub('%$(%w+)', {name = 'lua'})", "lua is $age 2" },
  { "('abc'):gsub('%w', function(c) return c == 'b' and 'B' end)", "aBc 3" },
  { "('abc'):gsub('%w', function() end)", "abc 3" },
  { "('abc'):gsub('(a)(b)', function(a, b) return b .. a end)", "bac 1" },
  { "('abc'):gsub('%w', setmetatable({}, {__index = function(_, k) return k .. k end}))",
    "aabbcc 3" },
  { "all(('one two  three'):gmatch('%a+'))", "one,two,three" },
  { "all(('a=1, b=2'):gmatch('(%w+)=(%w+)'))", "a 1,b 2" },
  { "all(('abc'):gmatch(''))", ",,," },
  { "all(('abc'):gmatch('()'))", "1,2,3,4" },
  { "all(('abc'):gmatch('%w', 3))", "c" },
  { "all(('abc'):gmatch('%w', -2))", "b,c" },
  { "all(('abc'):gmatch('%w', 9))", "" },
  { "all(('^a^a'):gmatch('^a'))", "^a,^a" },
}

local FAULTS = {
  { "('a'):find('%')", "malformed pattern (ends with '%')" },
  { "('a'):find('[a')", "malformed pattern (missing ']')" },
  { "('a'):find('[]')", "malformed pattern (missing ']')" },
  { "('a'):find('%bx')", "malformed pattern (missing arguments to '%b')" },
  { "('a'):find('%fa')", "missing '[' after '%f' in pattern" },
  { "('a'):find('(a')", "unfinished capture" },
  { "('a'):match('a)')", "invalid pattern capture" },
  { "('a'):match('%1')", "invalid capture index %1" },
  { "('a'):match('(%1)')", "invalid capture index %1" },
  { "('a'):match('%0')", "invalid capture index %0" },
  { "('a'):match(('()'):rep(33))", "too many captures" },
  { "(('a'):rep(300)):match(('a?'):rep(300))", "pattern too complex" },
  { "(('a'):rep(300)):match(('.-'):rep(300) .. 'b')", "pattern too complex" },
  { "('a'):gsub('a', '%2')", "invalid capture index %2" },
  { "('a'):gsub('a', '%x')", "invalid use of '%' in replacement string" },
  { "('a'):gsub('a', 'x%')", "invalid use of '%' in replacement string" },
  { "('a'):gsub('a', function() return {} end)", "invalid replacement value (a table)" },
  { "('a'):gsub('a', true)", "string/function/table expected, got boolean" },
  { "('a'):gsub('a')", "string/function/table expected, got no value" },
  { "string.find()", "string expected, got no value" },
  { "string.find('a', {})", "string expected, got table" },
  { "('a'):gsub('a', function() error('mine', 0) end)", "mine" },
}

-- What would never end must be charged.
local BOMBS = {
  "('x'):rep(3000):find('.*.*.*.*.*z')",
  "('x'):rep(300000):find('.-b')",
  "('x'):rep(300000):gsub('x*y', '')",
  "('('):rep(300000):gsub('%b()', '')",
  "('ab'):rep(100000):find(('[' .. ('ab'):rep(100000) .. ']*'):rep(3) .. 'z')",
  "('x'):rep(100000):find('(.*)(.*)%1%2z')",
  "all(('x'):rep(300000):gmatch('.-b'))",
}

local TOOL = custom.tool("run", [[{
  type = "object", properties = {
    code = { type = "string", description = "Lua" },
    first = { type = "integer", description = "case" },
    last = { type = "integer", description = "case" },
  } }]], [[
    if args.first then
      return patterns.run_all(string, args.first, args.last)
    end
    local function all(iterate)
      local out = {}
      for a, b in iterate do out[#out + 1] = b and a .. " " .. b or a end
      return table.concat(out, ",")
    end
    local function values(...)
      local out = {}
      for i = 1, select("#", ...) do out[i] = tostring((select(i, ...))) end
      return table.concat(out, " ")
    end
    local env = setmetatable({ all = all }, { __index = _ENV })
    return values(assert(load("return " .. args.code, "=code", "t", env))())
  ]])

describe("a pattern", function()
  local session, small

  setup(function()
    local source = "local patterns = (function()\n" .. tree.text("spec/support/patterns.lua")
      .. "\nend)()\n" .. TOOL
    session = custom.session(source, {
      limits = { steps = 1000000000, result_bytes = 8388608, time = 60000, heap = 268435456 },
    })
    small = custom.session(source, { limits = { steps = 3000000, time = 60000 } })
  end)

  teardown(function()
    small:close()
    session:close()
  end)

  for _, row in ipairs(MANUAL) do
    it("gives what the manual says: " .. row[1], function()
      local result = session:call("run", { code = row[1] })
      assert.equal(row[2], result.text, session:log())
    end)
  end

  for _, row in ipairs(FAULTS) do
    it("is refused: " .. row[1], function()
      local code = "select(2, pcall(function() return " .. row[1] .. " end))"
      local text = session:call("run", { code = code }).text
      assert(text:find(row[2], 1, true), text)
    end)
  end

  for _, code in ipairs(BOMBS) do
    it("costs what it does: " .. code, function()
      local result = small:call("run", { code = code })
      assert.equal("stopped", result.code, result.text)
      assert(result.text:find("steps", 1, true), result.text)
    end)
  end

  it("may be long, and its subject too", function()
    local code = "#(('a'):rep(1000000)):match(('a'):rep(500000) .. '(a*)$')"
    assert.equal("500000", session:call("run", { code = code }).text)
  end)

  it("gives what plain Lua gives, in " .. CASES .. " generated cases", function()
    for first = 1, CASES, AT_ONCE do
      local last = first + AT_ONCE - 1
      local ours = session:call("run", { first = first, last = last }).text
      local stock = patterns.run_all(string, first, last)
      if ours ~= stock then
        local theirs = stock:gmatch("[^\n]*")
        for line in ours:gmatch("[^\n]*") do
          assert.equal(theirs(), line)
        end
      end
      assert(ours == stock)
    end
  end)
end)
