"""A server with one small response over each protocol: HTTP/1.1 with and without TLS 1.3, HTTP/2 with and without TLS."""

from support import certificates
from support.server import Server, free_ports

# One cipher, so that the clients' preferences do not affect the comparison.
CONFIGURATION = """\
daemon off;
worker_processes 1;
pid {directory}/nginx.pid;
error_log {directory}/error.log error;
{user}
events {{ worker_connections 4096; }}
http {{
    access_log off;
    keepalive_requests 100000000;
    keepalive_timeout 600s;
    tcp_nodelay on;
    client_body_temp_path {directory}/body;
    proxy_temp_path {directory}/proxy;
    fastcgi_temp_path {directory}/fastcgi;
    uwsgi_temp_path {directory}/uwsgi;
    scgi_temp_path {directory}/scgi;
    http2_max_concurrent_streams 256;
    ssl_protocols TLSv1.3;
    ssl_conf_command Ciphersuites TLS_AES_128_GCM_SHA256;
    ssl_certificate {directory}/server.pem;
    ssl_certificate_key {directory}/server.key;
    default_type application/json;
    server {{
        listen 127.0.0.1:{port} backlog=1024;
        listen 127.0.0.1:{tls} ssl backlog=1024;
        listen 127.0.0.1:{http2} ssl http2 backlog=1024;
        listen 127.0.0.1:{h2c} http2 backlog=1024;
        location /items/ {{ return 200 '{body}'; }}
        location = /counters {{ stub_status; }}
    }}
}}
"""

BODY = '{"id": 1, "title": "Dune", "author": "Frank Herbert", "published": 1965, "language": "en", "pages": 612, ' \
       '"publisher": "Chilton Books", "price": {"amount": 9.99, "currency": "EUR"}, "available": true}'


class Protocol:
    """One protocol of the server. `version` is its name in the load programs."""

    def __init__(self, name, version, url, authorities=None):
        self.name = name
        self.version = version
        self.url = url
        self.authorities = authorities


class ProtocolServer(Server):
    """nginx with one worker and four ports, which `protocols` lists."""

    configuration = CONFIGURATION
    protocols = {}

    def prepare(self):
        authorities = certificates.make(self.directory)
        self.port, tls, http2, h2c = free_ports(4)
        self.protocols = {
            "plain": Protocol("HTTP/1.1", "1.1", f"http://127.0.0.1:{self.port}", None),
            "tls": Protocol("HTTP/1.1, TLS 1.3", "1.1", f"https://127.0.0.1:{tls}", authorities),
            "h2": Protocol("HTTP/2, TLS 1.3", "2", f"https://127.0.0.1:{http2}", authorities),
            "h2c": Protocol("HTTP/2 without TLS", "h2c", f"http://127.0.0.1:{h2c}", None),
        }
        return {"port": self.port, "tls": tls, "http2": http2, "h2c": h2c, "body": BODY}
