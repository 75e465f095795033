import json, sys, threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs

lock = threading.Lock()
tokens = 0
revoked = set()

class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def answer(self, status, value):
        body = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_POST(self):
        global tokens
        form = parse_qs(self.rfile.read(int(self.headers["Content-Length"])).decode())
        if self.headers.get("Authorization") != "Basic cnVubmVyOnMzY3JldC1vZi1ydW5uZXI=":
            return self.answer(401, {"error": "invalid_client"})
        with lock:
            tokens += 1
            number = tokens
        scope = form.get("scope", [""])[0]
        self.answer(200, {"access_token": f"access-{number}", "token_type": "Bearer", "expires_in": 3600, "scope": scope})

    def do_GET(self):
        if self.path == "/count":
            return self.answer(200, {"tokens": tokens})
        token = self.headers.get("Authorization", "")[7:]
        if self.path == "/revoke":
            revoked.add(token)
            return self.answer(200, {})
        if not token or token in revoked:
            return self.answer(401, {"error": "invalid_token"})
        self.answer(200, {"token": token})

    def log_message(self, *arguments):
        pass

ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Handler).serve_forever()
