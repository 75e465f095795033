#!/usr/bin/env python3
"""Writes a manual page for each command from the program's own help.

usage: packaging/man/make.py PROGRAM DIRECTORY

SOURCE_DATE_EPOCH sets the date of the pages (default: today).
"""

import dataclasses
import datetime
import os
import pathlib
import re
import subprocess
import sys

# In which column of the help descriptions start.
COLUMN = 26


@dataclasses.dataclass
class Help:
    """The parsed help of a command."""

    abstract: str
    paragraphs: list
    usage: str
    # The entries of ARGUMENTS, OPTIONS and SUBCOMMANDS: pairs of a label and a description.
    entries: dict


def help_of(program, command):
    """Returns the help of a command, whose descriptions are each on one line."""
    text = subprocess.run(
        [program, "help", *command], check=True, stdout=subprocess.PIPE, text=True,
        env={**os.environ, "COLUMNS": "100000"}).stdout
    overview, rest = re.fullmatch(r"OVERVIEW: (.*?)\n\nUSAGE: (.*)", text, re.S).groups()
    abstract, *paragraphs = overview.split("\n\n")
    usage, *sections = rest.split("\n\n")
    entries = {}
    for section in sections:
        if section.startswith("  See "):
            continue
        title, *lines = section.rstrip("\n").split("\n")
        pairs = entries[title.removesuffix(":")] = []
        for line, following in zip(lines, [*lines[1:], ""]):
            if line.startswith(" " * COLUMN):
                continue
            # A label that is too long for the first column has its description in the next line.
            if following.startswith(" " * COLUMN):
                pairs.append((line.strip(), following.strip()))
            else:
                pairs.append((line[:COLUMN].strip(), line[COLUMN:]))
    return Help(abstract, [paragraph.replace("\n", " ") for paragraph in paragraphs], usage.strip(), entries)


def escaped(text):
    """Returns text in which no character has a meaning for roff, with `code` in bold."""
    characters = {"\\": r"\e", "-": r"\-", "~": r"\(ti", "^": r"\(ha", "'": r"\(aq"}
    text = "".join(
        characters.get(character, character if character.isascii() else f"\\[u{ord(character):04X}]")
        for character in text)
    text = re.sub(r"`([^`]*)`", r"\\fB\1\\fR", text).replace("`", r"\(ga")
    # A line that starts with a period would be a request.
    return r"\&" + text if text.startswith(".") else text


def label(text):
    """Returns the label of an argument or an option: names in bold, placeholders in italics."""
    text = re.sub(r"<([^>]*)>", "\x01\\1\x02", text)
    text = re.sub(r"(?<![\w-])(--?\w[\w-]*)", "\x03\\1\x04", text)
    return escaped(text).translate({1: r"\fI", 2: r"\fR", 3: r"\fB", 4: r"\fR"})


def page(path, help, parents, version, date):
    """Returns the manual page of a command.

    - path: the words of the command, without the program
    - parents: the names of the pages of the program and the parent commands
    """
    name = "-".join(["apitest", *path])
    words = help.usage.split(" ", 1 + len(path))
    lines = [
        f'.TH {escaped(name.upper())} 1 "{date}" "apitest {version}" "apitest"',
        ".SH NAME",
        f"{escaped(name)} \\- {escaped(help.abstract[0].lower() + help.abstract[1:])}",
        ".SH SYNOPSIS",
        f".B {escaped(' '.join(words[: 1 + len(path)]))}",
        *(label(word) for word in words[1 + len(path) :]),
    ]
    if help.paragraphs:
        lines.append(".SH DESCRIPTION")
        for index, paragraph in enumerate(help.paragraphs):
            lines += [".PP"] * (index > 0) + [escaped(paragraph)]
    related = list(parents)
    for title, entries in help.entries.items():
        lines.append(f".SH {escaped(title)}")
        for term, description in entries:
            if title == "SUBCOMMANDS":
                command, _, note = term.partition(" ")
                lines += [".TP", f".BR {escaped(name)}\\-{escaped(command)} (1)",
                          escaped(f"{description} {note}".strip())]
                related.append(f"{name}-{command}")
            else:
                lines += [".TP", label(term), escaped(description)]
    if related:
        lines.append(".SH SEE ALSO")
        lines += [f".BR {escaped(page)} (1)" + ("," if page != related[-1] else "") for page in related]
    return "\n".join(lines) + "\n"


def pages(program, version, date, path=(), parents=()):
    """Yields the manual pages of a command and its subcommands, each as its file name and its text."""
    help = help_of(program, path)
    name = "-".join(["apitest", *path])
    yield f"{name}.1", page(path, help, parents, version, date)
    for term, _ in help.entries.get("SUBCOMMANDS", []):
        yield from pages(program, version, date, (*path, term.split(" ")[0]), (*parents, name))


def main():
    program, directory = sys.argv[1], pathlib.Path(sys.argv[2])
    version = subprocess.run([program, "--version"], check=True, stdout=subprocess.PIPE, text=True).stdout.split()[-1]
    epoch = os.environ.get("SOURCE_DATE_EPOCH")
    time = datetime.datetime.fromtimestamp(int(epoch), datetime.timezone.utc) if epoch else datetime.datetime.now()
    directory.mkdir(parents=True, exist_ok=True)
    for name, text in pages(program, version, time.date().isoformat()):
        (directory / name).write_text(text)


if __name__ == "__main__":
    main()
