import os, socketserver, sys, threading
from http.server import BaseHTTPRequestHandler, HTTPServer

class Handler(BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.end_headers()
        self.wfile.write(b"over a socket, for " + self.headers["Host"].encode())

    def address_string(self):
        return "socket"

    def log_message(self, *arguments):
        pass

class SocketServer(socketserver.UnixStreamServer):
    def get_request(self):
        connection, _ = super().get_request()
        return connection, ("socket", 0)

server = SocketServer("api.sock", Handler)
threading.Thread(target=server.serve_forever, daemon=True).start()
HTTPServer(("127.0.0.1", int(sys.argv[1])), Handler).serve_forever()
