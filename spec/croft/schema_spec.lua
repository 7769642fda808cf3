-- SPDX-License-Identifier: MIT
local custom = require "custom"
local testing = require "croft.testing"

local ANY_INPUT = [[{
  type = "object",
  required = { "name" },
  properties = {
    name = { type = "string", minLength = 1, description = "A name." },
    path = { type = "string", description = "A path." },
    count = { type = "integer", minimum = 1, maximum = 9, description = "How many." },
    whole = { type = "integer", description = "Any whole number." },
    part = { type = "number", minimum = 0, description = "Any number." },
    flag = { type = "boolean", description = "Yes or no." },
    word = { type = "string", enum = { "lines", "files", "count" }, description = "A word." },
    list = {
      type = "array",
      description = "A list.",
      items = {
        type = "object",
        description = "One.",
        required = { "a" },
        properties = { a = { type = "string", description = "A text." } },
      },
    },
  },
}]]

--- Shows what run() gets: `name=string:x`.
local SHOW = [[
    local shown = {}
    for _, name in ipairs { "count", "flag", "name", "part", "path", "whole", "word" } do
      if args[name] ~= nil then
        local kind = math.type(args[name]) or type(args[name])
        shown[#shown + 1] = ("%s=%s:%s"):format(name, kind, tostring(args[name]))
      end
    end
    if args.list then
      shown[#shown + 1] = "list=" .. #args.list
    end
    return table.concat(shown, " ")
]]

describe("The schema of a tool", function()
  local function problem(input)
    local ok, err = pcall(custom.session, custom.tool("bad", input, 'return "x"'))
    assert.is_false(ok)
    return tostring(err)
  end

  local function property(text)
    return ("{ type = 'object', properties = { a = %s } }"):format(text)
  end

  -- S0-18: each is refused when the session is made, with the place and the reason
  for name, case in pairs {
    ["that is no object"] = { "{ type = 'string' }", "bad: input.type must be object" },
    ["without properties"] = { "{ type = 'object' }", "bad: input.properties is missing" },
    ["with an unknown word"] = { property "{ type = 'string', description = 'x', format = 'uri' }",
      "bad: input.properties.a.format is not a word that a schema may have here" },
    ["with an unknown type"] = { property "{ type = 'text', description = 'x' }",
      "bad: input.properties.a.type must be object, string, integer, number, boolean or array, "
        .. "not text" },
    ["with a wrong kind of bound"] = {
      property "{ type = 'integer', description = 'x', minimum = '1' }",
      "bad: input.properties.a.minimum must be a number, not a string" },
    ["with a bound on a text"] = { property "{ type = 'string', description = 'x', minimum = 1 }",
      'bad: input.properties.a.minimum does not belong to type "string"' },
    ["with bounds the wrong way round"] = {
      property "{ type = 'integer', description = 'x', minimum = 2, maximum = 1 }",
      "bad: input.properties.a.minimum is greater than its maximum" },
    ["with a list of nothing"] = { property "{ type = 'array', description = 'x' }",
      "bad: input.properties.a.items must be a table, not a nil" },
    ["with an argument that is not described"] = { property "{ type = 'string' }",
      "bad: input.properties.a.description is missing: a model needs it" },
    ["that requires what is not there"] = {
      "{ type = 'object', required = { 'b' }, properties = {} }",
      'bad: input.required[1] names "b", which is not in properties' },
    ["that lets unknown arguments pass"] = {
      "{ type = 'object', additionalProperties = true, properties = {} }",
      "bad: input.additionalProperties must be false: unknown arguments are refused" },
    ["with words that are no texts"] = {
      property "{ type = 'string', description = 'x', enum = { 1 } }",
      "bad: input.properties.a.enum[1] must be a string, not a number" },
  } do
    it("is refused " .. name, function()
      assert.matches(case[2], problem(case[1]), 1, true)
    end)
  end

  it("is advertised in the words that every client knows", function()
    local known = {
      type = true, description = true, enum = true, minimum = true, maximum = true, items = true,
      properties = true, required = true, additionalProperties = true,
    }
    local function check(node)
      for word in pairs(node) do
        assert.is_true(known[word], word)
      end
      for _, inner in pairs(node.properties or { node.items }) do
        check(inner)
      end
    end
    local session = custom.session(custom.tool("all", ANY_INPUT, SHOW))
    for _, tool in ipairs(session:tools()) do
      check(tool.inputSchema)
      assert.is_false(tool.inputSchema.additionalProperties)
    end
    session:close()
  end)
end)

describe("An argument", function()
  local session

  setup(function()
    session = custom.session(custom.tool("show", ANY_INPUT, SHOW), { files = { f = "1\n2\n3\n" } })
  end)

  teardown(function()
    session:close()
  end)

  local function accepts(json, expected)
    local result = session:call("show", '{"name":"n",' .. json .. "}")
    assert.equal(expected, result.text)
    assert.is_false(result.is_error)
  end

  local function refuses(json, expected)
    local result = session:call("show", '{"name":"n",' .. json .. "}")
    assert.equal(expected, result.text)
    assert.equal("bad_argument", result.code)
  end

  for json, expected in pairs {
    -- S0-64 S0-65 S0-68
    ["4"] = 4, ["4.0"] = 4, ['"4"'] = 4, ['" +4 "'] = 4, ["4e0"] = 4, ['"4.0"'] = 4,
    ["9223372036854775807"] = math.maxinteger, ["-9223372036854775808"] = math.mininteger,
    ["-3"] = -3, ["0"] = 0,
  } do
    it("that is a whole number may be " .. json, function()
      accepts('"whole":' .. json, ("name=string:n whole=integer:%d"):format(expected))
    end)
  end

  for json, shown in pairs {
    -- S0-66
    ["2.5"] = "2.5", ['"0x2"'] = '"0x2"', ['"2abc"'] = '"2abc"', ['"2.5"'] = '"2.5"', ['""'] = '""',
    ['"1e3"'] = '"1e3"', ['"4-4"'] = '"4-4"',
  } do
    it("that is a whole number may not be " .. json, function()
      local example = shown:match("2%.5") and "2" or "1"
      refuses('"count":' .. json,
        ('"count" must be a whole number, not %s. Send for example "count": %s.')
        :format(shown, example))
    end)
  end

  for json, shown in pairs {
    ["true"] = "true", ["{}"] = "an object", ["[1]"] = "a list",
  } do
    it("that is a whole number may not be " .. json, function()
      refuses('"count":' .. json,
        ('"count" must be a whole number, not %s. Send for example "count": 1.')
        :format(shown))
    end)
  end

  it("stays between its bounds", function()
    refuses('"count":0', '"count" must be between 1 and 9, not 0. Send "count": 1.')
    refuses('"count":10', '"count" must be between 1 and 9, not 10. Send "count": 9.')
    refuses('"whole":1e30', '"whole" must be 9223372036854775807 or less, not 1e+30. '
      .. 'Send "whole": 9223372036854775807.')
    refuses('"whole":-1e30', '"whole" must be -9223372036854775808 or more, not -1e+30. '
      .. 'Send "whole": -9223372036854775808.')
    refuses('"part":-0.5', '"part" must be 0 or more, not -0.5. Send "part": 0.')
  end)

  it("that is a number is finite", function()
    accepts('"part":0.5', "name=string:n part=float:0.5")
    refuses('"part":1e400', '"part" must be a number, not inf. Send for example "part": 0.')
  end)

  it("that is true or false may be quoted", function()
    accepts('"flag":"true"', "flag=boolean:true name=string:n")
    accepts('"flag":"False"', "flag=boolean:false name=string:n")
    refuses('"flag":"maybe"', '"flag" must be true or false, not "maybe". Send for example '
      .. '"flag": true.')
    refuses('"flag":1', '"flag" must be true or false, not 1. Send for example "flag": true.')
  end)

  it("that is one of some words is one of them", function()
    accepts('"word":"files"', "name=string:n word=string:files")
    refuses('"word":"file"', '"word" must be "lines", "files" or "count", not "file". '
      .. 'Send for example "word": "files".')
  end)

  it("is what its last value says, however its name is written", function()
    accepts('"count":0,"co\\u0075nt":3', "count=integer:3 name=string:n")
    accepts('"count":3,"flag":true,"count":4', "count=integer:4 flag=boolean:true name=string:n")
    refuses('"count":4,"count":0', '"count" must be between 1 and 9, not 0. Send "count": 1.')
    accepts('"word":"fil\\u0065s"', "name=string:n word=string:files")
    accepts('"name":"a\\"\\n\\ud83d\\ude00"', 'name=string:a"\n\u{1F600}')
  end)

  it("that is a text is not made of something else", function() -- S0-66 S0-67
    refuses('"path":5', '"path" must be text, not 5. Call list without "path" to see the names '
      .. 'that there are.')
    refuses('"name":null', 'show needs "name", and the call did not have it. Nothing was done. '
      .. 'Add "name": "text".')
    refuses('"name":""', '"name" is empty, and it must hold at least one character. '
      .. 'Send for example "name": "text".')
  end)

  it("that is null where it may be absent is absent", function() -- S0-67 D14
    accepts('"count":null,"flag":null,"path":null,"list":null', "name=string:n")
  end)

  it("that is a list holds what its items say", function()
    accepts('"list":[{"a":"x"},{"a":"y"}]', "name=string:n list=2")
    refuses('"list":[{"a":"x"},{"b":"y"}]',
      'show has no argument "list[2].b"; nothing was done. It takes a.')
    refuses('"list":[{"a":7}]',
      '"list[1].a" must be text, not 7. Send for example "list[1].a": "text".')
    refuses('"list":{"a":1}', '"list" must be a list, not an object. Send for example "list": [].')
  end)

  it("that is not there is refused, with one that is close", function()
    refuses('"cuont":1', 'show has no argument "cuont"; nothing was done. It takes count, flag, '
      .. 'list, name, part, path, whole, word. Did you mean "count"?')
    refuses('"dry_run":true', 'show has no argument "dry_run"; nothing was done. It takes count, '
      .. 'flag, list, name, part, path, whole, word.')
  end)

  it("may have the name that models are trained on", function()
    accepts('"file_path":"x"', "name=string:n path=string:x")
    refuses('"file_path":"x","path":"y"',
      'show has no argument "file_path"; nothing was done. It takes '
      .. 'count, flag, list, name, part, path, whole, word.')
  end)

  it("that holds half of a surrogate pair is named", function()
    refuses('"path":"\\udcff"', '"path" holds half of a surrogate pair, which is no character. '
      .. 'Nothing was done. Call list without "path" to see the names that there are.')
    refuses('"word":"\\ud800"', '"word" holds half of a surrogate pair, which is no character. '
      .. 'Nothing was done. Send for example "word": "lines".')
  end)

  it("may not nest deeper than 64 levels", function()
    local deep = ("["):rep(70) .. ("]"):rep(70)
    refuses('"list":' .. deep,
      "The arguments are nested deeper than 64 levels, and no tool here takes "
      .. 'that. Send them flat, such as {"path": "notes.md"}.')
  end)
end)

describe("The five tools", function()
  local session

  setup(function()
    session = testing.session {}
  end)

  teardown(function()
    session:close()
  end)

  it("are listed by name, with title, description and hints", function() -- S0-1 S0-12 S0-17
    local names = {}
    for i, tool in ipairs(session:tools()) do
      names[i] = tool.name
      assert.is_string(tool.title)
      assert.is_true(#tool.description < 2048)
      local reads = tool.name ~= "edit" and tool.name ~= "write"
      assert.same({
        readOnlyHint = reads, destructiveHint = not reads, openWorldHint = false,
        idempotentHint = tool.name ~= "edit",
      }, tool.annotations)
    end
    assert.same({ "edit", "grep", "list", "read", "write" }, names)
  end)

  it("have no argument that could change the root", function() -- S0-5
    for _, tool in ipairs(session:tools()) do
      for name in pairs(tool.inputSchema.properties) do
        assert.is_nil(name:match("root") or name:match("cwd") or name:match("dir"))
      end
    end
  end)
end)
