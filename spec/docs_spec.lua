-- SPDX-License-Identifier: MIT
--- What README.md says, held to what is so. Its commands are run by spec/readme.
local tree = require("tree")

local readme = tree.text("README.md")

--- The blocks of README.md in one language.
local function blocks(language)
  local found = {}
  for block in readme:gmatch("\n```" .. language .. "\n(.-)\n```") do
    found[#found + 1] = block
  end
  return found
end

local function absolute(path)
  return path:find("^/") and path or os.getenv("PWD") .. "/" .. path
end

--- {command, what it prints} for each "$ command" of a transcript.
local function exchanges(transcript)
  local found = {}
  for line in (transcript .. "\n"):gmatch("(.-)\n") do
    local command = line:match("^%$ (.*)$")
    if command then
      found[#found + 1] = { command = command, lines = {} }
    else
      table.insert(found[#found].lines, line)
    end
  end
  return found
end

describe("README.md", function()
  it("shows the custom tool and its spec as they are", function()
    for i, name in ipairs { "find_words", "find_words_spec" } do
      local source = tree.text("examples/custom-tool/" .. name .. ".lua")
      assert.is_truthy(source:find(blocks("lua")[i], 1, true), name)
    end
  end)

  it("shows the calls in C as croft.h does", function()
    local header = tree.text("core/include/croft.h"):gsub("\n %*", "\n"):gsub("%s+", " ")
    assert.is_truthy(header:find(blocks("c")[1]:gsub("%s+", " "), 1, true))
  end)

  it("shows an explanation as the REPL gives it", function()
    local transcript = tree.text("examples/debugging/transcript.txt")
    assert.is_truthy(transcript:find(blocks("text")[1], 1, true))
  end)

  it("names only options that there are", function()
    local help = ""
    local commands = { "serve", "call", "repl", "tools", "check", "verify-links", "replay", "wrap" }
    for _, command in ipairs(commands) do
      help = help .. tree.output(tree.program() .. " help " .. command)
    end
    for option in readme:gmatch("`(%-%-[%l-]+)") do
      assert(help:find(option, 1, true), option .. " is no option")
    end
  end)

  it("gives the defaults of the limits", function()
    local help = tree.output(tree.program() .. " help serve")
    local section = readme:match("\n## Limits\n(.-)\n## ")
    for names, values in section:gmatch("\n| (`[^|]*) | ([^|]*) |") do
      local value = (values .. ","):gmatch("%s*([^,]*),")
      for name in names:gmatch("`([%l_]+)`") do
        local shown = value():gsub(" million", "000000"):gsub(" ", "")
        assert(help:find(" " .. name .. "=" .. shown, 1, true), name .. " is not " .. shown)
      end
    end
  end)
end)

describe("SECURITY.md", function()
  it("tells what the staged tools do not defend", function() -- S2-37 S2-38 S2-39 S2-41 S2-42
    local said = tree.text("SECURITY.md"):gsub("%s+", " ")
    for _, residual in ipairs {
      "between the approval of a call and the call itself", "replace a file that is run later",
      "not from the clock", "keep secrets outside of the root", "the memory safety of Lua",
    } do
      assert.is_truthy(said:find(residual, 1, true), residual)
    end
  end)
end)

describe("the transcript in README.md", function()
  local directory

  setup(function()
    directory = os.tmpname()
    os.remove(directory)
    assert(os.execute(([[
      mkdir -p %s/bin %s/files/docs %s/files/notes && cd %s && ln -s '%s' bin/croft &&
      printf '# Plan\n\n- read the code\n- write it\n- test it\n' >files/notes/plan.md &&
      printf 'Short sentences.\n' >files/docs/style.md && ln -s /etc files/host
    ]]):format(directory, directory, directory, directory, absolute(tree.program()))))
  end)

  teardown(function()
    os.execute("rm -rf " .. directory)
  end)

  for _, exchange in ipairs(exchanges(blocks("console")[1])) do
    it("is what comes of: " .. exchange.command, function()
      local run = ("cd %s && PATH=$PWD/bin:$PATH && %s"):format(directory, exchange.command)
      assert.equal(table.concat(exchange.lines, "\n") .. "\n", (tree.output(run)))
    end)
  end
end)
