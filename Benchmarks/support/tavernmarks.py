"""A plugin of pytest that announces each test to the recording proxy, before the requests of the test."""

import mimetypes
import os
import urllib.parse
import urllib.request

import pytest

from forwarding import MARK_HOST

# Python guesses the types of uploaded files, and knows these since version 3.14 (RFC 9512).
for suffix in (".yaml", ".yml"):
    mimetypes.add_type("application/yaml", suffix)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item):
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({"http": os.environ["http_proxy"]}))
    opener.open(f"http://{MARK_HOST}/?{urllib.parse.quote(item.name)}", timeout=20).close()
