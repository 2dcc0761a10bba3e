"""Rows into the tables of `raw_github`, through dlt: then the lines about them.

dlt merges each load on the table's key inside of one transaction. What is loaded is
known from the coverage, not from a state of dlt's. Its working files lie beside the
warehouse, whose lock keeps others away from them, and are removed at the end of a run;
what a killed run left behind is removed at the beginning of the next.

A chunk is committed after so many rows, bytes or seconds, and at a run's end. So what
is written down as loaded is loaded, a run that dies loses one chunk of work, and the
memory it takes does not grow with what there is to load. What is covered is written
down when the lists have been compared with each other.
"""

from __future__ import annotations

import ctypes
import shutil
import threading
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from types import TracebackType
from typing import Any, Self

import dlt
import duckdb
import pyarrow as pa
import pyarrow.compute as pc

from pipelines import interruptions
from pipelines.coverage import OVERLAP, Interval, Ledger
from pipelines.errors import IncompleteError, StoppedError
from pipelines.github.batches import Batch
from pipelines.github.client import Client
from pipelines.github.consistency import Newest
from pipelines.github.models import RESOURCES, Resource, Row
from pipelines.github.source import StreamReader, declared, github
from pipelines.progress import Progress
from pipelines.warehouse import Warehouse

DATASET = "raw_github"

# GitHub's own account that stands for deleted ones.
GHOST_ID = 10137


class Loader:
    """Loads rows through an open connection; one thread, one at a time."""

    def __init__(self, warehouse: Warehouse) -> None:
        """Load into this warehouse, with dlt's working files beside it."""
        there = warehouse.tables()
        self._warehouse = warehouse
        # The streams whose tables do not exist yet.
        self.absent = [one for one in RESOURCES if one.table not in there]
        self._connection = warehouse.connection
        path = warehouse.path
        self._workspace = path.with_name(path.name + ".loading")
        self._pipeline: Any = None
        self._lock = threading.Lock()

    def __enter__(self) -> Self:
        """Begin with an empty workspace."""
        shutil.rmtree(self._workspace, ignore_errors=True)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Leave no working files behind."""
        shutil.rmtree(self._workspace, ignore_errors=True)

    def create(self) -> None:
        """Create the tables that do not exist yet, empty."""
        if self.absent:
            tables = [(one, one.schema.empty_table()) for one in self.absent]
            self.run([declared(one, [table]) for one, table in tables])

    def load(self, rows: Mapping[Resource, pa.Table]) -> int:
        """Merge rows into their tables, the newest version of each; say how many."""
        self.create()
        kept = {one: self.keep(one, some) for one, some in rows.items()}
        tables = {one: some for one, some in kept.items() if some.num_rows}
        if tables:
            self.run([declared(one, [some]) for one, some in tables.items()])
        return sum(table.num_rows for table in tables.values())

    def keep(self, resource: Resource, rows: pa.Table) -> pa.Table:
        """One row a key, as it shall stand beside what is stored; for any thread."""
        table = newest_of(resource, rows)
        if resource in self.absent or not table.num_rows:
            return table
        with self._lock:
            return reconciled(self._connection.cursor(), resource, table)

    def run(self, data: Any) -> None:
        """Load a dlt source or resources."""
        if self._pipeline is None:
            self._pipeline = dlt.pipeline(
                "github",
                pipelines_dir=str(self._workspace),
                destination=dlt.destinations.duckdb(self._connection),
                dataset_name=DATASET,
            )
        self._pipeline.run(data, loader_file_format="parquet")
        there = self._warehouse.tables() if self.absent else set()
        self.absent = [one for one in self.absent if one.table not in there]
        # Else what is loaded stays in memory and in the log until the file is closed.
        self._connection.execute("checkpoint")
        _give_back()


def _give_back() -> None:
    """Return freed memory to the system, where its C library can be told to (glibc).

    Else a long run keeps, in scattered pieces, ten megabytes for every chunk.
    """
    with suppress(AttributeError, OSError, TypeError):
        ctypes.CDLL(None).malloc_trim(0)


def newest_of(resource: Resource, table: pa.Table) -> pa.Table:
    """One row per key, as `newest` chooses; nearly always they all are."""
    keys = table[resource.key]
    if pc.count_distinct(keys).as_py() == len(keys):
        return table
    kept = newest(resource, table.to_pylist())
    return pa.Table.from_pylist(kept, schema=resource.schema)


def newest(resource: Resource, rows: Iterable[Row]) -> list[Row]:
    """One row per key: the last one with the greatest version.

    An author whom an older version of the row names is kept.
    """
    kept: dict[Any, Row] = {}
    version = resource.version
    for row in rows:
        key = row[resource.key]
        other = kept.get(key)
        if other is None or version is None or row[version] >= other[version]:
            kept[key] = _with_known(resource, row, other)
        else:
            kept[key] = _with_known(resource, other, row)
    return list(kept.values())


def _with_known(resource: Resource, row: Row, other: Row | None) -> Row:
    """The row with what stays of another version: its author, its first values."""
    if other is None:
        return row
    names = [f"{resource.person}_{part}" for part in ("id", "login", "type")]
    is_lost = row[names[0]] in (None, GHOST_ID) and other[names[0]] is not None
    kept = {name: other[name] for name in names} if is_lost else {}
    older = min(other, row, key=lambda one: one[resource.version or resource.key])
    return {**row, **kept, **{name: older[name] for name in resource.firsts}}


def reconciled(
    connection: duckdb.DuckDBPyConnection, resource: Resource, table: pa.Table
) -> pa.Table:
    """The rows as they shall stand beside those that are stored.

    A version older than the stored one is dropped (a lagging replica gave it), and an
    author once known stays known when the account is deleted later. Columns that keep
    their first value do so.
    """
    person, key, version = resource.person, resource.key, resource.version
    is_lost = f"coalesce(incoming.{person}_id, {GHOST_ID}) = {GHOST_ID}"
    kept = ", ".join(
        f"case when {is_lost} and stored.{person}_id is not null"
        f" then stored.{person}_{part} else incoming.{person}_{part} end"
        f" as {person}_{part}"
        for part in ("id", "login", "type")
    )
    kept += "".join(
        f", coalesce(stored.{name}, stored.{name.removeprefix('first_')},"
        f" incoming.{name}) as {name}"
        for name in resource.firsts
    )
    is_newer = f"stored.{key} is null"
    is_newer += f" or incoming.{version} >= stored.{version}" if version else " or true"
    with_stored = connection.register("incoming", table).execute(
        f"select incoming.* replace ({kept}) from incoming"
        f" left join {DATASET}.{resource.table} as stored"
        f" on stored.repository = incoming.repository and stored.{key} = incoming.{key}"
        f" where {is_newer}"
    )
    rows: pa.Table = with_stored.to_arrow_table()
    connection.unregister("incoming")
    return rows.cast(resource.schema)


# The columns by which lists are compared with each other.
SHOWN = ("number", "created_at", "updated_at", "closed_at", "comment_count")


class Extraction:
    """One run's reading of lists; `open_target` opens, or creates, the warehouse."""

    def __init__(
        self,
        client: Client,
        open_target: Callable[[], tuple[Loader, Ledger]],
        progress: Progress,
    ) -> None:
        """Read nothing yet."""
        self.row_count = 0
        self.newest = Newest()
        self.finished: dict[str, StreamReader] = {}
        self._client = client
        self._open_target = open_target
        self._progress = progress

    def run(self, readers: Sequence[StreamReader]) -> IncompleteError | None:
        """Load what the readers read; why a list could not be read to its end, if so.

        What came before a refusal or an interruption is kept. The warehouse is created
        when the first page has come.
        """
        readers[0].read_first()
        loader, ledger = self._open_target()
        while ready := [one for one in readers if not one.is_finished]:
            source = github(ready, loader.absent, loader.keep, self._progress.saw)
            with interruptions.deferred(self._client.stop):
                loader.run(source)
            for one in ready:
                self._write_down(one, ledger)
            interruptions.raise_pending()
            errors = [one.error for one in ready if one.error is not None]
            _raise_first(errors)
        for one in readers:
            if isinstance(one.error, IncompleteError):
                return one.error
        return None

    def cover(self, *, but: Container[str]) -> None:
        """Write down what the finished walks cover, but for streams not believed."""
        for stream, one in self.finished.items():
            if one.covered is None or one.last is None or stream in but:
                continue
            _, ledger = self._open_target()
            ledger.add_coverage(stream, one.covered, one.last.walked.date)
            if one.last.walked.is_capped:
                ledger.set_horizon(stream, one.covered.since, "capped")
        self.finished = {}

    def older(self, url: str) -> set[str]:
        """The streams whose lists are older than what others prove; `url` as above."""
        return self.newest.older(self._client.get, url, self._asked_from())

    def doubtful(self) -> set[str]:
        """The streams whose lists seem older than others, without asking."""
        return {each[0] for each in self.newest.doubtful(self._asked_from())}

    def _asked_from(self) -> dict[str, datetime]:
        """From when on each finished walk has shown all there is, by stream."""
        return {name: one.plan.shown_from for name, one in self.finished.items()}

    def _write_down(self, one: StreamReader, ledger: Ledger) -> None:
        if one.last is None:
            return
        stream, rows, date = one.resource.stream, one.rows, one.last.walked.date
        keys = map(str, rows[one.resource.key].to_pylist())
        ledger.quarantine(stream, one.unfit, loaded=keys, at=date)
        names = [name for name in SHOWN if name in rows.column_names]
        self.newest.saw(stream, rows.select(names).to_pylist())
        self.row_count += rows.num_rows
        if one.covered is not None:
            self.finished[stream] = one
        elif passed := _passed(one.last):
            ledger.add_progress(stream, passed)


def _raise_first(errors: Iterable[StoppedError]) -> None:
    """Raise what stops a whole run; an incomplete list does not stop the others."""
    for error in errors:
        if not isinstance(error, IncompleteError):
            raise error


def _passed(last: Batch) -> Interval | None:
    """What an unfinished walk has left nothing out of.

    What is younger than the overlap may still be on its way to the replica.
    """
    walked, since = last.walked, last.since
    until = walked.date - OVERLAP
    if walked.seen_from is not None:
        since, until = walked.seen_from, last.began_at - OVERLAP
    elif walked.passed is not None:
        until = min(walked.passed, until)
    else:
        return None
    return Interval(since, until) if until > since else None
