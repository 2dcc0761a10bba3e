"""Who was new and how soon people were answered on every covered day, in plain Python.

Read from the raw rows; nothing here is taken from the models.
"""

from __future__ import annotations

import statistics
from collections import defaultdict
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import duckdb

from tests.counts.plain_count import (
    STREAMS,
    Day,
    Thread,
    changes_of,
    close_that_holds,
    covered_days,
    threads_of,
)
from tests.counts.plain_heat import Comment, bots_of, comments_of

NEW = {"FIRST_TIMER", "FIRST_TIME_CONTRIBUTOR", "NONE"}
HOUR = timedelta(hours=1)


@dataclass(frozen=True)
class People:
    first_timer_count: int
    response_count: int
    hours_median: float | None
    hours_p90: float | None
    waiting_count: int


@dataclass(frozen=True)
class Opened:
    """A thread, who opened it, and what others did on it."""

    thread: Thread
    author: int | None
    is_bot: bool
    is_new: bool
    """As GitHub said when it was first loaded."""
    said: list[Comment]
    closed_by: list[tuple[datetime, int | None]]
    known_until: datetime | None
    """Comments and events are known from its opening until here; None: not at all."""

    def first_response(self, end: datetime) -> datetime | None:
        """The first act of another person before an instant, of those still there."""
        opened_at, until = self.thread.created_at, self.known_until
        if until is None:
            return None
        acts = [
            (c.created_at, c.author)
            for c in self.said
            if not c.is_bot and c.is_there(end)
        ]
        return min(
            (
                at
                for at, who in acts + self.closed_by
                if opened_at <= at < min(end, until) and who != self.author
            ),
            default=None,
        )


def plain_people(connection: duckdb.DuckDBPyConnection) -> dict[str, People]:
    """The people of every covered day of every project, by window_id."""
    connection.execute("set timezone = 'UTC'")
    found: dict[str, People] = {}
    projects = connection.execute(
        "select project, repository, time_zone, window_start from raw_github.projects"
    ).fetchall()
    for project, repository, zone, clock in projects:
        opened = opened_of(connection, project, repository)
        firsts: dict[int, tuple[datetime, int]] = {}
        for number, one in opened.items():
            if one.thread.is_pull_request and one.author and not one.is_bot:
                key = (one.thread.created_at, number)
                firsts[one.author] = min(firsts.get(one.author, key), key)
        numbers = {number for _, number in firsts.values()}
        for day in covered_days(connection, project, ZoneInfo(zone), clock):
            found[day.window_id] = people_of(day, opened, numbers)
    return found


def people_of(day: Day, opened: dict[int, Opened], firsts: set[int]) -> People:
    there = [
        (number, one)
        for number, one in opened.items()
        if one.thread.missed_at is None or one.thread.missed_at >= day.end
    ]
    answered = [
        (at - one.thread.created_at) / HOUR
        for _, one in there
        if not one.is_bot
        and (at := one.first_response(day.end)) is not None
        and at >= day.start
    ]
    return People(
        first_timer_count=sum(
            number in firsts
            and one.is_new
            and day.start <= one.thread.created_at < day.end
            for number, one in there
        ),
        response_count=len(answered),
        hours_median=statistics.median(answered) if answered else None,
        hours_p90=quantile(sorted(answered), 0.9) if answered else None,
        waiting_count=sum(is_waiting(day, one) for _, one in there),
    )


def is_waiting(day: Day, one: Opened) -> bool:
    """Open for over a day at the end, and nobody responded by then."""
    return (
        not one.is_bot
        and one.thread.created_at < day.end - timedelta(days=1)
        and one.known_until is not None
        and one.known_until >= day.end
        and close_that_holds(one.thread, day.end) is None
        and one.first_response(day.end) is None
    )


def quantile(ordered: list[float], share: float) -> float:
    """Between the two values next to the place that cuts the share off."""
    place = share * (len(ordered) - 1)
    below = int(place)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (ordered[above] - ordered[below]) * (place - below)


def opened_of(
    connection: duckdb.DuckDBPyConnection, project: str, repository: str
) -> dict[int, Opened]:
    """Every thread of a repository, by number."""
    bots = set(bots_of(connection))
    said = comments_of(connection, project, repository)
    closers: dict[int, list[tuple[datetime, str, Any]]] = defaultdict(list)
    for number, at, event, who, login in connection.execute(
        "select number, created_at, event, actor_id, actor_login"
        " from raw_github.issue_events where repository = ?"
        " and event in ('closed', 'merged') and number is not null",
        [repository],
    ).fetchall():
        if who not in bots:
            person = None if (login or "").lower() == "ghost" else who
            closers[number].append((at, event, person))
    rows = connection.execute(
        "select number, user_id, user_login,"
        " coalesce(first_author_association, author_association)"
        " from raw_github.issues where repository = ?",
        [repository],
    ).fetchall()
    threads = threads_of(connection, project, repository)
    intervals = connection.execute(
        "select stream, covered_from, covered_until from raw_github.coverage"
        " where project = ?",
        [project],
    ).fetchall()
    found = {}
    for (number, user, login, association), thread in zip(rows, threads, strict=True):
        author = None if (login or "").lower() == "ghost" else user
        closes = {at for at, is_closed in changes_of(thread) if is_closed}
        found[number] = Opened(
            thread=thread,
            author=author,
            is_bot=author in bots,
            is_new=association in NEW,
            said=said[number],
            closed_by=[
                (at, who)
                for at, event, who in closers[number]
                if event == "merged" or at in closes
            ],
            known_until=known_until(thread.created_at, intervals),
        )
    return found


def known_until(
    opened_at: datetime, intervals: list[tuple[str, datetime, datetime]]
) -> datetime | None:
    ends = {
        stream: until
        for stream, since, until in intervals
        if stream != "threads" and stream in STREAMS and since <= opened_at < until
    }
    return min(ends.values()) if len(ends) == 3 else None
