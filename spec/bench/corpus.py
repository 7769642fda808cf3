# SPDX-License-Identifier: MIT
"""What is read, listed and searched. Made once; each part is kept until its directory is removed."""
import pathlib
import random
import shutil
import subprocess
import tempfile
import types

from build import say

WORDS = ("the of and to in is for with that on server request client error value return struct static "
         "const unsigned buffer length offset memory page config timeout retry connection handler thread "
         "queue lock inode socket packet device driver register kernel module table entry index cache "
         "block journal commit branch naïve Zürich λάμδα данные 文件").split()


def some_lines(count):
    chance = random.Random(20260101)
    return [" ".join(chance.choices(WORDS, k=chance.randint(3, 18))) for _ in range(count)]


def write_big(path, size):
    """Numbered lines, together about `size` bytes."""
    lines = [line.encode() for line in some_lines(4096)]
    with open(path, "wb", buffering=1 << 20) as file:
        number = 0
        while file.tell() < size:
            file.writelines(b"%09d %s\n" % (number + i, lines[(number * 7 + i) % 4096])
                            for i in range(4096))
            number += 4096


def write_flat(place, count):
    place.mkdir()
    for i in range(count):
        (place / f"note-{i:06d}.md").write_text(f"# note {i}\n")


def write_small(place):
    """Files of a known size for the server, and one to be edited."""
    lines = some_lines(4096)
    (place / "small.txt").write_bytes(("\n".join(lines[:400])[:4000].rsplit("\n", 1)[0] + "\n").encode())
    (place / "edit.txt").write_text("".join(f"line {i:05d} state=A {'.' * 32}\n" for i in range(4000)))


def unpack_linux(place):
    """Debian's kernel source; False when it cannot be had."""
    with tempfile.TemporaryDirectory(dir=place.parent) as work:
        fetched = (subprocess.run(["apt-get", "download", "linux-source-6.1"], cwd=work,
                                  stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode == 0)
        if not fetched:
            return False
        package = next(pathlib.Path(work).glob("*.deb"))
        subprocess.run(["dpkg-deb", "-x", package, work], check=True)
        place.mkdir()
        subprocess.run(["tar", "xJf", f"{work}/usr/src/linux-source-6.1.tar.xz", "-C", place,
                        "--strip-components=1"], check=True)
    return True


def make_part(place, maker, *arguments):
    """Makes `place` by maker(unfinished place, ...), unless it is there."""
    if not place.exists():
        unfinished = place.with_name(place.name + ".new")
        if unfinished.is_dir():
            shutil.rmtree(unfinished)
        maker(unfinished, *arguments)
        unfinished.rename(place)


def make_work(place, flat, size):
    place.mkdir()
    write_flat(place / "flat", flat)
    write_big(place / "big.txt", size)
    write_small(place)


def make(place, quick):
    place.mkdir(parents=True, exist_ok=True)
    work = place / ("quick" if quick else "full")
    make_part(work, make_work, 2000, (64 if quick else 1024) << 20)
    tree = pathlib.Path("/usr/include")
    if not quick:
        linux = place / "linux"
        if linux.exists() or unpack_linux(linux):
            tree = linux
        else:
            say("linux-source-6.1 cannot be had by apt-get: /usr/include is searched in its place")
        make_part(place / "flat100k", write_flat, 100000)
    return types.SimpleNamespace(work=work, tree=tree, many=None if quick else place / "flat100k")
