"""A shop that computes prices. It has a fault, which `apitest contract fuzz` finds.

usage: app.py [PORT]
"""

import json
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Shop(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        try:
            status, answer = self.quote(body)
        except Exception as error:
            status, answer = 500, {"error": repr(error)}
        content = json.dumps(answer).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        if status == 405:
            self.send_header("Allow", "POST")
        self.end_headers()
        self.wfile.write(content)

    do_GET = do_PUT = do_PATCH = do_DELETE = do_POST

    def quote(self, body):
        if self.command != "POST":
            return 405, {"error": "use POST"}
        if self.headers.get_content_type() != "application/json":
            return 415, {"error": "the body must be JSON"}
        try:
            order = json.loads(body)
        except ValueError:
            return 400, {"error": "the body is not JSON"}
        if not isinstance(order, dict) or set(order) - {"copies", "code"}:
            return 422, {"error": "the order has copies and a code"}
        copies, code = order.get("copies"), order.get("code", "")
        if type(copies) is not int or not 1 <= copies <= 100:
            return 422, {"error": "copies must be from 1 to 100"}
        if not isinstance(code, (str, type(None))):
            return 422, {"error": "the code must be text"}
        # The fault: the description allows null as the code.
        discount = 0.1 if code.upper() == "SPRING" else 0
        return 200, {"total": round(copies * 9.5 * (1 - discount), 2)}

    def log_message(self, *arguments):
        pass


if __name__ == "__main__":
    ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1]) if len(sys.argv) > 1 else 8080), Shop).serve_forever()
