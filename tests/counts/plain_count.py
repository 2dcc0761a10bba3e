"""The five counts of a day, counted anew: plain Python over the raw rows.

Nothing here is taken from the models: windows come from the calendar, the state of a
thread from a walk through its events. Only raw tables are read, row by row.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

import duckdb

Counts = dict[str, int]
LISTINGS = ("new_issue", "closed_issue", "new_pr", "merged_pr", "closed_unmerged_pr")
STREAMS = ("threads", "issue_comments", "review_comments", "issue_events")
SETTLING = timedelta(minutes=10)
# Within so long an event and the thread's own row speak of one close.
ONE_CLOSE = timedelta(seconds=60)


@dataclass
class Thread:
    is_pull_request: bool
    created_at: datetime
    state: str
    closed_at: datetime | None
    merged_at: datetime | None
    updated_at: datetime | None
    missed_at: datetime | None
    # (instant, id, event) of each close, merge and reopening.
    turns: list[tuple[datetime, int, str]] = field(default_factory=list)
    # The intervals in which every event is known.
    known: list[tuple[datetime, datetime]] = field(default_factory=list)

    @property
    def merged(self) -> datetime | None:
        """When it was merged, as its row or else its first `merged` event says."""
        merges = [instant for instant, _, event in self.turns if event == "merged"]
        return self.merged_at or min(merges, default=None)

    def known_until(self, instant: datetime) -> datetime:
        """Up to when all that followed an instant is known; the instant at least."""
        ends = [until for since, until in self.known if since <= instant <= until]
        return max(ends, default=instant)


@dataclass
class Day:
    window_id: str
    start: datetime
    end: datetime


def plain_counts(connection: duckdb.DuckDBPyConnection) -> dict[str, Counts]:
    """The counts of every covered day of every project, by window_id."""
    connection.execute("set timezone = 'UTC'")
    counted = {}
    projects = connection.execute(
        "select project, repository, time_zone, window_start from raw_github.projects"
    ).fetchall()
    for project, repository, zone, clock in projects:
        threads = threads_of(connection, project, repository)
        for day in covered_days(connection, project, ZoneInfo(zone), clock):
            counted[day.window_id] = counts_of(day, threads)
    return counted


def counts_of(day: Day, threads: list[Thread]) -> Counts:
    counts = dict.fromkeys(LISTINGS, 0)
    for thread in threads:
        for listing in listings_of(day, thread):
            counts[listing] += 1
    return counts


def listings_of(day: Day, thread: Thread) -> Iterator[str]:
    """The listings of the day that hold the thread, as of the day's end."""
    if thread.missed_at is not None and thread.missed_at < day.end:
        return
    if day.start <= thread.created_at < day.end:
        yield "new_pr" if thread.is_pull_request else "new_issue"
    merged = thread.merged
    if merged is not None and day.start <= merged < day.end:
        yield "merged_pr"
    closed = close_that_holds(thread, day.end)
    if (
        closed is None
        or closed < day.start
        or (merged is not None and merged < day.end)
    ):
        return
    yield "closed_unmerged_pr" if thread.is_pull_request else "closed_issue"


def close_that_holds(thread: Thread, end: datetime) -> datetime | None:
    """When a thread that is closed at `end` was closed; None where it is open."""
    held = None
    for instant, is_closed in changes_of(thread):
        if instant < end:
            held = instant if is_closed else None
    return held


def changes_of(thread: Thread) -> list[tuple[datetime, bool]]:
    """Each instant from which the thread was closed, or open again, in order."""
    statements = {}
    for instant, order, event in sorted(thread.turns):
        if event != "merged":
            statements[instant] = (order, event == "closed")
    closes = [one for one, (_, is_closed) in statements.items() if is_closed]
    closes += [instant for instant, _, event in thread.turns if event == "closed"]
    reopened = {instant for instant, _, event in thread.turns if event == "reopened"}
    others = [instant for instant, _, event in thread.turns if event == "merged"]
    row_close = thread.closed_at if thread.state == "closed" else None
    for instant in (*others, row_close):
        if instant and not any(instant <= one <= instant + ONE_CLOSE for one in closes):
            statements.setdefault(instant, (0, True))
    changes: list[tuple[datetime, bool]] = []
    before: datetime | None = None
    for instant in sorted(statements):
        order, is_closed = statements[instant]
        is_same = bool(
            is_closed
            and instant not in reopened
            and before
            and statements[before][1]
            and (
                thread.known_until(before) >= instant
                or (
                    (instant == row_close and order == 0)
                    and instant - before <= ONE_CLOSE
                )
                or (
                    row_close
                    and row_close < instant
                    and thread.updated_at
                    and thread.updated_at >= instant
                )
            )
        )
        if not is_same:
            changes.append((instant, is_closed))
        before = instant
    if before and changes[-1][1] and is_open_by_row(thread, before):
        closed_at = changes[-1][0]
        until = thread.known_until(closed_at)
        assert thread.updated_at is not None
        is_later = closed_at < until < thread.updated_at
        if is_later:
            changes.append((until, False))
        else:
            changes[-1] = (closed_at, False)
    return changes


def is_open_by_row(thread: Thread, last: datetime) -> bool:
    """Whether the row is newer than the last that is known, and shows it open."""
    is_newer = thread.updated_at is not None and thread.updated_at > last
    return thread.state == "open" and is_newer and thread.merged is None


def threads_of(
    connection: duckdb.DuckDBPyConnection, project: str, repository: str
) -> list[Thread]:
    missed = dict(
        connection.execute(
            "select number, first_missed_at from raw_github.vanishings"
            " where project = ? and kind = 'thread'",
            [project],
        ).fetchall()
    )
    turns = defaultdict(list)
    for number, event, instant, event_id in connection.execute(
        "select number, event, created_at, id from raw_github.issue_events"
        " where repository = ?",
        [repository],
    ).fetchall():
        if event in ("closed", "reopened", "merged"):
            turns[number].append((instant, event_id, event))
    known = connection.execute(
        "select covered_from, covered_until from raw_github.coverage"
        " where project = ? and stream = 'issue_events'",
        [project],
    ).fetchall()
    rows = connection.execute(
        "select number, is_pull_request, created_at, state, closed_at, merged_at,"
        " updated_at from raw_github.issues where repository = ?",
        [repository],
    ).fetchall()
    return [
        Thread(*facts, missed.get(number), turns[number], known)
        for number, *facts in rows
    ]


def covered_days(
    connection: duckdb.DuckDBPyConnection, project: str, zone: ZoneInfo, clock: str
) -> Iterator[Day]:
    """The days that every stream's one interval covers, and whose end had settled."""
    intervals = {
        stream: (since, until)
        for stream, since, until in connection.execute(
            "select stream, covered_from, covered_until from raw_github.coverage"
            " where project = ?",
            [project],
        ).fetchall()
    }
    if set(STREAMS) - set(intervals):
        return
    since = max(intervals[stream][0] for stream in STREAMS)
    until = min(intervals[stream][1] for stream in STREAMS) - SETTLING
    day = since.date() - timedelta(days=1)
    while day <= until.date():
        start, end = (
            instant_of(one, clock, zone) for one in (day, day + timedelta(days=1))
        )
        if since <= start and end <= until:
            yield Day(f"{project}:day:{day}", start, end)
        day += timedelta(days=1)


def instant_of(day: date, clock: str, zone: ZoneInfo) -> datetime:
    """A local time as an instant; one that clocks skip or repeat is the later one."""
    local = datetime.combine(day, time.fromisoformat(clock), zone)
    return max(local.replace(fold=fold).astimezone(UTC) for fold in (0, 1))
