"""Checks every example suite against schemas/suite.schema.json with an independent validator."""

import json
import pathlib
import sys

import jsonschema
import yaml

root = pathlib.Path(__file__).resolve().parent.parent
schema = json.loads((root / "schemas/suite.schema.json").read_text())
jsonschema.Draft202012Validator.check_schema(schema)
validator = jsonschema.Draft202012Validator(schema)


class Loader(yaml.SafeLoader):
    """PyYAML with the Booleans and integers of YAML 1.2, and without dates."""


Loader.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in resolvers if not tag.endswith((":bool", ":timestamp", ":int"))]
    for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
}
import re

Loader.add_implicit_resolver("tag:yaml.org,2002:bool", re.compile("^(?:true|True|TRUE|false|False|FALSE)$"), list("tTfF"))
Loader.add_implicit_resolver("tag:yaml.org,2002:int", re.compile("^[-+]?[0-9]+$"), list("-+0123456789"))

problems = 0
suites = sorted(path for path in root.glob("examples/**/*.apitest.yaml") if not path.name.startswith(".")) + sorted(root.glob("examples/**/failing.yaml"))
for path in suites:
    # A directory of snapshots has the name of its suite.
    if not path.is_file():
        continue
    for document in yaml.load_all(path.read_text(), Loader):
        for error in validator.iter_errors(document):
            problems += 1
            print(f"{path.relative_to(root)}: {error.json_path}: {error.message}")
fragments = json.loads((root / "schemas/fragments.schema.json").read_text())
jsonschema.Draft202012Validator.check_schema(fragments)
for path in sorted(root.glob("examples/*/shared/*.yaml")):
    for error in jsonschema.Draft202012Validator(fragments).iter_errors(yaml.load(path.read_text(), Loader)):
        problems += 1
        print(f"{path.relative_to(root)}: {error.json_path}: {error.message}")
settings = json.loads((root / "schemas/settings.schema.json").read_text())
for path in sorted(root.glob("examples/reuse/library.yaml")):
    for error in jsonschema.Draft202012Validator(settings).iter_errors(yaml.load(path.read_text(), Loader)):
        problems += 1
        print(f"{path.relative_to(root)}: {error.json_path}: {error.message}")
print(f"{len(suites)} suites checked, {problems} problems")
sys.exit(1 if problems or not suites else 0)
