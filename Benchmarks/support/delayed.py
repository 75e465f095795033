"""A server with latency, in its own process."""

import socket
import subprocess

from support import programs
from support.measure import Failed


class DelayedServer:
    """The server in its own process; use it in a `with` statement."""

    def __init__(self, directory, milliseconds):
        self.program = programs.build_delayed_server(directory)
        self.milliseconds = milliseconds
        self.process = None
        self.port = 0

    @property
    def address(self):
        return f"http://127.0.0.1:{self.port}"

    def __enter__(self):
        # Standard input is a pipe, which closes when this script exits, for whatever reason.
        self.process = subprocess.Popen(
            [self.program, str(self.milliseconds)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        line = self.process.stdout.readline()
        if not line.strip().isdigit():
            raise Failed("the server with latency did not start")
        self.port = int(line)
        return self

    def __exit__(self, *_):
        self.process.stdin.close()
        try:
            self.process.wait(timeout=5)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()

    def counters(self):
        """Returns the numbers of connections and requests so far, including this request."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=10) as connection:
            connection.sendall(b"GET /counters HTTP/1.1\r\n\r\n")
            head, _, body = connection.recv(4096).decode().partition("\r\n\r\n")
        if " 200 " not in head:
            raise Failed("the server with latency gave no answer")
        connections, requests = body.split()
        return int(connections), int(requests)
