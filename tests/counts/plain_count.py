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
    missed_at: datetime | None
    # (instant, id, event) of each close and reopening.
    turns: list[tuple[datetime, int, str]] = field(default_factory=list)


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
    merged = thread.merged_at
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
    turns = sorted(thread.turns)
    closed_at = thread.closed_at
    # Closed for all GitHub shows, and no event tells: the thread's own row does.
    if thread.state == "closed" and closed_at is not None:
        last_at, _, last = turns[-1] if turns else (None, 0, "")
        is_told = (
            last == "closed"
            and last_at is not None
            and closed_at - last_at <= ONE_CLOSE
        )
        if not is_told and (last_at is None or closed_at > last_at):
            turns.append((closed_at, 0, "closed"))
    held = None
    for instant, _, event in turns:
        if instant < end:
            held = instant if event == "closed" else None
    return held


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
        if event in ("closed", "reopened"):
            turns[number].append((instant, event_id, event))
    rows = connection.execute(
        "select number, is_pull_request, created_at, state, closed_at, merged_at"
        " from raw_github.issues where repository = ?",
        [repository],
    ).fetchall()
    return [
        Thread(*facts, missed_at=missed.get(number), turns=turns[number])
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
