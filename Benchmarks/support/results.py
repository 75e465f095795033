"""The results of a benchmark run as Markdown: targets with their figures, tables, and skipped parts."""

import re

from support.measure import median


class Target:
    """A figure and its limit, if it has one."""

    def __init__(self, part, name, values, relation="", limit=None, unit="", counts=True):
        self.part = part
        self.name = name
        self.values = values
        self.relation = relation
        self.limit = limit
        self.unit = unit
        self.counts = counts

    @property
    def verdict(self):
        if self.limit is None or not self.values:
            return ""
        value = median(self.values)
        is_met = value >= self.limit if self.relation == "≥" else value <= self.limit
        verdict = "met" if is_met else "**missed**"
        return verdict if self.counts else f"({verdict.strip('*')}: quick)"

    @property
    def wanted(self):
        return "" if self.limit is None else f"{self.relation} {number(self.limit)}{self.unit}"

    @property
    def measured(self):
        if not self.values:
            return "skipped"
        text = f"{number(median(self.values))}{self.unit}"
        if len(self.values) > 1:
            text += f" ({number(min(self.values))}–{number(max(self.values))})"
        return text


class Section:
    """One part of the benchmark: its figures, tables and explanations."""

    def __init__(self, part, title, is_quick):
        self.part = part
        self.title = title
        self.is_quick = is_quick
        self.targets = []
        self.notes = []
        self.lines = []
        self.measured = ""

    def target(self, name, values, relation, limit, unit="", counts=True):
        """Adds a figure with a target: the values of the repetitions. The median counts.

        If `counts` is false, the figure was measured at a smaller size than that of the target.
        """
        self.targets.append(Target(self.part, name, values, relation, limit, unit, counts))

    def note(self, name, values, unit=""):
        """Adds a figure without a target."""
        self.notes.append(Target(self.part, name, values, unit=unit))

    def text(self, paragraph):
        self.lines += [paragraph, ""]

    def skip(self, what, why):
        """Adds a note that something could not be measured."""
        self.text(f"**Skipped: {what}**: {why}")

    def table(self, title, head, rows):
        """Adds a table. Columns after the first are numbers and aligned right."""
        if title:
            self.lines += [f"### {title}", ""]
        self.lines += table(head, rows) + [""]

    def costs(self, title, series, requests=None, floor=0):
        """Adds a table of the costs of programs. `requests` is the number that each sent."""
        rows = []
        for one in series:
            walls, peak = one.of("wall"), one.median("peak")
            rate = f"{requests / one.median('wall'):,.0f}" if requests and one.median("requests") else ""
            memory = f"{peak / 1e6:.0f} MB" if peak > floor * 1.02 else f"< {floor / 1e6:.0f} MB"
            rows.append((one.name, seconds(one.median("wall"), walls), rate, seconds(one.median("cpu")), memory,
                         f"{one.median('connections'):.0f}"))
        self.table(title, ("program", "time (minimum–maximum)", "requests/s", "CPU, user + system", "peak memory",
                           "connections"), rows)

    def render(self):
        lines = [f"## {self.title}", "", *self.lines]
        if self.notes:
            lines += [*table(("further figures", "measured (minimum–maximum)"),
                             [(note.name, note.measured) for note in self.notes]), ""]
        if self.measured:
            lines += [self.measured, ""]
        return "\n".join(lines)


def table(head, rows):
    """Returns the lines of a Markdown table."""
    return [f"| {' | '.join(head)} |", f"| --- |{' ---: |' * (len(head) - 1)}"] + \
        [f"| {' | '.join(str(cell) for cell in row)} |" for row in rows]


def number(value):
    """Returns a number with a meaningful number of digits."""
    return f"{value:,.0f}" if abs(value) >= 100 or value == int(value) else f"{value:,.2g}" if abs(value) < 0.1 \
        else f"{value:,.2f}"


def seconds(value, values=None):
    """Returns a time, with the minimum and maximum of several."""
    text = f"{value:,.1f} s" if value >= 10 else f"{value * 1000:,.0f} ms" if value >= 0.1 else f"{value * 1000:.1f} ms"
    if values and len(values) > 1:
        text += f" ({seconds(min(values))}–{seconds(max(values))})"
    return text


TARGETS_HEAD = ("part", "target", "limit", "measured (minimum–maximum)", "")


def target_rows(targets):
    return [(target.part, target.name, target.wanted, target.measured, target.verdict) for target in targets]


class Document:
    """RESULTS.md: its head, the table of all targets, a section for each part, and the remarks, which are kept."""

    REMARKS = "## Remarks"

    def __init__(self, path):
        self.path = path
        self.head = ""
        self.rows = {}
        self.sections = {}
        self.remarks = self.REMARKS + "\n"
        try:
            with open(path, encoding="utf-8") as file:
                self._read(file.read())
        except FileNotFoundError:
            pass

    def _read(self, text):
        """Reads the parts of the file that are kept: sections that are not measured again, and everything from the remarks on."""
        text, mark, remarks = text.partition(self.REMARKS)
        if mark:
            self.remarks = mark + remarks.rstrip() + "\n"
        self.head, *sections = re.split(r"^(?=## )", text, flags=re.M)
        for section in sections:
            title = section.split("\n", 1)[0]
            if title == "## Targets":
                for line in section.split("\n"):
                    cells = [cell.strip() for cell in line.strip("|").split("|")]
                    if len(cells) == len(TARGETS_HEAD) and cells[0] not in ("part", "---", ""):
                        self.rows.setdefault(cells[0], []).append(tuple(cells))
            else:
                self.sections[title[3:].strip()] = section.rstrip() + "\n"

    def write(self, head, sections, titles):
        """Writes the file with the new sections; `titles` maps each part to its title, in order.

        The head is kept if only some parts are new, because each part states when it was measured.
        """
        if self.head and len(sections) < len(titles):
            head = self.head
        for section in sections:
            self.rows[section.part] = target_rows(section.targets)
            self.sections[section.title] = section.render().rstrip() + "\n"
        rows = [row for part in titles for row in self.rows.get(part, [])]
        parts = [head, "## Targets\n\n" + "\n".join(table(TARGETS_HEAD, rows)) + "\n"]
        parts += [self.sections[title] for title in titles.values() if title in self.sections]
        with open(self.path, "w", encoding="utf-8") as file:
            file.write("\n".join(part.rstrip() + "\n" for part in [*parts, self.remarks]))
