"""Checks the recipes under examples/ci.

Validates them against the published schemas of GitHub, GitLab, Buildkite and Kubernetes. Then executes their steps on
sample suites with stand-ins for the engines: with passing tests, with a failing one, and, for engines that repeat a lost
shard, with shards that are killed. The recipe for Slurm is checked on Slurm by check-slurm.

usage: check-recipes.py PROGRAM
"""

import pathlib
import sys

from recipes import clusters, place, services

place.Place.program = pathlib.Path(sys.argv[1]).resolve()

place.validate("github/api-tests.yml", "vendor.github-workflows")
place.validate("gitlab/gitlab-ci.yml", "vendor.gitlab-ci")
place.validate("buildkite/pipeline.yml", "vendor.buildkite")
for fails in [False, True]:
    for recipe in [services.github, services.gitlab, services.jenkins]:
        recipe(fails)
for recipe in [services.buildkite, clusters.kubernetes, clusters.argo, clusters.tekton]:
    recipe()
for text in place.problems:
    print(text)
print(f"7 recipes checked, {len(place.problems)} problems")
sys.exit(1 if place.problems else 0)
