-- SPDX-License-Identifier: MIT
--- Policy files: what they say, what is refused about them, and that a session keeps to them.
local croft = require("croft")
local reference = require("reference")
local testing = require("croft.testing")

local directory

local function write_file(name, text, mode)
  local path = directory .. "/" .. name
  local file <close> = assert(io.open(path, "w"))
  file:write(text)
  file:close()
  assert(os.execute(("chmod %s %s"):format(mode or "600", path)))
  return path
end

--- A policy of rules and more fields in Lua.
local function source(rules, more)
  return ("return policy { version = 1, %s rules = { %s } }"):format(more or "", rules)
end

local function load(text)
  local policy, err = croft.policy({ write_file("policy.lua", text) })
  return policy, policy and {} or err.problems
end

--- What is wrong with it, in one text.
local function problems_of(text)
  local policy, problems = load(text)
  if policy then policy:close() end
  return table.concat(problems, "\n")
end

local function verdict(policy, tool, arguments)
  return assert(policy:explain(tool, arguments)).verdict
end

setup(function()
  local pipe = assert(io.popen("mktemp -d"))
  directory = pipe:read("l")
  pipe:close()
end)

teardown(function() os.execute("rm -r " .. directory) end)

describe("a policy", function()
  it("lets deny beat ask and ask beat allow, whatever the order", function()
    local rules = {
      'allow { tools = { "read" }, paths = { "a/*" } }', 'ask { tools = "*", paths = { "a/b*" } }',
      'deny { tools = { "read", "write" }, paths = { "**/bc" } }',
    }
    for _, order in ipairs { { 1, 2, 3 }, { 3, 2, 1 }, { 2, 3, 1 } } do
      local texts = {}
      for index, number in ipairs(order) do texts[index] = rules[number] end
      local policy = load(source(table.concat(texts, ", ")))
      assert.equal("allow", verdict(policy, "read", { path = "a/x" }))
      assert.equal("ask", verdict(policy, "read", { path = "a/bx" }))
      assert.equal("deny", verdict(policy, "read", { path = "a/bc" }))
      assert.equal("ask", verdict(policy, "read", { path = "x" }))
      policy:close()
    end
  end)

  it("asks by default, or denies", function()
    assert.equal("ask", verdict(load(source("")), "read", { path = "x" }))
    assert.equal("deny", verdict(load(source("", 'default = "deny",')), "read", { path = "x" }))
    assert.is_truthy(problems_of(source("", 'default = "allow",')):find('"ask" or "deny"', 1, true))
  end)

  it("denies and asks for all below a directory, and allows what fits alone", function()
    local policy = load(source([[
      deny { tools = "*", paths = { "secret", "x/y" } }, allow { tools = { "read" },
        paths = { "open" } } ]]))
    for _, path in ipairs { "secret", "secret/a/b", "d/secret/a", "x/y/z" } do
      assert.equal("deny", verdict(policy, "read", { path = path }), path)
    end
    assert.equal("allow", verdict(policy, "read", { path = "open" }))
    assert.equal("ask", verdict(policy, "read", { path = "open/a" }))
    assert.equal("ask", verdict(policy, "read", { path = "secrets" }))
  end)

  it("fits globs with brackets and braces in them as listings do", function()
    local policy = load(source([==[
      deny { tools = "*", paths = { "x[!]a]yz*", "p[]ab]qr", "s{tu,v}wx", "k[^]]lm",
        "c\\*d" } }]==]))
    for _, path in ipairs { "xbyz", "xbyzq", "p]qr", "paqr", "stuwx", "svwx", "kqlm", "c*d" } do
      assert.equal("deny", verdict(policy, "read", { path = path }), path)
    end
    for _, path in ipairs { "x]yz", "xayz", "pcqr", "swx", "k]lm", "cxd" } do
      assert.equal("ask", verdict(policy, "read", { path = path }), path)
    end
  end)

  it("judges every path that a call names", function()
    local policy = load(source([[
      allow { tools = { "move" }, paths = { "a/**" } }, deny { tools = "*", paths = { "b/**" } }]]))
    assert.equal("allow", verdict(policy, "move", { from = "a/x", to = "a/y" }))
    assert.equal("ask", verdict(policy, "move", { from = "a/x", to = "c/y" }))
    assert.equal("deny", verdict(policy, "move", { from = "a/x", to = "b/y" }))
  end)

  it("takes the root for a path that is left out", function()
    local policy = load(source('allow { tools = { "list" }, paths = { "**" } }'))
    assert.equal("allow", verdict(policy, "list", {}))
    assert.equal("allow", verdict(policy, "list", { path = "." }))
    policy = load(source('allow { tools = { "list" }, paths = { "*" } }'))
    assert.equal("ask", verdict(policy, "list", {}))
  end)

  -- S2-13
  it("looks at arguments, however deep, by a regular expression", function()
    local policy = load(source([[
      ask { tools = { "grep" }, when = { regex_like = "(?i)(secret|token)" } },
      allow { tools = { "grep" }, paths = { "**" } }]]))
    assert.equal("allow", verdict(policy, "grep", { pattern = "needle" }))
    assert.equal("ask", verdict(policy, "grep", { pattern = "my_TOKEN" }))
    assert.equal("ask", verdict(policy, "grep", { pattern = "x", list = { { "a secret" } } }))
    assert.equal("ask", verdict(policy, "grep", { pattern = "x\nsecret\ny" }))
  end)

  it("counts an expression that takes too long against the call", function()
    local policy = load(source([[
      deny { tools = { "read" }, when = { regex_like = "^(a+)+$" } },
      allow { tools = { "grep" }, paths = { "**" }, when = { regex_like = "^(a+)+$" } }]]))
    local hard = ("a"):rep(3000) .. "b"
    local read = verdict(policy, "read", { path = "x", pattern = hard })
    local grep = verdict(policy, "grep", { pattern = hard })
    assert.is_true(read == "deny" or read == "ask" and grep == "ask")
    assert.not_equal("allow", grep)
  end)

  it("is what 10 000 random calls say that a slow reading of it says", function()
    math.randomseed(20261130)
    local tools = { "read", "write", "list", "grep", "move", "apply_patch" }
    local names = { "a", "b", "ab", "src", "c.d", "x.c", "id_rsa", ".env" }
    local globs = {
      "**", "*", "a", "a/", "a/**", "**/a", "a/*", "*/b", "**/*.c", "*.c", "{a,b}/**", "a/{b,ab}",
      "[ab]", "[!a]*", "?", "a/**/b", "**/a/**", "src/*/x.c", "{*.c,.env}", "**/id_*", "src/**",
      "a*/b*", "*.{c,d}", "a/b/", "src", "**/*", "c.d/x.c", "*/*", "x*", "**/b/*",
      "a//b", "src//**", "a/./b", "**/./x.c", "src/.", "a/b/.", "a//", "./a/b", "/a", "{a/,src/}.",
      "a/{b,.}",
    }
    local function some(list, most)
      local found, seen = {}, {}
      for _ = 1, math.random(most) do
        local one = list[math.random(#list)]
        if not seen[one] then found[#found + 1] = one end
        seen[one] = true
      end
      return found
    end
    local function random_path()
      return table.concat(some(names, 4), "/")
    end
    local function random_rule()
      local decision = ({ "deny", "ask", "allow" })[math.random(3)]
      local rule = { decision = decision, tools = some(tools, 3) }
      if math.random(5) == 1 then rule.tools = "*" end
      if decision == "allow" or math.random(6) > 1 then rule.paths = some(globs, 3) end
      if math.random(6) == 1 then rule.like = ({ "a", "x.c", "zz" })[math.random(3)] end
      return rule
    end
    local function quoted(list)
      local texts = {}
      for index, text in ipairs(list) do texts[index] = ("%q"):format(text) end
      return "{ " .. table.concat(texts, ", ") .. " }"
    end
    local function as_text(rule)
      local fields = { "tools = " .. (rule.tools == "*" and '"*"' or quoted(rule.tools)) }
      if rule.paths then fields[2] = "paths = " .. quoted(rule.paths) end
      if rule.like then
        fields[#fields + 1] = ("when = { regex_like = %q }"):format(rule.like:gsub("%.", "\\."))
      end
      return ("%s { %s }"):format(rule.decision, table.concat(fields, ", "))
    end
    local function random_call()
      local tool = tools[math.random(#tools)]
      if tool == "move" then
        local from, to = random_path(), random_path()
        return tool, { from = from, to = to }, { from, to }
      elseif tool == "apply_patch" then
        return tool, { patch = random_path() }, {}
      elseif (tool == "list" or tool == "grep") and math.random(4) == 1 then
        return tool, { pattern = random_path() }, { "." }
      end
      local path = random_path()
      return tool, { path = path }, { path }
    end

    local pairs_done, seen = 0, { allow = 0, ask = 0, deny = 0 }
    while pairs_done < 10000 do
      local policy = { default = math.random(2) == 1 and "ask" or "deny", rules = {} }
      local texts = {}
      for index = 1, math.random(6) do
        policy.rules[index] = random_rule()
        texts[index] = as_text(policy.rules[index])
      end
      local text = source(table.concat(texts, ",\n"), ("default = %q,"):format(policy.default))
      local loaded = load(text) -- many cannot be loaded: a rule can never decide
      for _ = 1, loaded and 40 or 0 do
        local tool, arguments, paths = random_call()
        local wanted = reference.verdict(policy, tool, arguments, paths)
        local got = verdict(loaded, tool, arguments)
        if wanted ~= got then
          error(("%s\n%s %s: %s, not %s"):format(text, tool, table.concat(paths, " "), got, wanted))
        end
        seen[got] = seen[got] + 1
        pairs_done = pairs_done + 1
      end
      if loaded then loaded:close() end
    end
    for _, count in pairs(seen) do assert.is_true(count > 500) end
  end)

  it("says which rules match, and which decides", function()
    local policy = load(source([[
      deny { tools = "*", paths = { "x", "**/.env" }, why = "credentials" },
      allow { tools = { "read" }, paths = { "src/**" } }]]))
    local explained = policy:explain("read", { path = "./src/.env" })
    assert.same({ "deny", "read", "ask" },
      { explained.verdict, explained.tool, explained.default })
    local path = explained.paths[1]
    assert.same({ "src/.env", "deny", "rule", 2 },
      { path.path, path.verdict, path.by, #path.rules })
    assert.same({ decision = "deny", file = "policy.lua", line = 1, glob = "**/.env",
      why = "credentials", decides = true }, path.rules[1])
    assert.is_false(path.rules[2].decides)
    local _, err = policy:explain("nope", {})
    assert.equal("unknown_tool", err.code)
    _, err = policy:explain("read", { path = "/etc/passwd" })
    assert.equal("outside", err.code)
  end)
end)

describe("a policy file", function()
  it("allows tools that write and take no path without paths", function()
    local rule = 'allow { tools = { "apply_patch" } }'
    assert.equal("", problems_of(source(rule)))
    assert.equal("allow", verdict(load(source(rule)), "apply_patch", { patch = "x" }))
    assert.matches("needs paths", problems_of(source('allow { tools = "*" }')), 1, true)
    assert.matches("needs paths",
      problems_of(source('allow { tools = { "apply_patch", "write" } }')), 1, true)
  end)

  it("tells all that is wrong at once, with the line", function()
    local text = problems_of([[
return policy {
  version = 1,
  rules = {
    deny { tools = "*", paths = { "a/**" } },
    allow { tools = { "read" }, paths = { "a/b/*" } },
    allow { tools = { "nope" }, paths = { "x" } },
    allow { tools = { "write" } },
    deny { tools = { "read" }, paths = { "[" } },
    ask { tools = { "artifact_read" }, paths = { "x" } },
    ask { tools = { "read" }, when = { regex_like = "(" } },
    deny { paths = { "x" } }, deny { tools = { "read" }, pathes = { "x" } },
  },
}]])
    for _, part in ipairs {
      "policy.lua:5: it can never decide: the deny in line 4 covers it",
      'policy.lua:6: there is no tool "nope"', "policy.lua:7: an allow for a tool that writes",
      'policy.lua:8: the glob "[" does not parse', "policy.lua:9: it can never match",
      "policy.lua:10: when.regex_like does not compile", "policy.lua:11: a rule needs tools",
      'policy.lua:11: "pathes" is no field of a rule',
    } do
      assert.is_truthy(text:find(part, 1, true), part .. " is not in\n" .. text)
    end
  end)

  it("has a closed schema", function()
    for text, part in pairs {
      ["return policy { version = 1, rulez = {} }"] = '"rulez" is no field',
      ["return policy { rules = {} }"] = "version = 1 is missing",
      ["return policy { version = 2 }"] = "version: it must be 1",
      ["return policy { version = 1, rules = 1 }"] = "rules: it must be a list",
      ["return policy { version = 1, rules = { {} } }"] = "rules[1] is none",
      ["return policy { version = 1, rules = { a = deny { tools = '*' } } }"] = "must be a list",
      ["return { version = 1 }"] = "it must return policy { ... }",
      ["return 1"] = "it must return policy { ... }", [""] = "it must return policy { ... }",
      ["return policy { version = 1, decider = { kind = 'x' } }"] = "decider.kind",
      ["return policy { version = 1, decider = { who = 1 } }"] = "decider.who is no field",
      ["return policy { version = 1, decider = { on_timeout = 'allow' } }"] = '"deny" alone',
      ["return policy { version = 1, decider = { timeout_s = 'x' } }"] = "timeout_s",
      ["return policy { version = 1, expect = { { 'maybe', 'read', {} } } }"] = "expect[1]",
      ["return policy {"] = "policy.lua:1:", ["\27Lua"] = "binary chunk",
      ["error('x')"] = "attempt to call a nil value (global 'error')",
      ["return policy { version = 1, rules = { deny { tools = '*', why = 1 } } }"] = "why: it must",
    } do
      assert.is_truthy(problems_of(text):find(part, 1, true), text .. "\n" .. problems_of(text))
    end
  end)

  it("is data: no library, no method of texts, bounded steps and memory", function()
    for _, text in ipairs {
      "while true do end", "local t = {} for i = 1, 1e9 do t[i] = {} end",
      "local s = 'x' while true do s = s .. s end", "return ('x'):rep(1e9)",
      "return os.execute('true')", "return require('os')", "return load('return 1')()",
      "return getmetatable('').__index", "return string.rep('x', 1e9)",
      "local function f() return f() + 1 end return f()", "goto x ::x:: goto x",
    } do
      assert.is_nil((load(text)), text)
    end
  end)

  it("runs its expectations", function()
    local rules = 'deny { tools = "*", paths = { "**/.env" } }'
    assert.equal("", problems_of(source(rules,
      'expect = { { "deny", "read", { path = "a/.env" } }, { "ask", "list", {} } },')))
    local text = problems_of(source(rules,
      'expect = { { "ask", "read", { path = "a/.env" } }, { "deny", "nope", {} }, '
      .. '{ "deny", "read", { path = "/x" } } },'))
    local first = 'expect[1]: read of {"path":"a/.env"} is "deny", not "ask"'
    assert.is_truthy(text:find(first, 1, true), text)
    assert.is_truthy(text:find('expect[2]: there is no tool "nope"', 1, true))
    assert.is_truthy(text:find("expect[3]", 1, true))
  end)

  it("is believed only when its owner alone can write it", function()
    local good = source("")
    for _, mode in ipairs { "620", "602", "666", "622" } do
      local _, err = croft.policy({ write_file("open.lua", good, mode) })
      assert.is_truthy(err.message:find("can write it", 1, true), mode)
    end
    for _, mode in ipairs { "400", "600", "644" } do
      assert(croft.policy({ write_file("shut.lua", good, mode) })):close()
    end
    os.execute(("ln -s shut.lua %s/link.lua; mkfifo %s/fifo.lua"):format(directory, directory))
    for name, reason in pairs {
      ["link.lua"] = "it is a link", ["fifo.lua"] = "not a regular file",
      ["none.lua"] = "does not exist", ["."] = "not a regular file",
    } do
      local _, err = croft.policy({ directory .. "/" .. name })
      assert.is_truthy(err.message:find(reason, 1, true), name .. ": " .. err.message)
    end
  end)

  it("does not lie where tools could change it", function()
    local session = testing.session { files = { ["d/policy.lua"] = source("") } }
    os.execute("chmod 600 " .. session:root() .. "/d/policy.lua")
    local view = assert(croft.open(session:root()))
    local good, err = view:session {
      policies = { session:root() .. "/d/policy.lua" }, gate = "policy",
    }
    assert.is_nil(good)
    assert.is_truthy(err.message:find("it lies in ROOT", 1, true))
    view:close()
    local beside = write_file("beside.lua", source(""))
    view = assert(croft.open(session:root(), { mounts = { { name = "m", path = directory } } }))
    good, err = view:session { policies = { beside }, gate = "policy" }
    assert.is_nil(good)
    assert.is_truthy(err.message:find("it lies in ROOT", 1, true))
    view:close()
    session:close()
  end)

  it("of a tenant may only narrow that of the operator", function()
    local operator = write_file("operator.lua", source([[
      allow { tools = { "read", "list" }, paths = { "**" } }]]))
    local function both(text)
      local policy, err = croft.policy({ operator, write_file("tenant.lua", text) })
      return policy, policy and "" or err.message
    end
    local policy = both(source('deny { tools = "*", paths = { "mine/**" } }, '
      .. 'ask { tools = { "read" }, paths = { "ours/**" } }', 'default = "deny",'))
    assert.equal("allow", verdict(policy, "read", { path = "x" }))
    assert.equal("deny", verdict(policy, "read", { path = "mine/x" }))
    assert.equal("ask", verdict(policy, "read", { path = "ours/x" }))
    assert.equal("deny", verdict(policy, "write", { path = "x", content = "" }))
    local _, said = both(source('allow { tools = { "write" }, paths = { "**" } }'))
    assert.is_truthy(said:find("may only deny and ask", 1, true))
    _, said = both(source("", 'decider = { kind = "allow" },'))
    assert.is_truthy(said:find("cannot name one", 1, true))
    -- a looser default changes nothing
    operator = write_file("operator.lua", source("", 'default = "deny",'))
    assert.equal("deny", verdict(both(source("", 'default = "ask",')), "read", { path = "x" }))
  end)
end)

describe("a session with a policy", function()
  local session

  after_each(function()
    if session then session:close() end
    session = nil
  end)

  local FILES = {
    ["src/a.c"] = "needle a\n", ["src/.env"] = "needle KEY\n", ["src/private/b.c"] = "needle b\n",
    ["src/asked/c.c"] = "needle c\n", ["notes/n.md"] = "needle n\n", ["z.md"] = "needle z\n",
    ["link"] = { link = "src/.env" }, ["fine"] = { link = "src/a.c" },
    ["out"] = { link = "src/asked/c.c" }, ["way"] = { link = "src/private" },
  }
  local RULES = [[
    deny { tools = "*", paths = { "**/.env", "src/private/**" }, why = "it is a secret" },
    ask { tools = "*", paths = { "src/asked/**" } },
    allow { tools = { "read", "grep", "list" }, paths = { "**" } }]]

  --- With a gate that counts what it is asked.
  local function open(rules, more)
    local asked = {}
    session = testing.session {
      files = FILES, trace = true, policies = { write_file("policy.lua", source(rules, more)) },
      gate = function(request)
        asked[#asked + 1] = request
        return { decision = "allow" }
      end,
    }
    return asked
  end

  it("runs what is allowed, asks for what is asked, refuses what is denied", function()
    local asked = open(RULES)
    assert.equal("1|needle a\n[end of file: 1 line]",
      session:call("read", { path = "src/a.c" }).text)
    assert.same({}, asked)
    assert.equal("", session:call("read", { path = "src/asked/c.c" }).code)
    assert.equal("", session:call("write", { path = "new.md", content = "x" }).code)
    assert.equal(2, #asked)
    local denied = session:call("read", { path = "src/.env" })
    assert.equal("denied", denied.code)
    assert.is_truthy(denied.text:find("it is a secret", 1, true))
    assert.equal(denied.text:gsub("src/.env", "X"),
      (session:call("read", { path = "no/.env" }).text:gsub("no/.env", "X")))
    assert.equal(2, #asked)
  end)

  -- S2-34, S2-36, S2-40
  it("leaves out of listings and searches what is denied or would be asked for", function()
    open(RULES)
    assert.equal("fine -> src/a.c\nlink -> (missing)\nnotes/\nnotes/n.md (9 bytes)\nout -> "
      .. "src/asked/c.c\nsrc/\nsrc/a.c (9 bytes)\nsrc/asked/\nsrc/private/\nway -> src/private/\n"
      .. "z.md (9 bytes)", session:call("list", { recursive = true }).text)
    assert.equal("notes/n.md:1|needle n\nsrc/a.c:1|needle a\nz.md:1|needle z",
      session:call("grep", { pattern = "needle" }).text)
    assert.equal("src/a.c:1|needle a",
      session:call("grep", { pattern = "needle", path = "src" }).text)
  end)

  -- S2-34, S2-36, S2-37
  it("judges where a link leads: what is denied is not there, what is asked for has its own path",
    function()
      local asked = open(RULES)
      local missing = session:call("read", { path = "nope" })
      for _, path in ipairs { "link", "way/b.c" } do
        local result = session:call("read", { path = path })
        assert.equal("denied", result.code)
        assert.is_truthy(result.text:find("does not exist", 1, true), result.text)
      end
      assert.is_truthy(missing.text:find("does not exist", 1, true))
      local result = session:call("read", { path = "out" })
      assert.is_truthy(result.text:find('"path": "src/asked/c.c"', 1, true))
      assert.equal("", session:call("read", { path = "fine" }).code)
      assert.same({}, asked)
    end)

  it("covers with an approval what the same question was about", function()
    local asked = open('deny { tools = "*", paths = { "**/.env" } }')
    local text = session:call("grep", { pattern = "needle" }).text
    assert.equal(1, #asked)
    assert.is_truthy(text:find("src/private/b.c", 1, true))
    assert.is_nil(text:find("KEY", 1, true))
  end)

  it("enters directories that are not allowed themselves for what is allowed in them", function()
    open('allow { tools = { "grep" }, paths = { "**/*.c", "src" } }')
    assert.equal("src/a.c:1|needle a\nsrc/asked/c.c:1|needle c\nsrc/private/b.c:1|needle b",
      session:call("grep", { pattern = "needle", path = "src" }).text)
  end)

  it("records which rule decided", function()
    open(RULES)
    session:call("read", { path = "src/a.c" })
    session:call("read", { path = "src/.env" })
    local kept = {}
    for _, record in ipairs(session:records()) do
      if record.op == "verdict" then
        kept[#kept + 1] = ("%s %s %s"):format(record.verdict, record.rule, record.decider)
        assert.equal(64, #record.digest)
      end
    end
    assert.same({ "ok policy.lua:3 policy", "denied policy.lua:1 policy" }, kept)
  end)

  it("needs somebody who decides, whom the file may name", function()
    local path = write_file("policy.lua", source(""))
    local good, err = pcall(testing.session, { policies = { path } })
    assert.is_false(good)
    assert.equal("gate_unavailable", err.code)
    for kind, code in pairs { policy = "denied", deny = "denied", allow = "" } do
      path = write_file("policy.lua", source("", ("decider = { kind = %q },"):format(kind)))
      session = testing.session { files = FILES, policies = { path } }
      assert.equal(code, session:call("read", { path = "z.md" }).code)
      session:close()
    end
    good = pcall(testing.session, { gate = "policy" })
    assert.is_false(good)
    session = nil
  end)

  describe("about what lies in a directory", function()
    local DENIES = 'deny { tools = "*", paths = { "conf/secrets/**", "conf/new/*/b" } }, '

    local function move(rules, more, from, to)
      local path = write_file("policy.lua", source(rules, more))
      session = testing.session {
        policies = { path }, gate = "policy", enable = { "move" },
        files = { ["conf/secrets/k.key"] = "k", ["conf/a"] = "a", ["new/secrets/b"] = "b",
          ["free/c"] = "c" },
      }
      return session:call("move", { from = from, to = to })
    end

    it("holds when a directory above it is moved", function()
      local result = move(DENIES .. 'allow { tools = { "move" }, paths = { "**" } }',
        'default = "deny",', "conf", "conf2")
      assert.equal("denied", result.code)
      assert.matches('Send the entries of "conf" one by one', result.text, 1, true)
      assert.equal("", session:call("move", { from = "conf/a", to = "conf2/a" }).code)
      assert.equal("", session:call("move", { from = "free", to = "conf2/free" }).code)
    end)

    it("holds when a directory is moved to where it applies", function()
      local result = move(DENIES .. 'allow { tools = { "move" }, paths = { "**" } }',
        'default = "deny",', "new", "conf/new")
      assert.equal("denied", result.code)
      assert.equal("", session:call("move", { from = "new", to = "conf/old" }).code)
    end)

    it("holds for what no rule allows", function()
      local result = move('allow { tools = { "move" }, paths = { "free", "gone/**", "gone" } }',
        'default = "deny",', "free", "gone")
      assert.equal("denied", result.code)
    end)
  end)

  it("may name the tools of its tool sets", function()
    local tool = os.tmpname() .. ".lua"
    local file <close> = assert(io.open(tool, "w"))
    file:write([[return require("croft.tool").define { name = "mine", description = "M.",
      access = "read", input = { type = "object", properties = {} },
      run = function() return "done" end }]])
    file:close()
    local path = write_file("policy.lua", source('allow { tools = { "mine" } }'))
    session = testing.session { policies = { path }, gate = "policy", tools = { tool } }
    assert.equal("done", session:call("mine", {}).text)
    os.remove(tool)
  end)
end)
