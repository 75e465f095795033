"""A bookshop that conforms to its description, except for the faults named on the command line.

Each user has books of its own. POST /login, which is not described, starts a session of the owner, and adds a line to
PORTFILE.logins. With the fault "expires", the first session ends after 60 requests.

usage: shop.py --openapi | shop.py PORTFILE [FAULT…]
"""

import json
import re
import sys
import time
import traceback

sys.dont_write_bytecode = True

from faulty_service import PROBLEM, Refusal, Service, answer, body  # noqa: E402

TOKENS = ["Bearer token-of-the-owner", "Bearer token-of-another"]
BOOK = {
    "type": "object", "required": ["title", "price"], "additionalProperties": False,
    "properties": {
        "title": {"type": "string", "minLength": 1, "maxLength": 40},
        "price": {"type": "number", "minimum": 0, "maximum": 1000},
        "isbn": {"type": "string", "pattern": "^[0-9]{13}$"},
        "note": {"type": ["string", "null"]},
        "tags": {"type": "array", "items": {"enum": ["novel", "poetry", "drama"]}, "maxItems": 3},
    },
}
STORED = {
    "type": "object", "required": ["id", "title", "price"],
    "properties": BOOK["properties"] | {"id": {"type": "integer"}},
}


def with_book(status, response):
    return {"requestBody": body(BOOK),
            "security": [{"owner": []}],
            "responses": {status: response, "400": PROBLEM, "401": PROBLEM, "404": PROBLEM, "415": PROBLEM,
                          "422": PROBLEM}}


DESCRIPTION = {
    "openapi": "3.1.0", "info": {"title": "Shop", "version": "1"},
    "components": {"securitySchemes": {"owner": {"type": "http", "scheme": "bearer"}}},
    "paths": {
        "/books": {
            "get": {
                "security": [{"owner": []}],
                "parameters": [{"name": "limit", "in": "query", "schema": {
                    "type": "integer", "minimum": 1, "maximum": 100}}],
                "responses": {"200": answer({"type": "array", "items": STORED}, {
                    "X-Total-Count": {"required": True, "schema": {"type": "integer"}}}), "400": PROBLEM, "401": PROBLEM}},
            "post": with_book("201", answer(STORED))},
        "/books/{id}": {
            "parameters": [{"name": "id", "in": "path", "required": True, "schema": {"type": "integer"}}],
            "get": {"security": [{"owner": []}], "responses": {
                "200": answer(STORED), "401": PROBLEM, "404": PROBLEM}},
            "put": with_book("200", answer(STORED)),
            "delete": {"security": [{"owner": []}], "responses": {
                "204": {"description": "The book is gone."}, "401": PROBLEM, "404": PROBLEM}}},
    },
}


class Shop(Service):
    books = {}
    owners = {}
    sessions = {}
    last = 0
    # The first number of the editions, which only links lead to.
    EDITIONS = 900_000

    def route(self, path, query):
        try:
            if path == "/login":
                self.log_in()
            elif path == "/books":
                self.collection(query)
            elif re.fullmatch(r"/books/-?[0-9]+", path):
                self.resource(int(path.rsplit("/", 1)[1]))
            else:
                raise Refusal(404, "no such path")
        except Refusal:
            raise
        except Exception:
            text = traceback.format_exc() if "stack-trace" in self.faults else "failed"
            self.respond(500, text=text, media="text/plain")

    def log_in(self):
        if json.loads(self.body or b"{}") != {"user": "ada", "password": "open-sesame"}:
            raise Refusal(403, "the password is wrong")
        token = f"session-{len(self.sessions) + 1}-of-ada"
        self.sessions[token] = 60 if "expires" in self.faults and not self.sessions else None
        with open(self.port_file + ".logins", "a", encoding="utf-8") as file:
            file.write("login\n")
        self.respond(200, {"token": token, "user": "ada"})

    def user(self):
        """Returns the Authorization field of the user, who may have a session instead."""
        field = self.headers.get("Authorization")
        return TOKENS[0] if (field or "").removeprefix("Bearer ") in self.sessions else field

    def check_owner(self):
        token = (self.headers.get("Authorization") or "").removeprefix("Bearer ")
        left = self.sessions.get(token)
        if left is not None:
            self.sessions[token] = max(0, left - 1)
        if "ignores-credentials" not in self.faults and (self.user() not in TOKENS or left == 0):
            raise Refusal(401, "credentials are missing")

    def is_own(self, number):
        if self.faults & {"ignores-credentials", "shares-books"}:
            return True
        return self.owners.get(number) == self.user()

    def read_book(self):
        book = self.read_json()
        if not isinstance(book, dict) or set(book) - set(BOOK["properties"]):
            raise Refusal(422, "the body is not a book")
        title, price = book.get("title"), book.get("price")
        if not isinstance(title, str) or not 1 <= len(title) <= 40:
            raise Refusal(422, "the title must have 1 to 40 characters")
        is_number = isinstance(price, (int, float)) and not isinstance(price, bool)
        if not is_number or price > 1000 or price < 0 and "accepts-negative-price" not in self.faults:
            raise Refusal(422, "the price must be from 0 to 1000")
        isbn = book.get("isbn", "9780441172719")
        if not isinstance(isbn, str) or not re.fullmatch("[0-9]{13}", isbn):
            raise Refusal(422, "the ISBN must have 13 digits")
        if not isinstance(book.get("note"), (str, type(None))):
            raise Refusal(422, "the note must be a string")
        if "fails-without-note" in self.faults and "note" in book:
            book["note"] = book["note"].strip()
        if "fails-above-100" in self.faults and price > 100:
            raise ValueError("the price has too many digits")
        if "fails-at-long-titles" in self.faults and len(title) > 30:
            raise ValueError("the title has too many characters")
        tags = book.get("tags", [])
        if not isinstance(tags, list) or len(tags) > 3 or any(tag not in ["novel", "poetry", "drama"] for tag in tags):
            raise Refusal(422, "the tags are unknown")
        if "fails-behind-rule" in self.faults:
            if not re.fullmatch("[A-Z]{3}-[0-9]{2}", book.get("note") or ""):
                raise Refusal(422, 'note must match "[A-Z]{3}-[0-9]{2}"')
            raise ValueError("the note is not indexed")
        return book

    def collection(self, query):
        self.check_method("GET", "POST")
        self.check_owner()
        if self.command == "GET":
            match = re.fullmatch("limit=(.*)", query)
            if match and not (re.fullmatch("[0-9]+", match[1]) and 1 <= int(match[1]) <= 100):
                raise Refusal(400, "the limit must be from 1 to 100")
            headers = {} if "no-count" in self.faults else {"X-Total-Count": str(len(self.books))}
            user = self.user()
            media = "text/html" if "wrong-media-type" in self.faults else "application/json"
            status = 203 if "wrong-status" in self.faults else 200
            return self.respond(status, [book for number, book in self.books.items() if self.owners.get(number) == user], headers, media=media)
        book = self.read_book()
        Shop.last += 1
        book["id"] = Shop.last
        if "forgets" not in self.faults:
            self.books[book["id"]] = book
            self.owners[book["id"]] = self.user()
        if "fails-at-links" in self.faults:
            book["edition"] = f"/books/{Shop.EDITIONS + Shop.last}"
        shown = book | {"price": str(book["price"])} if "price-as-string" in self.faults else book
        self.respond(201, shown)

    def resource(self, number):
        self.check_method("GET", "PUT", "DELETE")
        self.check_owner()
        if "slow" in self.faults:
            time.sleep(0.3)
        if "fails-at-links" in self.faults and number - self.EDITIONS in self.books:
            raise ValueError("the edition has no publisher")
        if number not in self.books or not self.is_own(number):
            raise Refusal(404, "no such book")
        if self.command == "GET":
            return self.respond(200, self.books[number])
        if self.command == "DELETE":
            if "keeps-deleted" not in self.faults:
                del self.books[number]
            return self.respond(204)
        self.books[number] = self.read_book() | {"id": number}
        self.respond(200, self.books[number])


Shop.main(DESCRIPTION)
