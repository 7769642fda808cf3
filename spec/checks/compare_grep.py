#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""compare_grep.py [--trees N] [--patterns N] [--seed N] PROGRAM: whether grep finds what ripgrep finds.

Makes N trees of text files (40) and for each of them N patterns (6) of a kind that both understand alike,
and compares what `PROGRAM call TREE grep` shows, with 1, 2 and 8 threads and with both resolvers, with
`rg -uu -n --crlf --max-filesize 4M`: the same lines of the same files. The six answers must be the same
byte for byte. The last line is "N passed, N failed".
"""
import argparse
import os
import random
import subprocess
import sys
import tempfile
from pathlib import Path

LIMITS = [word for limit in ("result_bytes=8MiB", "grep_matches=10000000", "heap=1GiB",
                             "steps=1000000000000", "time=600s") for word in ("--limit", limit)]
RIPGREP = ["rg", "-uu", "--no-heading", "--no-config", "--crlf", "--max-filesize", "4M"]
WORDS = """static struct int return if while needle thread alpha beta gamma skip ask Makefile TODO FIXME
foo foobar barfoo x y a1 b22 c333 0x1F 12345 task_struct kernel sock KEY Kelvin _private __init__ void
a.b c*d [e] (f) {g} h|i j\\k ^l $m + ? "quoted" 'it' , ; : -> == // /* */ #define #include""".split()
OTHER_WORDS = "Größe naïve ΑΒΓ αβγ λόγος привет 日本語 … “x” é ſ K 🙂".split()


class Tree:
    """A random tree. Text that is not ASCII, or has CRs, takes patterns that both read alike."""

    def __init__(self, random, place):
        self.random = random
        self.place = place
        self.is_ascii = random.random() < 0.7
        self.has_cr = self.is_ascii and random.random() < 0.3
        self.has_long_line = False
        self.words = WORDS + (OTHER_WORDS if not self.is_ascii else [])
        self.make(random.choice([3, 30, 150, 400]))

    def make(self, count):
        folders = [self.place]
        for number in range(self.random.randint(1, 12)):
            folders.append(self.random.choice(folders) / f"d{number}")
            folders[-1].mkdir()
        for number in range(count):
            name = self.random.choice(["f{}.c", "g{}.txt", ".h{}", "With Space {}", "ä{}"]).format(number)
            (self.random.choice(folders) / name).write_bytes(self.text())

    def text(self):
        kind = self.random.random()
        if kind < 0.05:
            return b""
        if kind < 0.07: # larger than what is read at once
            return b"".join(self.line() for _ in range(200)) * self.random.randint(5, 60)
        if kind < 0.08: # larger than what is searched
            return b"needle static\n" * 330_000
        lines = [self.line() for _ in range(self.random.randint(1, 60))]
        if self.random.random() < 0.1:
            lines.append(b"a line without an end: needle static")
        if self.random.random() < 0.05:
            lines[0] = b"\xEF\xBB\xBF" + lines[0]
        return b"".join(lines)

    def line(self):
        count = self.random.choice([0, 1, 3, 6, 12, 12])
        if self.random.random() < 0.002:
            count = 60_000 # longer than what is read at once
            self.has_long_line = True
        blank = self.random.choice([" ", "\t", "", "  "])
        text = blank.join(self.random.choice(self.words) for _ in range(count)).encode()
        return text + (b"\r\n" if self.has_cr and self.random.random() < 0.8 else b"\n")


class Pattern:
    """A random pattern, and the options that go with it."""

    def __init__(self, tree):
        self.random = tree.random
        self.tree = tree
        self.literal = self.random.random() < 0.25
        self.ignore_case = self.random.random() < 0.3
        self.text = self.word(escaped=False) if self.literal else self.alternatives()

    def word(self, escaped=True):
        words = self.tree.words if not (self.ignore_case and not self.tree.is_ascii) else WORDS
        word = self.random.choice(words)
        if self.random.random() < 0.4:
            start = self.random.randrange(len(word))
            word = word[start:self.random.randint(start + 1, len(word))]
        if not escaped:
            return word
        return "".join("\\" + c if c in r"\.+*?()|[]{}^$" else c for c in word)

    def item(self):
        """Something that keeps to what both take for the same."""
        classes = ["[a-z]", "[A-Z]", "[0-9]", "[a-c]", "[xyz]", "[a-zA-Z_]", "[A-Za-z0-9]"]
        if self.tree.is_ascii:
            classes += [r"\d", r"\w"]
            if not self.tree.has_cr: # which ripgrep 13 shows to these
                classes += [".", r"\s", "[^a-z]", r"\W", r"\S", r"[^\s]"]
        return self.random.choice(classes)

    def piece(self):
        kind = self.random.random()
        if kind < 0.45:
            return self.word()
        if kind < 0.75:
            return self.item() + self.random.choice(["", "", "+", "*", "?", "{2}", "{2,}", "{1,3}", "+?"])
        if kind < 0.85:
            return "(" + "|".join(self.word() for _ in range(self.random.randint(2, 4))) + ")"
        if kind < 0.92:
            # no repeat in a repeat, which we may refuse
            inner = self.word() + self.random.choice(["", self.item()])
            return "(?:" + inner + ")" + self.random.choice(["", "?", "+", "{2}"])
        if not self.tree.is_ascii:
            return self.word()
        return r"\b" if self.tree.has_cr else self.random.choice([r"\b", r"\B"])

    def sequence(self):
        return "".join(self.piece() for _ in range(self.random.randint(1, 3)))

    def alternatives(self):
        sequences = [self.sequence() for _ in range(self.random.choice([1, 1, 1, 2, 4]))]
        # not in the middle: ripgrep 13 does not find "\\b^" after a line that it does not fit
        first, last = self.random.choice(["", "", "", "^"]), self.random.choice(["", "", "", "$"])
        return first + "|".join(sequences) + last


def run(command, tree, resolver=None):
    surroundings = dict(os.environ, LC_ALL="C.UTF-8")
    if resolver:
        surroundings["CROFT_RESOLVER"] = resolver
    done = subprocess.run(command, cwd=tree, env=surroundings, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, timeout=300)
    return done.returncode, done.stdout


def lines_of_ripgrep(printed):
    """(path, number) of each line."""
    found = set()
    for row in printed.split(b"\n")[:-1]:
        path, number, _ = row.split(b":", 2)
        found.add((path.removeprefix(b"./"), int(number)))
    return found


def lines_of_ours(printed):
    found = set()
    for row in printed.split(b"\n"):
        if row.startswith(b"[") or row == b"":
            continue
        place, _ = row.split(b"|", 1)
        path, number = place.rsplit(b":", 1)
        found.add((path, int(number)))
    return found


def counts_of(printed, separator):
    rows = (row.rsplit(separator, 1) for row in printed.split(b"\n") if row and not row.startswith(b"["))
    return {row[0].removeprefix(b"./"): int(row[1]) for row in rows}


def answers(program, tree, pattern, output):
    """What we show, for each number of threads and each resolver."""
    words = [f"pattern={pattern.text}", f"output={output}"]
    words += ["literal:=true"] * pattern.literal + ["ignore_case:=true"] * pattern.ignore_case
    return [run([program, "call", str(tree.place), "grep", *words, *LIMITS, "--limit", f"threads={threads}"],
                tree.place, resolver)
            for threads in (1, 2, 8) for resolver in ("auto", "walk")]


def compare(program, tree, pattern, output):
    """"", or what is wrong; None: one of the two does not take the pattern."""
    options = ["-F"] * pattern.literal + ["-i"] * pattern.ignore_case
    options.append("-n" if output == "lines" else "-c")
    status, printed = run([*RIPGREP, *options, "-e", pattern.text, "."], tree.place)
    if status == 2:
        return None
    ours = answers(program, tree, pattern, output)
    if tree.has_long_line and b"too much work" in ours[0][1]:
        return None # which we may say of such a line, and never say of a short one
    if ours[0][0] != 0:
        return f"ends with {ours[0][0]}: {ours[0][1][:300]!r}"
    if any(answer != ours[0] for answer in ours):
        return "differs by the number of threads or the resolver"
    if output == "lines":
        theirs, mine = lines_of_ripgrep(printed), lines_of_ours(ours[0][1])
    else:
        theirs, mine = set(counts_of(printed, b":").items()), set(counts_of(ours[0][1], b": ").items())
    if theirs != mine:
        return f"only ripgrep: {sorted(theirs - mine)[:3]}, only we: {sorted(mine - theirs)[:3]}"
    return ""


def main():
    arguments = argparse.ArgumentParser(usage=__doc__.split("\n", maxsplit=1)[0])
    arguments.add_argument("--trees", type=int, default=40)
    arguments.add_argument("--patterns", type=int, default=6)
    arguments.add_argument("--seed", type=int, default=random.randrange(1 << 30))
    arguments.add_argument("program")
    wanted = arguments.parse_args()
    good, bad = 0, 0
    for number in range(wanted.trees):
        with tempfile.TemporaryDirectory() as place:
            tree = Tree(random.Random(wanted.seed + number), Path(place))
            for _ in range(wanted.patterns):
                pattern = Pattern(tree)
                output = tree.random.choice(["lines", "lines", "count"])
                wrong = compare(os.path.abspath(wanted.program), tree, pattern, output)
                good += wrong == ""
                bad += bool(wrong)
                if wrong:
                    print(f"seed {wanted.seed + number}: {output} {pattern.text!r} literal={pattern.literal} "
                          f"ignore_case={pattern.ignore_case}: {wrong}", flush=True)
    print(f"{good} passed, {bad} failed")
    return bad > 0


if __name__ == "__main__":
    sys.exit(main())
