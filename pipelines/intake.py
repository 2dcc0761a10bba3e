"""Batches into the warehouse, in chunks: rows first, then the line in the ledger.

A chunk is committed after so many rows, so many seconds, or at the end of its walk.
So what the ledger says is loaded is loaded, and a run that dies loses one chunk.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field

from pipelines.coverage import OVERLAP, Interval
from pipelines.github.resource import Resource
from pipelines.github.rows import Row
from pipelines.github.source import Batch
from pipelines.ledger import Ledger, Quarantined
from pipelines.load import Loader

MAX_ROWS = 20_000
MAX_SECONDS = 20.0


@dataclass
class Chunk:
    """What came of one stream since its last commit."""

    resource: Resource
    rows: list[Row] = field(default_factory=list)
    unfit: list[Quarantined] = field(default_factory=list)
    last: Batch | None = None
    began: float = field(default_factory=time.monotonic)

    @property
    def is_due(self) -> bool:
        """Whether it is time to commit it."""
        if self.last is None:
            return False
        is_old = time.monotonic() - self.began > MAX_SECONDS
        return is_old or len(self.rows) >= MAX_ROWS or self.last.covered is not None


class Intake:
    """Collects batches and commits them, stream by stream."""

    def __init__(self, loader: Loader, ledger: Ledger) -> None:
        """Commit through this loader and ledger."""
        self.row_count = 0
        self._loader = loader
        self._ledger = ledger
        self._chunks: dict[str, Chunk] = {}

    def take(self, batch: Batch | None) -> None:
        """Add a batch, if one came, and commit every chunk that is due."""
        if batch is not None:
            name = batch.resource.stream
            chunk = self._chunks.setdefault(name, Chunk(batch.resource))
            chunk.rows += batch.rows
            chunk.unfit += batch.unfit
            chunk.last = batch
        for chunk in [one for one in self._chunks.values() if one.is_due]:
            self._commit(chunk)

    def finish(self) -> None:
        """Commit what is left, e.g. when GitHub gives no more."""
        for chunk in list(self._chunks.values()):
            self._commit(chunk)

    def _commit(self, chunk: Chunk) -> None:
        del self._chunks[chunk.resource.stream]
        batch, stream, date = chunk.last, chunk.resource.stream, None
        if batch is None:
            return
        self.row_count += self._loader.load(chunk.resource, chunk.rows)
        date = batch.walked.date
        loaded = _keys(chunk.resource, chunk.rows)
        self._ledger.quarantine(stream, chunk.unfit, loaded=loaded, at=date)
        if batch.covered is not None:
            self._ledger.add_coverage(stream, batch.covered, date)
            if batch.walked.is_capped:
                self._ledger.set_horizon(stream, batch.covered.since, "capped")
        elif batch.walked.passed is not None:
            # What is younger than the overlap may still be on its way to the replica.
            until = min(batch.walked.passed, date - OVERLAP)
            if until > batch.since:
                self._ledger.add_progress(stream, Interval(batch.since, until))


def _keys(resource: Resource, rows: Sequence[Row]) -> list[str]:
    return [str(row[resource.key]) for row in rows]
