"""200 tests and one test, compared with curl and with other test runners for the same tests."""

import os
import re

from support import measure, peers, programs, suites

TITLE = "Small suites"
COUNT = 200
# The expected minimum time of each, as a multiple of apitest's.
PEERS = (("Tavern", 50), ("gabbi", 100), ("pytest with requests", 15))


def measure_part(bench, section):
    suite = suites.write_tests(bench.directory, "small", COUNT, bench.nginx.address)
    many(bench, section, suite)
    beside(bench, section, suite)
    single(bench, section)


def many(bench, section, suite):
    urls = [f"{bench.nginx.address}/items/{number}" for number in range(1, COUNT + 1)]
    series = measure.interleave(
        {"apitest": lambda: run(bench, suite, COUNT),
         "curl, one after another": lambda: measure.run(bench.bare_curl(*urls), bench.output),
         "curl --parallel": lambda: measure.run(bench.bare_curl("--parallel", *urls), bench.output)},
        rounds=bench.pick(41, 9), warm_up=2, server=bench.nginx)
    for one in series.values():
        bench.expect_requests(one, COUNT)
    mine, curl, parallel = series.values()
    section.costs(f"{COUNT} tests written out against curl with {COUNT} URLs; {len(mine.costs)} repetitions", series.values(),
                  requests=COUNT, floor=measure.memory_floor())
    section.target(f"{COUNT} tests: time as a multiple of one curl process's with the {COUNT} URLs", mine.ratios(curl), "≤", 3)
    section.note(f"{COUNT} tests: time as a multiple of `curl --parallel`'s", mine.ratios(parallel))


def beside(bench, section, suite):
    """Measures the same tests with Tavern, gabbi, and pytest with requests."""
    try:
        directory = peers.install()
    except measure.Failed as error:
        section.skip("Tavern, gabbi, pytest with requests", str(error))
        for name, share in PEERS:
            section.target(f"{COUNT} tests: {name}'s time as a multiple of apitest's", [], "≥", share)
        return
    bench.more_versions.append(f"{', '.join(peers.PACKAGES)} on {programs.version(f'{directory}/python', '--version')}")
    tavern = peers.write_tavern(bench.directory, COUNT, bench.nginx.address)
    gabbi = peers.write_gabbi(bench.directory, COUNT)
    plain = peers.write_pytest(bench.directory, COUNT, bench.nginx.address)
    options = ["-q", "-p", "no:cacheprovider", "--rootdir", bench.directory]

    def pytest(path, *more):
        cost = measure.run([f"{directory}/pytest", *options, *more, path], bench.output, timeout=120, directory=bench.directory)
        expect(bench.output, rf"^{COUNT} passed")
        return cost

    def run_gabbi():
        cost = measure.run([f"{directory}/gabbi-run", bench.nginx.address, "--", gabbi], bench.output, timeout=120)
        expect(bench.output, rf"^Ran {COUNT} tests(.|\n)*^OK$")
        return cost

    series = measure.interleave(
        {"apitest": lambda: run(bench, suite, COUNT), "Tavern": lambda: pytest(tavern),
         "gabbi": run_gabbi, "pytest with requests": lambda: pytest(plain, "-p", "no:tavern")},
        rounds=bench.pick(5, 1), warm_up=1, server=bench.nginx)
    for one in series.values():
        bench.expect_requests(one, COUNT)
    section.costs(f"The same {COUNT} tests with other test runners; {len(series['apitest'].costs)} repetitions", series.values(),
                  requests=COUNT, floor=measure.memory_floor())
    for name, share in PEERS:
        times = series[name].ratios(series["apitest"])
        section.target(f"{COUNT} tests: {name}'s time as a multiple of apitest's", times, "≥", share)


def single(bench, section):
    suite = suites.write_tests(bench.directory, "single", 1, bench.nginx.address)
    url = f"{bench.nginx.address}/items/1"
    series = measure.interleave(
        {"apitest": lambda: run(bench, suite, 1),
         "curl": lambda: measure.run(bench.bare_curl(url), bench.output),
         "apitest --version": lambda: measure.run([bench.apitest, "--version"], bench.output)},
        rounds=bench.pick(101, 25), warm_up=3, server=bench.nginx)
    mine, curl, version = series.values()
    bench.expect_requests(mine, 1)
    bench.expect_requests(curl, 1)
    bench.expect_requests(version, 0)
    section.costs(f"One test against curl with one URL; {len(mine.costs)} repetitions", series.values(),
                  floor=measure.memory_floor())
    section.target("1 test: time as a multiple of a curl process's", mine.ratios(curl), "≤", 1.5)


def run(bench, suite, count):
    """Runs a suite without reports and checks that all tests passed according to the console."""
    cost = measure.run([bench.apitest, suite], bench.output)
    expect(bench.output, rf"\b{count} passed\b")
    return cost


def expect(path, pattern):
    with open(path, "rb") as file:
        file.seek(max(0, os.path.getsize(path) - 4096))
        text = file.read().decode(errors="replace")
    if not re.search(pattern, text, re.M):
        raise measure.Failed(f"the output has no \"{pattern}\":\n{text[-500:]}")
