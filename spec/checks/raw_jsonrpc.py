#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Hostile raw protocol input against an MCP server on stdio. No dependencies.

usage: raw_jsonrpc.py [options] -- CMD [ARG...]        ({ws} in an ARG is the workspace root)

  --profile ours|spec   ours (default): every check counts. spec: only what the MCP / JSON-RPC
                        texts demand (MUST) and survival count; our own choices print as NOTE.
  --era both|legacy     both (default): also the 2026-07-28 checks. legacy: leave them out.
  --null-id any|null|absent   what an error for an unreadable id must carry (default any)
  --only REGEX  --skip REGEX  --list  --verbose  --keep
  --prefix P | --map FILE     tool names (see mcp_stdio.ToolMap)
  --rss-mib N           peak RSS bound for the oversize cases (default 512)
  --big-mib N           size of the oversize line (default 64)

Prints one PASS/FAIL line per check, each with the statement that must hold, and ends with
'N passed, N failed'. Exit status 0 only when nothing failed.
"""
import argparse, os, re, shutil, signal, sys, tempfile, threading, time
from mcp_stdio import *

CASES = []


def case(name, era="any"):
    def d(f):
        CASES.append((name, era, f))
        return f
    return d


class Ctx:
    def __init__(self, a, cmd):
        self.a, self.cmd = a, cmd
        self.tm = ToolMap(a.prefix, a.map)
        self.base = tempfile.mkdtemp(prefix="mcpraw.")
        self.n = 0
        self.passed = self.failed = self.notes = 0
        self.impure = []
        self.lone = []
        self.servers = []

    def fresh(self, **kw):
        self.n += 1
        d = os.path.join(self.base, "c%d" % self.n)
        ws = os.path.join(d, "ws")
        os.makedirs(ws)
        os.makedirs(os.path.join(d, "outside"))
        with open(os.path.join(d, "outside", "secret.txt"), "w") as f:
            f.write("TOPSECRET\n")
        with open(os.path.join(ws, "a.txt"), "w") as f:
            f.write("alpha\nbeta\ngamma\n")
        s = Server(self.cmd, ws, logdir=d, **kw)
        self.servers.append(s)
        return s

    def ready(self, **kw):
        s = self.fresh(**kw)
        if s.initialize() is None:
            raise RuntimeError("no reply to initialize; stderr: " + s.stderr_text()[-400:])
        return s

    def done(self, name):
        for s in self.servers:
            s.kill()
            for x in s.impure:
                self.impure.append((name, x))
            for x in s.lone:
                self.lone.append((name, x))
        self.servers = []

    def check(self, name, ok, level, statement, got=""):
        if ok:
            self.passed += 1
            print("PASS %-38s %s" % (name, statement))
        elif level == "ours" and self.a.profile == "spec":
            self.notes += 1
            print("NOTE %-38s (our choice) %s%s" % (name, statement, " -- got: " + short(got) if got != "" else ""))
        else:
            self.failed += 1
            print("FAIL %-38s [%s] %s%s" % (name, level, statement, " -- got: " + short(got) if got != "" else ""))
        sys.stdout.flush()
        return ok

    # error reply predicates
    def null_id(self, o):
        p = self.a.null_id
        if p == "null":
            return "id" in o and o["id"] is None
        if p == "absent":
            return "id" not in o
        return o.get("id") is None

    def is_err(self, o, codes, id_="null"):
        if not isinstance(o, dict) or "error" not in o or o["error"].get("code") not in codes:
            return False
        if id_ == "null":
            return self.null_id(o)
        return "id" in o and type(o["id"]) is type(id_) and o["id"] == id_


def short(x):
    s = x if isinstance(x, str) else repr([m.raw[:160] if isinstance(m, Msg) else m for m in x]
                                          if isinstance(x, list) else x)
    return s if len(s) < 260 else s[:257] + "..."


ANYERR = range(-2 ** 31, 2 ** 31)

# ---------------------------------------------------------------------------
# JSON text: our own set, in the manner of JSONTestSuite. y_ must be accepted, n_ must be
# refused with -32700, i_ may go either way, but with exactly one reply.
V = lambda t: b'{"jsonrpc":"2.0","id":"@","method":"ping","params":{"x":' + t + b'}}'
Y = {
    "object_empty": b"{}", "array_empty": b"[]", "array_nested": b"[[[]],[]]", "array_ws": b"[ 1 ,\t2 , 3 ]",
    "number_zero": b"0", "number_neg_zero": b"-0", "number_max_safe": b"9007199254740991",
    "number_20_digits": b"12345678901234567890", "number_real": b"1.5", "number_exp": b"1E22",
    "number_exp_minus": b"1e-2", "number_exp_plus": b"1E+2", "number_real_exp": b"-12.5e3",
    "literals": b"[true,false,null]", "string_empty": b'""',
    "string_all_escapes": b'"\\"\\\\\\/\\b\\f\\n\\r\\t"', "string_u_escape": b'"\\u00e9\\u4e2d"',
    "string_surrogate_pair": b'"\\ud834\\udd1e"', "string_utf8": '"é漢\U0001F600"'.encode(),
    "string_u0000_escape": b'"a\\u0000b"', "string_u2028_raw": '"a\u2028b\u2029c\u0085d"'.encode(),
    "string_del_raw": b'"\x7f"', "string_nonchar": "\"\uffff\ufdd0\"".encode(), "string_nbsp": "\"\u00a0\"".encode(),
    "string_bom_inside": "\"\ufeff\"".encode(), "key_empty": b'{"":0}', "key_escaped": b'{"a\\u0000\\n":1}',
    "key_long": b'{"' + b"k" * 5000 + b'":1}', "keys_duplicated": b'{"a":1,"a":2}', "key_proto": b'{"__proto__":{"x":1}}',
    "depth_100": b"[" * 100 + b"]" * 100, "string_64k": b'"' + b"s" * 65536 + b'"',
}
N = {
    "array_trailing_comma": b"[1,]", "array_missing_comma": b"[1 2]", "array_double_comma": b"[1,,2]",
    "array_leading_comma": b"[,1]", "array_unclosed": b"[1", "array_extra_close": b"[1]]",
    "array_wrong_close": b"[1}", "object_trailing_comma": b'{"a":1,}', "object_bare_key": b"{a:1}",
    "object_single_quotes": b"{'a':1}", "object_no_value": b'{"a":}', "object_no_colon": b'{"a" 1}',
    "object_number_key": b"{1:1}", "object_two_commas": b'{"a":1,,"b":2}', "object_colon_twice": b'{"a"::1}',
    "number_leading_zero": b"012", "number_minus_leading_zero": b"-01", "number_plus": b"+1", "number_dot_first": b".5",
    "number_dot_last": b"1.", "number_exp_empty": b"1e", "number_exp_sign_only": b"1e+", "number_hex": b"0x1F",
    "number_minus_only": b"-", "number_two_dots": b"1.2.3", "number_underscore": b"1_000", "number_NaN": b"NaN",
    "number_Infinity": b"Infinity", "number_minus_Infinity": b"-Infinity", "number_letters": b"12abc",
    "string_unclosed": b'"abc', "string_bad_escape": b'"\\x41"', "string_short_u": b'"\\u12"',
    "string_u_not_hex": b'"\\u00GA"', "string_lone_backslash": b'"\\"', "string_raw_tab": b'"a\tb"',
    "string_raw_nul": b'"a\x00b"', "string_raw_0x1f": b'"a\x1fb"', "string_raw_cr": b'"a\rb"',
    "string_backtick": b"`a`", "literal_True": b"True", "literal_truncated": b"tru", "literal_undefined": b"undefined",
    "literal_nul": b"nul", "comment_block": b"1/* c */", "comment_hash": b"1 # c", "ws_form_feed": b"\x0c1",
    "ws_nbsp": "\u00a01".encode(), "ws_u2028": "\u20281".encode(), "empty_value": b"", "ellipsis": b"[1,...]",
    "utf8_0xff": b'"\xff"', "utf8_overlong": b'"\xc0\xaf"', "utf8_surrogate": b'"\xed\xa0\x80"',
    "utf8_truncated": b'"\xe6\x97"', "utf8_above_10ffff": b'"\xf4\x90\x80\x80"', "utf8_latin1": b'"caf\xe9"',
    "utf8_lone_continuation": b'"\x80"',
}
N_LINE = {  # whole lines
    "line_brace_only": b"{", "line_bracket_only": b"[", "line_quote_only": b'"', "line_colon": b":", "line_word": b"hello",
    "line_http": b"Content-Length: 52", "line_xml": b"<a/>", "line_nul": b"\x00", "line_nuls": b"\x00" * 300,
    "line_0xff": b"\xff\xfe", "line_garbage_after": b'{"jsonrpc":"2.0","id":"@","method":"ping"}x',
    "line_two_objects": b'{"jsonrpc":"2.0","id":"@","method":"ping"}{"jsonrpc":"2.0","id":"@2","method":"ping"}',
    "line_nul_after": b'{"jsonrpc":"2.0","id":"@","method":"ping"}\x00',
    "line_truncated": b'{"jsonrpc":"2.0","id":"@","meth',
    "line_single_quotes": b"{'jsonrpc':'2.0','id':'@','method':'ping'}",
}
Y_LINE = {
    "line_spaces_around": b' \t {"jsonrpc":"2.0","id":"@","method":"ping"} \t ',
    "line_ws_inside": b'{ "jsonrpc" : "2.0" ,\t"id" : "@" , "method" : "ping" , "params" : { } }',
    "line_key_order": b'{"method":"ping","params":{},"id":"@","jsonrpc":"2.0"}',
    "line_escaped_names": b'{"\\u006asonrpc":"2.0","id":"@","m\\u0065thod":"pi\\u006eg"}',
    "line_crlf": b'{"jsonrpc":"2.0","id":"@","method":"ping"}\r',
}
I = {
    "number_1e400": b"1e400", "number_minus_1e400": b"-1e400", "number_1e-400": b"1e-400",
    "number_int64_overflow": b"9223372036854775808", "number_1000_digits": b"1" * 1000,
    "string_lone_high": b'"\\ud800"', "string_lone_low": b'"\\udc00"', "string_inverted_pair": b'"\\udc00\\ud800"',
    "string_high_then_letter": b'"\\ud800x"', "depth_500": b"[" * 500 + b"]" * 500,
    "depth_objects_500": b'{"a":' * 500 + b"1" + b"}" * 500, "keys_10k": b"{" + b",".join(b'"k%d":1' % i for i in range(10000)) + b"}",
}
I_LINE = {"line_bom_first": b'\xef\xbb\xbf{"jsonrpc":"2.0","id":"@","method":"ping"}'}


@case("json.suite")
def json_suite(c):
    st = {"s": c.ready()}

    def go(kind, name, line):
        if not st["s"].alive():
            st["s"] = c.ready()
        s = st["s"]
        id_ = kind + name
        msgs, alive = s.exchange(line.replace(b'"@"', b'"' + id_.encode() + b'"').replace(b'"@2"', b'"' + id_.encode() + b'2"'))
        okres = [m for m in msgs if m.obj.get("id") == id_ and "result" in m.obj]
        perr = [m for m in msgs if c.is_err(m.obj, [-32700])]
        tag = "json.%s_%s" % (kind, name)
        if kind == "y":
            c.check(tag, alive and len(msgs) == 1 and okres, "must", "valid JSON: one result with the id", msgs if alive else "no answer to the next ping")
        elif kind == "n":
            if not alive:
                c.check(tag, False, "must", "invalid JSON: the server keeps serving", "no answer to the next ping")
            elif okres:
                c.check(tag, False, "ours" if name.startswith("utf8") else "must", "invalid JSON or UTF-8 is not accepted", msgs)
            else:
                c.check(tag, len(msgs) == 1 and len(perr) == 1, "ours", "invalid JSON: one -32700 with no readable id", msgs)
        else:
            if not alive or len(msgs) > 1:
                c.check(tag, False, "must", "either way: serves on, at most one reply", msgs if alive else "no answer to the next ping")
            else:
                c.check(tag, len(msgs) == 1 and ("result" in msgs[0].obj or msgs[0].obj["error"]["code"] in (-32700, -32600, -32602)),
                        "ours", "either accepted or -32700/-32600/-32602: exactly one reply", msgs)
        if not alive:
            s.kill()

    for k, v in Y.items():
        go("y", k, V(v))
    for k, v in Y_LINE.items():
        go("y", k, v)
    for k, v in N.items():
        go("n", k, V(v))
    for k, v in N_LINE.items():
        go("n", k, v)
    for k, v in I.items():
        go("i", k, V(v))
    for k, v in I_LINE.items():
        go("i", k, v)


# ---------------------------------------------------------------------------
@case("life.silent_start")
def _(c):
    s = c.fresh()
    time.sleep(0.4)
    c.check("life.silent_start", s.alive() and not s.msgs and not s.impure, "must",
            "prints nothing on stdout before the first message", [m.raw for m in s.msgs] + s.impure)


@case("life.initialize")
def _(c):
    s = c.fresh()
    r = s.initialize()
    res = (r or {}).get("result", {})
    c.check("life.initialize.version", res.get("protocolVersion") == LEGACY, "must", "initialize 2025-11-25 is answered with 2025-11-25", r)
    c.check("life.initialize.tools_cap", isinstance(res.get("capabilities", {}).get("tools"), dict), "must", "declares the tools capability", r)
    si = res.get("serverInfo", {})
    c.check("life.initialize.server_info", isinstance(si.get("name"), str) and isinstance(si.get("version"), str), "must", "serverInfo has name and version", r)
    c.check("life.initialize.instructions", isinstance(res.get("instructions"), str) and 20 < len(res["instructions"]) < 2048, "ours", "instructions: 20..2048 characters", res.get("instructions"))
    caps = res.get("capabilities", {})
    c.check("life.initialize.no_extra_caps", not ({"logging", "prompts", "completions", "tasks"} & set(caps)), "ours", "declares no capability that it lacks (logging, prompts, completions, tasks)", caps)


@case("life.versions")
def _(c):
    for v in KNOWN_LEGACY:
        s = c.fresh()
        r = s.initialize(v)
        got = (r or {}).get("result", {}).get("protocolVersion")
        c.check("life.version." + v, got == v, "ours" if v < "2025" else "must" if v == LEGACY else "ours", "supported version is echoed", r)
    for v in ("1999-01-01", "2099-12-31", "", "latest", "2025-11-25 ", MODERN, "DRAFT-2026-v1"):
        s = c.fresh()
        r = s.initialize(v)
        got = (r or {}).get("result", {}).get("protocolVersion")
        c.check("life.version_unknown.%s" % (v.strip() or "empty"), got in KNOWN_LEGACY, "must",
                "initialize with %r: a result naming a version that the server does speak by handshake" % v, r)
        c.check("life.version_unknown.%s.latest" % (v.strip() or "empty"), got == LEGACY, "ours", "and it is the latest of them", got)


@case("life.bad_initialize")
def _(c):
    for tag, params in (("no_params", None), ("no_version", {"capabilities": {}, "clientInfo": {"name": "x", "version": "1"}}),
                        ("version_number", {"protocolVersion": 5, "capabilities": {}, "clientInfo": {"name": "x", "version": "1"}}),
                        ("params_array", ["2025-11-25"])):
        s = c.fresh()
        r = s.request("initialize", params)
        c.check("life.bad_initialize." + tag, r is not None and "error" in r and r["error"]["code"] in (-32602, -32600), "ours",
                "malformed initialize: -32602 (or -32600) with its id", r)
        r2 = s.initialize()
        c.check("life.bad_initialize.%s.retry" % tag, r2 is not None and "result" in r2, "must", "and a right initialize after it works", r2)
    s = c.fresh()
    r = s.request("initialize", {"protocolVersion": LEGACY, "capabilities": {"elicitation": {"form": {}, "url": {}}, "x": [1], "experimental": {"y": {}}},
                                 "clientInfo": {"name": "x", "version": "1", "title": "T", "icons": [], "zzz": 1}, "extra": {"deep": [1]}})
    c.check("life.initialize_unknown_fields", r is not None and "result" in r, "must", "unknown fields in initialize are ignored", r)
    s = c.fresh()
    r = s.request("initialize", {"protocolVersion": LEGACY})
    c.check("life.initialize_minimal", r is not None, "must", "initialize without capabilities/clientInfo is answered (result or -32602)", r)


@case("life.double_initialize")
def _(c):
    s = c.ready()
    r = s.initialize("2025-06-18")
    c.check("life.double_initialize", r is not None and ("result" in r or r["error"]["code"] in (-32600, -32602)), "must", "a second initialize gets a reply (result, -32600 or -32602)", r)
    c.check("life.double_initialize.alive", s.probe(), "must", "and the server serves on")


@case("life.before_initialize")
def _(c):
    s = c.fresh()
    r = s.request("ping")
    c.check("life.ping_before_initialize", r is not None and r.get("result") == {}, "ours", "ping before initialize gets {}", r)
    r = s.request("tools/list")
    c.check("life.list_before_initialize.reply", r is not None, "must", "tools/list before initialize gets a reply with its id", r)
    c.check("life.list_before_initialize.error", r is not None and "error" in r and r["error"]["code"] in (-32602, -32600), "ours",
            "and it is an error -32602/-32600 (no handshake and no per-request _meta)", r)
    r = s.request("tools/call", {"name": c.tm.name("write"), "arguments": c.tm.args("write", {"path": "early.txt", "content": "x"}, s.ws)})
    c.check("life.call_before_initialize.reply", r is not None, "must", "tools/call before initialize gets a reply", r)
    c.check("life.call_before_initialize.inert", not os.path.exists(os.path.join(s.ws, "early.txt")), "ours", "and does nothing", r)
    r = s.initialize()
    c.check("life.initialize_after_errors", r is not None and "result" in r, "must", "initialize still works after them", r)
    s = c.fresh()
    s.notify("notifications/initialized")
    s.notify("notifications/cancelled", {"requestId": 1})
    time.sleep(0.2)
    rep = [m.raw for m in s.msgs if "method" not in m.obj]
    c.check("life.notifications_first", s.alive() and not rep, "must", "notifications before initialize get no reply", rep)
    r = s.initialize()
    c.check("life.notifications_first.then", r is not None and "result" in r, "must", "and initialize works after them", r)


@case("life.pipelined")
def _(c):
    s = c.fresh()
    b = b"".join(dumps(o) + b"\n" for o in (
        {"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {"protocolVersion": LEGACY, "capabilities": {}, "clientInfo": {"name": "x", "version": "1"}}},
        {"jsonrpc": "2.0", "method": "notifications/initialized"}, {"jsonrpc": "2.0", "id": 1, "method": "tools/list"},
        {"jsonrpc": "2.0", "id": 2, "method": "ping"}))
    s.send_raw(b)
    ms = [s.wait_id(i, 8) for i in (0, 1, 2)]
    c.check("life.pipelined", all(m and "result" in m.obj for m in ms), "must", "initialize, initialized, tools/list, ping in one write: all answered", ms)
    s = c.fresh()
    s.request("initialize", {"protocolVersion": LEGACY, "capabilities": {}, "clientInfo": {"name": "x", "version": "1"}}, timeout=15)
    r = s.request("tools/list")
    c.check("life.no_initialized", r is not None, "must", "a request between initialize and initialized gets a reply", r)
    c.check("life.no_initialized.result", r is not None and "result" in r, "ours", "and it is a result", r)


# ---------------------------------------------------------------------------
@case("id.forms")
def _(c):
    s = c.ready()
    for tag, raw, val in (("string", b'"abc"', "abc"), ("string_empty", b'""', ""), ("string_digits", b'"1"', "1"), ("zero", b"0", 0),
                          ("int", b"1", 1), ("negative", b"-7", -7), ("2_53", b"9007199254740992", 2 ** 53),
                          ("string_unicode", b'"\\u00e9\\ud83d\\ude00"', "é\U0001F600"), ("string_utf8", '"漢"'.encode(), "漢"),
                          ("string_quotes", b'"a\\"b\\\\c\\n"', 'a"b\\c\n'), ("string_64k", b'"' + b"i" * 65536 + b'"', "i" * 65536),
                          ("string_nul", b'"a\\u0000b"', "a\x00b")):
        msgs, alive = s.exchange(b'{"jsonrpc":"2.0","id":' + raw + b',"method":"ping"}')
        good = [m for m in msgs if "result" in m.obj and type(m.obj.get("id")) is type(val) and m.obj["id"] == val]
        c.check("id." + tag, alive and len(msgs) == 1 and len(good) == 1, "must", "the reply carries the id unchanged, in value and type", msgs if alive else "dead")
    for tag, raw, val in (("2_53_plus_1", b"9007199254740993", 2 ** 53 + 1), ("int64_max", b"9223372036854775807", 2 ** 63 - 1)):
        msgs, alive = s.exchange(b'{"jsonrpc":"2.0","id":' + raw + b',"method":"ping"}')
        c.check("id." + tag, alive and len(msgs) == 1 and (msgs[0].obj.get("id") == val or c.is_err(msgs[0].obj, [-32600])), "ours",
                "beyond 2^53: echoed exactly or refused with -32600, never rounded", msgs if alive else "dead")
    for tag, raw in (("float", b"1.5"), ("true", b"true"), ("array", b"[1]"), ("object", b'{"a":1}'), ("null", b"null"), ("huge", b"1" * 400), ("float_1e400", b"1e400")):
        msgs, alive = s.exchange(b'{"jsonrpc":"2.0","id":' + raw + b',"method":"ping"}')
        c.check("id.%s.serves_on" % tag, alive and len(msgs) <= 1, "must", "an id of a wrong kind: serves on, at most one reply", msgs if alive else "dead")
        c.check("id.%s.refused" % tag, len(msgs) == 1 and c.is_err(msgs[0].obj, [-32600, -32700]), "ours", "refused with -32600 and no id", msgs)
    msgs, alive = s.exchange(b'{"jsonrpc":"2.0","id":1.0,"method":"ping"}')
    c.check("id.one_point_zero", alive and len(msgs) == 1 and (msgs[0].obj.get("id") == 1 or c.is_err(msgs[0].obj, [-32600])), "ours", "1.0: echoed as an equal number or -32600", msgs)
    msgs, alive = s.exchange(b'{"jsonrpc":"2.0","id":"\\ud800","method":"ping"}')
    c.check("id.lone_surrogate", alive and len(msgs) <= 1 and not s.impure, "must", "an id with a lone surrogate: serves on, stdout stays UTF-8 JSON", msgs if alive else "dead")
    msgs, alive = s.exchange(b'{"jsonrpc":"2.0","method":"ping"}')
    c.check("id.missing", alive and not msgs, "must", "a request without id is a notification: no reply", msgs)
    # same value, different type, both in flight
    start = len(s.msgs)
    s.send_raw(b'{"jsonrpc":"2.0","id":77,"method":"ping"}\n{"jsonrpc":"2.0","id":"77","method":"ping"}\n')
    a, b = s.wait_id(77, 5, start), s.wait_id("77", 5, start)
    c.check("id.number_and_string", a is not None and b is not None, "must", 'ids 77 and "77" in flight together are told apart', [a, b])
    start = len(s.msgs)
    s.send_raw(b'{"jsonrpc":"2.0","id":78,"method":"ping"}\n{"jsonrpc":"2.0","id":78,"method":"ping"}\n')
    c.check("id.reused", s.probe(), "must", "an id reused while in flight does not hurt the server")


@case("msg.shape")
def _(c):
    s = c.ready()
    err = lambda m, codes, id_: len(m) == 1 and c.is_err(m[0].obj, codes, id_)
    both = lambda m, codes, id_: len(m) == 1 and (c.is_err(m[0].obj, codes, id_) or c.is_err(m[0].obj, codes))
    for tag, raw, id_ in (("no_jsonrpc", b'{"id":1,"method":"ping"}', 1), ("jsonrpc_1_0", b'{"jsonrpc":"1.0","id":2,"method":"ping"}', 2),
                          ("jsonrpc_number", b'{"jsonrpc":2.0,"id":3,"method":"ping"}', 3), ("no_method", b'{"jsonrpc":"2.0","id":4}', 4),
                          ("method_number", b'{"jsonrpc":"2.0","id":5,"method":1}', 5), ("method_null", b'{"jsonrpc":"2.0","id":6,"method":null}', 6)):
        msgs, alive = s.exchange(raw)
        c.check("msg.%s.serves_on" % tag, alive and len(msgs) <= 1, "must", "an invalid request: serves on, at most one reply", msgs if alive else "dead")
        c.check("msg.%s.code" % tag, both(msgs, [-32600], id_), "ours", "-32600, with the id where it was readable", msgs)
    for tag, raw in (("number", b"42"), ("string", b'"ping"'), ("null", b"null"), ("true", b"true"), ("empty_object", b"{}")):
        msgs, alive = s.exchange(raw)
        c.check("msg.toplevel_%s.serves_on" % tag, alive and len(msgs) <= 1, "must", "not a request at all: serves on", msgs if alive else "dead")
        c.check("msg.toplevel_%s.code" % tag, both(msgs, [-32600], "-"), "ours", "-32600 with no id", msgs)
    for tag, raw, id_, codes in (("params_array", b'{"jsonrpc":"2.0","id":10,"method":"tools/list","params":[1]}', 10, [-32602, -32600]),
                                 ("params_string", b'{"jsonrpc":"2.0","id":11,"method":"tools/list","params":"x"}', 11, [-32602, -32600])):
        msgs, alive = s.exchange(raw)
        c.check("msg.%s.serves_on" % tag, alive and len(msgs) <= 1, "must", "params of a wrong kind: serves on", msgs if alive else "dead")
        c.check("msg.%s.code" % tag, both(msgs, codes, id_), "ours", "-32602 (or -32600) with the id", msgs)
    msgs, alive = s.exchange(b'{"jsonrpc":"2.0","id":12,"method":"ping","params":null}')
    c.check("msg.params_null", alive and len(msgs) == 1, "ours", "params null: one reply (accepted or refused)", msgs if alive else "dead")
    for tag, m in (("unknown", b"foo/bar"), ("empty", b""), ("rpc_dot", b"rpc.discover"), ("case", b"Tools/List"), ("nul", b"ping\\u0000"),
                   ("long", b"m" * 70000), ("unicode", "пинг".encode()), ("lone_surrogate", b"\\ud800"), ("not_declared", b"prompts/list")):
        msgs, alive = s.exchange(b'{"jsonrpc":"2.0","id":20,"method":"' + m + b'"}')
        ok = err(msgs, [-32601], 20)
        if tag == "not_declared":
            ok = ok or (len(msgs) == 1 and "result" in msgs[0].obj)
        c.check("msg.method_" + tag, alive and ok, "must", "an unknown method: -32601 with the id", msgs if alive else "dead")
        if msgs:
            c.check("msg.method_%s.short" % tag, len(msgs[0].raw) < 4096, "ours", "and the reply does not repeat a long input", len(msgs[0].raw))
    msgs, alive = s.exchange(b'{"jsonrpc":"2.0","id":21,"method":"ping","x":1,"params":{"y":{"z":[1]}},"zz":null}')
    c.check("msg.extra_members", alive and len(msgs) == 1, "ours", "extra members: one reply", msgs)
    c.check("msg.extra_members.result", len(msgs) == 1 and "result" in msgs[0].obj, "ours", "and they are ignored", msgs)
    for tag, raw in (("result", b'{"jsonrpc":"2.0","id":99,"result":{}}'), ("error", b'{"jsonrpc":"2.0","id":99,"error":{"code":1,"message":"x"}}'),
                     ("error_null_id", b'{"jsonrpc":"2.0","id":null,"error":{"code":1,"message":"x"}}')):
        msgs, alive = s.exchange(raw)
        c.check("msg.stray_response_" + tag, alive and not msgs, "ours", "a response to nothing gets no reply", msgs if alive else "dead")
    msgs, alive = s.exchange(b'{"jsonrpc":"2.0","id":98,"method":"ping","result":{}}')
    c.check("msg.request_and_response", alive and len(msgs) <= 1, "must", "method and result in one object: serves on, at most one reply", msgs)
    for tag, raw in (("empty", b""), ("spaces", b"   "), ("tab_cr", b"\t\r")):
        msgs, alive = s.exchange(raw)
        c.check("msg.blank_line_" + tag, alive and not msgs, "ours", "a blank line is skipped in silence", msgs if alive else "dead")


@case("msg.notifications")
def _(c):
    s = c.ready()
    for tag, raw in (("unknown", b'{"jsonrpc":"2.0","method":"notifications/foo","params":{"a":1}}'),
                     ("unknown_no_params", b'{"jsonrpc":"2.0","method":"foo"}'),
                     ("initialized_twice", b'{"jsonrpc":"2.0","method":"notifications/initialized"}'),
                     ("cancel_unknown", b'{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":424242}}'),
                     ("cancel_unknown_string", b'{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"zz","reason":"r"}}'),
                     ("cancel_no_params", b'{"jsonrpc":"2.0","method":"notifications/cancelled"}'),
                     ("cancel_no_id", b'{"jsonrpc":"2.0","method":"notifications/cancelled","params":{}}'),
                     ("cancel_id_object", b'{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":{}}}'),
                     ("cancel_id_null", b'{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":null}}'),
                     ("params_array", b'{"jsonrpc":"2.0","method":"notifications/cancelled","params":[1]}'),
                     ("progress_from_client", b'{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1,"progress":1}}'),
                     ("roots_list_changed", b'{"jsonrpc":"2.0","method":"notifications/roots/list_changed"}')):
        msgs, alive = s.exchange(raw)
        c.check("note." + tag, alive and not msgs, "must", "a notification gets no reply, whatever it is", msgs if alive else "dead")
    w = {"name": c.tm.name("write"), "arguments": c.tm.args("write", {"path": "ghost.txt", "content": "x"}, s.ws)}
    msgs, alive = s.exchange(dumps({"jsonrpc": "2.0", "method": "tools/call", "params": w}), grace=0.3)
    c.check("note.tools_call", alive and not msgs, "must", "tools/call without an id gets no reply", msgs if alive else "dead")
    c.check("note.tools_call.inert", not os.path.exists(os.path.join(s.ws, "ghost.txt")), "ours", "and writes nothing")


@case("msg.batch")
def _(c):
    s = c.ready()
    ping = lambda i: b'{"jsonrpc":"2.0","id":"b%d","method":"ping"}' % i
    for tag, raw in (("empty", b"[]"), ("two", b"[" + ping(1) + b"," + ping(2) + b"]"), ("scalars", b"[1,2,3]"), ("nested", b"[[" + ping(3) + b"]]"),
                     ("notification", b'[{"jsonrpc":"2.0","method":"notifications/foo"}]'),
                     ("mixed", b"[" + ping(4) + b',{"foo":1},5,{"jsonrpc":"2.0","method":"x"}]'),
                     ("10k", b"[" + b",".join(ping(i) for i in range(10000)) + b"]")):
        msgs, alive = s.exchange(raw)
        c.check("batch.%s.serves_on" % tag, alive, "must", "a JSON array: the server serves on")
        c.check("batch.%s.refused" % tag, len(msgs) == 1 and c.is_err(msgs[0].obj, [-32600]), "ours", "batches were removed in 2025-06-18: one -32600 with no id", msgs[:3])


@case("msg.duplicate_keys")
def _(c):
    s = c.ready()
    for tag, raw in (("id", b'{"jsonrpc":"2.0","id":31,"id":32,"method":"ping"}'), ("method", b'{"jsonrpc":"2.0","id":33,"method":"ping","method":"tools/list"}'),
                     ("jsonrpc", b'{"jsonrpc":"1.0","jsonrpc":"2.0","id":34,"method":"ping"}'),
                     ("params", b'{"jsonrpc":"2.0","id":35,"method":"ping","params":{"a":1},"params":{"b":2}}')):
        msgs, alive = s.exchange(raw)
        c.check("dup." + tag, alive and len(msgs) == 1, "ours", "duplicated member: exactly one reply (last one wins, or refused)", msgs if alive else "dead")
    rd = c.tm.name("read").encode()
    for tag, raw in (("path_out_last", b'{"jsonrpc":"2.0","id":36,"method":"tools/call","params":{"name":"' + rd + b'","arguments":{"path":"a.txt","path":"../outside/secret.txt"}}}'),
                     ("path_out_first", b'{"jsonrpc":"2.0","id":37,"method":"tools/call","params":{"name":"' + rd + b'","arguments":{"path":"../outside/secret.txt","path":"a.txt"}}}'),
                     ("arguments", b'{"jsonrpc":"2.0","id":38,"method":"tools/call","params":{"name":"' + rd + b'","arguments":{"path":"a.txt"},"arguments":{"path":"../outside/secret.txt"}}}')):
        msgs, alive = s.exchange(raw, grace=0.4)
        time.sleep(0.1)
        c.check("dup." + tag, alive and len(msgs) <= 1 and b"TOPSECRET" not in b"".join(m.raw for m in s.msgs), "must", "a duplicated path does not lead outside", msgs if alive else "dead")


# ---------------------------------------------------------------------------
@case("tools.call_errors")
def _(c):
    s = c.ready()
    call = lambda p, i: s.request("tools/call", p, id_=i)
    r = call({"name": "no_such_tool", "arguments": {}}, 1)
    c.check("tools.unknown_tool", r is not None and c.is_err(r, [-32602], 1), "must", "unknown tool: JSON-RPC error -32602 (2025-11-25 and 2026-07-28 tools.mdx, Error Handling)", r)
    r = call({"name": "x" * 100000, "arguments": {}}, 2)
    c.check("tools.unknown_tool_long", r is not None and len(repr(r)) < 4096, "ours", "a 100 kB tool name is not repeated in the reply", len(repr(r)))
    r = call({"name": "\ud800"}, 3) if False else None
    msgs, alive = s.exchange(b'{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"\\ud800\\u0000","arguments":{}}}')
    c.check("tools.unknown_tool_surrogate", alive and len(msgs) == 1 and not s.impure, "must", "a tool name of a lone surrogate and NUL: one reply, stdout stays UTF-8", msgs)
    for tag, p in (("no_params", None), ("no_name", {"arguments": {}}), ("name_number", {"name": 5}), ("name_null", {"name": None})):
        r = call(p, 10)
        c.check("tools." + tag, r is not None, "must", "malformed tools/call: a reply with its id", r)
        c.check("tools.%s.code" % tag, r is not None and c.is_err(r, [-32602], 10), "ours", "and it is -32602", r)
    for tag, a in (("arguments_array", [1]), ("arguments_string", "x"), ("arguments_number", 5)):
        r = call({"name": c.tm.name("read"), "arguments": a}, 11)
        c.check("tools." + tag, r is not None, "must", "arguments of a wrong kind: a reply", r)
        c.check("tools.%s.code" % tag, r is not None and c.is_err(r, [-32602], 11), "ours", "and it is -32602 (the request does not fit CallToolRequest)", r)
    for tag, a in (("missing_required", {}), ("path_number", {"path": 5}), ("path_null", {"path": None}), ("path_array", {"path": ["a.txt"]}), ("path_object", {"path": {"a": 1}})):
        r = call({"name": c.tm.name("read"), "arguments": a}, 12)
        c.check("tools." + tag, r is not None and ("error" in r or r["result"].get("isError") is True), "must", "invalid arguments: an error of one kind or the other", r)
        c.check("tools.%s.is_error" % tag, r is not None and "result" in r and r["result"].get("isError") is True, "ours", "reported as isError with a text (SEP-1303: the model can correct itself)", r)
    r = call({"name": c.tm.name("list")}, 13)
    c.check("tools.arguments_absent", r is not None, "must", "arguments may be absent", r)
    r = call({"name": c.tm.name("list"), "arguments": None}, 14)
    c.check("tools.arguments_null", r is not None, "must", "arguments null: a reply", r)
    for tag, m in (("meta_number", 5), ("meta_array", [1]), ("meta_null", None), ("token_object", {"progressToken": {}}), ("token_null", {"progressToken": None}), ("token_bool", {"progressToken": True}), ("token_float", {"progressToken": 1.5})):
        r = call({"name": c.tm.name("read"), "arguments": c.tm.args("read", {"path": "a.txt"}, s.ws), "_meta": m}, 15)
        c.check("tools._" + tag, r is not None, "must", "an odd _meta: a reply (ignored, or -32602)", r)
    c.check("tools.odd_meta.alive", s.probe(), "must", "and the server serves on")
    r = s.request("tools/list", {"cursor": "bogus-cursor"}, id_=16)
    c.check("tools.bad_cursor", r is not None, "must", "tools/list with a bogus cursor: a reply", r)
    c.check("tools.bad_cursor.code", r is not None and c.is_err(r, [-32602], 16), "ours", "and it is -32602 (pagination: invalid cursors SHOULD)", r)
    r = s.request("tools/list", {"cursor": 5}, id_=17)
    c.check("tools.cursor_number", r is not None, "must", "tools/list with a number as cursor: a reply", r)
    # NUL and line ends inside a path
    for tag, raw in (("nul", b"a.txt\\u0000.png"), ("newline", b"a.txt\\n"), ("lone_surrogate", b"\\ud800.txt"), ("empty", b"")):
        msgs, alive = s.exchange(b'{"jsonrpc":"2.0","id":18,"method":"tools/call","params":{"name":"' + c.tm.name("read").encode() + b'","arguments":{"path":"' + raw + b'"}}}', grace=0.5)
        ok = alive and len(msgs) == 1 and ("error" in msgs[0].obj or msgs[0].obj["result"].get("isError") is True)
        c.check("tools.path_" + tag, ok and b"alpha" not in msgs[0].raw, "must", "a path with %s reads nothing: an error" % tag, msgs if alive else "dead")


# ---------------------------------------------------------------------------
def big_case(c, name, head, unit, tail, statement, complete=True):
    s = c.ready()
    n = c.a.big_mib << 20
    body = head + unit * ((n - len(head) - len(tail)) // len(unit)) + tail
    start = len(s.msgs)
    sent = s.send_raw(body + b"\n", timeout=60)
    ok = s.request("ping", timeout=30) is not None
    rss = s.peak_rss() // 1024
    got = [m for m in s.msgs[start:] if "method" not in m.obj and not str(m.obj.get("id", "")).startswith("q-")]
    c.check(name + ".serves_on", sent and ok, "ours", statement, "sent=%s alive=%s ping=%s" % (sent, s.alive(), ok))
    c.check(name + ".no_crash", s.p.poll() in (None, 0, 1), "must", "and it does not crash", "exit %s" % s.p.poll())
    c.check(name + ".one_reply", len(got) == 1 and ("error" in got[0].obj or got[0].obj.get("result", {}).get("isError") is True), "ours", "exactly one error tells the client", got[:3])
    c.check(name + ".rss", rss <= c.a.rss_mib, "ours", "peak RSS at most %d MiB" % c.a.rss_mib, "%d MiB" % rss)


@case("size.line_json")
def _(c):
    w = c.tm.name("write").encode()
    big_case(c, "size.line_json", b'{"jsonrpc":"2.0","id":"big","method":"tools/call","params":{"name":"' + w + b'","arguments":{"path":"big.txt","content":"', b"x" * 1024, b'"}}}',
             "a %d MiB well-formed line is refused and the next line is served" % c.a.big_mib)


@case("size.line_garbage")
def _(c):
    big_case(c, "size.line_garbage", b"", b"a" * 1024, b"", "a %d MiB line of garbage is refused and the next line is served" % c.a.big_mib)


@case("size.no_newline_eof")
def _(c):
    s = c.ready()
    s.send_raw(b"x" * (32 << 20), timeout=60)
    s.close_stdin()
    rc, t = s.wait_exit(5)
    c.check("size.no_newline_eof", rc == 0, "ours", "32 MiB without a newline, then EOF: exit 0", "rc=%s after %.2f s" % (rc, t))
    c.check("size.no_newline_eof.ends", rc is not None and rc >= 0, "must", "and it ends without a crash", "rc=%s" % rc)


@case("size.nesting")
def _(c):
    for tag, params in (("arrays_10k", b"[" * 10000 + b"]" * 10000), ("objects_10k", b'{"a":' * 10000 + b"1" + b"}" * 10000),
                        ("arrays_1m", b"[" * 1000000 + b"]" * 1000000), ("arrays_1m_unclosed", b"[" * 1000000),
                        ("objects_200k_unclosed", b'{"a":' * 200000), ("mixed_100k", b'[{"a":' * 100000 + b"1" + b"}]" * 100000)):
        s = c.ready()
        msgs, alive = s.exchange(b'{"jsonrpc":"2.0","id":"n","method":"ping","params":{"x":' + params + b"}}", timeout=20)
        c.check("nest." + tag, alive and len(msgs) <= 1, "must", "deep nesting inside params: no crash, serves on", "dead, exit %s" % s.p.poll() if not alive else msgs)
        c.check("nest.%s.reply" % tag, len(msgs) == 1, "ours", "and one reply (result or -32700/-32600)", msgs)
    s = c.ready()
    msgs, alive = s.exchange(b"[" * 10000, timeout=20)
    c.check("nest.line_of_brackets", alive, "must", "a line of 10k '[': serves on", "dead, exit %s" % s.p.poll())


@case("size.wide")
def _(c):
    for tag, v in (("array_1m", b"[" + b"1," * 999999 + b"1]"), ("object_100k", b"{" + b",".join(b'"k%d":%d' % (i, i) for i in range(100000)) + b"}"),
                   ("key_1mib", b'{"' + b"k" * (1 << 20) + b'":1}'), ("number_1mb", b"1" * 1000000), ("number_1mb_frac", b"0." + b"1" * 1000000),
                   ("escapes_200k", b'"' + b"\\u00e9" * 200000 + b'"'), ("collide_keys", b"{" + b",".join(b'"%s":1' % (bytes(([65, 97][i >> b & 1]) for b in range(14))) for i in range(16384)) + b"}")):
        s = c.ready()
        t = time.monotonic()
        msgs, alive = s.exchange(b'{"jsonrpc":"2.0","id":"w","method":"ping","params":{"x":' + v + b"}}", timeout=20)
        dt = time.monotonic() - t
        c.check("wide." + tag, alive and len(msgs) <= 1, "must", "wide value in params: no crash, serves on", "dead, exit %s" % s.p.poll() if not alive else msgs)
        c.check("wide.%s.time" % tag, len(msgs) == 1 and dt < 5, "ours", "one reply within 5 s", "%.1f s, %d replies" % (dt, len(msgs)))


# ---------------------------------------------------------------------------
@case("bytes.framing")
def _(c):
    s = c.ready()
    # one byte at a time, with a multi-byte character inside
    line = '{"jsonrpc":"2.0","id":"slow-é漢\U0001F600","method":"ping"}\n'.encode()
    for i in range(len(line)):
        s.send_raw(line[i:i + 1])
        time.sleep(0.001)
    m = s.wait_id("slow-é漢\U0001F600", 5)
    c.check("bytes.one_by_one", m is not None, "must", "a line written byte by byte is one message")
    s.send_raw(b'{"jsonrpc":"2.0","id":"half","met')
    time.sleep(0.3)
    early = [m.raw for m in s.msgs if m.obj.get("id") == "half" or "error" in m.obj]
    s.send_raw(b'hod":"ping"}\n')
    c.check("bytes.half_pause_half", s.wait_id("half", 5) is not None and not early, "must", "half a line, a pause, the rest: one message", early)
    n = 2000
    start = len(s.msgs)
    s.send_raw(b"".join(b'{"jsonrpc":"2.0","id":"m%d","method":"ping"}\n' % i for i in range(n)))
    end = time.monotonic() + 15
    while time.monotonic() < end and len(s.msgs) - start < n:
        time.sleep(0.02)
    ids = {m.obj.get("id") for m in s.msgs[start:]}
    c.check("bytes.2000_in_one_write", ids == {"m%d" % i for i in range(n)}, "must", "2000 requests in one write: 2000 replies", len(ids))
    start = len(s.msgs)
    s.send_raw(b'{"jsonrpc":"2.0","id":"crlf1","method":"ping"}\r\n{"jsonrpc":"2.0","id":"crlf2","method":"ping"}\r\n')
    c.check("bytes.crlf", all(s.wait_id(i, 5, start) for i in ("crlf1", "crlf2")), "must", "CRLF line ends are accepted")
    start = len(s.msgs)
    s.send_raw(b'{"jsonrpc":"2.0","id":"p1",\n"method":"ping"}\n')
    ok = s.probe()
    time.sleep(0.1)
    got = [m for m in s.msgs[start:] if not str(m.obj.get("id", "")).startswith("q-")]
    c.check("bytes.pretty_printed", ok and not any(m.obj.get("id") == "p1" and "result" in m.obj for m in got), "must", "an embedded newline splits the message: not accepted, serves on", got)
    c.check("bytes.pretty_printed.two_errors", len(got) == 2 and all(c.is_err(m.obj, [-32700]) for m in got), "ours", "each half is a -32700", got)
    start = len(s.msgs)
    s.send_raw(b"{bad\n" * 3 + b'{"jsonrpc":"2.0","id":"ok1","method":"ping"}\n' + b"\xff\xff\n" + b'{"jsonrpc":"2.0","id":"ok2","method":"ping"}\n')
    c.check("bytes.interleaved", all(s.wait_id(i, 5, start) for i in ("ok1", "ok2")), "must", "good lines between bad ones are served")
    time.sleep(0.1)
    errs = [m for m in s.msgs[start:] if c.is_err(m.obj, [-32700])]
    c.check("bytes.interleaved.errors", len(errs) == 4, "ours", "and each bad line is one -32700", len(errs))
    s = c.fresh()
    s.send_raw(b"\xef\xbb\xbf")
    r = s.initialize()
    c.check("bytes.bom_at_start", s.alive(), "must", "a BOM before the first message does not kill the server", r)
    s = c.fresh()
    s.send_raw('{"jsonrpc":"2.0","id":1,"method":"ping"}\n'.encode("utf-16-le"))
    s.send_raw(b"\n")
    r = s.initialize()
    c.check("bytes.utf16", r is not None and "result" in r, "must", "UTF-16 input is refused and UTF-8 after it is served", r)
    s = c.ready()
    s.send_raw(os.urandom(200000).replace(b"\n", b" ") + b"\n" + b"\n".join(os.urandom(200) for _ in range(300)) + b"\n")
    c.check("bytes.random", s.probe(15), "must", "300 lines of random bytes: serves on", "exit %s" % s.p.poll())


@case("io.eof")
def _(c):
    s = c.fresh()
    s.close_stdin()
    rc, t = s.wait_exit(5)
    c.check("io.eof_at_once", rc == 0 and t < 1.5 and not s.msgs, "ours", "EOF before any message: exit 0 within 1.5 s, nothing printed", "rc=%s %.2f s" % (rc, t))
    s = c.ready()
    s.close_stdin()
    rc, t = s.wait_exit(5)
    c.check("io.eof", rc is not None, "must", "EOF on stdin ends the server (SHOULD exit promptly)", "still running after 5 s")
    c.check("io.eof.exit_0_1s", rc == 0 and t < 1.0, "ours", "with exit code 0 within 1 s", "rc=%s %.2f s" % (rc, t))
    s = c.ready()
    s.send_raw(b'{"jsonrpc":"2.0","id":"cut","method":"pi')
    s.close_stdin()
    rc, t = s.wait_exit(5)
    c.check("io.half_line_eof", rc == 0 and t < 1.5, "ours", "half a line, then EOF: exit 0", "rc=%s %.2f s" % (rc, t))
    c.check("io.half_line_eof.silent", not any(m.obj.get("id") == "cut" for m in s.msgs), "must", "and no reply under the cut id")
    s = c.ready()
    n = 200
    s.send_raw(b"".join(b'{"jsonrpc":"2.0","id":"z%d","method":"ping"}\n' % i for i in range(n)))
    s.close_stdin()
    rc, t = s.wait_exit(5)
    time.sleep(0.1)
    got = sum(1 for m in s.msgs if str(m.obj.get("id", "")).startswith("z"))
    c.check("io.eof_after_requests", rc == 0 and got == n, "ours", "200 requests, then EOF: all answered, exit 0 (so that printf ... | server works)", "rc=%s, %d answered" % (rc, got))
    s = c.ready()
    rd = {"name": c.tm.name("read"), "arguments": c.tm.args("read", {"path": "a.txt"}, s.ws)}
    s.send({"jsonrpc": "2.0", "id": "last", "method": "tools/call", "params": rd})
    s.close_stdin()
    rc, t = s.wait_exit(5)
    time.sleep(0.1)
    c.check("io.eof_after_call", rc == 0 and any(m.obj.get("id") == "last" for m in s.msgs), "ours", "a tool call, then EOF: answered, exit 0", "rc=%s" % rc)
    s = c.ready()
    s.send_raw(b'{"jsonrpc":"2.0","id":"nonl","method":"ping"}')
    s.close_stdin()
    rc, t = s.wait_exit(5)
    c.check("io.last_line_without_newline", rc == 0, "ours", "a whole message without its newline, then EOF: exit 0 (answered or not)", "rc=%s" % rc)


@case("io.signals")
def _(c):
    for sig in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        s = c.ready()
        s.p.send_signal(sig)
        rc, t = s.wait_exit(5)
        c.check("io.%s" % sig.name, rc is not None, "must", "ends on %s" % sig.name, "still running after 5 s")
        c.check("io.%s.1s" % sig.name, rc in (0, 128 + sig, -sig) and t < 1, "ours", "within 1 s, exit 0, %d or by the signal" % (128 + sig), "rc=%s %.2f s" % (rc, t))
    s = c.ready()
    s.p.send_signal(signal.SIGPIPE)
    time.sleep(0.2)
    c.check("io.SIGPIPE_ignored", s.alive() and s.probe(), "ours", "SIGPIPE does not end it (EPIPE is handled)")


@case("io.epipe")
def _(c):
    s = c.ready()
    s.paused.set()
    time.sleep(0.05)
    # close the read end of stdout under the server
    s.send({"jsonrpc": "2.0", "id": "wake", "method": "ping"})
    time.sleep(0.2)
    os.close(os.dup(s.p.stdout.fileno()))
    s.p.stdout.close()
    s.paused.clear()
    for i in range(50):
        if not s.send({"jsonrpc": "2.0", "id": i, "method": "ping"}):
            break
        time.sleep(0.01)
    rc, t = s.wait_exit(3)
    alive = rc is None
    if alive:
        s.close_stdin()
        rc, t = s.wait_exit(3)
    c.check("io.epipe.no_crash", rc is not None and rc not in (-signal.SIGSEGV, -signal.SIGABRT, -signal.SIGBUS, 134, 139), "must", "stdout closed early: no crash, and it ends at the latest at EOF", "rc=%s" % rc)
    c.check("io.epipe.ends_itself", not alive, "ours", "it ends by itself when its stdout is gone", "only at EOF")
    c.check("io.epipe.code", rc in (0, 1, 141, -signal.SIGPIPE), "ours", "exit 0, 1 or by SIGPIPE", rc)


@case("io.backpressure")
def _(c):
    s = c.ready()
    with open(os.path.join(s.ws, "page.txt"), "w") as f:
        f.write(("0123456789" * 8 + "\n") * 400)
    s.paused.set()
    rd = {"name": c.tm.name("read"), "arguments": c.tm.args("read", {"path": "page.txt"}, s.ws)}
    n = 1000
    data = b"".join(dumps({"jsonrpc": "2.0", "id": "r%d" % i, "method": "tools/call", "params": rd}) + b"\n" for i in range(n))
    th = threading.Thread(target=lambda: s._write(data), daemon=True)
    th.start()
    time.sleep(2.0)
    rss = s.peak_rss() // 1024
    s.paused.clear()
    end = time.monotonic() + 30
    while time.monotonic() < end and sum(1 for m in s.msgs if str(m.obj.get("id", "")).startswith("r")) < n:
        time.sleep(0.05)
    got = len({m.obj["id"] for m in s.msgs if str(m.obj.get("id", "")).startswith("r")})
    c.check("io.backpressure", got == n, "must", "a client that reads nothing for 2 s while it sends 1000 reads gets every reply", got)
    c.check("io.backpressure.rss", rss <= c.a.rss_mib, "ours", "within %d MiB" % c.a.rss_mib, "%d MiB" % rss)


@case("io.stderr")
def _(c):
    s = c.fresh(stderr="pipe-unread")
    s.initialize()
    s.send_raw(b"{bad json, which may be logged, on and on, for each of a great many lines}\n" * 4000, timeout=20)
    c.check("io.stderr_unread", s.probe(10), "must", "a client that never reads stderr does not stall the server (4000 bad lines)")
    s = c.fresh(stderr="closed")
    r = s.initialize()
    s.send_raw(b"{bad\n")
    c.check("io.stderr_closed", r is not None and s.probe(), "ours", "a closed stderr is harmless", r)


# ---------------------------------------------------------------------------
@case("cancel.raw")
def _(c):
    s = c.ready()
    s.send({"jsonrpc": "2.0", "id": 500, "method": "ping"})
    s.send_raw(b'{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":500}}\n')
    c.check("cancel.race", s.probe(), "must", "cancelling a request that just ended is harmless")
    start = len(s.msgs)
    s.send_raw(b'{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"501"}}\n{"jsonrpc":"2.0","id":501,"method":"ping"}\n')
    c.check("cancel.before_its_request", s.wait_id(501, 5, start) is not None, "must", "cancelling an id before it is used does not swallow the later request")
    start = len(s.msgs)
    s.send({"jsonrpc": "2.0", "id": 502, "method": "initialize", "params": {"protocolVersion": LEGACY, "capabilities": {}, "clientInfo": {"name": "x", "version": "1"}}})
    s.send_raw(b'{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":502}}\n')
    c.check("cancel.initialize", s.wait_id(502, 3, start) is not None, "ours", "initialize is not cancellable: it is answered")


# ---------------------------------------------------------------------------
MM = lambda i, method, params=None, **kw: {"jsonrpc": "2.0", "id": i, "method": method, "params": dict(params or {}, _meta=modern_meta(**kw))}


@case("modern.discover", era="modern")
def _(c):
    s = c.fresh()
    r = s.request("server/discover", {"_meta": modern_meta()}, timeout=15)
    res = (r or {}).get("result", {})
    c.check("modern.discover", "result" in (r or {}), "must", "server/discover is answered on a fresh process, without initialize", r)
    c.check("modern.discover.resultType", res.get("resultType") == "complete", "must", "resultType is complete", r)
    c.check("modern.discover.versions", MODERN in (res.get("supportedVersions") or []), "must", "supportedVersions holds 2026-07-28", res.get("supportedVersions"))
    c.check("modern.discover.legacy_listed", set(KNOWN_LEGACY[:2]) <= set(res.get("supportedVersions") or []), "ours", "and the handshake versions it also serves", res.get("supportedVersions"))
    c.check("modern.discover.cache", type(res.get("ttlMs")) is int and res["ttlMs"] >= 0 and res.get("cacheScope") in ("public", "private"), "must", "ttlMs and cacheScope are there", r)
    c.check("modern.discover.caps", isinstance(res.get("capabilities", {}).get("tools"), dict), "must", "tools capability", r)
    si = res.get("_meta", {}).get("io.modelcontextprotocol/serverInfo", {})
    c.check("modern.discover.serverInfo", isinstance(si.get("name"), str) and isinstance(si.get("version"), str), "ours", "_meta carries serverInfo (SHOULD)", res.get("_meta"))
    r = s.initialize()
    c.check("modern.initialize_after_discover", r is not None and "result" in r, "ours", "initialize after server/discover still works (claude-code#96183)", r)
    r = s.request("tools/list")
    c.check("modern.legacy_after", r is not None and "result" in r, "ours", "and legacy requests are then served", r)
    r = s.request("tools/list", {"_meta": modern_meta()})
    c.check("modern.both_eras", r is not None and r.get("result", {}).get("resultType") == "complete", "ours", "a request with modern _meta is served as modern on the same process", r)


@case("modern.meta", era="modern")
def _(c):
    for tag, meta in (("no_version", {META_CAP: {}}), ("no_capabilities", {META_VER: MODERN}), ("version_number", {META_VER: 5, META_CAP: {}}), ("caps_string", {META_VER: MODERN, META_CAP: "x"})):
        s = c.fresh()
        r = s.request("server/discover", {"_meta": meta})
        c.check("modern.meta." + tag, r is not None and c.is_err(r, [-32602], r.get("id")), "must", "a missing or mistyped required _meta field: -32602", r)
    for tag, p in (("no_meta", {}), ("no_params", None)):
        s = c.fresh()
        r = s.request("server/discover", p)
        c.check("modern.meta." + tag, r is not None and c.is_err(r, [-32602], r.get("id")), "must", "server/discover without _meta: -32602", r)
    s = c.fresh()
    r = s.request("tools/list", {"_meta": modern_meta(info=False)})
    c.check("modern.meta.no_client_info", r is not None and "result" in r, "must", "clientInfo is optional", r)
    r = s.request("tools/list", {"_meta": modern_meta(version="1900-01-01")})
    e = (r or {}).get("error", {})
    c.check("modern.version_unknown", e.get("code") == -32022 and isinstance(e.get("data", {}).get("supported"), list) and MODERN in e["data"]["supported"] and e["data"].get("requested") == "1900-01-01",
            "must", "unsupported version: -32022 with data.supported and data.requested", r)
    r = s.request("tools/list", {"_meta": modern_meta(version=LEGACY)})
    c.check("modern.version_legacy_in_meta", r is not None and c.is_err(r, [-32022], r.get("id")), "ours", "a handshake version named in _meta: -32022", r)
    r = s.request("tools/list", {"_meta": modern_meta(**{"io.modelcontextprotocol/logLevel": "debug", "x.example/y": 1, "traceparent": "00-0af7651916cd43dd8448eb211c80319c-00f067aa0ba902b7-01"})})
    c.check("modern.meta.extra", r is not None and "result" in r, "must", "further _meta keys are ignored", r)


@case("modern.tools", era="modern")
def _(c):
    s = c.fresh()
    r1 = s.request("tools/list", {"_meta": modern_meta()}, timeout=15)
    r2 = s.request("tools/list", {"_meta": modern_meta()})
    res = (r1 or {}).get("result", {})
    c.check("modern.list", isinstance(res.get("tools"), list) and res.get("resultType") == "complete", "must", "tools/list as the first message: complete", r1)
    c.check("modern.list.cache", type(res.get("ttlMs")) is int and res["ttlMs"] >= 0 and res.get("cacheScope") in ("public", "private"), "must", "with ttlMs and cacheScope", {k: v for k, v in res.items() if k != "tools"})
    c.check("modern.list.deterministic", r1 and r2 and dumps(r1["result"]) == dumps(r2["result"]) if r1 and r2 and "result" in r1 and "result" in r2 else False, "ours", "twice the same bytes (SHOULD: deterministic order)")
    a = c.tm.args("read", {"path": "a.txt"}, s.ws)
    r = s.request("tools/call", {"name": c.tm.name("read"), "arguments": a, "_meta": modern_meta()})
    c.check("modern.call", r is not None and r.get("result", {}).get("resultType") == "complete" and "alpha" in repr(r), "must", "tools/call without a handshake: complete", r)
    r = s.request("tools/call", {"name": c.tm.name("read"), "arguments": a, "_meta": modern_meta(), "inputResponses": {"zz": {"action": "accept"}}, "requestState": "tampered"})
    c.check("modern.call.extra_mrtr", r is not None, "must", "unexpected inputResponses/requestState: a reply (ignored, or an error)", r)
    r = s.request("tools/call", {"name": "no_such", "arguments": {}, "_meta": modern_meta()})
    c.check("modern.unknown_tool", r is not None and c.is_err(r, [-32602], r.get("id")), "must", "unknown tool: -32602", r)
    for m in ("ping", "logging/setLevel", "resources/subscribe", "no/such"):
        r = s.request(m, {"_meta": modern_meta(), "level": "debug", "uri": "file:///x"})
        c.check("modern.removed.%s" % m.replace("/", "_"), r is not None and c.is_err(r, [-32601], r.get("id")), "must", "%s does not exist in 2026-07-28: -32601" % m, r)
    bad = [m.raw[:80] for m in s.msgs if m.obj.get("method") == "notifications/message"]
    c.check("modern.no_log_messages", not bad, "must", "no notifications/message where no logLevel was asked for", bad)
    start = len(s.msgs)
    s.send(MM("sub-1", "subscriptions/listen", {"notifications": {"toolsListChanged": True, "resourceSubscriptions": ["file:///a.txt"]}}))
    m = s.wait(lambda o: o.get("method") == "notifications/subscriptions/acknowledged" or o.get("id") == "sub-1", 3, start)
    ack = m is not None and m.obj.get("method") == "notifications/subscriptions/acknowledged" and m.obj.get("params", {}).get("_meta", {}).get("io.modelcontextprotocol/subscriptionId") == "sub-1"
    c.check("modern.listen", m is not None and (ack or c.is_err(m.obj, [-32601], "sub-1")), "must", "subscriptions/listen: first an acknowledgement with the subscriptionId (or -32601)", m and m.raw)
    c.check("modern.listen.ack", ack, "ours", "and it is the acknowledgement", m and m.raw)
    if ack:
        n = len(s.msgs)
        s.send_raw(b'{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"sub-1"}}\n')
        r = s.request("tools/list", {"_meta": modern_meta()})
        c.check("modern.listen.cancel", r is not None and not any(x.obj.get("id") == "sub-1" for x in s.msgs[n:]), "ours", "a cancelled subscription gets no reply")
        s.send(MM("sub-2", "subscriptions/listen", {"notifications": {}}))
        s.wait(lambda o: o.get("method") == "notifications/subscriptions/acknowledged", 3, n)
        s.close_stdin()
        rc, t = s.wait_exit(3)
        c.check("modern.listen.eof", rc == 0, "ours", "EOF with an open subscription: exit 0", "rc=%s" % rc)


def main():
    argv, cmd = split_cmd(sys.argv[1:])
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--profile", choices=("ours", "spec"), default="ours")
    p.add_argument("--era", choices=("both", "legacy"), default="both")
    p.add_argument("--null-id", choices=("any", "null", "absent"), default="any")
    p.add_argument("--only")
    p.add_argument("--skip")
    p.add_argument("--list", action="store_true")
    p.add_argument("--keep", action="store_true")
    p.add_argument("--prefix", default="")
    p.add_argument("--map")
    p.add_argument("--rss-mib", type=int, default=512)
    p.add_argument("--big-mib", type=int, default=64)
    a = p.parse_args(argv)
    if a.list:
        for n, era, _ in CASES:
            print(n, "(2026-07-28)" if era == "modern" else "")
        return 0
    if not cmd:
        p.error("no server command after --")
    signal.signal(signal.SIGPIPE, signal.SIG_IGN)
    c = Ctx(a, cmd)
    try:
        for name, era, f in CASES:
            if (a.only and not re.search(a.only, name)) or (a.skip and re.search(a.skip, name)) or (era == "modern" and a.era == "legacy"):
                continue
            try:
                f(c)
            except Exception as e:
                c.check(name, False, "must", "the case runs to its end", "%s: %s" % (type(e).__name__, e))
            c.done(name)
        c.check("stdout.pure", not c.impure, "must", "over all cases, stdout held nothing but JSON-RPC 2.0 messages in UTF-8, one a line", c.impure[:4])
        c.check("stdout.no_lone_surrogates", not c.lone, "ours", "and no string with a lone surrogate (strict JSON readers refuse it)", c.lone[:4])
    finally:
        if not a.keep:
            shutil.rmtree(c.base, ignore_errors=True)
        else:
            print("kept", c.base, file=sys.stderr)
    if c.notes:
        print("%d notes (our choices, not counted under --profile spec)" % c.notes)
    print("%d passed, %d failed" % (c.passed, c.failed))
    return 0 if c.failed == 0 else 1


if __name__ == "__main__":
    sys.exit(main())
