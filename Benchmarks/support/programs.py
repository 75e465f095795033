"""The programs that are compared, and the suites that apitest runs."""

import os
import shutil
import subprocess

from support.measure import Failed, Missing
from support.server import ITEMS

PROJECT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def need(name, package):
    """Returns the path of a program, or fails with a message that names the package to install."""
    path = shutil.which(name)
    if path is None:
        raise Missing(f"{name} is missing (Debian and Ubuntu: apt-get install {package})")
    return path


def build_apitest():
    """Builds apitest as it is shipped and returns the path of the program with its symbols."""
    print("building: release/run", flush=True)
    try:
        subprocess.run([os.path.join(PROJECT, "release", "run")], check=True, timeout=3600)
    except (subprocess.SubprocessError, OSError) as error:
        raise Failed(f"apitest could not be built: {error}") from error
    # The file before stripping, because profiles need its symbols.
    return os.path.join(PROJECT, ".build", "release", "apitest")


def build_load(name, scratch, package="session-package"):
    """Builds one of the load programs of session-package, or another, for release and returns its path.

    It is built like apitest. `scratch` is the build directory; None uses SwiftPM's default.
    """
    command = ["swift", "build", "-c", "release", "--static-swift-stdlib", "--product", name,
               "--package-path", os.path.join(PROJECT, "Benchmarks", package)]
    if scratch:
        command += ["--scratch-path", scratch]
    print("building:", " ".join(command), flush=True)
    try:
        subprocess.run(command, check=True, timeout=3600)
        path = subprocess.run(
            command + ["--show-bin-path"], check=True, timeout=600, capture_output=True, text=True)
    except (subprocess.SubprocessError, OSError) as error:
        raise Failed(f"{name} could not be built: {error}") from error
    return f"{path.stdout.strip()}/{name}"


def stripped(program, directory):
    """Returns a copy of the program without its symbols, as it is shipped."""
    copy = f"{directory}/apitest"
    subprocess.run([need("strip", "binutils"), "-o", copy, program], check=True, timeout=120)
    return copy


def build_reference(directory):
    """Compiles the libcurl reference program and returns its path."""
    return _compile("multi.c", f"{directory}/multi", ["-lcurl"], "libcurl4-openssl-dev")


def build_events(directory):
    """Compiles the libyaml reference program and returns its path."""
    return _compile("events.c", f"{directory}/events", ["-lyaml"], "libyaml-dev")


def build_delayed_server(directory):
    """Compiles the server with latency and returns its path."""
    return _compile("delayed.c", f"{directory}/delayed", [], "libc6-dev")


def build_allocation_counter(directory):
    """Compiles the preloaded library that counts allocations, and returns its path."""
    return _compile("allocations.c", f"{directory}/allocations.so", ["-shared", "-fPIC"], "libc6-dev")


def build_file_writer(directory):
    """Compiles the program that creates many small files, and returns its path."""
    return _compile("files.c", f"{directory}/files", [], "libc6-dev")


def _compile(name, program, arguments, package):
    source = os.path.join(PROJECT, "Benchmarks", "reference", name)
    compiler = shutil.which("cc") or shutil.which("clang") or shutil.which("gcc")
    if compiler is None:
        raise Missing("no C compiler was found (Debian and Ubuntu: apt-get install gcc)")
    result = subprocess.run(
        [compiler, "-O2", "-Wall", "-o", program, source, *arguments], capture_output=True, text=True, timeout=120)
    if result.returncode != 0:
        raise Missing(
            f"{name} could not be compiled (Debian and Ubuntu: apt-get install {package}):\n{result.stderr}")
    return program


def write_suite(path, count, address):
    """Writes a suite of `count` written-out tests: a GET, its status, one JSONPath."""
    with open(path, "w", encoding="utf-8") as file:
        file.write(f"name: Items\nbaseURL: {address}\ntests:\n")
        for number in range(count):
            item = number % ITEMS + 1
            file.write(
                f"  - name: item {number + 1}\n"
                f"    request: GET /items/{item}\n"
                "    expect:\n"
                "      status: 200\n"
                "      json:\n"
                f"        $.id: {item}\n")


def version(program, *arguments):
    """Returns the first line of a program's version."""
    result = subprocess.run(
        [program, *arguments], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        timeout=30)
    return (result.stdout.splitlines() or ["?"])[0].strip()
