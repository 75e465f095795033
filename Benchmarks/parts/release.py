"""The size of the program, of its parts, and the system libraries that it loads."""

import os
import re
import subprocess
import sys

from support import measure, programs

TITLE = "Release"
SIZE = os.path.join(programs.PROJECT, "Benchmarks", "size")


def measure_part(bench, section):
    size = os.path.getsize(bench.apitest)
    text = output(programs.need("readelf", "binutils"), "-d", bench.apitest)
    names = re.findall(r"\(NEEDED\).*\[(.+)\]", text)
    section.text(f"{size / 1e6:.1f} MB without symbols. Libraries that it loads: "
                 + (", ".join(f"`{name}`" for name in names) or "none") + ".")
    # release/run leaves the linker's map in .build, and the program in .build/release.
    linked = os.path.join(os.path.dirname(os.path.dirname(bench.options.program)), "release.map")
    if os.path.exists(linked):
        tables = output(sys.executable, SIZE, "--map", linked, "--program", bench.apitest, "--top", "24")
        section.text(tables.partition("\n\n")[2].strip())
    else:
        section.skip("the size by module", "the program was not built by release/run, which leaves a map of it")


def output(*command):
    result = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120)
    if result.returncode != 0:
        raise measure.Failed(f"{os.path.basename(command[0])} failed: {result.stderr[:300]}")
    return result.stdout
