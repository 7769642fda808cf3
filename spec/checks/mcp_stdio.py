# SPDX-License-Identifier: MIT
"""One MCP server process over stdio.

No dependencies beyond the Python 3.11 standard library.
A command line may contain {ws}: it is replaced by the workspace root. The server is
always started with cwd = the root and WORKSPACE_ROOT in its environment.
"""
import json, os, select, signal, subprocess, threading, time

LEGACY = "2025-11-25"
MODERN = "2026-07-28"
KNOWN_LEGACY = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"]
META_VER = "io.modelcontextprotocol/protocolVersion"
META_CAP = "io.modelcontextprotocol/clientCapabilities"
META_INFO = "io.modelcontextprotocol/clientInfo"


def modern_meta(version=MODERN, caps=None, info=True, **extra):
    m = {META_VER: version, META_CAP: caps or {}}
    if info:
        m[META_INFO] = {"name": "accept", "version": "1"}
    m.update(extra)
    return m


def dumps(o):
    return json.dumps(o, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogateescape")


class Dup(Exception):
    pass


def strict_loads(text):
    def no_const(c):
        raise ValueError("constant " + c)
    return json.loads(text, parse_constant=no_const)


class Msg:
    __slots__ = ("raw", "obj", "t")

    def __init__(self, raw, obj, t):
        self.raw, self.obj, self.t = raw, obj, t


class Server:
    def __init__(self, cmd, ws, stderr="file", extra_env=None, logdir=None):
        self.ws = ws
        # the server runs with cwd = ws: a relative path that exists here is made absolute
        argv = [os.path.abspath(a) if "/" in a and not a.startswith("/") and os.path.exists(a) else a for a in cmd]
        argv = [a.replace("{ws}", ws) for a in argv]
        env = dict(os.environ)
        env["WORKSPACE_ROOT"] = ws
        env.update(extra_env or {})
        self.stderr_path = None
        kw = {}
        if stderr == "file":
            self.stderr_path = os.path.join(logdir or os.path.dirname(ws), "stderr.%d.log" % int(time.time() * 1e6))
            self._errf = open(self.stderr_path, "wb")
            kw["stderr"] = self._errf
        elif stderr == "pipe-unread":
            kw["stderr"] = subprocess.PIPE
        elif stderr == "closed":
            kw["stderr"] = None
            kw["preexec_fn"] = lambda: os.close(2)
        self.t0 = time.monotonic()
        self.p = subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=ws, env=env,
                                  bufsize=0, start_new_session=True, **kw)
        self.fd_in = self.p.stdin.fileno()
        os.set_blocking(self.fd_in, False)
        self.cv = threading.Condition()
        self.msgs = []          # parsed messages, in order
        self.impure = []        # MUST-level stdout violations
        self.lone = []          # messages holding lone surrogates
        self.bytes_out = 0
        self.eof = False
        self.paused = threading.Event()
        self._nprobe = 0
        self._partial = b""
        self.th = threading.Thread(target=self._read, daemon=True)
        self.th.start()

    # -- reading -----------------------------------------------------------
    def _read(self):
        fd = self.p.stdout.fileno()
        buf = bytearray()
        while True:
            while self.paused.is_set():
                time.sleep(0.01)
            try:
                c = os.read(fd, 1 << 16)
            except OSError:
                c = b""
            if not c:
                break
            self.bytes_out += len(c)
            start = len(buf)
            buf += c
            while True:
                i = buf.find(b"\n", start)
                if i < 0:
                    break
                self._line(bytes(buf[:i]))
                del buf[:i + 1]
                start = 0
        with self.cv:
            if buf:
                self.impure.append("stdout ended inside a line: %r" % bytes(buf[:80]))
            self.eof = True
            self.cv.notify_all()

    def _line(self, line):
        now = time.monotonic()
        bad = None
        obj = None
        try:
            text = line.decode("utf-8")
        except UnicodeDecodeError:
            bad = "invalid UTF-8 on stdout"
            text = None
        if text is not None:
            try:
                obj = strict_loads(text)
            except Exception as e:
                bad = "not JSON on stdout (%s)" % type(e).__name__
        if bad is None:
            items = obj if isinstance(obj, list) and obj else [obj]
            for it in items:
                if not isinstance(it, dict) or it.get("jsonrpc") != "2.0":
                    bad = "not a JSON-RPC 2.0 object on stdout"
                elif "method" not in it and ("result" in it) == ("error" in it):
                    bad = "response without exactly one of result/error"
                elif "error" in it and not (isinstance(it["error"], dict) and type(it["error"].get("code")) is int
                                            and isinstance(it["error"].get("message"), str)):
                    bad = "malformed error object"
        with self.cv:
            if bad:
                self.impure.append("%s: %r" % (bad, line[:120]))
            else:
                try:
                    json.dumps(obj, ensure_ascii=False).encode("utf-8")
                except UnicodeEncodeError:
                    self.lone.append(line[:120])
                for it in (obj if isinstance(obj, list) else [obj]):
                    self.msgs.append(Msg(line, it, now))
            self.cv.notify_all()

    def wait(self, pred, timeout=5.0, start=0):
        end = time.monotonic() + timeout
        with self.cv:
            while True:
                for m in self.msgs[start:]:
                    if pred(m.obj):
                        return m
                left = end - time.monotonic()
                if left <= 0 or (self.eof and not any(pred(m.obj) for m in self.msgs[start:])):
                    return None
                self.cv.wait(min(left, 0.25))

    def wait_id(self, id_, timeout=5.0, start=0):
        return self.wait(lambda o: "method" not in o and "id" in o and type(o["id"]) is type(id_) and o["id"] == id_,
                         timeout, start)

    # -- writing -----------------------------------------------------------
    def _write(self, data, timeout=60.0):
        """Never blocks for longer than timeout: a server that stops reading must not stop us."""
        mv = memoryview(data)
        end = time.monotonic() + timeout
        try:
            while mv:
                try:
                    mv = mv[os.write(self.fd_in, mv[:1 << 16]):]
                except BlockingIOError:
                    left = end - time.monotonic()
                    if left <= 0 or not select.select([], [self.fd_in], [], left)[1]:
                        return False
            return True
        except (OSError, ValueError):
            return False

    def send_raw(self, data, timeout=10.0):
        return self._write(data, timeout)

    def send(self, obj, timeout=10.0):
        return self.send_raw(dumps(obj) + b"\n", timeout)

    def request(self, method, params=None, id_=None, timeout=10.0):
        if id_ is None:
            self._nprobe += 1
            id_ = "q-%d" % self._nprobe
        o = {"jsonrpc": "2.0", "id": id_, "method": method}
        if params is not None:
            o["params"] = params
        start = len(self.msgs)
        self.send(o)
        m = self.wait_id(id_, timeout, start)
        return m.obj if m else None

    def notify(self, method, params=None):
        o = {"jsonrpc": "2.0", "method": method}
        if params is not None:
            o["params"] = params
        return self.send(o)

    def initialize(self, version=LEGACY, timeout=15.0, caps=None):
        r = self.request("initialize", {"protocolVersion": version, "capabilities": caps or {},
                                        "clientInfo": {"name": "accept", "version": "1"}}, timeout=timeout)
        self.notify("notifications/initialized")
        return r

    def probe(self, timeout=5.0):
        """True when the server still answers a ping."""
        return self.request("ping", timeout=timeout) is not None

    def exchange(self, line, grace=0.12, timeout=8.0, nl=b"\n"):
        """Send one hostile line, then a ping. Returns (replies other than the ping's, alive)."""
        start = len(self.msgs)
        self.send_raw(line + nl)
        self._nprobe += 1
        pid = "p-%d" % self._nprobe
        self.send({"jsonrpc": "2.0", "id": pid, "method": "ping"})
        m = self.wait_id(pid, timeout, start)
        mine = lambda: [x for x in self.msgs[start:] if "method" not in x.obj and x.obj.get("id") != pid]
        if m is not None and not mine():
            time.sleep(grace)
        return mine(), m is not None

    # -- life and death ----------------------------------------------------
    def alive(self):
        return self.p.poll() is None

    def close_stdin(self):
        try:
            self.p.stdin.close()
        except OSError:
            pass

    def wait_exit(self, timeout):
        t = time.monotonic()
        try:
            rc = self.p.wait(timeout)
        except subprocess.TimeoutExpired:
            return None, time.monotonic() - t
        return rc, time.monotonic() - t

    def peak_rss(self):
        """Peak resident KiB of the process and its children."""
        best = 0
        pids = [self.p.pid]
        try:
            with open("/proc/%d/task/%d/children" % (self.p.pid, self.p.pid)) as f:
                pids += [int(x) for x in f.read().split()]
        except OSError:
            pass
        for pid in pids:
            try:
                with open("/proc/%d/status" % pid) as f:
                    for l in f:
                        if l.startswith("VmHWM:"):
                            best = max(best, int(l.split()[1]))
            except OSError:
                pass
        return best

    def kill(self):
        """End this process group (only ever one that this object started)."""
        if self.p.poll() is None:
            try:
                os.killpg(self.p.pid, signal.SIGKILL)
            except OSError:
                pass
            try:
                self.p.wait(5)
            except subprocess.TimeoutExpired:
                pass
        for f in (self.p.stdin, self.p.stdout, self.p.stderr):
            try:
                if f:
                    f.close()
            except OSError:
                pass
        if self.stderr_path:
            self._errf.close()

    def stderr_text(self):
        if not self.stderr_path:
            return ""
        with open(self.stderr_path, "rb") as f:
            return f.read().decode("utf-8", "replace")


# -- tool naming -------------------------------------------------------------
class ToolMap:
    """Our five names to a server's names and arguments.

    map file: {"tools": {"read": {"name": "read_text_file", "rename": {"limit": "head"},
               "template": {...}}}, "paths": "absolute"}
    template: an argument object where "$name" takes the value of our argument name;
    a key whose "$name" is absent is dropped.
    """

    def __init__(self, prefix="", path=None):
        self.prefix = prefix
        self.m = {}
        self.absolute = False
        if path:
            with open(path) as f:
                j = json.load(f)
            self.m = j.get("tools", {})
            self.absolute = j.get("paths") == "absolute"

    def name(self, tool):
        e = self.m.get(tool)
        return e["name"] if e else self.prefix + tool

    def has(self, tool):
        return not self.m or tool in self.m

    def args(self, tool, args, ws):
        if not isinstance(args, dict):
            return args
        e = self.m.get(tool, {})
        a = dict(args)
        if self.absolute and isinstance(a.get("path", "."), str):
            p = a.get("path", ".")
            a["path"] = p if p.startswith("/") else os.path.join(ws, p) if p not in (".", "") else ws
        if "template" in e:
            return self._fill(e["template"], a)
        for k, v in e.get("rename", {}).items():
            if k in a:
                a[v] = a.pop(k)
        return a

    def _fill(self, t, a):
        if isinstance(t, dict):
            out = {}
            for k, v in t.items():
                if isinstance(v, str) and v.startswith("$"):
                    if v[1:] in a:
                        out[k] = a[v[1:]]
                else:
                    out[k] = self._fill(v, a)
            return out
        if isinstance(t, list):
            return [self._fill(x, a) for x in t]
        if isinstance(t, str) and t.startswith("$"):
            return a.get(t[1:])
        return t


def split_cmd(argv):
    """Split sys.argv[1:] at the first '--'."""
    if "--" not in argv:
        return argv, []
    i = argv.index("--")
    return argv[:i], argv[i + 1:]
