"""The environment of the parts of Benchmarks/run: options, programs, a directory, the server, and checks of runs."""

import json
import os
import re

from support import measure, programs

IN_FLIGHT = 64


class Bench:
    """One run of the benchmark."""

    def __init__(self, options, directory, nginx):
        self.options = options
        self.directory = directory
        self.nginx = nginx
        # The program as it is shipped; `options.program` may have the symbols that profiles need.
        self.apitest = programs.stripped(options.program, directory)
        self.output = f"{directory}/output.txt"
        self.curl = programs.need("curl", "curl")
        # The versions of programs that parts add.
        self.more_versions = []
        self._multi = None

    def pick(self, full, quick):
        """Returns one of two values, for a full run or for a quick one."""
        return quick if self.options.quick else full

    @property
    def multi(self):
        """The libcurl reference program, compiled on first use."""
        if self._multi is None:
            self._multi = programs.build_reference(self.directory)
        return self._multi

    def versions(self):
        """Returns the versions of the compared programs."""
        nginx = programs.version(self.nginx.program, "-v").replace("nginx version: ", "")
        lines = [f"apitest {programs.version(self.apitest, '--version')}, "
                 f"{os.path.getsize(self.apitest) / 1e6:.1f} MB, stripped",
                 programs.version(self.curl, "--version").split(" (")[0], nginx]
        return lines + self.more_versions

    def bare_curl(self, *arguments):
        """Returns a curl command that ignores the machine's configuration."""
        return [self.curl, "-q", "-sS", "--fail", "--noproxy", "*", *arguments]

    def run_suite(self, suite, count, *arguments, jobs=IN_FLIGHT, timeout=120):
        """Runs a suite with a JUnit report and JSON lines, and checks that `count` tests passed according to both."""
        junit, lines = f"{self.directory}/report.xml", f"{self.directory}/report.jsonl"
        for path in (junit, lines):
            if os.path.exists(path):
                os.remove(path)
        cost = measure.run(
            [self.apitest, "--jobs", str(jobs), "--report", f"junit={junit}", "--report", f"json={lines}",
             *arguments, suite], self.output, timeout=timeout, directory=self.directory)
        check_junit(junit, count)
        check_lines(lines, count)
        return cost

    def expect_requests(self, series, count):
        """Checks the number of requests that the server counted in each repetition."""
        for cost in series.costs:
            if cost.requests != count:
                raise measure.Failed(f"{series.name}: the server counted {cost.requests} requests, not {count}")


def check_junit(path, count):
    with open(path, "rb") as file:
        head = file.read(2000).decode(errors="replace")
    counts = dict(re.findall(r'\b(tests|failures|errors|skipped)="(\d+)"', head))
    if int(counts.get("tests", -1)) != count or int(counts.get("failures", 0)) or int(counts.get("errors", 0)):
        raise measure.Failed(f"the JUnit report does not say that {count} tests passed: {head[:300]}")


def check_lines(path, count):
    with open(path, "rb") as file:
        file.seek(max(0, os.path.getsize(path) - 65_536))
        last = file.read().rstrip(b"\n").rpartition(b"\n")[2]
    event = json.loads(last)
    if event.get("event") != "runEnd" or event.get("counts", {}).get("passed") != count:
        raise measure.Failed(f"the JSON lines do not say that {count} tests passed: {last[:300]}")
