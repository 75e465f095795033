"""Makes the tarball, and the script that downloads, verifies and installs it."""

from release import Archive, fill


def make(release):
    root = release.tarball.removesuffix(".tar.gz")
    archive = Archive(release.epoch)
    for path in release.files():
        source = release.prefix / path
        archive.add(f"{root}/{path}", source.read_bytes(), source.stat().st_mode & 0o777)
    (release.output / release.tarball).write_bytes(archive.compressed())
    script = fill(
        "tarball/install.sh", VERSION=release.version, ADDRESS=release.address, PUBLIC_KEY=release.public_key)
    target = release.output / "install.sh"
    target.write_text(script)
    target.chmod(0o755)
