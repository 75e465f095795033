import hashlib, re, sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

USER, PASSWORD, REALM, NONCE = "ada", "correct horse", "books", "n0nce"

def h(text):
    return hashlib.sha256(text.encode()).hexdigest()

class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    counts = set()

    def do_GET(self):
        fields = dict(re.findall(r'(\w+)="?([^",]+)"?', self.headers.get("Authorization", "")))
        good = False
        if fields.get("username") == USER:
            ha1 = h(f"{USER}:{REALM}:{PASSWORD}")
            ha2 = h(f"{self.command}:{self.path}")
            answer = h(f"{ha1}:{NONCE}:{fields['nc']}:{fields['cnonce']}:auth:{ha2}")
            good = answer == fields["response"] and fields["nc"] not in Handler.counts
            Handler.counts.add(fields["nc"])
        body = b"hello" if good else b"who are you?"
        self.send_response(200 if good else 401)
        if not good:
            self.send_header(
                "WWW-Authenticate", f'Digest realm="{REALM}", nonce="{NONCE}", qop="auth", algorithm=SHA-256')
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *arguments):
        pass

ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Handler).serve_forever()
