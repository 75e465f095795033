"""A place in which a recipe is executed, and what its results must be."""

import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree

recipes = pathlib.Path(__file__).resolve().parent.parent.parent / "examples/ci"
problems = []

SUITE = """\
name: {name}
baseURL: '${{env("BASE_URL", "")}}'
serve: {{ mock: {name}.mock.yaml }}
tests:
  - {{ name: one, request: GET /one, expect: 200 }}
  - {{ name: two, request: GET /two, expect: 200 }}
  - {{ name: three, request: GET /three, expect: 200 }}
"""
MOCK = """\
defaults: {{ delay: {delay} }}
routes:
  - {{ request: GET /two, respond: {status} }}
  - {{ request: GET /**, respond: 200 }}
"""


def problem(recipe, text):
    problems.append(f"{recipe}: {text}")


def validate(name, schema):
    result = subprocess.run(
        [sys.executable, "-m", "check_jsonschema", "--builtin-schema", schema, recipes / name],
        capture_output=True, text=True)
    if result.returncode != 0:
        problem(name, result.stdout + result.stderr)


class Place:
    """The directory in which a recipe is executed."""

    # The program to execute.
    program = None

    def __init__(self, recipe, fails, losses=0, signal_of_loss=signal.SIGKILL, is_invalid=False):
        """Creates a place.

        - fails: whether one test fails
        - losses: how often the first shard is lost
        - signal_of_loss: the signal that its processes get
        - is_invalid: whether a suite is invalid
        """
        self.recipe = recipe
        self.fails = fails
        self.losses = losses
        self.signal_of_loss = signal_of_loss
        self.is_invalid = is_invalid
        # Slow responses, if a shard must be lost while it runs.
        self.delay = "300ms" if losses else "0s"
        self.directory = pathlib.Path(tempfile.mkdtemp(prefix="apitest-recipes-"))
        (self.directory / "bin").mkdir()
        (self.directory / "bin/apitest").symlink_to(self.program)
        self.artifacts = {}
        self.kept = self.directory / "kept"
        self.kept.mkdir()

    def workspace(self, name):
        path = self.directory / name
        path.mkdir(parents=True, exist_ok=True)
        return path

    def checkout(self, path):
        """Creates the files of a checkout: the directory tests."""
        (path / "tests").mkdir(exist_ok=True)
        for name in ["books", "orders"]:
            status = 500 if self.fails and name == "orders" else 200
            (path / f"tests/{name}.apitest.yaml").write_text(SUITE.format(name=name).replace(
                "baseURL: '${env(\"BASE_URL\", \"\")}'\n", ""))
            (path / f"tests/{name}.mock.yaml").write_text(MOCK.format(status=status, delay=self.delay))
        if self.is_invalid:
            (path / "tests/orders.apitest.yaml").write_text("name: orders\ntets: []\n")

    def run(self, script, directory, **environment):
        """Runs a script and returns its exit status."""
        result = subprocess.run(
            ["bash", "-e", "-o", "pipefail", "-c", script], cwd=directory, capture_output=True, text=True, timeout=120,
            env=self.environment(environment))
        if result.returncode not in (0, 1) and not self.is_invalid:
            problem(self.recipe, f"exit status {result.returncode}: {script}\n{result.stdout}{result.stderr}")
        return result.returncode

    def environment(self, variables):
        return {"PATH": f"{self.directory}/bin:{os.environ['PATH']}", "HOME": str(self.directory), "NO_COLOR": "1",
                "CI": "true", **variables}

    def run_shard(self, is_first, results, script, directory, **environment):
        """Runs the script of a shard and returns its exit status, or 128 plus the signal with which it was lost."""
        if not is_first or not self.losses:
            return self.run(script, directory, **environment)
        self.losses -= 1
        known = set(results.rglob("*.jsonl"))
        process = subprocess.Popen(
            ["bash", "-e", "-o", "pipefail", "-c", script], cwd=directory, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL, env=self.environment(environment), start_new_session=True)
        end = time.monotonic() + 30
        while process.poll() is None and time.monotonic() < end:
            # The shard is lost as soon as one of its tests has started.
            if any('"testStart"' in record.read_text() for record in set(results.rglob("*.jsonl")) - known):
                break
            time.sleep(0.01)
        if process.poll() is not None:
            problem(self.recipe, "the shard ended before it could be lost")
            return process.returncode
        os.killpg(process.pid, self.signal_of_loss)
        process.wait(30)
        return 128 + self.signal_of_loss

    def upload(self, name, directory, patterns):
        files = {}
        for pattern in patterns:
            path = directory / pattern
            found = [file for file in path.rglob("*") if file.is_file()] if path.is_dir() else []
            if not found:
                problem(self.recipe, f"no files to upload match {pattern}")
            # As in actions/upload-artifact, a single directory is the root of the artifact.
            for file in found:
                files[file.relative_to(directory)] = file.read_bytes()
        self.artifacts[name] = files

    def check_incomplete(self, junit, status):
        """Checks the results of a run that lacks a shard."""
        if status != 1:
            problem(self.recipe, f"expected the exit status 1 of an incomplete run, got {status}")
        if not junit.is_file() or "incomplete" not in junit.read_text():
            problem(self.recipe, "the report does not say that the run is incomplete")
        shutil.rmtree(self.directory)

    def check(self, junit, pages, history, status):
        """Checks the results: one report of all tests, the page, the history if there is one, and the exit status."""
        for path in [junit, pages]:
            if not path.is_file():
                return problem(self.recipe, f"{path.name} was not written")
        cases = [
            (case.get("classname"), case.get("name"), case.find("failure") is not None)
            for case in xml.etree.ElementTree.parse(junit).iter("testcase")]
        if len(cases) != 6 or len({case[:2] for case in cases}) != 6:
            problem(self.recipe, f"expected six different tests in the report, got {cases}")
        if sum(case[2] for case in cases) != self.fails:
            problem(self.recipe, f"expected {int(self.fails)} failed tests, got {cases}")
        if b"<html" not in pages.read_bytes():
            problem(self.recipe, f"{pages} is not an HTML page")
        if history and not list(history.glob("*.apitest-run")):
            problem(self.recipe, "the history is empty")
        if status != self.fails:
            problem(self.recipe, f"expected the exit status {int(self.fails)}, got {status}")
        shutil.rmtree(self.directory)
