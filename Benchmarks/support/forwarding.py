"""A forward proxy that records requests. It forwards those to this machine, and responds itself to all others."""

import http.client
import http.server
import threading
import time
import urllib.parse

LOCAL = ("127.0.0.1", "localhost", "::1")
HOP_BY_HOP = ("connection", "keep-alive", "proxy-connection", "proxy-authorization", "te", "trailer", "transfer-encoding",
              "upgrade")
# What apitest, Newman and Bruno accept unless a request says otherwise. Servers that look at their requests see no
# difference.
DEFAULT_ENCODINGS = ("gzip, deflate", "gzip, deflate, br", "gzip, compress, deflate, br")
# The host of announcements of tests, whose names are the queries.
MARK_HOST = "mark.invalid"


class Recorded:
    """A request as it arrived."""

    def __init__(self, method, url, headers, body, cookies=()):
        # The clock that other processes see as well, in nanoseconds.
        self.time = time.monotonic_ns()
        # The values of cookies that servers had set before.
        self.cookies = frozenset(cookies)
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
        # The absolute URL to which the response redirects, or None.
        self.target = None
        # The name of the test that sends the request, if the program announces its tests.
        self.test = None


class RecordingProxy:
    """An HTTP forward proxy on a free port of the loopback interface.

    Requests to other machines never leave this one: each gets a 200 response with a JSON document.
    """

    def __init__(self):
        self.requests = []
        self.document = b"{}"
        # Responses for some methods and patterns of paths, with statuses and documents.
        self.answers = []
        self.cookies = set()
        proxy = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def handle_one_request(self):
                try:
                    super().handle_one_request()
                except (ConnectionError, OSError, ValueError):
                    self.close_connection = True

            def parse_request(self):
                # Any method is recorded and answered in the same way.
                if not super().parse_request():
                    return False
                setattr(self, f"do_{self.command}", self.answer)
                return True

            def log_message(self, *_):
                pass

            def answer(self):
                body = self.body()
                recorded = Recorded(self.command, self.path, self.headers.items(), body, proxy.cookies)
                proxy.requests.append(recorded)
                status, headers, content = proxy.respond(self.command, self.path, self.headers.items(), body)
                if 300 <= status < 400:
                    recorded.target = next((urllib.parse.urljoin(self.path, value) for name, value in headers
                                            if name.lower() == "location"), None)
                proxy.cookies.update(value.partition(";")[0].partition("=")[2].strip()
                                     for name, value in headers if name.lower() == "set-cookie")
                self.send_response_only(status)
                for name, value in headers:
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(content)))
                self.end_headers()
                if self.command != "HEAD":
                    self.wfile.write(content)

            def body(self):
                if "chunked" not in self.headers.get("Transfer-Encoding", "").lower():
                    return self.rfile.read(int(self.headers.get("Content-Length") or 0))
                chunks = []
                while size := int(self.rfile.readline().split(b";")[0], 16):
                    chunks.append(self.rfile.read(size))
                    self.rfile.readline()
                while self.rfile.readline().strip():
                    pass
                return b"".join(chunks)

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.address = f"http://127.0.0.1:{self.server.server_address[1]}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()

    def take(self):
        """Returns the requests since the last call, each with the test that was announced before it."""
        taken, self.requests = self.requests, []
        requests, test = [], None
        for request in taken:
            parts = urllib.parse.urlsplit(request.url)
            if parts.hostname == MARK_HOST:
                test = urllib.parse.unquote(parts.query)
            else:
                request.test = test
                requests.append(request)
        return requests

    def respond(self, method, url, headers, body):
        """Returns the response of a server on this machine, or that of the proxy."""
        parts = urllib.parse.urlsplit(url)
        if parts.hostname in LOCAL:
            target = urllib.parse.urlunsplit(("", "", parts.path or "/", parts.query, ""))
            sent = [(name, "curl/8" if value.startswith("apitest/") else value) for name, value in headers
                    if name.lower() not in HOP_BY_HOP
                    and (name.lower() != "accept-encoding" or value not in DEFAULT_ENCODINGS)]
            connection = http.client.HTTPConnection(parts.hostname, parts.port or 80, timeout=20)
            try:
                connection.putrequest(method, target, skip_host=True, skip_accept_encoding=True)
                for name, value in sent:
                    connection.putheader(name, value)
                if body and not any(name.lower() == "content-length" for name, _ in sent):
                    connection.putheader("Content-Length", str(len(body)))
                connection.endheaders(body or None)
                response = connection.getresponse()
                content = response.read()
                kept = [(name, value) for name, value in response.getheaders()
                        if name.lower() not in HOP_BY_HOP + ("content-length",)]
                return response.status, kept, content
            except ConnectionRefusedError:
                pass
            except (OSError, http.client.HTTPException):
                return 502, [], b""
            finally:
                connection.close()
        found = [(status, document) for wanted, pattern, status, document in self.answers
                 if wanted == method and pattern.fullmatch(parts.path or "/")]
        status, document = found[0] if found else (200, self.document)
        if status == 204:
            return status, [], b""
        return status, [("Content-Type", "application/json")], document
