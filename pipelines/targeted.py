"""An old window by itself, where reading all that has changed since would take hours.

Its listings come from the search, each thread's whole timeline is read, and the comment
lists are read from the window's start until `updated_at` has passed its end. What that
cannot know: threads closed in the window and reopened later, and comments that were
edited more than a day after it (on diffs, and in threads that nothing else is known
of). The window is written down as targeted after all of its rows are committed; a
killed run repeats the search, the lists, and at most one chunk of threads.
"""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING

import pyarrow as pa

from pipelines.coverage import Interval, Ledger, Plan, Targets
from pipelines.github.batches import Batch, to_batch
from pipelines.github.client import REQUESTS_A_MINUTE, Client, Pace, Page
from pipelines.github.models import ISSUE_COMMENTS, REVIEW_COMMENTS, Resource, Row
from pipelines.github.paginators import SincePaginator
from pipelines.github.repository import Repository
from pipelines.github.search import LIMIT_WITH_TOKEN, LIMIT_WITHOUT, Found, Search
from pipelines.github.timeline import Read, ThreadReader
from pipelines.progress import PERIOD_SECONDS, Pulse, Say
from pipelines.windows import SETTLING, Window

if TYPE_CHECKING:
    from pipelines.load import Loader

MAX_ROWS = 10_000
MAX_SECONDS = 20.0


@dataclass
class LoadTarget:
    """Where rows go, and the lines about them."""

    loader: Loader
    ledger: Ledger
    targets: Targets


@dataclass
class Chunk:
    """What is read and not yet committed."""

    batches: list[Batch] = field(default_factory=list)
    read_at: dict[int, datetime] = field(default_factory=dict)
    began: float = field(default_factory=time.monotonic)

    def add(self, read: Read) -> None:
        """Take in a thread whose whole timeline was read."""
        self.batches += read.batches
        self.read_at[read.number] = read.read_at

    @property
    def is_due(self) -> bool:
        """Whether it is large or old enough to be committed."""
        row_count = sum(len(batch.rows) for batch in self.batches)
        return row_count >= MAX_ROWS or time.monotonic() - self.began > MAX_SECONDS

    def commit(self, store: LoadTarget) -> int:
        """Load the rows, then write down whose timelines they are; count the rows."""
        shares: defaultdict[Resource, list[Batch]] = defaultdict(list)
        for batch in self.batches:
            shares[batch.resource].append(batch)
        rows = {one: rows_of(batches) for one, batches in shares.items()}
        tables = {
            one: pa.Table.from_pylist(some, one.schema) for one, some in rows.items()
        }
        count = store.loader.load(tables)
        for one, batches in shares.items():
            store.ledger.quarantine(
                one.stream,
                [unfit for batch in batches for unfit in batch.unfit],
                loaded=[str(row[one.key]) for row in rows[one]],
                at=max(batch.began_at for batch in batches),
            )
        store.targets.add_timelines(self.read_at)
        self.batches, self.read_at, self.began = [], {}, time.monotonic()
        return count


def rows_of(batches: Iterable[Batch]) -> list[Row]:
    """The rows of several batches."""
    return [row for batch in batches for row in batch.rows]


WORKERS = 8

# Most edits come soon. A timeline shows a thread's comments however late they were
# edited; of those on diffs the list alone tells, so it is read for this long after.
MARGINS = {ISSUE_COMMENTS: SETTLING, REVIEW_COMMENTS: timedelta(days=1)}

# Threads read before the chunk may be committed.
SLICE = 64


class Targeted:
    """One window's fetch; the store is opened once something was found."""

    def __init__(
        self,
        client: Client,
        repository: Repository,
        slug: str,
        say: Say,
        *,
        has_token: bool,
    ) -> None:
        """Ask nothing yet."""
        self.row_count = 0
        self._client = client
        self._repository = repository
        self._slug = slug
        self._say = say
        self._pulse = Pulse(say)
        self._doing = "searching"
        searches = LIMIT_WITH_TOKEN if has_token else LIMIT_WITHOUT
        self._pace = Pace(REQUESTS_A_MINUTE, self._sleep)
        self._searches = Pace(searches, self._sleep)

    def fetch(self, window: Window, open_store: Callable[[], LoadTarget]) -> None:
        """Read the window and write it down as targeted.

        Raises IncompleteError where search or a list cannot tell all of it; what was
        read until then is kept.
        """
        interval = Interval(window.start_at, window.end_at)
        search = Search(self._searched, self._client.api_url, self._repository.slug)
        found = search.threads(interval)
        self._doing = f"{len(found):,} threads found, reading the comments"
        with ThreadPoolExecutor(WORKERS) as pool:
            try:
                lists = (ISSUE_COMMENTS, REVIEW_COMMENTS)
                told = list(pool.map(partial(self._comments, interval), lists))
                store = open_store()
                chunk = Chunk([batch for batches in told for batch in batches])
                asked = _commented(chunk.batches, interval) | found.keys()
                chunk.batches = [_of(asked, batch) for batch in chunk.batches]
                asked -= store.targets.read_since(window.settled_at)
                self._say(f"{len(asked):,} threads to read, each with its timeline")
                gone = self._read(pool, asked, found, chunk, store)
            except BaseException:
                self._client.limiter.stopping.set()
                pool.shutdown(wait=False, cancel_futures=True)
                raise
        if gone:
            self._say(
                f"{gone:,} of them are gone from GitHub since: they are not counted"
            )
        store.targets.add_window(window, self._repository.now)

    def _read(
        self,
        pool: ThreadPoolExecutor,
        asked: set[int],
        found: dict[int, Found],
        chunk: Chunk,
        store: LoadTarget,
    ) -> int:
        """Read threads and commit them in chunks; how many of them are gone."""
        reader = ThreadReader(self._get, self._repository.url, self._slug)
        gone = done = 0
        try:
            for some in _sliced(sorted(asked, reverse=True), SLICE):
                reads = pool.map(reader.read, some, map(found.get, some))
                for read in reads:
                    done += 1
                    self._doing = f"{done:,} of {len(asked):,} threads read"
                    gone += read is None
                    if read is not None:
                        chunk.add(read)
                if chunk.is_due:
                    self.row_count += chunk.commit(store)
        finally:
            self.row_count += chunk.commit(store)
        return gone

    def _comments(self, interval: Interval, resource: Resource) -> list[Batch]:
        """A list of comments, from the window's start until it has passed its end."""
        batches, began_at = [], None
        url = self._repository.url + resource.path
        until = interval.until + MARGINS[resource]
        for page in SincePaginator(self._get, url, Plan(interval.since)):
            began_at = began_at or page.date
            batches.append(
                to_batch(resource, self._slug, page, began_at, interval.since)
            )
            if page.passed is not None and page.passed >= until:
                break
        return batches

    def _get(self, url: str, kind: type = list) -> Page:
        self._pace.wait()
        self._pulse.beat(self._told)
        return self._client.get(url, kind)

    def _told(self) -> str:
        return f"{self._client.request_count:,} requests: {self._doing}"

    def _sleep(self, seconds: float) -> None:
        """Wait for the pace, and say so where that takes long."""
        if seconds > PERIOD_SECONDS:
            self._say(f"Waiting {seconds:.0f} s: GitHub allows so many a minute")
        self._client.limiter.sleep(seconds)

    def _searched(self, url: str) -> Page:
        self._searches.wait()
        return self._get(url, dict)


def _commented(batches: Iterable[Batch], interval: Interval) -> set[int]:
    """The threads that somebody commented on in the window."""
    return {
        row["number"]
        for row in rows_of(batches)
        if interval.since <= row["created_at"] < interval.until
    }


def _of(numbers: set[int], batch: Batch) -> Batch:
    """The comments of these threads: of others no thread would be known."""
    rows = [row for row in batch.rows if row["number"] in numbers]
    return replace(batch, rows=rows)


def _sliced(numbers: Iterable[int], size: int) -> Iterator[list[int]]:
    rest = iter(numbers)
    while some := list(islice(rest, size)):
        yield some
