"""Shelves whose names clients choose, which conform to their description, except for the faults named on the command line.

usage: shelves.py --openapi | shelves.py PORTFILE [FAULT…]
"""

import os
import sys
import time
import urllib.parse

sys.dont_write_bytecode = True

from faulty_service import PROBLEM, Refusal, Service, answer, body  # noqa: E402

FLOOR = {"type": "integer", "minimum": 0, "maximum": 9, "example": 3}
NAME = {"type": "string", "minLength": 1, "maxLength": 400, "example": "novels"}
SHELF = {"type": "object", "required": ["name", "floor"], "additionalProperties": False,
         "properties": {"name": NAME, "floor": FLOOR}}
CHANGE = {"type": "object", "required": ["floor"], "additionalProperties": False, "properties": {"floor": FLOOR}}
STATUS = {"type": "object", "required": ["status"], "properties": {"status": {"const": "stored"}}}


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


class Shelves(Service):
    shelves = {}
    # The numbers of changes and the names of the shelves that were deleted.
    changes = {}
    deleted = set()

    def route(self, path, query):
        with open(self.port_file + ".requests", "a", encoding="utf-8") as file:
            file.write(f"{self.command} {self.path}\n")
        with open(self.port_file + ".clients", "a", encoding="utf-8") as file:
            file.write(f"{self.client_address[1]}\n")
        if "requires-key" in self.faults and self.headers.get("X-Key") != "open-sesame":
            raise Refusal(401, "the key is missing")
        if "closes-connections" in self.faults and self.command == "PATCH" and path != "/shelves":
            self.close_connection = True
            return
        if "hangs-up-after-failures" in self.faults and self.command == "PATCH" and path != "/shelves":
            self.respond(500, {"error": "the storage is read-only"})
            self.wfile.flush()
            # The next request arrives on the connection before it is closed.
            time.sleep(0.02)
            self.close_connection = True
            return
        if "fails-at-changes" in self.faults and self.command == "PATCH" and path != "/shelves":
            return self.respond(500, {"error": "the storage is read-only"})
        segments = path.split("/")[1:]
        if segments == ["shelves"]:
            self.collection()
        elif len(segments) == 2 and segments[0] == "shelves":
            self.resource(urllib.parse.unquote(segments[1]))
        else:
            raise Refusal(404, "no such path")

    def read(self, schema):
        value = self.read_json()
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
        if "fails-at-top-floor" in self.faults and shelf["floor"] == 9:
            return self.respond(500, {"error": "the lift is broken"})
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


Shelves.main(DESCRIPTION)
