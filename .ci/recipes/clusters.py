"""Stand-ins for the controllers of Kubernetes, Argo and Tekton, which execute the pods of their recipes."""

import collections
import json
import re
import shutil
import signal

import kubernetes_validate
import yaml

from .place import Place, problem, recipes

# The pods are executed one after another. More than these are a loop.
MAXIMUM_PODS = 200

# Exit statuses after which an index is neither failed nor the whole run: killed, crashed, interrupted, or terminated.
LOST = [128 + number for number in (signal.SIGINT, signal.SIGKILL, signal.SIGSEGV, signal.SIGTERM)] + [255]


def known(recipe, mapping, *keys):
    """Reports keys that the stand-in does not execute."""
    for key in set(mapping) - set(keys):
        problem(recipe, f"the key {key} is not known")
    return mapping


def validate(name, document):
    # The validator requires a name; the server would generate it.
    document = json.loads(json.dumps(document))
    metadata = document["metadata"]
    if "generateName" in metadata:
        metadata["name"] = metadata.pop("generateName") + "x"
    try:
        kubernetes_validate.validate(document, kubernetes_validate.latest_version(), strict=True)
    except kubernetes_validate.ValidationError as error:
        problem(name, f"{document['kind']}: {error.message}")


def claims():
    """Returns the names of the volume claims that the recipes define."""
    volume = yaml.safe_load((recipes / "kubernetes/volume.yaml").read_text())
    validate("kubernetes/volume.yaml", volume)
    return {volume["metadata"]["name"]}


def check_volumes(name, volumes, mounts):
    for volume in volumes:
        if "persistentVolumeClaim" in volume and volume["persistentVolumeClaim"]["claimName"] not in claims():
            problem(name, f"the claim of the volume {volume['name']} is not defined")
    for mount in mounts:
        if mount["name"] not in {volume["name"] for volume in volumes}:
            problem(name, f"the volume {mount['name']} is not defined")


# Kubernetes


def check_policy(name, job):
    """Checks the rules of the API server for the retries of a Job, which its schema lacks."""
    spec = job["spec"]
    pod = spec["template"]["spec"]
    if pod["restartPolicy"] != "Never":
        problem(name, "a podFailurePolicy requires the restartPolicy Never")
    if spec["completionMode"] != "Indexed":
        problem(name, "backoffLimitPerIndex requires an Indexed Job")
    for rule in spec["podFailurePolicy"]["rules"]:
        if rule["action"] not in ("FailJob", "FailIndex", "Ignore", "Count"):
            problem(name, f"the action {rule['action']} is not known")
        if ("onExitCodes" in rule) == ("onPodConditions" in rule):
            problem(name, "a rule must have either onExitCodes or onPodConditions")
        codes = rule.get("onExitCodes", {"values": [1]})
        if codes["values"] != sorted(set(codes["values"])) or 0 in codes["values"]:
            problem(name, f"the exit statuses {codes['values']} must be in order, unique, and not 0")
        if codes.get("containerName", "apitest") not in [container["name"] for container in pod["containers"]]:
            problem(name, f"the container {codes['containerName']} is not defined")
    for status, action in [(1, "FailIndex"), *[(status, "FailJob") for status in (2, 3, 4)],
                           *[(status, "Count") for status in LOST]]:
        if action_of(job, status, False) != action:
            problem(name, f"the action for the exit status {status} is not {action}")
    if action_of(job, 130, True) != "Ignore" or action_of(job, 1, True) != "FailIndex":
        problem(name, "a disruption is counted, or hides failed tests")


def action_of(job, status, is_disrupted):
    """Returns the action for a failed pod: that of the first rule that matches it."""
    for rule in job["spec"].get("podFailurePolicy", {}).get("rules", []):
        codes = rule.get("onExitCodes")
        if codes and (status in codes["values"]) == (codes["operator"] == "In"):
            return rule["action"]
        if is_disrupted and {"type": "DisruptionTarget", "status": "True"} in rule.get("onPodConditions", []):
            return rule["action"]
    return "Count"


class JobController:
    """Executes the pods of a Job, and repeats them as Kubernetes would."""

    def __init__(self, place, job, job_name, directories):
        self.place, self.job, self.job_name, self.directories = place, job, job_name, directories
        # The index and the exit status of each pod.
        self.pods = []
        self.failed_indexes = set()
        self.is_failed = False

    def run(self):
        spec = self.job["spec"]
        limit = spec.get("backoffLimitPerIndex", spec.get("backoffLimit", 6))
        failures = collections.Counter()
        waiting = collections.deque(range(spec.get("completions", 1)))
        while waiting and len(self.pods) < MAXIMUM_PODS:
            index = waiting.popleft()
            status, is_disrupted = self.run_pod(index)
            self.pods.append((index, status))
            if status == 0:
                continue
            action = action_of(self.job, status, is_disrupted)
            failures[index] += action == "Count"
            if action == "FailJob":
                self.is_failed = True
                return
            if action == "FailIndex" or failures[index] > limit:
                self.failed_indexes.add(index)
            else:
                waiting.append(index)
        self.is_failed = bool(self.failed_indexes or waiting)

    def run_pod(self, index):
        """Runs a pod, and returns its exit status and whether its node was disrupted."""
        place, container = self.place, self.job["spec"]["template"]["spec"]["containers"][0]
        fields = {"metadata.name": f"{self.job_name}-{index}-{len(self.pods)}",
                  "metadata.labels['batch.kubernetes.io/job-name']": self.job_name}
        environment = {}
        for variable in container.get("env", []):
            environment[variable["name"]] = variable["value"] if "value" in variable else fields[
                variable["valueFrom"]["fieldRef"]["fieldPath"]]
        # Only an Indexed Job has an index.
        if self.job["spec"].get("completionMode") == "Indexed":
            environment["JOB_COMPLETION_INDEX"] = str(index)
        script = replace_directories(container["args"][0], self.directories)
        status = place.run_shard(
            index == 0, self.directories["/results"], script, place.directory, **environment)
        return status, status == 128 + signal.SIGTERM


def replace_directories(script, directories):
    for path, directory in directories.items():
        script = re.sub(rf"(?<![\w$}}]){path}\b", str(directory), script)
    return script


def kubernetes_run(**faults):
    """Executes the Job and its report. Returns the place, the controller of the Job, its name, and the report's status."""
    name = "kubernetes/api-tests.yaml"
    job = yaml.safe_load((recipes / name).read_text())
    report_text = (recipes / "kubernetes/report.yaml").read_text()
    job_name = job["metadata"]["generateName"] + "x7k2p"
    if "JOB_NAME" not in report_text.split("spec:", 1)[1]:
        problem(name, "the report does not name the Job")
    report = yaml.safe_load(report_text.replace("JOB_NAME", job_name))
    for part in [job, report]:
        validate(name, part)
        pod = part["spec"]["template"]["spec"]
        check_volumes(name, pod["volumes"], pod["containers"][0]["volumeMounts"])
    check_policy(name, job)
    shards = next(variable for variable in job["spec"]["template"]["spec"]["containers"][0]["env"]
                  if variable["name"] == "APITEST_SHARDS")
    if shards["value"] != str(job["spec"]["completions"]):
        problem(name, "APITEST_SHARDS differs from completions")
    place = Place(name, **faults)
    suites = place.workspace("suites")
    place.checkout(suites)
    directories = {"/suites": suites / "tests", "/results": place.workspace("results")}
    # Records of another run on the same volume, which must not count.
    stale = place.workspace("results/api-tests-stale")
    (stale / "shard-0.jsonl").write_text("")
    controller = JobController(place, job, job_name, directories)
    controller.run()
    end = JobController(place, report, "api-report", directories)
    place.losses = 0
    end.run()
    if len(end.pods) != 1:
        problem(name, "the report was repeated")
    return place, controller, directories["/results"] / job_name / "reports", end.pods[0][1]


def kubernetes():
    name = "kubernetes/api-tests.yaml"
    for fails in [False, True]:
        place, job, reports, status = kubernetes_run(fails=fails)
        if len(job.pods) != 40:
            problem(name, f"{len(job.pods)} pods ran instead of 40: an index was skipped, or failed tests were repeated")
        if job.is_failed != fails or len(job.failed_indexes) != fails:
            problem(name, f"the indexes {job.failed_indexes} have failed")
        place.check(reports / "junit.xml", reports / "index.html", reports.parent.parent / "history", status)

    # A lost index is repeated up to its limit, a disruption is not counted.
    for losses, lost_with, pods in [(1, signal.SIGKILL, 41), (3, signal.SIGKILL, 43), (6, signal.SIGTERM, 46)]:
        place, job, reports, status = kubernetes_run(fails=False, losses=losses, signal_of_loss=lost_with)
        if job.is_failed or len(job.pods) != pods:
            problem(name, f"{len(job.pods)} pods ran after {losses} losses instead of {pods}")
        place.check(reports / "junit.xml", reports / "index.html", reports.parent.parent / "history", status)

    # An index that is always lost fails, the others run, and the report says that the run is incomplete.
    place, job, reports, status = kubernetes_run(fails=False, losses=99)
    if job.failed_indexes != {0} or len(job.pods) != 43:
        problem(name, f"the indexes {job.failed_indexes} have failed after {len(job.pods)} pods")
    place.check_incomplete(reports / "junit.xml", status)

    # An invalid suite ends the Job at its first pod.
    place, job, reports, status = kubernetes_run(fails=False, is_invalid=True)
    if not job.is_failed or job.pods != [(0, 2)]:
        problem(name, f"an invalid suite did not end the Job at once: {job.pods}")
    if status == 0:
        problem(name, "the report of a Job without records passed")
    shutil.rmtree(place.directory)


# Argo and Tekton


def check_engine(name, run_engine):
    """Checks the recipe of an engine with tests that pass and fail, a lost shard, and a shard that is always lost."""
    for faults in [{"fails": False}, {"fails": True}, {"fails": False, "losses": 2}, {"fails": False, "losses": 99}]:
        place = Place(name, **faults)
        place.checkout(place.workspace("suites"))
        results = place.workspace("results")
        pods, status = run_engine(place, {"/suites": place.directory / "suites/tests", "/results": results})
        reports = results / "run-1/reports"
        expected = 40 + min(faults.get("losses", 0), 3)
        if pods != expected:
            problem(name, f"{pods} pods ran instead of {expected}: {faults}")
        if faults.get("losses") == 99:
            place.check_incomplete(reports / "junit.xml", status)
        else:
            place.check(reports / "junit.xml", reports / "index.html", results / "history", status)


def argo_run(place, directories):
    """Executes the Workflow. Returns the number of pods of shards, and the exit status of the report."""
    name = place.recipe
    spec = known(name, yaml.safe_load((recipes / name).read_text())["spec"], "entrypoint", "parallelism", "ttlStrategy",
                 "securityContext", "volumes", "arguments", "templates")
    templates = {template["name"]: template for template in spec["templates"]}
    values = {f"workflow.parameters.{parameter['name']}": parameter["value"]
              for parameter in spec["arguments"]["parameters"]}
    values["workflow.name"] = "run-1"

    def text(value, used):
        def variable(match):
            if match[1] not in used:
                problem(name, f"the variable {match[0]} is not known")
            return used.get(match[1], "")
        return re.sub(r"\{\{(.*?)\}\}", variable, value)

    def script(template, used):
        container = known(name, template["container"], "image", "command", "args", "env", "resources", "volumeMounts")
        check_volumes(name, spec["volumes"], container["volumeMounts"])
        arguments = [replace_directories(text(argument, used), directories) for argument in container["args"]]
        return arguments[0] if container["command"] == ["/bin/sh", "-c"] else " ".join(
            [*container["command"], *[f"'{argument}'" for argument in arguments]])

    def repeats(template, status):
        expression = template["retryStrategy"]["expression"].replace("asInt(lastRetry.exitCode)", str(status))
        if not re.fullmatch(r"[-\d<>=| ]+", expression):
            problem(name, f"the expression {expression} is not known")
            return False
        return eval(expression.replace("||", " or "))

    steps = [known(name, step, "name", "template", "withSequence", "arguments", "continueOn")
             for group in templates[spec["entrypoint"]]["steps"] for step in group]
    pods = 0
    for step in steps:
        template = known(name, templates[step["template"]], "name", "inputs", "retryStrategy", "container")
        if "withSequence" not in step:
            return pods, place.run(script(template, values), place.directory)
        if step["continueOn"] != {"failed": True, "error": True}:
            problem(name, "a failed shard ends the run")
        for status in [1, 2, 3, 4, *LOST, -1]:
            if repeats(template, status) != (status in [*LOST, -1]):
                problem(name, f"the exit status {status} is not treated right")
        sequence = {key: int(text(value, values)) for key, value in step["withSequence"].items()}
        for item in range(sequence["start"], sequence["end"] + 1):
            for attempt in range(int(template["retryStrategy"]["limit"]) + 1):
                parameter, = step["arguments"]["parameters"]
                used = values | {"inputs.parameters." + parameter["name"]: text(parameter["value"], {"item": str(item)}),
                                 "retries": str(attempt)}
                status = place.run_shard(
                    item == sequence["start"], directories["/results"], script(template, used), place.directory)
                pods += 1
                if status == 0 or not repeats(template, status):
                    break
    return pods, None


def tekton_run(place, directories):
    """Executes the Pipeline. Returns the number of pods of shards, and the exit status of the report."""
    name = place.recipe
    spec = known(name, yaml.safe_load((recipes / name).read_text())["spec"], "params", "workspaces", "tasks", "finally")
    values = {"context.pipelineRun.name": "run-1", "params.base-url": spec["params"][0]["default"]}

    def text(value, used):
        def variable(match):
            if match[1] not in used:
                problem(name, f"the variable {match[0]} is not known")
            return used.get(match[1], "")
        # A command substitution has a space or no period, and is not a variable.
        return re.sub(r"\$\(([a-zA-Z]+\.[\w.-]+)\)", variable, value)

    def script(task, used):
        known(name, task, "name", "matrix", "retries", "params", "workspaces", "taskSpec")
        inner = known(name, task["taskSpec"], "params", "workspaces", "steps")
        step, = inner["steps"]
        known(name, step, "name", "image", "env", "computeResources", "script")
        given = {"params." + parameter["name"]: text(parameter["value"], values) for parameter in task["params"]}
        workspaces = {f"workspaces.{workspace['name']}.path": str(directories["/" + workspace["name"]])
                      for workspace in task["workspaces"]}
        if {"params." + parameter["name"] for parameter in inner["params"]} != set(given) | {
                key for key in used if key.startswith("params.")}:
            problem(name, f"the parameters of {task['name']} are not those that it gets")
        return text(step["script"], used | given | workspaces)

    task, = spec["tasks"]
    shards, = task["matrix"]["params"]
    if shards["value"] != [str(number) for number in range(1, len(shards["value"]) + 1)]:
        problem(name, "the shards are not numbered from 1")
    if f"/{len(shards['value'])} " not in task["taskSpec"]["steps"][0]["script"]:
        problem(name, "the number of shards differs from the length of the matrix")
    pods = 0
    for shard in shards["value"]:
        for attempt in range(task["retries"] + 1):
            used = {"params.shard": shard, "context.task.retry-count": str(attempt)}
            status = place.run_shard(shard == "1", directories["/results"], script(task, used), place.directory)
            pods += 1
            if status == 0:
                break
    report, = spec["finally"]
    return pods, place.run(script(report, {}), place.directory)


def argo():
    check_engine("argo/api-tests.yaml", argo_run)


def tekton():
    check_engine("tekton/api-tests.yaml", tekton_run)
