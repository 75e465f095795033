"""Writes the software bill of materials: the components of the program, in CycloneDX 1.6."""

import json
import uuid

from components import components
from release import LICENSE, NAME, SUMMARY, sha256, timestamp


def make(release):
    digest = sha256(release.program.read_bytes())
    parts = components(release.dependencies)
    urls = {part.name: part.url for part in parts}
    program = f"pkg:generic/{NAME}@{release.version}"
    direct = [child["identity"] for child in release.dependencies["dependencies"] if child["identity"] in urls]
    linked = direct + [part.name for part in parts if part.name not in direct and not part.url.startswith("pkg:swift/")]
    document = {
        "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        # The same program has the same number.
        "serialNumber": f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_URL, f'{program}#{digest}')}",
        "version": 1,
        "metadata": {
            "timestamp": timestamp(release.epoch),
            "component": {
                "type": "application",
                "bom-ref": program,
                "name": NAME,
                "version": release.version,
                "description": SUMMARY,
                "hashes": [{"alg": "SHA-256", "content": digest}],
                "licenses": [{"license": {"id": LICENSE}}],
                "purl": program,
            },
        },
        "components": [component(part) for part in parts],
        "dependencies": [
            {"ref": program, "dependsOn": sorted(urls[name] for name in {*linked, "swift"})},
            *({"ref": part.url, "dependsOn": sorted(urls[name] for name in part.dependencies if name in urls)}
              for part in parts),
        ],
    }
    path = release.output / f"{NAME}-{release.version}.cdx.json"
    path.write_text(json.dumps(document, indent=2) + "\n")


def component(part):
    """Returns the entry of a component."""
    result = {
        "type": "library", "bom-ref": part.url, "name": part.name, "version": part.version, "scope": "required",
        "licenses": [{"expression": part.license}], "purl": part.url,
    }
    if part.source:
        result["externalReferences"] = [{"type": "vcs", "url": part.source}]
    return result
