"""GitHub's lists as a dlt source: one resource a stream, read side by side.

A run of the pipeline takes what fits into one chunk; the readers behind the resources
keep their place in the lists from one run to the next. So what was read is committed in
bounded chunks, whatever the size of the whole. Adding a list means one line in
`models.py`.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

import dlt
import pyarrow as pa
from dlt.sources import DltResource

from pipelines.coverage import Held, Interval, Plan, Quarantined
from pipelines.errors import IncompleteError, StoppedError
from pipelines.github.batches import Batch, to_batch
from pipelines.github.client import AbandonedError, Client
from pipelines.github.consistency import TRIES, contradicted, forgets
from pipelines.github.models import BY_STREAM, RESOURCES, Resource
from pipelines.github.paginators import (
    EARLIEST_SINCE,
    NewestFirstPaginator,
    SincePaginator,
    Walked,
)

# A load has its price whatever its size. A page is 100 rows, and each of the streams
# may have one under way when the chunk is full.
MAX_ROWS = 19_600
MAX_BYTES = 16_000_000
MAX_SECONDS = 20.0

Keep = Callable[[Resource, pa.Table], pa.Table]


@dataclass
class Chunk:
    """How much one run of the pipeline has read; shared by the threads of dlt."""

    row_count: int = 0
    byte_count: int = 0
    began: float = field(default_factory=time.monotonic)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def add(self, rows: pa.RecordBatch) -> None:
        """Count the rows of a page."""
        with self.lock:
            self.row_count += rows.num_rows
            self.byte_count += rows.nbytes

    @property
    def is_full(self) -> bool:
        """Whether it is large or old enough to be committed."""
        is_large = self.row_count >= MAX_ROWS or self.byte_count >= MAX_BYTES
        return is_large or time.monotonic() - self.began > MAX_SECONDS


class StreamReader:
    """One walk over one list, resumed by each chunk until it is finished.

    `last` is the newest page, `covered` the interval that is complete once its rows are
    committed, and `error` why the list could not be read on.
    """

    def __init__(
        self,
        client: Client,
        url: str,
        repository: str,
        stream: str,
        plan: Plan,
        held: Mapping[int, Held],
        after: StreamReader | None = None,
    ) -> None:
        """Read nothing yet. `url` is the repository's; `after` is to be read before."""
        self.resource = BY_STREAM[stream]
        self.plan = plan
        self.after = after
        self.began_at: datetime | None = None
        self.last: Batch | None = None
        self.covered: Interval | None = None
        self.error: StoppedError | None = None
        self.is_finished = False
        self.is_idle = threading.Event()  # has read what it will of this chunk
        self.rows: pa.Table = self.resource.schema.empty_table()
        self.unfit: list[Quarantined] = []
        self.unknown: set[str] = set()
        self._client = client
        self._url = url
        self._repository = repository
        self._held = held
        self._batches = self._read()
        self._first: list[Batch] = []

    def read_first(self) -> None:
        """Read the first page, and raise what hinders that."""
        self._first = [batch for batch in [self._next()] if batch is not None]
        if self.error is not None:
            raise self.error

    def read(self, chunk: Chunk, saw: Callable[[StreamReader, Batch], None]) -> None:
        """Read pages into `rows` and `unfit` until the chunk is full.

        Events are read after the threads, so that they know of everything that a
        thread's row shows: the threads of dlt are more than there are streams, and one
        of them waits here.
        """
        pages: list[pa.RecordBatch] = []
        self.unfit = []
        if self.after is not None:
            self.after.is_idle.wait()
        is_time = self.after is None or self.after.is_finished
        while is_time and (not chunk.is_full or not pages):
            batch = self._first.pop() if self._first else self._next()
            if batch is None:
                break
            schema = self.resource.schema
            pages.append(pa.RecordBatch.from_pylist(batch.rows, schema=schema))
            chunk.add(pages[-1])
            self.unfit += batch.unfit
            self.unknown |= batch.unknown
            self.last, self.covered = batch, batch.covered
            saw(self, batch)
        self.rows = pa.Table.from_batches(pages, self.resource.schema)

    def _next(self) -> Batch | None:
        try:
            batch = next(self._batches, None)
        except AbandonedError:
            return None
        except StoppedError as error:
            self.error, batch = error, None
            if not isinstance(error, IncompleteError):
                self._client.stop()  # the others need not go on
        self.is_finished = batch is None
        return batch

    def _read(self) -> Iterator[Batch]:
        """All pages of the list; once more where it forgets rows that are loaded.

        The clocks of GitHub's machines differ: what was asked for after another list
        began has seen all that one saw.
        """
        resource, plan, held = self.resource, self.plan, self._held
        before = self.after.began_at if self.after else None
        for _ in range(TRIES):
            self.began_at, is_met = None, not held
            for page in self._walk():
                if self._client.limiter.stopping.is_set():
                    raise AbandonedError("the run is being stopped")
                earliest = before or EARLIEST_SINCE
                self.began_at = self.began_at or max(page.date, earliest)
                keys = (row.get(resource.key) for row in page.rows if _is_object(row))
                is_met = is_met or any(key in held for key in keys)
                since = page.reached_from
                if since and not is_met and self._forgets(since):
                    break
                repository, began_at = self._repository, self.began_at
                yield to_batch(resource, repository, page, began_at, plan.since)
            else:
                return
        raise contradicted(resource.stream)

    def _walk(self) -> Iterator[Walked]:
        has_since = self.resource.has_since
        paginator = SincePaginator if has_since else NewestFirstPaginator
        url = self._url + self.resource.path
        return iter(paginator(self._client.get, url, self.plan))

    def _forgets(self, since: datetime) -> bool:
        get, stream = self._client.get, self.resource.stream
        return forgets(get, self._url, stream, self._held, since)


def _is_object(row: Any) -> bool:
    return isinstance(row, dict)


def readers_of(
    client: Client,
    url: str,
    repository: str,
    plans: Mapping[str, Plan],
    held: Mapping[str, Mapping[int, Held]],
) -> list[StreamReader]:
    """A reader for each planned walk."""
    found: dict[str, StreamReader] = {}
    for one in RESOURCES:
        if one.stream in plans:
            after = found.get("threads") if one.stream == "issue_events" else None
            about = (one.stream, plans[one.stream], held.get(one.stream, {}))
            found[one.stream] = StreamReader(client, url, repository, *about, after)
    return list(found.values())


@dlt.source(name="github", max_table_nesting=0)
def github(
    readers: Sequence[StreamReader],
    absent: Sequence[Resource],
    keep: Keep,
    saw: Callable[[StreamReader, Batch], None],
) -> Iterator[DltResource]:
    """What the readers read until a chunk is full, each list as a merged resource.

    `keep` gives the rows as they shall stand beside those that are stored. The tables
    of `absent` are created, rows or none.
    """
    chunk = Chunk()

    def rows(reader: StreamReader) -> Iterator[pa.Table]:
        try:
            reader.read(chunk, saw)
        finally:
            reader.is_idle.set()
        table = keep(reader.resource, reader.rows)
        if table.num_rows or reader.resource in absent:
            yield table

    for reader in readers:
        reader.is_idle.clear()
        yield declared(reader.resource, rows(reader), parallelized=True)
    read = [reader.resource for reader in readers]
    for resource in absent:
        if resource not in read:
            yield declared(resource, [resource.schema.empty_table()])


def declared(resource: Resource, data: Any, *, parallelized: bool = False) -> Any:
    """A dlt resource of a stream: one row a key, the newest version."""
    version = resource.version
    columns: Any = {version: {"dedup_sort": "desc"}} if version else {}
    return dlt.resource(
        data,
        name=resource.table,
        write_disposition="merge",
        primary_key=["repository", resource.key],
        columns=columns,
        parallelized=parallelized,
    )
