"""Pages into the warehouse, in chunks: rows first, then the lines in the ledger.

A chunk is committed after so many rows, bytes or seconds, and at a run's end. So
what the ledger says is loaded is loaded, a run that dies loses one chunk of work, and
the memory it takes does not grow with what there is to load.
"""

from __future__ import annotations

import time
from collections.abc import Container
from dataclasses import dataclass, field
from datetime import datetime

import pyarrow as pa

from pipelines.coverage import OVERLAP, Interval
from pipelines.github.consistency import Newest
from pipelines.github.parcels import Parcel
from pipelines.github.resource import Resource
from pipelines.ledger import Ledger, Quarantined
from pipelines.load import Loader

# A load has its price whatever its size. A page is 100 rows, and may be the last one.
MAX_ROWS = 19_900
MAX_BYTES = 16_000_000
MAX_SECONDS = 20.0

# The columns by which lists are compared with each other.
SHOWN = ("number", "created_at", "updated_at", "closed_at", "comment_count")


@dataclass
class Share:
    """What one stream has in a chunk; `last` is its newest page."""

    last: Parcel
    pages: list[pa.RecordBatch] = field(default_factory=list)
    unfit: list[Quarantined] = field(default_factory=list)

    @property
    def resource(self) -> Resource:
        """What the stream is."""
        return self.last.resource

    @property
    def rows(self) -> pa.Table:
        """The rows of all pages."""
        return pa.Table.from_batches(self.pages, self.resource.schema)


class Intake:
    """Collects pages and commits them, all streams together: a load has its price."""

    def __init__(self, loader: Loader, ledger: Ledger) -> None:
        """Commit through this loader and ledger."""
        self.row_count = 0
        self._loader = loader
        self._ledger = ledger
        self.newest = Newest()
        self.finished: dict[str, Parcel] = {}
        self._chunk: dict[str, Share] = {}
        self._rows = self._bytes = 0
        self._began = time.monotonic()

    def take(self, page: Parcel | None) -> None:
        """Add a page, if one came, and commit the chunk if it is time to."""
        if page is not None:
            if not self._chunk:
                self._began = time.monotonic()
            share = self._chunk.setdefault(page.resource.stream, Share(page))
            share.pages.append(page.rows)
            share.unfit += page.unfit
            share.last = page
            self._rows += page.rows.num_rows
            self._bytes += page.rows.nbytes
        is_large = self._rows >= MAX_ROWS or self._bytes >= MAX_BYTES
        is_old = time.monotonic() - self._began > MAX_SECONDS
        if is_large or (self._chunk and is_old):
            self.commit()

    def commit(self) -> None:
        """Commit what has come since the last time."""
        chunk, self._chunk = self._chunk, {}
        self._rows = self._bytes = 0
        shares = list(chunk.values())
        self.row_count += self._loader.load(
            {share.resource: share.rows for share in shares}
        )
        for share in shares:
            self._write_down(share)

    @property
    def asked_from(self) -> dict[str, datetime]:
        """From when on each list was read whose walk is finished."""
        return {stream: last.since for stream, last in self.finished.items()}

    def cover(self, *, but: Container[str]) -> None:
        """Write down what the finished walks cover, but for streams not believed."""
        for stream, last in self.finished.items():
            if last.covered is None or stream in but:
                continue
            self._ledger.add_coverage(stream, last.covered, last.walked.date)
            if last.walked.is_capped:
                self._ledger.set_horizon(stream, last.covered.since, "capped")
        self.finished = {}

    def _write_down(self, share: Share) -> None:
        stream, last, ledger = share.resource.stream, share.last, self._ledger
        date = last.walked.date
        loaded = share.rows[share.resource.key].to_pylist()
        ledger.quarantine(stream, share.unfit, loaded=map(str, loaded), at=date)
        names = [one for one in SHOWN if one in share.rows.column_names]
        self.newest.saw(stream, share.rows.select(names).to_pylist())
        if last.covered is not None:
            self.finished[stream] = last
        elif passed := _passed(last):
            ledger.add_progress(stream, passed)


def _passed(last: Parcel) -> Interval | None:
    """What an unfinished walk has left nothing out of.

    What is younger than the overlap may still be on its way to the replica.
    """
    walked, since = last.walked, last.since
    until = last.walked.date - OVERLAP
    if walked.seen_from is not None:
        since, until = walked.seen_from, last.began_at - OVERLAP
    elif walked.passed is not None:
        until = min(walked.passed, until)
    else:
        return None
    return Interval(since, until) if until > since else None
