"""The time from nothing to the first result on a fresh machine, for each package."""

import os
import re
import subprocess

from support import measure, programs, results

TITLE = "From nothing to the first result"
CHECK = os.path.join(programs.PROJECT, ".ci", "check-packages")
PYTHON = os.path.join(programs.PROJECT, ".build", "python", "bin", "python")
PACKAGES = os.path.join(programs.PROJECT, "dist", "packages")

# The name of each measurement: the file, what is on the machine before, and the commands.
CHANNELS = {
    "tarball": ("-linux-x86_64.tar.gz", "Debian, curl, OpenSSL", "`install.sh`"),
    "deb": (".deb", "Debian", "`apt-get install`"),
    "wheel": (".whl", "Debian, Python", "`python3 -m venv`, `pip install`"),
    "uvx": (".whl", "Debian, Python, uv", "`uvx`"),
    "npm": (".tgz", "Debian, Node.js", "`npm install`"),
    "oci": (".oci.tar", "a container runtime", "`umoci unpack`, `crun`"),
}


def measure_part(bench, section):
    if not os.path.isdir(PACKAGES) or not os.path.exists(PYTHON):
        raise measure.Missing("release/run --packages has made no packages, or .ci/install --all was not run")
    count = 1 if bench.options.quick else 5
    section.text("From the package as a file, or on a server on loopback, to the result of `apitest init && apitest` in a "
                 f"minimal Debian; {count} repetitions. The image is unpacked and run on this system.")
    if bench.options.load > 0.7:
        section.text(f"**Other programs were running** (load {bench.options.load:.1f}): times are too long.")
    times = {name: [] for name in CHANNELS}
    for _ in range(count):
        result = subprocess.run(
            [PYTHON, CHECK, *(name for name in CHANNELS if name != "uvx")], stdin=subprocess.DEVNULL, capture_output=True,
            text=True, timeout=1200)
        if result.returncode != 0:
            raise measure.Failed(f".ci/check-packages failed: {result.stderr[:600]}")
        for name, seconds in re.findall(r"^(\w+): ([\d.]+) s from nothing", result.stdout, re.M):
            times[name].append(float(seconds))
    rows = []
    for name, (ending, before, commands) in CHANNELS.items():
        size = next(os.path.getsize(os.path.join(PACKAGES, file)) for file in os.listdir(PACKAGES) if file.endswith(ending))
        if times[name]:
            rows.append((commands, before, f"{size / 1e6:.1f} MB", results.seconds(measure.median(times[name]), times[name])))
    section.table(None, ("commands", "on the machine before", "package", "time (minimum–maximum)"), rows)
