"""The server of Benchmarks/run: the items of `Server`, also over TLS 1.3, and one large file."""

from support import certificates
from support.server import Server, free_ports

# One cipher, so that the clients' preferences do not affect the comparison.
LISTENERS = """\
listen 127.0.0.1:{tls} ssl backlog=1024;
        ssl_protocols TLSv1.3;
        ssl_conf_command Ciphersuites TLS_AES_128_GCM_SHA256;
        ssl_certificate {directory}/server.pem;
        ssl_certificate_key {directory}/server.key;"""

LARGE = 1 << 30


class ItemServer(Server):
    """nginx with one worker and two ports; /large is a sparse file of LARGE zero bytes."""

    tls_port = 0
    authorities = ""

    def prepare(self):
        values = super().prepare()
        self.authorities = certificates.make(self.directory)
        self.tls_port, = free_ports(1)
        with open(f"{self.directory}/root/large", "wb") as file:
            file.truncate(LARGE)
        return {**values, "listeners": LISTENERS.format(tls=self.tls_port, directory=self.directory)}

    @property
    def tls_address(self):
        return f"https://127.0.0.1:{self.tls_port}"
