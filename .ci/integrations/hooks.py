"""Runs the hooks with pre-commit: those of the project, and local ones that install the wheel."""

import os
import shutil
import sys

import yaml

from packages.machine import PROJECT, run

from .workspace import expect, workspace

HOOKS = PROJECT / ".pre-commit-hooks.yaml"
PAGE = PROJECT / "Documentation/install.md"


def hooks(packages, _):
    run(sys.executable, "-m", "pre_commit", "validate-manifest", HOOKS)
    wheel = next(packages.glob("*.whl"))
    with workspace(fails=False) as checkout:
        agent = checkout.parent / "bin"
        agent.mkdir()
        (agent / "apitest").symlink_to(PROJECT / "dist/apitest")
        repository = checkout.parent / "repository"
        repository.mkdir()
        shutil.copy(HOOKS, repository)
        commit(repository)
        shared, local = documented()
        shared["repos"][0] |= {"repo": str(repository), "rev": run("git", "rev-parse", "HEAD", cwd=repository).strip()}
        for hook in local["repos"][0]["hooks"]:
            hook["additional_dependencies"] = [str(wheel)]
        for configuration, path in [(shared, f"{agent}:/usr/bin:/bin"), (local, "/usr/bin:/bin")]:
            check(checkout, configuration, path)


def documented():
    """Returns the two configurations in the documentation."""
    blocks = [block.split("\n", 1)[1] for block in PAGE.read_text().split("```")[1::2]]
    return [yaml.safe_load(block) for block in blocks if block.startswith("repos:")]


def check(checkout, configuration, path):
    """Runs the hooks on a correct suite, on one that is not formatted, and on an invalid one."""
    file = checkout / ".pre-commit-config.yaml"
    file.write_text(yaml.safe_dump(configuration))
    run(sys.executable, "-m", "pre_commit", "validate-config", file)
    suite = checkout / "tests/books.apitest.yaml"
    text = suite.read_text()
    (checkout / ".apitest.yaml").write_text("jobs: 2\n")
    commit(checkout)
    environment = {**os.environ, "PATH": path, "PRE_COMMIT_HOME": str(checkout.parent / "cache")}

    def pre_commit(status):
        return run(sys.executable, "-m", "pre_commit", "run", "--all-files", cwd=checkout, env=environment, status=status)

    output = pre_commit(0)
    expect(output.count("Passed") == 2, f"a correct suite does not pass:\n{output}")
    suite.write_text(text.replace("name: Books", "name:   Books"))
    run("git", "add", ".", cwd=checkout)
    output = pre_commit(1)
    expect("files were modified by this hook" in output and suite.read_text() == text,
           f"the suite is not formatted:\n{output}")
    suite.write_text(text.replace("tests:", "tets:"))
    run("git", "add", ".", cwd=checkout)
    output = pre_commit(1)
    expect('unknown key "tets"' in output, f"an invalid suite passes:\n{output}")
    suite.write_text(text)


def commit(directory):
    run("git", "init", "--quiet", cwd=directory)
    run("git", "add", ".", cwd=directory)
    run("git", "-c", "user.name=check", "-c", "user.email=check@localhost", "commit", "--quiet", "--allow-empty",
        "--no-verify", "--message=check", cwd=directory)
