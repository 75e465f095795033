"""Runs a program and measures its wall time, CPU time and peak memory."""

import os
import resource
import select
import signal
import subprocess
import time


# The standard library's statistics module would double the memory of this script, and with it memory_floor().
def median(values):
    """Returns the middle value, or the mean of the two in the middle."""
    ordered = sorted(values)
    middle = len(ordered) // 2
    return ordered[middle] if len(ordered) % 2 else (ordered[middle - 1] + ordered[middle]) / 2


class Failed(Exception):
    """A program did not do its work."""


class Missing(Failed):
    """A program or library for the comparison is not installed."""


class Cost:
    """The cost of one run of a program. The server counted `requests` and `connections`."""

    def __init__(self, wall, usage, requests, connections):
        self.wall = wall
        self.user = usage.ru_utime
        self.system = usage.ru_stime
        self.cpu = usage.ru_utime + usage.ru_stime
        self.peak = usage.ru_maxrss * 1024
        self.requests = requests
        self.connections = connections


def memory_floor():
    """Returns the minimum measurable peak memory, in bytes.

    Linux includes the memory of the parent process in the peak of a child, up to the child's first instruction.
    """
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def machine_cpu():
    """Returns the CPU time of everything that has run on this machine so far, in seconds."""
    with open("/proc/stat", encoding="ascii") as file:
        user, nice, system, _, _, interrupts, soft_interrupts, *_ = map(int, file.readline().split()[1:])
    return (user + nice + system + interrupts + soft_interrupts) / os.sysconf("SC_CLK_TCK")


def run(arguments, output, timeout=60, status=0, directory=None):
    """Runs a program once and returns (wall seconds, resource usage).

    Its standard output and error go to the file `output`. It is killed after `timeout` seconds.

    Raises Failed if it does not exit by itself with `status`, or with one of several.
    """
    with open(output, "wb") as file:
        begin = time.perf_counter()
        child = subprocess.Popen(
            arguments, stdin=subprocess.DEVNULL, stdout=file, stderr=subprocess.STDOUT, cwd=directory)
        usage = None
        timed_out = False
        try:
            handle = os.pidfd_open(child.pid)
            try:
                poller = select.poll()
                poller.register(handle, select.POLLIN)
                timed_out = not poller.poll(timeout * 1000)
            finally:
                os.close(handle)
        finally:
            # In any case, the program is killed and waited for. If it has exited, kill has no effect.
            if timed_out or not _has_exited(child.pid):
                os.kill(child.pid, signal.SIGKILL)
            _, code, usage = os.wait4(child.pid, 0)
            wall = time.perf_counter() - begin
            child.returncode = os.waitstatus_to_exitcode(code)
    name = os.path.basename(arguments[0])
    if timed_out:
        raise Failed(f"{name} did not exit within {timeout} s")
    if child.returncode not in (status if isinstance(status, tuple) else (status,)):
        with open(output, "rb") as file:
            text = file.read(2000).decode(errors="replace")
        raise Failed(f"{name} exited with status {child.returncode}, not {status}:\n{text}")
    return wall, usage


def _has_exited(pid):
    return os.waitid(os.P_PID, pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None


class Series:
    """The costs of the repetitions of one program."""

    def __init__(self, name):
        self.name = name
        self.costs = []

    def of(self, key):
        return [getattr(cost, key) for cost in self.costs]

    def median(self, key):
        return median(self.of(key))

    def ratios(self, other, key="wall"):
        """Returns the costs of this series as multiples of the other's, for each repetition."""
        return [mine / theirs for mine, theirs in zip(self.of(key), other.of(key))]


def interleave(contestants, rounds, warm_up, server):
    """Runs the contestants in turn: A B C, A B C, ….

    `contestants` maps a name to a function that runs the program once and returns (wall, usage). `warm_up` repetitions are
    run first and not counted. Returns the Series by name.
    """
    result = {name: Series(name) for name in contestants}
    for number in range(warm_up + rounds):
        for name, once in contestants.items():
            before = server.counters()
            wall, usage = once()
            after = server.counters()
            # The counting requests themselves are one connection and one request each.
            cost = Cost(wall, usage, after[1] - before[1] - 1, after[0] - before[0] - 1)
            if number >= warm_up:
                result[name].costs.append(cost)
    return result
