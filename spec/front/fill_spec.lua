-- SPDX-License-Identifier: MIT
--- croft fill and croft harvest: from a checkout to a root, and home again.
local cjson = require("cjson").new()
local drive = require("spec.front.drive")

describe("croft fill and croft harvest", function()
  local base

  --- Runs lines of shell in a new directory; $CROFT is the program.
  local function sh(lines)
    return drive.shell(('CROFT=$(realpath "$CROFT") && cd %s && %s'):format(base, lines))
  end

  before_each(function()
    base = os.tmpname()
    os.remove(base)
    assert(os.execute(("mkdir -p %s/tree/skills/a %s/tree/docs && cd %s/tree && "
      .. "printf 'one\n' >skills/a/s && printf 'two\n' >docs/d && ln -s skills/a/s top")
      :format(base, base, base)))
  end)

  after_each(function() os.execute("rm -rf " .. base) end)

  it("make a root of a checkout, and say what was copied", function()
    assert.same({
      status = 0, out = "copied 2 files, 3 directories, 1 link, 8 bytes\n", err = "",
    }, sh '"$CROFT" fill --from tree --to ws')
    assert.equal(0, sh("diff -r --no-dereference tree ws").status)
    assert.equal("tree\nws\n", sh("ls -A").out)
  end)

  it("bring home what a session made, and nothing that it could not have made", function() -- S0-48
    sh '"$CROFT" fill --from tree --to ws'
    sh "mkdir ws/notes && echo n >ws/notes/n && ln -s /etc/passwd ws/notes/p && mkdir ws/src"
    local result = sh '"$CROFT" harvest ws --to out --skip src'
    assert.same({ status = 0, err = "", out = table.concat({
      'docs: is read-only: "docs"', 'skills: is read-only: "skills"',
      'src: is to be left out: "src"', "notes/p: has an absolute target", "top: leads to nothing",
      "copied 1 file, 1 directory, 0 links, 2 bytes (5 left out)",
    }, "\n") .. "\n" }, result)
    assert.equal("notes\nnotes/n\n", sh("cd out && find * | sort").out)
  end)

  it("never follow a link out of a root", function()
    sh "mkdir ws && echo TOPSECRET >secret && ln -s ../secret ws/a && ln -s .. ws/b"
    sh "ln -s $PWD/secret ws/c && ln -s b/secret ws/d"
    assert.equal(0, sh('"$CROFT" harvest ws --to out').status)
    assert.equal("", sh("find out -mindepth 1; grep -r TOPSECRET out").out)
  end)

  it("refuse a checkout whose links cannot be trusted", function() -- S0-76
    sh "ln -s none tree/bad"
    local result = sh '"$CROFT" fill --from tree --to ws'
    assert.equal(1, result.status)
    assert.equal("bad: leads to nothing\n", result.out)
    assert.equal('croft: "tree" is refused: 1 entry cannot be trusted\n', result.err)
    assert.equal("tree\n", sh("ls -A").out)
  end)

  it("take other read-only names in place of the four", function() -- S0-47
    sh "mkdir ws ws/docs ws/Vendor && touch ws/docs/d ws/Vendor/v"
    local result = sh '"$CROFT" harvest ws --to out --read-only-name vendor'
    assert.equal('Vendor: is read-only: "vendor"\ncopied 1 file, 1 directory, 0 links, 0 bytes '
      .. "(1 left out)\n", result.out)
  end)

  it("print one object a line as JSON", function()
    sh "mkdir ws ws/docs && mkfifo ws/p"
    local objects = {}
    for line in sh('"$CROFT" harvest ws --to out --json').out:gmatch("[^\n]+") do
      objects[#objects + 1] = cjson.decode(line)
    end
    assert.same({
      { path = "docs", code = "read_only", reason = 'is read-only: "docs"' },
      { path = "p", code = "not_regular", reason = "is no file, directory or link" },
      { files = 0, directories = 0, links = 0, bytes = 0, shared = 0, kept = 0, left_out = 2,
        unreadable = 0 },
    }, objects)
  end)

  it("say so when something could not be read", function()
    sh "mkdir ws && echo x >ws/closed && echo y >ws/open && chmod 0 ws/closed"
    local result = sh 'setpriv --bounding-set=-all --inh-caps=-all "$CROFT" harvest ws --to out'
    assert.equal(1, result.status)
    assert.equal("closed: cannot be read\ncopied 1 file, 0 directories, 0 links, 2 bytes "
      .. "(1 left out)\n", result.out)
  end)

  it("go on where a run was killed", function()
    sh "mkdir tree/big && for i in $(seq 400); do head -c 20000 /dev/zero >tree/big/$i; done"
    -- A limit on the size of files ends the program at the first that is larger, in the midst.
    sh "head -c 900000 /dev/urandom >tree/big/399x"
    local killed = sh '(ulimit -f 400; "$CROFT" fill --from tree --to ws --no-fsync)'
    assert.not_equal(0, killed.status)
    assert.equal(0, sh("! test -e ws && test -d .~croft-copy-*").status)
    local result = sh '"$CROFT" fill --from tree --to ws --no-fsync'
    assert.equal(0, result.status)
    assert.matches("%d+ had been copied by an earlier run", result.out)
    assert.equal(0, sh("diff -r --no-dereference tree ws").status)
    assert.equal("tree\nws\n", sh("ls -A").out)
  end)

  it("let one of two runs at once have the place", function()
    sh "for i in $(seq 300); do mkdir tree/$i && echo $i >tree/$i/f; done"
    local result = sh('for i in 1 2 3; do "$CROFT" fill --from tree --to ws & done 2>/dev/null; '
      .. "wait; diff -r --no-dereference tree ws")
    assert.equal(0, result.status)
    assert.equal("tree\nws\n", sh("ls -A").out)
  end)

  for _, case in ipairs {
    { "fill without --to", "fill --from tree", "fill needs --to" },
    { "fill without --from", "fill --to ws", "fill needs --from" },
    { "harvest without --to", "harvest tree", "harvest needs --to" },
    { "harvest without ROOT", "harvest --to ws", "harvest needs ROOT" },
    { "a place that is taken", "fill --from tree --to tree/docs", "inside of what is copied" },
    { "a place that is not empty", "fill --from tree/docs --to tree", "is not empty" },
    { "a source that is not there", "harvest none --to ws", "does not exist" },
    { "a name to leave out that is a path", "harvest tree --to ws --skip a/b", "one name" },
  } do
    it("end with 2 for " .. case[1], function()
      local result = sh('"$CROFT" ' .. case[2])
      assert.equal(2, result.status)
      assert.equal("", result.out)
      assert.matches("^croft: [^\n]+\n$", result.err)
      assert.is_truthy(result.err:find(case[3], 1, true), result.err)
      assert.equal("tree\n", sh("ls -A").out)
    end)
  end
end)
