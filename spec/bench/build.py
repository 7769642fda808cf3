# SPDX-License-Identifier: MIT
"""What is measured: croft as it is released, and the others where they can be had."""
import json
import pathlib
import shutil
import subprocess
import sys
import types

TOP = pathlib.Path(__file__).resolve().parents[2]
PLACE = TOP / "build" / "bench"
HERE = TOP / "spec" / "bench"
REFERENCE = "node_modules/@modelcontextprotocol/server-filesystem/dist/index.js"


def say(text):
    print(text, file=sys.stderr, flush=True)


def run(*command, **options):
    """Runs a command quietly; whether it went well."""
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, **options)
    if done.returncode != 0:
        say(done.stdout.decode(errors="replace")[-2000:])
    return done.returncode == 0


def release():
    """Builds the program and what is measured beside it in C."""
    if not (run("cmake", "--preset", "release", cwd=TOP)
            and run("cmake", "--build", "--preset", "release", "-j2", "--target", "croft_cli", "bench",
                    cwd=TOP)):
        sys.exit("spec/bench/run: croft does not build")
    return TOP / "build" / "release"


def hashes(lock):
    """The hashes of all packages; versions of npm write the rest differently."""
    packages = json.loads(lock.read_text())["packages"]
    return {package["integrity"] for package in packages.values() if "integrity" in package}


def reference():
    """The reference filesystem server as a command, or None."""
    place = PLACE / "npm"
    lock = HERE / "package-lock.json"
    stamp = place / "node_modules" / ".installed"
    if not (shutil.which("npm") and shutil.which("node")):
        say("there is no npm: the reference server is left out")
        return None
    if not (stamp.exists() and stamp.read_text() == lock.read_text()):
        place.mkdir(parents=True, exist_ok=True)
        for name in "package.json", "package-lock.json":
            shutil.copy(HERE / name, place)
        if not run("npm", "install", "--ignore-scripts", "--no-audit", "--no-fund", cwd=place):
            say("npm cannot install the reference server: it is left out")
            return None
        # Not npm's own copy of the lock file, to which it may add what it does not install here.
        if not hashes(place / "node_modules" / ".package-lock.json") <= hashes(lock):
            sys.exit("spec/bench/run: npm brought other packages than pinned")
        shutil.copy(lock, stamp)
    return ["node", str(place / REFERENCE)]


def programs():
    built = release()
    if not shutil.which("rg"):
        run(str(TOP / "spec" / "support" / "install"), "ripgrep")
    return types.SimpleNamespace(
        croft=str(built / "croft"),
        opens=str(built / "bench_opens"),
        calls=str(built / "bench_calls"),
        views=str(built / "bench_views"),
        floor_serve=str(built / "bench_floor_serve"),
        floor_scan=str(built / "bench_floor_scan"),
        rg=shutil.which("rg"),
        reference=reference(),
    )
