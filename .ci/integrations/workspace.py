"""The checkout of a project whose CI runs apitest."""

import contextlib
import os
import pathlib
import subprocess
import sys
import tempfile

from packages.machine import Failed, run

SUITE = """\
name: Books
serve: { mock: books.mock.yaml }
tests:
  - { name: one, tags: [smoke], request: GET /one, expect: 200 }
  - { name: two, request: GET /two, expect: STATUS }
"""
MOCK = """\
routes:
  - { request: GET /**, respond: 200 }
"""


@contextlib.contextmanager
def workspace(fails):
    """Yields the directory of a checkout, in which one of two tests fails or none."""
    with tempfile.TemporaryDirectory(prefix="apitest-integrations-") as directory:
        path = pathlib.Path(directory, "checkout")
        (path / "tests").mkdir(parents=True)
        (path / "tests/books.apitest.yaml").write_text(SUITE.replace("STATUS", "404" if fails else "200"))
        (path / "tests/books.mock.yaml").write_text(MOCK)
        yield path


def validate(path, schema):
    """Validates a file against a published schema."""
    run(sys.executable, "-m", "check_jsonschema", "--builtin-schema", schema, path)


def execute(script, directory, **environment):
    """Executes a script as CI systems do, and returns its exit status and its output."""
    result = subprocess.run(
        ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", script], cwd=directory, stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=300,
        env={"PATH": os.environ["PATH"], "HOME": str(directory.parent), "CI": "true", **environment})
    return result.returncode, result.stdout


def check_reports(directory, fails, is_record_kept=False):
    """Checks the reports of a run."""
    junit = directory / "junit.xml"
    if not junit.is_file() or f'tests="2" failures="{int(fails)}"' not in junit.read_text():
        raise Failed(f"wrong JUnit XML: {junit.read_text() if junit.is_file() else 'none'}")
    if "<html" not in (directory / "index.html").read_text():
        raise Failed("the page is not HTML")
    if is_record_kept and '"event":"runEnd"' not in (directory / "record.jsonl").read_text():
        raise Failed("the record is incomplete")


def expect(condition, text):
    if not condition:
        raise Failed(text)
