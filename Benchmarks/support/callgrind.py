"""Instructions by stage of a run, counted by valgrind's callgrind."""

import collections
import re
import subprocess

from support import measure, programs, stages

REST = "start, task switches and everything else"
# The instructions of the runtime count for the function that called it, through at most this many calls.
DEPTH = 40


def count(program, arguments, directory):
    """Runs the program under callgrind and returns the instructions of each stage.

    A function belongs to the stage of its module; what belongs to none (the runtime, the allocator, libc) counts for those
    that called it, as much as each has caused.
    """
    data = f"{directory}/callgrind.out"
    measure.run(
        [programs.need("valgrind", "valgrind"), "--tool=callgrind", f"--callgrind-out-file={data}", program, *arguments],
        f"{directory}/callgrind.txt", timeout=300, directory=directory)
    own, calls = read(data)
    names = stages.demangle(own.keys() | {callee for _, callee in calls})
    stage = {name: stage_of(name, text) for name, text in names.items()}
    return shared(own, calls, stage)


def stage_of(name, text):
    """Returns the stage of a function, or None."""
    module = stages.module(re.sub(r"'\d+$", "", text))
    return stages.STAGES.get(module) or next((s for prefix, s in stages.C_STAGES if name.startswith(prefix)), None)


def read(path):
    """Returns each function's own instructions, and those of each call from one function to another."""
    names, own, calls = {}, collections.Counter(), collections.Counter()

    def name(text):
        number, _, rest = text.partition(" ")
        if rest:
            names[number] = re.sub(r"'\d+$", "", rest)
        return names[number]

    function = callee = None
    is_call = False
    with open(path, encoding="utf-8", errors="replace") as file:
        for line in file:
            if line[0] in "0123456789+-*":
                parts = line.split()
                if len(parts) < 2 or function is None:
                    continue
                if is_call:
                    calls[function, callee] += int(parts[1])
                    is_call = False
                else:
                    own[function] += int(parts[1])
            elif line.startswith("fn="):
                function = name(line[3:].rstrip("\n"))
            elif line.startswith("cfn="):
                callee = name(line[4:].rstrip("\n"))
            elif line.startswith("calls="):
                is_call = True
    return own, calls


def shared(own, calls, stage):
    """Returns the instructions of each stage. Those of functions without a stage are distributed among their callers."""
    callers = collections.defaultdict(dict)
    for (caller, callee), cost in calls.items():
        if caller != callee and cost and stage.get(callee) is None:
            callers[callee][caller] = cost
    totals, left = collections.Counter(), collections.Counter()
    for name, cost in own.items():
        if stage.get(name):
            totals[stage[name]] += cost
        else:
            left[name] += cost
    for _ in range(DEPTH):
        moved = collections.Counter()
        for name, cost in left.items():
            total = sum(callers[name].values())
            if not total:
                totals[REST] += cost
                continue
            for caller, weight in callers[name].items():
                part = cost * weight / total
                if stage.get(caller):
                    totals[stage[caller]] += part
                else:
                    moved[caller] += part
        left = moved
    totals[REST] += sum(left.values())
    return totals
