"""A stand-in for Jenkins: Groovy executes the step, with implementations of the steps that it calls."""

import json
import os
import pathlib
import subprocess

from packages.machine import PROJECT

from .workspace import check_reports, expect, workspace

STEP = PROJECT / "packaging/jenkins/vars/apitest.groovy"
# Prints what the steps of Jenkins are called with, and executes those of sh.
HARNESS = pathlib.Path(__file__).with_name("jenkins.groovy")


def step(packages, address):
    wheel = next(packages.glob("*.whl")).name
    package = f"{address}/{wheel}"
    for fails, options, result in [
            (False, {"package": package}, "SUCCESS"),
            # Without a package, the program is that of the agent.
            (True, {}, "UNSTABLE"),
            (True, {"arguments": ["--tag=smoke", "--variable=a=it's b"]}, "SUCCESS"),
            (False, {"suites": ["none"]}, "FAILURE: apitest exited with status 2"),
            (False, {"suits": ["tests"]}, "FAILURE: apitest: unknown option suits"),
            (False, {"reports": "other reports"}, "SUCCESS")]:
        with workspace(fails) as checkout:
            agent = checkout.parent / "bin"
            agent.mkdir()
            if "package" not in options:
                (agent / "apitest").symlink_to(PROJECT / "dist/apitest")
            ended = subprocess.run(
                ["groovy", HARNESS, STEP, json.dumps(options)], cwd=checkout, stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=300,
                env={**os.environ, "PATH": f"{agent}:/usr/bin:/bin", "CI": "true"})
            lines = ended.stdout.splitlines()
            expect(ended.returncode == 0 and lines and lines[-1] == result,
                   f"{options}: expected {result}, got:\n{ended.stdout}")
            if result.startswith("FAILURE"):
                continue
            reports = options.get("reports", "apitest-reports")
            expect(f"archiveArtifacts: {reports}/**" in lines and f"junit: {reports}/junit.xml" in lines,
                   f"the results are not published:\n{ended.stdout}")
            if "arguments" not in options:
                check_reports(checkout / reports, fails)
