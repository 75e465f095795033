"""Many tests by data rows, over HTTP and HTTPS, compared with plain requests by libcurl and curl."""

import re
import shutil

from support import measure, programs, server, suites
from support.bench import IN_FLIGHT

TITLE = "Throughput"


def measure_part(bench, section):
    count = bench.pick(100_000, 20_000)
    nginx = bench.nginx
    plain = suites.write_rows(bench.directory, "plain", count, nginx.address)
    secure = suites.write_rows(bench.directory, "secure", count, nginx.tls_address)
    urls = f"{bench.directory}/urls"
    with open(urls, "w", encoding="utf-8") as file:
        file.writelines(f'url = "{nginx.address}/items/{number % server.ITEMS + 1}"\n' for number in range(count))

    def multi(address, *more):
        return measure.run(
            [bench.multi, f"{address}/items", str(count), str(server.ITEMS), str(IN_FLIGHT), "1.1", *more], bench.output)

    contestants = {
        "apitest": lambda: bench.run_suite(plain, count),
        "libcurl multi": lambda: multi(nginx.address),
        "curl --parallel": lambda: measure.run(
            bench.bare_curl("--parallel", "--parallel-max", str(IN_FLIGHT), "--config", urls), bench.output, timeout=120),
        "apitest, HTTPS": lambda: bench.run_suite(secure, count, "--cacert", nginx.authorities),
        "libcurl multi, HTTPS": lambda: multi(nginx.tls_address, nginx.authorities),
    }
    rates = []
    if shutil.which("wrk"):
        bench.more_versions.append(programs.version("wrk", "-v").split(" Copyright")[0])
        contestants["wrk"] = lambda: wrk(bench, rates)
    else:
        section.skip("wrk", "it is not installed (Debian and Ubuntu: apt-get install wrk)")
    series = measure.interleave(contestants, rounds=bench.pick(7, 3), warm_up=1, server=nginx)
    series.pop("wrk", None)
    for one in series.values():
        bench.expect_requests(one, count)
    mine, bare, curl, mine_tls, bare_tls = series.values()

    section.text(
        f"{count:,} tests by data rows, {IN_FLIGHT} in flight, with a JUnit report and JSON lines; each a GET, its "
        f"status, a header, three JSONPaths, a capture; {len(mine.costs)} repetitions. libcurl's program only collects bodies "
        "and checks the status ([multi.c](reference/multi.c)); `curl --parallel` reads the URLs from a file and writes "
        "the bodies to one. HTTPS is TLS 1.3 with TLS_AES_128_GCM_SHA256 and a verified certificate. nginx "
        "has one worker. Times are those of whole processes, including loading and reports.")
    section.costs("", series.values(), requests=count, floor=measure.memory_floor())
    what = f"rate of {count:,} tests, as a share of"
    full = not bench.options.quick
    section.target(f"{what} libcurl multi's rate", bare.ratios(mine), "≥", 0.6, counts=full)
    section.target(f"{what} `curl --parallel`'s", curl.ratios(mine), "≥", 1, counts=full)
    section.target(f"{what} libcurl multi's, both over HTTPS", bare_tls.ratios(mine_tls), "≥", 0.8, counts=full)
    section.note("CPU time as a multiple of libcurl multi's", mine.ratios(bare, "cpu"))
    section.note("the same over HTTPS", mine_tls.ratios(bare_tls, "cpu"))
    if rates:
        # The first repetition was the warm-up.
        section.note(f"wrk with {IN_FLIGHT} connections, requests/s", rates[1:])


def wrk(bench, rates):
    cost = measure.run(
        ["wrk", "-t1", f"-c{IN_FLIGHT}", f"-d{bench.pick(3, 1)}s", f"{bench.nginx.address}/items/1"], bench.output)
    with open(bench.output, encoding="utf-8") as file:
        text = file.read()
    rate = re.search(r"Requests/sec:\s+([0-9.]+)", text)
    if rate is None or "Non-2xx" in text or "Socket errors" in text:
        raise measure.Failed("wrk says:\n" + text)
    rates.append(float(rate.group(1)))
    return cost
