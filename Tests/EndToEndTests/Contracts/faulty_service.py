"""The common part of servers with faults: bodies, refusals, and the command line.

usage of the servers: SCRIPT --openapi | SCRIPT PORTFILE [FAULT…]
"""

import json
import sys
from http.server import BaseHTTPRequestHandler, HTTPServer, ThreadingHTTPServer

PROBLEM = {"description": "What is wrong.", "content": {"application/json": {"schema": {
    "type": "object", "required": ["error"], "properties": {"error": {"type": "string"}}}}}}


def answer(schema, headers=None):
    """Returns the description of a successful response."""
    return {"description": "Success.", "headers": headers or {}, "content": {"application/json": {"schema": schema}}}


def body(schema):
    """Returns the description of a required body."""
    return {"required": True, "content": {"application/json": {"schema": schema}}}


class Refusal(Exception):
    """A response with an error status."""

    def __init__(self, status, error, headers=None):
        self.status, self.error, self.headers = status, error, headers or {}


class Service(BaseHTTPRequestHandler):
    """A server whose subclasses have `route(path, query)`."""

    protocol_version = "HTTP/1.1"
    # A response is one segment, so that no client waits for the second one.
    wbufsize = 65536
    faults = set()
    port_file = ""

    def log_message(self, *arguments):
        pass

    def respond(self, status, value=None, headers=None, text=None, media="application/json"):
        content = text.encode() if text is not None else b"" if value is None else json.dumps(value).encode()
        self.send_response(status)
        if content:
            self.send_header("Content-Type", media)
        for name, field in (headers or {}).items():
            self.send_header(name, field)
        if status != 204:
            self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def handle_request(self):
        self.body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        path, _, query = self.path.partition("?")
        try:
            self.route(path, query)
        except Refusal as refusal:
            self.respond(refusal.status, {"error": refusal.error}, refusal.headers)

    do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = handle_request

    def check_method(self, *methods):
        if self.command not in methods:
            allow = {} if "no-allow" in self.faults else {"Allow": ", ".join(methods)}
            raise Refusal(405, "the method is not supported", allow)

    def read_json(self):
        """Returns the value of the body, or refuses it."""
        if (self.headers.get("Content-Type") or "").split(";")[0] != "application/json":
            raise Refusal(415, "the body must be JSON")
        try:
            return json.loads(self.body)
        except ValueError:
            raise Refusal(400, "the body is not JSON") from None

    @classmethod
    def main(cls, description):
        """Prints the description, or serves on a free port, which the named file gets."""
        if sys.argv[1] == "--openapi":
            print(json.dumps(description, indent=2))
            return
        cls.port_file, cls.faults = sys.argv[1], set(sys.argv[2:])
        kind = HTTPServer if "one-connection" in cls.faults else ThreadingHTTPServer
        server = kind(("127.0.0.1", 0), cls)
        with open(cls.port_file, "w", encoding="utf-8") as file:
            file.write(f"{server.server_port}\n")
        server.serve_forever()
