"""The files that packages install: the program, manual pages, completions and licenses."""

import os
import shutil
import subprocess

from components import components
from release import NAME, PROJECT, compressed, output_of

# The directory of each shell that it searches for completions, and the name of the file.
COMPLETIONS = {
    "bash": "share/bash-completion/completions/apitest",
    "zsh": "share/zsh/site-functions/_apitest",
    "fish": "share/fish/vendor_completions.d/apitest.fish",
}


def make(release):
    """Writes the files under the prefix of a release."""
    shutil.rmtree(release.prefix, ignore_errors=True)
    install(release, f"bin/{NAME}", release.program.read_bytes(), 0o755)
    make_manual(release)
    for shell, path in COMPLETIONS.items():
        install(release, path, output_of(release.program, "completions", shell).encode())
    documentation = f"share/doc/{NAME}"
    install(release, f"{documentation}/LICENSE", (PROJECT / "LICENSE").read_bytes())
    for component in components(release.dependencies):
        text = f"{component.name} {component.version}: {component.license}\n\n{component.text}"
        install(release, f"{documentation}/licenses/{component.name}.txt", text.encode())


def make_manual(release):
    """Writes the manual pages of all commands, compressed."""
    directory = release.prefix / "share/man/man1"
    subprocess.run(
        [PROJECT / "packaging/man/make.py", release.program, directory], check=True,
        env={**os.environ, "SOURCE_DATE_EPOCH": str(release.epoch)})
    for page in sorted(directory.iterdir()):
        install(release, f"share/man/man1/{page.name}.gz", compressed(page.read_bytes(), level=9))
        page.unlink()


def install(release, name, data, mode=0o644):
    """Writes a file under the prefix."""
    path = release.prefix / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    path.chmod(mode)
