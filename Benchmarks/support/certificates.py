"""Certificates for the servers of the benchmarks."""

import shutil
import subprocess

from support.measure import Failed


def make(directory):
    """Creates an authority and a certificate from it for 127.0.0.1, with keys on the curve P-256.

    Writes authority.pem, server.pem and server.key to the directory and returns the path of the first.
    """
    if shutil.which("openssl") is None:
        raise Failed("openssl is missing (Debian and Ubuntu: apt-get install openssl)")
    with open(f"{directory}/server.ext", "w", encoding="utf-8") as file:
        file.write("subjectAltName=IP:127.0.0.1\nbasicConstraints=CA:FALSE\nextendedKeyUsage=serverAuth\n")
    key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
    _openssl(
        directory, "req", "-x509", *key, "-keyout", "authority.key", "-out", "authority.pem", "-days", "2", "-sha256",
        "-subj", "/CN=Benchmark Authority", "-addext", "basicConstraints=critical,CA:TRUE")
    _openssl(directory, "req", "-new", *key, "-keyout", "server.key", "-out", "server.csr", "-subj", "/CN=127.0.0.1")
    _openssl(
        directory, "x509", "-req", "-in", "server.csr", "-CA", "authority.pem", "-CAkey", "authority.key",
        "-CAcreateserial", "-out", "server.pem", "-days", "2", "-sha256", "-extfile", "server.ext")
    return f"{directory}/authority.pem"


def _openssl(directory, *arguments):
    result = subprocess.run(
        ["openssl", *arguments], cwd=directory, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60)
    if result.returncode != 0:
        raise Failed(f"openssl {arguments[0]} failed:\n{result.stderr}")
