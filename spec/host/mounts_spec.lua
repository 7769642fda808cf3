-- SPDX-License-Identifier: MIT
--- Several trees in one: what the tools make of mounts, and of what is hidden in them.
local croft = require("croft")
local host_tree = require("host_tree")
local custom = require("custom")

local TREE = [[
mkdir -p ws/src ws/lib ws/global ws/deep lib/inner global/billing/x global/open vendor/js
mkdir empty tools
echo main > ws/src/main.c; echo own > ws/lib/covered; echo own > ws/global/covered
echo "lib text" > lib/inner/f; echo bill > global/billing/x/may; echo key > global/key.json
echo "open text" > global/open/a; echo js > vendor/js/app.js
ln -s billing/x/may global/link; ln -s billing global/dirlink; ln -s ../ws global/out
ln -s lib/inner/f ws/to_lib; ln -s global ws/to_global; ln -s inner lib/in
mkdir -p ws/held/secret ws/held/shown; echo s > ws/held/secret/s; echo p > ws/held/shown/p
touch lib/.~croft-0123456789abcdef0123456789abcdef
]]

local MOUNTS = {
  { name = "lib", path = "@/lib", read_only = true },
  { name = "global", path = "@/global", read_only = true },
  { name = "third/party/vendor", path = "@/vendor" },
  { name = "third/empty", path = "@/empty" },
}
local HIDE = {
  "@/global/billing", "@/global/key.json", "@/global/later", "@/ws/held/secret", "@/ws/made/below",
  "@/nowhere/at/all",
}

--- Tools that are tried besides the five: the primitives that they do not use.
local PROBE = custom.tool("probe", [[{
    type = "object", required = { "how", "path" }, properties = {
      how = { type = "string", description = "h" }, path = { type = "string", description = "p" },
    } }]],
  [[if args.how == "walk" then
      local names = {}
      for entry in ctx.fs:walk(args.path) do names[#names + 1] = entry.path end
      return table.concat(names, "\n")
    elseif args.how == "stat" then
      local stat = ctx.fs:stat(args.path)
      return stat.path .. " " .. stat.type
    end
    return #ctx.fs[args.how](ctx.fs, args.path) .. ""]])

for _, resolver in ipairs { "auto", "walk" } do
  describe("mounts, resolver " .. resolver .. ":", function()
    local tree, view, session

    local function open(mounts, hide)
      view = assert(croft.open(tree:path("@/ws"), {
        mounts = tree:filled(mounts), hide = tree:filled(hide), no_fsync = true,
        resolver = resolver, read_only_names = {},
      }))
      local file = assert(io.open(tree:path("@/tools/probe.lua"), "w"))
      file:write(PROBE)
      file:close()
      session = assert(view:session {
        enable = { "move", "remove", "stat" }, tools = { tree:path("@/tools") },
      })
    end

    before_each(function()
      tree = host_tree.make(TREE)
      open(MOUNTS, HIDE)
    end)

    after_each(function()
      session:close()
      view:close()
      tree:remove()
    end)

    local function call(tool, args) return session:call(tool, args) end
    local function code(tool, args) return call(tool, args).code end
    local function text(tool, args) return call(tool, args).text end

    it("are one tree with the root", function()
      assert.equal(table.concat({
        "deep/", "global/", "held/", "lib/", "src/", "third/", "to_global -> (missing)",
        "to_lib -> (missing)",
      }, "\n"), text("list", {}))
      assert.equal(table.concat({
        "global/dirlink -> (missing)", "global/link -> (missing)",
        "global/open/", "global/open/a (10 bytes)", "global/out -> (outside)",
      }, "\n"), text("list", { path = "global", recursive = true }))
      assert.equal("third/empty/\nthird/party/\nthird/party/vendor/\nthird/party/vendor/js/\n"
        .. "third/party/vendor/js/app.js (3 bytes)",
        text("list", { path = "third", recursive = true }))
    end)

    it("say what of the root they cover", function()
      assert.same({ "lib", "global" }, view:covered())
      tree:run("rm -r ws/global; ln -s nowhere ws/third; mkdir ws/third2")
      assert.same({ "lib" }, view:covered())
    end)

    it("are walked, searched and matched with it", function()
      local all = text("list", { recursive = true })
      for _, path in ipairs { "lib/inner/f", "global/open/a", "third/party/vendor/js/app.js",
        "src/main.c", "held/shown/p" } do
        assert.matches(path, all, 1, true)
        assert.matches(path, text("probe", { how = "walk", path = "." }), 1, true)
        assert.matches(path, text("list", { glob = "**/*" }), 1, true)
        assert.matches(path, text("grep", { pattern = ".", output = "files" }), 1, true)
      end
    end)

    for _, hidden in ipairs { "billing", "key.json", "covered", "secret", "croft-0123" } do
      it("show nothing of " .. hidden .. " anywhere", function() -- D3
        for _, path in ipairs { ".", "global", "held", "lib", "third" } do
          local found = text("list", { path = path, recursive = true })
            .. text("grep", { path = path, pattern = "^", output = "files" })
            .. text("list", { path = path, glob = "**/" .. hidden .. "*" }):gsub("%[.*", "")
            .. text("probe", { how = "walk", path = path })
          assert.not_matches(hidden, found, 1, true)
        end
      end)
    end

    it("answer for what is masked as for what is missing, to the byte", function()
      local pairs_of = {
        { "global/billing", "global/nothing" }, { "global/billing/x/may", "global/nothing/x/may" },
        { "global/key.json", "global/non.json" }, { "held/secret", "held/nobody" },
        { "held/secret/s", "held/nobody/s" }, { "lib/covered", "lib/nothing" },
      }
      local calls = {
        read = {}, list = {}, grep = { pattern = "x" }, stat = {},
        edit = { old_string = "a", new_string = "b" }, probe = { how = "walk" }, remove = {},
        write = { content = "x", mode = "append" },
      }
      for _, two in ipairs(pairs_of) do
        for tool, args in pairs(calls) do
          if tool ~= "write" or two[1]:find("^global") or two[1]:find("^lib") then
            args.path = two[1]
            local masked = call(tool, args)
            args.path = two[2]
            local missing = call(tool, args)
            local function plain(result, path)
              local wanted = result.text
              for part in path:gmatch("[^/]+") do
                if not ("global held lib x s may"):find(part, 1, true) then
                  wanted = wanted:gsub(part:gsub("%p", "%%%0"), "NAME")
                end
              end
              return wanted
            end
            assert.is_true(masked.is_error)
            assert.equal(missing.code, masked.code)
            assert.equal(plain(missing, two[2]), plain(masked, two[1]), tool .. " " .. two[1])
          end
        end
      end
    end)

    it("are told nothing by a link to what is masked", function()
      assert.equal("missing", code("read", { path = "global/link" }))
      assert.equal("missing", code("read", { path = "global/dirlink/x/may" }))
      assert.equal("missing", code("list", { path = "global/dirlink" }))
    end)

    it("are not reached by links of the root, nor left by their own", function()
      assert.equal("missing", code("read", { path = "to_lib" }))
      assert.equal("missing", code("list", { path = "to_global" }))
      assert.equal("outside", code("read", { path = "global/out/src/main.c" }))
      assert.equal("1|lib text", text("read", { path = "lib/in/f" }):match("[^\n]*"))
    end)

    it("are left by a spelling that climbs, as the root's own directories are", function()
      assert.matches("main", text("read", { path = "global/../src/main.c" }))
      assert.matches("main", text("read", { path = "third/party/vendor/../../../src/main.c" }))
      assert.equal("outside", code("read", { path = "global/../../lib/inner/f" }))
    end)

    it("are matched by whole names", function()
      tree:run("echo Billing > global/Billing; mkdir ws/libx ws/li")
      tree:run("echo x > ws/libx/f; echo y > ws/li/f; echo z > ws/LIB")
      assert.matches("x", text("read", { path = "libx/f" }))
      assert.matches("y", text("read", { path = "li/f" }))
      assert.matches("z", text("read", { path = "LIB" }))
      assert.matches("Billing", text("read", { path = "global/Billing" }))
    end)

    it("can be written by their modes", function()
      assert.equal("read_only", code("write", { path = "lib/new", content = "x" }))
      assert.equal("read_only", code("edit", {
        path = "lib/inner/f", old_string = "lib", new_string = "x" }))
      assert.equal("read_only", code("remove", { path = "lib/inner/f" }))
      assert.equal("", code("write", { path = "third/party/vendor/a/b", content = "x" }))
      assert.equal("x", tree:text("vendor/a/b"))
      assert.equal("", code("write", { path = "new", content = "x" }))
      assert.equal("x", tree:text("ws/new"))
      assert.matches('"lib"', text("write", { path = "lib/new", content = "x" }))
    end)

    it("keep what is masked from being made", function()
      for _, path in ipairs { "held/secret", "held/secret/n", "made/below", "made/below/x" } do
        assert.equal("missing", code("write", { path = path, content = "x" }), path)
      end
      assert.is_nil(tree:text("ws/made/below"))
      assert.equal("", code("write", { path = "made/beside", content = "x" }))
      assert.equal("missing", code("write", { path = "made/below", content = "x" }))
      assert.equal("missing", code("move", { from = "src/main.c", to = "held/secret" }))
      assert.equal("missing", code("move", { from = "held/secret", to = "src/got" }))
    end)

    it("keep in its place what leads to something masked, or to a mount", function()
      assert.equal("read_only", code("move", { from = "held", to = "moved" }))
      assert.equal("read_only", code("move", { from = "lib", to = "moved" }))
      assert.equal("read_only", code("remove", { path = "third/empty" }))
      assert.is_true(call("move", { from = "third", to = "moved" }).is_error)
      assert.is_true(call("write", { path = "third", content = "x" }).is_error)
      assert.equal("s\n", tree:text("ws/held/secret/s"))
    end)

    it("are not crossed by a move", function()
      assert.equal("crosses_mount", code("move", {
        from = "src/main.c", to = "third/party/vendor/main.c" }))
      assert.equal("read_only", code("move", { from = "src/main.c", to = "lib/main.c" }))
      assert.equal("read_only", code("move", { from = "lib/inner/f", to = "src/f" }))
      assert.equal("", code("move", {
        from = "third/party/vendor/js/app.js", to = "third/party/vendor/app.js" }))
      assert.equal("js\n", tree:text("vendor/app.js"))
    end)

    it("hide what appears later", function() -- D4
      assert.equal("missing", code("read", { path = "global/later" }))
      tree:run("echo x > global/later; ln -s later global/to_later; mkdir -p ws/made/below")
      assert.equal("missing", code("read", { path = "global/later" }))
      assert.equal("missing", code("read", { path = "global/to_later" }))
      assert.not_matches("later\n", text("list", { path = "global" }) .. "\n")
      assert.matches("empty", text("list", { path = "made" }))
    end)

    it("have directories of their own where the root has none", function()
      assert.equal("third directory", text("probe", { how = "stat", path = "third" }))
      assert.equal("not_a_file", code("read", { path = "third/party" }))
      assert.equal("missing", code("read", { path = "third/nothing" }))
      assert.matches("app.js", text("grep", { path = "third", pattern = "js" }))
      tree:run("mkdir -p ws/third/party; echo own > ws/third/party/own")
      assert.matches("own", text("read", { path = "third/party/own" }))
      assert.equal("third/empty/\nthird/party/\nthird/party/own (4 bytes)\n"
        .. "third/party/vendor/\nthird/party/vendor/js/\nthird/party/vendor/js/app.js (3 bytes)",
        text("list", { path = "third", recursive = true }))
    end)

    it("lie over files and links of the root", function()
      tree:run("echo file > ws/third")
      assert.equal("not_a_file", code("read", { path = "third" }))
      assert.matches("third/party/", text("list", { path = "third" }))
      tree:run("rm ws/third; ln -s src ws/third")
      assert.equal("missing", code("read", { path = "third/main.c" }))
      assert.matches("third/", text("list", {}), 1, true)
      assert.not_matches("third ->", text("list", {}), 1, true)
    end)

    it("are missing when the directory is another one, or gone", function()
      tree:run("mv vendor kept; mkdir vendor; echo other > vendor/planted")
      -- What is held stays what it was.
      assert.matches("js", text("read", { path = "third/party/vendor/js/app.js" }))
      assert.equal("missing", code("read", { path = "third/party/vendor/planted" }))
    end)

    it("are judged by a gate under their names", function()
      local asked = {}
      local gated <close> = assert(view:session {
        gate = function(request)
          asked[#asked + 1] = table.concat(request.paths, " ")
          return { decision = "allow" }
        end,
      })
      assert.matches("lib text", gated:call("read", { path = "lib/inner/f" }).text)
      assert.equal("global/open/a (10 bytes)",
        gated:call("list", { path = "global", recursive = true, glob = "open/**" }).text)
      assert.matches("app.js", gated:call("grep", { path = "third", pattern = "js" }).text)
      assert.equal("", gated:call("write", {
        path = "third/party/vendor/new", content = "x" }).code)
      assert.same({ "lib/inner/f", "global", "third", "third/party/vendor/new" }, asked)
      local other = gated:call("read", { path = "lib/in/f" })
      assert.is_true(other.is_error)
      assert.matches("lib/inner/f", other.text)
    end)

    it("can lie in one another", function()
      session:close()
      view:close()
      open({ { name = "a", path = "@/lib" }, { name = "a/inner", path = "@/vendor" } }, {})
      assert.equal("a/in -> (missing)\na/inner/\na/inner/js/\na/inner/js/app.js (3 bytes)",
        text("list", { path = "a", recursive = true }))
      assert.equal("a/inner/js/", text("list", { path = "a/inner" }))
      assert.matches("js", text("read", { path = "a/inner/js/app.js" }))
      assert.equal("missing", code("read", { path = "a/inner/f" }))
      assert.equal("missing", code("read", { path = "a/in/f" }))
    end)
  end)
end

describe("a view of very many mounts", function()
  local MANY = 400

  it("holds few descriptors, and answers as one of few", function()
    local tree = host_tree.make(([[
      mkdir ws; for i in $(seq %d); do mkdir -p m/$i; echo $i > m/$i/f; echo no > m/$i/no; done
    ]]):format(MANY))
    local mounts, hide = {}, {}
    for i = 1, MANY do
      mounts[i] = { name = "m" .. i, path = tree:path("@/m/") .. i, read_only = true }
      hide[i] = tree:path("@/m/") .. i .. "/no"
    end
    local view <close> = assert(croft.open(tree:path("@/ws"), { mounts = mounts, hide = hide }))
    local session <close> = assert(view:session())
    for i = 1, MANY do
      assert.matches("^1|" .. i .. "\n", session:call("read", { path = "m" .. i .. "/f" }).text)
      assert.equal("missing", session:call("read", { path = "m" .. i .. "/no" }).code)
    end
    local pipe = assert(io.popen("ls /proc/$PPID/fd | wc -l"))
    local open = pipe:read("n")
    pipe:close()
    assert.is_true(open < 120, open .. " descriptors")
    local listing = session:call("list", { recursive = true })
    assert.matches("m400/f", listing.text)
    assert.not_matches("/no", listing.text)
    for i = 1, 100 do session:call("read", { path = "m" .. i .. "/f" }) end
    tree:run("mv m/7 kept; mkdir m/7; echo planted > m/7/f")
    assert.equal("missing", session:call("read", { path = "m7/f" }).code)
    tree:remove()
  end)
end)

describe("a search of several trees", function()
  it("finds the same by one thread and by eight, and holds no tree behind it", function()
    local tree = host_tree.make([[
      mkdir -p ws/d; for i in $(seq 30); do for j in $(seq 20); do mkdir -p m/$i/s
        echo "needle $i $j" > m/$i/s/$j; done; done; echo needle > ws/d/own; echo needle > m/3/no
    ]])
    local mounts = {}
    for i = 1, 30 do
      mounts[i] = { name = "d/m" .. i, path = tree:path("@/m/") .. i, read_only = true }
    end
    local view <close> = assert(croft.open(tree:path("@/ws"),
      { mounts = mounts, hide = { tree:path("@/m/3/no") } }))
    local function search(threads)
      local session <close> = assert(view:session {
        limits = { threads = threads, grep_matches = 1000 } })
      local result
      for _ = 1, 5 do
        result = session:call("grep", { pattern = "needle", output = "files" })
        assert.is_false(result.is_error, result.text)
      end
      return result.text
    end
    local alone = search(1)
    assert.matches("d/m30/s/20", alone, 1, true)
    assert.matches("d/own", alone, 1, true)
    assert.not_matches("m3/no", alone, 1, true)
    assert.equal(alone, search(8))
    tree:remove()
  end)
end)

describe("mounts that are wrong", function()
  local tree

  before_each(function() tree = host_tree.make(TREE) end)
  after_each(function() tree:remove() end)

  it("are all told at once", function()
    local view, err = croft.open(tree:path("@/ws"), {
      mounts = tree:filled {
        { name = "../up", path = "@/lib" }, { name = "/abs", path = "@/lib" },
        { name = "x", path = "@/nothing" }, { name = "y", path = "@/ws/src/main.c" },
        { name = "lib", path = "@/lib" }, { name = "lib/", path = "@/lib" },
        { name = ".~croft-x", path = "@/lib" }, { name = "", path = "@/lib" },
      },
      hide = { "relative", "/a/../b" },
    })
    assert.is_nil(view)
    assert.equal("bad_argument", err.code)
    assert.equal(9, #err.problems, table.concat(err.problems, "\n"))
  end)

  it("are refused where a path that is hidden holds them", function()
    local view, err = croft.open(tree:path("@/ws"), {
      mounts = tree:filled { { name = "lib", path = "@/lib/inner" } },
      hide = { tree:path("@/lib") },
    })
    assert.is_nil(view)
    assert.matches("hides", err.message)
  end)
end)
