"""Imports a file of another tool, and runs the suites that it becomes."""

import json
import os
import re
import subprocess

from support import brunofiles, importpeers, sentrequests

# A known failure is one that was expected, which is a success for the source tools. They repeat requests as well.
VERDICTS = {"passed": "passed", "flaky": "passed", "known": "passed", "failed": "failed", "errored": "failed",
            "blocked": "blocked", "skipped": "skipped"}


class Import:
    """The import of one file, and the run of its suite."""

    def __init__(self, options, kind, path, directory, root, others=()):
        self.options = options
        self.root = root
        self.output = os.path.relpath(directory, root)
        self.environments = brunofiles.environments(path) if kind == "bruno" else []
        self.files = brunofiles.requests(path) if kind == "bruno" else {}
        # Suites may only name files of the directory in which they run.
        result = subprocess.run(
            [options.program, "import", *(os.path.relpath(name, root) for name in (path, *others)), "-o", self.output,
             "--force", "--format", kind],
            cwd=root, stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace", timeout=options.limit)
        self.status = result.returncode
        self.error = result.stderr
        self.suites = re.findall(r"^wrote (.+): \d+ tests?, \d+ requests?$", result.stdout, re.MULTILINE)
        self.variables = [name for line in re.findall(r": set (.+) before you run it$", result.stderr, re.MULTILINE)
                          for name in line.split(", ")]
        found = re.search(r"assertions: (\d+) of (\d+)", result.stderr)
        self.translated, self.assertions = (int(found.group(1)), int(found.group(2))) if found else (0, 0)
        tally = re.search(r"not translated: ([^\n]*?)(?:; left out: .*)?$", result.stderr, re.MULTILINE)
        self.untranslated = {name: int(count) for name, count in
                             re.findall(r"(.+?) \((\d+)\)(?:, |$)", tally.group(1) if tally else "")}

    @property
    def is_parsed(self):
        """Whether the file became a suite, or contains no requests."""
        return self.status == 0 or self.status == 2 and "nothing was written" in self.error and "no requests" in self.error

    def run_all(self, proxy, extra):
        """Runs the suite without its expectations, so that no test is blocked by one, and returns as run() does."""
        for suite in self.suites:
            path = os.path.join(self.root, suite)
            with open(path, encoding="utf-8") as file:
                text = file.read()
            with open(path, "w", encoding="utf-8") as file:
                file.write(without_expectations(text))
        return self.run(proxy, extra)

    def run(self, proxy, extra):
        """Runs the suite, and returns the verdict of each test."""
        verdicts = []
        for suite in self.suites:
            record = os.path.join(self.root, self.output, "record.jsonl")
            subprocess.run(
                [self.options.program, suite, "--proxy", proxy, "--jobs", "1", "--report", f"json={record}",
                 "--color", "never", "--no-config", *self.environment(suite)],
                cwd=self.root, env={**os.environ, **extra}, stdin=subprocess.DEVNULL, capture_output=True,
                timeout=self.options.limit)
            if not os.path.exists(record):
                return verdicts
            with open(record, encoding="utf-8") as file:
                events = [json.loads(line) for line in file]
            os.remove(record)
            tests = [event for event in events if event.get("event") == "test"]
            incomplete = self.incomplete_tests(suite, [name for name in extra if sentrequests.is_mark(extra[name])])
            inherited = self.incomplete_names(suite)
            verdicts += [(event["name"], VERDICTS.get(event["outcome"], event["outcome"]),
                          incomplete.get(event["line"], False) or event["name"] in inherited) for event in tests]
        return verdicts

    def addresses(self):
        """Returns the environment variables with which URLs begin."""
        names = []
        for suite in self.suites:
            with open(os.path.join(self.root, suite), encoding="utf-8") as file:
                text = file.read()
            first = set(re.findall(r"""(?:baseURL|url|request):[ ]["']?(?:[A-Z]+[ ])?\$\{(\w+)\}""", text))
            names += [variable for name, variable in re.findall(r'^  (\w+): \$\{env\("(\w+)"\)\}$', text, re.MULTILINE)
                      if name in first]
        return names

    def environment(self, suite):
        """Returns the options that select the environment of the source that its tool uses here as well."""
        with open(os.path.join(self.root, suite), encoding="utf-8") as file:
            found = re.search(r"^environments:\n((?:  .*\n|\n)*)", file.read(), re.MULTILINE)
        names = re.findall(r"""^  ["']?([^ "'#][^"':]*)["']?:""", found.group(1), re.MULTILINE) if found else []
        names = [name for name in self.environments if name in names][:1] or sorted(names)[:1]
        return ["--environment", *names] if names else []

    def incomplete_names(self, suite):
        """Returns the names of the tests that inherit scripts of Bruno with a part that was not translated.

        The comment stands at the first test.
        """
        with open(os.path.join(self.root, suite), encoding="utf-8") as file:
            text = file.read()
        found = re.findall(r"# not translated: .*?, (\S[^,]*?)(?:folder|collection)\.bru:\d+$", text, re.MULTILINE)
        places = tuple(os.path.join(os.path.normpath(os.path.join(self.root, place)), "") for place in found)
        return {name for name, file in self.files.items() if file.startswith(places)} if places else set()

    def incomplete_tests(self, suite, unknown):
        """Returns, by the line of each test, whether a part of it was not translated, or needs an unknown secret."""
        result, start, is_next_incomplete = {}, None, False
        with open(os.path.join(self.root, suite), encoding="utf-8") as file:
            text = file.read()
        secrets = [re.escape(name) for variable in unknown
                   for name in re.findall(rf'^  (\w+): \$\{{env\("{re.escape(variable)}"\)\}}$', text, re.MULTILINE)]
        # Nor are the values of variables known that only a comment sets.
        comments = "\n".join(line for line in text.splitlines() if line.strip().startswith("#"))
        lost = {importpeers.plain(name) for name in re.findall(r"""\b[sS]et\w*\(\s*["']([\w-]+)["']""", comments)}
        secrets += [re.escape(name) for name, variable in re.findall(r'^  (\w+): (.*)$', text, re.MULTILINE)
                    if importpeers.plain(name) in lost or re.search(r'env\("(\w+)"\)', variable)
                    and importpeers.plain(re.search(r'env\("(\w+)"\)', variable).group(1)) in lost]
        is_order_unknown = re.search(r"not translated: \S*setNextRequest", comments)
        use = re.compile(r"\$\{[^}]*\b(" + "|".join(secrets) + r")\b") if secrets else None
        for number, line in enumerate(text.splitlines(), 1):
            # Comments about a whole test stand before it.
            if line.startswith("  # not translated:"):
                is_next_incomplete = True
            elif line.startswith("  - "):
                start = number
                result[start] = is_next_incomplete
                is_next_incomplete = False
            elif start and (line.strip().startswith("# not translated:") or use and use.search(line)
                            or is_order_unknown and line == "    skip: setNextRequest never selects it"):
                result[start] = True
        return result


def base_name(name):
    """Returns the name of a test without the mark of its row, and with single spaces, as in suites."""
    return " ".join(re.sub(r"\s?\[.*\]$", "", name, flags=re.DOTALL).split())


def without_expectations(text):
    """Returns a suite without the expectations of tests, their steps and the defaults."""
    lines, section, steps, level = [], "", "", None
    for line in text.splitlines():
        indentation = len(line) - len(line.lstrip(" "))
        if level is not None:
            if not line.strip() or indentation > level:
                continue
            level = None
        section = line if indentation == 0 else section
        steps = line if indentation == 4 else "" if indentation < 4 else steps
        allowed = (2,) if section == "defaults:" else (4, 8) if steps == "    steps:" else (4,)
        if line.lstrip(" ").startswith(("expect:", "assert:")) and indentation in allowed:
            level = indentation
        else:
            lines.append(line)
    text = "\n".join(lines) + "\n"
    if "\ndefaults:\n" in text:
        return text.replace("\ndefaults:\n", "\ndefaults:\n  expect: { status: null }\n", 1)
    return text.replace("\ntests:\n", "\ndefaults: { expect: { status: null } }\ntests:\n", 1)
