"""Runs a gabbi file against a server and writes the verdict of each test. Runs with the Python that has gabbi.

Usage: gabbiverdicts.py FILE URL OUTPUT
"""

import json
import os
import sys
import unittest
import urllib.parse

from gabbi import handlers, suitemaker, utils


class Verdicts(unittest.TestResult):
    """Collects the verdict of each test by the name that the file gives it."""

    def __init__(self):
        super().__init__()
        self.verdicts = []
        self.seen = set()

    def note(self, test, verdict):
        # gabbi reports a success after an expected failure.
        if id(test) in self.seen:
            return
        self.seen.add(id(test))
        data = getattr(test, "test_data", None)
        self.verdicts.append((data["name"] if data else str(test), verdict))

    def addSuccess(self, test):
        self.note(test, "passed")

    def addFailure(self, test, error):
        self.note(test, "failed")

    def addError(self, test, error):
        self.note(test, "failed")

    def addSkip(self, test, reason):
        self.note(test, "skipped")

    def addExpectedFailure(self, test, error):
        self.note(test, "passed")

    def addUnexpectedSuccess(self, test):
        self.note(test, "failed")


def main():
    path, url, output = sys.argv[1:]
    parts = urllib.parse.urlsplit(url)
    data = utils.load_yaml(yaml_file=path)
    # Fixtures are Python code of the application.
    data.pop("fixtures", None)
    suite = suitemaker.test_suite_from_dict(
        unittest.defaultTestLoader, "file", data, os.path.dirname(path), parts.hostname, parts.port, None, None,
        prefix=parts.path, handlers=[handler() for handler in handlers.RESPONSE_HANDLERS])
    result = Verdicts()
    suite.run(result)
    with open(output, "w", encoding="utf-8") as file:
        json.dump(result.verdicts, file)


main()
