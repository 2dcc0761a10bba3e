"""Threads that were read one by one, into the warehouse: rows first, then the lines.

What the lines say is loaded is loaded, and a run that dies loses one chunk of work.
"""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING

import pyarrow as pa

from pipelines.github.batches import Batch
from pipelines.github.resource import Resource
from pipelines.github.rows import Row
from pipelines.github.thread_reader import Read
from pipelines.ledger import Ledger
from pipelines.targets import Targets

if TYPE_CHECKING:
    from pipelines.load import Loader

MAX_ROWS = 10_000
MAX_SECONDS = 20.0


@dataclass
class Store:
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

    def commit(self, store: Store) -> int:
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
