"""The sample's API on a loopback port: a clock, a log and the knobs of a test.

    with serve(build_world()) as github:
        extract(github.url)
        github.travel("2026-03-06T18:00:00Z")

The clock starts at `now` and ticks; `Date` tells it, and a row shows up when the
clock has reached it, so a client may reckon with the headers as with GitHub's.
"""

import threading
import time
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from sample.facts import Instant, instant
from sample.github.api import answer
from sample.github.call import Limits
from sample.github.exchange import Request, Response
from sample.github.past import View, as_of, turning_points
from sample.repository import World
from sample.wire import Record, Server, handler_of

Faults = Callable[[Request], Response | None]


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
    server = Server(("127.0.0.1", port), handler_of(github))
    github.url = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
    thread.start()
    try:
        yield github
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
