"""Finds the files that can be imported in a directory."""

import os
import re

MAXIMUM_SIZE = 20 << 20


def format_of(path):
    """Returns the format of a file by its name and contents, or None."""
    name = os.path.basename(path).lower()
    if name.endswith(".tavern.yaml"):
        return "tavern"
    suffix = os.path.splitext(name)[1]
    if suffix not in (".sh", ".curl", ".har", ".json", ".hurl", ".yaml", ".yml"):
        return None
    with open(path, encoding="utf-8", errors="replace") as file:
        text = file.read(MAXIMUM_SIZE)
    if suffix in (".hurl", ".har"):
        return suffix[1:]
    if suffix == ".json":
        return "postman" if re.search(r'"schema":\s*"https?://schema.getpostman.com/json/collection', text) else None
    if suffix in (".sh", ".curl"):
        return "curl" if re.search(r"^\s*curl\s", text, re.MULTILINE) else None
    has_tests = re.search(r"^tests:", text, re.MULTILINE)
    has_request = re.search(r"^\s*(- )?(url|GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS)\s*:", text, re.MULTILINE)
    return "gabbi" if has_tests and has_request and "stages:" not in text else None


def sources(directory):
    """Yields the format and the path of each file, and of each Bruno collection."""
    for place, directories, names in os.walk(directory):
        directories[:] = sorted(name for name in directories if not name.startswith(".") and name != "node_modules")
        if "bruno.json" in names or "opencollection.yml" in names:
            directories[:] = []
            yield "bruno", place
            continue
        for name in sorted(names):
            path = os.path.join(place, name)
            if os.path.isfile(path) and os.path.getsize(path) <= MAXIMUM_SIZE:
                found = format_of(path)
                if found:
                    yield found, path


def without_tls(directory):
    """Makes the URLs of text files refer to servers without TLS, so that the proxy sees the requests."""
    for place, _, names in os.walk(directory):
        for path in (os.path.join(place, name) for name in names):
            if os.path.islink(path) or not os.path.isfile(path) or os.path.getsize(path) > MAXIMUM_SIZE:
                continue
            with open(path, "rb") as file:
                data = file.read()
            changed = re.sub(rb'("protocol":\s*")https"', rb'\1http"', data.replace(b"https://", b"http://"))
            if changed != data and b"\0" not in data[:4096]:
                with open(path, "wb") as file:
                    file.write(changed)
