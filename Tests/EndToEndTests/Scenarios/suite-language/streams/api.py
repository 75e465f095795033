import sys, time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

EVENTS = [
    "event: open\r\ndata: {\"n\": 1}\r\nid: 7\r\n\r\n", ": a comment\n\ndata: plain\ndata: text\n\n", "event: ping\ndata: x\n\n",
    "event: update\ndata: {\"n\": 2, \"secret\": \"hunter22\"}\n\n",
]

class Handler(BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream" if "events" in self.path else "application/x-ndjson")
        self.end_headers()
        pieces = EVENTS if "events" in self.path else ["{\"n\":1}\n", "{\"n\":2}\r\n42\nla", "st"]
        for piece in pieces:
            self.wfile.write(piece.encode())
            self.wfile.flush()
            time.sleep(0.01)
        while "endless" in self.path:
            time.sleep(0.05)
            if "events" not in self.path:
                self.wfile.write(b"tick\n")

    def log_message(self, *arguments):
        pass

ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Handler).serve_forever()
