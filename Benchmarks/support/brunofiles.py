"""Reads the files of collections of Bruno."""

import os
import re

# The credentials that this version of Bruno sends. It does not inherit those of directories.
SUPPORTED = {"none", "basic", "bearer", "digest", "awsv4", "wsse"}


def requests(path):
    """Returns the files of the requests of a collection, by the names of the requests."""
    names = {}
    for place, _, files in os.walk(path):
        for file in files:
            if file.endswith(".bru") and (name := request_name(os.path.join(place, file))) is not None:
                names[name] = os.path.join(place, file)
    return names


def credentials(file, root):
    """Returns how a request gets its credentials, or "inherit" if it gets those of a directory."""
    def mode(name, pattern):
        if not os.path.exists(name):
            return None
        with open(name, encoding="utf-8", errors="replace") as source:
            found = re.search(pattern, source.read(), re.MULTILINE | re.DOTALL)
        return found.group(1) if found else None
    own = mode(file, r"^(?:get|post|put|patch|delete|head|options|http) \{(?:(?!^\}).)*?^\s*auth:[ \t]*(\w+)") or "inherit"
    place = os.path.dirname(file)
    while own == "inherit" and place != root:
        if mode(os.path.join(place, "folder.bru"), r"^auth \{\s*mode:[ \t]*(\w+)") not in (None, "none", "inherit"):
            return "inherit"
        place = os.path.dirname(place)
    if own == "inherit":
        return mode(os.path.join(root, "collection.bru"), r"^auth \{\s*mode:[ \t]*(\w+)") or "none"
    return own


def request_name(path):
    """Returns the name of a request in a file."""
    with open(path, encoding="utf-8", errors="replace") as file:
        found = re.search(r"^meta \{[^}]*?^\s*name:[ \t]*(.*?)[ \t]*$", file.read(), re.MULTILINE | re.DOTALL)
    return found.group(1) if found else None


def replace(path, pattern, replacement):
    """Replaces the first match of a pattern in a file."""
    with open(path, encoding="utf-8", errors="surrogateescape", newline="") as file:
        text = file.read()
    with open(path, "w", encoding="utf-8", errors="surrogateescape", newline="") as file:
        file.write(pattern.sub(replacement, text, count=1))


def environments(path):
    """Returns the names of the environments of a collection, that with most variables first."""
    directory = os.path.join(path, "environments")
    if not os.path.isdir(directory):
        return []

    def order(name):
        with open(os.path.join(directory, name), encoding="utf-8", errors="replace") as file:
            return -len(re.findall(r"^\s+[^~\s][^:\n]*:[ \t]*\S", file.read(), re.MULTILINE)), name
    return [os.path.splitext(name)[0] for name in sorted(
        (name for name in os.listdir(directory) if name.endswith(".bru")), key=order)]
