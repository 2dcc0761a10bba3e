"""The bookkeeping of one project beside its rows: what is covered, asked for, odd.

A line is written only after the rows it speaks of are committed. All times are UTC.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

import duckdb

from pipelines.coverage import Interval, merged
from pipelines.windows import Window


@dataclass(frozen=True)
class Quarantined:
    """A payload that could not become a row, and why."""

    row_key: str
    reason: str
    payload: str


@dataclass(frozen=True)
class Sync:
    """A run that asked GitHub and came to its end; times are the server's."""

    began_at: datetime
    ended_at: datetime
    request_count: int
    row_count: int
    api_host: str
    tool_version: str


class Ledger:
    """The bookkeeping of one project in an open warehouse."""

    def __init__(self, connection: duckdb.DuckDBPyConnection, project: str) -> None:
        """Read and write through this connection."""
        self._connection = connection
        self._project = project

    def covered(self, stream: str) -> list[Interval]:
        """The intervals of a stream that are known to be loaded completely."""
        return self._intervals("coverage", "covered", stream)

    def passed(self, stream: str) -> list[Interval]:
        """The intervals of a stream that unfinished walks have loaded."""
        return self._intervals("progress", "passed", stream)

    def horizon(self, stream: str, reason: str) -> datetime | None:
        """Before this, the stream has (`beginning`) or shows (`capped`) nothing."""
        sql = "select epoch_us(max(earliest_at)) from raw_github.horizons"
        sql += " where project = ? and stream = ? and reason = ?"
        return _instant(self._value(sql, self._project, stream, reason))

    def last_sync_ended_at(self) -> datetime | None:
        """The server time at which the newest finished run ended."""
        sql = "select epoch_us(max(ended_at)) from raw_github.syncs where project = ?"
        return _instant(self._value(sql, self._project))

    def add_coverage(self, stream: str, more: Interval, loaded_at: datetime) -> None:
        """Write down an interval whose rows are committed; its progress ends here."""
        together = merged([*self.covered(stream), more])
        keys = [self._project, stream]
        with self._transaction():
            self._delete("coverage", "stream = ?", stream)
            self._delete(
                "progress", "stream = ? and passed_from >= ?", *keys[1:], more.since
            )
            for each in together:
                self._insert("coverage", *keys, each.since, each.until, loaded_at)

    def add_progress(self, stream: str, more: Interval) -> None:
        """Write down what an unfinished walk has loaded."""
        together = merged([*self.passed(stream), more])
        with self._transaction():
            self._delete("progress", "stream = ?", stream)
            for each in together:
                self._insert("progress", self._project, stream, each.since, each.until)

    def set_horizon(self, stream: str, earliest_at: datetime, reason: str) -> None:
        """Write down that a stream has, or shows, nothing earlier."""
        with self._transaction():
            self._delete("horizons", "stream = ? and reason = ?", stream, reason)
            self._insert("horizons", self._project, stream, earliest_at, reason)

    def add_request(self, window: Window, requested_at: datetime) -> None:
        """Write down that a window was asked for, so that it will be built."""
        names = [window.window_id, self._project, window.kind, window.date]
        with self._transaction():
            self._delete("window_requests", "window_id = ?", window.window_id)
            self._insert(
                "window_requests", *names, window.start_at, window.end_at, requested_at
            )

    def add_sync(self, sync: Sync) -> None:
        """Write down a run that came to its end."""
        count = self._value("select count(*) from raw_github.syncs")
        sync_id = f"{self._project}:{sync.began_at:%Y-%m-%dT%H:%M:%SZ}:{count}"
        times = (sync.began_at, sync.ended_at)
        counts = (sync.request_count, sync.row_count)
        made_by = (sync.api_host, sync.tool_version)
        self._insert("syncs", sync_id, self._project, *times, *counts, *made_by)

    def quarantine(
        self,
        stream: str,
        unfit: Sequence[Quarantined],
        *,
        loaded: Iterable[str],
        at: datetime,
    ) -> None:
        """Keep what could not become a row; let go of what has become one since."""
        sql = "select count(*) from raw_github.quarantine where project = ?"
        if not unfit and not self._value(sql, self._project):
            return
        gone = [*loaded, *(one.row_key for one in unfit)]
        with self._transaction():
            self._delete(
                "quarantine", "stream = ? and list_contains(?, row_key)", stream, gone
            )
            for one in {one.row_key: one for one in unfit}.values():
                self._insert(
                    "quarantine",
                    *(self._project, stream, one.row_key, one.reason, one.payload, at),
                )

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        self._connection.execute("begin")
        try:
            yield
        except BaseException:
            self._connection.execute("rollback")
            raise
        self._connection.execute("commit")

    def _insert(self, table: str, *values: object) -> None:
        marks = ", ".join("?" * len(values))
        self._connection.execute(
            f"insert into raw_github.{table} values ({marks})", list(values)
        )

    def _delete(self, table: str, condition: str, *values: object) -> None:
        self._connection.execute(
            f"delete from raw_github.{table} where project = ? and {condition}",
            [self._project, *values],
        )

    def _value(self, sql: str, *values: object) -> int | None:
        row = self._connection.execute(sql, list(values)).fetchone()
        return row[0] if row else None

    def _intervals(self, table: str, prefix: str, stream: str) -> list[Interval]:
        sql = f"select epoch_us({prefix}_from), epoch_us({prefix}_until)"
        sql += f" from raw_github.{table} where project = ? and stream = ? order by all"
        rows = self._connection.execute(sql, [self._project, stream]).fetchall()
        return [Interval(_at(since), _at(until)) for since, until in rows]


def _at(microseconds: int) -> datetime:
    return datetime(1970, 1, 1, tzinfo=UTC) + timedelta(microseconds=microseconds)


def _instant(microseconds: int | None) -> datetime | None:
    return None if microseconds is None else _at(microseconds)
