"""The suites of Benchmarks/run: the same test as rows of a table and written out, and others."""

from support.server import ITEMS

EXPECTATIONS = """\
    expect:
      status: 200
      headers: {{ Content-Type: application/json }}
      json:
        $.id: {id}
        $.title: Dune
        $.price: {{ lt: 10 }}
    capture: {{ {capture}: {{ json: $.id }} }}
"""


def write_rows(directory, name, count, address):
    """Writes a table of `count` rows and a suite with one test that uses it, and returns the path of the suite.

    The test is a GET, its status, a header, three JSONPaths and a capture.
    """
    with open(f"{directory}/{name}.csv", "w", encoding="utf-8") as file:
        file.write("id:int,name\n")
        file.writelines(f"{number % ITEMS + 1},item {number + 1}\n" for number in range(count))
    return _write(directory, name, address, [
        f"  - name: ${{name}}\n    cases: {name}.csv\n    request: GET /items/${{id}}\n"
        + EXPECTATIONS.format(id='"${id}"', capture="found")])


def write_tests(directory, name, count, address):
    """Writes a suite with the same tests written out, and returns its path."""
    return _write(directory, name, address, (
        f"  - name: item {number + 1}\n    request: GET /items/{number % ITEMS + 1}\n"
        + EXPECTATIONS.format(id=number % ITEMS + 1, capture="found") for number in range(count)))


def write_chains(directory, name, chains, length, address):
    """Writes a suite of chains. Each test except the first of a chain uses captures of the previous one."""
    return _write(directory, name, address, (
        f"  - name: chain {chain}, test {position}\n"
        f"    request: GET /chain/{f'${{from{chain}at{position - 1}}}' if position else chain * length}\n"
        f"    expect: {{ status: 200, json: {{ $.id: {chain * length + position} }} }}\n"
        f"    capture: {{ from{chain}at{position}: {{ json: $.next }} }}\n"
        for chain in range(chains) for position in range(length)))


def write_independent(directory, name, count, address):
    """Writes a suite of independent tests."""
    return _write(directory, name, address, (
        f"  - name: item {number}\n    request: GET /items/{number}\n"
        f"    expect: {{ status: 200, json: {{ $.id: {number} }} }}\n" for number in range(count)))


def write_many(directory, name, count, address):
    """Writes a table of `count` rows and a suite with one independent test that uses it."""
    with open(f"{directory}/{name}.csv", "w", encoding="utf-8") as file:
        file.write("id:int\n")
        file.writelines(f"{number + 1}\n" for number in range(count))
    return _write(directory, name, address, [
        f"  - name: item ${{id}}\n    cases: {name}.csv\n    request: GET /items/${{id}}\n"
        "    expect: { status: 200, json: { $.id: \"${id}\" } }\n"])


def write_download(directory, name, address, size, digest):
    """Writes a suite with one test: a large body, checked by size and digest."""
    return _write(directory, name, address, [
        f"  - name: a large body\n    request: {{ url: /large, maxBodySize: {size}B, timeout: 60s }}\n"
        f"    expect:\n      status: 200\n      size: {size}B\n      sha256: {digest}\n"])


def _write(directory, name, address, tests):
    path = f"{directory}/{name}.yaml"
    with open(path, "w", encoding="utf-8") as file:
        file.write(f"name: Items\nbaseURL: {address}\ntests:\n")
        file.writelines(tests)
    return path
