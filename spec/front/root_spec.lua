-- SPDX-License-Identifier: MIT
--- One directory, and nothing else: what a server holds, and what its tools touch.
local croft = require("croft")
local drive = require("spec.front.drive")
local testing = require("croft.testing")
local tree = require("tree")

local FILES = {
  ["a.txt"] = "inside\n", ["host"] = { link = "../outside" }, ["../outside/f"] = "outside\n",
}

--- For each of the five tools, arguments that name `path`.
local CALLS = {
  list = function(path) return { path = path } end,
  read = function(path) return { path = path } end,
  grep = function(path) return { pattern = "outside", path = path } end,
  write = function(path) return { path = path, content = "x" } end,
  edit = function(path) return { path = path, old_string = "outside", new_string = "x" } end,
}

describe("the root", function()
  local session

  before_each(function() session = testing.session { files = FILES } end)
  after_each(function() session:close() end)

  for tool, arguments in pairs(CALLS) do
    it("is all that " .. tool .. " can name", function() -- S0-2
      local outside = session:root():gsub("/[^/]*$", "/outside")
      for _, path in ipairs { "../outside/f", outside .. "/f", "host/f", "host", "..", outside } do
        local result = session:call(tool, arguments(path))
        assert.equal("outside", result.code, tool .. " " .. path)
        assert.is_nil(result.text:find(outside, 1, true))
      end
      assert.equal("outside\n", tree.text(outside .. "/f"))
      assert.equal("f\n", tree.output("ls -A " .. outside))
    end)
  end

  it("may be a link, which is followed once, whatever becomes of it", function() -- S0-9
    local base = session:root():gsub("/[^/]*$", "")
    tree.output(("cd '%s' && ln -s root link && mkdir other && echo other >other/a.txt")
      :format(base))
    local view <close> = assert(croft.open(base .. "/link"))
    tree.output(("cd '%s' && ln -sfn other link"):format(base))
    for _ = 1, 2 do
      local opened <close> = assert(view:session())
      assert.matches("1|inside\n", opened:call("read", { path = "a.txt" }).text, 1, true)
      assert.equal("", opened:call("write", { path = "new", content = "" }).code)
    end
    assert.equal("a.txt\n", tree.output("ls -A " .. base .. "/other"))
  end)
end)

describe("a server", function()
  local session

  setup(function() session = testing.session { files = FILES } end)
  teardown(function() session:close() end)

  --- What the server's descriptors are, sorted: kinds, and paths of what lies on disk.
  local HELD = "for f in /proc/$server/fd/*; do readlink $f; done | sed 's/:.*//' | sort "
    .. "| tr '\\n' ' '; echo\n"

  it("holds its root and its streams, no connection, and no more after calls", function() -- S0-7
    local script = {}
    for id, name in ipairs { "list", "read", "grep", "edit", "write", "read" } do
      script[id] = drive.send(drive.call(id, name, CALLS[name]("a.txt"))) .. "receive >/dev/null\n"
    end
    local calls = table.concat(script)
    local _, result = drive.converse(session:root(), ("{ %s } >&2\n%s{ %s } >&2\nleave; finish")
      :format(HELD, calls .. calls, HELD))
    local before, after = result.err:match("([^\n]*pipe[^\n]*)\n([^\n]*pipe[^\n]*)\n")
    assert.equal(before, after)
    assert.is_nil(before:find("socket", 1, true))
    assert.is_truthy((" " .. before):find(" " .. session:root() .. " ", 1, true), before)
  end)

  it("answers a call in the same words whatever was called before", function() -- S0-7
    local call = drive.call(1, "read", { path = "a.txt" })
    local alone = drive.talk(session:root(), { call })
    local later = drive.talk(session:root(), {
      drive.call(2, "grep", { pattern = "i" }), drive.call(3, "read", { path = "none" }), call,
    })
    for _, reply in ipairs(later) do
      if reply.id == 1 then assert.same(alone[1], reply) end
    end
    assert.equal(3, #later)
  end)
end)
