"""Runs with many requests in flight: the rate, the fairness, and the memory of a connection."""

import json

from support import measure, suites
from support.delayed import DelayedServer

TITLE = "Requests in flight"
# Requests in flight and milliseconds of each response: 5,000 requests/s at most, which a server on the same machine can
# answer, and at first the latency of the other part.
LEVELS = ((64, 50), (1_000, 200), (10_000, 2_000))
# Responses one after another on each connection. The rate is that of the whole run, in which opening the connections takes
# most of the time of one response: fewer responses give a lower fraction of the ideal.
ROUNDS = 20
KB = 1_000


def measure_part(bench, section):
    peaks, lines = {}, []
    for jobs, latency in LEVELS:
        tests = max(1_000, jobs * bench.pick(ROUNDS, 2))
        with DelayedServer(bench.directory, latency) as server:
            suite = suites.write_many(bench.directory, f"flight-{jobs}", tests, server.address)
            series = measure.interleave(
                {f"--jobs {jobs}": lambda: bench.run_suite(suite, tests, jobs=jobs)},
                rounds=bench.pick(3, 1), warm_up=0, server=server)
        one, = series.values()
        bench.expect_requests(one, tests)
        waits = durations(bench)
        ideal = tests / jobs * latency / 1000
        peaks[jobs] = one.median("peak")
        lines.append((f"{jobs:,}", f"{latency:,} ms", f"{tests:,}", f"{ideal:.1f} s", f"{one.median('wall'):.1f} s",
                      f"{one.median('cpu'):.1f} s", f"{peaks[jobs] / 1e6:.0f} MB", f"{one.median('connections'):,.0f}"))
        section.target(f"{jobs:,} in flight, {latency:,} ms each: rate as a fraction of the ideal",
                       [ideal / wall for wall in one.of("wall")], "≥", 0.9, counts=not bench.options.quick)
        section.target(f"{jobs:,} in flight: the longest request as a multiple of the median",
                       [waits[-1] / measure.median(waits)], "≤", 2)
    section.table("Tests by data rows, with a JUnit report and JSON lines",
                  ("in flight", "latency", "tests", "ideal", "time", "CPU", "peak memory", "connections"), lines)
    few, many = LEVELS[0][0], LEVELS[-1][0]
    section.target("memory of each further connection in flight, KB", [(peaks[many] - peaks[few]) / (many - few) / KB],
                   "≤", 30)


def durations(bench):
    """Returns the durations of the tests of the last run, in ascending order."""
    result = []
    with open(f"{bench.directory}/report.jsonl", "rb") as file:
        for line in file:
            if line.startswith(b'{"event":"test",'):
                result.append(json.loads(line)["duration"])
    return sorted(result)
