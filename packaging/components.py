"""The components that are linked into the program: Swift packages, and libraries of the toolchain and the system."""

import dataclasses
import pathlib
import shutil

from release import output_of

# Packages that only generate documentation. Neither they nor what only they need is in the program.
TOOLS = {"swift-docc-plugin"}

# The static libraries of the system that release/run links: the package, its license, and the package with its text.
SYSTEM = [
    ("libyaml-dev", "MIT", "libyaml-dev"),
    ("zlib1g-dev", "Zlib", "zlib1g-dev"),
    ("libstdc++", "GPL-3.0-or-later WITH GCC-exception-3.1", "gcc-{}-base"),
]


@dataclasses.dataclass
class Component:
    """A component of the program."""

    name: str
    version: str
    # The license as an SPDX expression.
    license: str
    # The complete text of the license, with the notices.
    text: str
    # The package URL.
    url: str
    # The address of the source, or None for a package of the system.
    source: str | None
    # The names of the components that it depends on.
    dependencies: list


def components(dependencies):
    """Returns the components in the order of their names.

    - dependencies: the tree that `swift package show-dependencies --format json` prints
    """
    found = {}

    def visit(package):
        for child in package["dependencies"]:
            if child["identity"] not in TOOLS and child["identity"] not in found:
                found[child["identity"]] = swift_package(child)
                visit(child)

    visit(dependencies)
    return sorted([*found.values(), *system_libraries(), swift_runtime()], key=lambda component: component.name)


def swift_package(package):
    """Returns the component of a Swift package."""
    directory = pathlib.Path(package["path"])
    # Licenses of vendored code are in the directory of the module.
    paths = [*directory.glob("LICENSE*"), *directory.glob("NOTICE*"), *directory.glob("Sources/*/LICENSE*")]
    if not paths:
        raise SystemExit(f"packaging: {directory} contains no license")
    text = "\n\n".join(path.read_text() for path in sorted(paths))
    if "Apache License" not in text:
        raise SystemExit(f"packaging: the license of {package['identity']} is not known: add it to components.py")
    exception = " WITH Swift-exception" if "Runtime Library Exception" in text else ""
    source = package["url"].removesuffix(".git")
    return Component(
        package["identity"], package["version"], "Apache-2.0" + exception, text,
        f"pkg:swift/{source.removeprefix('https://')}@{package['version']}", source,
        [child["identity"] for child in package["dependencies"]])


def system_libraries():
    """Yields the components of the static libraries of the system."""
    system = dict(line.split("=", 1) for line in pathlib.Path("/etc/os-release").read_text().splitlines() if "=" in line)
    system = system["ID"].strip('"')
    for name, license, documentation in SYSTEM:
        if name == "libstdc++":
            # The archive says which version of GCC provides it: …/gcc/x86_64-linux-gnu/12/libstdc++.a
            archive = output_of("clang", "-print-file-name=libstdc++.a").strip()
            major = pathlib.Path(archive).resolve().parent.name
            name, documentation = f"libstdc++-{major}-dev", documentation.format(major)
        version = output_of("dpkg-query", "--show", "--showformat", "${Version}", name)
        text = pathlib.Path("/usr/share/doc", documentation, "copyright").read_text()
        yield Component(name, version, license, text, f"pkg:deb/{system}/{name.replace('+', '%2B')}@{version}", None, [])


def swift_runtime():
    """Returns the component of Swift's standard library, Foundation and libdispatch."""
    toolchain = pathlib.Path(shutil.which("swift")).resolve().parent.parent
    version = output_of("swift", "--version").split("Swift version ")[1].split(" ")[0]
    return Component(
        "swift", version, "Apache-2.0 WITH Swift-exception", (toolchain / "share/swift/LICENSE.txt").read_text(),
        f"pkg:swift/github.com/swiftlang/swift@{version}", "https://github.com/swiftlang/swift", [])
