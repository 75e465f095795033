"""Runs against a slow server, compared with the minimum possible time and with running the tests one by one."""

import math

from support import measure, suites
from support.bench import IN_FLIGHT
from support.delayed import DelayedServer

TITLE = "Latency"
LATENCY_MS = 50
TESTS = 1_000
LENGTH = 5


def measure_part(bench, section):
    with DelayedServer(bench.directory, LATENCY_MS) as server:
        independent(bench, section, server)
        chains(bench, section, server)


def independent(bench, section, server):
    ideal = math.ceil(TESTS / IN_FLIGHT) * LATENCY_MS / 1000
    suite = suites.write_independent(bench.directory, "independent", TESTS, server.address)
    series = measure.interleave(
        {"apitest": lambda: bench.run_suite(suite, TESTS),
         "libcurl multi": lambda: measure.run(
             [bench.multi, f"{server.address}/items", str(TESTS), str(TESTS), str(IN_FLIGHT)], bench.output)},
        rounds=bench.pick(11, 3), warm_up=1, server=server)
    for one in series.values():
        bench.expect_requests(one, TESTS)
    mine, bare = series.values()
    section.text(f"Each response takes {LATENCY_MS} ms, and the server handles any number at once. With {IN_FLIGHT} in flight, "
                 f"{TESTS:,} requests take at least {ideal:.2f} s.")
    section.costs(f"{TESTS:,} independent tests, {IN_FLIGHT} in flight; {len(mine.costs)} repetitions", series.values(),
                  requests=TESTS, floor=measure.memory_floor())
    section.target(f"{TESTS:,} independent tests, {LATENCY_MS} ms each: time as a multiple of the ideal",
                   [wall / ideal for wall in mine.of("wall")], "≤", 1.1)
    section.note("libcurl multi's time as a multiple of the ideal", [wall / ideal for wall in bare.of("wall")])


def chains(bench, section, server):
    count = bench.pick(50, 20)
    tests = count * LENGTH
    suite = suites.write_chains(bench.directory, "chains", count, LENGTH, server.address)
    series = measure.interleave(
        {f"--jobs {IN_FLIGHT}": lambda: bench.run_suite(suite, tests),
         "--jobs 1": lambda: bench.run_suite(suite, tests, jobs=1)},
        rounds=bench.pick(3, 1), warm_up=0, server=server)
    for one in series.values():
        bench.expect_requests(one, tests)
    together, serial = series.values()
    section.costs(f"{count} chains of {LENGTH} tests, each using captures of the previous one; nothing in the "
                  f"suite states the order; {len(together.costs)} repetitions", series.values(),
                  requests=tests, floor=measure.memory_floor())
    ideal = LENGTH * LATENCY_MS / 1000
    section.note("chains: time with `--jobs 1` as a multiple of the time with the inferred order", serial.ratios(together))
    section.note(f"chains: time as a multiple of the ideal, {ideal:.2f} s", [wall / ideal for wall in together.of("wall")])
    # At best, all chains take the time of one, so the maximum speedup is the number of chains.
    section.target(f"{count} chains of {LENGTH} tests: speedup over one by one", serial.ratios(together), "≥",
                   count / 2)
