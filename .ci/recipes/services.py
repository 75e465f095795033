"""Stand-ins for GitHub, GitLab, Jenkins and Buildkite, which execute the steps of their recipes."""

import fnmatch
import re
import shutil

import yaml

from .place import Place, problem, recipes


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
        matrix = with_matrix(job)
        for index, values in enumerate(matrix):
            workspace = place.workspace(f"{job_name}-{index}")
            used = {"matrix." + key: str(value) for key, value in values.items()}
            used |= {"github.ref_name": "main", "github.run_id": "7", "strategy.job-total": str(len(matrix))}

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


BUILDKITE_AGENT = """\
#!/bin/bash
# The commands of buildkite-agent that the recipe uses.
case "$1 $2" in
"artifact download") mkdir -p "$4/results" && cp $BUILDKITE_ARTIFACTS/$3 "$4/results/" ;;
"annotate --style") echo "$3" >"$BUILDKITE_ARTIFACTS/style" && cat >"$BUILDKITE_ARTIFACTS/annotation" ;;
*) exit 64 ;;
esac
"""


def buildkite_run(**faults):
    """Executes the pipeline. Returns the place, the number of jobs of shards, and the status of the report."""
    name = "buildkite/pipeline.yml"
    place = Place(name, **faults)
    agent = place.directory / "bin/buildkite-agent"
    agent.write_text(BUILDKITE_AGENT)
    agent.chmod(0o755)
    shards, wait, report = yaml.safe_load((recipes / name).read_text())["steps"]
    if "wait" not in wait or not wait.get("continue_on_failure"):
        problem(name, "the report does not run after a lost shard")
    if {"exit_status": 1} not in shards["soft_fail"]:
        problem(name, "failed tests stop the build before the report")
    limits = {rule["exit_status"]: rule["limit"] for rule in shards["retry"]["automatic"]}
    if set(limits) & {0, 1, 2, 3, 4}:
        problem(name, "a result of apitest is repeated")

    def command(step):
        # The upload replaces variables with one dollar sign.
        if re.search(r"(?<!\$)\$(?![$])\w", step["command"].replace("$$", "")):
            problem(name, "a variable of the job has one dollar sign")
        return step["command"].replace("$$", "$")

    workspace = place.workspace("workspace")
    place.checkout(workspace)
    count, jobs = shards["parallelism"], 0
    for index in range(count):
        for attempt in range(10):
            status = place.run_shard(
                index == 0, workspace / "results", command(shards), workspace, BUILDKITE_PARALLEL_JOB=str(index),
                BUILDKITE_PARALLEL_JOB_COUNT=str(count), BUILDKITE_RETRY_COUNT=str(attempt))
            jobs += 1
            if attempt >= limits.get(status, 0):
                break
    place.upload("records", workspace, ["results"])
    artifacts = place.workspace("artifacts")
    shutil.copytree(workspace / "results", artifacts / "results")
    status = place.run(command(report), workspace, BUILDKITE_ARTIFACTS=str(artifacts))
    if (artifacts / "style").read_text().strip() != ("error" if status else "success"):
        problem(name, "the annotation has a wrong style")
    return place, jobs, workspace / "reports", status


def buildkite():
    name = "buildkite/pipeline.yml"
    for faults, jobs in [({"fails": False}, 40), ({"fails": True}, 40), ({"fails": False, "losses": 3}, 43),
                         ({"fails": False, "losses": 99}, 43)]:
        place, count, reports, status = buildkite_run(**faults)
        if count != jobs:
            problem(name, f"{count} jobs ran instead of {jobs}: {faults}")
        if jobs > 40 and faults["losses"] > 3:
            place.check_incomplete(reports / "junit.xml", status)
        else:
            place.check(reports / "junit.xml", reports / "index.html", None, status)
