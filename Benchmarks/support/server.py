"""The server of all measurements: nginx with one worker, on a free port of the loopback interface."""

import os
import shutil
import socket
import subprocess
import time

from support.measure import Failed

ITEMS = 200

CONFIGURATION = """\
daemon off;
worker_processes 1;
pid {directory}/nginx.pid;
error_log {directory}/error.log error;
{user}
worker_rlimit_nofile 24000;
events {{ worker_connections 12000; }}
http {{
    access_log off;
    keepalive_requests 1000000000;
    keepalive_timeout 60s;
    sendfile on;
    tcp_nodelay on;
    open_file_cache max=1000 inactive=600s;
    open_file_cache_valid 600s;
    client_body_temp_path {directory}/body;
    proxy_temp_path {directory}/proxy;
    fastcgi_temp_path {directory}/fastcgi;
    uwsgi_temp_path {directory}/uwsgi;
    scgi_temp_path {directory}/scgi;
    server {{
        listen 127.0.0.1:{port} backlog=1024;
        {listeners}
        root {directory}/root;
        location /items/ {{ default_type application/json; }}
        location = /counters {{ stub_status; }}
    }}
}}
"""


def free_ports(count):
    """Returns different ports of the loopback interface on which nothing listens."""
    probes = [socket.socket() for _ in range(count)]
    try:
        for probe in probes:
            probe.bind(("127.0.0.1", 0))
        return [probe.getsockname()[1] for probe in probes]
    finally:
        for probe in probes:
            probe.close()


class Server:
    """nginx in its own directory; use it in a `with` statement."""

    configuration = CONFIGURATION

    def __init__(self, directory):
        self.directory = directory
        self.process = None
        self.program = None
        self.port = 0

    @property
    def address(self):
        return f"http://127.0.0.1:{self.port}"

    def __enter__(self):
        self.program = shutil.which("nginx", path=os.environ.get("PATH", "") + ":/usr/sbin:/sbin")
        if self.program is None:
            raise Failed("nginx is missing (Debian and Ubuntu: apt-get install nginx-light)")
        os.chmod(self.directory, 0o755)
        values = self.prepare()
        user = "user root;" if os.geteuid() == 0 else ""
        with open(f"{self.directory}/nginx.conf", "w", encoding="utf-8") as file:
            file.write(self.configuration.format(directory=self.directory, user=user, **values))
        command = [self.program, "-c", f"{self.directory}/nginx.conf", "-p", self.directory, "-e", f"{self.directory}/error.log"]
        if shutil.which("setpriv"):
            # Linux stops nginx when this script exits, even if the script was killed.
            command = ["setpriv", "--pdeathsig", "TERM", "--"] + command
        with open(f"{self.directory}/nginx.log", "wb") as log:
            self.process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        try:
            self._wait_until_ready()
        except BaseException:
            self.__exit__()
            raise
        return self

    def prepare(self):
        """Writes the served files, chooses the port, and returns the values for the configuration."""
        os.makedirs(f"{self.directory}/root/items")
        for number in range(1, ITEMS + 1):
            with open(f"{self.directory}/root/items/{number}", "w", encoding="utf-8") as file:
                file.write(f'{{"id": {number}, "title": "Dune", "price": 9.99}}\n')
        self.port, = free_ports(1)
        return {"port": self.port, "listeners": ""}

    def __exit__(self, *_):
        if self.process is None or self.process.poll() is not None:
            return
        self.process.terminate()
        try:
            self.process.wait(timeout=5)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()

    def cpu(self):
        """Returns the CPU time of nginx so far, in seconds."""
        master = self.process.pid
        with open(f"/proc/{master}/task/{master}/children", encoding="ascii") as file:
            processes = [master, *file.read().split()]
        ticks = 0
        for process in processes:
            with open(f"/proc/{process}/stat", encoding="utf-8") as file:
                fields = file.read().rpartition(")")[2].split()
            ticks += int(fields[11]) + int(fields[12])
        return ticks / os.sysconf("SC_CLK_TCK")

    def _wait_until_ready(self):
        deadline = time.monotonic() + 5
        while self.process.poll() is None and time.monotonic() < deadline:
            try:
                self.counters()
                return
            except OSError:
                time.sleep(0.02)
        with open(f"{self.directory}/nginx.log", encoding="utf-8", errors="replace") as log:
            raise Failed(f"nginx did not start: {log.read(2000).strip()}")

    def counters(self):
        """Returns the numbers of accepted connections and handled requests so far, including this request."""
        answer = b""
        with socket.create_connection(("127.0.0.1", self.port), timeout=5) as connection:
            connection.sendall(b"GET /counters HTTP/1.0\r\n\r\n")
            while part := connection.recv(4096):
                answer += part
        head, _, body = answer.decode().partition("\r\n\r\n")
        if " 200 " not in head.split("\r\n")[0]:
            raise Failed("nginx was built without its stub_status module, which counts the requests")
        accepted, _, requests = body.splitlines()[2].split()
        return int(accepted), int(requests)
