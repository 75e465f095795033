"""A WebSocket server that uses only the standard library. Its behavior depends on the path."""
import base64, hashlib, json, os, socketserver, struct, sys


class Handler(socketserver.StreamRequestHandler):
    def handle(self):
        while True:
            line = self.rfile.readline().decode().split()
            if len(line) < 2:
                return
            path, fields = line[1].split("?")[0], {}
            while (field := self.rfile.readline().strip()):
                name, _, value = field.decode().partition(":")
                fields[name.lower()] = value.strip()
            if path == "/health":
                self.answer("204 No Content")
            elif path == "/forbidden":
                self.answer("403 Forbidden", b'{"error":"no entry"}')
            elif path == "/plain":
                self.answer("200 OK", b'{"hello":"world"}')
            else:
                return self.converse(path, fields)

    def answer(self, status, body=b""):
        head = f"HTTP/1.1 {status}\r\nContent-Type: application/json\r\n"
        if not status.startswith("204"):
            head += f"Content-Length: {len(body)}\r\n"
        self.wfile.write(head.encode() + b"\r\n" + body)

    def converse(self, path, fields):
        key = fields["sec-websocket-key"] + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
        accept = base64.b64encode(hashlib.sha1(key.encode()).digest()).decode()
        if path == "/broken":
            accept = "no"
        head = "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nX-User: "
        head += fields.get("authorization", "nobody") + f"\r\nSec-WebSocket-Accept: {accept}\r\n"
        if "chat" in fields.get("sec-websocket-protocol", ""):
            head += "Sec-WebSocket-Protocol: chat\r\n"
        self.wfile.write(head.encode() + b"\r\n")
        if path == "/gone":
            self.close(1001, "moving")
        if path == "/big":
            self.frame(1, b"x" * 100_000)
        if path == "/ticks":
            for tick in range(1, 8):
                self.frame(1, json.dumps({"tick": tick}).encode())
        if path == "/masked":
            self.wfile.write(b"\x81\x81\0\0\0\0x")
        if path == "/reserved":
            self.wfile.write(b"\x83\x01x")
        if path == "/compressed":
            self.wfile.write(b"\xc1\x01x")
        while (frame := self.read()) is not None:
            opcode, data = frame
            if path == "/deaf":
                continue
            if path == "/drop":
                return
            if opcode == 8:
                return self.frame(8, data[:2])
            elif opcode == 9:
                self.frame(10, data)
            elif opcode == 1 and path == "/room":
                self.room(json.loads(data))
            elif opcode == 1 and data == b"tell":
                import urllib.request
                urllib.request.urlopen(os.environ["SERVER_URL"] + "/open").read()
            elif opcode == 1 and data == b"close":
                self.close(4001, "asked")
            elif opcode in (1, 2):
                self.frame(opcode, data)

    def room(self, message):
        if message["type"] == "join":
            for number in range(2):
                self.frame(1, json.dumps({"type": "noise", "n": number}).encode())
            self.frame(1, json.dumps({"type": "joined", "id": 7, "token": "hunter22", "room": message["room"]}).encode())
        else:
            self.frame(1, json.dumps({"type": "said", **message}).encode())

    def close(self, code, reason):
        self.frame(8, struct.pack(">H", code) + reason.encode())

    def frame(self, opcode, data):
        size = len(data)
        head = bytes([0x80 | opcode])
        head += bytes([size]) if size < 126 else struct.pack(">BH", 126, size) if size < 65536 else struct.pack(">BQ", 127, size)
        self.wfile.write(head + data)

    def read(self):
        head = self.rfile.read(2)
        if len(head) < 2:
            return None
        size = head[1] & 127
        if size == 126:
            size, = struct.unpack(">H", self.rfile.read(2))
        elif size == 127:
            size, = struct.unpack(">Q", self.rfile.read(8))
        mask = self.rfile.read(4)
        data = self.rfile.read(size)
        return head[0] & 15, bytes(byte ^ mask[index % 4] for index, byte in enumerate(data))


class Server(socketserver.ThreadingTCPServer):
    allow_reuse_address = True
    daemon_threads = True

    def handle_error(self, request, address):
        pass


Server(("127.0.0.1", int(sys.argv[1])), Handler).serve_forever()
