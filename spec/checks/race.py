#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""race.py --cmd 'server ROOT' --n 20000 : drive an MCP stdio workspace server while another process swaps
directories / files with symlinks (renameat2 RENAME_EXCHANGE) under it.  Counts escapes. Standard library only.
ROOT (or {root}) in --cmd is replaced by the session root.  Exit: 0 clean, 1 escape, 2 harness/hang/crash/not raced."""
import argparse, ctypes, json, os, random, select, shlex, shutil, signal, subprocess, sys, tempfile, time
libc = ctypes.CDLL(None, use_errno=True)
NONCE = "%08x" % random.getrandbits(32)
MARK = "TOPSECRET-" + NONCE
P = os.path.join

def put(p, s, mode=0o644):
    os.makedirs(os.path.dirname(p), exist_ok=True)
    with open(p, "w") as f: f.write(s)
    os.chmod(p, mode)

def build(base):
    ws, out = P(base, "ws"), P(base, "outside")
    put(P(base, "secret.txt"), "KEEP %s-above\n" % MARK)               # above the root: for the '..' race
    for d in (out, P(out, "sub")):
        put(P(d, "secret.txt"), "KEEP %s\n" % MARK); put(P(d, "name-" + MARK), "x\n")
    for d in ("d", "e", "d/sub", "e/sub"): put(P(ws, d, "secret.txt"), "KEEP inside\n")
    put(P(ws, "f.txt"), "KEEP inside\n"); put(P(ws, "secret.txt"), "KEEP inside-root\n")
    put(P(ws, "skills/s.md"), "KEEP skill\n"); put(P(ws, "w/s.md"), "KEEP w\n")
    os.makedirs(P(ws, "p/c")); os.makedirs(P(ws, "b"))
    os.symlink("../outside", P(ws, "d_l")); os.symlink(out, P(ws, "e_l"))   # relative and absolute escape
    os.symlink("../outside/secret.txt", P(ws, "f_l"))                       # final-component escape
    os.symlink("skills", P(ws, "w_l"))                                      # into a read-only tree
    os.symlink("p/c/../../secret.txt", P(ws, "dd"))                         # '..' after a directory that moves up
    return ws, out
PAIRS = [("d", "d_l"), ("e", "e_l"), ("f.txt", "f_l"), ("w", "w_l"), ("p/c", "b")]

def swapper(ws):
    libc.prctl(1, signal.SIGKILL)                                           # die with the driver
    fd = os.open(ws, os.O_PATH | os.O_DIRECTORY); n = 0
    pairs = [(a.encode(), b.encode()) for a, b in PAIRS]
    signal.signal(signal.SIGTERM, lambda *a: (print("swaps: %d" % n, flush=True), os._exit(0)))
    while True:
        for a, b in pairs:
            for _ in range(random.randrange(1, 4)):
                if libc.renameat2(fd, a, fd, b, 2): print("swap", a, os.strerror(ctypes.get_errno()), flush=True)
                n += 1

def snap(top):
    r = {}
    for d, ds, fs in os.walk(top):
        for x in ds + fs:
            p = P(d, x); s = os.lstat(p)
            r[p] = (s.st_ino, s.st_mode, s.st_size, s.st_nlink, s.st_uid) + ((s.st_mtime_ns,) if x in fs else ())
    return r

class Server:
    def __init__(self, cmd, ws):
        self.p = subprocess.Popen([a.replace("{root}", ws) if "{root}" in a else (ws if a == "ROOT" else a)
                                   for a in shlex.split(cmd)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)
        self.buf, self.id = b"", 0
        self.batch([("initialize", {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "race", "version": "1"}})])
        self.p.stdin.write(b'{"jsonrpc":"2.0","method":"notifications/initialized"}\n')
        names = [t["name"] for t in self.batch([("tools/list", {})])[0]["result"]["tools"]]
        self.tool = {k: next(n for n in names if n.endswith(k)) for k in ("read", "write", "edit", "list", "grep")}
    def batch(self, reqs, timeout=30):
        ids, out = {}, [None] * len(reqs); data = b""
        for i, (m, p) in enumerate(reqs):
            self.id += 1; ids[self.id] = i
            data += json.dumps({"jsonrpc": "2.0", "id": self.id, "method": m, "params": p}).encode() + b"\n"
        self.p.stdin.write(data); end = time.time() + timeout
        while ids:
            if not select.select([self.p.stdout], [], [], max(0, end - time.time()))[0]: raise RuntimeError("HANG: no answer in %ds" % timeout)
            c = os.read(self.p.stdout.fileno(), 1 << 16)
            if not c: raise RuntimeError("server died, rc=%s" % self.p.wait())
            self.buf += c
            *lines, self.buf = self.buf.split(b"\n")
            for l in lines:
                if l.strip():
                    m = json.loads(l)
                    if m.get("id") in ids: out[ids.pop(m["id"])] = dict(m, raw=l.decode("utf-8", "replace"))
        return out

def main():
    ap = argparse.ArgumentParser(); ap.add_argument("--cmd", required=True); ap.add_argument("--n", type=int, default=20000)
    ap.add_argument("--batch", type=int, default=24); ap.add_argument("--swappers", type=int, default=1); ap.add_argument("--keep", action="store_true")
    ap.add_argument("--require-both", action="store_true", help="fail unless swapped calls both succeeded and were refused")
    a = ap.parse_args(); base = tempfile.mkdtemp(prefix="race."); ws, out = build(base)
    try: srv = Server(a.cmd, ws); T = srv.tool
    except Exception as e: print("FAIL: server did not start:", repr(e)); shutil.rmtree(base, ignore_errors=True); return 2
    swp = [subprocess.Popen([sys.executable, __file__, "--swap", ws]) for _ in range(a.swappers)]
    before_out, before_top, before_ro = snap(out), set(os.listdir(base)), snap(P(ws, "skills"))
    mk = lambda t, **k: ("tools/call", {"name": T[t], "arguments": k})
    flip = [0]
    def one(i):
        flip[0] ^= 1; o, n = ("KEEP", "KEPT") if flip[0] else ("KEPT", "KEEP"); d = random.choice("de")
        return random.choice([("read", mk("read", path=d + "/secret.txt")), ("read", mk("read", path="f.txt")), ("read", mk("read", path="dd")),
            ("read", mk("read", path=d + "/sub/../secret.txt")), ("list", mk("list", path=d)), ("list", mk("list", path=d, recursive=True)),
            ("list", mk("list", path=".", recursive=True)), ("grep", mk("grep", path=d, pattern="S.CRET")), ("grep", mk("grep", path=".", pattern="S.CRET")),
            ("write", mk("write", path="%s/new%d.txt" % (d, i % 7), content="AGENT")), ("write", mk("write", path=d + "/secret.txt", content="KEEP inside\n")),
            ("write", mk("write", path="%s/n/e/w%d.txt" % (d, i % 5), content="AGENT")), ("write", mk("write", path="f.txt", content="KEEP inside\n")),
            ("write", mk("write", path="w/s.md", content="KEEP w\n")), ("write", mk("write", path="w/pwn%d" % (i % 3), content="AGENT")),
            ("edit", mk("edit", path=d + "/secret.txt", old_string=o, new_string=n)), ("edit", mk("edit", path="w/s.md", old_string=o, new_string=n)),
            ("edit", mk("edit", path="f.txt", old_string=o, new_string=n))])
    st, esc, shown, done, fail, t0 = {}, {"read": 0, "outside-write": 0, "read-only-write": 0}, 0, 0, None, time.time()
    try:
        while done < a.n:
            reqs = [one(done + j) for j in range(min(a.batch, a.n - done))]
            for (t, r), m in zip(reqs, srv.batch([r for _, r in reqs])):
                bad = "error" in m or m["result"].get("isError"); st.setdefault(t, [0, 0])[bool(bad)] += 1
                if MARK in m["raw"] or base in m["raw"]:
                    esc["read"] += 1; shown += 1
                    if shown <= 3: print("LEAK", json.dumps(r[1]), "->", m["raw"][:300])
            done += len(reqs)
            for k, b, top in (("outside-write", before_out, out), ("read-only-write", before_ro, P(ws, "skills"))):
                try: now = snap(top)
                except FileNotFoundError: now = None
                if now != b or (k == "outside-write" and set(os.listdir(base)) != before_top):
                    esc[k] += 1; shown += 1
                    if shown <= 6: print("ESCAPE", k, sorted(set((now or {}).items()) ^ set(b.items()))[:2])
                    if k == "outside-write": before_out, before_top = now, set(os.listdir(base))
                    else: before_ro = now
    except RuntimeError as e: fail = str(e)
    for s in swp: s.terminate(); s.wait()
    dt = time.time() - t0; srv.p.kill()
    left = [p for p in snap(ws) if "tmp" in os.path.basename(p).lower()]
    print("calls=%d in %.1fs (%.0f/s)  ok/refused per tool: %s" % (done, dt, done / dt, {k: tuple(v) for k, v in sorted(st.items())}))
    print("ESCAPES: %s  leftover temp files: %d%s" % (esc, len(left), "  FAIL: " + fail if fail else ""))
    both = all(v[0] and v[1] for k, v in st.items() if k in ("read", "write"))
    if not both: print("note: the race was not exercised (need both successes and refusals)")
    if not a.keep: shutil.rmtree(base, ignore_errors=True)
    return 1 if any(esc.values()) else 2 if fail or (a.require_both and not both) else 0

if __name__ == "__main__":
    if len(sys.argv) == 3 and sys.argv[1] == "--swap": swapper(sys.argv[2])
    sys.exit(main())
