"""The comparison of a merged record with that of a single run."""

import json


class WrongResult(Exception):
    """A merged run that is neither equal to the single run nor reported as incomplete."""


class Record:
    """The result of a run: its tests without times, and the reasons why it is incomplete."""

    # Members that differ from run to run.
    TIMES = {"start", "duration", "time", "timings"}

    def __init__(self, text):
        lines = [json.loads(line) for line in text.splitlines()]
        self.suites = [(suite["path"], suite["testCount"], suite["digest"]) for suite in lines[0]["suites"]]
        self.tests = sorted(
            (self.without_times(line) for line in lines if line["event"] == "test"),
            key=lambda test: (test["suite"], test["position"]))
        self.counts = lines[-1].get("counts")
        self.reasons = lines[-1]["missing"].get("reasons", []) if "missing" in lines[-1] else None

    @classmethod
    def without_times(cls, value):
        if isinstance(value, list):
            return [cls.without_times(element) for element in value
                    if not (isinstance(element, dict) and element.get("name") == "Date")]
        if isinstance(value, dict):
            return {key: cls.without_times(member) for key, member in value.items() if key not in cls.TIMES}
        return value

    def difference(self, other):
        """Returns the first difference from another record, or None."""
        if self.suites != other.suites or self.counts != other.counts:
            return f"{other.suites} {other.counts} instead of {self.suites} {self.counts}"
        if len(self.tests) != len(other.tests):
            return f"{len(other.tests)} tests instead of {len(self.tests)}"
        for test, other_test in zip(self.tests, other.tests):
            if test != other_test:
                return f"{json.dumps(other_test)} instead of {json.dumps(test)}"
        return None


def judge(single, status_of_single, text, status):
    """Returns whether a merged run is complete, and the reasons if it is not.

    Raises an error if it is neither equal to the single run nor reported as incomplete.
    """
    if text is None:
        raise WrongResult(f"the report has no record; its exit status is {status}")
    merged = Record(text)
    if merged.reasons is not None:
        if status != 1:
            raise WrongResult(f"the exit status of an incomplete run is {status}: {merged.reasons}")
        return False, "; ".join(merged.reasons) or "tests are missing"
    difference = single.difference(merged)
    if difference:
        raise WrongResult(f"the merged run differs from the single run: {difference}")
    if status != status_of_single:
        raise WrongResult(f"the exit status is {status} instead of {status_of_single}")
    return True, ""


def check_judge(single, status_of_single, text, status):
    """Checks that a merged run would be rejected if it had lost or changed a test."""
    lines = text.splitlines(keepends=True)
    index = next(i for i, line in enumerate(lines) if '"event":"test"' in line and '"kind"' not in line)
    changed = lines[index].replace('"outcome":"passed"', '"outcome":"failed"', 1)
    for wrong in [lines[:index] + lines[index + 1 :], lines[:index] + [changed] + lines[index + 1 :]]:
        try:
            judge(single, status_of_single, "".join(wrong), status)
        except WrongResult:
            continue
        raise AssertionError("a lost or changed test was not noticed")
