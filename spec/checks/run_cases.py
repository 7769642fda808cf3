#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs JSON-lines case files against an MCP server command over stdio. No dependencies.

usage: run_cases.py [options] FILE.jsonl... -- CMD [ARG...]     ({ws} in an ARG is the root)

One case a line (blank lines and lines that start with # are skipped):
  {"id":"read-1","source":"where it comes from","setup":["printf 'a\\n' > a.txt"],
   "tool":"read","args":{"path":"a.txt"},
   "expect":{"is_error":false,"contains":["a"],"not_contains":["b"]},
   "after":["test -f a.txt"],"why":"one line"}

Every case gets a fresh directory P with P/ws (the root) and P/outside/secret.txt (TOPSECRET).
setup and after are shell lines (bash, each on its own; a non-zero exit fails the case). They
run in ws; in P when the case has "base":"parent", or when a setup line (for after: a setup or
after line) names `outside` or `ws/`. $WS, $OUT and $P hold the absolute paths.

args values may hold {"$repeat":["a",N]}, {"$b64":"..."} (bytes put on the wire as they are),
{"$concat":[...]}, {"$ws":"rel"} (the absolute path of rel in the root).

expect: is_error (an isError result or a JSON-RPC error), contains, not_contains, regex, not_regex
(each a string or a list; against the text of the result or the error message; the not_ ones
against the whole reply too), rpc_error (a code), max_bytes, min_bytes, equals (the whole text),
max_ms, alive (default true: the server still answers a ping).
Instead of tool/args/expect a case may have "calls":[{"tool","args","expect","setup","after"},...],
run in one session; more keys: "flags":[...] (more server arguments), "env":{...}, "timeout":s,
"era":"modern", "skip":"reason", "needs" or "requires":["nonroot"|"root"|"mount"|"mknod"|"cmd:NAME"...],
"allow_secret":true, "allow_root_path":true (or "leak_ok":true for both), "allow_outside":true,
"root":"name" (what in P is passed for {ws}; default ws), "during":[shell lines in P after the server
started and listed its tools, before the call], "alt":{another acceptable expect} with "alt_after",
"alt_is_error":bool (the other verdict passes too, then contains is waived), "timeout_s"/"deadline_s":s
(the call must end within), "max_bytes"/"min_bytes", "policy":"which choice of ours this case is about",
"final":true (repair.py: the refusal proposes no next call).
nonroot: the server runs as uid 0 without any capability (setpriv). In all strings @BASE@ is P,
{{ROOT}} is the root, @UNIQ@ a name never used before.

Over and above expect, each case fails when the reply holds TOPSECRET or the absolute path of
the root (unless allowed), when outside/ changed (unless allow_outside), when the server died,
or when stdout held anything but JSON-RPC.

Options: --prefix P | --map FILE   --only REGEX  --jobs N (2)  --timeout S (10)  --no-leak-check
         --mounts  --skip-policy  --keep  --verbose (a line for each case)  --list  --strict-keys (unknown keys are errors)
Prints one line for each failing case and ends with 'N passed, N failed' (', N skipped').
"""
import argparse, base64, concurrent.futures, hashlib, os, re, shutil, signal, subprocess, sys, tempfile, threading, time
from mcp_stdio import *

KEYS = {"id", "source", "setup", "tool", "args", "expect", "after", "why", "base", "calls", "flags", "env", "timeout", "era",
        "skip", "needs", "requires", "allow_secret", "allow_root_path", "leak_ok", "allow_outside", "tags", "root", "during",
        "alt", "alt_after", "alt_is_error", "timeout_s", "deadline_s", "max_bytes", "min_bytes", "policy", "final"}
EKEYS = {"is_error", "contains", "not_contains", "regex", "not_regex", "rpc_error", "max_bytes", "min_bytes", "equals", "max_ms", "alive"}
PARENT = re.compile(r"\boutside\b|(?<![A-Za-z0-9_.-])ws/")


def expand(v, ws):
    if isinstance(v, dict):
        if set(v) == {"$repeat"}:
            return expand(v["$repeat"][0], ws) * int(v["$repeat"][1])
        if set(v) == {"$b64"}:
            return base64.b64decode(v["$b64"]).decode("utf-8", "surrogateescape")
        if set(v) == {"$concat"}:
            return "".join(expand(x, ws) for x in v["$concat"])
        if set(v) == {"$ws"}:
            return os.path.normpath(os.path.join(ws, v["$ws"]))
        return {k: expand(x, ws) for k, x in v.items()}
    if isinstance(v, list):
        return [expand(x, ws) for x in v]
    return v


def wire(o):
    """JSON text; surrogate-escaped bytes go out raw, true lone surrogates as \\u escapes."""
    s = json.dumps(o, ensure_ascii=False, separators=(",", ":"))
    s = re.sub("[\ud800-\udc7f\udd00-\udfff]", lambda m: "\\u%04x" % ord(m.group()), s)
    return s.encode("utf-8", "surrogateescape")


def subst(v, parent, ws, uniq):
    if isinstance(v, str):
        return v.replace("@BASE@", parent).replace("{{ROOT}}", ws).replace("@UNIQ@", uniq)
    if isinstance(v, list):
        return [subst(x, parent, ws, uniq) for x in v]
    if isinstance(v, dict):
        return {subst(k, parent, ws, uniq): subst(x, parent, ws, uniq) for k, x in v.items()}
    return v


def aslist(x):
    return [] if x is None else x if isinstance(x, list) else [x]


def needs_of(case):
    return aslist(case.get("needs")) + aslist(case.get("requires"))


def unmount_below(d):
    for _ in range(3):
        with open("/proc/self/mountinfo") as f:
            mp = [l.split()[4].encode().decode("unicode_escape") for l in f]
        mp = sorted((m for m in mp if m == d or m.startswith(d + "/")), reverse=True)
        if not mp:
            return True
        for m in mp:
            subprocess.run(["umount", m], stderr=subprocess.DEVNULL)
    return False


def digest(d):
    h = []
    for root, dirs, files in os.walk(d):
        dirs.sort()
        for n in sorted(files) + sorted(dirs):
            p = os.path.join(root, n)
            st = os.lstat(p)
            body = b""
            if os.path.islink(p):
                body = os.readlink(os.fsencode(p))
            elif os.path.isfile(p) and st.st_size < 1 << 20:
                try:
                    with open(p, "rb") as f:
                        body = f.read()
                except OSError:
                    pass
            h.append((os.path.relpath(p, d), st.st_mode, hashlib.sha1(body).hexdigest()))
    return h


class Bad(Exception):
    pass


def sh(lines, cwd, env, what):
    for l in aslist(lines):
        try:
            r = subprocess.run(["bash", "-c", l], cwd=cwd, env=env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=30)
        except subprocess.TimeoutExpired:
            raise Bad("%s timed out: %s" % (what, l))
        if r.returncode != 0:
            raise Bad("%s failed (%d): %s%s" % (what, r.returncode, l, " :: " + r.stdout.decode("utf-8", "replace").strip()[:150] if r.stdout.strip() else ""))


def text_of(msg):
    if msg is None:
        return ""
    if "error" in msg:
        return str(msg["error"].get("message", ""))
    out = []
    for c in msg.get("result", {}).get("content", []) or []:
        if not isinstance(c, dict):
            continue
        if c.get("type") == "text":
            out.append(c.get("text", ""))
        elif c.get("type") == "resource":
            out.append(str(c.get("resource", {}).get("text", "")))
        elif "uri" in c:
            out.append(c["uri"])
    return "\n".join(out)


def judge(e, m, raw, ms):
    unknown = set(e) - EKEYS
    if unknown:
        raise Bad("unknown expect key %s" % sorted(unknown))
    if m is None:
        raise Bad("no reply")
    t = text_of(m)
    cut = lambda: repr(t[:160])
    is_err = "error" in m or m["result"].get("isError") is True
    if "is_error" in e and is_err != e["is_error"]:
        raise Bad("is_error is %s: %s" % (is_err, cut()))
    if "rpc_error" in e and m.get("error", {}).get("code") != e["rpc_error"]:
        raise Bad("wanted JSON-RPC error %s: %s" % (e["rpc_error"], cut()))
    for x in aslist(e.get("contains")):
        if x not in t:
            raise Bad("does not contain %r: %s" % (x, cut()))
    for x in aslist(e.get("not_contains")):
        if x in t or x in raw:
            raise Bad("contains %r: %s" % (x, cut()))
    for x in aslist(e.get("regex")):
        if not re.search(x, t, re.M):
            raise Bad("no match for /%s/: %s" % (x, cut()))
    for x in aslist(e.get("not_regex")):
        if re.search(x, t, re.M):
            raise Bad("matches /%s/: %s" % (x, cut()))
    if "equals" in e and t != e["equals"]:
        raise Bad("text is not %r: %s" % (e["equals"][:120], cut()))
    n = len(t.encode("utf-8", "surrogatepass"))
    if "max_bytes" in e and n > e["max_bytes"]:
        raise Bad("%d bytes, more than %d" % (n, e["max_bytes"]))
    if "min_bytes" in e and n < e["min_bytes"]:
        raise Bad("%d bytes, fewer than %d" % (n, e["min_bytes"]))
    if "max_ms" in e and ms > e["max_ms"]:
        raise Bad("took %d ms, more than %d" % (ms, e["max_ms"]))


def run_case(case, a, cmd, tm):
    parent = tempfile.mkdtemp(prefix="mcpcase.")
    ws = os.path.join(parent, "ws")
    srv = None
    try:
        os.mkdir(ws)
        os.mkdir(os.path.join(parent, "outside"))
        with open(os.path.join(parent, "outside", "secret.txt"), "w") as f:
            f.write("TOPSECRET\n")
        case = subst(case, parent, ws, "uniq" + os.path.basename(parent).replace(".", ""))
        if case.get("leak_ok"):
            case["allow_secret"] = case["allow_root_path"] = True
        env = dict(os.environ, WS=ws, OUT=os.path.join(parent, "outside"), P=parent, LC_ALL="C.UTF-8")
        calls = case.get("calls") or [{k: case[k] for k in ("tool", "args", "expect") if k in case}]
        up = case.get("base") == "parent"
        hit = lambda ls: any(PARENT.search(l) for l in aslist(ls))
        s_up = up or hit(case.get("setup"))
        sh(case.get("setup"), parent if s_up else ws, env, "setup")
        before = digest(os.path.join(parent, "outside"))
        argv = cmd + [x for x in case.get("flags", [])]
        if "nonroot" in needs_of(case) and os.geteuid() == 0:
            argv = ["setpriv", "--bounding-set=-all", "--inh-caps=-all"] + argv
        srv = Server(argv, os.path.join(parent, case["root"]) if case.get("root") else ws, extra_env=case.get("env"), logdir=parent)
        modern = case.get("era") == "modern"
        if not modern and srv.initialize() is None:
            raise Bad("no reply to initialize: " + srv.stderr_text().strip()[-160:])
        tmo = case.get("timeout", case.get("timeout_s", case.get("deadline_s", a.timeout)))
        if case.get("during"):
            srv.request("tools/list", {"_meta": modern_meta()} if modern else None)
            sh(case["during"], parent, env, "during")
            before = digest(os.path.join(parent, "outside"))
        took_alt = False
        for i, call in enumerate(calls):
            if call.get("setup") and call is not case and case.get("calls"):
                sh(call["setup"], parent if up or s_up or hit(call["setup"]) else ws, env, "setup of call %d" % i)
            args = expand(call.get("args", {}), ws)
            id_ = "case-%d" % i
            params = {"name": tm.name(call["tool"]), "arguments": tm.args(call["tool"], args, ws)}
            if modern:
                params["_meta"] = modern_meta()
            start = len(srv.msgs)
            t0 = time.monotonic()
            line = wire({"jsonrpc": "2.0", "id": id_, "method": "tools/call", "params": params})
            srv.send_raw(line + b"\n")
            # a line that is not UTF-8 gets its error under no id
            odd = False
            try:
                line.decode("utf-8")
            except UnicodeDecodeError:
                odd = True
            m = srv.wait(lambda o: "method" not in o and (o.get("id") == id_ or (odd and o.get("id") is None and "error" in o)), tmo, start)
            ms = (time.monotonic() - t0) * 1000
            e = dict(call.get("expect", {}))
            for k in ("max_bytes", "min_bytes"):
                if k in case:
                    e.setdefault(k, case[k])
            try:
                try:
                    judge(e, m.obj if m else None, m.raw.decode("utf-8", "replace") if m else "", ms)
                except Bad:
                    alts = [case["alt"]] if case.get("alt") else []
                    if "alt_is_error" in case:
                        alts.append({k: v for k, v in e.items() if k not in ("contains", "is_error", "regex", "equals", "min_bytes")})
                    for alt in alts:
                        try:
                            judge(dict(alt, not_contains=aslist(alt.get("not_contains")) + aslist(e.get("not_contains"))), m.obj if m else None, m.raw.decode("utf-8", "replace") if m else "", ms)
                            took_alt = True
                            break
                        except Bad:
                            pass
                    else:
                        raise
            except Bad as x:
                raise Bad(("call %d: " % i if len(calls) > 1 else "") + str(x) + ("" if m or srv.alive() else " (the server died, exit %s)" % srv.p.poll()))
            if a.leak_check:
                raw = m.raw.decode("utf-8", "replace")
                both = raw + "\n" + text_of(m.obj)
                if "TOPSECRET" in both and not case.get("allow_secret"):
                    raise Bad("the reply holds TOPSECRET")
                if parent in both and not case.get("allow_root_path") and parent not in json.dumps(args, ensure_ascii=False):
                    raise Bad("the reply tells the path of the root: %r" % text_of(m.obj)[:160])
            elif "TOPSECRET" in m.raw.decode("utf-8", "replace") and not case.get("allow_secret"):
                raise Bad("the reply holds TOPSECRET")
            if call is not case and call.get("after"):
                sh(call["after"], parent if up or s_up or hit(call["after"]) else ws, env, "after of call %d" % i)
            if e.get("alive", True) and not (srv.alive() and (srv.request("tools/list", {"_meta": modern_meta()}) if modern else srv.request("ping", timeout=5))):
                raise Bad("the server no longer answers (exit %s)" % srv.p.poll())
        if srv.impure:
            raise Bad("stdout: " + srv.impure[0])
        after = case.get("after")
        if after:
            where = parent if s_up or hit(after) or case.get("root") or case.get("during") else ws
            try:
                sh(after, where, env, "after")
            except Bad:
                if not case.get("alt_after"):
                    raise
                sh(case["alt_after"], where, env, "alt_after")
        if not case.get("allow_outside"):
            if digest(os.path.join(parent, "outside")) != before:
                raise Bad("something changed in outside/")
        stray = set(os.listdir(parent)) - {"ws", "outside"}
        stray = {x for x in stray if not x.startswith("stderr.")}
        srv.close_stdin()
        rc, _ = srv.wait_exit(5)
        if rc is None or (rc != 0 and a.exit_check):
            raise Bad("after EOF: exit %s" % rc)
        return None
    except Bad as x:
        return str(x)
    except Exception as x:
        return "harness: %s: %s" % (type(x).__name__, x)
    finally:
        if srv:
            srv.kill()
        if a.keep:
            print("kept %s (%s)" % (parent, case.get("id")), file=sys.stderr)
        else:
            if os.geteuid() != 0:
                subprocess.run(["chmod", "-R", "u+rwX", parent], stderr=subprocess.DEVNULL)
            if unmount_below(parent):  # never walk into a mount that a case left behind
                subprocess.run(["rm", "-rf", "--one-file-system", parent], stderr=subprocess.DEVNULL)  # rm: deep trees
            else:
                print("left in place, something is still mounted there: %s" % parent, file=sys.stderr)


def skip_reason(case, tm, mounts=False):
    if case.get("skip"):
        return case["skip"]
    for n in needs_of(case):
        if n == "nonroot" and os.geteuid() == 0 and not shutil.which("setpriv"):
            return "needs setpriv"
        if n in ("mount", "mknod") and os.geteuid() != 0:
            return "needs root"
        if n == "mount" and not mounts:
            return "mounts something: run with --mounts"
        if n == "root" and os.geteuid() != 0:
            return "needs root"
        if n.startswith("cmd:") and not shutil.which(n[4:]):
            return "needs " + n[4:]
    for c in case.get("calls") or [case]:
        if c.get("tool") in ("list", "read", "grep", "write", "edit") and not tm.has(c["tool"]):
            return "the map has no " + c["tool"]
    return None


def main():
    argv, cmd = split_cmd(sys.argv[1:])
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("files", nargs="+")
    p.add_argument("--prefix", default="")
    p.add_argument("--map")
    p.add_argument("--only")
    p.add_argument("--jobs", type=int, default=2)
    p.add_argument("--timeout", type=float, default=10)
    p.add_argument("--no-leak-check", dest="leak_check", action="store_false")
    p.add_argument("--no-exit-check", dest="exit_check", action="store_false")
    p.add_argument("--keep", action="store_true")
    p.add_argument("--verbose", action="store_true")
    p.add_argument("--list", action="store_true")
    p.add_argument("--strict-keys", action="store_true")
    p.add_argument("--mounts", action="store_true", help="run the cases that mount file systems below their own directory (root; unmounted afterwards)")
    p.add_argument("--skip-policy", action="store_true", help="leave out cases that carry a policy key")
    a = p.parse_args(argv)
    cases, broken = [], []
    for f in a.files:
        seen = set()
        with open(f, encoding="utf-8") as fh:
            for n, l in enumerate(fh, 1):
                if not l.strip() or l.lstrip().startswith("#"):
                    continue
                try:
                    c = json.loads(l)
                    if "id" not in c or not ("tool" in c or "calls" in c):
                        raise ValueError("no id, or neither tool nor calls")
                    if c["id"] in seen:
                        raise ValueError("id %r is used twice" % c["id"])
                    if a.strict_keys and set(c) - KEYS:
                        raise ValueError("unknown keys %s" % sorted(set(c) - KEYS))
                    seen.add(c["id"])
                    cases.append(c)
                except ValueError as e:
                    broken.append("%s:%d: %s" % (f, n, e))
    if a.skip_policy:
        cases = [c for c in cases if not c.get("policy")]
    if a.only:
        cases = [c for c in cases if re.search(a.only, c["id"])]
    if a.list:
        for c in cases:
            print(c["id"], "-", c.get("why", ""))
        return 0
    if not cmd:
        p.error("no server command after --")
    signal.signal(signal.SIGPIPE, signal.SIG_IGN)
    for b in broken:
        print("FAIL case file %s" % b)
    tm = ToolMap(a.prefix, a.map)
    passed, failed, skipped = 0, len(broken), 0
    lock = threading.Lock()

    def one(c):
        nonlocal passed, failed, skipped
        why = skip_reason(c, tm, a.mounts)
        r = None if why else run_case(c, a, cmd, tm)
        with lock:
            if why:
                skipped += 1
                if a.verbose:
                    print("SKIP %s: %s" % (c["id"], why))
            elif r:
                failed += 1
                print("FAIL %s: %s%s" % (c["id"], r.replace("\n", "\\n"), " | why: " + c["why"] if c.get("why") else ""))
            else:
                passed += 1
                if a.verbose:
                    print("PASS %s" % c["id"])
            sys.stdout.flush()

    with concurrent.futures.ThreadPoolExecutor(max(1, a.jobs)) as ex:
        list(ex.map(one, cases))
    print("%d passed, %d failed%s" % (passed, failed, ", %d skipped" % skipped if skipped else ""))
    return 0 if failed == 0 else 1


if __name__ == "__main__":
    sys.exit(main())
