"""The memory of a run, by the number of its tests and with a large body."""

import hashlib
import os

from support import itemserver, measure, suites

TITLE = "Memory"
FEW = 10_000
MB = 1_000_000


def measure_part(bench, section):
    rows(bench, section)
    millions(bench, section)
    everything(bench, section)
    body(bench, section)


def rows(bench, section):
    many = bench.pick(1_000_000, 100_000)
    peaks, lines = {}, []
    for count, rounds in ((FEW, bench.pick(5, 2)), (100_000, 1), (many, 1)):
        if count in peaks:
            continue
        costs = [run(bench, count) for _ in range(rounds)]
        peaks[count] = [usage.ru_maxrss * 1024 for _, usage in costs]
        wall = measure.median([wall for wall, _ in costs])
        lines.append((f"{count:,}", f"{measure.median(peaks[count]) / MB:.1f} MB", f"{wall:,.1f} s",
                      f"{count / wall:,.0f}"))
    section.table("Tests by data rows, with a JUnit report and JSON lines", ("tests", "peak memory", "time", "tests/s"),
                  lines)
    few = measure.median(peaks[FEW])
    section.target(f"peak memory at {many:,} tests, as a multiple of that at {FEW:,}",
                   [peak / few for peak in peaks[many]], "≤", 1.5, counts=not bench.options.quick)
    section.note("memory for each further test, bytes", [(peaks[many][0] - few) / (many - FEW)])


def run(bench, count, *more):
    suite = suites.write_rows(bench.directory, "many", count, bench.nginx.address)
    before = bench.nginx.counters()
    cost = bench.run_suite(suite, count, *more, timeout=300)
    if bench.nginx.counters()[1] - before[1] - 1 != count:
        raise measure.Failed(f"the server did not count {count} requests")
    for path in ("many.csv", "report.xml", "report.jsonl"):
        os.remove(f"{bench.directory}/{path}")
    return cost


def millions(bench, section):
    """Measures ten million rows. Their reports would take gigabytes, so there are none."""
    many = bench.pick(10_000_000, 100_000)
    peaks = {}
    for count in (FEW, many):
        suite = suites.write_rows(bench.directory, "many", count, bench.nginx.address)
        before = bench.nginx.counters()
        _, usage = measure.run(
            [bench.apitest, "--jobs", "64", suite], bench.output, timeout=1_800, directory=bench.directory)
        if bench.nginx.counters()[1] - before[1] - 1 != count:
            raise measure.Failed(f"the server did not count {count} requests")
        os.remove(f"{bench.directory}/many.csv")
        peaks[count] = usage.ru_maxrss * 1024
    section.target(f"peak memory at {many:,} rows without reports, as a multiple of that at {FEW:,}",
                   [peaks[many] / peaks[FEW]], "≤", 1.5, counts=not bench.options.quick)
    section.note("memory for each of these rows, bytes", [(peaks[many] - peaks[FEW]) / (many - FEW)])


def everything(bench, section):
    """Measures all other reports together, by the difference."""
    reports = [argument for name in ("html", "tap", "ctrf", "markdown", "har")
               for argument in ("--report", f"{name}={bench.directory}/all.{name}")]
    many = bench.pick(100_000, 20_000)
    peaks = {}
    for count in (FEW, many):
        _, usage = run(bench, count, *reports)
        peaks[count] = usage.ru_maxrss * 1024
    for name in ("html", "tap", "ctrf", "markdown", "har"):
        os.remove(f"{bench.directory}/all.{name}")
    section.note(f"peak memory of {FEW:,} tests with HTML, TAP, CTRF, Markdown and HAR in addition, MB", [peaks[FEW] / MB])
    section.note(f"the same of {many:,} tests, MB", [peaks[many] / MB])
    section.note("memory for each further test with them, bytes", [(peaks[many] - peaks[FEW]) / (many - FEW)])


def body(bench, section):
    digest, chunk = hashlib.sha256(), bytes(1 << 20)
    for _ in range(itemserver.LARGE // len(chunk)):
        digest.update(chunk)
    suite = suites.write_download(
        bench.directory, "large", bench.nginx.address, itemserver.LARGE, digest.hexdigest())
    costs = [bench.run_suite(suite, 1) for _ in range(bench.pick(3, 1))]
    peaks = [usage.ru_maxrss * 1024 for _, usage in costs]
    section.target(f"peak memory with a body of {itemserver.LARGE >> 30} GiB, checked by size and SHA-256",
                   [peak / MB for peak in peaks], "≤", 64, unit=" MB")
    section.note("the body of 1 GiB, seconds", [wall for wall, _ in costs])
    section.note("hashing 1 GiB alone, seconds of CPU time", [hashing(chunk)])


def hashing(chunk):
    """Returns the CPU time of only the digest, with OpenSSL."""
    before = sum(os.times()[:2])
    digest = hashlib.sha256()
    for _ in range(itemserver.LARGE // len(chunk)):
        digest.update(chunk)
    return sum(os.times()[:2]) - before
