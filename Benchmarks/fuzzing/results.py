"""Compares the findings of runs with the faults of the applications, and prints the tables."""

import statistics


class Run:
    """One run of one tool on one application."""

    def __init__(self, application, tool, seed, found, first, seconds, requests, timed_out, status, note=""):
        self.application = application
        self.tool = tool
        self.seed = seed
        # The findings as a set of (operation, check), or None if the tool wrote no report.
        self.found = found
        self.first = first
        self.seconds = seconds
        self.requests = requests
        self.timed_out = timed_out
        self.status = status
        self.note = note

    def as_json(self):
        return dict(vars(self), found=None if self.found is None else sorted(self.found))


def covers(fault, finding):
    """Returns whether a finding, an (operation, check), is the fault."""
    operation, check = finding
    return check == fault["check"] and operation in fault["operations"]


def planted(run, application):
    """Returns the planted faults that a run has found, by their positions."""
    faults = application["planted"]
    return {index for index, fault in enumerate(faults) if any(covers(fault, one) for one in run.found or ())}


def false_alarms(run, application):
    """Returns the findings of a run that are neither planted nor another deviation of the application."""
    known = application["planted"] + application["also"]
    return {one for one in run.found or () if not any(covers(fault, one) for fault in known)}


def is_clean(application):
    return not application["planted"] and not application["also"]


def line(run, application):
    """Returns a line about a single run."""
    alarms = false_alarms(run, application)
    missed = [f for i, f in enumerate(application["planted"]) if i not in planted(run, application)]
    text = (f"{run.application}, {run.tool}, seed {run.seed}: {len(planted(run, application))} of "
            f"{len(application['planted'])} planted, {run.requests} requests, {run.seconds:.1f} s")
    if run.timed_out:
        text += ", stopped"
    if run.found is None:
        text += f", no report: {run.note}"
    for fault in missed:
        text += f"; missed {fault['check']} of {' or '.join(fault['operations'])}"
    for operation, check in sorted(alarms):
        text += f"; unexpected {check} of {operation}"
    return text


def _median(values):
    values = [value for value in values if value is not None]
    return statistics.median(values) if values else None


def _number(value, digits=1):
    return "–" if value is None else f"{value:,.{digits}f}"


def tables(runs, applications):
    """Returns the Markdown tables of all runs: totals by tool, and one line for each application."""
    names = list(dict.fromkeys(run.tool for run in runs))
    grouped = {}
    for run in runs:
        grouped.setdefault((run.application, run.tool), []).append(run)
    measured = [one for one in applications if all((one["name"], name) in grouped for name in names)]
    return "\n".join(_totals(names, grouped, measured) + [""] + _each(names, grouped, measured))


def _totals(names, grouped, applications):
    """Returns the lines of the table of totals: the sums of the medians over the seeds of each application."""
    total = sum(len(one["planted"]) for one in applications)
    clean = sum(map(is_clean, applications))
    lines = [f"{len(applications)} applications, {total} planted faults, {clean} applications without any deviation", "",
             "| tool | planted faults found | false alarms | on applications without deviation | no report | time "
             "| requests | requests/s | first finding |",
             "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |"]
    seconds, rates = {}, {}
    for name in names:
        found = alarms = quiet = requests = 0
        seconds[name] = 0.0
        missing, firsts = 0, []
        for one in applications:
            own = grouped[one["name"], name]
            found += _median([len(planted(run, one)) for run in own])
            wrong = _median([len(false_alarms(run, one)) for run in own])
            alarms += wrong
            quiet += wrong if is_clean(one) else 0
            requests += _median([run.requests for run in own])
            seconds[name] += _median([run.seconds for run in own])
            missing += any(run.found is None for run in own)
            firsts.append(_median([run.first for run in own]))
        rates[name] = requests / max(seconds[name], 0.001)
        lines.append(f"| {name} | {_number(found, 0)} of {total} | {_number(alarms, 0)} | {_number(quiet, 0)} | {missing} | "
                     f"{seconds[name]:,.0f} s | {requests:,.0f} | {_number(rates[name], 0)} | "
                     f"{_number(_median(firsts))} s |")
    if len(names) == 2:
        own, other = names
        shares = [_ratios(grouped[one["name"], own], grouped[one["name"], other]) for one in applications]
        lines += ["", f"{other} takes {seconds[other] / max(seconds[own], 0.001):.1f} times as long as {own}, and "
                  f"{_number(_median([time for time, _ in shares]))} times for the median application.",
                  f"{own} sends {rates[own] / max(rates[other], 0.001):.1f} times as many requests in a second as {other}, "
                  f"and {_number(_median([rate for _, rate in shares]))} times for the median application."]
    return lines


def _ratios(own, other):
    """Returns the quotients of the times, and of the numbers of requests in a second, so that more is better for this tool."""
    (time, requests), (other_time, other_requests) = [
        (_median([run.seconds for run in runs]), _median([run.requests for run in runs])) for runs in (own, other)]
    rate = (requests / time) / (other_requests / other_time) if requests and other_requests else None
    return other_time / time, rate


def _each(names, grouped, applications):
    headings = " | ".join(f"{name}: found | false alarms | requests | time" for name in names)
    lines = [f"| application | planted | {headings} |", "| --- | ---: |" + " ---: |" * 4 * len(names)]
    for one in applications:
        cells = [one["name"], str(len(one["planted"]))]
        for name in names:
            own = grouped[one["name"], name]
            cells += [_number(_median([len(planted(run, one)) for run in own]), 0),
                      _number(_median([len(false_alarms(run, one)) for run in own]), 0),
                      _number(_median([run.requests for run in own]), 0),
                      _number(_median([run.seconds for run in own])) + " s"]
        lines.append("| " + " | ".join(cells) + " |")
    return lines
