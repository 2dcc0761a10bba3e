"""Answers of another server, remembered: the second time they cost next to nothing.

    python -m benchmarks.replay --upstream http://127.0.0.1:8080 --port-file port

What a request costs the simulator (it sorts its rows anew for each `since`) is no cost
of GitHub's; with the answers in memory, what is measured is the client. The lists of
comments are read once, page by page, and their windows by `since` are cut from that.
"""

from __future__ import annotations

import argparse
import gzip
import socket
import threading
from bisect import bisect_left
from email.utils import formatdate
from http.client import HTTPConnection
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit

import orjson
import requests

HOP_BY_HOP = ("connection", "keep-alive", "transfer-encoding")


class Comments:
    """One list of comments, in the order of `updated_at`, cut at any `since`."""

    def __init__(self, url: str) -> None:
        """Read the whole list, page by page."""
        session, rows = requests.Session(), list[dict[str, Any]]()
        session.headers["User-Agent"] = "replay"
        page: Any = {"next": {"url": url}}
        while page := page.get("next"):
            answer = session.get(page["url"])
            rows += orjson.loads(answer.content)
            page = answer.links
        self._times = [str(row["updated_at"]) for row in rows]
        self._rows = [orjson.dumps(row) for row in rows]
        self._date = answer.headers["Date"] if rows else formatdate(usegmt=True)

    def answer(self, url: str, query: dict[str, str]) -> bytes:
        """The page that this query asks for."""
        page, size = int(query.get("page", "1")), int(query["per_page"])
        start = bisect_left(self._times, query.get("since", "")) + (page - 1) * size
        shown = self._rows[start : start + size]
        body = gzip.compress(b"[" + b",".join(shown) + b"]", 1)
        head = ["HTTP/1.1 200 OK", f"Date: {self._date}", "Content-Encoding: gzip"]
        head += [f"Content-Length: {len(body)}", "Content-Type: application/json"]
        if start + size < len(self._rows):
            more = urlencode({**query, "page": page + 1})
            head.append(f'Link: <{url}?{more}>; rel="next"')
        return "\r\n".join([*head, "", ""]).encode() + body


class Memory:
    """Raw answers by path and query."""

    def __init__(self, upstream: str) -> None:
        """Remember nothing yet."""
        self._host = urlsplit(upstream).netloc
        self._local = threading.local()
        self._upstream = upstream
        self._comments: dict[str, Comments] = {}
        self._lock = threading.Lock()
        self._kept: dict[str, bytes] = {}

    def answer(self, target: str, headers: dict[str, str]) -> bytes:
        """The whole answer, head and body, ready to be sent."""
        if target not in self._kept:
            is_cut = urlsplit(target).path.endswith("/comments")
            made = self._cut if is_cut else self._fetched
            self._kept[target] = made(target, headers)
        return self._kept[target]

    def _cut(self, target: str, headers: dict[str, str]) -> bytes:
        parts = urlsplit(target)
        query = dict(parse_qsl(parts.query))
        whole = {**query, "page": "1"}
        del whole["since"]
        with self._lock:
            if parts.path not in self._comments:
                url = f"{self._upstream}{parts.path}?{urlencode(whole)}"
                self._comments[parts.path] = Comments(url)
        return self._comments[parts.path].answer(
            f"http://{headers['Host']}{parts.path}", query
        )

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


def serve(upstream: str, port_file: Path, log_file: Path) -> None:
    """Serve until the process is ended; the log has a line of JSON per request."""
    memory = Memory(upstream)
    log = log_file.open("ab", buffering=0)

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            """Send what is remembered."""
            answer = memory.answer(self.path, dict(self.headers))
            parts = urlsplit(self.path)
            told = {"path": parts.path, "query": parts.query}
            log.write(orjson.dumps(told, option=orjson.OPT_APPEND_NEWLINE))
            self.wfile.write(answer)

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
    parser.add_argument("--log", type=Path, required=True)
    told = parser.parse_args()
    serve(told.upstream, told.port_file, told.log)
