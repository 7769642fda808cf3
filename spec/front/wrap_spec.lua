-- SPDX-License-Identifier: MIT
--- croft wrap: what a program finds in a view, and that nothing of it reaches the host. S1-8
local boxed = require("boxed")
local drive = require("spec.front.drive")
local tree = require("tree")

local version = tree.output("bwrap --version 2>/dev/null"):match("bubblewrap 0%.(%d+)")
local can_be_led_astray = version and tonumber(version) < 12

local function skip(reason) pending(reason) end

for _, user in ipairs(boxed.users) do
  local name, prefix = user[1], user[2]

  describe("a program that " .. name .. " runs in a view", function()
    local host

    local function box(sentence, body) it(sentence, boxed.needs(prefix, skip, body)) end

    before_each(function() host = boxed.host(prefix, '"env":["CROFT_SHOWN"]') end)
    after_each(function() host:close() end)

    box("finds the trees of the view, the system's, and nothing else", function() -- S1-3 S1-4 S1-7
      local result = host:run("ls -A / | tr '\n' ' '; pwd; cat file /global/docs/read.md /skills/s "
        .. host.base .. "/tools/t; ls -A " .. host.base)
      assert.equal("bin dev etc global home lib lib64 proc sbin skills tmp usr workspace "
        .. "/workspace\nmine\nof all\nskill\ntool\ncache\ntools\n", result.out)
      assert.equal(0, result.status)
    end)

    box("does not find its neighbours, nor what links to them", function() -- S1-6
      local result = host:run(("cat neighbour shadow %s/tenants/other/file ../other/file; "
        .. "grep -rs neighbour / --exclude-dir=proc --exclude-dir=usr"):format(host.base))
      assert.equal("", result.out)
    end)

    box("reads nothing of what is hidden, and cannot change it", function() -- S1-5 S1-18 D6
      local before = host:state()
      local result = host:run("cat /global/secrets.enc.json && "
        .. "stat -c %s /global/secrets.enc.json; "
        .. "ls -A /global/billing; for f in /global/secrets.enc.json /global/billing/new; do "
        .. "echo x >$f || echo refused; done 2>/dev/null; rm -f /global/secrets.enc.json; "
        .. "mv /global/billing /global/b; umount /global/secrets.enc.json; umount /global/billing; "
        .. "cat /global/secrets.enc.json; ls -A /global/billing")
      assert.equal("0\nrefused\nrefused\n", result.out)
      assert.equal(before, host:state())
    end)

    box("writes where the view says so, and nowhere else", function() -- S1-20 S1-21 D7
      local result = host:run(("for d in / /etc /usr /global /global/docs /home/agent /dev /skills "
        .. "%s/tools /proc/sys/kernel; do touch $d/new 2>/dev/null && echo $d; done; "
        .. "for d in . /workspace/src /tmp /dev/shm %s/cache; do touch $d/new || echo no $d; done; "
        .. "echo x >/dev/null && echo y >/global/docs/read.md"):format(host.base, host.base))
      assert.equal("", result.out)
      assert.equal(0, host:sh("test -e tenants/acme/new -a -e tenants/acme/src/new -a -e cache/new "
        .. "&& ! find global shared tools -name new | grep .").status)
    end)

    box("writes nowhere but in /tmp where the view is read-only", function()
      local result = host:run(("for d in . src /skills %s/cache; do touch $d/new && echo $d; done "
        .. "2>/dev/null; touch /tmp/new && echo tmp"):format(host.base), "--read-only")
      assert.equal("tmp\n", result.out)
    end)

    box("has a /tmp that is small, and gone afterwards", function()
      local result = host:run("! head -c 300M /dev/zero >/tmp/big 2>/dev/null && rm /tmp/big")
      assert.equal(0, result.status)
      assert.equal("", host:run("find /tmp -name big").out)
    end)

    box("sees no process of the host", function()
      local result = host:run("ls -d /proc/[0-9]* | wc -l; kill -0 " .. tree.output("echo $PPID"))
      assert.is_true(tonumber(result.out) < 8)
      assert.not_equal(0, result.status)
    end)

    box("has no network but its own loopback, unless the view says so", function()
      local outside = tree.output("readlink /proc/self/ns/net")
      assert.equal("lo\n", host:run("sed -n 's/: .*//; 3,$s/ //gp' /proc/net/dev").out)
      assert.not_equal(outside, host:run("readlink /proc/self/ns/net").out)
      host:close()
      host = boxed.host(prefix, '"net":"host"')
      assert.equal(outside, host:run("readlink /proc/self/ns/net").out)
    end)

    box("has no rights, and cannot get any", function()
      local result = host:run("grep -E '^(Cap(Eff|Prm|Bnd|Inh|Amb)|NoNewPrivs|Seccomp):' "
        .. "/proc/self/status | tr -d '\t' | tr '\n' ' '; unshare -U true || echo no; "
        .. "mount -t tmpfs none /tmp || echo no; mount -o remount,rw / || echo no; "
        .. "chroot / true || echo no")
      assert.equal("CapInh:0000000000000000 CapPrm:0000000000000000 CapEff:0000000000000000 "
        .. "CapBnd:0000000000000000 CapAmb:0000000000000000 NoNewPrivs:1 Seccomp:2 "
        .. "no\nno\nno\nno\n", result.out)
    end)

    box("cannot write into the terminal of who started it", function()
      local result = host:run("python3 -c 'import fcntl, os, sys\n"
        .. "try: fcntl.ioctl(0, 0x5412, b\"x\")\n"
        .. "except OSError as e: print(e.errno)\n"
        .. "try: os.setsid()\n"
        .. "except OSError as e: print(\"leads\")\n"
        .. "print(os.getsid(0) != 0)'")
      assert.matches("^1\n", result.out)
    end)

    box("has no descriptor but three, and no variable that was not named", function() -- P13
      local result = host:sh("export CROFT_SHOWN=shown CROFT_UNSHOWN=unshown; "
        .. "exec 9</etc 8<view.json; " .. prefix
        .. "./croft wrap --view view.json --tenant acme -- sh -c "
        .. "'echo /proc/self/fd/*; env | sort'")
      assert.equal("/proc/self/fd/0 /proc/self/fd/1 /proc/self/fd/2 /proc/self/fd/3\n"
        .. "CROFT_SHOWN=shown\nHOME=/home/agent\nLANG=C.UTF-8\n"
        .. "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin\nPWD=/workspace\n"
        .. "TMPDIR=/tmp\n", result.out)
    end)

    box("ignores no signal that who started it ignores", function() -- P22
      local result = host:sh("trap '' CHLD TERM HUP; " .. prefix
        .. "./croft wrap --view view.json --tenant acme -- sh -c 'grep SigIgn /proc/self/status'")
      assert.equal("SigIgn:\t0000000000000000\n", result.out)
    end)

    box("gives its exit status", function() -- P15
      assert.equal(0, host:run("exit 0").status)
      assert.equal(1, host:run("exit 1").status)
      assert.equal(42, host:run("exit 42").status)
      assert.equal(128 + 9, host:run("kill -9 $$").status)
      local result = host:sh(prefix
        .. "./croft wrap --view view.json --tenant acme -- no-such-program")
      assert.equal(125, result.status)
      assert.matches("croft: the program was not started\n$", result.err)
    end)

    box("needs what masks are made of for masks alone, and says which is at fault", function()
      if prefix == "" then return end -- root's lies in /run
      host:sh("mkdir -m 777 runtime runtime/croft; chmod 777 runtime runtime/croft")
      prefix = prefix .. "env XDG_RUNTIME_DIR=" .. host.base .. "/runtime "
      local masked = host:sh(prefix .. "./croft wrap --view view.json --tenant acme -- true")
      local plain = host:sh(prefix .. "./croft wrap tenants/acme -- echo fine")
      prefix = user[2]
      assert.equal(2, masked.status)
      assert.is_truthy(masked.err:find(('"%s/runtime/croft": what masks put in the place of files '
        .. 'could be changed by somebody else'):format(host.base), 1, true), masked.err)
      assert.equal("fine\n", plain.out)
    end)

    box("starts in the directory that is asked for", function() -- S1-16
      assert.equal("/workspace/src\n", host:run("pwd", "--cwd $PWD/tenants/acme/src").out)
      assert.equal("/global/docs\n", host:run("pwd", "--cwd $PWD/global/docs").out)
      for _, place in ipairs { "global/billing", "tenants/other", "shared", "none" } do
        local result = host:run("pwd", "--cwd $PWD/" .. place)
        assert.equal(2, result.status)
        assert.matches("no directory that the view shows", result.err)
      end
    end)

    box("ends with all that it started when who started it ends", function()
      local result = host:sh("mkfifo up && { " .. prefix
        .. "./croft wrap --view view.json --tenant acme -- sh -c "
        .. "'(setsid sleep 7654321 &) ; (sleep 7654321 &); echo up; exec sleep 7654321' >up & } && "
        .. "croft=$! && read -r line <up && test $(pgrep -c -f 'sleep 7654321') -ge 3 && "
        .. "pkill -KILL -P $croft; kill -KILL $croft 2>/dev/null; "
        .. "for i in $(seq 1000); do pgrep -f '^sleep 7654321' >/dev/null || exit 0; done; exit 9")
      assert.equal(0, result.status)
    end)

    box("is started with nothing of the view in the list of processes", function()
      local result = host:sh("mkfifo up down && { " .. prefix
        .. "./croft wrap --view view.json --tenant acme -- sh -c 'echo up; read x' "
        .. ">up <down & } && "
        .. "exec 7<>down && read -r line <up && for p in $(pgrep -x bwrap); do "
        .. "tr '\\0' ' ' </proc/$p/cmdline | grep 'echo up'; done; echo >&7; wait")
      assert.matches("bwrap %-%-args 3 %-%- sh %-c echo up; read x", result.out)
      assert.is_nil(result.out:find(host.base, 1, true))
    end)

    -- CVE-2026-87766: bubblewrap before 0.12 follows a link of the tenant's to where it mounts.
    box("leaves nothing on the host, whatever links lie in its tree", function()
      host:sh("mkdir victim && chmod 777 victim")
      local planted = {}
      for _, link in ipairs { "cfg", "global", "skills", "tmp", "workspace", "home", ".", "dev",
        "src/cfg", "secrets.enc.json", "tools" } do
        planted[#planted + 1] = ("ln -sfn /oldroot%s/victim tenants/acme/%s 2>/dev/null"):format(
          host.base, link)
      end
      host:sh(table.concat(planted, "; "))
      local before = host:state()
      assert.equal(0, host:run("true").status)
      assert.equal(before, host:state())
      if not can_be_led_astray then return end

      -- That it would be so, were a mount aimed there.
      host:sh(("%sbwrap --unshare-user --ro-bind /usr /usr --symlink usr/bin /bin --symlink "
        .. "usr/lib /lib --symlink usr/lib64 /lib64 --bind tenants/acme /workspace --ro-bind "
        .. "/etc/hosts /workspace/cfg/planted -- true"):format(prefix))
      assert.equal("planted\n", host:sh("ls victim").out)
    end)

    box("is refused where a mask or mount would lie in what it can write", function()
      local before = host:state()
      local result = host:sh(prefix
        .. "./croft wrap tenants/acme --hide $PWD/tenants/acme/src -- true")
      if can_be_led_astray then
        assert.equal(2, result.status)
        assert.matches("lies in what can be written inside", result.err)
      end
      result = host:sh(prefix .. "./croft wrap tenants/acme --mount a=$PWD/cache "
        .. "--mount a/b=$PWD/tools:ro -- true")
      assert.equal(2, result.status)
      assert.equal(before, host:state())
    end)

    box("is refused where a mask could not hold", function() -- D4
      for _, case in ipairs {
        { "--hide $PWD/global/later", "does not exist: a subprocess could not be kept from it" },
        { "--hide $PWD/global/link", "is a link: name what it leads to" },
      } do
        host:sh("ln -sfn secrets.enc.json global/link")
        local result = host:sh(prefix .. "./croft wrap tenants/acme --mount g=$PWD/global:ro "
          .. case[1] .. " -- true")
        assert.equal(2, result.status)
        assert.is_truthy(result.err:find(case[2], 1, true), result.err)
      end
    end)

    -- bubblewrap itself takes time that grows with the square of their number.
    box("can have hundreds of masks", function()
      local list = {}
      for index = 1, 300 do list[index] = ('"%s/global/docs/%d"'):format(host.base, index) end
      host:sh("cd global/docs && for i in $(seq 300); do echo $i >$i; done")
      host:hide(list)
      local result = host:run("cat /global/docs/[0-9]* | wc -c; cat /global/docs/read.md")
      assert.equal("0\nof all\n", result.out)
    end)

    box("is what the printed command starts", function()
      local result = host:sh(("eval \"$(%s./croft wrap --view view.json --tenant acme --print -- "
        .. "sh -c 'cat file; ls -A /global/billing; exit 3')\""):format(prefix))
      assert.equal("mine\n", result.out)
      assert.equal(3, result.status)
    end)
  end)
end

describe("croft wrap", function()
  local host

  before_each(function() host = boxed.host("") end)
  after_each(function() host:close() end)

  for _, case in ipairs {
    { "there is no bubblewrap", "PATH=/none", "there is no bubblewrap (bwrap) on the PATH" },
    { "bubblewrap is setuid", "cp /usr/bin/bwrap . && chmod 4755 bwrap && PATH=$PWD:$PATH",
      "bubblewrap (bwrap) is setuid here" },
    { "bubblewrap may not make namespaces", "printf '#!/bin/sh\n[ $1 = --version ] && "
      .. "echo bubblewrap 0.8.0 && exit\necho bwrap: setting up uid map: Permission denied >&2; "
      .. "exit 1\n' >bwrap && chmod +x bwrap && PATH=$PWD:$PATH",
      "bubblewrap cannot make its namespaces: bwrap: setting up uid map: Permission denied" },
    { "bubblewrap may not mount a /proc", "printf '#!/bin/sh\n[ $1 = --version ] && "
      .. "echo bubblewrap 0.8.0 && exit\n"
      .. "case \"$*\" in *--proc*) echo no proc >&2; exit 1;; esac\n' "
      .. ">bwrap && chmod +x bwrap && PATH=$PWD:$PATH",
      "bubblewrap cannot make its /proc, /dev or network: no proc" },
  } do
    it("says why when " .. case[1], function()
      local result = host:sh(case[2] .. " ./croft wrap tenants/acme -- true")
      if case[2]:find("&&") then
        result = host:sh(case[2]:gsub(" PATH=", " export PATH=") .. " && ./croft wrap tenants/acme "
          .. "-- true")
      end
      assert.equal(2, result.status)
      assert.is_truthy(result.err:find(case[3], 1, true), result.err)
    end)
  end

  for _, case in ipairs {
    { "no root", "wrap", "needs ROOT" },
    { "no program", "wrap tenants/acme", "needs COMMAND" },
    { "no program in a view", "wrap --view view.json --tenant acme", "needs COMMAND" },
    { "a view that is none", "wrap --view croft -- true", "view" },
    { "a tenant that is none", "wrap --view view.json --tenant ../acme -- true", "is no name" },
    { "no tenant", "wrap --view view.json -- true", "tenant" },
  } do
    it("ends with 2 for " .. case[1], function()
      local result = host:sh("./croft " .. case[2])
      assert.equal(2, result.status)
      assert.equal("", result.out)
      assert.is_truthy(result.err:find(case[3], 1, true), result.err)
    end)
  end

  it("is explained in two ways that are the same", function()
    local result = drive.run("wrap", "--help")
    assert.equal(0, result.status)
    assert.equal(result.out, drive.run("help", "wrap").out)
  end)
end)
