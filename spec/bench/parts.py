# SPDX-License-Identifier: MIT
"""What is measured, part by part: (table, programs, trees, rounds)."""
import re
import subprocess
import tempfile

from measure import alternate, timed
from servers import Server

OURS = {
    "read": ("read", {"path": "{path}"}),
    "page": ("read", {"path": "{path}", "offset": "{offset}", "limit": 100}),
    "list": ("list", {"path": "{path}"}),
    "sizes": ("list", {"path": "{path}"}),
    "write": ("write", {"path": "{path}", "content": "{content}"}),
    "edit": ("edit", {"path": "{path}", "old_string": "{old}", "new_string": "{new}"}),
}
REFERENCE = {
    "read": ("read_text_file", {"path": "{path}"}),
    "list": ("list_directory", {"path": "{path}"}),
    "sizes": ("list_directory_with_sizes", {"path": "{path}"}),
    "write": ("write_file", {"path": "{path}", "content": "{content}"}),
    "edit": ("edit_file", {"path": "{path}", "edits": "{edits}"}),
}

# ---- in process -----------------------------------------------------------------------------------------


def rows_of(program):
    """What a program made of rounds.c prints, as (title, name, figure, ratio)."""
    with tempfile.TemporaryDirectory() as place:
        printed = subprocess.run([program, place], check=True, stdout=subprocess.PIPE, text=True).stdout
    for line in printed.splitlines():
        title, name, figure, ratio = line.split("\t")
        yield title, name, float(figure), float(ratio)


TARGETS = {"croft, one confined open": 1.3, "croft, by name, openat2": 3,
           "croft, 1000 mounts and 2000 masks": 1.2}


def in_process(table, program):
    for title, name, figure, ratio in rows_of(program):
        if ratio == 1:
            first, first_figure = name, figure
        elif ratio == 0:
            table.rows.append((title, f"{figure / 1024:.0f} KiB", name, "", "", ""))
        else:
            unit, scale = ("ns", 1) if figure < 1e4 and title.startswith("open") else ("µs", 1e-3)
            table.add_row(f"{title}: {name}", unit, figure * scale, first, first_figure * scale, ratio,
                          TARGETS.get(name))


def opens(table, programs, trees, rounds):
    in_process(table, programs.opens)


def calls(table, programs, trees, rounds):
    in_process(table, programs.calls)


def views(table, programs, trees, rounds):
    in_process(table, programs.views)


# ---- a server -------------------------------------------------------------------------------------------


def rivals_at(programs, work, *options):
    """The servers over `work`, by name; croft first."""
    found = {"croft": Server([programs.croft, "serve", str(work), *options], work, OURS)}
    if programs.reference:
        found["reference"] = Server([*programs.reference, str(work)], work, REFERENCE, absolute=True)
    found["floor"] = Server([programs.floor_serve, str(work)], work, OURS)
    return found


def each(servers, measure_one):
    """The functions for alternate()."""
    return {name: (lambda one=server: measure_one(one)) for name, server in servers.items()}


def start_and_stop(server):
    taken = server.start()
    server.stop()
    return taken


def compare_reads(table, servers):
    """A page of ours is the file with numbers before its lines."""
    for name, server in servers.items():
        if name == "croft":
            ours = "\n".join(line.split("|", 1)[1] for line in server.call("read", path="small.txt")
                             .splitlines()[:-1])
        else:
            table.check(f"read, {name}", ours, server.call("read", path="small.txt").rstrip("\n"))


def names_in(text):
    return sorted(re.findall(r"note-\d+\.md", text))


def compare_lists(table, servers):
    """The first page of croft's is the first part of the others'."""
    listed = {name: names_in(server.call("list", path="flat")) for name, server in servers.items()}
    ours = listed.pop("croft")
    for name, names in listed.items():
        table.check(f"list, {name}", ours, names[:len(ours)])


def read_request(server):
    return server.call_request("read", path="small.txt")


def edit_requests(server):
    """An edit and the one that takes it back."""
    words = ("line 02000 state=A", "line 02000 state=B")
    return [server.call_request("edit", path="edit.txt", old=old, new=new,
                                edits=[{"oldText": old, "newText": new}])
            for old, new in (words, words[::-1])]


def write_requests(server, texts):
    return [server.call_request("write", path="written.txt", content=text) for text in texts]


def text_of(size, word):
    line = f"0123456 and \"then\" {word}\n"
    return (line * (size // len(line) + 1))[:size - 1] + "\n"


def write_rows(table, programs, work, rounds):
    for label, options in ("with fsync", []), ("--no-fsync", ["--no-fsync"]):
        servers = rivals_at(programs, work, *options)
        if not options:
            servers["floor"].command.append("--fsync")
        for one in servers.values():
            one.start()
        for size, times in (1 << 10, 100), (1 << 20, 6):
            texts = [text_of(size, word) for word in ("some", "more")] # croft does not write what is there
            taken = alternate(each(servers, lambda one, texts=texts, times=times:
                                   one.latency(write_requests(one, texts), times)), rounds)
            table.add(f"write {size >> 10} KiB, croft {label}", "µs", taken, {"floor": 1.15 if not options else 1.3})
            table.check("write", texts[1], (work / "written.txt").read_text())
        table.add(f"most resident, after writing 1 MiB, croft {label}", "MiB",
                  alternate(each(servers, Server.peak), 1), {"reference": 0.1})
        if not options:
            edited = {name: one for name, one in servers.items() if name != "floor"}
            table.add("edit a line in 216 KiB", "µs",
                      alternate(each(edited, lambda one: one.latency(edit_requests(one), 10)), rounds),
                      {"reference": 1})
        for one in servers.values():
            one.stop()


def list_many(table, programs, trees, rounds):
    servers = rivals_at(programs, trees.many)
    for one in servers.values():
        one.start()
    table.add("list 100,000 names (croft: the first 1,000, with sizes)", "ms",
              alternate(each(servers, lambda one: one.latency([one.call_request("list", path=".")], 3) / 1e3), rounds),
              {"reference": 0.35, "floor": 1.25})
    for one in servers.values():
        one.stop()


def server(table, programs, trees, rounds):
    servers = rivals_at(programs, trees.work)
    table.add("start to initialize", "ms", alternate(each(servers, start_and_stop), rounds),
              {"reference": 0.02, "floor": 3})
    for one in servers.values():
        one.start()
    compare_reads(table, servers)
    compare_lists(table, servers)
    table.add("resident after two calls", "MiB", alternate(each(servers, Server.resident), 3),
              {"reference": 0.06, "floor": 3})
    table.add("read 4 KiB", "µs",
              alternate(each(servers, lambda one: one.latency([read_request(one)], 200)), rounds),
              {"reference": 0.1, "floor": 1.5})
    table.add("read 4 KiB, 32 in flight", "µs",
              alternate(each(servers, lambda one: one.spacing(read_request(one), 2000, 32)), rounds),
              {"reference": 0.125, "floor": 1.25})
    table.add("list 2,000 names (croft: the first 1,000, with sizes)", "µs",
              alternate(each(servers, lambda one: one.latency([one.call_request("list", path="flat")], 20)), rounds),
              {"reference": 0.5, "floor": 1.35})
    sized = {name: one for name, one in servers.items() if name != "floor"}
    table.add("list 2,000 names, both with sizes (croft: the first 1,000)", "µs",
              alternate(each(sized, lambda one: one.latency([one.call_request("sizes", path="flat")], 20)), rounds),
              {"reference": 0.1})
    if trees.many:
        list_many(table, programs, trees, rounds)
    for one in servers.values():
        one.stop()
    write_rows(table, programs, trees.work, rounds)


# ---- whole programs -------------------------------------------------------------------------------------

LIMITS = [word for limit in ("result_bytes=8MiB", "grep_matches=10000000", "list_entries=10000000",
                             "heap=1GiB", "steps=1000000000000", "time=600s")
          for word in ("--limit", limit)]


def croft_call(programs, root, tool, *words):
    return [programs.croft, "call", str(root), tool, *words, *LIMITS]


def compare(table, what, commands, cwd, rounds, read, targets=None):
    """Rows for commands {name: words}, croft's first. `read` {name: function} makes lists of what some of them
    printed, which must be the same."""
    printed = {name: timed(command, cwd)[1] for name, command in commands.items()}
    ours = read["croft"](printed["croft"])
    for name in read:
        table.check(f"{what}, {name}", ours, read[name](printed[name]))
    taken = alternate({name: (lambda command=command: timed(command, cwd)[0])
                       for name, command in commands.items()}, rounds)
    table.add(what, "ms", taken, targets)


def page_lines(printed):
    return [line.split(b"|", 1)[1] for line in printed.splitlines()[:-1]]


def page_again(table, programs, trees, rounds, line, big):
    """Pages of a server that has read the file once."""
    server = Server([programs.croft, "serve", str(trees.work)], trees.work, OURS)
    server.start()
    server.call("page", path=big.name, offset=line)
    requests = [server.call_request("page", path=big.name, offset=line - 1000 * i) for i in range(20)]
    table.add(f"100 lines around line {line:,} again, of a server", "ms", alternate({
        "croft": lambda: server.latency(requests, 20) / 1e3,
        "tail, head": lambda: timed(["sh", "-c", f"tail -n +{line} '{big}' | head -n 100"], trees.work)[0],
    }, rounds), {"tail, head": 0.01})
    table.add("most resident, with a file of that size", "MiB", {"croft": [server.peak()], "16 MiB": [16]}, {"16 MiB": 1})
    server.stop()


def files(table, programs, trees, rounds):
    big = trees.work / "big.txt"
    total = sum(block.count(b"\n") for block in iter(lambda file=open(big, "rb"): file.read(1 << 20), b""))
    line = total * 2 // 3
    compare(table, f"100 lines at line {line:,}", {
        "croft": croft_call(programs, trees.work, "read", "path=big.txt", f"offset:={line}", "limit:=100"),
        "sed": ["sed", "-n", f"{line},{line + 99}p;{line + 99}q", str(big)],
        "tail, head": ["sh", "-c", f"tail -n +{line} '{big}' | head -n 100"],
        "floor": [programs.floor_scan, "page", str(big), str(line), "100"],
    }, trees.work, rounds, {"croft": page_lines, "sed": bytes.splitlines, "floor": bytes.splitlines},
            {"tail, head": 0.3, "floor": 1.2})

    page_again(table, programs, trees, rounds, line, big)

    folder = trees.many or trees.work / "flat"
    compare(table, f"list {len(list(folder.iterdir())):,} names", {
        "croft": croft_call(programs, folder, "list"),
        "ls": ["ls", str(folder)],
        "find": ["find", str(folder), "-mindepth", "1"],
    }, folder, rounds, {"croft": lambda printed: names_in(printed.decode()),
                        "ls": lambda printed: names_in(printed.decode())})


# name, pattern (the same for Perl and for ripgrep), options of ripgrep, of GNU grep or None, arguments of croft
CLASSES = [
    ("rare literal", "FALLOC_FL_INSERT_RANGE", ["-F"], ["-F"], {"literal": "true"}),
    ("no match", "ZQXNOSUCHTHING", ["-F"], ["-F"], {"literal": "true"}),
    ("regex with a literal", r"FALLOC_FL_[A-Z]+_RANGE\b", [], ["-E"], {}),
    ("ignoring case", "falloc_fl_insert", ["-i"], ["-i"], {"ignore_case": "true"}),
    ("four words", "FALLOC_FL_INSERT_RANGE|LANDLOCK_ACCESS_FS_REFER|BPF_PROG_TYPE_XDP|IORING_OP_OPENAT2",
     [], ["-E"], {}),
    ("anchored", r"^#define\s+EPOLL", [], ["-E"], {}),
    ("no literal", "[a-z]{4,}[0-9]{5}_[a-z]+", [], ["-E"], {}),
    ("Unicode class", r"\p{Greek}{2,}", [], None, {}),
    ("many hits", "static", ["-F"], ["-F"], {"literal": "true"}),
]


def hits(separator):
    """Makes a list of `path:line` of what is printed."""
    form = re.compile(rb"(?:\./)?(.*?)" + separator[0] + rb"(\d+)" + separator[1])

    def read(printed):
        found = (form.match(line) for line in printed.splitlines())
        return sorted(b"%s:%s" % match.groups() for match in found if match)
    return read


def counts(printed):
    """Makes a list of `path: count` of what is printed."""
    found = (re.fullmatch(rb"(?:\./)?(.+?): ?(\d+)", line) for line in printed.splitlines())
    return sorted(b"%s:%s" % match.groups() for match in found if match and match[2] != b"0")


def grep_commands(programs, tree, pattern, options, counted):
    rg_options, grep_options, words = options
    commands = {"croft": croft_call(programs, tree, "grep", f"pattern={pattern}",
                                    *(f"{name}:={value}" for name, value in words.items()),
                                    *(["output=count"] if counted else []))}
    if programs.rg:
        commands["ripgrep"] = [programs.rg, "-uu", "-j2", "--no-heading", "--crlf", "--max-filesize", "4M",
                               "-c" if counted else "-n", *rg_options, "-e", pattern, "."]
    if grep_options:
        commands["GNU grep"] = ["env", "LC_ALL=C", "grep", "-rIc" if counted else "-rIn", *grep_options,
                                "-e", pattern, "."]
    commands["floor"] = [programs.floor_scan, "tree", str(tree)]
    return commands


def first_hits(table, programs, tree, rounds):
    commands = {"croft": [programs.croft, "call", str(tree), "grep", "pattern=static", "literal:=true"]}
    if programs.rg:
        commands["ripgrep, head"] = ["sh", "-c", f"'{programs.rg}' -uu -j2 --no-heading -n -F static . | "
                                     "head -n 200"]
    commands["GNU grep, head"] = ["sh", "-c", "LC_ALL=C grep -rIn static . | head -n 200"]
    compare(table, "grep, the first 200 of many", commands, tree, rounds, {"croft": len_of_hits},
            {"ripgrep, head": 0.5})


def len_of_hits(printed):
    return len(printed.splitlines())


def grep(table, programs, trees, rounds):
    for name, pattern, *options in CLASSES:
        counted = name == "many hits"
        commands = grep_commands(programs, trees.tree, pattern, options, counted)
        read = {"croft": counts if counted else hits((b":", rb"\|"))}
        if programs.rg:
            read["ripgrep"] = counts if counted else hits((b":", b":"))
        compare(table, f"grep, {name}", commands, trees.tree, rounds, read, {"ripgrep": 0.75})
    first_hits(table, programs, trees.tree, rounds)


ALL = {"opens": opens, "calls": calls, "views": views, "server": server, "files": files, "grep": grep}
