"""Makes the recipe for the user repository of Arch Linux. It is not tested."""

from release import LICENSE, SUMMARY, fill, sha256


def make(release):
    (release.output / "PKGBUILD").write_text(fill(
        "aur/PKGBUILD", VERSION=release.version, SUMMARY=SUMMARY[0].upper() + SUMMARY[1:], LICENSE=LICENSE,
        ADDRESS=release.address, GLIBC=release.glibc, ARCHITECTURE=release.architecture,
        SHA256=sha256((release.output / release.tarball).read_bytes())))
