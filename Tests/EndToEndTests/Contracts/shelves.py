"""Shelves whose names clients choose, which conform to their description, except for the faults named on the command line.

usage: shelves.py --openapi | shelves.py PORTFILE [FAULT…]
"""

import json
import os
import sys
import time
import urllib.parse
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

PROBLEM = {"description": "What is wrong.", "content": {"application/json": {"schema": {
    "type": "object", "required": ["error"], "properties": {"error": {"type": "string"}}}}}}
FLOOR = {"type": "integer", "minimum": 0, "maximum": 9, "example": 3}
NAME = {"type": "string", "minLength": 1, "maxLength": 400, "example": "novels"}
SHELF = {"type": "object", "required": ["name", "floor"], "additionalProperties": False,
         "properties": {"name": NAME, "floor": FLOOR}}
CHANGE = {"type": "object", "required": ["floor"], "additionalProperties": False, "properties": {"floor": FLOOR}}
STATUS = {"type": "object", "required": ["status"], "properties": {"status": {"const": "stored"}}}


def answer(schema):
    return {"description": "Success.", "content": {"application/json": {"schema": schema}}}


def body(schema):
    return {"required": True, "content": {"application/json": {"schema": schema}}}


DESCRIPTION = {
    "openapi": "3.1.0", "info": {"title": "Shelves", "version": "1"},
    "paths": {
        "/shelves": {"post": {"requestBody": body(SHELF), "responses": {
            "201": answer(STATUS), "400": PROBLEM, "409": PROBLEM, "415": PROBLEM}}},
        "/shelves/{name}": {
            "parameters": [{"name": "name", "in": "path", "required": True, "schema": NAME}],
            "get": {"responses": {"200": answer(SHELF), "404": PROBLEM}},
            "patch": {"requestBody": body(CHANGE), "responses": {
                "200": answer(SHELF), "400": PROBLEM, "404": PROBLEM, "415": PROBLEM}},
            "delete": {"responses": {"204": {"description": "The shelf is gone."}, "404": PROBLEM}}},
    },
}


class Refusal(Exception):
    def __init__(self, status, error, headers=None):
        self.status, self.error, self.headers = status, error, headers or {}


class Shelves(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    wbufsize = 65536
    faults = set()
    shelves = {}
    # The numbers of changes and the names of the shelves that were deleted.
    changes = {}
    deleted = set()
    log = ""

    def log_message(self, *arguments):
        pass

    def respond(self, status, value=None, headers=None):
        body = b"" if value is None else json.dumps(value).encode()
        self.send_response(status)
        if body:
            self.send_header("Content-Type", "application/json")
        for name, content in (headers or {}).items():
            self.send_header(name, content)
        if status != 204:
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def handle_request(self):
        self.body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        with open(self.log, "a", encoding="utf-8") as file:
            file.write(f"{self.command} {self.path}\n")
        try:
            segments = self.path.partition("?")[0].split("/")[1:]
            if segments == ["shelves"]:
                self.collection()
            elif len(segments) == 2 and segments[0] == "shelves":
                self.resource(urllib.parse.unquote(segments[1]))
            else:
                raise Refusal(404, "no such path")
        except Refusal as refusal:
            self.respond(refusal.status, {"error": refusal.error}, refusal.headers)

    do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = handle_request

    def check_method(self, *methods):
        if self.command not in methods:
            raise Refusal(405, "the method is not supported", {"Allow": ", ".join(methods)})

    def read(self, schema):
        if (self.headers.get("Content-Type") or "").split(";")[0] != "application/json":
            raise Refusal(415, "the body must be JSON")
        try:
            value = json.loads(self.body)
        except ValueError:
            raise Refusal(400, "the body is not JSON") from None
        if not isinstance(value, dict) or set(value) != set(schema["required"]):
            raise Refusal(400, "the members are wrong")
        floor, name = value["floor"], value.get("name", "x")
        is_integer = isinstance(floor, (int, float)) and not isinstance(floor, bool) and floor == int(floor)
        if not is_integer or not 0 <= floor <= 9:
            raise Refusal(400, "the floor must be from 0 to 9")
        if not isinstance(name, str) or not 1 <= len(name) <= 400:
            raise Refusal(400, "the name must have 1 to 400 characters")
        return value

    def collection(self):
        self.check_method("POST")
        shelf = self.read(SHELF)
        if shelf["name"] in self.shelves:
            raise Refusal(409, "the name is taken")
        self.shelves[shelf["name"]] = shelf
        self.changes[shelf["name"]] = 0
        self.respond(201, {"status": "stored"})

    def resource(self, name):
        self.check_method("GET", "PATCH", "DELETE")
        if "fails-at-quotes" in self.faults and "'" in name:
            return self.respond(500, {"error": "the query is malformed"})
        if "crashes" in self.faults and "\U0001F600" in name:
            os._exit(1)
        if "hangs" in self.faults and "'" in name:
            time.sleep(60)
        if self.command == "PATCH" and "changes-deleted" in self.faults and name in self.deleted:
            return self.respond(200, {"name": name, "floor": self.read(CHANGE)["floor"]})
        if name not in self.shelves:
            raise Refusal(404, "no such shelf")
        shelf = self.shelves[name]
        if self.command == "DELETE":
            if "fails-after-two-changes" in self.faults and self.changes[name] >= 2:
                return self.respond(500, {"error": "the history is too long"})
            del self.shelves[name]
            self.deleted.add(name)
            return self.respond(204)
        if self.command == "PATCH":
            shelf["floor"] = self.read(CHANGE)["floor"]
            self.changes[name] += 1
        self.respond(200, [shelf] if "responds-with-a-list" in self.faults else shelf)


if sys.argv[1] == "--openapi":
    print(json.dumps(DESCRIPTION, indent=2))
else:
    Shelves.faults = set(sys.argv[2:])
    Shelves.log = sys.argv[1] + ".requests"
    server = ThreadingHTTPServer(("127.0.0.1", 0), Shelves)
    with open(sys.argv[1], "w", encoding="utf-8") as file:
        file.write(f"{server.server_port}\n")
    server.serve_forever()
