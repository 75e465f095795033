import json, sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs

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
        form = parse_qs(self.rfile.read(int(self.headers["Content-Length"])).decode())
        if form.get("audience") != ["https://books.example"]:
            return self.answer(400, {"error": "invalid_target", "error_description": "who is it for?"})
        self.answer(200, {"access_token": "token-for-" + form["username"][0], "token_type": "Bearer"})

    def do_GET(self):
        if self.path == "/ready":
            return self.answer(200, {})
        self.answer(200, {"token": self.headers.get("Authorization", "")[7:]})

    def log_message(self, *arguments):
        pass

ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Handler).serve_forever()
