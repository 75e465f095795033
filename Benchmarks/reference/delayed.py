#!/usr/bin/env python3
"""A server that responds to each request after a given number of milliseconds, with any number in flight.

It prints its port and serves until its standard input ends. /counters returns the number of connections and requests.
"""

import asyncio
import collections
import sys


class Delayed(asyncio.Protocol):
    """A connection that responds to each request after the delay, in order."""

    delay = 0.05
    counts = collections.Counter()

    def connection_made(self, transport):
        self.transport = transport
        self.received = b""
        self.counts["connections"] += 1

    def data_received(self, data):
        self.received += data
        loop = asyncio.get_running_loop()
        while b"\r\n\r\n" in self.received:
            head, _, self.received = self.received.partition(b"\r\n\r\n")
            self.counts["requests"] += 1
            path = head.split(b" ", 2)[1]
            if path == b"/counters":
                self.answer(f"{self.counts['connections']} {self.counts['requests']}")
                continue
            number = path.rpartition(b"/")[2]
            number = int(number) if number.isdigit() else 0
            # A chain continues with the next number.
            loop.call_later(self.delay, self.answer, f'{{"id": {number}, "next": {number + 1}}}')

    def answer(self, body):
        self.transport.write(
            f"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n{body}".encode())


async def serve(milliseconds):
    Delayed.delay = milliseconds / 1000
    loop = asyncio.get_running_loop()
    server = await loop.create_server(Delayed, "127.0.0.1", 0, backlog=1024)
    print(server.sockets[0].getsockname()[1], flush=True)
    ended = loop.create_future()
    loop.add_reader(sys.stdin.fileno(), lambda: ended.done() or ended.set_result(None))
    await ended


if __name__ == "__main__":
    asyncio.run(serve(int(sys.argv[1])))
