"""Makes the package for Debian and Ubuntu."""

import datetime
import email.utils
import os
import pathlib
import shutil
import subprocess
import tempfile
import textwrap

from components import components
from prefix import COMPLETIONS
from release import DESCRIPTION, LICENSE, MAINTAINER, NAME, SUMMARY, compressed, fill


def make(release):
    with tempfile.TemporaryDirectory() as directory:
        root = pathlib.Path(directory)
        root.chmod(0o755)
        copy_files(release, root / "usr")
        write_documentation(release, root / f"usr/share/doc/{NAME}")
        write(root / f"usr/share/lintian/overrides/{NAME}", fill("deb/lintian-overrides"))
        write_control(release, root)
        for path in [root, *root.rglob("*")]:
            os.utime(path, (release.epoch, release.epoch))
        target = release.output / f"{NAME}_{release.version}_{release.debian_architecture}.deb"
        subprocess.run(
            ["dpkg-deb", "--root-owner-group", "-Zxz", "-z1", "--build", root, target], check=True, stdout=subprocess.DEVNULL,
            env={**os.environ, "SOURCE_DATE_EPOCH": str(release.epoch)})


def copy_files(release, target):
    """Copies the files of the prefix, with those of zsh where Debian expects them."""
    for path in release.files():
        destination = target / path
        if str(path) == COMPLETIONS["zsh"]:
            destination = target / "share/zsh/vendor-completions" / path.name
        elif path.name == "LICENSE":
            continue
        destination.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(release.prefix / path, destination)


def write_documentation(release, directory):
    """Writes the copyright file and the changelog that Debian's policy requires."""
    parts = "".join(
        f"\n {component.name} {component.version}: {component.license}" for component in components(release.dependencies))
    time = datetime.datetime.fromtimestamp(release.epoch, datetime.timezone.utc)
    write(directory / "copyright", fill("deb/copyright", PARTS=parts, LICENSE=LICENSE, YEAR=str(time.year)))
    entry = fill(
        "deb/changelog", VERSION=release.version, MAINTAINER=MAINTAINER, DATE=email.utils.format_datetime(time))
    write(directory / "changelog.gz", compressed(entry.encode(), level=9))


def write_control(release, root):
    """Writes the control file and the checksums of the installed files."""
    files = sorted(path for path in root.rglob("*") if path.is_file())
    description = "\n ".join(textwrap.wrap(DESCRIPTION, 78))
    control = fill(
        "deb/control", VERSION=release.version, ARCHITECTURE=release.debian_architecture, MAINTAINER=MAINTAINER,
        GLIBC=release.glibc, SUMMARY=SUMMARY, DESCRIPTION=description,
        SIZE=str(sum(-(-path.stat().st_size // 1024) for path in files)))
    sums = subprocess.run(
        ["md5sum", *(path.relative_to(root) for path in files)], check=True, stdout=subprocess.PIPE, cwd=root).stdout
    write(root / "DEBIAN/control", control)
    write(root / "DEBIAN/md5sums", sums)


def write(path, data):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data.encode() if isinstance(data, str) else data)
