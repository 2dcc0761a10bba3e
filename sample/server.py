"""The sample's API on a loopback port: the only module that opens a socket.

    with serve(build_world()) as github:
        extract(github.url)
        github.travel("2026-03-06T18:00:00Z")

The clock starts at `now` and ticks; `Date` tells it, and a row shows up when the
clock has reached it, so a client may reckon with the headers as with GitHub's.
"""

import gzip
import json
import threading
import time
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qsl, urlsplit

from sample.api import Limits, answer
from sample.exchange import Request, Response
from sample.facts import Instant, instant
from sample.past import View, as_of, turning_points
from sample.rows import World

Faults = Callable[[Request], Response | None]
HOURLY_LIMIT = 5_000


@dataclass(frozen=True)
class Record:
    """One request as it was answered; status 0 is a dropped connection."""

    method: str
    path: str
    query: str
    status: int
    row_count: int
    is_authorized: bool


@dataclass
class Github:
    """A running sample: its address, what it was asked, and the knobs of a test."""

    world: World
    limits: Limits = field(default_factory=Limits)
    latency: float = 0.0
    faults: Faults | None = None
    url: str = ""
    requests: list[Record] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Start the clock at the world's own instant."""
        self._lock = threading.Lock()
        self._asked: Counter[str] = Counter()
        self._views: tuple[int, View] | None = None
        self.become(self.world)

    def become(self, world: World, *, now: Instant | None = None) -> None:
        """Serve another world, e.g. the same one with rows added."""
        with self._lock:
            self.world, self._views = world, None
            self._points = turning_points(world)
        self.travel(now or world.now)

    def travel(self, to: Instant) -> None:
        """Set the clock; the world is served as it was, or will be, at that instant."""
        self._began, self._started = instant(to), time.monotonic()

    @property
    def now(self) -> datetime:
        """The simulated clock."""
        return self._began + timedelta(seconds=time.monotonic() - self._started)

    def view(self, at: datetime) -> View:
        """The world as of `at`; replayed anew only where something happened since."""
        reached = bisect_right(self._points, at)
        with self._lock:
            if self._views is None or self._views[0] != reached:
                self._views = reached, as_of(self.world, at)
            return self._views[1]

    def reply(self, request: Request, at: datetime) -> Response:
        """The test's own answer, else GitHub's."""
        scripted = self.faults(request) if self.faults else None
        return scripted or answer(self.view(at), request, self.limits)

    def count(self, url: str) -> tuple[int, int]:
        """How many requests there were, and how many of this URL, this one included."""
        with self._lock:
            self._asked[url] += 1
            return self._asked.total(), self._asked[url]


@contextmanager
def serve(
    world: World,
    *,
    now: Instant | None = None,
    max_page: int = 10,
    max_rows: int = 30_000,
    latency: float = 0.0,
    faults: Faults | None = None,
    port: int = 0,
) -> Iterator[Github]:
    """Serve `world` on 127.0.0.1 as of `now` until the block ends.

    `latency` is in seconds; `port` 0 takes a free one. OSError where it is taken.
    """
    github = Github(world, Limits(max_page, max_rows), latency, faults)
    github.travel(now or world.now)
    server = _Server(("127.0.0.1", port), _handler(github))
    github.url = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
    thread.start()
    try:
        yield github
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    # A client that keeps its connection must not hold up the end.
    block_on_close = False


def _handler(github: Github) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        timeout = 60

        def do_GET(self) -> None:
            time.sleep(github.latency)
            at = github.now
            request = _read(self, github)
            response = github.reply(request, at)
            time.sleep(response.delay)
            github.requests.append(_record(self, request, response))
            _send(self, request, response, at)

        do_POST = do_PUT = do_PATCH = do_DELETE = do_HEAD = do_GET  # noqa: N815

        def log_message(self, format: str, *args: object) -> None:
            """Say nothing: `requests` is the log."""

    return Handler


def _read(handler: BaseHTTPRequestHandler, github: Github) -> Request:
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
    handler.close_connection = handler.close_connection or request.method != "GET"
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
        **_rate(request, at),
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


def _rate(request: Request, at: datetime) -> dict[str, str]:
    """The hourly figures; they are shown and not enforced: a test's faults refuse."""
    used = request.ordinal % HOURLY_LIMIT
    return {
        "X-RateLimit-Limit": str(HOURLY_LIMIT),
        "X-RateLimit-Remaining": str(HOURLY_LIMIT - used),
        "X-RateLimit-Used": str(used),
        "X-RateLimit-Reset": str(int(at.timestamp()) + 3600),
        "X-RateLimit-Resource": "core",
    }
