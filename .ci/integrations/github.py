"""A stand-in for GitHub Actions, which executes the action and the workflow of releases."""

import re
import tempfile
import pathlib

import yaml

from packages.machine import PROJECT, Failed, run

from .workspace import check_reports, execute, expect, validate, workspace

ACTION = PROJECT / "packaging/github/action.yml"
WORKFLOW = PROJECT / ".github/workflows/release.yml"


def evaluated(text, context):
    """Returns text with the values of its expressions."""

    def value(match):
        expression = match[1]
        if expression not in context:
            raise Failed(f"the expression {match[0]} is not known")
        return context[expression]

    return re.sub(r"\$\{\{\s*(.*?)\s*\}\}", value, str(text))


def action(packages, address):
    validate(ACTION, "vendor.github-actions")
    document = yaml.safe_load(ACTION.read_text())
    key = (PROJECT / ".build/throwaway.pub").read_text().splitlines()[-1]
    version = next(packages.glob("*.deb")).name.split("_")[1]
    for fails, arguments, status, is_installed in [
            (False, "", 0, True), (True, "", 1, True), (True, "--tag=smoke\n\n--variable=a=b c\n", 0, True),
            (False, "", 1, False)]:
        inputs = {name: str(input.get("default", "")) for name, input in document["inputs"].items()}
        for name, input in document["inputs"].items():
            expect(not input.get("required") or "default" not in input, f"the required input {name} has a default")
        # Another public key must stop the job before anything is executed.
        inputs |= {"version": version, "public-key": key if is_installed else f"RW{'A' * 54}", "arguments": arguments}
        context = {f"inputs.{name}": value for name, value in inputs.items()}
        context[next(expression for expression in re.findall(r"\$\{\{\s*(.*?)\s*\}\}", ACTION.read_text())
                     if expression.startswith("inputs.release ||"))] = address
        with workspace(fails) as checkout:
            check_action(document, context, checkout, fails and not arguments, status, is_installed)


def check_action(document, context, checkout, fails, expected, is_installed):
    """Executes the steps of the action, and checks what they leave."""
    files = {name: checkout.parent / name for name in ["GITHUB_PATH", "GITHUB_STEP_SUMMARY"]}
    for file in files.values():
        file.touch()
    result, output, uploads = 0, "", []
    for step in document["runs"]["steps"]:
        if result and "cancelled()" not in step.get("if", ""):
            continue
        if "uses" in step:
            expect(re.fullmatch(r"actions/upload-artifact@v\d+", step["uses"]), f"{step['uses']} is not known")
            uploads.append({name: evaluated(value, context) for name, value in step["with"].items()})
            continue
        added = ":".join([*reversed(files["GITHUB_PATH"].read_text().splitlines()), "/usr/bin:/bin"])
        status, text = execute(
            step["run"], checkout, PATH=added, RUNNER_TEMP=str(checkout.parent), GITHUB_ACTIONS="true",
            GITHUB_WORKSPACE=str(checkout), GITHUB_ACTION_PATH=str(ACTION.parent),
            **{name: str(file) for name, file in files.items()},
            **{name: evaluated(value, context) for name, value in step.get("env", {}).items()})
        result |= status
        output += text
    expect(result == expected, f"expected the exit status {expected}, got {result}:\n{output}")
    if not is_installed:
        expect("signature" in output and not (checkout / "apitest-reports").exists(), f"apitest ran:\n{output}")
        return
    expect(uploads == [{"name": "apitest-reports", "path": "apitest-reports"}], f"wrong artifacts: {uploads}")
    summary = files["GITHUB_STEP_SUMMARY"].read_text()
    expect("API tests" in summary, f"wrong summary: {summary}")
    expect(("::error file=tests/books.apitest.yaml,line=5" in output) == fails, f"wrong annotations:\n{output}")
    if "--tag=smoke" not in context["inputs.arguments"]:
        check_reports(checkout / "apitest-reports", fails, is_record_kept=True)


# Instead of publishing a release, writes its arguments.
GH = """\
#!/bin/sh
printf '%s\\n' "$@" >"$HOME/arguments"
"""


def release(packages, _):
    """Executes the steps of the workflow that check and publish packages. release/run has made them."""
    validate(WORKFLOW, "vendor.github-workflows")
    document = yaml.safe_load(WORKFLOW.read_text())
    steps = {step["name"]: step for job in document["jobs"].values() for step in job["steps"] if "name" in step}
    build = steps["Build"]["run"]
    expect("release/run --packages" in build, f"the workflow does not make the packages: {build}")
    for name in re.findall(r"APITEST_\w+", (PROJECT / "packaging/sign").read_text()):
        expect(name in steps["Build"]["env"], f"the workflow does not set {name}")
    key = (PROJECT / ".build/throwaway.pub").read_text().splitlines()[-1]
    version = next(packages.glob("*.deb")).name.split("_")[1]
    with tempfile.TemporaryDirectory() as directory:
        directory = pathlib.Path(directory, "checkout")
        (directory / "dist").mkdir(parents=True)
        (directory / "packages").symlink_to(packages)
        run("cp", "-r", packages, directory / "dist/packages")
        (directory / "dist/apitest").symlink_to(PROJECT / "dist/apitest")

        def check(tag):
            return execute(steps["Check"]["run"], directory, APITEST_PUBLIC_KEY=key, GITHUB_REF_NAME=tag)

        status, output = check(f"v{version}")
        expect(status == 0, f"the packages are not accepted:\n{output}")
        expect(check("v9.9.9")[0] != 0, "the tag of another version is accepted")
        (directory / "dist/packages/SHA256SUMS").open("a").write("x\n")
        expect(check(f"v{version}")[0] != 0, "packages with a wrong signature are accepted")

        (directory.parent / "gh").write_text(GH)
        (directory.parent / "gh").chmod(0o755)
        publish = steps["Attach the packages to a draft"]
        status, output = execute(
            publish["run"], directory, PATH=f"{directory.parent}:/usr/bin:/bin", GITHUB_REF_NAME=f"v{version}")
        attached = {word.removeprefix("packages/") for word in (directory.parent / "arguments").read_text().splitlines()
                    if word.startswith("packages/")}
        expect(status == 0 and attached == {path.name for path in packages.iterdir()}, f"not all is attached: {attached}")
