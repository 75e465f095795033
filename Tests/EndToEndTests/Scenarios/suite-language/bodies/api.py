import email.parser, email.policy, gzip, json, sys, zlib
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def read(self):
        if self.headers.get("Transfer-Encoding") != "chunked":
            return self.rfile.read(int(self.headers.get("Content-Length", 0)))
        body = b""
        while size := int(self.rfile.readline(), 16):
            body += self.rfile.read(size)
            self.rfile.readline()
        self.rfile.readline()
        return body

    def do_POST(self):
        body = self.read()
        received = len(body)
        coding = self.headers.get("Content-Encoding")
        if coding == "gzip":
            body = gzip.decompress(body)
        if coding == "deflate":
            body = zlib.decompress(body)
        type = self.headers.get("Content-Type", "")
        result = {"type": type.split(";")[0], "size": len(body), "isSmaller": received < len(body)}
        if type.startswith("multipart/"):
            head = f"Content-Type: {type}\r\n\r\n".encode()
            message = email.parser.BytesParser(policy=email.policy.HTTP).parsebytes(head + body)
            result["parts"] = [
                {
                    "name": part.get_param("name", header="Content-Disposition"), "filename": part.get_filename(),
                    "type": part.get("Content-Type"), "note": part.get("X-Note"),
                    "size": len(part.get_payload(decode=True)),
                    "text": part.get_payload(decode=True)[:20].decode("utf-8", "replace"),
                }
                for part in message.iter_parts()
            ]
        else:
            result["text"] = body[:200].decode("utf-8", "replace")
        body = json.dumps(result).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *arguments):
        pass

ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Handler).serve_forever()
