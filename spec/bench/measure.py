# SPDX-License-Identifier: MIT
"""Rivals in alternation, and the table of what came out."""
import os
import statistics
import subprocess
import sys
import time


def alternate(rivals, rounds):
    """{name: function that returns a figure} -> {name: list of figures}. Once before it counts; the order
    turns round each time."""
    taken = {name: [] for name in rivals}
    for turn in range(-1, rounds):
        names = list(rivals) if turn % 2 == 0 else list(rivals)[::-1]
        for name in names:
            figure = rivals[name]()
            if turn >= 0:
                taken[name].append(figure)
    return taken


def timed(command, cwd):
    """Runs a command with its output drained; (milliseconds, what it printed)."""
    start = time.perf_counter()
    with subprocess.Popen(command, cwd=cwd, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL) as process:
        pieces = list(iter(lambda: os.read(process.stdout.fileno(), 1 << 20), b""))
        process.wait()
    return (time.perf_counter() - start) * 1e3, b"".join(pieces)


def shown(figure):
    return f"{figure:.3g}" if figure < 1000 else f"{figure:.0f}"


class Table:
    def __init__(self):
        self.rows = []
        self.disagreements = 0

    def add(self, what, unit, taken, targets=None):
        """A row for each rival of the first, which is croft. `targets`: {rival: the ratio that is wanted}."""
        croft, *others = taken
        for other in others:
            ratio = statistics.median(a / b for a, b in zip(taken[croft], taken[other]))
            self.add_row(what, unit, statistics.median(taken[croft]), other,
                         statistics.median(taken[other]), ratio, (targets or {}).get(other))

    def add_row(self, what, unit, croft, other, figure, ratio, target=None):
        """A row that was measured elsewhere."""
        wanted = "" if target is None else f"{target:g}" + (", missed" if ratio > target else "")
        self.rows.append((what, f"{shown(croft)} {unit}", other, f"{shown(figure)} {unit}", shown(ratio), wanted))

    def check(self, what, ours, theirs):
        """Whether both found the same."""
        if ours != theirs:
            self.disagreements += 1
            print(f"spec/bench/run: {what}: the results differ", file=sys.stderr)
            if isinstance(ours, (set, list)):
                for name, one, other in ("croft", ours, theirs), ("the other", theirs, ours):
                    only = [item for item in one if item not in set(other)]
                    print(f"  only {name} has {len(only)}: {only[:3]}", file=sys.stderr)

    def show(self):
        print("| what | croft | beside | it | ratio | at most |\n|---|---|---|---|---|---|")
        for row in self.rows:
            print("| " + " | ".join(row) + " |")
