-- SPDX-License-Identifier: MIT
--- The tool run: commands in the view of the session, from a server that is behind its wall.
local boxed = require("boxed")
local cjson = require("cjson").new()
local drive = require("spec.front.drive")

local function skip(reason) pending(reason) end

for _, user in ipairs(boxed.users) do
  local name, prefix = user[1], user[2]

  describe("the tool run, for " .. name, function()
    local host

    local function box(sentence, body) it(sentence, boxed.needs(prefix, skip, body)) end

    before_each(function() host = boxed.host(prefix) end)
    after_each(function() host:close() end)

    --- Calls it; `args` as croft call has them, `options` of the program.
    local function run(command, args, options)
      return host:sh(("%s./croft call --view view.json --tenant acme run --enable run %s "
        .. "command=%s %s"):format(prefix, options or "", drive.quoted(command), args or ""))
    end

    local function says(expected, command, args, options)
      local result = run(command, args, options)
      assert.equal(expected .. "\n", result.out)
      assert.equal("", result.err)
      return result
    end

    box("says what a command writes, in its order, and its exit code", function()
      says("one\ntwo\nthree\n[exit code 0]", "echo one; echo two >&2; echo three")
      local lines = {}
      for index = 1, 200 do lines[#lines + 1] = ("o%d\ne%d"):format(index, index) end
      says(table.concat(lines, "\n") .. "\n[exit code 0]",
        "for i in $(seq 200); do echo o$i; echo e$i >&2; done")
    end)

    box("takes an exit code for an answer", function()
      local result = says("no\n[exit code 3]", "echo no; exit 3")
      assert.equal(0, result.status)
      says("[exit code 0; it wrote nothing]", "true")
      says("[exit code 137; it wrote nothing]", "kill -9 $$")
      says("sh: 1: no-such-program: not found\n[exit code 127]", "no-such-program")
      local told = cjson.decode(run("exit 4", "", "--json").out)
      assert.same({ exit_code = 4, ended = "exited", dropped_bytes = 0 }, told.structured)
      assert.is_false(told.is_error)
    end)

    box("sees the view and changes it where the view says so", function() -- S1-8
      says("mine\nof all\nskill\n[exit code 0]", "cat file /global/docs/read.md /skills/s")
      says("[exit code 0; it wrote nothing]",
        "cat /global/secrets.enc.json; ls -A /global/billing; echo new >src/new")
      assert.equal("new\n", host:sh("cat tenants/acme/src/new").out)
    end)

    box("says what the view refused", function()
      local touch = "touch: cannot touch '%s': Read-only file system\n"
      says(touch:format("/global/x") .. touch:format("/etc/y") .. touch:format("/global/x")
        .. "[denied: /global/x cannot be written by a command; /workspace and /tmp can]\n"
        .. "[denied: /etc/y cannot be written by a command; /workspace and /tmp can]\n"
        .. "[exit code 1]", "touch /global/x /etc/y; touch /global/x")
      local result = run("python3 -c 'import socket\n"
        .. "socket.create_connection((\"192.0.2.1\", 80))'")
      assert.matches("\n%[denied: a command has no network here%]\n%[exit code 1%]\n$", result.out)
    end)

    box("starts where it is told, in the tools' tree", function()
      says("/workspace/src\n[exit code 0]", "pwd", "directory=src/./")
      says("/global/docs\n[exit code 0]", "pwd", "directory=global/docs")
      says("/skills\n[exit code 0]", "pwd", "directory=skills")
      for directory, code in pairs {
        file = "not_a_directory", none = "missing", ["../other"] = "outside",
        neighbour = "outside", shadow = "outside", ["global/billing"] = "missing",
      } do
        local told = cjson.decode(run("pwd", "directory=" .. directory, "--json").out)
        assert.equal(code, told.code, directory)
        assert.is_nil(told.text:find(host.base, 1, true))
      end
    end)

    box("says nothing of what was not refused, and of no other way that is", function()
      says("touch: cannot touch 'x': Read-only file system\n"
        .. "[denied: x cannot be written by a command; only /tmp can]\n[exit code 1]",
        "touch x", "", "--read-only")
      host:close()
      host = boxed.host(prefix, '"net":"host"')
      says("Network is unreachable\n[exit code 0]", "echo Network is unreachable")
    end)

    box("starts in a directory of the root's that is called workspace", function()
      host:sh("mkdir tenants/acme/workspace")
      says("/workspace/workspace\n[exit code 0]", "pwd", "directory=workspace")
    end)

    box("runs nothing once a command has made a read-only directory", function()
      local old = host:sh("bwrap --version").out:match(" 0%.(%d+)")
      if not old or tonumber(old) >= 12 then return end
      local asked = { drive.HANDSHAKE, { jsonrpc = "2.0", method = "notifications/initialized" },
        drive.call(1, "run", { command = "mkdir docs" }) }
      for index, message in ipairs(asked) do
        asked[index] = type(message) == "string" and message or cjson.encode(message)
      end
      host:write("asked", table.concat(asked, "\n") .. "\n")
      host:write("again", cjson.encode(drive.call(2, "run", { command = "true" })) .. "\n")
      local result = host:sh(("mkfifo in out; %s./croft serve --view view.json --tenant acme "
        .. "--enable run <in >out 2>log & exec 8>in 9<out; cat asked >&8; read -r line <&9; "
        .. "read -r line <&9; cat again >&8; read -r line <&9; printf '%%s\\n' \"$line\"; "
        .. "exec 8>&-; wait"):format(prefix))
      assert.is_truthy(result.out:find([[has \"docs\" now, which is read-only here]], 1, true),
        result.out)
      assert.is_truthy(result.out:find("Nothing was run", 1, true))
    end)

    box("shows the beginning and the end of much", function()
      local result = run("seq 100000")
      assert.matches("^1\n2\n3\n", result.out)
      assert.matches("\n%[%d+ bytes left out here%]\n", result.out)
      assert.matches("\n99999\n100000\n%[exit code 0%]\n$", result.out)
      assert.is_true(#result.out < 26000)
      result = run("head -c 100000 /dev/urandom; echo; echo end")
      assert.matches("end\n%[exit code 0%]\n$", result.out)
      assert.is_truthy(utf8.len(result.out))
    end)

    box("ends a command that takes too long, with all that it started", function()
      local result = run("echo begun; (setsid sleep 7654001 &); sleep 7654001", "seconds:=1")
      assert.equal("begun\n[ended after 1 s, which is as long as it may run; more, up to 600, is "
        .. 'had by "seconds"]\n', result.out)
      assert.not_equal(0, host:sh("pgrep -f '^sleep 7654001'").status)
      local told = cjson.decode(run("sleep 9", "seconds:=1", "--json").out)
      assert.equal("time", told.structured.ended)
    end)

    box("ends a command that writes too much", function()
      local result = run("yes", "", "--run-limit output=1MiB")
      assert.matches("\n%[ended, as it wrote more than a command may%]\n$", result.out)
    end)

    box("holds a command to a number of processes", function()
      local result = run("for i in $(seq 200); do sleep 7654002 & done; wait", "seconds:=20",
        "--run-limit processes=30")
      assert.is_truthy(result.out:find("Cannot fork", 1, true)
        or result.out:find("[ended, as it had more processes at once than a command may]", 1, true),
        result.out:sub(-500))
      assert.not_equal(0, host:sh("pgrep -f '^sleep 7654002'").status)
    end)

    box("has a time of its own, not that of other calls", function()
      says("late\n[exit code 0]", "sleep 0.4; echo late", "", "--limit time=100")
    end)

    box("ends a command whose call is called off", function()
      local result = host:sh(([[
        mkfifo in out
        %s./croft serve --view view.json --tenant acme --enable run <in >out 2>log & croft=$!
        exec 8>in 9<out
        echo '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{
          "protocolVersion":"2025-11-25","capabilities":{},
          "clientInfo":{"name":"s","version":"1"}}}' | tr -d '\n' >&8; echo >&8
        read -r line <&9
        echo '{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"run","arguments":
          {"command":"(setsid sleep 7654003 &); sleep 7654003"}}}' | tr -d '\n' >&8; echo >&8
        until [ "$(pgrep -c -f '^sleep 7654003')" = 2 ]; do :; done
        echo '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2}}' >&8
        while pgrep -f '^sleep 7654003' >/dev/null; do :; done
        echo '{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"run","arguments":
          {"command":"echo still here; sleep 7654004"}}}' | tr -d '\n' >&8; echo >&8
        until pgrep -f '^sleep 7654004' >/dev/null; do :; done
        exec 8>&-
        wait $croft; echo "served $?"
        while pgrep -f '^sleep 7654004' >/dev/null; do :; done]]):format(prefix))
      assert.equal("served 0\n", result.out)
    end)

    box("runs several commands at once", function()
      host:sh("cd tenants/acme/src && mkfifo 1 2 3 4 && chmod 666 1 2 3 4")
      local messages = { drive.HANDSHAKE, '{"jsonrpc":"2.0","method":"notifications/initialized"}' }
      for index = 1, 4 do -- each waits for the one that comes behind it
        messages[#messages + 1] = drive.call(index, "run", { seconds = 60,
          command = ("echo %d >src/%d & cat src/%d; wait"):format(index, index, index % 4 + 1) })
      end
      for index, message in ipairs(messages) do
        messages[index] = type(message) == "string" and message or cjson.encode(message)
      end
      host:write("asked", table.concat(messages, "\n") .. "\n")
      local result = host:sh(("mkfifo in out; %s./croft serve --view view.json --tenant acme "
        .. "--enable run <in >out 2>log & exec 8>in 9<out; cat asked >&8; "
        .. "for i in 1 2 3 4 5; do read -r line <&9; printf '%%s\\n' \"$line\"; done; "
        .. "exec 8>&-; wait")
        :format(prefix))
      for index = 1, 4 do
        local wanted = '"id":%d,"result":{"content":[{"type":"text","text":"%d\\n[exit code 0]"'
        assert.is_truthy(result.out:find(wanted:format(index, index % 4 + 1), 1, true),
          result.out)
      end
    end)
  end)
end

describe("the tool run", function()
  local host

  before_each(function() host = boxed.host("") end)
  after_each(function() host:close() end)

  it("is off unless it is enabled", function()
    local result = host:sh("./croft call tenants/acme run command=true")
    assert.equal(2, result.status)
    assert.is_truthy(result.err:find('no tool "run"', 1, true))
    assert.is_nil(host:sh("./croft tools").out:find("\nrun", 1, true))
  end)

  it("is one of the tools when it is enabled", boxed.needs("", skip, function()
    assert.equal(0, host:sh("./croft tools --enable run").status)
  end))

  it("is refused at the start, with the reason, where there is no bubblewrap", function()
    local result = host:sh("PATH=/none ./croft call tenants/acme run command=true --enable run")
    assert.equal(2, result.status)
    assert.equal("croft: run cannot be enabled: there is no bubblewrap (bwrap) on the PATH\n",
      result.err)
  end)

  it("is refused where a command could change what tools may not", boxed.needs("", skip, function()
    host:sh("mkdir tenants/acme/docs")
    local result = host:sh("./croft call tenants/acme run command=true --enable run")
    local old = host:sh("bwrap --version").out:match(" 0%.(%d+)")
    if not old or tonumber(old) >= 12 then return assert.equal(0, result.status) end
    assert.equal(2, result.status)
    assert.matches('root: "docs" in it is read%-only', result.err)
  end))

  it("says that there are no commands where the host has none", function()
    local testing = require("croft.testing")
    local session = testing.session { enable = { "run" } }
    local result = session:call("run", { command = "true" })
    session:close()
    assert.equal("denied", result.code)
    assert.equal("The host runs no commands here. Nothing was run. Use read, grep and edit.",
      result.text)
  end)

  it("refuses what no program can be started with", function()
    local testing = require("croft.testing")
    local session <close> = testing.session { enable = { "run" } }
    local result = session:call("run", { command = "a\0b" })
    assert.equal("bad_argument", result.code)
    assert.equal('"command" has a NUL character in it, and no command can have one. Nothing was '
      .. 'run. Send "command" without it.', result.text)
    result = session:call("run", { command = ("x"):rep(128 * 1024) })
    assert.equal("bad_argument", result.code)
    assert.equal('"command" is 131072 bytes, and may be 131071 at most. Nothing was run. Send '
      .. "less: put a long script into a file with write, and run that.", result.text)
    assert.equal("denied", session:call("run", { command = ("x"):rep(128 * 1024 - 1) }).code)
  end)

  for _, case in ipairs {
    { "a limit of its own without it", "--run-limit seconds=5", "goes with --enable run" },
    { "rules that it would get round", "--enable run --policy view.json", "with --policy" },
    { "a limit that there is not", "--enable run --run-limit sec=5", "needs seconds" },
    { "a limit that is none", "--enable run --run-limit seconds=0", "is no value" },
  } do
    it("ends with 2 for " .. case[1], function()
      local result = host:sh("./croft call tenants/acme run command=true " .. case[2])
      assert.equal(2, result.status)
      assert.is_truthy(result.err:find(case[3], 1, true), result.err)
    end)
  end
end)
