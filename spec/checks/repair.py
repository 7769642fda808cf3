#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Does the next call work? Each refusal is taken at its word.

usage: repair.py [--show] [--only REGEX] FILE.jsonl... -- CMD [ARG...]     ({ws} in an ARG is the root)

For every case that expects is_error, the tool is called, and the refusal's text is read as a model would read it:
  call TOOL with "arg": value[, "arg": value]     -> that other call is made
  "arg": value                                    -> the same call is made again with these arguments put in
where the arguments are those that the tool's inputSchema has; a value is a JSON string, number or boolean. The next call must
succeed. A refusal that must stay one (nothing outside may be reached) passes when it names a call or argument that works.
Three figures: refusals, those that name a next call, those whose next call works. Ends with 'N passed, N failed', where a
refusal without a suggestion fails too unless the case has "final": true.
"""
import argparse, json, os, re, subprocess, sys, tempfile
from mcp_stdio import *
from run_cases import PARENT, aslist, expand, needs_of, sh, skip_reason, split_cmd, subst, text_of, unmount_below, wire

VALUE = r'"(?:[^"\\]|\\.)*"|-?\d+|true|false'
PAIR = re.compile(r'"([a-z_]+)": ?(%s)' % VALUE)
OTHER = re.compile(r'\b[Cc]all (\w+)((?: on| with)? ?(?:"[a-z_]+": ?(?:%s)(?:, | and )?)*)' % VALUE)
WITHOUT = re.compile(r'\b[Cc]all list without "path"')


class Names:
    def name(self, t): return t
    def has(self, t): return True


def suggestions(text, tool, args, schemas):
    """The calls that the text proposes, in its order."""
    found = []
    if WITHOUT.search(text):
        found.append(("list", {}))
    for m in OTHER.finditer(text):
        other = m.group(1)
        if other in schemas:
            pairs = {k: json.loads(v) for k, v in PAIR.findall(m.group(2)) if k in schemas[other]}
            if pairs or other == "list":
                base = {k: v for k, v in args.items() if k in schemas[tool]} if other == tool else {}
                found.append((other, {**base, **pairs}))
    pairs = {k: json.loads(v) for k, v in PAIR.findall(OTHER.sub("", text)) if k in schemas[tool]}
    pairs = {k: v for k, v in pairs.items() if args.get(k) != v}
    if pairs:
        keep = {k: v for k, v in args.items() if k in schemas[tool]}
        found.append((tool, {**keep, **pairs}))
    return found


def run(case, cmd, show):
    parent = tempfile.mkdtemp(prefix="mcprepair.")
    ws, out = os.path.join(parent, "ws"), os.path.join(parent, "outside")
    srv = None
    try:
        os.mkdir(ws)
        os.mkdir(out)
        with open(os.path.join(out, "secret.txt"), "w") as f:
            f.write("TOPSECRET\n")
        case = subst(case, parent, ws, "uniq" + os.path.basename(parent).replace(".", ""))
        env = dict(os.environ, WS=ws, OUT=out, P=parent, LC_ALL="C.UTF-8")
        up = case.get("base") == "parent" or any(PARENT.search(l) for l in aslist(case.get("setup")))
        sh(case.get("setup"), parent if up else ws, env, "setup")
        srv = Server(cmd + case.get("flags", []), os.path.join(parent, case["root"]) if case.get("root") else ws, logdir=parent)
        srv.initialize()
        tools = srv.request("tools/list")["result"]["tools"]
        schemas = {t["name"]: set(t["inputSchema"].get("properties", {})) for t in tools}

        def call(tool, args, id_):
            start = len(srv.msgs)
            srv.send_raw(wire({"jsonrpc": "2.0", "id": id_, "method": "tools/call", "params": {"name": tool, "arguments": args}}) + b"\n")
            # a line that is not UTF-8 gets its error under no id
            m = srv.wait(lambda o: o.get("id") == id_ or (o.get("id") is None and "error" in o), 20, start)
            bad = m is None or "error" in m.obj or m.obj["result"].get("isError") is True
            return bad, text_of(m.obj) if m else ""

        args = expand(case["args"], ws)
        bad, text = call(case["tool"], args, "first")
        if not bad:
            return None
        plan = suggestions(text, case["tool"], args, schemas)
        verdict = "silent"
        for i, (tool, next_args) in enumerate(plan):
            again, reply = call(tool, next_args, "next-%d" % i)
            verdict = "works" if not again else "fails"
            if verdict == "works":
                break
        if show or verdict == "fails":
            print("%-6s %s: %s" % (verdict, case["id"], text[:300].replace("\n", " / ")))
        return verdict
    finally:
        if srv:
            srv.kill()
        if unmount_below(parent):
            subprocess.run(["rm", "-rf", "--one-file-system", parent], stderr=subprocess.DEVNULL)


def main():
    argv, cmd = split_cmd(sys.argv[1:])
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("files", nargs="+")
    p.add_argument("--show", action="store_true", help="print every refusal with its verdict")
    p.add_argument("--only", default="")
    a = p.parse_args(argv)
    count = {"works": 0, "fails": 0, "silent": 0, "final": 0}
    for name in a.files:
        for line in open(name):
            case = json.loads(line) if line.strip() and not line.startswith("#") else None
            if not case or "tool" not in case or not case.get("expect", {}).get("is_error") or not re.search(a.only, case["id"]):
                continue
            if skip_reason(case, Names()) or "nonroot" in needs_of(case):
                continue
            try:
                v = run(case, cmd, a.show)
            except Exception as x:
                print("harness: %s: %s: %s" % (case["id"], type(x).__name__, x))
                v = "fails"
            if v == "silent" and case.get("final"):
                v = "final"
            if v:
                count[v] += 1
    total = sum(count.values())
    print("refusals %d, naming a next call %d, next call works %d" % (total, count["works"] + count["fails"], count["works"]))
    print("%d passed, %d failed" % (count["works"] + count["final"], count["fails"] + count["silent"]))
    return 1 if count["fails"] + count["silent"] else 0


if __name__ == "__main__":
    sys.exit(main())
