"""Reads JUnit reports with two independent parsers, lxml and junitparser, and prints their contents.

usage: read-junit.py FILE… [--schema XSD…]
"""

import re
import sys

import junitparser
from lxml import etree

KINDS = ("failure", "error", "skipped")


def check(condition, what):
    if not condition:
        print("wrong:", what)
        sys.exit(1)


def read(path, schemas):
    root = etree.parse(path, etree.XMLParser(huge_tree=False, resolve_entities=False)).getroot()
    check(root.tag == "testsuites", root.tag)
    for schema in schemas:
        validator = etree.XMLSchema(etree.parse(schema))
        check(validator.validate(etree.parse(path)), f"{path} against {schema}: {validator.error_log}")
    total = {"tests": 0, "failures": 0, "errors": 0, "skipped": 0}
    names = []
    for suite in root:
        check(suite.tag == "testsuite" and suite.find("testsuite") is None, "suites are flat")
        cases = suite.findall("testcase")
        counts = {
            "tests": len(cases),
            "failures": len(suite.findall("testcase/failure")),
            "errors": len(suite.findall("testcase/error")),
            "skipped": len(suite.findall("testcase/skipped")),
        }
        for name, count in counts.items():
            check(suite.get(name) == str(count), f"{name} of {suite.get('name')}")
            total[name] += count
        check(re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d", suite.get("timestamp")), suite.get("timestamp"))
        check(suite.get("hostname"), "hostname")
        for case in cases:
            names.append((case.get("classname"), case.get("name")))
            check(re.fullmatch(r"\d+\.\d{3}", case.get("time")), case.get("time"))
            check(not re.search(r"[/\s]", case.get("classname")), case.get("classname"))
            check(sum(len(case.findall(kind)) for kind in KINDS) <= 1, f"one verdict of {names[-1]}")
            for text in case.itertext():
                check(len(text.encode()) < 200_000, f"the length of {names[-1]}")
    for name, count in total.items():
        check(root.get(name) in (str(count), None), f"{name} of the report")

    # The other parser must find the same results.
    seen = dict.fromkeys(total, 0)
    kinds = {junitparser.Failure: "failures", junitparser.Error: "errors", junitparser.Skipped: "skipped"}
    for suite in junitparser.JUnitXml.fromfile(path):
        for case in suite:
            seen["tests"] += 1
            check((case.classname, case.name) in names, case.name)
            for result in case.result:
                if type(result) in kinds:
                    seen[kinds[type(result)]] += 1
    check(seen == total, f"{seen} by junitparser, {total} by lxml")
    return total, names


arguments = sys.argv[1:]
cut = arguments.index("--schema") if "--schema" in arguments else len(arguments)
every = []
for path in arguments[:cut]:
    total, names = read(path, arguments[cut + 1 :])
    every += names
    print(path.split("/")[-1], " ".join(f"{name}={count}" for name, count in total.items()))
check(len(set(every)) == len(every), "names are unique")
