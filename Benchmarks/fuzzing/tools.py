"""The programs that are compared: their commands, and their findings from the reports that they write."""

import json
import os

# schemathesis has one code for a wrong body and a wrong header; the title of the latter starts with this.
HEADER_TITLE = "Response header"


class Schemathesis:
    """schemathesis, with its own defaults except for the number of cases; `keeps_on` continues after a failure."""

    name = "schemathesis"

    def __init__(self, program, codes, keeps_on):
        self.program = program
        self.codes = codes
        self.keeps_on = keeps_on

    def command(self, application, address, directory, seed, cases):
        command = [self.program, "run", f"{address}/openapi.json", "--no-color", "--seed", str(seed),
                   "--max-examples", str(cases), "--generation-database", "none", "--report", "ndjson",
                   "--report-ndjson-path", f"{directory}/events.ndjson"]
        if self.keeps_on:
            command.append("--continue-on-failure")
        for header in application.get("headers", []):
            command += ["--header", header]
        if "slow" in application:
            command += ["--max-response-time", str(application["slow"])]
        if "identities" in application:
            self._write_identities(application["identities"], directory)
        return command

    @staticmethod
    def _write_identities(identities, directory):
        users = []
        for name, header in identities.items():
            key, _, value = header.partition(": ")
            users.append({"name": name, "fixedHeaders": [{"name": key, "value": value}]})
        with open(f"{directory}/identities.json", "w", encoding="utf-8") as file:
            json.dump({"auth": users}, file)
        with open(f"{directory}/schemathesis.toml", "w", encoding="utf-8") as file:
            file.write(f'[auth.wfc]\npath = "{directory}/identities.json"\npeers = {json.dumps(list(identities))}\n')

    def findings(self, directory):
        """Returns the set of (operation, check), or None without a report."""
        events = read_lines(f"{directory}/events.ndjson")
        if not events:
            return None
        return {self.finding(failure) for _, failure in failures(events)}

    def finding(self, failure):
        check = self.codes.get(failure["code"], failure["code"])
        if check == "response-body" and failure["title"].startswith(HEADER_TITLE):
            check = "response-headers"
        return failure["operation"], check

    def first_finding(self, directory, started):
        """Returns the seconds from the start of the program to the end of the first scenario that failed."""
        times = [time for time, _ in failures(read_lines(f"{directory}/events.ndjson"))]
        return max(0.0, min(times) - started) if times else None


def failures(events):
    """Returns the failures in schemathesis's events, each with the time at which its scenario ended."""
    found = []
    for event in events:
        scenario = event.get("ScenarioFinished")
        for checks in (scenario or {}).get("recorder", {}).get("checks", {}).values():
            for check in checks:
                if check["status"] == "failure":
                    found.append((scenario["timestamp"], check["failure_info"]["failure"]))
    return found


class Apitest:
    """`apitest contract fuzz`."""

    name = "apitest"

    def __init__(self, program):
        self.program = program

    def command(self, application, address, directory, seed, cases):
        command = [self.program, "contract", "fuzz", f"{directory}/openapi.json",
                   "--url", address + application.get("basePath", ""), "--seed", str(seed), "--cases", str(cases),
                   "--report", f"json={directory}/record.jsonl", "--color", "never"]
        for header in application.get("headers", []):
            command += ["--header", header]
        if "slow" in application:
            command += ["--max-response-time", f"{application['slow']}s"]
        for name, header in application.get("identities", {}).items():
            command += ["--identity", f"{name}={header}"]
        return command

    def findings(self, directory):
        """Returns the set of (operation, check), or None without a record.

        A finding is a failed test with the name "METHOD /path › check", and the request if a check has several.
        """
        events = read_lines(f"{directory}/record.jsonl")
        if not events:
            return None
        names = [test["name"].split(" › ", 1) for test in failed_tests(events)]
        return {(operation, rest.split(" ")[0]) for operation, rest in names}

    def first_finding(self, directory, started):
        """Returns the seconds from the start of the run to the end of the first failed test."""
        ends = [test["start"] + test["duration"] for test in failed_tests(read_lines(f"{directory}/record.jsonl"))]
        return min(ends) / 1e9 if ends else None


def failed_tests(events):
    """Returns the tests of a record that are findings."""
    tests = (event for event in events if event.get("event") == "test")
    return [test for test in tests if test["outcome"] == "failed" and " › " in test["name"]]


def read_lines(path):
    """Returns the objects in a file of JSON lines; the last line can be incomplete. A missing file has none."""
    events = []
    if os.path.exists(path):
        with open(path, encoding="utf-8") as file:
            for line in file:
                try:
                    events.append(json.loads(line))
                except ValueError:
                    break
    return events
