"""Makes the container image as an archive of an OCI image layout, without a daemon.

The image contains the program, the C library, the libraries that the program loads if a response needs them, the
certificate authorities and the time zones, but no shell. Except for the program, the files are those of this system.
"""

import json
import pathlib
import re
import subprocess

from release import LICENSE, NAME, SUMMARY, Archive, compressed, output_of, sha256, timestamp

# The user and the group of the process, which are not those of a person or a service.
USER = 65532
# Libraries that the program loads at run time: for XPath, and for responses in br and zstd.
LOADED = ["libxml2.so.2", "libbrotlidec.so.1", "libzstd.so.1"]
PASSWD = f"root:x:0:0:root:/root:/usr/sbin/nologin\n{NAME}:x:{USER}:{USER}:{NAME}:/work:/usr/sbin/nologin\n"
GROUP = f"root:x:0:\n{NAME}:x:{USER}:\n"
CERTIFICATES = "etc/ssl/certs/ca-certificates.crt"
ZONES = pathlib.Path("/usr/share/zoneinfo")


def make(release):
    layer = make_layer(release).contents()
    packed = compressed(layer)
    blobs = {}
    configuration = add(blobs, {
        "architecture": release.oci_architecture,
        "os": "linux",
        "created": timestamp(release.epoch),
        "config": {
            "User": f"{USER}:{USER}",
            "Env": ["PATH=/usr/bin"],
            "Entrypoint": [NAME],
            "WorkingDir": "/work",
            "Labels": {
                "org.opencontainers.image.title": NAME,
                "org.opencontainers.image.description": SUMMARY,
                "org.opencontainers.image.licenses": LICENSE,
                "org.opencontainers.image.version": release.version,
            },
        },
        "rootfs": {"type": "layers", "diff_ids": [f"sha256:{sha256(layer)}"]},
        "history": [{"created": timestamp(release.epoch), "created_by": "packaging/oci"}],
    }, "application/vnd.oci.image.config.v1+json")
    blobs[sha256(packed)] = packed
    manifest = add(blobs, {
        "schemaVersion": 2,
        "mediaType": "application/vnd.oci.image.manifest.v1+json",
        "config": configuration,
        "layers": [descriptor(packed, "application/vnd.oci.image.layer.v1.tar+gzip")],
    }, "application/vnd.oci.image.manifest.v1+json")
    manifest["annotations"] = {"org.opencontainers.image.ref.name": f"{NAME}:{release.version}"}
    archive = Archive(release.epoch)
    archive.add("oci-layout", json.dumps({"imageLayoutVersion": "1.0.0"}).encode())
    archive.add("index.json", json.dumps({"schemaVersion": 2, "manifests": [manifest]}).encode())
    for digest, data in sorted(blobs.items()):
        archive.add(f"blobs/sha256/{digest}", data)
    name = f"{NAME}-{release.version}-linux-{release.architecture}.oci.tar"
    (release.output / name).write_bytes(archive.contents())


def make_layer(release):
    """Returns the root file system."""
    archive = Archive(release.epoch)
    archive.add_directory("tmp", 0o1777)
    archive.add_directory("work", 0o755, USER)
    archive.add("etc/passwd", PASSWD.encode())
    archive.add("etc/group", GROUP.encode())
    archive.add("etc/nsswitch.conf", b"hosts: files dns\n")
    archive.add(CERTIFICATES, pathlib.Path("/", CERTIFICATES).read_bytes())
    archive.add(f"usr/bin/{NAME}", release.program.read_bytes(), 0o755)
    for path in release.files():
        if path.parts[:2] == ("share", "doc"):
            archive.add(f"usr/{path}", (release.prefix / path).read_bytes())
    packages = {package_of(pathlib.Path("/", CERTIFICATES).parent), package_of(ZONES)}
    for name, path in sorted(libraries(release.program).items()):
        archive.add(name.lstrip("/"), path.read_bytes(), 0o755)
        packages.add(package_of(path))
    for package in sorted(packages):
        archive.add(f"usr/share/doc/{package}/copyright", pathlib.Path("/usr/share/doc", package, "copyright").read_bytes())
    for path in sorted(ZONES.rglob("*")):
        # The same zones in other forms, and lists that the program does not read.
        if path.relative_to(ZONES).parts[0] in ("posix", "right") or not path.is_file() or path.is_symlink():
            continue
        if path.read_bytes()[:4] == b"TZif":
            archive.add(str(path).lstrip("/"), path.read_bytes())
    return archive


def libraries(program):
    """Returns the libraries that the program needs and loads: paths in the image, and files of this system."""
    cache = output_of("/sbin/ldconfig", "-p")
    roots = [program]
    for name in LOADED:
        found = re.search(rf"^\t{re.escape(name)} .*=> (\S+)$", cache, re.M)
        if not found:
            raise SystemExit(f"packaging/oci: {name} is missing (Debian, Ubuntu: libxml2, libbrotli1, libzstd1)")
        roots.append(pathlib.Path(found[1]))
    result = {str(path): path.resolve() for path in roots[1:]}
    for root in roots:
        for path in re.findall(r"^\s+(?:\S+ => )?(/\S+) \(", output_of("ldd", root), re.M):
            result[path] = pathlib.Path(path).resolve()
    return result


def package_of(path):
    """Returns the package of this system that a file belongs to."""
    for name in (str(path), str(path).removeprefix("/usr")):
        found = subprocess.run(["dpkg-query", "--search", name], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        if found.returncode == 0:
            return found.stdout.splitlines()[0].split(":")[0].split(",")[0]
    raise SystemExit(f"packaging/oci: {path} does not belong to a package")


def add(blobs, document, media_type):
    """Adds a JSON document to the blobs, and returns its descriptor."""
    data = json.dumps(document).encode()
    blobs[sha256(data)] = data
    return descriptor(data, media_type)


def descriptor(data, media_type):
    return {"mediaType": media_type, "digest": f"sha256:{sha256(data)}", "size": len(data)}
