"""Checks the recipes under examples/ci.

Validates them against the published schemas of GitHub, GitLab and Kubernetes. Then executes their steps in a shell on
sample suites: once with passing tests, and once with a failing one.

usage: check-recipes.py PROGRAM
"""

import fnmatch
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

import kubernetes_validate
import yaml

program = pathlib.Path(sys.argv[1]).resolve()
recipes = pathlib.Path(__file__).resolve().parent.parent / "examples/ci"
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
MOCK = "routes:\n  - {{ request: GET /two, respond: {status} }}\n  - {{ request: GET /**, respond: 200 }}\n"


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

    def __init__(self, recipe, fails):
        self.recipe = recipe
        self.fails = fails
        self.directory = pathlib.Path(tempfile.mkdtemp(prefix="apitest-recipes-"))
        (self.directory / "bin").mkdir()
        (self.directory / "bin/apitest").symlink_to(program)
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
            (path / f"tests/{name}.mock.yaml").write_text(MOCK.format(status=status))

    def run(self, script, directory, **environment):
        """Runs a script and returns its exit status."""
        result = subprocess.run(
            ["bash", "-e", "-o", "pipefail", "-c", script], cwd=directory, capture_output=True, text=True, timeout=120,
            env={"PATH": f"{self.directory}/bin:{os.environ['PATH']}", "HOME": str(self.directory), "NO_COLOR": "1",
                 "CI": "true", **environment})
        if result.returncode not in (0, 1):
            problem(self.recipe, f"exit status {result.returncode}: {script}\n{result.stdout}{result.stderr}")
        return result.returncode

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

    def check(self, junit, pages, history, status):
        """Checks the results: one report of all tests, the page, the history, and the exit status."""
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
        if not list(history.glob("*.apitest-run")):
            problem(self.recipe, "the history is empty")
        if status != self.fails:
            problem(self.recipe, f"expected the exit status {int(self.fails)}, got {status}")
        shutil.rmtree(self.directory)


def with_matrix(job):
    axes = job.get("strategy", {}).get("matrix", {})
    values = [{}]
    for name, options in axes.items():
        values = [{**value, name: option} for value in values for option in options]
    return values


def github(fails):
    name = "github/api-tests.yml"
    recipe = yaml.safe_load((recipes / name).read_text())
    place = Place(name, fails)
    status = {}
    for job_name, job in recipe["jobs"].items():
        needs = job.get("needs", [])
        for need in [needs] if isinstance(needs, str) else needs:
            if need not in status:
                problem(name, f"{job_name} needs {need}, which is not an earlier job")
            elif status[need] and "cancelled()" not in str(job.get("if", "")):
                problem(name, f"{job_name} does not run after {need} has failed")
        status[job_name] = 0
        for index, values in enumerate(with_matrix(job)):
            workspace = place.workspace(f"{job_name}-{index}")
            used = {"matrix." + key: str(value) for key, value in values.items()}
            used |= {"github.ref_name": "main", "github.run_id": "7"}

            def text(value):
                def expression(match):
                    if match[1] not in used:
                        problem(name, f"the expression {match[0]} is not known")
                    return used.get(match[1], "")
                return re.sub(r"\$\{\{\s*(.*?)\s*\}\}", expression, str(value))

            result = 0
            summary = workspace / "summary"
            for step in job["steps"]:
                if result and "cancelled()" not in str(step.get("if", "")):
                    continue
                if "run" in step:
                    result |= place.run(
                        text(step["run"]), workspace, GITHUB_ACTIONS="true", GITHUB_WORKSPACE=str(workspace),
                        GITHUB_STEP_SUMMARY=str(summary))
                    continue
                action, version = step["uses"].split("@")
                options = {key: text(value) for key, value in step.get("with", {}).items()}
                if not re.fullmatch(r"v\d+", version):
                    problem(name, f"{action} has no version")
                if action == "actions/checkout":
                    place.checkout(workspace)
                elif action == "actions/upload-artifact":
                    directory = options["path"].rstrip("/")
                    place.upload(options["name"], workspace / directory, ["."])
                elif action == "actions/download-artifact":
                    found = fnmatch.filter(place.artifacts, options["pattern"])
                    if not found:
                        problem(name, f"nothing was uploaded as {options['pattern']}")
                    for artifact in found:
                        for path, data in place.artifacts[artifact].items():
                            target = workspace / options["path"] / path
                            target.parent.mkdir(parents=True, exist_ok=True)
                            target.write_bytes(data)
                elif action == "actions/cache":
                    if not options["restore-keys"].splitlines()[0] or not options["key"].startswith(
                            options["restore-keys"].splitlines()[0]):
                        problem(name, "the cache is never found again")
                else:
                    problem(name, f"{action} is not known")
            status[job_name] |= result
    report = place.directory / "report-0"
    if not (report / "summary").is_file() or "API tests" not in (report / "summary").read_text():
        problem(name, "there is no summary")
    place.check(report / "reports/junit.xml", report / "reports/index.html", report / "history", status["report"])


def gitlab(fails):
    name = "gitlab/gitlab-ci.yml"
    recipe = yaml.safe_load((recipes / name).read_text())
    place = Place(name, fails)
    jobs = {key: job for key, job in recipe.items() if isinstance(job, dict) and "script" in job}
    status = {}
    last = None
    for stage in recipe["stages"]:
        for job_name, job in jobs.items():
            if job["stage"] != stage:
                continue
            for need in job.get("needs", []):
                if need not in status:
                    problem(name, f"{job_name} needs {need}, which is not an earlier job")
                elif status[need] and job.get("when") != "always" and not any(
                        rule.get("when") == "always" for rule in job.get("rules", [])):
                    problem(name, f"{job_name} does not run after {need} has failed")
            status[job_name] = 0
            for index in range(job.get("parallel", 1)):
                workspace = last = place.workspace(f"{job_name}-{index}")
                place.checkout(workspace)
                for need in job.get("needs", []):
                    for artifact in fnmatch.filter(place.artifacts, need + "-*"):
                        for path, data in place.artifacts[artifact].items():
                            (workspace / path).parent.mkdir(parents=True, exist_ok=True)
                            (workspace / path).write_bytes(data)
                result = 0
                for line in job["script"]:
                    if not result:
                        result = place.run(
                            line, workspace, CI_NODE_INDEX=str(index + 1), CI_NODE_TOTAL=str(job.get("parallel", 1)))
                status[job_name] |= result
                for path in job.get("cache", {}).get("paths", []):
                    shutil.copytree(workspace / path, place.kept / path, dirs_exist_ok=True)
                artifacts = job.get("artifacts", {})
                if result and artifacts.get("when") != "always":
                    problem(name, f"the artifacts of {job_name} are lost when it fails")
                place.upload(f"{job_name}-{index}", workspace, artifacts.get("paths", []))
                if "reports" in artifacts and not (workspace / artifacts["reports"]["junit"]).is_file():
                    problem(name, f"{job_name} has no {artifacts['reports']['junit']}")
    place.check(
        last / "reports/junit.xml", last / "public/index.html", place.kept / "history", status["api-report"])


def jenkins(fails):
    name = "jenkins/Jenkinsfile"
    text = (recipes / name).read_text()
    code = "\n".join(line for line in text.splitlines() if not line.strip().startswith("//"))
    without_texts = re.sub(r"'[^']*'", "''", code)
    for opening, closing in ["{}", "()"]:
        if without_texts.count(opening) != without_texts.count(closing):
            problem(name, f"{opening} and {closing} are not as many")
    for word in re.findall(r"^\s*(\w+)\b", without_texts, re.M):
        if word not in ("pipeline agent options disableConcurrentBuilds timeout stages stage parallel steps sh post always"
                        " junit archiveArtifacts cleanup").split():
            problem(name, f"{word} is not known")
    place = Place(name, fails)
    workspace = place.workspace("workspace")
    place.checkout(workspace)
    status = 0
    body, post = code.split("post {")
    for script in re.findall(r"\bsh '([^']*)'", body):
        status |= place.run(script, workspace)
    if status:
        problem(name, "a stage failed before the results were read")
    results = re.search(r"testResults: '([^']*)'", post)[1]
    place.check(workspace / results, workspace / "reports/index.html", workspace / "history", int(fails))


def kubernetes(fails):
    name = "kubernetes/api-tests.yaml"
    documents = list(yaml.safe_load_all((recipes / name).read_text()))
    report = yaml.safe_load((recipes / "kubernetes/report.yaml").read_text())
    # The validator requires a name; the server would generate it.
    named = json.loads(json.dumps(report))
    named["metadata"]["name"] = named["metadata"].pop("generateName") + "x"
    for document in [*documents, named]:
        try:
            kubernetes_validate.validate(document, kubernetes_validate.latest_version(), strict=True)
        except kubernetes_validate.ValidationError as error:
            problem(name, f"{document['kind']}: {error.message}")
    place = Place(name, fails)
    claims = {document["metadata"]["name"] for document in documents if document["kind"] == "PersistentVolumeClaim"}
    suites = place.workspace("suites")
    place.checkout(suites)
    results = place.workspace("results")
    status = 0
    job = next(document for document in documents if document["kind"] == "Job")
    for part, count in [(job, job["spec"]["completions"]), (report, 1)]:
        pod = part["spec"]["template"]["spec"]
        volumes = {volume["name"] for volume in pod["volumes"]}
        for volume in pod["volumes"]:
            if "persistentVolumeClaim" in volume and volume["persistentVolumeClaim"]["claimName"] not in claims:
                problem(name, f"the claim of the volume {volume['name']} is not defined")
        for container in pod["containers"]:
            for mount in container["volumeMounts"]:
                if mount["name"] not in volumes:
                    problem(name, f"the volume {mount['name']} is not defined")
            variables = {variable["name"]: variable["value"] for variable in container.get("env", [])}
            if variables.get("APITEST_SHARDS", str(count)) != str(count):
                problem(name, "APITEST_SHARDS differs from completions")
            script = container["args"][0].replace("/suites", str(suites / "tests")).replace("/results", str(results))
            for index in range(count):
                # Only an Indexed Job has an index.
                environment = {"JOB_COMPLETION_INDEX": str(index)} if part["spec"].get("completionMode") else {}
                status = place.run(script, place.directory, **variables, **environment)
                if status and part is job:
                    problem(name, "a shard with failed tests did not exit with 0")
    place.check(results / "reports/junit.xml", results / "reports/index.html", results / "history", status)


validate("github/api-tests.yml", "vendor.github-workflows")
validate("gitlab/gitlab-ci.yml", "vendor.gitlab-ci")
for fails in [False, True]:
    for recipe in [github, gitlab, jenkins, kubernetes]:
        recipe(fails)
for text in problems:
    print(text)
print(f"4 recipes checked, {len(problems)} problems")
sys.exit(1 if problems else 0)
