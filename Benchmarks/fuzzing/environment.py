"""schemathesis and the applications of its test suite, in their own environment."""

import glob
import os
import subprocess
import sys
import tarfile

VERSION = "4.32.5"
# The applications import schemathesis, Flask or FastAPI. waitress and uvicorn serve them.
PACKAGES = (f"schemathesis=={VERSION}", "aiohttp", "fastapi", "flask", "uvicorn", "waitress")


class Missing(Exception):
    """A program for the comparison cannot be installed."""


class Environment:
    """The paths of the programs and of the applications' source."""

    def __init__(self, directory):
        self.directory = os.path.abspath(directory)
        self.python = f"{self.directory}/venv/bin/python"
        self.schemathesis = f"{self.directory}/venv/bin/schemathesis"
        self.source = f"{self.directory}/schemathesis-{VERSION}"

    def install(self):
        """Installs the packages and the source distribution on first use.

        Raises Missing if they cannot be installed.
        """
        os.makedirs(self.directory, exist_ok=True)
        if not os.path.exists(self.schemathesis):
            print("installing:", " ".join(PACKAGES), flush=True)
            self._run([sys.executable, "-m", "venv", f"{self.directory}/venv"])
            self._run([self.python, "-m", "pip", "install", "--quiet", *PACKAGES])
        if not os.path.isdir(f"{self.source}/test/apps"):
            # Only the source distribution has the applications.
            self._run([self.python, "-m", "pip", "download", "--quiet", "--no-deps", "--no-binary", "schemathesis",
                       "--dest", self.directory, f"schemathesis=={VERSION}"])
            archives = glob.glob(f"{self.directory}/schemathesis-{VERSION}.tar.gz")
            if not archives:
                raise Missing(f"pip downloaded no source distribution of schemathesis {VERSION}")
            with tarfile.open(archives[0]) as archive:
                archive.extractall(self.directory, filter="data")
        return self

    def install_external(self, name, requirements):
        """Returns the Python of an environment with the requirements of another application.

        Raises Missing if they cannot be installed.
        """
        directory = f"{self.directory}/{name}"
        python, done = f"{directory}/bin/python", f"{directory}/installed"
        if not os.path.exists(done):
            print("installing:", requirements, flush=True)
            self._run([sys.executable, "-m", "venv", directory])
            # Old versions of Connexion need setuptools at run time.
            self._run([python, "-m", "pip", "install", "--quiet", "setuptools<70", "-r", requirements])
            with open(done, "w", encoding="utf-8"):
                pass
        return python

    def _run(self, command):
        try:
            subprocess.run(command, check=True, timeout=900, stdin=subprocess.DEVNULL)
        except (OSError, subprocess.SubprocessError) as error:
            raise Missing(f"a package could not be installed: {error}") from error
