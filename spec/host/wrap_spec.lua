-- SPDX-License-Identifier: MIT
--- view:wrap_argv, as a host has it. S1-8 S1-14 S1-16
local croft = require("croft")
local testing = require("croft.testing")

describe("view:wrap_argv", function()
  local session, view

  before_each(function()
    session = testing.session { files = { ["a/b"] = "x", ["docs/d"] = "y" } }
    view = assert(croft.open(session:root(), { read_only_names = {} }))
  end)

  after_each(function()
    view:close()
    session:close()
  end)

  it("gives a command that ends in what was to be started", function()
    local argv = assert(view:wrap_argv(session:root() .. "/a", { "sh", "-c", "true" }))
    assert.equal("bwrap", argv[1])
    assert.equal("--", argv[argv.split + 1])
    assert.same({ "sh", "-c", "true" }, table.move(argv, argv.split + 2, #argv, 1, {}))
    assert.is_truthy(table.concat(argv, " "):find("--chdir /workspace/a --", 1, true))
  end)

  it("takes what is given of bubblewrap and of descriptors", function()
    local argv = assert(view:wrap_argv(nil, { "true" }, {
      program = "/opt/bwrap", version = 12000, seccomp_fd = 9, status_fd = 10, tmp_bytes = 4096,
    }))
    assert.equal("/opt/bwrap", argv[1])
    local all = table.concat(argv, " ")
    assert.is_truthy(all:find("--seccomp 9 --json-status-fd 10 --chdir /workspace --", 1, true))
    assert.is_truthy(all:find("--size 4096 --perms 1777 --tmpfs /tmp", 1, true))
  end)

  it("gives back what it was given where the view holds nobody", function() -- S1-14 S1-27
    local argv = assert(croft.disabled():wrap_argv("/anywhere", { "ls", "-l" }))
    assert.same({ "ls", "-l", split = 0 }, argv)
  end)

  it("refuses a directory that the view does not show, as denied", function() -- S1-12
    local argv, err = view:wrap_argv("/etc", { "true" })
    assert.is_nil(argv)
    assert.equal("denied", err.code)
    assert.equal("bad_argument", select(2, view:wrap_argv("a", { "true" })).code)
  end)

  it("refuses a root whose read-only trees it could not keep", function()
    local own = assert(croft.open(session:root()))
    local argv, err = own:wrap_argv(nil, { "true" })
    assert.is_nil(argv)
    assert.matches('"docs" in it is read%-only', tostring(err))
    argv = assert(own:wrap_argv(nil, { "true" }, { version = 12000 }))
    assert.is_truthy(table.concat(argv, " "):find("/docs /workspace/docs", 1, true))
    own:close()
  end)

  -- P14: bubblewrap opens what it mounts by its path.
  for _, version in ipairs { 0, 12000 } do
    it("refuses a mount of what lies in the root, with bubblewrap " .. version, function()
      local options = { mounts = { { name = "kit", path = session:root() .. "/a" } } }
      for _, read_only in ipairs { true, false } do
        options.mounts[1].read_only = read_only
        options.read_only_names = {}
        local own <close> = assert(croft.open(session:root(), options))
        local argv, err = own:wrap_argv(nil, { "true" }, { version = version })
        assert.is_nil(argv)
        assert.matches('mount kit: .*"/kit", and could put another in its place', tostring(err))
      end
    end)
  end

  it("is of no view whose mount a link in the root leads to", function()
    local planted = session:root() .. "/a/planted"
    assert(os.execute("ln -s /usr/share " .. planted))
    local own, err = croft.open(session:root(), { mounts = { { name = "kit", path = planted } } })
    assert.is_nil(own)
    assert.matches("leads through root, which the tenant can write", tostring(err))
  end)

  it("refuses a mount whose name covers what every program has", function()
    for name, refused in pairs {
      workspace = true, ["workspace/a"] = true, usr = true, home = true, Etc = true, global = false,
      kit = false,
    } do
      local own <close> = assert(croft.open(session:root(),
        { read_only_names = {}, mounts = { { name = name, path = "/mnt" } } }))
      local argv, err = own:wrap_argv(nil, { "true" })
      assert.equal(refused, argv == nil, name)
      if refused then assert.matches("it has another directory of that name", tostring(err)) end
    end
  end)

  it("writes nowhere in a view that is read-only", function()
    local other = os.tmpname()
    os.remove(other)
    assert(os.execute("mkdir " .. other))
    local config = ('{"root":%q,"maps":[{"src":%q,"dst":"kit","mode":"rw"}],"rw_binds":["/mnt"]}')
      :format(session:root(), other)
    local template <close> = assert(croft.template(config))
    local options = { read_only = true }
    local views = { assert(template:view(nil, options)) }
    options.mounts = { { name = "kit", path = other } }
    views[2] = assert(croft.open(session:root(), options))
    for _, own in ipairs(views) do
      local argv = assert(own:wrap_argv(nil, { "true" }))
      assert.is_nil(table.concat(argv, " "):find("--bind ", 1, true))
      own:close()
    end
    os.remove(other)
  end)

  it("raises for what is misused", function()
    assert.has_error(function() view:wrap_argv(nil, {}) end)
    assert.has_error(function() view:wrap_argv(nil, { "a\0b" }) end)
    assert.has_error(function() view:wrap_argv(nil, { 1 }) end)
    assert.has_error(function() view:wrap_argv(nil, { "true" }, { fd = 3 }) end,
      'there is no option "fd"')
  end)
end)
