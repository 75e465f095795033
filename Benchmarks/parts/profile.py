"""The instructions of a test by stage."""

import os
import shutil
import subprocess

from support import callgrind, programs, suites
from support.bench import IN_FLIGHT

TITLE = "Profile"


def measure_part(bench, section):
    if shutil.which("valgrind") is None:
        section.skip("instructions by stage", "valgrind is not installed (Debian and Ubuntu: apt-get install valgrind)")
        return
    # Symbols are sufficient, and valgrind does not understand all of Swift's debugging information.
    program = f"{bench.directory}/apitest-symbols"
    subprocess.run(
        [programs.need("strip", "binutils"), "-g", "-o", program, bench.options.program], check=True, timeout=120)
    if not has_symbols(program):
        section.skip("instructions by stage", f"{os.path.basename(bench.options.program)} has no symbols")
        return
    few, many = bench.pick(500, 200), bench.pick(2_500, 1_200)
    counts = []
    for count in (few, many):
        suite = suites.write_rows(bench.directory, "profiled", count, bench.nginx.address)
        counts.append(callgrind.count(
            program, ["--jobs", str(IN_FLIGHT), "--report", f"junit={bench.directory}/profile.xml", "--report",
                      f"json={bench.directory}/profile.jsonl", suite], bench.directory))
    less, more = counts
    each = {stage: (more[stage] - less[stage]) / (many - few) for stage in more}
    total = sum(each.values())
    section.table(
        f"Instructions per test, as the difference of {many:,} and {few:,} tests, including calls to the runtime "
        "and the allocator, without the kernel", ("stage", "instructions", "share"),
        [*((stage, f"{value:,.0f}", f"{value / total:.1%}") for stage, value in sorted(each.items(), key=lambda item: -item[1])),
         ("all", f"{total:,.0f}", "")])
    start = sum(less.values()) - few * total
    section.note("instructions of a run before and after its tests, million", [start / 1e6])


def has_symbols(program):
    result = subprocess.run(["nm", program], capture_output=True, text=True, timeout=60)
    return "$s7apitest" in result.stdout
