"""The facts of a release that all packages share, and archives with the same bytes in every build."""

import dataclasses
import datetime
import gzip
import hashlib
import io
import os
import pathlib
import subprocess
import tarfile

PROJECT = pathlib.Path(__file__).resolve().parent.parent

NAME = "apitest"
SUMMARY = "declarative API tests for Linux"
DESCRIPTION = (
    "You write requests and expectations in YAML; apitest runs them concurrently, explains every failure, and writes the "
    "report that your CI reads."
)
LICENSE = "Apache-2.0"
MAINTAINER = os.environ.get("APITEST_MAINTAINER", "apitest maintainers <maintainers@apitest.invalid>")

# The name of each architecture: that of uname, of Debian, of Node.js and of OCI.
ARCHITECTURES = {"x86_64": ("amd64", "x64", "amd64"), "aarch64": ("arm64", "arm64", "arm64")}


@dataclasses.dataclass
class Release:
    """A release: the program, the directory tree that its packages install, and the directory of the packages."""

    # The program.
    program: pathlib.Path
    # The installed files, as under /usr: bin/apitest, share/man/man1/apitest.1 and so on.
    prefix: pathlib.Path
    # The directory that packages are written to.
    output: pathlib.Path
    # The Swift packages, as from `swift package show-dependencies --format json`.
    dependencies: dict
    version: str
    # The required version of glibc, such as 2.36.
    glibc: str
    # The architecture, as uname names it.
    architecture: str
    # The time of the commit, which replaces the times of all files.
    epoch: int
    # The public key of the signatures, or an empty string if there are none.
    public_key: str
    # The address of the directory that contains the published packages.
    address: str

    @property
    def debian_architecture(self):
        return ARCHITECTURES[self.architecture][0]

    @property
    def node_architecture(self):
        return ARCHITECTURES[self.architecture][1]

    @property
    def oci_architecture(self):
        return ARCHITECTURES[self.architecture][2]

    @property
    def tarball(self):
        """The name of the tarball, which other packages refer to."""
        return f"{NAME}-{self.version}-linux-{self.architecture}.tar.gz"

    def files(self):
        """Returns the installed files in order, each as its path under the prefix."""
        return sorted(path.relative_to(self.prefix) for path in self.prefix.rglob("*") if path.is_file())


def output_of(*command, **options):
    """Returns the standard output of a command that must succeed."""
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, **options).stdout


def sha256(data):
    return hashlib.sha256(data).hexdigest()


def timestamp(epoch):
    """Returns a time in the format of RFC 3339."""
    return datetime.datetime.fromtimestamp(epoch, datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")


class Archive:
    """A tar archive whose bytes depend only on the names, modes and contents of its members."""

    def __init__(self, epoch):
        self.epoch = epoch
        self.data = io.BytesIO()
        self.tar = tarfile.open(fileobj=self.data, mode="w", format=tarfile.GNU_FORMAT)
        self.directories = set()

    def add(self, name, data, mode=0o644):
        """Adds a file, and before it its directories."""
        self._add_parents(name)
        member = self._member(name, mode)
        member.size = len(data)
        self.tar.addfile(member, io.BytesIO(data))

    def add_directory(self, name, mode=0o755, owner=0):
        self._add_parents(name)
        self.directories.add(name)
        member = self._member(name, mode, owner)
        member.type = tarfile.DIRTYPE
        self.tar.addfile(member)

    def add_link(self, name, target):
        self._add_parents(name)
        member = self._member(name, 0o777)
        member.type, member.linkname = tarfile.SYMTYPE, target
        self.tar.addfile(member)

    def contents(self):
        """Returns the archive, uncompressed."""
        self.tar.close()
        return self.data.getvalue()

    def compressed(self):
        """Returns the archive, compressed with gzip."""
        return compressed(self.contents())

    def _add_parents(self, name):
        parent = os.path.dirname(name)
        if parent and parent not in self.directories:
            self.add_directory(parent)

    def _member(self, name, mode, owner=0):
        member = tarfile.TarInfo(name)
        member.mode, member.mtime, member.uid, member.gid = mode, self.epoch, owner, owner
        return member


def compressed(data, level=6):
    """Returns data compressed with gzip, without the time."""
    return gzip.compress(data, compresslevel=level, mtime=0)


def fill(template, **values):
    """Returns a template with a value in place of each @NAME@."""
    text = (PROJECT / "packaging" / template).read_text()
    for name, value in values.items():
        text = text.replace(f"@{name}@", value)
    return text
