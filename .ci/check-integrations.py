"""Checks the integrations with CI systems under packaging: the action for GitHub, the component for GitLab, the step for
Jenkins and the hooks for pre-commit, and the workflow that publishes a release.

Validates them against the published schemas. Then executes their scripts with the packages of a release on loopback, as
the systems would: on suites that pass, and on suites that fail.

usage: check-integrations.py [PACKAGES]     default: dist/packages
"""

import pathlib
import sys

sys.dont_write_bytecode = True

from integrations import github, gitlab, hooks, jenkins  # noqa: E402
from packages.machine import PROJECT, Failed, served  # noqa: E402

packages = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else PROJECT / "dist/packages").resolve()
count = 0
with served(packages) as address:
    for check in [github.action, gitlab.component, jenkins.step, hooks.hooks, github.release]:
        try:
            check(packages, address)
        except Failed as error:
            sys.exit(f"{check.__module__}.{check.__name__}: {error}")
        count += 1
print(f"{count} integrations checked")
