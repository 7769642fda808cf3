-- SPDX-License-Identifier: MIT
--- Views from a configuration, and the answers that they give to hosts.
local croft = require("croft")
local host_tree = require("host_tree")

local TREE = [[
mkdir -p tenants/acme/own tenants/beta global/billing global/open shared/skills tools cache outside
mkdir drafts; echo draft > drafts/d
echo own > tenants/acme/own/note; echo beta > tenants/beta/plan
echo secret > global/secrets.enc.json; echo bill > global/billing/may; echo open > global/open/a
echo skill > shared/skills/s; echo tool > tools/t; echo out > outside/o; echo cached > cache/c
ln -s ../../outside tenants/acme/out; ln -s own tenants/acme/in
ln -s ../../outside/new tenants/acme/dangling; ln -s ../../beta tenants/acme/own/beta
mkdir -p tenants/acme-x; echo x > tenants/acme-x/f
]]

local VIEW = {
  root = "@/tenants/acme", global = "@/global", tenants = "@/tenants",
  secret_files = { "secrets.enc.json" }, hide = { "@/global/billing", "@/global/later" },
  ro_binds = { "@/tools" }, rw_binds = { "@/cache" },
  maps = {
    { src = "@/shared/skills", dst = "skills", mode = "ro" },
    { src = "@/drafts", dst = "extra/drafts", mode = "rw" },
  },
  net = "none",
}

describe("a view", function()
  local tree, view

  before_each(function()
    tree = host_tree.make(TREE)
    local template <close> = assert(croft.template(tree:filled(VIEW)))
    view = assert(template:view(nil, { no_fsync = true }))
  end)

  after_each(function()
    view:close()
    tree:remove()
  end)

  local function read(path) return view:check_read(tree:path(path)) end
  local function write(path) return view:check_write(tree:path(path)) end

  -- S1-3, S1-4, S1-17, S1-20, S1-24
  for _, path in ipairs {
    "@/tenants/acme", "@/tenants/acme/own/note", "@/tenants/acme/not/yet", "@/global/open/a",
    "@/global", "@/tools/t", "@/cache/c", "/workspace", "/workspace/own/note", "/global/open/a",
    "/skills/s", "/extra/drafts/d", "@/tenants/acme/in/note", "/workspace//./own/note",
    "@/tenants/acme/C:/note", "/workspace/C:/note",
  } do
    it("lets " .. path .. " be read", function() assert.is_true(read(path)) end)
  end

  -- S1-5, S1-6, S1-12, S1-18, S1-19
  for _, path in ipairs {
    "@/global/secrets.enc.json", "/global/secrets.enc.json", "@/global/billing",
    "@/global/billing/may", "/global/billing/any", "@/global/later", "/global/later/x",
    "@/tenants/beta/plan", "@/tenants/beta", "@/tenants", "@/tenants/acme-x/f", "@/outside/o",
    "@/shared/skills/s", "/etc/passwd", "/", "/bin/sh", "/workspacex/a", "/skillsx",
    "@/tenants/acme/out/o", "@/tenants/acme/own/beta/plan", "own/note", "",
    "@/tenants/acme/own/../../beta/plan", "/workspace/own/../own/note",
  } do
    it(("denies %q to be read"):format(path), function()
      local good, err = read(path)
      assert.is_nil(good)
      assert.equal("denied", err.code)
    end)
  end

  -- S1-20, S1-21
  for _, path in ipairs {
    "@/tenants/acme/new", "@/tenants/acme/a/b/c", "@/cache/x", "/workspace/new",
    "/extra/drafts/x", "@/tenants/acme/in/new",
  } do
    it("lets " .. path .. " be written", function() assert.is_true(write(path)) end)
  end

  for _, path in ipairs {
    "@/global/open/a", "@/global/new", "/global/new", "@/tools/new", "/skills/new",
    "@/shared/skills/new", "@/tenants/beta/new", "@/outside/new", "/etc/new",
    "@/tenants/acme/skills/new", "/workspace/docs/new", "/work",
    "@/tenants/acme/out/new", -- a new file behind a link that leads out
    "@/tenants/acme/out/new1/new2", -- D1: two levels that do not exist
    "@/tenants/acme/dangling", -- D2: the target would be made
    "@/tenants/acme/dangling/x",
  } do
    it("denies " .. path .. " to be written", function()
      local good, err = write(path)
      assert.is_nil(good)
      assert.equal("denied", err.code)
    end)
  end

  -- S1-24, S1-25, S1-26: a check takes the path as it is before
  it("says where a path of a subprocess lies, by the longest name", function()
    for path, host in pairs {
      ["/skills/s"] = "@/shared/skills/s", ["/skills"] = "@/shared/skills",
      ["/workspace/a/b"] = "@/tenants/acme/a/b", ["/global"] = "@/global",
      ["/extra/drafts/x"] = "@/drafts/x",
    } do
      assert.equal(tree:path(host), view:translate(path))
    end
    for _, path in ipairs { "/skillsx", "@/tenants/acme/a", "/etc", "/work", "@/tools/t", "a" } do
      assert.is_nil(view:translate(tree:path(path)))
    end
  end)

  it("is enabled", function() assert.is_true(view:enabled()) end) -- S1-13

  it("hides what appears later", function() -- D4
    tree:run("mkdir global/later && echo x > global/later/x")
    assert.is_nil(read("@/global/later/x"))
    local session <close> = assert(view:session())
    assert.equal("missing", session:call("read", { path = "global/later/x" }).code)
    assert.not_matches("later", session:call("list", { path = "global" }).text)
  end)

  it("gives tools and hosts the same answers", function() -- S1-1, S1-9, D6
    local session <close> = assert(view:session())
    local function text(path) return session:call("read", { path = path }).text end
    assert.matches("1|own", text("own/note"))
    assert.matches("1|open", text("global/open/a"))
    assert.matches("1|skill", text("skills/s"))
    assert.not_matches("1|", text("global/secrets.enc.json"))
    assert.not_matches("1|", text("global/billing/may"))
    assert.equal("read_only", session:call("write", { path = "global/x", content = "" }).code)
    assert.equal("", session:call("write", { path = "extra/drafts/x", content = "" }).code)
  end)

  it("is checked without any session, and lives on after its template", function()
    assert.is_true(read("@/global/open/a"))
  end)
end)

describe("a view that is disabled", function() -- S1-13, S1-15, S1-27, S1-28
  it("allows everything and translates nothing", function()
    local view <close> = assert(croft.disabled())
    assert.is_false(view:enabled())
    assert.is_true(view:check_read("/etc/shadow"))
    assert.is_true(view:check_write("/etc/shadow"))
    assert.is_nil(view:translate("/workspace/a"))
    assert.same({}, view:read_only_names())
    local session, err = view:session()
    assert.is_nil(session)
    assert.equal("bad_argument", err.code)
    assert.is_nil((view:confine()))
  end)
end)

describe("a configuration of views", function()
  local tree

  before_each(function() tree = host_tree.make(TREE) end)
  after_each(function() tree:remove() end)

  local function refused(config)
    local template, err = croft.template(config)
    assert.is_nil(template)
    assert.equal("bad_argument", err.code)
    return err
  end

  it("is told of all that is wrong at once", function()
    local err = refused(tree:filled {
      root = "@/none", colour = "red", net = "on", hide = { "x" }, tenants = "/",
      maps = { { src = "@/none", dst = "../up" }, { src = 7, dst = "usr" } },
      secret_files = { "a" }, ro_binds = { "@/nothing" },
    })
    assert.equal(11, #err.problems, table.concat(err.problems, "\n"))
    for _, problem in ipairs(err.problems) do assert.not_matches("\n", problem) end
  end)

  it("is the same as JSON and as a table", function()
    local json = '{"root": "' .. tree:path("@/tenants/acme") .. '", "hide": []}'
    for _, config in ipairs { json, { root = tree:path("@/tenants/acme"), hide = {} } } do
      local template <close> = assert(croft.template(config))
      local view <close> = assert(template:view())
      assert.is_true(view:check_read("/workspace/own/note"))
    end
  end)

  it("cannot be a table that has no JSON", function()
    for _, config in ipairs {
      { root = print }, { [1] = "a" }, { hide = { "a", nil, "b" }, root = {} }, { [true] = "x" },
    } do
      local good, template = pcall(croft.template, config)
      assert.is_true(not good or template == nil)
    end
  end)

  it("is no denial when it fails", function()
    assert.not_equal("denied", refused(tree:filled { root = "@/tenants/acme", hide = { "@/x/y",
      "@/tenants/acme/dangling/x" } }).code)
  end)

  it("gives each tenant its own view", function() -- S1-2, S1-22, S1-23
    local template <close> = assert(croft.template(tree:filled {
      root = "@/tenants/{tenant}", tenants = "@/tenants", global = "@/global",
    }))
    local acme <close> = assert(template:view("acme"))
    local beta <close> = assert(template:view("beta"))
    for _, own in ipairs { { acme, "acme", "beta" }, { beta, "beta", "acme" } } do
      assert.is_true(own[1]:check_read(tree:path("@/tenants/" .. own[2] .. "/x")))
      assert.is_nil((own[1]:check_read(tree:path("@/tenants/" .. own[3] .. "/x"))))
    end
  end)

  it("follows no tenant's name out of the directory of tenants", function()
    local template <close> = assert(croft.template(tree:filled { tenants = "@/tenants" }))
    for _, name in ipairs { "..", ".", "", "a/b", "../outside", "{tenant}", "gone" } do
      local view, err = template:view(name)
      assert.is_nil(view)
      assert.equal("bad_argument", err.code)
    end
    assert.is_nil((template:view())) -- a template is no view of anybody
  end)

  it("refuses a tenant's directory that is a link to another's", function()
    tree:run("ln -s beta tenants/thief")
    local template <close> = assert(croft.template(tree:filled { tenants = "@/tenants" }))
    local view, err = template:view("thief")
    assert.is_nil(view)
    assert.matches("another tenant", err.message)
  end)

  it("sees the directory of a tenant as it is at the moment", function()
    local template <close> = assert(croft.template(tree:filled { tenants = "@/tenants" }))
    assert.is_nil((template:view("new")))
    tree:run("mkdir tenants/new")
    local view <close> = assert(template:view("new"))
    assert.is_true(view:check_write("/workspace/a"))
  end)

  it("hides the neighbours where `global` holds them all", function() -- D5
    local template <close> = assert(croft.template(tree:filled {
      root = "@/tenants/acme", tenants = "@/tenants", global = "@",
    }))
    local view <close> = assert(template:view(nil, { no_fsync = true }))
    local session <close> = assert(view:session())
    assert.equal("missing", session:call("read", { path = "global/tenants/beta/plan" }).code)
    assert.equal("missing", session:call("list", { path = "global/tenants" }).code)
    assert.not_matches("beta", session:call("grep", { pattern = "beta", path = "global" }).text)
    assert.is_nil((view:check_read("/global/tenants/beta/plan")))
    assert.is_true(view:check_write(tree:path("@/tenants/acme/x")))
    assert.is_nil((view:check_write(tree:path("@/global/x"))))
  end)
end)
