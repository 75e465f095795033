"""`apitest load`: what it costs, how exactly it keeps a rate, and whether a stalled server shows in the latencies."""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import threading
import time

from support import measure, programs
from support.histogram import Histogram

TITLE = "Load"

SUITE = """\
baseURL: {address}
tests:
  - {{ name: item, request: GET /items/7, expect: {{ status: 200, json: {{ $.id: 7 }} }} }}
"""

LOCUST = """\
from locust import FastHttpUser, task


class User(FastHttpUser):
    @task
    def item(self):
        with self.client.get("/items/7", catch_response=True) as response:
            if response.status_code != 200 or response.json()["id"] != 7:
                response.failure("unexpected")
"""

K6 = """\
import http from "k6/http";
import {{ check }} from "k6";

export const options = {{ vus: 64, duration: "{seconds}s" }};

export default function () {{
  const response = http.get("{address}/items/7");
  check(response, {{ status: (it) => it.status === 200, id: (it) => it.json("id") === 7 }});
}}

export function handleSummary(data) {{
  return {{ stdout: JSON.stringify(data.metrics) }};
}}
"""
# How many times as many requests per second of CPU time as the other program.
MULTIPLES = {"Locust": 2, "k6": 10}


def measure_part(bench, section):
    suite = f"{bench.directory}/load.yaml"
    with open(suite, "w", encoding="utf-8") as file:
        file.write(SUITE.format(address=bench.nginx.address))
    section.text(
        "A GET of 50 bytes from nginx on the same machine, with its status and one JSONPath checked. CPU time is that of "
        "the program alone, from the system.")
    rounds = bench.pick(5, 2)
    most = cost(bench, section, suite, rounds)
    rates(bench, section, suite, most)
    stall(bench, section, suite)
    users(bench, section, suite)


def load(bench, suite, *arguments, timeout=120):
    """Runs a load and returns its cost, its `load` line and the lines of its seconds."""
    record = f"{bench.directory}/load.jsonl"
    if os.path.exists(record):
        os.remove(record)
    # Exit status 1 says that the figures are not valid, as on a machine that is full.
    wall, usage = measure.run(
        [bench.apitest, "load", suite, "--report", f"json={record}", *arguments], bench.output, timeout=timeout,
        status=(0, 1))
    with open(record, encoding="utf-8") as file:
        lines = [json.loads(line) for line in file]
    summary = next(line for line in lines if line["event"] == "load")
    if summary["failed"]:
        raise measure.Failed(f"{summary['failed']} of {summary['requests']} requests failed")
    return wall, usage, summary, [line for line in lines if line["event"] == "loadSecond"]


class Cost:
    """What one run of a program cost: its rate, and the CPU time of a request in seconds, in the program and the kernel."""

    def __init__(self, rate, requests, usage):
        self.rate = rate
        self.user, self.kernel = usage.ru_utime / requests, usage.ru_stime / requests

    @property
    def per_second(self):
        """The number of requests in a second of CPU time."""
        return 1 / (self.user + self.kernel)


def cost(bench, section, suite, rounds):
    """Measures requests per second of CPU time, and returns the highest rate."""
    seconds = bench.pick(5, 2)
    others = {"wrk": wrk, "Locust": locust, "k6": k6}
    costs = {name: [] for name in ("apitest load", *others)}
    mine = costs["apitest load"]
    for _ in range(rounds):
        _, usage, summary, _ = load(bench, suite, "--users", "64", "--for", f"{seconds}s")
        mine.append(Cost(summary["requests"] / (summary["duration"] / 1e9), summary["requests"], usage))
        for name, run in list(others.items()):
            try:
                costs[name].append(run(bench, seconds))
            except measure.Missing as error:
                section.skip(name, str(error))
                del others[name]
    section.target(
        "requests per second of CPU time", [one.per_second for one in mine], "≥", 40_000,
        counts=not bench.options.quick)
    section.note("requests per second, 64 users", [one.rate for one in mine])
    for name in filter(others.get, MULTIPLES):
        pairs = list(zip(mine, costs[name]))
        section.target(
            f"requests per second of CPU time, as a multiple of {name}'s",
            [one.per_second / other.per_second for one, other in pairs], "≥", MULTIPLES[name])
        section.note(
            f"the same if a request cost only the kernel's time, as a multiple of {name}'s",
            [1 / one.kernel / other.per_second for one, other in pairs])
        if costs["wrk"]:
            section.note(
                f"wrk's requests per second of CPU time, as a multiple of {name}'s",
                [one.per_second / other.per_second for one, other in zip(costs["wrk"], costs[name])])
    section.table(
        "", ("program", "requests/s", "requests per second of CPU time", "µs of a request in the program", "in the kernel"),
        [(name, *(f"{measure.median([getattr(one, key) for one in values]) * scale:,.{digits}f}"
                  for key, scale, digits in (("rate", 1, 0), ("per_second", 1, 0), ("user", 1e6, 1), ("kernel", 1e6, 1))))
         for name, values in costs.items() if values])
    return measure.median([one.rate for one in mine])


def wrk(bench, seconds):
    if not shutil.which("wrk"):
        raise measure.Missing("it is not installed (Debian and Ubuntu: apt-get install wrk)")
    _, usage = measure.run(["wrk", "-t2", "-c64", f"-d{seconds}s", f"{bench.nginx.address}/items/7"], bench.output)
    with open(bench.output, encoding="utf-8") as file:
        found = re.search(r"(\d+) requests in ([0-9.]+)s", file.read())
    requests = int(found.group(1))
    return Cost(requests / float(found.group(2)), requests, usage)


def locust(bench, seconds):
    program = os.path.join(os.path.dirname(sys.executable), "locust")
    program = program if os.path.exists(program) else shutil.which("locust")
    if program is None:
        raise measure.Missing("it is not installed (pip install locust)")
    path = f"{bench.directory}/locustfile.py"
    with open(path, "w", encoding="utf-8") as file:
        file.write(LOCUST)
    _, usage = measure.run(
        [program, "-f", path, "--headless", "-u", "64", "-r", "64", "-t", f"{seconds + 1}s", "--host",
         bench.nginx.address, "--json"], bench.output, timeout=60)
    with open(bench.output, encoding="utf-8") as file:
        text = file.read()
    stats = json.loads(text[text.index("[\n"):text.rindex("]") + 1])
    requests = sum(entry["num_requests"] for entry in stats)
    span = max(entry["last_request_timestamp"] - entry["start_time"] for entry in stats)
    return Cost(requests / span, requests, usage)


def k6(bench, seconds):
    program = shutil.which("k6")
    if program is None:
        raise measure.Missing("it is not installed (build it with Go from github.com/grafana/k6)")
    path = f"{bench.directory}/k6.js"
    with open(path, "w", encoding="utf-8") as file:
        file.write(K6.format(address=bench.nginx.address, seconds=seconds))
    _, usage = measure.run([program, "run", "--quiet", "--no-usage-report", path], bench.output, timeout=60)
    with open(bench.output, encoding="utf-8") as file:
        metrics = json.load(file)
    if metrics["checks"]["values"]["fails"]:
        raise measure.Failed("checks of k6 failed")
    requests = metrics["http_reqs"]["values"]
    return Cost(requests["rate"], requests["count"], usage)


def rates(bench, section, suite, most):
    """Measures how exactly a rate is kept."""
    seconds = bench.pick(10, 3)
    rows = []
    worst = 0
    for share in (0.1, 0.5, 0.8):
        rate = int(most * share)
        _, _, summary, _ = load(bench, suite, "--rate", f"{rate}/s", "--for", f"{seconds}s")
        kept = summary["requests"] / seconds
        worst = max(worst, abs(kept / rate - 1))
        response, late = Histogram(summary["response"]["histogram"]), Histogram(summary["lateness"]["histogram"])
        rows.append((f"{share:.0%}", f"{rate:,}", f"{kept:,.0f}", f"{response.percentile(99) / 1e6:.2f} ms",
                     f"{late.percentile(99) / 1e6:.2f} ms", ", ".join(one["reason"] for one in summary.get("invalid", [])) or "valid"))
    section.target("deviation from the rate, up to 80% of the highest", [worst * 100], "≤", 0.5, "%")
    section.table("", ("share of the highest rate", "rate", "kept", "response time, p99", "lateness, p99", "figures"), rows)


def stall(bench, section, suite):
    """Stops the server for a second of every ten, and compares the latencies with the computed ones."""
    rate, seconds = 1_000, bench.pick(30, 10)
    # The server is stopped for a little longer than the system was asked to wait.
    lengths = []
    stop = threading.Event()
    children = open(f"/proc/{bench.nginx.process.pid}/task/{bench.nginx.process.pid}/children", encoding="ascii").read()
    workers = [int(pid) for pid in children.split()]

    def toggle():
        for start in range(seconds // 10):
            if stop.wait(max(0, begin + start * 10 + 5 - time.monotonic())):
                return
            for worker in workers:
                os.kill(worker, signal.SIGSTOP)
            stopped = time.monotonic()
            time.sleep(1)
            for worker in workers:
                os.kill(worker, signal.SIGCONT)
            lengths.append(time.monotonic() - stopped)

    begin = time.monotonic()
    thread = threading.Thread(target=toggle)
    thread.start()
    try:
        _, _, summary, _ = load(bench, suite, "--rate", f"{rate}/s", "--for", f"{seconds}s")
    finally:
        stop.set()
        thread.join()
    response = Histogram(summary["response"]["histogram"])
    # A tenth of the requests arrive while the server is stopped, and wait for its end: evenly from 0 to the whole length.
    computed = {"p99": 0.9 * sum(lengths) / len(lengths), "maximum": max(lengths)}
    measured = {"p99": response.percentile(99) / 1e9, "maximum": response.percentile(100) / 1e9}
    for name, value in computed.items():
        section.target(
            f"a server that stalls 1 s in every 10: deviation of the {name} from the computed {value:.2f} s",
            [abs(measured[name] / value - 1) * 100], "≤", 2, "%")


def users(bench, section, suite):
    """Measures the memory of many users."""
    count = bench.pick(10_000, 1_000)
    wall, usage, summary, _ = load(
        bench, suite, "--users", str(count), "--for", "10s", "--think", "2s", timeout=180)
    section.target(f"memory of {count:,} users, in MB", [usage.ru_maxrss * 1024 / 1e6], "≤", 300,
                   counts=not bench.options.quick)
    section.note(f"requests of {count:,} users in 10 s", [summary["requests"]])
