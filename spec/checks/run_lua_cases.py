#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs Lua snippets as custom tools of an MCP server over stdio and judges what comes back. No dependencies.

usage: run_lua_cases.py [options] [-- CMD [ARG...]]     ({ws} in an ARG is a fresh root, {tools} a directory of tool files)
       CMD defaults to: croft serve {ws} --tools {tools} --limit steps=50000000 --limit heap=16MiB --limit time=2s

Every case gets a root, a tools directory and a server of its own. Its snippet is the body of the tool `case` (parameters args, ctx);
`probe` beside it answers "alive". What the snippet returns (its first value) becomes the text: a string as it is, a number, boolean
or nil by tostring, anything else as <type>; no value at all is an empty text.

One case a line of JSON:
  id      category, a dash, a name; why: one line
  lua     the snippet. With "calls": 2 it holds two, separated by a line ---- (the second is the tool `case2` of the same server)
          or ==== (`case2` in a server started anew); the verdict is about the second
  must    what has to come of it; alternatives are separated by |
            value  the call succeeds
            error  isError with a message, and not because a ceiling stopped it
            limit  isError, and the message says which ceiling stopped the call (or _meta has a code "stopped")
            load   the tool set is refused at the start: exit code above 0, the file's name on stderr, nothing served
  expect  a regular expression: a value matches it as a whole; of a stop, the ceiling (steps, memory, time) is among its words. Of an
          error, the message or what pcall gives inside the sandbox matches it somewhere; if neither does, that is a note, and a
          failure only with --strict: a tool's own bug may reach the model as one sentence
  raw     true: the snippet's value is the tool's result as it is; "file": the snippet is the whole tool file
  properties, args   Lua text of the input's properties, and the arguments of the call (default: none)
  skip    why the case cannot be run

Over and above, in every case: each answer comes within the deadline (--limit time=, default 10s) and --grace; the server lives: it
answers a ping, and the next call, of `probe`, is right; stdout holds nothing but JSON-RPC, and no path of the root or the tools; a
text is at most 64 KiB; root and tools are unchanged; the resident size after the case is below --rss; the server exits with 0 within
2 s of end of input. Ends with 'N passed, N failed' (', N skipped').
"""
import argparse, concurrent.futures, contextlib, json, os, pathlib, re, select, shutil, signal, subprocess, sys, tempfile, time

DEFAULT = "croft serve {ws} --tools {tools} --limit steps=50000000 --limit heap=16MiB --limit time=2s".split()
TOOL = """local tool = require "croft.tool"

local function render(...)
  local value, kind = ..., type((...))
  if select("#", ...) == 0 then return "" end
  if kind == "table" or kind == "function" or kind == "thread" or kind == "userdata" then return "<" .. kind .. ">" end
  return kind == "string" and value or tostring(value)
end

local function body(args, ctx)
%(snippet)s
end

return tool.define { name = "%(name)s", description = "a case", access = "write",
  input = { type = "object", properties = { %(properties)s } }, run = %(run)s }
"""
RENDERED = "function(args, ctx) return render(body(args, ctx)) end"
EXPLAINED = "function(args, ctx) return render(select(2, pcall(body, args, ctx))) end"
STOPPED = re.compile(r"stopp|ceiling|exceed|budget|limit|used more|longer than|ran out", re.I)
CEILINGS = {"steps": r"\bsteps?\b", "memory": r"\b(heap|memory)\b", "time": r"\b(time|deadline|seconds?|\d+ ?m?s)\b"}


def tool_file(name, snippet, case, run):
    values = {"name": name, "snippet": snippet, "properties": case.get("properties", ""), "run": run}
    return snippet if case.get("raw") == "file" else TOOL % values


class Server:
    """One server process: requests out, answers in, and everything on its stdout that should not be there."""

    def __init__(self, argv, base):
        self.base, self.buf, self.last_id, self.faults = base, b"", 0, []
        with open(os.path.join(base, "stderr"), "wb") as err:
            self.p = subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=err, cwd=base, bufsize=0, start_new_session=True)

    def send(self, message):
        with contextlib.suppress(OSError):  # it has died; the missing answer tells
            self.p.stdin.write(json.dumps(dict(jsonrpc="2.0", **message)).encode() + b"\n")

    def messages(self, until):
        """Yields what arrives up to the time `until` or the end of stdout."""
        fd = self.p.stdout.fileno()
        while True:
            *lines, self.buf = self.buf.split(b"\n")
            yield from [message for message in map(self.parse, lines) if message]
            if not select.select([fd], [], [], max(0, until - time.monotonic()))[0]:
                return
            chunk = os.read(fd, 1 << 16)
            if not chunk:
                self.faults += ["stdout ends inside a line: %r" % self.buf[:60]] if self.buf else []
                return
            self.buf += chunk

    def parse(self, line):
        with contextlib.suppress(ValueError, RecursionError):
            message = json.loads(line.decode("utf-8"))
            flat = json.dumps(message, ensure_ascii=False, allow_nan=False)
            flat.encode("utf-8")  # a lone surrogate is not text
            if isinstance(message, dict) and message.get("jsonrpc") == "2.0":
                if self.base in flat:
                    self.faults.append("a host path in an answer: " + flat[:160].replace(self.base, "<BASE>"))
                return message
        self.faults.append("not JSON-RPC on stdout: %r" % line[:60])

    def ask(self, method, params=None, timeout=5.0):
        """Returns the answer (None: none came) and the seconds it took."""
        self.last_id += 1
        start = time.monotonic()
        self.send({"id": self.last_id, "method": method, "params": params or {}})
        for message in self.messages(start + timeout):
            if message.get("id") == self.last_id and "method" not in message:
                return message, time.monotonic() - start
        return None, time.monotonic() - start

    def initialize(self, timeout):
        client = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "run_lua_cases", "version": "1"}}
        answer = self.ask("initialize", client, timeout)[0] or {}
        self.send({"method": "notifications/initialized"})
        return "result" in answer

    def exit_code(self, timeout):
        with contextlib.suppress(subprocess.TimeoutExpired):
            return self.p.wait(timeout)

    def stderr(self):
        return pathlib.Path(self.base, "stderr").read_text("utf-8", "replace").strip().replace(self.base, "")

    def resident(self):
        """Bytes resident in the server and the other processes of its group."""
        pages = 0
        for pid in filter(str.isdigit, os.listdir("/proc")):
            with contextlib.suppress(OSError), open("/proc/%s/stat" % pid) as f:
                fields = f.read().rsplit(")", 1)[1].split()
                pages += int(fields[21]) * (int(fields[2]) == self.p.pid)
        return pages * os.sysconf("SC_PAGE_SIZE")

    def finish(self):
        end = time.monotonic() + 2
        self.p.stdin.close()
        list(self.messages(end))
        code = self.exit_code(max(0.05, end - time.monotonic()))
        if code != 0:
            self.faults.append("still there 2 s after end of input" if code is None else "exit %d at end of input" % code)
        return not self.faults

    def kill(self):
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.p.pid, signal.SIGKILL)
        self.p.wait()


def scalars(value, key=""):
    inner = value.items() if isinstance(value, dict) else [(key, v) for v in value] if isinstance(value, list) else None
    return [(key, str(value))] if inner is None else [pair for k, v in inner for pair in scalars(v, k)]


def classify(result):
    """(value | error | limit, the text, the ceilings that it names)"""
    text = "".join(c.get("text", "") for c in result.get("content", []) if c.get("type") == "text")
    if result.get("isError") is not True:
        return "value", text, set()
    meta = scalars(result.get("_meta", {})) + scalars(result.get("structuredContent", {}))
    named = {c for c, words in CEILINGS.items() if re.search(words, " ".join([text] + [v for _, v in meta]), re.I)}
    codes = [v for k, v in meta if re.search(r"(code|kind|error)$", k)]
    stopped = any("stopped" in c for c in codes) if codes else bool(STOPPED.search(text) and named)
    return "limit" if stopped else "error", text, named


class Case:
    """One case played: what went wrong is in faults, what was seen in got."""

    def __init__(self, case, opt):
        self.case, self.opt, self.faults, self.notes, self.got, self.servers = case, opt, [], [], "-", []
        self.must, self.allowed = case["must"].split("|"), opt.deadline + opt.grace

    def run(self):
        self.base = os.path.realpath(tempfile.mkdtemp(prefix="snippet-"))
        try:
            self.play()
        except Exception as e:  # an answer of a shape that nobody expects
            self.faults.append("%s: %s" % (type(e).__name__, e))
        finally:
            for server in self.servers:
                server.kill()
                self.faults += server.faults
            shutil.rmtree(self.base, ignore_errors=True)
        return self

    def play(self):
        case, run = self.case, "body" if self.case.get("raw") else RENDERED
        first, mark, second = re.split(r"\n(----|====)\n", case["lua"], maxsplit=1) if case.get("calls") == 2 else (case["lua"], "", "")
        files = {"ws/a.txt": "one\n", "tools/probe.lua": tool_file("probe", "", {}, 'function() return "alive" end')}
        self.write(files)
        if self.must == ["load"] and not (self.start() and self.server.finish()):
            return  # without the case it has to start
        bodies = [("case", first, run)] + [("case2", second, run)] * bool(second) + [("why", second or first, EXPLAINED)] * ("error" in self.must)
        files.update({"tools/%s.lua" % name: tool_file(name, snippet, case, how) for name, snippet, how in bodies})
        self.write(files)
        if self.must == ["load"]:
            self.refused()
        elif self.start() and self.call("case") and (mark != "====" or self.server.finish() and self.start()):
            if not second or self.call("case2"):
                self.judge(*classify(self.last))
                self.aftermath()
        found = {str(p.relative_to(self.base)): p.read_bytes().decode() for top in ("ws", "tools") for p in pathlib.Path(self.base, top).rglob("*")}
        if found != files:
            self.faults.append("files changed: %s" % sorted({name for name, _ in found.items() ^ files.items()}))

    def write(self, files):
        for name, text in files.items():
            path = pathlib.Path(self.base, name)
            path.parent.mkdir(exist_ok=True)
            path.write_bytes(text.encode())

    def start(self):
        argv = [a.replace("{ws}", self.base + "/ws").replace("{tools}", self.base + "/tools") for a in self.opt.cmd]
        self.server = Server(argv, self.base)
        self.servers.append(self.server)
        served = self.server.initialize(self.allowed)
        if not served and (self.must != ["load"] or len(self.servers) == 1):
            self.faults.append("does not start (exit %s): %s" % (self.server.exit_code(0.2), self.server.stderr()[-200:]))
        return served

    def refused(self):
        self.start()
        code = self.server.exit_code(0.5)
        said = self.server.stderr()
        self.got = "exit %s: %s" % (code, said[-100:])
        if code is None or code <= 0:
            self.faults.append("no start-up error, although a tool file cannot be loaded" if code is None else "exit %d instead of a start-up error" % code)
        elif not re.search(r"\bcase\b", said):
            self.faults.append("the start-up error does not name the file: %r" % said[-200:])

    def call(self, name):
        """Calls the tool; returns its result, or None when there is none to judge."""
        arguments = self.case.get("args", {}) if name != "probe" else {}
        answer, seconds = self.server.ask("tools/call", {"name": name, "arguments": arguments}, self.allowed + 5)
        self.last = (answer or {}).get("result")
        self.got = "%.0f ms" % (1000 * seconds) if name.startswith("case") else self.got
        if answer is None:
            code, said = self.server.exit_code(0.2), self.server.stderr()[-150:]
            self.faults.append("%s: no answer in %.1f s, %s" % (name, seconds, "hangs" if code is None else "died with %d: %s" % (code, said)))
        elif not isinstance(self.last, dict):
            self.faults.append("%s: a JSON-RPC error: %s" % (name, json.dumps(answer.get("error"))[:150]))
        elif seconds > self.allowed:
            self.faults.append("%s: answered after %.2f s, allowed are %.2f s" % (name, seconds, self.allowed))
        if self.last and len(classify(self.last)[1].encode()) > 65536:
            self.faults.append("%s: a text of more than 64 KiB" % name)
        return self.last

    def judge(self, kind, text, named):
        self.got = "%s, %s, %s" % (kind, self.got, text[:100])
        expect = self.case["expect"]
        wanted = {c for c in CEILINGS if c in expect}
        if kind not in self.must:
            self.faults.append("must be %s, is %s: %s" % (self.case["must"], kind, text[:150]))
        elif kind == "value" and not re.fullmatch(expect, text, re.S):
            self.faults.append("the value %r does not match %r" % (text[:100], expect))
        elif kind == "limit" and (not named or wanted and not named & wanted):
            self.faults.append("stopped, but not by %s: %s" % (expect, text[:150]))
        elif kind == "error" and not text.strip():
            self.faults.append("an error without a message")
        elif kind == "error" and not re.search(expect, text, re.S):
            inside = classify(self.call("why") or {})[1]
            if not re.search(expect, inside, re.S):
                (self.faults if self.opt.strict else self.notes).append("the error %r does not match %r" % (inside[:100], expect))

    def aftermath(self):
        if "result" not in (self.server.ask("ping")[0] or {}):
            self.faults.append("no answer to a ping afterwards")
        if classify(self.call("probe") or {})[:2] != ("value", "alive"):
            self.faults.append("the next call, of probe, is wrong: %s" % json.dumps(self.last)[:150])
        if self.server.resident() >= self.opt.rss << 20:
            self.faults.append("%d MiB resident afterwards" % (self.server.resident() >> 20))
        self.server.finish()


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--file", default=os.path.join(os.path.dirname(os.path.abspath(__file__)), "../cases/lua.jsonl"))
    ap.add_argument("--only", metavar="REGEX", default="", help="cases whose id matches")
    ap.add_argument("--jobs", type=int, default=2, metavar="N")
    ap.add_argument("--grace", type=float, default=1.0, metavar="S", help="seconds allowed past the deadline (1)")
    ap.add_argument("--rss", type=int, default=128, metavar="MIB", help="resident size allowed after a case (128)")
    ap.add_argument("--strict", action="store_true", help="an error whose words do not match expect is a failure")
    ap.add_argument("--verbose", action="store_true", help="a line for each case, and the notes")
    ap.add_argument("cmd", nargs="*", metavar="CMD", default=DEFAULT)
    opt = ap.parse_args()
    if not shutil.which(opt.cmd[0]):
        ap.error("there is no program %s" % opt.cmd[0])
    opt.cmd = [os.path.abspath(a) if os.path.isfile(a) and (i or "/" in a) else a for i, a in enumerate(opt.cmd)]
    limit = re.search(r"\btime=([\d.]+)(ms)?", " ".join(opt.cmd))
    opt.deadline = float(limit[1]) * (0.001 if limit[2] else 1) if limit else 10.0
    lines = pathlib.Path(opt.file).read_text("utf-8").split("\n")
    chosen = [c for c in map(json.loads, filter(str.strip, lines)) if re.search(opt.only, c["id"])]
    cases = [Case(c, opt) for c in chosen if "skip" not in c]
    with concurrent.futures.ThreadPoolExecutor(opt.jobs) as pool:
        for c in pool.map(Case.run, cases):
            if c.faults or opt.verbose:
                said = "; ".join(dict.fromkeys(c.faults)) or c.got + "".join(", note: " + n for n in c.notes)
                print("%s %s: %s" % ("FAIL" if c.faults else "ok  ", c.case["id"], said.replace("\n", "\\n")), flush=True)
    failed = sum(bool(c.faults) for c in cases)
    skipped = len(chosen) - len(cases)
    print("%d passed, %d failed%s" % (len(cases) - failed, failed, ", %d skipped" % skipped if skipped else ""))
    return 0 if cases and not failed else 1


if __name__ == "__main__":
    sys.exit(main())
