# SPDX-License-Identifier: MIT
"""MCP servers over stdio, as a client sees them."""
import fcntl
import json
import os
import select
import subprocess
import time

TIMEOUT = 60
PIPE_BYTES = 1 << 20
NEWLINE = ord("\n")


class Server:
    """`spelling` says how a tool is called here: {"read": (tool, {argument: value or "{path}"})}."""

    def __init__(self, command, root, spelling, absolute=False):
        self.command, self.root = command, str(root)
        self.spelling, self.absolute = spelling, absolute
        self.process = None
        self.last_id = 0
        # Made once: the kernel would stop all processors, the server's too, each time that it took so much back.
        self.buffer = bytearray(PIPE_BYTES)

    def start(self):
        """Starts it; milliseconds until it answered initialize."""
        begun = time.perf_counter()
        self.process = subprocess.Popen(self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.DEVNULL, cwd=self.root, bufsize=0)
        for pipe in self.process.stdin, self.process.stdout:
            fcntl.fcntl(pipe, fcntl.F_SETPIPE_SZ, PIPE_BYTES)
        self.ask("initialize", {"protocolVersion": "2025-06-18", "capabilities": {},
                                "clientInfo": {"name": "bench", "version": "1"}})
        taken = (time.perf_counter() - begun) * 1e3
        self.write(b'{"jsonrpc":"2.0","method":"notifications/initialized"}\n')
        return taken

    def stop(self):
        self.process.stdin.close()
        try:
            self.process.wait(2)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.process.stdout.close()

    def write(self, data):
        sent = 0
        while sent < len(data):
            sent += os.write(self.process.stdin.fileno(), data[sent:])

    def read(self):
        """Into the buffer; how many bytes."""
        ready, _, _ = select.select([self.process.stdout], [], [], TIMEOUT)
        count = os.readv(self.process.stdout.fileno(), [self.buffer]) if ready else 0
        if count == 0:
            raise RuntimeError(f"{self.command[0]} does not answer")
        return count

    def request(self, method, params):
        self.last_id += 1
        return json.dumps({"jsonrpc": "2.0", "id": self.last_id, "method": method, "params": params},
                          ensure_ascii=False).encode() + b"\n"

    def ask(self, method, params):
        self.write(self.request(method, params))
        return self.answer()

    def answer(self):
        """The answer that comes next; what a server asks of its client is passed over."""
        data = b""
        while True:
            data += self.buffer[:self.read()]
            *lines, rest = data.split(b"\n")
            for line in lines:
                message = json.loads(line)
                if "method" not in message:
                    return message
            data = rest

    def call_request(self, what, **values):
        """The line of a call; its answer is not looked at where the caller times it."""
        tool, template = self.spelling[what]
        if "path" in values and self.absolute:
            values["path"] = os.path.join(self.root, values["path"])
        arguments = {name: values.get(value[1:-1]) if isinstance(value, str) and value[:1] == "{" else value
                     for name, value in template.items()}
        return self.request("tools/call", {"name": tool, "arguments": arguments})

    def call(self, what, **values):
        """The text of the answer."""
        self.write(self.call_request(what, **values))
        result = self.answer()["result"]
        if result.get("isError"):
            raise RuntimeError(f"{self.command[0]}: {what}: {result['content'][0]['text'][:200]}")
        return result["content"][0]["text"]

    def latency(self, requests, times):
        """The median of so many calls one after another, in microseconds; the requests take turns."""
        taken = []
        for turn in range(times):
            begun = time.perf_counter_ns()
            self.write(requests[turn % len(requests)])
            while self.buffer[self.read() - 1] != NEWLINE:
                pass
            taken.append(time.perf_counter_ns() - begun)
        return sorted(taken)[times // 2] / 1e3

    def spacing(self, request, times, in_flight):
        """Microseconds from answer to answer with so many requests in flight."""
        begun = time.perf_counter()
        sent = got = 0
        while got < times:
            more = min(in_flight - (sent - got), times - sent)
            if more > 0:
                self.write(request * more)
                sent += more
            got += self.buffer.count(NEWLINE, 0, self.read())
        return (time.perf_counter() - begun) * 1e6 / times

    def resident(self, field="VmRSS"):
        """MiB; with VmHWM the most so far."""
        with open(f"/proc/{self.process.pid}/status", encoding="ascii") as status:
            return next(int(line.split()[1]) for line in status if line.startswith(field)) / 1024

    def peak(self):
        return self.resident("VmHWM")
