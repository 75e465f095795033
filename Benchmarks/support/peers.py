"""Other test runners, in their own environment, and the same tests in the idiom of each."""

import hashlib
import os
import shutil
import subprocess
import sys

from support.measure import Failed
from support.server import ITEMS

PACKAGES = ("tavern==3.7.1", "gabbi==4.2.3", "pytest==8.4.2", "requests==2.34.2")
PLACE = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), ".build", "peers")


def install():
    """Returns the directory of the peers' programs, which are installed on first use and when their versions change.

    Raises Failed when they cannot be installed.
    """
    mark = os.path.join(PLACE, "installed-" + hashlib.sha256(" ".join(PACKAGES).encode()).hexdigest()[:12])
    programs = os.path.join(PLACE, "bin")
    if os.path.exists(mark):
        return programs
    shutil.rmtree(PLACE, ignore_errors=True)
    print("installing", ", ".join(PACKAGES), flush=True)
    for command in ([sys.executable, "-m", "venv", PLACE],
                    [f"{programs}/python", "-m", "pip", "install", "-q", "--disable-pip-version-check", *PACKAGES]):
        try:
            result = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=300)
        except (OSError, subprocess.TimeoutExpired) as error:
            raise Failed(f"{' '.join(PACKAGES)} could not be installed: {error}") from error
        if result.returncode != 0:
            lines = (result.stderr or result.stdout).strip().splitlines() or ["?"]
            raise Failed(f"{' '.join(PACKAGES)} could not be installed: {lines[-1]}")
    with open(mark, "w", encoding="utf-8"):
        pass
    return programs


def write_tavern(directory, count, address):
    """Writes a document for each test. Numbers are compared by one of Tavern's own checks."""
    path = f"{directory}/test_items.tavern.yaml"
    with open(path, "w", encoding="utf-8") as file:
        for number in range(count):
            item = number % ITEMS + 1
            file.write(
                f"---\ntest_name: item {number + 1}\nstages:\n  - name: get it\n"
                f"    request:\n      url: {address}/items/{item}\n      method: GET\n"
                "    response:\n      status_code: 200\n      headers:\n        content-type: application/json\n"
                f"      json:\n        id: {item}\n        title: Dune\n        price: !anyfloat\n"
                "      verify_response_with:\n        function: tavern.helpers:validate_content\n"
                "        extra_kwargs:\n          comparisons:\n"
                "            - jmespath: price\n              operator: lt\n              expected: 10\n"
                "      save:\n        json:\n          found: id\n")
    return path


def write_gabbi(directory, count):
    """Writes a list of tests. gabbi does not compare numbers, so the price is checked with a pattern."""
    path = f"{directory}/items.gabbi.yaml"
    with open(path, "w", encoding="utf-8") as file:
        file.write("tests:\n")
        for number in range(count):
            item = number % ITEMS + 1
            file.write(
                f"  - name: item {number + 1}\n    GET: /items/{item}\n    status: 200\n"
                "    response_headers:\n      content-type: application/json\n"
                f"    response_json_paths:\n      $.id: {item}\n      $.title: Dune\n      $.price: /^[0-9]\\./\n")
    return path


def write_pytest(directory, count, address):
    """Writes a parameterized test with a session of requests, which keeps the connection."""
    path = f"{directory}/test_items.py"
    with open(path, "w", encoding="utf-8") as file:
        file.write(
            "import pytest\nimport requests\n\n\n"
            '@pytest.fixture(scope="session")\ndef session():\n    with requests.Session() as session:\n'
            "        yield session\n\n\n"
            f'@pytest.mark.parametrize("number", range({count}))\ndef test_item(session, number):\n'
            f"    item = number % {ITEMS} + 1\n"
            f'    response = session.get(f"{address}/items/{{item}}")\n'
            "    assert response.status_code == 200\n"
            '    assert response.headers["Content-Type"] == "application/json"\n'
            "    body = response.json()\n"
            '    assert body["id"] == item\n    assert body["title"] == "Dune"\n    assert body["price"] < 10\n')
    return path
