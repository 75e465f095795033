"""Makes the formula for Homebrew on Linux. It is not tested."""

from release import LICENSE, NAME, SUMMARY, fill, sha256


def make(release):
    (release.output / f"{NAME}.rb").write_text(fill(
        "homebrew/apitest.rb", VERSION=release.version, SUMMARY=SUMMARY[0].upper() + SUMMARY[1:], LICENSE=LICENSE,
        ADDRESS=release.address, TARBALL=release.tarball, GLIBC=release.glibc, ARCHITECTURE=release.architecture,
        SHA256=sha256((release.output / release.tarball).read_bytes())))
