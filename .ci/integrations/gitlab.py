"""A stand-in for GitLab CI, which executes the component."""

import hashlib
import re
import sys
import tempfile

import yaml

from packages.machine import PROJECT, Failed, run

from .workspace import check_reports, execute, expect, validate, workspace

COMPONENT = PROJECT / "packaging/gitlab/templates/apitest.yml"


def component(packages, address):
    with tempfile.TemporaryDirectory(prefix="apitest-integrations-") as directory:
        # The Python of the image.
        run(sys.executable, "-m", "venv", directory)
        check(packages, address, f"{directory}/bin")


def check(packages, address, python):
    header, body = COMPONENT.read_text().split("\n---\n")
    specified = yaml.safe_load(header)["spec"]["inputs"]
    wheel = next(packages.glob("*.whl"))
    digest = hashlib.sha256(wheel.read_bytes()).hexdigest()
    for fails, arguments, sum, expected in [
            (False, "", "0" * 64, None), (False, "", digest, 0), (True, "", digest, 1), (True, "--tag=smoke", digest, 0)]:
        inputs = {name: (input or {}).get("default") for name, input in specified.items()}
        required = [name for name, default in inputs.items() if default is None]
        expect(required == ["package"], f"unexpected required inputs: {required}")
        inputs |= {"package": f"{address}/{wheel.name}#sha256={sum}", "arguments": arguments}

        def value(match):
            if match[1] not in inputs:
                raise Failed(f"the input {match[1]} is not specified")
            return inputs[match[1]]

        text = re.sub(r"\$\[\[ inputs\.(\S+) \]\]", value, body)
        with workspace(fails) as checkout:
            if expected is None:
                # The header and the result of the interpolation are what the schema describes.
                for name, content in [("header.yml", header), ("result.yml", text)]:
                    (checkout.parent / name).write_text(content)
                    validate(checkout.parent / name, "vendor.gitlab-ci")
            job = yaml.safe_load(text)["apitest"]
            status, output = 0, ""
            for line in job["script"]:
                if not status:
                    status, printed = execute(
                        line, checkout, PATH=f"{python}:/usr/bin:/bin", GITLAB_CI="true")
                    output += printed
            if expected is None:
                expect(status and "THESE PACKAGES DO NOT MATCH THE HASHES" in output.upper(),
                       f"a wheel with another checksum is installed:\n{output}")
                continue
            expect(status == expected, f"expected the exit status {expected}, got {status}:\n{output}")
            artifacts = job["artifacts"]
            expect(artifacts["when"] == "always" and artifacts["paths"] == ["apitest-reports/"],
                   f"wrong artifacts: {artifacts}")
            expect((checkout / artifacts["reports"]["junit"]).is_file(), "the JUnit XML is missing")
            if not arguments:
                check_reports(checkout / "apitest-reports", fails)
