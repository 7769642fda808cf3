#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""naive.py ROOT: a server of the five tools that resolves a path, compares it with the root, and then uses it by
name: check, then use. It stands here to be broken: a race that does not catch it proves nothing."""
import json
import os
import sys

ROOT = os.path.realpath(sys.argv[1])
READ_ONLY = ("skills", "docs", "templates", "context")


def resolve(path, write=False):
    full = os.path.realpath(os.path.join(ROOT, path))
    if full != ROOT and not full.startswith(ROOT + os.sep):
        raise ValueError("outside")
    if write and os.path.relpath(full, ROOT).split(os.sep)[0] in READ_ONLY:
        raise ValueError("read-only")
    return os.path.join(ROOT, path)


def read(args):
    with open(resolve(args["path"]), encoding="utf-8") as file:
        return file.read()


def write(args):
    full = resolve(args["path"], True)
    os.makedirs(os.path.dirname(full), exist_ok=True)
    with open(full, "w", encoding="utf-8") as file:
        file.write(args["content"])
    return "written"


def edit(args):
    text = read(args)
    if args["old_string"] not in text:
        raise ValueError("no match")
    return write({"path": args["path"], "content": text.replace(args["old_string"], args["new_string"])})


def below(args):
    top = resolve(args["path"])
    if not args.get("recursive", True):
        return os.listdir(top)
    return [os.path.relpath(os.path.join(d, name), top) for d, _, names in os.walk(top) for name in names]


def grep(args):
    found = []
    for name in below(args):
        try:
            text = read({"path": os.path.join(args["path"], name)})
        except (OSError, ValueError):
            continue
        found += [line for line in text.splitlines() if "SECRET" in line]
    return "\n".join(found)


TOOLS = {"read": read, "write": write, "edit": edit, "grep": grep, "list": lambda args: "\n".join(below(args))}


def call(params):
    try:
        text, bad = TOOLS[params["name"]](params["arguments"]), False
    except (OSError, ValueError) as error:
        text, bad = getattr(error, "strerror", None) or str(error), True
    return {"content": [{"type": "text", "text": text}], "isError": bad}


def answer(request):
    if request["method"] == "tools/list":
        return {"tools": [{"name": name} for name in TOOLS]}
    if request["method"] == "tools/call":
        return call(request["params"])
    return {"protocolVersion": "2025-06-18", "capabilities": {"tools": {}}, "serverInfo": {"name": "naive", "version": "1"}}


for line in sys.stdin:
    message = json.loads(line)
    if "id" in message:
        print(json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": answer(message)}), flush=True)
