"""Fresh machines: copies of a minimal Debian, in which a package is installed; and the server that packages are on."""

import contextlib
import functools
import http.server
import pathlib
import shutil
import subprocess
import tempfile
import threading
import time

PROJECT = pathlib.Path(__file__).resolve().parent.parent.parent
# The packages of a machine that is not minimal: what the installation script, and pip need.
TOOLS = ["curl", "openssl", "python3-venv"]
USER = 1000


class Failed(Exception):
    """A package is wrong."""


def run(*command, status=0, **options):
    """Runs a command, which must have an exit status, and returns its output."""
    result = subprocess.run(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace",
        timeout=600, **options)
    if result.returncode != status:
        words = " ".join(str(word) for word in command)
        raise Failed(f"exit status {result.returncode} instead of {status}: {words}\n{result.stdout}")
    return result.stdout


@contextlib.contextmanager
def served(directory):
    """Serves a directory on loopback. Yields its address."""

    class Handler(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Handler, directory=directory))
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


class Machine:
    """A copy of a minimal Debian."""

    def __init__(self, root):
        self.root = root
        self.home = root / "home/user"
        self.home.mkdir(parents=True)
        shutil.chown(self.home, USER, USER)
        (root / "etc/passwd").open("a").write(f"user:x:{USER}:{USER}::/home/user:/bin/sh\n")

    def run(self, script, is_root=False, **variables):
        """Runs a script in the home directory of a user, or as root, and returns its output."""
        identity = [] if is_root else [f"--reuid={USER}", f"--regid={USER}", "--clear-groups"]
        variables = {
            "PATH": "/home/user/.local/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL": "C",
            "HOME": "/home/user", "DEBIAN_FRONTEND": "noninteractive", **variables}
        return run(
            "unshare", "--mount", "--pid", "--fork", "--kill-child", f"--root={self.root}", "--mount-proc=/proc",
            "--wd=/home/user", "/usr/bin/setpriv", *identity, "/usr/bin/env", "-i",
            *(f"{name}={value}" for name, value in variables.items()), "sh", "-euc", script)


@contextlib.contextmanager
def fresh_machine(*packages):
    """Yields a copy of a minimal Debian with packages, or None, if there cannot be one."""
    result = subprocess.run([PROJECT / ".ci/bare-root", *packages], stdout=subprocess.PIPE, text=True)
    if result.returncode == 3:
        yield None
        return
    result.check_returncode()
    with tempfile.TemporaryDirectory(prefix="apitest-packages-", dir=PROJECT / ".build") as directory:
        root = pathlib.Path(directory, "root")
        run("cp", "-a", "--reflink=auto", result.stdout.strip(), root)
        yield Machine(root)


class Stopwatch:
    """The time since its creation."""

    def __init__(self):
        self.start = time.monotonic()

    def seconds(self):
        return time.monotonic() - self.start


def check_first_run(output):
    """Checks the output of `apitest init` and `apitest`."""
    for text in ["wrote shop.apitest.yaml", "6 tests in 1 suite: 6 passed"]:
        if text not in output:
            raise Failed(f'the first run did not print "{text}":\n{output}')
