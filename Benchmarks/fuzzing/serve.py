"""Serves one application: one of schemathesis's test catalog, or another that is a Python module.

Usage: serve.py SOURCE PORT APPLICATION COUNT-FILE, in the environment that environment.py creates. SOURCE is the directory
of the source code and APPLICATION an entry of applications.json. When the process gets SIGTERM, it writes the number of
responses by status to COUNT-FILE, without those for the description.
"""

import collections
import contextlib
import importlib
import json
import logging
import os
import signal
import sys
import threading

CATALOG = "test.apps.catalog.openapi"
# The number of requests that a WSGI application handles at a time.
THREADS = 16


class Counter:
    """A WSGI application that counts the responses of another."""

    def __init__(self, application):
        self.application = application
        self.statuses = collections.Counter()
        self.lock = threading.Lock()

    def __call__(self, environ, start_response):
        def start(status, *rest):
            # schemathesis probes the server before it tests it.
            if "HTTP_X_SCHEMATHESIS_PROBE" not in environ:
                self.record(environ.get("PATH_INFO", ""), status[:3])
            return start_response(status, *rest)

        return self.application(environ, start)

    def record(self, path, status):
        if path != "/openapi.json":
            with self.lock:
                self.statuses[status] += 1


class AsynchronousCounter(Counter):
    """The same for an ASGI application."""

    async def __call__(self, scope, receive, send):
        is_probe = any(name == b"x-schemathesis-probe" for name, _ in scope.get("headers", []))

        async def counted(message):
            if message["type"] == "http.response.start" and not is_probe:
                self.record(scope["path"], str(message["status"]))
            await send(message)

        await self.application(scope, receive, counted)


def load(entry):
    """Returns the WSGI or ASGI application of an entry, and whether it is ASGI."""
    if "module" in entry:
        value = importlib.import_module(entry["module"])
        for name in entry["attribute"].split("."):
            value = getattr(value, name)
        return value, entry["asynchronous"]
    application = create(entry)
    return application.server, application.kind == "fastapi"


def create(entry):
    """Returns the application that the factory of an entry makes with its arguments and modifiers."""
    module_name, name = entry["factory"].split(".")
    module = importlib.import_module(f"{CATALOG}.{module_name}")
    if module_name == "envelopes":
        variant = name.removeprefix("rails_")
        return module.planted_bug(module.RAILS[variant] if variant != name else getattr(module, name.upper()))
    modifiers = []
    if "modifiers" in entry:
        known = importlib.import_module(f"{CATALOG}.modifiers.{module_name}")
        modifiers = [getattr(known, modifier)(**values) for modifier, values in entry["modifiers"].items()]
    return getattr(module, name)(*modifiers, **entry.get("arguments", {}))


def main():
    source, port, entry, counts = sys.argv[1], int(sys.argv[2]), json.loads(sys.argv[3]), sys.argv[4]
    sys.path.insert(0, source)
    application, is_asynchronous = load(entry)
    counter = (AsynchronousCounter if is_asynchronous else Counter)(application)

    def stop(*_):
        with open(counts, "w", encoding="utf-8") as file:
            json.dump(counter.statuses, file)
        os._exit(0)

    logging.disable(logging.CRITICAL)
    if is_asynchronous:
        import uvicorn
        server = uvicorn.Server(uvicorn.Config(counter, host="127.0.0.1", port=port, log_config=None))
        server.capture_signals = contextlib.nullcontext
        signal.signal(signal.SIGTERM, stop)
        server.run()
    elif "module" in entry:
        # With threads that serve several requests, VAmPI keeps its database locked.
        from werkzeug.serving import make_server
        server = make_server("127.0.0.1", port, counter, threaded=True)
        signal.signal(signal.SIGTERM, stop)
        server.serve_forever()
    else:
        import waitress
        server = waitress.create_server(counter, host="127.0.0.1", port=port, threads=THREADS)
        signal.signal(signal.SIGTERM, stop)
        server.run()


if __name__ == "__main__":
    main()
