"""The cost of loading, checking and compiling written-out tests, compared with libyaml parsing the same file."""

import os

from support import measure, programs, suites

TITLE = "Loading"


def measure_part(bench, section):
    count = 20_000
    suite = suites.write_tests(bench.directory, "written", count, bench.nginx.address)
    events = programs.build_events(bench.directory)

    def reading():
        cost = measure.run([events, suite], bench.output)
        check(bench.output, "1 sequences")
        return cost

    def listing():
        cost = measure.run([bench.apitest, "list", suite], bench.output)
        check(bench.output, f"{count} tests in 1 suite")
        return cost

    def linting():
        cost = measure.run([bench.apitest, "lint", "--disable", "unused-capture", suite], bench.output)
        check(bench.output, f"{count} tests: no problems")
        return cost

    series = measure.interleave(
        {"libyaml: all events": reading, "apitest list": listing, "apitest lint": linting},
        rounds=bench.pick(15, 5), warm_up=1, server=bench.nginx)
    bare, mine, lint = series.values()
    section.text(
        f"{count:,} tests written out, {os.path.getsize(suite) / 1e6:.1f} MB of YAML (each a GET, its status, a header, "
        f"three JSONPaths, a capture); {len(mine.costs)} repetitions. `apitest list` reads the suite, checks it, compiles "
        "its expressions and paths, plans the run, and prints the tests; `apitest lint` looks for further problems. "
        "libyaml only parses the file ([events.c](reference/events.c)). Times are those of whole processes.")
    section.costs("", series.values(), floor=measure.memory_floor())
    section.target(f"loading {count:,} written-out tests, as a multiple of libyaml's parsing", mine.ratios(bare), "≤", 3)
    section.note("the same by CPU time", mine.ratios(bare, "cpu"))
    section.note("`apitest lint` as a multiple of libyaml's parsing", lint.ratios(bare))


def check(path, expected):
    with open(path, "rb") as file:
        file.seek(max(0, os.path.getsize(path) - 4096))
        text = file.read().decode(errors="replace")
    if expected not in text:
        raise measure.Failed(f"\"{expected}\" is not in the output:\n{text[-500:]}")
