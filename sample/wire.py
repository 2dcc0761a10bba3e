"""HTTP on the wire: a request read, recorded and answered, faults included."""

import gzip
import json
import time
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import format_datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Protocol
from urllib.parse import parse_qsl, urlsplit

from sample.github.exchange import Request, Response
from sample.github.limits import rate_headers


@dataclass(frozen=True)
class Record:
    """One request as it was answered; status 0 is a dropped connection."""

    method: str
    path: str
    query: str
    status: int
    row_count: int
    is_authorized: bool


class Teller(Protocol):
    """Who answers: a clock, a log, and a reply to each request."""

    url: str
    latency: float
    requests: list[Record]

    @property
    def now(self) -> datetime:
        """The simulated clock."""

    def reply(self, request: Request, at: datetime) -> Response:
        """What to send."""

    def count(self, url: str) -> tuple[int, int]:
        """How many requests there were, and how many of this URL."""


class Server(ThreadingHTTPServer):
    """A thread for each connection, none of which outlives the program."""

    daemon_threads = True
    # A client that keeps its connection must not hold up the end.
    block_on_close = False


def handler_of(github: Teller) -> type[BaseHTTPRequestHandler]:
    """The handler that `http.server` makes once for each connection."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        timeout = 60

        def do_GET(self) -> None:
            time.sleep(github.latency)
            at = github.now
            # What was sent is read: else the line is reset and the answer lost.
            self.rfile.read(int(self.headers.get("Content-Length") or 0))
            request = _read(self, github)
            response = github.reply(request, at)
            time.sleep(response.delay)
            github.requests.append(_record(self, request, response))
            _send(self, request, response, at)

        do_POST = do_PUT = do_PATCH = do_DELETE = do_HEAD = do_GET  # noqa: N815

        def log_message(self, format: str, *args: object) -> None:
            """Say nothing: `requests` is the log."""

    return Handler


def _read(handler: BaseHTTPRequestHandler, github: Teller) -> Request:
    parts = urlsplit(handler.path)
    ordinal, attempt = github.count(handler.path)
    return Request(
        method=handler.command,
        path=parts.path,
        query=dict(parse_qsl(parts.query, keep_blank_values=True)),
        headers={name.lower(): value for name, value in handler.headers.items()},
        host=f"http://{handler.headers.get('Host') or urlsplit(github.url).netloc}",
        ordinal=ordinal,
        attempt=attempt,
    )


def _record(
    handler: BaseHTTPRequestHandler, request: Request, response: Response
) -> Record:
    rows = response.body if isinstance(response.body, list) else []
    return Record(
        method=request.method,
        path=request.path,
        query=urlsplit(handler.path).query,
        status=0 if response.is_dropped else response.status,
        row_count=len(rows),
        is_authorized="authorization" in request.headers,
    )


def _send(
    handler: BaseHTTPRequestHandler, request: Request, response: Response, at: datetime
) -> None:
    handler.close_connection = handler.close_connection or request.method == "HEAD"
    if response.is_dropped:
        handler.close_connection = True
        return
    body = response.body
    if not isinstance(body, bytes):
        # ASCII escapes carry lone surrogates and NULs as GitHub's JSON does.
        body = json.dumps(body).encode()
    headers = {
        "Content-Type": "application/json; charset=utf-8",
        "Date": format_datetime(at.astimezone(UTC), usegmt=True),
        **rate_headers(request, at),
    }
    if "gzip" in request.headers.get("accept-encoding", ""):
        body = gzip.compress(body, 1, mtime=0)
        headers["Content-Encoding"] = "gzip"
    headers |= {"Content-Length": str(len(body)), **response.headers}
    handler.send_response_only(response.status)
    for name, value in headers.items():
        handler.send_header(name, value)
    handler.end_headers()
    if request.method != "HEAD":
        handler.wfile.write(body[: response.cut_to])
    if response.cut_to is not None:
        handler.close_connection = True
