"""Makes the wheel, which contains the program instead of Python code."""

import base64
import hashlib
import io
import time
import zipfile

from release import DESCRIPTION, LICENSE, NAME, SUMMARY


def make(release):
    tag = f"py3-none-manylinux_{release.glibc.replace('.', '_')}_{release.architecture}"
    base = f"{NAME}-{release.version}"
    information = f"{base}.dist-info"
    files = {}
    for path in release.files():
        data = (release.prefix / path).read_bytes()
        if path.parts[0] == "bin":
            # pip installs these in the directory of executable files.
            files[f"{base}.data/scripts/{path.name}"] = data
        elif path.parts[:2] == ("share", "doc"):
            files[f"{information}/licenses/{path.relative_to(f'share/doc/{NAME}')}"] = data
        else:
            files[f"{base}.data/data/{path}"] = data
    licenses = "".join(
        f"License-File: {name.removeprefix(information + '/licenses/')}\n" for name in files if "/licenses/" in name)
    files[f"{information}/METADATA"] = (
        f"Metadata-Version: 2.4\nName: {NAME}\nVersion: {release.version}\nSummary: {SUMMARY}\n"
        f"License-Expression: {LICENSE}\n{licenses}Classifier: Environment :: Console\n"
        "Classifier: Operating System :: POSIX :: Linux\nClassifier: Topic :: Software Development :: Testing\n"
        f"Requires-Python: >=3.8\nDescription-Content-Type: text/plain\n\n{DESCRIPTION}\n").encode()
    files[f"{information}/WHEEL"] = (
        f"Wheel-Version: 1.0\nGenerator: apitest packaging\nRoot-Is-Purelib: false\nTag: {tag}\n").encode()
    record = f"{information}/RECORD"
    files[record] = "".join(
        f"{name},sha256={digest(data)},{len(data)}\n" for name, data in files.items()).encode() + f"{record},,\n".encode()
    (release.output / f"{base}-{tag}.whl").write_bytes(archive(release, files))


def digest(data):
    return base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()


def archive(release, files):
    """Returns a ZIP archive of files, which has the same bytes in every build."""
    result = io.BytesIO()
    # The format cannot express times before 1980.
    date = time.gmtime(max(release.epoch, 315532800))[:6]
    with zipfile.ZipFile(result, "w", zipfile.ZIP_DEFLATED, compresslevel=6) as file:
        for name, data in files.items():
            member = zipfile.ZipInfo(name, date)
            member.compress_type = zipfile.ZIP_DEFLATED
            member.create_system = 3
            member.external_attr = (0o100755 if "/scripts/" in name else 0o100644) << 16
            file.writestr(member, data)
    return result.getvalue()
