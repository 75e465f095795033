"""Makes a JSON document that has the properties which a file of tests names."""

import functools
import json
import os
import re

from support import brunofiles

CHAIN = re.compile(r"""[A-Za-z_$][\w$]*(?:\??\.[A-Za-z_$][\w$]*|\[\d+\]|\[["'][\w .-]+["']\])+""")
PART = re.compile(r"""\[(\d+)\]|\[["']([\w .-]+)["']\]|([A-Za-z_$][\w$]*)""")
# A member that a script looks for in a part of the response, and one whose names it lists.
MEMBER = re.compile(rf"""["']([\w-]+)["'] in ({CHAIN.pattern})""")
KEYS = re.compile(rf"""Object\.keys\(({CHAIN.pattern})\)""")
NAMED = re.compile(r"""(?:hasOwnProperty|property|has|keys?)\(\s*["']([\w-]+)["']""")
# The names after which a value is a list.
LIST_METHODS = {"forEach", "map", "find", "filter", "some", "every", "length", "push", "pop", "shift", "slice"}
# What scripts call, which is not in a response.
METHODS = LIST_METHODS | {
    "to", "json", "have", "be", "not", "text", "body", "test", "expect", "toString", "replace", "split", "hasOwnProperty",
    "includes", "indexOf", "match", "join", "trim", "toLowerCase", "toUpperCase", "toISOString", "getTime", "concat", "sort",
    "reduce", "findIndex", "at", "substring", "substr", "startsWith", "endsWith", "toFixed", "has"}
# The first status that a script expects.
STATUS = re.compile(r"""status\((\d{3})\)|\.code\)?(?:\.(?:to|be|deep|equals?|eql?|oneOf))*(?:\s*===?\s*|\(\[?\s*)(\d{3})""")
BRUNO_STATUS = re.compile(r"""\b(?:status|getStatus\(\))(?:\)(?:\.\w+)*\(\[?|: (?:eq )?|\s*===?\s*)(\d{3})""")
# An assertion that a property has a type or a constant value, or one of several.
EXPECTED = re.compile(
    r"""expect\([\w.$\[\]?]*\.(\w+)\)(?:\.(?:to|be|that|is|deep|have|and))*\.(an?|eql?|equals?|oneOf)\(\s*\[?\s*"""
    r"""(["'][^"'\n]*["']|-?\d+(?:\.\d+)?|true|false)\s*[,\])]""")
# An assertion that a property is not empty, which no number is.
FILLED = re.compile(r"""expect\([\w.$\[\]?]*\.(\w+)\)(?:\.\w+)*\.not(?:\.\w+)*\.empty\b""")
# The value of a property of a type of JavaScript.
TYPED = {"number": 1, "boolean": True, "object": {}, "array": [{}]}
# The parts that a declaration takes from a value.
DESTRUCTURED = re.compile(
    rf"""\{{((?:[\w\s,:]|\{{[\w\s,:]*\}})+)\}}\s*=\s*({CHAIN.pattern}|[A-Za-z_$][\w$]*)""")
# A variable that a script sets, and the last name in its value.
SET = re.compile(r"""\bset\w*\(\s*["']([\w.-]+)["']\s*,\s*[\w.$\[\]()]*?(\w+)\s*\)""")
# The names of variables with the body of the response.
BODY = re.compile(
    r"([A-Za-z_$][\w$]*)\s*=\s*(?:(?:\w+\.)+json\(\)|JSON\.parse\((?:responseBody|pm\.response\.text\(\))\))\s*;?\s*$",
    re.MULTILINE)
# A request that a script sends, with its URL, and the function that gets the response.
SENT = re.compile(r"""\s*(?:\{.*?\burl\s*:\s*)?(["'`])((?:(?!\1)[^\n])+)\1(.*)""", re.DOTALL)
METHOD = re.compile(r"""\bmethod\s*:\s*["'`](\w+)""")
# The index of the last element of a list.
LAST = re.compile(r"\[\s*[\w.]+\.length\s*-\s*1\s*\]")
MAXIMUM_CHAINS, MAXIMUM_NAMED, MAXIMUM_DEPTH, MAXIMUM_ELEMENTS = 3_000, 50, 8, 10
# The properties of the elements of a list, and the number of elements.
ELEMENT, COUNT = "[]", "[n]"


def sample(path):
    """Returns the document for the tests in a file, or in the files of a directory."""
    paths = [path] if os.path.isfile(path) else sorted(
        os.path.join(place, name) for place, _, names in os.walk(path) for name in names)
    texts = []
    for name in paths:
        with open(name, encoding="utf-8", errors="replace") as file:
            # Scripts in JSON have escaped quotes.
            texts.append(file.read().replace('\\"', '"'))
    return _document(texts)


def answers(path):
    """Returns the responses to the requests of a Postman collection: methods, patterns of paths, statuses and documents.

    Each document has the properties that the scripts of the request name, and each status is the one they expect, so that
    most tests pass.
    """
    with open(path, encoding="utf-8-sig", errors="replace") as file:
        content = file.read()
    document = json.loads(content)
    entries = []
    for item, text in _items(document.get("collection") or document, ""):
        request = item["request"] if isinstance(item["request"], dict) else {"url": item["request"]}
        url = request.get("url") or ""
        raw = url if isinstance(url, str) else url.get("raw") or ""
        entries.append((str(request.get("method") or "GET").upper(), raw, text))
        for part in text.split("sendRequest(")[1:]:
            if found := SENT.match(part):
                method = METHOD.search(part)
                entries.append((method[1].upper() if method else "GET", re.sub(r"\$\{.*?\}", "{{x}}", found[2]), found[3]))
    return _responses(entries, STATUS, _numbers(content.replace('\\"', '"')))


def _numbers(text):
    """Returns the names of properties whose values stand without quotation marks in JSON, by the variables that get them."""
    bare = set(re.findall(r":\s*\{\{([\w.-]+)\}\}", text))
    return {member for variable, member in SET.findall(text) if variable in bare}


def _responses(entries, status, numbers=()):
    """Returns the responses to requests, which are methods, URLs and scripts, with a pattern of the expected status."""
    scripts, statuses = {}, {}
    for method, url, text in entries:
        key = method, _path_pattern(url)
        scripts[key] = scripts.get(key, "") + "\n" + text
        found = status.search(text)
        expected = int(next(filter(None, found.groups()))) if found else 200
        # Of several requests with a path, one that succeeds has the values for others.
        if statuses.get(key, 999) > expected and not 300 <= expected < 400:
            statuses[key] = expected
    return [(method, re.compile(pattern), statuses.get((method, pattern), 200),
             b"[" + _document([text], numbers) + b"]" if _is_of_list(text) else _document([text], numbers))
            for (method, pattern), text in scripts.items()]


def _is_of_list(text):
    """Returns whether a script uses the body of the response as a list."""
    for name in BODY.findall(text):
        uses = re.findall(
            rf"(?<![\w.$]){re.escape(name)}(\.\w+|\[\d)|expect\({re.escape(name)}\)[\w.]*\.an?\(.(array)", text)
        if uses and all(array or member.startswith("[") or member[1:] in LIST_METHODS for member, array in uses):
            return True
    return False


def bruno_answers(path):
    """Returns the same for a collection of Bruno."""
    entries = []
    for file in brunofiles.requests(path).values():
        with open(file, encoding="utf-8", errors="replace") as source:
            text = source.read()
        found = re.search(r"^(get|post|put|patch|delete|head|options) \{.*?^\s*url:[ \t]*(\S*)", text, re.MULTILINE | re.DOTALL)
        if found:
            code = "\n".join(re.findall(r"^(?:assert|tests|script:post-response|vars:post-response) \{\n(.*?)^\}", text,
                                        re.MULTILINE | re.DOTALL))
            entries.append((found[1].upper(), found[2], code))
    return _responses(entries, BRUNO_STATUS)


def _items(parent, inherited):
    """Yields the requests of a collection with the text of their scripts."""
    for item in parent.get("item") or ():
        text = inherited
        for event in item.get("event") or ():
            code = (event.get("script") or {}).get("exec") or ""
            text += "\n" + (code if isinstance(code, str) else "\n".join(map(str, code)))
        if "item" in item:
            yield from _items(item, text)
        elif item.get("request"):
            yield item, text


def _path_pattern(raw):
    """Returns a pattern for the path of a URL of a collection, in which any text stands for variables."""
    path = re.sub(r"^\w+://[^/]*", "", raw.split("?")[0].split("#")[0])
    if not path.startswith(("/", "{{")):
        path = "/" + path.partition("/")[2]
    parts = re.split(r"(\{\{.*?\}\}|(?<=/):[^/]+)", path)
    pattern = "".join(re.escape(part) if index % 2 == 0 else "[^/]*" if part.startswith(":") else ".*?"
                      for index, part in enumerate(parts))
    return pattern or "/?"


def _document(texts, numbers=()):
    tree, chains, named = {}, [], {}
    for text in texts:
        text = LAST.sub("[0]", text)
        text = re.sub(r"JSON\.parse\(([\w.]+)(?:\(\))?\)", r"\1", text.replace(".json().", "."))
        chains += [f'{chain}["{name}"]' for name, chain in MEMBER.findall(text)]
        chains += [f"{chain}.name" for chain in KEYS.findall(text)]
        chains += [f"{source}.{path}" for pattern, source in DESTRUCTURED.findall(text) for path in _paths(pattern)]
        chains += CHAIN.findall(text)
        named.update(dict.fromkeys(NAMED.findall(text), {}))
    for chain in dict.fromkeys(chains[:MAXIMUM_CHAINS]):
        parts = [(f"[{index}]" if index else name or key) for index, key, name in PART.findall(chain)][:MAXIMUM_DEPTH]
        # A response can begin anywhere in a chain: `book.title`, `json.book.title`, `res.body.book.title`.
        for start in range(len(parts)):
            insert(tree, parts[start:])
    expected = {}
    for name, verb, text in (found for text in texts for found in EXPECTED.findall(text)):
        constant = json.loads(text) if text[0] not in "\"'" else text[1:-1]
        if verb in ("a", "an"):
            constant = TYPED.get(constant, f"{name}-1".ljust(12, "0"))
        # A constant says more than a type.
        if verb not in ("a", "an") or name not in expected:
            expected[name] = constant
    leaves = {name: {} for name in tree if name not in (ELEMENT, COUNT) and not tree[name]}
    filled = {name for text in texts for name in FILLED.findall(text)}
    leaf = functools.partial(_leaf, expected=expected, numbers=numbers, filled=filled)
    return json.dumps(value("", tree, leaves, dict(list(named.items())[:MAXIMUM_NAMED]), leaf)).encode()


def _paths(pattern):
    """Returns the paths of a destructuring pattern: `a` and `b.c` for `a, b: { c }`."""
    paths, parents = [], []
    for name, mark in re.findall(r"(\w+)\s*(:\s*\{|:\s*\w+)?|\}", pattern):
        if not name:
            del parents[-1:]
            continue
        paths.append(".".join([*parents, name]))
        if mark.endswith("{"):
            parents.append(name)
    return paths


def insert(tree, parts):
    """Adds the properties of a chain."""
    for part in parts:
        if part in LIST_METHODS:
            tree.setdefault(ELEMENT, {})
        if part in METHODS or part.startswith("$"):
            return
        if part.startswith("["):
            tree[COUNT] = max(tree.get(COUNT, 1), min(int(part[1:-1]) + 1, MAXIMUM_ELEMENTS))
            part = ELEMENT
        tree = tree.setdefault(part, {})


def value(name, tree, leaves, named, leaf):
    """Returns the value of a property: an object, a list, or a value that fits its name.

    Every object has the named properties, and an element without properties of its own has the leaves.
    """
    known = leaf.keywords["expected"].get(name)
    # A string has a length as well as a list.
    if tree and not (tree.keys() <= {ELEMENT, COUNT} and not tree[ELEMENT] and isinstance(known, str)):
        members = {key: value(key, child, leaves, named, leaf) for key, child in {**named, **tree}.items()
                   if key not in (ELEMENT, COUNT)}
        if ELEMENT not in tree:
            return members
        element = tree[ELEMENT] or leaves
        return [value(name, element, leaves, named, leaf)] * tree.get(COUNT, 1) if name else members
    return leaf(name)


def _leaf(name, expected, numbers, filled):
    """Returns a value that fits the name of a property."""
    if name in expected:
        return expected[name]
    if name in filled and name not in numbers:
        return f"{name}-1".ljust(12, "0")
    if name in numbers or re.search(r"(id|Id|ID|count|total|number|size|age|price)$", name):
        return 1
    if re.search(r"([a-z]At|_at|[dD]ate|[tT]imestamp)$", name):
        return "2026-01-31T12:00:00.000Z"
    # A value that is only a word would be found in names as well, where secrets are masked.
    return True if re.match(r"(is|has)[A-Z_]", name) else f"{name}-1"
