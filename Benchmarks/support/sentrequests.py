"""Compares the requests that two programs sent."""

import base64
import collections
import difflib
import json
import re
import urllib.parse

# The fields that each client chooses itself. The URL contains the host.
OWN = {"accept-encoding", "connection", "content-length", "expect", "host", "proxy-connection", "transfer-encoding",
       "user-agent", "keep-alive", "postman-token", "request-start-time"}
# The values of fields that a client adds by itself.
ADDED = {("accept", "*/*"), ("accept", "application/json, text/plain, */*"), ("cache-control", "no-cache")}
MARK = re.compile(r"xSECRETx\w+?x")
# The present time, which is another one in each request.
TIME = re.compile(r"\b20\d\d-\d\d-\d\d[Tt](?:\d\d(?::|%3A)){2}\d\d\.\d{6}Z")
# UUIDs of version 4, which are random, with and without hyphens.
RANDOM_UUID = re.compile(r"\b[0-9a-f]{8}(?P<d>-?)[0-9a-f]{4}(?P=d)4[0-9a-f]{3}(?P=d)[89ab][0-9a-f]{3}(?P=d)[0-9a-f]{12}\b")


def mark(name):
    """Returns a value for an environment variable that stands for a secret of the source."""
    return f"xSECRETx{name.replace('_', '')}x"


def is_mark(value):
    """Returns whether a value stands for a secret of the source."""
    return MARK.fullmatch(value) is not None


def _decoded(value):
    if value.lower().startswith("basic "):
        try:
            return "basic " + base64.b64decode(value[6:], validate=False).decode("utf-8", "replace")
        except ValueError:
            return value
    return value


def _digest(value):
    """Returns digest credentials without the parts that are new in each exchange."""
    parts = [part for part in re.findall(r'\w+=(?:"[^"]*"|[^",\s]+)', value)
             if part.partition("=")[0] not in ("nonce", "cnonce", "nc", "response", "opaque")]
    return "digest " + ", ".join(sorted(part.replace('"', "") for part in parts))


def _cookies(value, made_up):
    """Returns cookies without the values that servers made up."""
    pairs = [pair.strip().partition("=") for pair in value.split(";")]
    return "; ".join(sorted(f"{name}={'(set by the server)' if text in made_up else text}" for name, _, text in pairs))


def _number(text):
    """Returns a number, which is an integer if it has no fraction: 1.0 equals 1."""
    value = float(text)
    return int(value) if value.is_integer() else value


def _url(text):
    """Returns a URL with the percent-encoding of characters that need none removed."""
    parts = urllib.parse.urlsplit(text)
    path = urllib.parse.quote(urllib.parse.unquote(parts.path or "/"), safe="/:@!$&'()*+,;=~")
    query = [urllib.parse.quote(urllib.parse.unquote_plus(part), safe="=") for part in parts.query.split("&")]
    return f"{parts.scheme}://{parts.netloc.rsplit('@')[-1]}{path}?{'&'.join(query)}"


def normalized(request):
    """Returns the parts of a request that an import keeps, as lines."""
    fields, kind, boundary = [], "", None
    for name, value in request.headers:
        name = name.lower()
        if name in OWN or (name, value) in ADDED:
            continue
        if name == "content-type":
            found = re.search(r'boundary="?([^";]+)"?', value)
            kind = value.lower()
            if found:
                boundary = found.group(1)
                value = value.split(";")[0]
        if name == "authorization" and value.lower().startswith("digest "):
            value = _digest(value)
        elif name == "cookie":
            value = _cookies(value, request.cookies)
        fields.append(f"{name}: {_decoded(value)}")
    body = request.body.decode("utf-8", "replace")
    if boundary:
        # Clients order and quote the fields of parts in their own way.
        parts = [sorted(line.strip().lower() if ":" in line else line for line in part.strip().splitlines() if line.strip())
                 for part in body.split("--" + boundary)[1:-1]]
        body = repr(parts)
    elif kind.startswith("application/x-www-form-urlencoded"):
        body = "&".join(urllib.parse.unquote_plus(part) for part in body.split("&"))
    elif "json" in kind or body.lstrip()[:1] in ("{", "["):
        try:
            body = json.dumps(json.loads(body, parse_float=_number), sort_keys=True)
        except ValueError:
            pass
    lines = "\n".join([f"{request.method} {_url(request.url)}", *sorted(fields), body])
    return TIME.sub("(time)", RANDOM_UUID.sub("(random UUID)", lines))


def modernize(request):
    """Removes what only outdated clients send, and returns whether there was something.

    That is the media type of a request without a body, and the notation as a JSON string of a text that is not JSON.
    """
    if not request.body:
        kept = [(name, value) for name, value in request.headers
                if (name.lower(), value) not in (("content-type", "application/json"),
                                                 ("content-type", "application/x-www-form-urlencoded"))]
        is_changed = len(kept) < len(request.headers)
        request.headers = kept
        return is_changed
    is_json = any(name.lower() == "content-type" and "json" in value for name, value in request.headers)
    if is_json and request.body[:1] == b'"':
        try:
            text = json.loads(request.body)
        except ValueError:
            return False
        if isinstance(text, str):
            request.body = text.encode()
            return True
    return False


def _is_equal(source, imported):
    """Returns whether requests are equal. A mark in the imported one stands for any text."""
    if source == imported:
        return True
    if not MARK.search(imported):
        return False
    pattern = ".+?".join(re.escape(part) for part in MARK.split(imported))
    return re.fullmatch(pattern, source, re.DOTALL) is not None


def secrets(source, imported):
    """Returns the values that marks stand for, by mark: what the source tool sent in their places, if it is always equal."""
    values, left = {}, [normalized(request) for request in source]
    # The source tool sends the marks of its variables itself.
    known = {found for request in left for found in MARK.findall(request)}
    # A mark stands for any text, also for that of another request, so that requests without marks come first.
    for request in sorted(map(normalized, imported), key=lambda text: len(MARK.findall(text))):
        pattern = re.compile("(.+?)".join(re.escape(part) for part in MARK.split(request)), re.DOTALL)
        index = next((index for index, other in enumerate(left) if pattern.fullmatch(other)), None)
        if index is not None:
            for name, value in zip(MARK.findall(request), pattern.fullmatch(left.pop(index)).groups()):
                values.setdefault(name, set()).add(value)
    return {name: found.pop() for name, found in values.items() if len(found) == 1 and name not in known}


def without_cycles(requests):
    """Returns the requests without those from the first repetition in a chain of redirects to the end of the chain.

    Clients differ in the number of times that they go around a cycle of redirects. apitest ends at the first request
    that it has sent before.
    """
    result, chain, target, is_cycle = [], set(), None, False
    for request in requests:
        if request.url != target:
            chain, is_cycle = set(), False
        identity = normalized(request)
        is_cycle = is_cycle or identity in chain
        if not is_cycle:
            result.append(request)
        chain.add(identity)
        target = request.target
    return result


def compare(source, imported):
    """Returns the requests of the source tool without an equal imported one, each as text, and the imported ones left."""
    left = collections.Counter(normalized(request) for request in imported)
    missing = []
    for request in source:
        wanted = normalized(request)
        if left[wanted] > 0:
            left[wanted] -= 1
        else:
            missing.append((request, wanted))
    # A mark stands for any text, also for that of another request, so that equal requests come first.
    left, different = list(left.elements()), []
    for request, wanted in missing:
        found = next((other for other in left if _is_equal(wanted, other)), None)
        if found is None:
            different.append((request, wanted))
        else:
            left.remove(found)
    return different, left


MAXIMUM_TOKENS = 5_000
# A URL or an email address in JSON is made up as a whole, with its host.
TOKEN = re.compile(r"""\"https?://[^"\s]*\"|\"[^"@\s]+@[^"@\s]+\"|\w+|\W""")


def _pattern(first, second):
    """Returns a pattern for a request of two runs, in which any text stands for what differs; None if nothing does."""
    one, two = TOKEN.findall(first), TOKEN.findall(second)
    if first == second or max(len(one), len(two)) > MAXIMUM_TOKENS:
        return None
    parts, end = [], 0
    for block in difflib.SequenceMatcher(None, one, two, autojunk=False).get_matching_blocks():
        # Made-up sentences have spaces and single words in common.
        if len("".join(one[block.a:block.a + block.size])) < 6 and block.a + block.size < len(one):
            continue
        if block.a > end or parts and block.size:
            parts.append(".*?")
        parts.append(re.escape("".join(one[block.a:block.a + block.size])))
        end = block.a + block.size
    return re.compile("".join(parts), re.DOTALL)


def _numbered(requests):
    """Returns requests by their tests and their positions in these."""
    counts, result = collections.Counter(), {}
    for request in requests:
        result[request.test, counts[request.test]] = request
        counts[request.test] += 1
    return result


def without_made_up(missing, left, source, first, second):
    """Returns missing and left requests without those that are equal apart from what the source tool makes up.

    These parts differ between two runs of the source tool.
    """
    one, two = _numbered(first), _numbered(second)
    patterns = {id(request): _pattern(normalized(one[key]), normalized(two[key]))
                for key, request in _numbered(source).items() if key in one and key in two}
    left, kept = list(left), []
    for request, text in missing:
        pattern = patterns.get(id(request))
        found = next((other for other in left if pattern and pattern.fullmatch(other)), None)
        if found is None:
            kept.append((request, text))
        else:
            left.remove(found)
    return kept, left
