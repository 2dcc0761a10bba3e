"""Answers of another server, remembered: the second time they cost next to nothing.

    python -m benchmarks.replay --upstream http://127.0.0.1:8080 --port-file port

What a request costs the simulator (it sorts its rows anew for each `since`) is no cost
of GitHub's; with the answers in memory, what is measured is the client.
"""

from __future__ import annotations

import argparse
import socket
import threading
from http.client import HTTPConnection
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import urlsplit

HOP_BY_HOP = ("connection", "keep-alive", "transfer-encoding")


class Memory:
    """Raw answers by path and query."""

    def __init__(self, upstream: str) -> None:
        """Remember nothing yet."""
        self._host = urlsplit(upstream).netloc
        self._local = threading.local()
        self._kept: dict[str, bytes] = {}

    def answer(self, target: str, headers: dict[str, str]) -> bytes:
        """The whole answer, head and body, ready to be sent."""
        if target not in self._kept:
            self._kept[target] = self._fetched(target, headers)
        return self._kept[target]

    def _fetched(self, target: str, headers: dict[str, str]) -> bytes:
        connection = getattr(self._local, "connection", None)
        if connection is None:
            connection = self._local.connection = HTTPConnection(self._host)
        connection.request("GET", target, headers=headers)
        response = connection.getresponse()
        body = response.read()
        head = [f"HTTP/1.1 {response.status} {response.reason}"]
        head += [
            f"{name}: {value}"
            for name, value in response.getheaders()
            if name.lower() not in HOP_BY_HOP
        ]
        return "\r\n".join([*head, "", ""]).encode("latin-1") + body


def serve(upstream: str, port_file: Path) -> None:
    """Serve until the process is ended."""
    memory = Memory(upstream)

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            """Send what is remembered."""
            self.wfile.write(memory.answer(self.path, dict(self.headers)))

        def setup(self) -> None:
            """Send small answers at once."""
            super().setup()
            self.connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

        def log_message(self, *args: object) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    port_file.write_text(str(server.server_address[1]))
    server.serve_forever()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--upstream", required=True)
    parser.add_argument("--port-file", type=Path, required=True)
    told = parser.parse_args()
    serve(told.upstream, told.port_file)
