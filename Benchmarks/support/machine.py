"""The machine of the benchmark: its properties and the versions of programs."""

import os
import platform
import re


def shape():
    """Returns a short description of the machine: processor, cores, memory, system."""
    processor = _field("/proc/cpuinfo", r"model name\s*:\s*(.+)") or platform.machine()
    kilobytes = int(_field("/proc/meminfo", r"MemTotal:\s*(\d+)") or 0)
    name = _field("/etc/os-release", r'PRETTY_NAME="?([^"\n]+)') or platform.system()
    virtual = ", virtual" if "hypervisor" in (_field("/proc/cpuinfo", r"flags\s*:\s*(.+)") or "").split() else ""
    return f"{len(os.sched_getaffinity(0))} cores of {processor}{virtual}; {kilobytes / (1 << 20):.0f} GiB of memory; " \
           f"{name}, {platform.system()} {platform.release()}"


def load():
    """Returns the average number of running programs during the last minute."""
    return os.getloadavg()[0]


def _field(path, pattern):
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            found = re.search(pattern, file.read(), re.M)
    except OSError:
        return None
    return found.group(1).strip() if found else None
