"""Which stretches of time are loaded completely, and what else is known of the rows.

A line is written only after the rows it speaks of are committed. All intervals are
half-open `[since, until)` and of aware UTC instants.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

import duckdb

from pipelines.windows import Window

# Replicas lag: every walk begins this long before the end of what it adds to.
OVERLAP = timedelta(hours=1)

# What a window needs; reviews feed none of its numbers and are read with a token only.
STREAMS = ("threads", "issue_comments", "review_comments", "issue_events")
REVIEWS = "reviews"


@dataclass(frozen=True, order=True)
class Interval:
    """The half-open interval `[since, until)`."""

    since: datetime
    until: datetime

    @property
    def is_empty(self) -> bool:
        """Whether no instant lies in it."""
        return self.since >= self.until

    def holds(self, instant: datetime) -> bool:
        """Whether an instant lies in it."""
        return self.since <= instant < self.until


def merged(intervals: Iterable[Interval]) -> list[Interval]:
    """The same instants as disjoint intervals, in order; those that touch are one."""
    out: list[Interval] = []
    for each in sorted(one for one in intervals if not one.is_empty):
        if out and each.since <= out[-1].until:
            out[-1] = Interval(out[-1].since, max(out[-1].until, each.until))
        else:
            out.append(each)
    return out


def missing(wanted: Interval, covered: Iterable[Interval]) -> list[Interval]:
    """The parts of `wanted` that no interval of `covered` holds, in order."""
    out, start = [], wanted.since
    for each in merged(covered):
        out.append(Interval(start, min(each.since, wanted.until)))
        start = max(start, each.until)
    out.append(Interval(start, wanted.until))
    return [gap for gap in out if not gap.is_empty]


@dataclass(frozen=True)
class Held:
    """A loaded row that a walk should meet: its thread, and when it is listed."""

    number: int
    listed_at: datetime


@dataclass(frozen=True)
class Plan:
    """One walk over a stream: from `since` to the present, jumping over `skipped`.

    A row that changes moves to the present end of its list, so a walk that goes on to
    the end has seen every row changed since `since`, whatever it skipped on the way.
    """

    since: datetime
    skipped: tuple[Interval, ...] = ()

    @property
    def shown_from(self) -> datetime:
        """From when on the walk meets every row: after the last stretch jumped over."""
        return max([self.since, *(each.until for each in self.skipped)])

    def next_position(self, reached: datetime) -> datetime:
        """Where to go on from `reached`: there, or at the end of what is skipped."""
        for each in self.skipped:
            if each.since <= reached < each.until:
                return each.until
        return reached


def planned(
    wanted: Interval, covered: Sequence[Interval], passed: Iterable[Interval] = ()
) -> Plan | None:
    """The walk that makes `wanted` covered, or None where nothing is missing.

    `passed` are the intervals that unfinished walks have loaded: they cover nothing
    yet (a row of theirs may have moved on), but need not be read again.
    """
    gaps = missing(wanted, covered)
    if not gaps:
        return None
    since = gaps[0].since
    if any(each.until == since for each in covered):
        since -= OVERLAP
    known = [Interval(each.since, each.until - OVERLAP) for each in covered]
    skipped = merged([*known, *passed])
    return Plan(since, tuple(each for each in skipped if each.until > since))


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


EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


class Targets:
    """The lines about one project in an open warehouse."""

    def __init__(self, connection: duckdb.DuckDBPyConnection, project: str) -> None:
        """Read and write through this connection."""
        self._connection = connection
        self._project = project

    def has_window(self, window: Window) -> bool:
        """Whether exactly these instants were fetched on their own."""
        sql = "select count(*) from raw_github.targeted_windows where project = ?"
        sql += " and window_id = ? and window_start_at = ? and window_end_at = ?"
        keys = [self._project, window.window_id, window.start_at, window.end_at]
        row = self._connection.execute(sql, keys).fetchone()
        return bool(row and row[0])

    def add_window(self, window: Window, loaded_at: datetime) -> None:
        """Write down a window whose rows are all committed."""
        self._connection.execute(
            "insert or replace into raw_github.targeted_windows values (?, ?, ?, ?, ?)",
            [
                *(self._project, window.window_id),
                *(window.start_at, window.end_at, loaded_at),
            ],
        )

    def read_since(self, instant: datetime) -> set[int]:
        """The numbers of the threads whose timeline was read after an instant."""
        rows = self._connection.execute(
            "select number from raw_github.timelines"
            " where project = ? and epoch_us(read_at) > ?",
            [self._project, (instant - EPOCH) // timedelta(microseconds=1)],
        ).fetchall()
        return {number for (number,) in rows}

    def add_timelines(self, read_at: Mapping[int, datetime]) -> None:
        """Write down threads whose timelines are committed."""
        for number, instant in read_at.items():
            self._connection.execute(
                "insert or replace into raw_github.timelines values (?, ?, ?)",
                [self._project, number, instant],
            )
