"""Makes the npm package, which contains the program instead of JavaScript."""

import json

from release import LICENSE, NAME, SUMMARY, Archive, DESCRIPTION


def make(release):
    pages = [str(path) for path in release.files() if path.parts[:2] == ("share", "man")]
    manifest = {
        "name": NAME,
        "version": release.version,
        "description": SUMMARY,
        "license": LICENSE,
        "os": ["linux"],
        "cpu": [release.node_architecture],
        "libc": ["glibc"],
        "bin": {NAME: f"bin/{NAME}"},
        "man": pages,
    }
    archive = Archive(release.epoch)
    archive.add("package/package.json", (json.dumps(manifest, indent=2) + "\n").encode())
    archive.add("package/README.md", f"# {NAME}\n\n{DESCRIPTION}\n".encode())
    for path in release.files():
        source = release.prefix / path
        archive.add(f"package/{path}", source.read_bytes(), source.stat().st_mode & 0o777)
    (release.output / f"{NAME}-{release.version}.tgz").write_bytes(archive.compressed())
