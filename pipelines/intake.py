"""Pages into the warehouse, in chunks: rows first, then the lines in the ledger.

A chunk is committed after so many rows, characters or seconds, and at a run's end. So
what the ledger says is loaded is loaded, a run that dies loses one chunk of work, and
the memory it takes does not grow with what there is to load.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field

from pipelines.coverage import OVERLAP, Interval
from pipelines.github.resource import Resource
from pipelines.github.rows import Row
from pipelines.github.source import Batch
from pipelines.ledger import Ledger, Quarantined
from pipelines.load import Loader

# A load costs a fifth of a second whatever its size, and a row three kilobytes.
MAX_ROWS = 9_900
MAX_CHARACTERS = 5_000_000
MAX_SECONDS = 20.0


@dataclass
class Share:
    """What one stream has in a chunk; `last` is its newest page."""

    last: Batch
    rows: list[Row] = field(default_factory=list)
    unfit: list[Quarantined] = field(default_factory=list)

    @property
    def resource(self) -> Resource:
        """What the stream is."""
        return self.last.resource


class Intake:
    """Collects pages and commits them, all streams together: a load has its price."""

    def __init__(self, loader: Loader, ledger: Ledger) -> None:
        """Commit through this loader and ledger."""
        self.row_count = 0
        self._loader = loader
        self._ledger = ledger
        self._chunk: dict[str, Share] = {}
        self._rows = self._characters = 0
        self._began = time.monotonic()

    def take(self, batch: Batch | None) -> None:
        """Add a page, if one came, and commit the chunk if it is time to."""
        if batch is not None:
            if not self._chunk:
                self._began = time.monotonic()
            share = self._chunk.setdefault(batch.resource.stream, Share(batch))
            share.rows += batch.rows
            share.unfit += batch.unfit
            share.last = batch
            self._rows += len(batch.rows)
            self._characters += sum(len(row.get("body") or "") for row in batch.rows)
        is_large = self._rows >= MAX_ROWS or self._characters >= MAX_CHARACTERS
        is_old = time.monotonic() - self._began > MAX_SECONDS
        if is_large or (self._chunk and is_old):
            self.commit()

    def commit(self) -> None:
        """Commit what has come since the last time."""
        chunk, self._chunk = self._chunk, {}
        self._rows = self._characters = 0
        shares = list(chunk.values())
        self.row_count += self._loader.load(
            {share.resource: share.rows for share in shares}
        )
        for share in shares:
            self._write_down(share)

    def _write_down(self, share: Share) -> None:
        stream, last, ledger = share.resource.stream, share.last, self._ledger
        date = last.walked.date
        loaded = [str(row[share.resource.key]) for row in share.rows]
        ledger.quarantine(stream, share.unfit, loaded=loaded, at=date)
        if last.covered is not None:
            ledger.add_coverage(stream, last.covered, date)
            if last.walked.is_capped:
                ledger.set_horizon(stream, last.covered.since, "capped")
        elif last.walked.passed is not None:
            # What is younger than the overlap may still be on its way to the replica.
            until = min(last.walked.passed, date - OVERLAP)
            if until > last.since:
                ledger.add_progress(stream, Interval(last.since, until))
