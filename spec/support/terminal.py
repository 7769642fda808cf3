#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs a program in a terminal of its own and talks to it, for specs.

    terminal.py COLUMNS PROGRAM [ARGUMENT...]

Reads steps from stdin, one JSON object a line:
    {"send": TEXT}     types it
    {"interrupt": REGEX} types Ctrl-C until that can be seen, as the line before may not have been taken yet
    {"taken": true}    waits until what was typed last, with Enter, was taken: the cursor is below it
    {"line": REGEX}    waits until the line with the cursor is that as a whole
    {"expect": REGEX}  waits until it stands somewhere below what was expected before
    {"end": true}      waits for the program to end
Prints the lines as they stood in the terminal. With TERMINAL_RAW=1, what the program sent. The exit status is the
program's; 100 when what was waited for did not come within 30 seconds.
"""
import fcntl
import json
import os
import pty
import re
import select
import struct
import sys
import termios
import time

PATIENCE = float(os.environ.get("TERMINAL_PATIENCE", "30"))
CONTROL = re.compile(r"\x1b\[([0-9;?]*)([A-Za-z])|\x1b[()][A-Z0-9]|\x1b[=>78]|\r|\n|\x08|\x07|([^\x00-\x1f\x1b]+)|(.)",
                     re.S)


class Screen:
    """The lines that a terminal of unlimited height would show."""

    def __init__(self, columns):
        self.columns = columns
        self.rows = [""]
        self.row = self.column = 0

    def move(self, row):
        self.row = max(0, row)
        while len(self.rows) <= self.row:
            self.rows.append("")

    def put(self, text):
        for c in text:
            if self.column >= self.columns:
                self.column = 0
                self.move(self.row + 1)
            line = self.rows[self.row].ljust(self.column)
            self.rows[self.row] = line[:self.column] + c + line[self.column + 1:]
            self.column += 1

    def control(self, arguments, letter):
        number = int(arguments) if arguments.isdigit() else None
        if letter == "G":
            self.column = (number or 1) - 1
        elif letter == "C":
            self.column += number or 1
        elif letter == "D":
            self.column = max(0, self.column - (number or 1))
        elif letter == "A":
            self.move(self.row - (number or 1))
        elif letter == "B":
            self.move(self.row + (number or 1))
        elif letter == "K":
            self.rows[self.row] = self.rows[self.row][:self.column]
        elif letter == "J":
            self.rows[self.row] = self.rows[self.row][:self.column]
            del self.rows[self.row + 1:]
        elif letter == "P":
            line = self.rows[self.row]
            self.rows[self.row] = line[:self.column] + line[self.column + (number or 1):]
        elif letter == "@":
            line = self.rows[self.row].ljust(self.column)
            self.rows[self.row] = line[:self.column] + " " * (number or 1) + line[self.column:]

    def feed(self, text):
        for found in CONTROL.finditer(text):
            if found.group(2):
                self.control(found.group(1), found.group(2))
            elif found.group() == "\r":
                self.column = 0
            elif found.group() == "\n":
                self.move(self.row + 1)
            elif found.group() == "\x08":
                self.column = max(0, self.column - 1)
            elif found.group(3):
                self.put(found.group(3))


class Terminal:
    def __init__(self, columns, words):
        self.raw = b""
        self.pending = b""
        self.from_row = self.sent_row = 0
        self.screen = Screen(columns)
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
            os.execvp(words[0], words)

    def read(self, until):
        """More of the output; False at its end or when it is too late."""
        ready, _, _ = select.select([self.fd], [], [], max(0, until - time.monotonic()))
        if not ready:
            return False
        try:
            more = os.read(self.fd, 65536)
        except OSError:  # the other end was closed
            return False
        self.raw += more
        self.pending += more
        # what may be cut in the middle of a character or a control waits for the rest
        whole = re.match(rb"(?s)(.*?)(\x1b\[?[0-9;?]*|[\xc0-\xff][\x80-\xbf]{0,2})?\Z", self.pending).group(1)
        try:
            self.screen.feed(whole.decode())
            self.pending = self.pending[len(whole):]
        except UnicodeDecodeError:
            self.screen.feed(self.pending.decode(errors="replace"))
            self.pending = b""
        return more != b""

    def wait(self, is_there):
        until = time.monotonic() + PATIENCE
        while not is_there():
            if not self.read(until):
                return False
        return True

    def expect(self, regex):
        for row in range(self.from_row, len(self.screen.rows)):
            if re.search(regex, self.screen.rows[row]):
                self.from_row = row + 1
                return True
        return False

    def is_below(self):
        return self.screen.row > self.sent_row

    def is_line(self, regex):
        # libedit may not have sent all of a character: what it shows is a whole
        return re.fullmatch(regex, self.screen.rows[self.screen.row].rstrip()) is not None

    def interrupt(self, regex):
        for _ in range(int(PATIENCE * 4)):
            os.write(self.fd, b"\x03")
            until = time.monotonic() + 0.25
            while not self.expect(regex) and self.read(until):
                pass
            if self.from_row > 0 and re.search(regex, self.screen.rows[self.from_row - 1]):
                return True
        return False

    def end(self):
        until = time.monotonic() + PATIENCE
        while self.read(until):
            pass
        if time.monotonic() >= until:
            os.kill(self.pid, 9)
        _, status = os.waitpid(self.pid, 0)
        return os.waitstatus_to_exitcode(status)


def main():
    terminal = Terminal(int(sys.argv[1]), sys.argv[2:])
    status = 0
    for line in sys.stdin:
        step = json.loads(line)
        good = True
        if "send" in step:
            terminal.sent_row = terminal.screen.row
            os.write(terminal.fd, step["send"].encode())
        elif "interrupt" in step:
            good = terminal.interrupt(step["interrupt"])
        elif "expect" in step:
            good = terminal.wait(lambda: terminal.expect(step["expect"]))
        elif "line" in step:
            good = terminal.wait(lambda: terminal.is_line(step["line"]))
            terminal.from_row = terminal.screen.row
        elif "taken" in step:
            good = terminal.wait(terminal.is_below)
        elif "end" in step:
            status = terminal.end()
        if not good:
            sys.stderr.write("not seen: %s\n%s\n" % (line, "\n".join(terminal.screen.rows[-30:])))
            os.kill(terminal.pid, 9)
            status = 100
            break
    if os.environ.get("TERMINAL_RAW"):
        sys.stdout.buffer.write(terminal.raw)
    else:
        sys.stdout.write("\n".join(row.rstrip() for row in terminal.screen.rows) + "\n")
    return status


sys.exit(main())
