-- SPDX-License-Identifier: MIT
--- Which name a refusal is about: the one at fault, and the directory to look into for others. What
--- the kernel has to do for it is in spec/c/blame_test.c. S0-71
local custom = require "custom"
local drive = require "spec.front.drive"
local testing = require "croft.testing"
local tree = require "tree"

local FILES = {
  ["d/e/t"] = "text\n", ["d/e/bin"] = "a\0b", ["d/big"] = ("x"):rep(5 << 20),
  ["d/l"] = { link = "e" }, ["d/gone"] = { link = "nowhere/at/all" },
  ["d/out"] = { link = "../../outside" }, ["d/long"] = { link = ("n"):rep(256) },
  ["d/dir"] = { link = "e/sub" }, ["d/e/sub/x"] = "x\n",
  ["d/slash"] = { link = "e/t/" }, ["d/past"] = { link = "e/t/x" },
  ["d/far"] = { link = ("./"):rep(2000) .. "far2" },
  ["d/far2"] = { link = ("./"):rep(2000) .. "far3" },
  ["d/far3"] = { link = ("./"):rep(2000) .. "e/t" },
}

-- What is asked for, and how what is said of it begins and ends.
local CASES = {
  { "read", { path = "d/none" }, '"d" has no "none"', '"path": "d"' },
  { "read", { path = "d/none/t" }, 'already "d/none" is missing', '"path": "d"' },
  { "read", { path = "d/l/none/t" }, 'already "d/l/none" is missing', '"path": "d/l"' },
  { "read", { path = "d/gone/t" }, '"d/gone" is a link to a name that is not', '"path": "d"' },
  { "read", { path = "d/e/t/x" }, '"d/e/t" is a file', '"path": "d/e"' },
  { "read", { path = "d/l/t/x/y" }, '"d/l/t" is a file', '"path": "d/l"' },
  { "read", { path = "d/out/x" }, 'through the link "d/out"', '"path": "d"' },
  { "edit", { path = "d/slash", old_string = "t", new_string = "u" }, 'the link "d/slash", which '
    .. "goes through a file", '"path": "d"' },
  { "write", { path = "d/past", content = "" }, 'the link "d/past", which goes through a file',
    '"path": "d"' },
  { "write", { path = "d/far/x", content = "" }, "leads through links that are too long",
    '"path": "d"' },
  { "read", { path = "d/long/x" }, 'the link "d/long", in which', '"path": "d"' },
  { "read", { path = "d/e/bin" }, '"d/e/bin" is binary', '"path": "d/e"' },
  { "read", { path = "d/p" }, '"d/p" is a fifo', '"path": "d"' },
  { "read", { path = "d/l/sub" }, '"d/l/sub" is a directory', '"path": "d/l/sub"' },
  { "list", { path = "d/e/none" }, '"d/e" has no "none"', '"path": "d/e"' },
  { "list", { path = "d/none/x" }, 'already "d/none" is missing', '"path": "d"' },
  { "list", { path = "d/l/t" }, '"d/l/t" is a file', '"path": "d/l/t"' },
  { "grep", { path = "d/e/none", pattern = "x" }, '"d/e" has no "none"', '"path": "d/e"' },
  { "grep", { path = "d/e/bin", pattern = "x" }, '"d/e/bin" is binary', '"path": "d/e"' },
  { "grep", { path = "d/big", pattern = "x" }, '"d/big" has', '"path": "d/big"' },
  { "write", { path = "d/e/t/x", content = "" }, '"d/e/t" is a file', '"path": "d/e"' },
  { "write", { path = "d/e", content = "" }, '"d/e" is a directory', '"path": "d/e"' },
  { "write", { path = "d/p", content = "" }, '"d/p" is a fifo', '"path": "d"' },
  { "write", { path = "d/.~croft-n/x", content = "" }, "own ones", '"path": "d/n/x"' },
  { "write", { path = "d/n/.~croft-x", content = "" }, "own ones", '"path": "d/n/x"' },
  { "write", { path = "d/" .. ("n"):rep(256) .. "/x.md", content = "" }, "a name longer than 255",
    '"path": "d/' .. ("n"):rep(100) .. '/x.md"' },
  { "write", { path = "d/" .. ("n"):rep(300) .. ".md", content = "" }, "a name longer than 255",
    '"path": "d/' .. ("n"):rep(97) .. '.md"' },
  { "read", { path = "d/" .. ("n"):rep(256) }, "a name longer than 255", 'list without "path"' },
  { "write", { path = ("d/"):rep(200) .. "x", content = "" }, "more directories than can be", "" },
  { "edit", { path = "d/none/x", old_string = "a", new_string = "b" },
    'already "d/none" is missing', '"path": "d"' },
  { "edit", { path = "d/e/sub", old_string = "a", new_string = "b" }, '"d/e/sub" is a directory',
    '"path": "d/e/sub"' },
  { "remove", { path = "d/e/none" }, '"d/e" has no "none"', '"path": "d/e"' },
  { "remove", { path = "d/none/x" }, 'already "d/none" is missing', '"path": "d"' },
  { "move", { from = "d/e/none", to = "x" }, '"d/e" has no "none"', '"path": "d/e"' },
  { "move", { from = "d/e/t", to = "d/l/t/x" }, '"d/l/t" is a file', '"path": "d/l"' },
  { "move", { from = "d/e/t", to = "d/out/x" }, 'through the link "d/out"', '"path": "d"' },
}

describe("A refusal names", function()
  local session

  setup(function()
    session = testing.session { files = FILES, enable = { "move", "remove" } }
    os.execute(("mkfifo '%s/d/p'"):format(session:root()))
  end)

  teardown(function()
    session:close()
  end)

  for i, case in ipairs(CASES) do
    local tool, args, fact, remedy = table.unpack(case)
    local path = args.path or args.from .. " -> " .. args.to
    it(("what is at fault: %d. %s of %s"):format(i, tool, path:sub(1, 40)), function()
      local result = session:call(tool, args)
      assert.is_true(result.is_error)
      assert.matches(fact, result.text, 1, true)
      assert.matches(remedy, result.text, 1, true)
    end)
  end

  -- What a primitive raises of the third of "d/e/t" and of the second, and what is named then.
  for code, case in pairs {
    unreadable = { '"path": "d/e" for others', '"path": "d" for others' },
    changed = { '"path": "d/e" to see', '"path": "d" to see' },
    io = { '"path": "d/e" for others', '"path": "d" for others' },
    no_space = { '"path": "d/e" to see', '"path": "d" to see' },
    busy = { '"path": "d/e" for others', '"path": "d" for others' },
    already_exists = { '"path": "d/e" to see', '"path": "d" to see' },
    owner = { '"path": "d/e/new-t"', '"path": "d/new-t"' },
  } do
    it("the directory of what was " .. code, function()
      local own = custom.session(custom.tool("try", [[{ type = "object", properties = {
        at = { type = "integer", description = "of the component" } } }]], ([[
        require("croft.errors").raise(%q, { path = "d/e/t", op = "read", at = args.at })]])
        :format(code)), { files = FILES })
      assert.matches(case[1], own:call("try", { at = 2 }).text, 1, true)
      assert.matches(case[1], own:call("try", {}).text, 1, true) -- which is the last
      assert.matches(case[2], own:call("try", { at = 1 }).text, 1, true)
      own:close()
    end)
  end

  it("the first name that is not shown, where a rule denies what lies below", function()
    local rules = os.tmpname()
    local file <close> = assert(io.open(rules, "w"))
    file:write([[return policy { version = 1, rules = {
      deny { tools = "*", paths = { "**/secret", "**/secret/**" } },
      allow { tools = "*", paths = { "**" } } } }]])
    file:close()
    local judged = testing.session { policies = { rules }, gate = "policy", files = {
      ["d/secret/a/f"] = "x", ["d/open/l"] = { link = "../secret" } } }
    local result = judged:call("read", { path = "d/open/l/a/f" })
    assert.matches('"d/open/l" is a link to a name that is not there', result.text, 1, true)
    assert.matches('"path": "d/open"', result.text, 1, true)
    judged:close()
    os.remove(rules)
  end)
end)

-- With real mounts -------------------------------------------------------------------------------

local may_mount = select(2, tree.output("unshare -rm mount -t tmpfs none /tmp 2>&1"))

local SET_UP = [[
mkdir -p ws/d ws/mnt ws/small && cd ws && printf 'one\n' >d/f && printf 'two\n' >d/g
mount -t tmpfs none mnt && mkdir mnt/sub && echo m >mnt/f
mount -t tmpfs -o size=16k none small
mount --bind d/g d/f
cd ..
]]

--- One call of `tool` in a tree with mounts, with more options of croft's: what it says.
local function said(tool, args, options)
  local base = tree.output("mktemp -d"):gsub("\n", "")
  local json = require("cjson").encode(args)
  local script = ("cd %s && unshare -rm sh -c %s"):format(base, drive.quoted(SET_UP
    .. ('"$CROFT" call ws %s --enable move,remove %s -- %s'):format(tool, options or "",
      drive.quoted(json))))
  local result = drive.shell('CROFT=$(realpath "$CROFT") && export CROFT && ' .. script)
  os.execute("rm -rf " .. base)
  return result.out .. result.err
end

describe("Of a mount", function()
  for _, case in ipairs {
    { "write", { path = "d/f", content = "x" }, '"d/f" is a mount point', '"path": "d"' },
    { "edit", { path = "d/f", old_string = "two", new_string = "x" }, '"d/f" is a mount point',
      '"path": "d"' },
    { "remove", { path = "d/f" }, '"d/f" is a mount point', '"path": "d"' },
    { "remove", { path = "mnt" }, '"mnt" is a mount point', '"path": "."' },
    { "move", { from = "mnt", to = "d/mnt" }, '"mnt" is a mount point', '"path": "."' },
    { "move", { from = "d/g", to = "mnt/g" }, '"d/g" and its new name lie on different file',
      'Call read with "path": "d/g"' },
    { "move", { from = "mnt/sub", to = "d/sub" }, '"mnt/sub" and its new name lie on different',
      'Call list with "path": "mnt/sub", "recursive": true' },
    { "read", { path = "mnt/f" }, "keeps to its own", '"path": "."', "--one-file-system" },
    { "grep", { path = ".", pattern = "two" }, "3 names on other file systems left out",
      "d/g:1|two", "--one-file-system" }, -- two directories and a file
    { "move", { from = "d/g", to = "mnt/g" }, '"mnt/g" lies on another file system, and this '
      .. "workspace keeps to its own", '"path": "."', "--one-file-system" },
    { "write", { path = "small/n/m/f", content = ("x"):rep(30000) }, "Nothing was changed but "
      .. 'that 2 directories were made, from "small/n" on, and stay.', '"path": "small/n/m"' },
  } do
    local tool, args, fact, remedy, options = table.unpack(case)
    local path = args.path or args.from .. " -> " .. args.to
    local kept = options and ", which is kept out," or ""
    it(("%s of %s%s is told what it is"):format(tool, path, kept), function()
      if not may_mount then return pending("nothing can be mounted here") end
      local text = said(tool, args, options)
      assert.matches(fact, text, 1, true)
      assert.matches(remedy, text, 1, true)
    end)
  end
end)

-- With few descriptors ---------------------------------------------------------------------------

describe("A host without descriptors", function()
  local base

  setup(function()
    base = tree.output("mktemp -d"):gsub("\n", "")
    os.execute(("mkdir -p %s/%s && echo x >%s/%sf"):format(base, ("d/"):rep(100), base,
      ("d/"):rep(100)))
  end)

  teardown(function() os.execute("rm -rf " .. base) end)

  for tool, more in pairs { read = "", list = "", write = ',"content":"x"' } do
    it("is told of " .. tool .. ", and nothing is said to be missing", function()
      local path = ("d/"):rep(100) .. (tool == "list" and "" or "f")
      local result = drive.shell(('ulimit -n 40 && CROFT_RESOLVER=walk "$CROFT" call %s %s %s')
        :format(base, tool, drive.quoted(('{"path":"%s"%s}'):format(path, more))))
      assert.equal(tool .. " could not be done: the host has no file descriptor or no memory left "
        .. "for it just now. Nothing was changed. The same call may work in a moment; if it does "
        .. "not, tell the operator.\n", result.err .. result.out)
    end)
  end
end)
