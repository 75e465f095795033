"""Rooms that exist from the start, which conform to their description, except for the faults named on the command line.

usage: rooms.py --openapi | rooms.py PORTFILE [FAULT…]
"""

import sys

sys.dont_write_bytecode = True

from faulty_service import PROBLEM, Refusal, Service, answer, body  # noqa: E402

NUMBER = {"type": "integer"}
SEATS = {"type": "integer", "minimum": 1, "maximum": 500}
ROOM = {"type": "object", "required": ["number", "seats"], "additionalProperties": False,
        "properties": {"number": NUMBER, "seats": SEATS}}
LIGHTS = {"type": "object", "required": ["on"], "additionalProperties": False, "properties": {"on": {"type": "boolean"}}}
CHANGE = {"type": "object", "required": ["seats"], "additionalProperties": False, "properties": {"seats": SEATS}}

DESCRIPTION = {
    "openapi": "3.1.0", "info": {"title": "Rooms", "version": "1"},
    "paths": {
        "/rooms/{number}": {
            "parameters": [{"name": "number", "in": "path", "required": True, "schema": NUMBER}],
            "get": {"responses": {"200": answer(ROOM), "404": PROBLEM}},
            "patch": {"requestBody": body(CHANGE), "responses": {
                "200": answer(ROOM), "400": PROBLEM, "404": PROBLEM, "415": PROBLEM}}},
        "/rooms/{number}/lights": {
            "parameters": [{"name": "number", "in": "path", "required": True, "schema": NUMBER}],
            "put": {"requestBody": body(LIGHTS), "responses": {
                "204": {"description": "The lights are set."}, "400": PROBLEM, "404": PROBLEM, "415": PROBLEM}}},
    },
}


class Rooms(Service):
    rooms = {"1": {"number": 1, "seats": 20}}

    def route(self, path, query):
        segments = path.split("/")[1:]
        if segments[0] != "rooms" or segments[2:] not in ([], ["lights"]):
            raise Refusal(404, "no such path")
        self.check_method(*(["PUT"] if segments[2:] else ["GET", "PATCH"]))
        # A room that does not exist hides what is wrong with the body.
        if segments[1] not in self.rooms:
            raise Refusal(404, "no such room")
        if self.command == "PUT":
            self.read_lights()
            return self.respond(204)
        room = self.rooms[segments[1]]
        if self.command == "PATCH":
            room["seats"] = self.read_seats()
        self.respond(200, room)

    def read_lights(self):
        lights = self.read_json()
        if "fails-with-text" in self.faults and isinstance(lights, dict) and isinstance(lights.get("on"), str):
            raise Refusal(500, "a text is neither true nor false")
        if not isinstance(lights, dict) or list(lights) != ["on"] or not isinstance(lights["on"], bool):
            raise Refusal(400, "the lights must be on or off")

    def read_seats(self):
        change = self.read_json()
        if "fails-without-seats" in self.faults and change == {}:
            raise Refusal(500, "there are no seats")
        seats = change.get("seats") if isinstance(change, dict) and len(change) == 1 else None
        is_number = isinstance(seats, (int, float)) and not isinstance(seats, bool)
        if not is_number or seats != int(seats) or not 1 <= seats <= 500:
            raise Refusal(400, "the number of seats must be from 1 to 500")
        return int(seats)


Rooms.main(DESCRIPTION)
