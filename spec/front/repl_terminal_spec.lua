-- SPDX-License-Identifier: MIT
--- The REPL at a terminal: editing, completion, history, colours, Ctrl-C and Ctrl-D.
local repl = require("spec.front.repl_drive")
local tree = require("tree")

local PROMPT = { line = "croft>" }
local INTERRUPT = { send = "\3" }
local STOP = { interrupt = "interrupted" } -- a call

local workspace

local function send(text) return { send = text } end

local function line(text) return { line = text } end

local function expect(text) return { expect = text } end

--- Talks to it: the steps come between the first prompt and Ctrl-D, which ends it with 0. Returns
--- what stands in the terminal.
local function talk(steps, options)
  local all = { PROMPT }
  table.move(steps, 1, #steps, 2, all)
  all[#all + 1] = PROMPT
  all[#all + 1] = send("\4")
  all[#all + 1] = { ["end"] = true }
  local result = repl.terminal(workspace, all, options)
  assert.equal(0, result.status, result.err)
  return repl.masked(result.out)
end

describe("croft repl at a terminal", function()
  setup(function()
    workspace = repl.workspace {
      ["long/alpha one.txt"] = "", ["long/beta.txt"] = "", ["long/beta2.txt"] = "",
      ["long/deeper/x"] = "", ["long/way"] = { link = "deeper" },
      ["odd/plain"] = "",
    }
  end)
  teardown(function() workspace.close() end)

  it("greets, prompts, and leaves with Ctrl-D", function()
    local out = talk {}
    assert.matches("^croft %d.-: \".-\", 6 tools %(%w+, [^\n]+%); :help", (out:gsub("\n", "")))
  end)

  it("completes commands, tools, arguments and values", function()
    talk {
      send(":tra\t"), line("croft> :trace"), send("f\t"), line("croft> :trace (off|full|f.*)"),
      INTERRUPT, PROMPT,
      send("re\t"), line("croft> read"), send("lim\t"), line("croft> read limit="),
      INTERRUPT, PROMPT,
      send("sum mode=f\t"), line("croft> sum mode=fast"), INTERRUPT, PROMPT,
      send("sum boom=\t"), expect("^false  true$"), INTERRUPT, PROMPT,
      send(":help wat\t"), line("croft> :help watch"), INTERRUPT, PROMPT,
      send(":limits ste\t"), line("croft> :limits steps="), INTERRUPT, PROMPT,
      send(":break refu\t"), line("croft> :break refusal"), INTERRUPT, PROMPT,
      send(":schema su\t"), line("croft> :schema sum"), INTERRUPT, PROMPT,
      send(":l\t"), expect("^last  limits  list  locals$"), INTERRUPT, PROMPT,
    }
  end)

  it("completes paths through the resolver, and nothing of the host", function()
    local out = talk {
      send("read path=lon\t"), line("croft> read path=long/"), send("be\t"),
      line("croft> read path=long/beta"), send("2\t"), line("croft> read path=long/beta2.txt"),
      INTERRUPT, PROMPT,
      send("list path=long/\t"), expect("^beta.txt  beta2.txt  deeper/  way/$"), INTERRUPT, PROMPT,
      send("list path=long/way/\t"), line("croft> list path=long/way/x"), INTERRUPT, PROMPT,
      send("list path=host/pass\t"), send("x"), line("croft> list path=host/passx"),
      INTERRUPT, PROMPT,
      send("list path=up/se\t"), send("x"), line("croft> list path=up/sex"), INTERRUPT, PROMPT,
      send("list path=/et\t"), send("x"), line("croft> list path=/etx"), INTERRUPT, PROMPT,
      send("list path=../\t"), send("x"), line("croft> list path=../x"), INTERRUPT, PROMPT,
    }
    assert.not_matches("passwd", out)
    assert.not_matches("secret", out)
  end)

  it("completes in a directory of 100 000 entries", function()
    assert(os.execute(("mkdir %s/many && cd %s/many && seq -f 'file%%06.0f' 0 99999 | xargs touch")
      :format(workspace.root, workspace.root)))
    talk {
      send("read path=many/\t"), expect("\\.\\.\\. \\(there are more\\)$"), INTERRUPT, PROMPT,
    }
    os.execute("rm -r " .. workspace.root .. "/many")
  end)

  it("takes characters of more than one byte", function()
    assert.matches('\n"héé"\n', talk { send("= 'hxé\27[Dé\8\8\27[Cé'"), INTERRUPT, PROMPT,
      send("= 'héé'\r"), expect('^"héé"$'), PROMPT })
  end)

  it("goes on in the next line while something is open", function()
    local out = talk {
      send("write path=m.txt content='one\r"), line(">>"), send("two'\r"), expect("^ok"), PROMPT,
      send("= {\r"), line(">>"), send("1, 2\r"), line(">>"), send("}\r"),
      expect("^.1, 2.$"), PROMPT,
      send('read {"path":\r'), line(">>"), send('"m.txt"}\r'), expect("^1.one$"), PROMPT,
      send("= {\r"), line(">>"), INTERRUPT, PROMPT,
    }
    assert.matches("1|one\n2|two\n", out)
  end)

  it("ends a call with Ctrl-C, and goes on", function()
    local out = talk {
      send("sum numbers:=[] forever=true\r"), expect("forever"), STOP,
      PROMPT, send("= (function() while true do end end)()\r"), expect("while"), STOP, PROMPT,
      send("read path=a.txt\r"), expect("^ok"), PROMPT,
    }
    assert.matches("1|one\n", out)
  end)

  it("ends a call that went on from a stop with Ctrl-C", function()
    talk {
      send(":break sum\r"), expect("breakpoint 1"), PROMPT,
      send("sum numbers:=[] forever=true\r"), line("\\(sum.lua:19\\)"),
      send(":c\r"), expect(":c$"), STOP, PROMPT,
    }
  end)

  it("asks before a call where a gate is set, and shows what would change", function()
    local out = talk {
      send(":gate ask\r"), expect("gate is ask"), PROMPT,
      send('write path=a.txt content="one\\n2\\n"\r'),
      line("write a.txt \\(6 bytes\\)  allow\\? \\[y\\]es .*"), send("?\r"),
      expect("y: allow this"),
      line("write a.txt .*allow.*"), send("d\r"), expect("^-two$"), expect("^\\+2$"),
      line("write a.txt .*allow.*"), send("n\r"), expect("declined by the user"), PROMPT,
      send("edit path=a.txt old_string=two new_string=zwei\r"), line("edit a.txt .*allow.*"),
      send("d\r"), expect("^-two$"), expect("^.zwei$"), line("edit a.txt .*allow.*"),
      send("y\r"), expect("Edited"), PROMPT,
      send("read path=a.txt\r"), line("read a.txt \\(read\\)  allow.*"), send("a\r"), expect("^ok"),
      PROMPT, send("read path=a.txt\r"), expect("^ok"), PROMPT,
      send("read path=link\r"), line("read link .*allow.*"), INTERRUPT, expect("^refused"), PROMPT,
      send(":gate off\r"), expect("gate is off"), PROMPT,
      send("edit path=a.txt old_string=zwei new_string=two\r"), expect("Edited"), PROMPT,
    }
    assert.matches("2|zwei\n", out)
  end)

  it("shows what an edit does as edit itself would do it, and says where it cannot", function()
    local large = assert(io.open(workspace.root .. "/large.txt", "w"))
    large:write(("x"):rep(99) .. "\n"):seek("set", 9 * 1024 * 1024)
    large:write("end\n"):close()
    local crlf = assert(io.open(workspace.root .. "/crlf.txt", "wb"))
    crlf:write("one\r\ntwo\r\n"):close()
    talk {
      send(":gate ask\r"), expect("gate is ask"), PROMPT,
      send('edit path=crlf.txt old_string="one\\ntwo" new_string="uno\\ndos"\r'),
      line("edit crlf.txt .*allow.*"), send("d\r"), expect("^-one"), expect("^.uno"),
      line("edit crlf.txt .*allow.*"), send("n\r"), expect("declined by the user"), PROMPT,
      send("write path=large.txt content=small\r"), line("write large.txt .*allow.*"),
      send("d\r"), expect("there is no diff to show"), expect('"content":"small"'),
      line("write large.txt .*allow.*"), send("n\r"), expect("declined by the user"), PROMPT,
      send("edit path=crlf.txt old_string=six new_string=seven\r"),
      line("edit crlf.txt .*allow.*"), send("d\r"), expect("there is no diff to show"),
      line("edit crlf.txt .*allow.*"), send("n\r"), expect("declined by the user"), PROMPT,
      send(":gate off\r"), expect("gate is off"), PROMPT,
    }
  end)

  it("steps on with an empty line", function()
    talk {
      send(":break sum\r"), expect("breakpoint 1"), PROMPT,
      send("sum numbers:=[]\r"), line("\\(sum.lua:19\\)"),
      send(":n\r"), line("\\(sum.lua:20\\)"), send("\r"), line("\\(sum.lua:22\\)"),
      send("\r"), line("\\(sum.lua:23\\)"), send(":abort\r"), expect("interrupted"), PROMPT,
    }
  end)

  it("leaves with Ctrl-D where a call stands still", function()
    local result = repl.terminal(workspace, { PROMPT, send(":b sum\r"), expect("breakpoint 1"),
      PROMPT, send("sum numbers:=[]\r"), line("\\(sum.lua:19\\)"), send("\4"), { ["end"] = true } })
    assert.equal(0, result.status, result.err)
  end)

  it("keeps a history that is the user's alone, without lines that begin with a blank", function()
    os.execute("rm -rf " .. workspace.root .. "/../state")
    talk { send("read path=a.txt\r"), expect("^ok"), PROMPT, send(" = 42\r"), expect("^42$") }
    local path = workspace.root .. "/../state/croft/history"
    assert.equal("read path=a.txt\n", tree.text(path))
    assert.matches("^%-rw%-%-%-%-%-%-%- ", (tree.output("ls -l " .. path)))
    assert.matches("^drwx%-%-%-%-%-%- ", (tree.output("ls -ld " .. path:match("^(.*)/"))))
    local out = talk { send("\27[A"), line("croft> read path=a.txt"), send("\r"), expect("^ok") }
    assert.matches("1|one", out)
  end)

  it("cuts a history that is long", function()
    local path = workspace.root .. "/../state/croft/history"
    local lines = {}
    for index = 1, 2500 do lines[index] = "= " .. index end
    local file = assert(io.open(path, "w"))
    file:write(table.concat(lines, "\n"), "\n")
    file:close()
    talk { send("\27[A"), line("croft> = 2500"), INTERRUPT, PROMPT }
    local kept = tree.text(path)
    assert.equal(1000, select(2, kept:gsub("\n", "")))
    assert.matches("= 2500\n$", kept)
  end)

  it("works where there can be no history", function()
    talk({ send("= 1\r"), expect("^1$") },
      { environment = "XDG_STATE_HOME=/dev/null/x HOME=/dev/null" })
    local link = workspace.root .. "/../linked"
    os.execute(("mkdir -p %s/croft && ln -s %s %s/croft/history"):format(link,
      "a.txt", link))
    talk({ send("= 1\r"), expect("^1$") }, { environment = "XDG_STATE_HOME=" .. link })
  end)

  it("has colours, but with NO_COLOR or for a dumb terminal", function()
    local state = "XDG_STATE_HOME=" .. workspace.root .. "/../state "
    local steps = { send("read path=a.txt\r"), expect("^ok"), PROMPT }
    local raw = state .. "TERMINAL_RAW=1 "
    assert.matches("\27%[32mok\27%[0m", talk(steps, { environment = raw .. "NO_COLOR=" }))
    assert.not_matches("\27%[32m", talk(steps, { environment = raw .. "NO_COLOR=1" }))
  end)

  it("makes what files hold harmless to the terminal", function()
    local file = assert(io.open(workspace.root .. "/evil.txt", "w"))
    file:write("a\27]0;x\7b\194\155c\n")
    file:close()
    local out = talk({ send("read path=evil.txt\r"), expect("^ok"), PROMPT },
      { environment = "TERMINAL_RAW=1 XDG_STATE_HOME=" .. workspace.root .. "/../state" })
    assert.not_matches("\27]0", out)
    assert.not_matches("\194\155", out)
  end)

  it("makes names harmless, too: of chunks, files, and what was not understood", function()
    for _, name in ipairs { "x\27]0;y", "x\194\1551m" } do
      assert(io.open(workspace.root .. "/odd/" .. name, "w")):close()
    end
    local out = talk({
      send(":break error\r"), expect("breakpoint 1"), PROMPT,
      send([[= load("error(1)", "\27]0;z\7\194\155")()]] .. "\r"), expect("^stopped at"),
      send(":bt\r"), expect("#0"), send([[:print error("\27]0;z")]] .. "\r"), expect("x1B.0;z"),
      send(":abort\r"), expect("interrupted"), PROMPT,
      send([[= error("\27]0;z\7")]] .. "\r"), expect("^stopped"), send(":abort\r"),
      expect("interrupted"), PROMPT,
      send("list path=odd/\t"), line("croft> list path=odd/plain"), INTERRUPT, PROMPT,
    }, { environment = "TERMINAL_RAW=1 XDG_STATE_HOME=" .. workspace.root .. "/../state" })
    assert.not_matches("\27]0", out)
    assert.not_matches("\194\155", out)
  end)

  it("fits into 80 columns, and into more", function()
    local wide = "grep pattern=one output=lines path=. glob='*.txt' case_sensitive=true context=0"
    for _, columns in ipairs { 80, 132 } do
      local out = talk({ send(":trace on\r"), expect("trace is on"), PROMPT, send(wide .. "\r"),
        expect("^ok|^refused"), PROMPT, send(":help\r"), expect("Ctrl-D"), PROMPT },
        { columns = columns })
      for row in out:gmatch("[^\n]+") do
        assert.is_true(utf8.len(row) <= columns, row)
      end
    end
  end)
end)
