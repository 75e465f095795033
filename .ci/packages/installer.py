"""Checks that install.sh installs nothing if anything is wrong with a release."""

import contextlib
import os
import pathlib
import shutil
import subprocess
import tempfile

from .machine import PROJECT, Failed, run, served

# Programs that install.sh uses, apart from the one that verifies.
PROGRAMS = ["cat", "cp", "curl", "grep", "gzip", "head", "mkdir", "mktemp", "mv", "od", "rm", "sed",
            "sh", "sha256sum", "tail", "tar", "uname", "wc"]


def check_installer(packages):
    """Executes install.sh on releases with faults, with each program that can verify."""
    if not (packages / "SHA256SUMS.minisig").is_file():
        raise Failed(f"{packages} is not signed: set APITEST_SIGNING_KEY to the key in .build/throwaway.key")
    key = (PROJECT / ".build/throwaway.pub").read_text().splitlines()[-1]
    secret = (PROJECT / ".build/throwaway.key").read_text()
    tarball = next(packages.glob("*-linux-*.tar.gz")).name
    version = tarball.split("-")[1]
    with tempfile.TemporaryDirectory(prefix="apitest-installer-") as directory:
        directory = pathlib.Path(directory)
        other = directory / "other"
        run("minisign", "-G", "-W", "-f", "-p", f"{other}.pub", "-s", f"{other}.key")
        other_secret = pathlib.Path(f"{other}.key").read_text()

        def append(name, data=b"x"):
            return lambda release: (release / name).open("ab").write(data)

        def replace_program(release):
            """An attacker replaces the tarball and the checksums, but cannot sign them."""
            (release / tarball).write_bytes(b"x")
            sums = run("sha256sum", tarball, cwd=release)
            (release / "SHA256SUMS").write_text(sums)

        def sign(secret, version):
            return lambda release: run(
                PROJECT / "packaging/sign", release, version, env={**os.environ, "APITEST_SIGNING_KEY": secret})

        def edit_comment(release):
            path = release / "SHA256SUMS.minisig"
            path.write_text(path.read_text().replace(f"trusted comment: apitest {version}", "trusted comment: apitest 9"))

        def claim_version(release):
            """An attacker offers an old release as this one."""
            sign(secret, "0.0.1")(release)
            path = release / "SHA256SUMS.minisig"
            path.write_text(path.read_text().replace("apitest 0.0.1", f"apitest {version}"))

        wrong_signature = "the signature of SHA256SUMS is wrong"
        other_key = "the signature of SHA256SUMS"
        # The fault, the change of the release, the key that the user has, and the message.
        faults = [
            ("none", lambda release: None, key, None),
            ("a changed tarball", append(tarball), key, f"the checksum of {tarball} is wrong"),
            ("changed checksums", append("SHA256SUMS", b"# x\n"), key, wrong_signature),
            ("a replaced program", replace_program, key, wrong_signature),
            ("another key", sign(other_secret, version), key, other_key),
            ("a key that is not one", lambda release: None, "x", other_key),
            ("another version", sign(secret, "0.0.1"), key, f"and not for apitest {version}"),
            ("another version with an edited comment", claim_version, key, wrong_signature),
            ("an edited comment", edit_comment, key, wrong_signature),
            ("no signature", lambda release: (release / "SHA256SUMS.minisig").unlink(), key, "cannot be downloaded"),
            ("no checksum of the tarball", lambda release: (
                [path.rename(release / "x") for path in [release / tarball]], sign(secret, version)(release),
                (release / "x").rename(release / tarball)), key, f"SHA256SUMS does not contain {tarball}"),
        ]
        for verifier in ["minisign", "openssl"]:
            path = programs(directory / verifier, [*PROGRAMS, verifier])
            for fault, change, used, message in faults:
                check_fault(packages, directory, path, f"{fault}, with {verifier}", change, used, message)
        nothing = programs(directory / "nothing", PROGRAMS)
        check_fault(packages, directory, nothing, "no verifier", lambda release: None, key,
                    "minisign or openssl is required to verify the signature")
        print(f"install.sh: {2 * (len(faults) - 1) + 1} faulty releases are refused")


def programs(directory, names):
    """Creates a directory of links to programs, and returns it."""
    directory.mkdir()
    for name in names:
        if found := shutil.which(name):
            (directory / name).symlink_to(found)
    return directory


def check_fault(packages, directory, path, fault, change, key, message):
    """Executes install.sh on a changed copy of a release. A message is expected if it must fail."""
    release, prefix = directory / "release", directory / "prefix"
    for old in [release, prefix]:
        shutil.rmtree(old, ignore_errors=True)
    release.mkdir()
    for source in packages.iterdir():
        with contextlib.suppress(OSError):
            os.link(source, release / source.name)
    for name in ["SHA256SUMS", "SHA256SUMS.minisig", *(tarball.name for tarball in packages.glob("*-linux-*.tar.gz"))]:
        (release / name).unlink()
        shutil.copy(packages / name, release / name)
    change(release)
    with served(release) as address:
        result = subprocess.run(
            ["sh", packages / "install.sh"], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60,
            env={"PATH": str(path), "HOME": str(directory), "PREFIX": str(prefix), "APITEST_RELEASE": address,
                 "APITEST_PUBLIC_KEY": key})
    installed = (prefix / "bin/apitest").exists()
    if message is None and (result.returncode != 0 or not installed):
        raise Failed(f"install.sh, {fault}: exit status {result.returncode}\n{result.stdout}{result.stderr}")
    if message is not None and (result.returncode != 1 or installed or message not in result.stderr):
        raise Failed(f'install.sh, {fault}: expected "{message}" and exit status 1, got {result.returncode} and:\n'
                     f"{result.stdout}{result.stderr}")
