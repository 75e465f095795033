"""Runs files of other tools with these tools, through a recording proxy."""

import json
import os
import shutil
import subprocess
import xml.etree.ElementTree

HERE = os.path.dirname(os.path.abspath(__file__))


class Outcome:
    """What a tool did with a file: the verdict of each test, in order, or the reason why there is none."""

    def __init__(self, verdicts=(), note=""):
        self.verdicts = list(verdicts)
        self.note = note


def _run(command, directory, environment, limit):
    return subprocess.run(
        command, cwd=directory, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True,
        errors="replace", timeout=limit)


def _last_line(result):
    lines = [line for line in (result.stderr or result.stdout).splitlines() if line.strip()]
    return lines[-1].strip()[:160] if lines else f"exit status {result.returncode}"


def environment(proxy, extra):
    """Returns the variables for a tool whose requests all go through a proxy."""
    result = {**os.environ, **extra, "NO_PROXY": "", "no_proxy": "", "PYTHONDONTWRITEBYTECODE": "1"}
    for name in ("http_proxy", "HTTP_PROXY", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"):
        result[name] = proxy
    return result


class Curl:
    """Runs a file of command lines in a restricted shell, which has no other program than curl."""

    def __init__(self, _):
        self.missing = None if shutil.which("curl") and shutil.which("bash") else "curl or bash is not installed"

    def run(self, path, directory, proxy, extra, limit, _):
        tools = os.path.join(directory, ".tools")
        if not os.path.exists(tools):
            os.mkdir(tools)
            wrapper = os.path.join(tools, "curl")
            with open(wrapper, "w", encoding="utf-8") as file:
                file.write(f'#!/bin/sh\nexec {shutil.which("curl")} -s -m 10 --proxy {proxy} --noproxy "" '
                           '-o /dev/null "$@"\n')
            os.chmod(wrapper, 0o755)
        # The output of curl is discarded, and a failed command does not end the file.
        keep = {**extra, "PATH": tools, "HOME": directory}
        result = _run([shutil.which("bash"), "--restricted", path], os.path.dirname(path), keep, limit)
        return Outcome(note="" if result.returncode in (0, 127) else _last_line(result))


class Gabbi:
    """Runs a file with gabbi's own loader, and returns the verdict of each test."""

    def __init__(self, options):
        self.python = options.python
        self.missing = None if options.python else "gabbi is not installed"

    def run(self, path, directory, proxy, extra, limit, url):
        output = os.path.join(directory, "gabbi-verdicts.json")
        result = _run([self.python, os.path.join(HERE, "gabbiverdicts.py"), path, url, output], os.path.dirname(path),
                      environment(proxy, extra), limit)
        if result.returncode != 0:
            return Outcome(note=_last_line(result))
        with open(output, encoding="utf-8") as file:
            return Outcome((name, verdict) for name, verdict in json.load(file))


class Tavern:
    """Runs a file with pytest and Tavern's plugin, and returns the verdict of each test."""

    def __init__(self, options):
        self.python = options.python
        self.configuration = options.tavern_config
        self.missing = None if options.python else "Tavern is not installed"

    def run(self, path, directory, proxy, extra, limit, _):
        output = os.path.join(directory, "tavern.xml")
        if os.path.exists(output):
            os.remove(output)
        command = [self.python, "-m", "pytest", os.path.basename(path), "-q", "-p", "no:cacheprovider",
                   "-p", "tavernmarks", f"--junitxml={output}"]
        command += [f"--tavern-global-cfg={self.configuration}"] if self.configuration else []
        variables = environment(proxy, extra)
        variables["PYTHONPATH"] = os.pathsep.join(filter(None, [HERE, variables.get("PYTHONPATH")]))
        result = _run(command, os.path.dirname(path), variables, limit)
        if result.returncode not in (0, 1) or not os.path.exists(output):
            return Outcome(note=_last_line(result))
        verdicts = []
        for case in xml.etree.ElementTree.parse(output).getroot().iter("testcase"):
            kinds = {child.tag: child for child in case}
            if "skipped" in kinds:
                # A failure that was expected is also written as a skip.
                verdict = "passed" if kinds["skipped"].get("type") == "pytest.xfail" else "skipped"
            else:
                verdict = "failed" if "failure" in kinds or "error" in kinds else "passed"
            verdicts.append((case.get("name"), verdict))
        return Outcome(verdicts)


class Command:
    """Runs a file with a program that may not be installed, only for its requests."""

    def __init__(self, name, arguments):
        self.name = name
        self.arguments = arguments
        self.missing = None if shutil.which(name) else f"{name} is not installed"

    def run(self, path, directory, proxy, extra, limit, _):
        result = _run([self.name, *(part.format(path=path, proxy=proxy) for part in self.arguments)],
                      path if os.path.isdir(path) else os.path.dirname(path), environment(proxy, extra), limit)
        return Outcome(note="" if result.returncode in (0, 1, 4) else _last_line(result))


def all_peers(options):
    """Returns the tool of each format."""
    return {
        "curl": Curl(options), "gabbi": Gabbi(options), "tavern": Tavern(options),
        "hurl": Command("hurl", ["--proxy", "{proxy}", "--test", "{path}"]),
        "postman": Command("newman", ["run", "{path}"]),
        "bruno": Command("bru", ["run", "-r", "--insecure"]),
    }
