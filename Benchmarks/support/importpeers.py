"""Runs files of other tools with these tools, through a recording proxy."""

import json
import os
import re
import shutil
import subprocess
import xml.etree.ElementTree

from support import brunofiles

HERE = os.path.dirname(os.path.abspath(__file__))
# The number at the end of a name that the directory alone does not make unique.
NUMBER = re.compile(r" \(\d+\)$")


class Outcome:
    """What a tool did with a file: the verdict of each test, in order, or the reason why there is none.

    A verdict is None if the tool cannot run the test here.
    """

    def __init__(self, verdicts=(), note="", started=(), unsupported=()):
        self.verdicts = list(verdicts)
        # The tests without one need a missing module, or the URL has a reference to an unknown variable.
        self.unusable = sum(verdict is None for _, verdict in self.verdicts)
        # The tests whose requests this version of the tool sends without their credentials.
        self.unsupported = unsupported
        self.note = note
        # The times in nanoseconds at which tests started, with their names.
        self.started = list(started)

    def assign(self, requests):
        """Gives each request the test that had started before it."""
        for request in requests:
            names = [name for start, name in self.started if start <= request.time]
            request.test = names[-1] if names else request.test

    def align(self, names):
        """Gives tests the names that they have in the suite, where several ones of a name get other ones.

        Then it removes the tests without a verdict.
        """
        if len(self.verdicts) == len(names) == len(self.started):
            tests = [" ".join(name.split()) for name, _ in self.verdicts]
            if all(own == name or NUMBER.sub("", own).endswith(f": {name}") for own, name in zip(names, tests)):
                self.verdicts = [(own, verdict) for own, (_, verdict) in zip(names, self.verdicts)]
                self.started = [(start, own) for own, (start, _) in zip(names, self.started)]
        self.verdicts = [(name, verdict) for name, verdict in self.verdicts if verdict is not None]


def _run(command, directory, environment, limit):
    return subprocess.run(
        command, cwd=directory, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True,
        errors="replace", timeout=limit)


def _last_line(result):
    """Returns what a program said last, without the version that Node.js prints after an exception."""
    lines = [line for line in (result.stderr or result.stdout).splitlines()
             if line.strip() and not line.startswith(("Node.js v", "    at "))]
    return lines[-1].strip()[:160] if lines else f"exit status {result.returncode}"


def environment(proxy, extra):
    """Returns the variables for a tool whose requests all go through a proxy."""
    result = {**os.environ, **extra, "NO_PROXY": "", "no_proxy": "", "PYTHONDONTWRITEBYTECODE": "1"}
    for name in ("http_proxy", "HTTP_PROXY", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"):
        result[name] = proxy
    return result


class Peer:
    """A tool whose files are imported."""

    # Whether it sends the requests that use values of a failed test.
    sends_after_failures = False
    # Whether it sends a text that is not JSON as a JSON string if the media type is that of JSON, and adds a media type to
    # requests without a body.
    has_outdated_client = False

    def prepare(self, path):
        """Changes a copied source, before it is imported, so that the tool can run it here."""


class Curl(Peer):
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


class Gabbi(Peer):
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


class Tavern(Peer):
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


class Installed(Peer):
    """A program that may not be installed."""

    name = ""

    def __init__(self, _):
        self.missing = None if shutil.which(self.name) else f"{self.name} is not installed"

    def variables(self, option, path, extra):
        """Returns the options that give the source's variables the values of the environment variables of the suite."""
        values = {plain(name): value for name, value in extra.items()}
        return [part for name in sorted(source_variables(path)) if plain(name) in values
                for part in (option, f"{name}={values[plain(name)]}")]


class Hurl(Installed):
    """Runs a file with Hurl. It has one verdict."""

    name = "hurl"

    def run(self, path, directory, proxy, extra, limit, _):
        command = [self.name, "--proxy", proxy, "--no-output", "--file-root", os.path.dirname(path),
                   *self.variables("--variable", path, extra), path]
        result = _run(command, os.path.dirname(path), environment(proxy, extra), limit)
        if result.returncode not in (0, 3, 4):
            return Outcome(note=_last_line(result))
        name = os.path.splitext(os.path.basename(path))[0]
        return Outcome([(name, "failed" if result.returncode else "passed")])


class Newman(Installed):
    """Runs a collection with Newman, and returns the verdict of each request."""

    name = "newman"
    sends_after_failures = True

    def run(self, path, directory, proxy, extra, limit, _):
        output = os.path.join(directory, "newman.json")
        _remove(output)
        marks = os.path.join(directory, "newman.marks")
        _remove(marks)
        # A variable gets its value where the source declares it, as scripts may give it another one.
        values = {plain(name): value for name, value in extra.items()}
        filled, known = os.path.join(directory, "newman.collection.json"), set()
        known |= _fill(path, filled, values, read=collection_variables(path))
        command = [self.name, "run", filled, "--working-dir", os.path.dirname(path), "--reporters", "json,marks",
                   "--reporter-json-export", output, "--reporter-marks-export", marks]
        for name in postman_environments(path)[:1]:
            selected = os.path.join(directory, "newman.environment.json")
            known |= _fill(name, selected, values)
            command += ["-e", selected]
        others = {name: value for name, value in extra.items() if plain(name) not in known}
        read = {plain(name) for name in environment_variables(path)}
        for option, is_read in (("--env-var", True), ("--global-var", False)):
            command += self.variables(
                option, path, {name: others[name] for name in others if (plain(name) in read) == is_read})
        variables = environment(proxy, extra)
        variables["NODE_PATH"] = os.pathsep.join(filter(None, [HERE, variables.get("NODE_PATH")]))
        result = _run(command, os.path.dirname(path), variables, limit)
        if not os.path.exists(output):
            return Outcome(note=_last_line(result))
        with open(output, encoding="utf-8") as file:
            executions = json.load(file)["run"]["executions"]
        verdicts = []
        for execution in executions:
            url = (execution.get("request") or {}).get("url") or {}
            if "{{" in json.dumps(url) or "${" in ".".join(url.get("host") or ()):
                verdicts.append((execution["item"]["name"], None))
                continue
            errors = [assertion for assertion in execution.get("assertions") or () if assertion.get("error")]
            errors += [entry for kind in ("requestError", "prerequestScript", "testScript")
                       for entry in [execution.get(kind)] if entry and (kind == "requestError" or any(
                           part.get("error") for part in entry))]
            verdicts.append((execution["item"]["name"], "failed" if errors else "passed"))
        with open(marks, encoding="utf-8") as file:
            started = [(int(time), name) for time, name in map(json.loads, file)]
        return Outcome(verdicts, started=started)


class Bruno(Installed):
    """Runs a collection with Bruno, and returns the verdict of each request."""

    name = "bru"
    sends_after_failures = True
    has_outdated_client = True

    def prepare(self, path):
        """Removes proxies, which would hide the requests, and makes the names of requests and the order the same for both.

        This version of Bruno ignores the positions of directories.
        """
        settings = os.path.join(path, "bruno.json")
        if os.path.exists(settings):
            with open(settings, encoding="utf-8") as file:
                document = json.load(file)
            document.pop("proxy", None)
            with open(settings, "w", encoding="utf-8") as file:
                json.dump(document, file)
        names = set()
        for place, directories, files in os.walk(path):
            directories.sort()
            for name in sorted(files):
                file = os.path.join(place, name)
                if name == "folder.bru":
                    brunofiles.replace(file, re.compile(r"(?<=\n)\s*seq:[^\n]*\n"), "")
                elif name.endswith(".bru") and (title := brunofiles.request_name(file)) is not None:
                    if title in names:
                        title = f"{title} in {os.path.relpath(file, path)[:-4]}"
                        brunofiles.replace(file, re.compile(r"(?<=\n)(\s*name:)[^\n]*"),
                                           lambda found, title=title: f"{found[1]} {title}")
                    names.add(title)

    def run(self, path, directory, proxy, extra, limit, _):
        output, marks = os.path.join(directory, "bruno.json"), os.path.join(directory, "bruno.marks")
        _remove(output)
        _remove(marks)
        found = brunofiles.environments(path)
        command = [self.name, "run", "-r", "--insecure", "--reporter-json", output,
                   *(["--env", found[0]] if found else []), *self.variables("--env-var", path, extra)]
        hook = f"--require {os.path.join(HERE, 'bruno-marks.js')}"
        result = _run(command, path, {**environment(proxy, extra), "BRUNO_MARKS": marks, "NODE_OPTIONS": hook}, limit)
        if not os.path.exists(output):
            return Outcome(note=_last_line(result))
        with open(output, encoding="utf-8") as file:
            results = [entry for iteration in json.load(file) for entry in iteration["results"]]
        verdicts = []
        for entry in results:
            name = brunofiles.request_name(os.path.join(path, entry["test"]["filename"])) or entry["suitename"]
            error = str(entry.get("error") or "")
            # Older versions lack functions in scripts after the response.
            if "Cannot find module" in error or error in ("test is not defined", "expect is not defined") \
                    or re.search(r"\b(?:bru|req|res)\.\w+ is not a function", error) \
                    or "{{" in str((entry.get("request") or {}).get("url")):
                verdicts.append((name, None))
                continue
            failed = error or any(part.get("status") == "fail" for kind in ("assertionResults", "testResults")
                                  for part in entry.get(kind) or ())
            verdicts.append((name, "failed" if failed else "passed"))
        started = []
        if os.path.exists(marks):
            with open(marks, encoding="utf-8") as file:
                started = [(int(time), brunofiles.request_name(name) or "") for time, name in map(json.loads, file)]
        unsupported = {name for name, file in brunofiles.requests(path).items()
                       if brunofiles.credentials(file, path) not in brunofiles.SUPPORTED}
        return Outcome([(name, verdict) for name, verdict in verdicts if name not in unsupported], started=started,
                       unsupported=unsupported)


def _remove(path):
    if os.path.exists(path):
        os.remove(path)


def plain(name):
    """Returns a name without the notation of its language: `apikey` for `apiKey`, `API_KEY` and `api-key`."""
    return re.sub(r"[^a-z0-9]", "", name.lower())


def _fill(path, target, values, read=()):
    """Copies a collection or an environment with the values of its variables, and returns the names of these.

    Those that it does not declare, but whose names are in `read`, are added.
    The copy does not clear the console, which Newman can do since postman-sandbox 4.2 (2022) only.
    """
    with open(path, encoding="utf-8-sig") as file:
        document = json.loads(file.read().replace("console.clear()", "(void 0)"))
    known = set()
    root = document.get("collection") or document
    for entry in root.get("variable") or root.get("values") or ():
        name = plain(str(entry.get("key") or entry.get("id") or ""))
        if name in values:
            entry["value"] = values[name]
            known.add(name)
    for name in sorted(read):
        if plain(name) in values and plain(name) not in known:
            root.setdefault("variable", []).append({"key": name, "value": values[plain(name)]})
            known.add(plain(name))
    with open(target, "w", encoding="utf-8") as file:
        json.dump(document, file)
    return known


def inheriting(path, suite):
    """Returns the names of the requests that inherit a script with a part that was not translated.

    Its comment stands only at the first one.
    """
    with open(path, encoding="utf-8-sig", errors="replace") as file:
        text = file.read()
    lines, untranslated = text.splitlines(), set()
    for number in re.findall(r"# not translated: .*:(\d+)$", suite, re.MULTILINE):
        if int(number) <= len(lines):
            untranslated.add(lines[int(number) - 1].strip().rstrip(","))
    document, names = json.loads(text), set()

    def walk(parent, is_affected):
        for event in parent.get("event") or ():
            code = (event.get("script") or {}).get("exec") or ()
            is_affected = is_affected or any(
                json.dumps(line, ensure_ascii=is_ascii) in untranslated
                for line in ([code] if isinstance(code, str) else code) for is_ascii in (False, True))
        for item in parent.get("item") or ():
            if "item" in item:
                walk(item, is_affected)
            elif is_affected:
                names.add(item.get("name") or "")

    walk(document.get("collection") or document, False)
    return names


def script_variables(path):
    """Returns the names that the scripts of a collection read."""
    with open(path, encoding="utf-8", errors="replace") as file:
        text = file.read()
    called = re.findall(r"""\b(?:get|has|get\w+Variable)\(\\?["']([\w.-]+)""", text)
    return {*called, *re.findall(r"\b(?:environment|globals)\.(\w+)(?=[^\w(])", text)}


def environment_variables(path):
    """Returns the names that the scripts of a collection read from its environment."""
    with open(path, encoding="utf-8", errors="replace") as file:
        text = file.read()
    return re.findall(r"""\benvironment(?:\.get\(\\?["']|\[\\?["']|\.(?=\w+[^\w(]))([\w.-]+)""", text)


def collection_variables(path):
    """Returns the names that the scripts of a collection read from the collection itself."""
    with open(path, encoding="utf-8", errors="replace") as file:
        return set(re.findall(r"""\bcollectionVariables\.get\(\\?["']([\w.-]+)""", file.read()))


def source_variables(path):
    """Returns the names between double braces in a file, or in the files of a directory."""
    names = set()
    paths = [path] if os.path.isfile(path) else [
        os.path.join(place, name) for place, _, files in os.walk(path) for name in files]
    for name in paths:
        with open(name, encoding="utf-8", errors="replace") as file:
            names.update(re.findall(r"\{\{\s*([\w.-]+)\s*\}\}", file.read()))
    return names


def postman_environments(path):
    """Returns the environments beside a collection."""
    directory = os.path.dirname(path)
    return sorted(os.path.join(directory, name) for name in os.listdir(directory)
                  if name.endswith(".postman_environment.json"))


def all_peers(options):
    """Returns the tool of each format."""
    tools = {"curl": Curl, "gabbi": Gabbi, "tavern": Tavern, "hurl": Hurl, "postman": Newman, "bruno": Bruno}
    return {kind: tool(options) for kind, tool in tools.items()}
