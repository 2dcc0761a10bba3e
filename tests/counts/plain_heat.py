"""What was said on every thread of every covered day, measured anew: plain Python over
the raw rows. Nothing here is taken from the models; every sum is made the long way.
"""

from __future__ import annotations

import csv
import math
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import duckdb

from tests.counts.plain_count import Day, covered_days, listings_of, threads_of

SEEDS = Path(__file__).parents[2] / "dbt_project" / "seeds"
HOUR, DAY = timedelta(hours=1), timedelta(days=1)
BASELINE = 28 * DAY
LEVELS = (0.50, 0.75, 0.90, 0.97)
COMMENT_STREAMS = ("issue_comment", "review_comment")


@dataclass(frozen=True)
class Comment:
    author: int | None
    """The user's id; None for all who have no account."""
    is_bot: bool
    created_at: datetime
    missed_at: datetime | None

    def is_there(self, instant: datetime) -> bool:
        """Whether it was not yet known at an instant that it is gone."""
        return self.missed_at is None or self.missed_at >= instant


@dataclass(frozen=True)
class Heat:
    comment_count: int
    human_comment_count: int
    participant_count: int
    comments_per_hour: float
    peak_hour_comment_count: int
    baseline_per_day: float | None
    velocity_ratio: float | None
    heat_score: float
    heat_level: int | None = None
    heat_rank: int | None = None


Measured = dict[int, Heat]
"""Thread number to what was said on it in one window."""


def plain_heat(connection: duckdb.DuckDBPyConnection) -> dict[str, Measured]:
    """The heat of every covered day of every project, by window_id."""
    connection.execute("set timezone = 'UTC'")
    found: dict[str, Measured] = {}
    projects = connection.execute(
        "select project, repository, time_zone, window_start from raw_github.projects"
    ).fetchall()
    for project, repository, zone, clock in projects:
        threads = threads_of(connection, project, repository)
        numbers = [
            number
            for (number,) in connection.execute(
                "select number from raw_github.issues where repository = ?",
                [repository],
            ).fetchall()
        ]
        said = comments_of(connection, project, repository)
        intervals = comment_intervals(connection, project)
        days = list(covered_days(connection, project, ZoneInfo(zone), clock))
        measured: list[tuple[Day, Measured]] = []
        for day in days:
            heat = {
                number: heat_of(day, thread.created_at, said[number], intervals)
                for number, thread in zip(numbers, threads, strict=True)
                if list(listings_of(day, thread)) or spoken_in(day, said[number])
            }
            measured.append((day, heat))
        for place, (day, heat) in enumerate(measured):
            since = day.start - 28 * DAY - HOUR
            pools = [pool for one, pool in measured[:place] if one.start >= since]
            found[day.window_id] = ranked(levelled(heat, pools))
    return found


def heat_of(
    day: Day,
    thread_created_at: datetime,
    said: list[Comment],
    intervals: list[list[tuple[datetime, datetime]]],
) -> Heat:
    spoken = spoken_in(day, said)
    people = [comment for comment in spoken if not comment.is_bot]
    length = day.end - day.start
    weights: dict[int | None, float] = defaultdict(float)
    for one in people:
        weights[one.author] += 0.5 ** ((day.end - one.created_at) / (length / 2))
    baseline = baseline_of(day.start, thread_created_at, said, intervals)
    pace = len(people) / (length / DAY)
    return Heat(
        comment_count=len(spoken),
        human_comment_count=len(people),
        participant_count=len({one.author for one in people}),
        comments_per_hour=len(people) / (length / HOUR),
        peak_hour_comment_count=max(
            (
                sum(
                    first.created_at <= one.created_at < first.created_at + HOUR
                    for one in people
                )
                for first in people
            ),
            default=0,
        ),
        baseline_per_day=baseline,
        velocity_ratio=None if baseline is None else (pace + 1) / (baseline + 1),
        heat_score=math.fsum(math.log2(1 + weight) for weight in weights.values()),
    )


def baseline_of(
    start: datetime,
    thread_created_at: datetime,
    said: list[Comment],
    intervals: list[list[tuple[datetime, datetime]]],
) -> float | None:
    """Human comments a day in the 28 days before; None where these are not covered."""
    since = start - BASELINE
    for stream in intervals:
        if not any(first <= since and start <= last for first, last in stream):
            return None
    lived = (start - max(thread_created_at, since)) / DAY
    before = [
        one
        for one in said
        if since <= one.created_at < start and not one.is_bot and one.is_there(start)
    ]
    return len(before) / max(1.0, lived)


def levelled(heat: Measured, pools: list[Measured]) -> Measured:
    """The same with levels, from the scores of the covered days before."""
    scores = [one.heat_score for pool in pools for one in pool.values() if is_warm(one)]
    if len(pools) < 7 or not scores:
        return heat
    return {
        number: replace(one, heat_level=level_of(one, scores)) if is_warm(one) else one
        for number, one in heat.items()
    }


def level_of(one: Heat, scores: list[float]) -> int:
    below = sum(score < one.heat_score - 1e-12 for score in scores)
    return 1 + sum(below >= share * len(scores) - 1e-9 for share in LEVELS)


def ranked(heat: Measured) -> Measured:
    """The same with ranks; sums that differ in the last digits alone are equal."""
    warm = sorted(
        (number for number, one in heat.items() if is_warm(one)),
        key=lambda number: (
            -round(heat[number].heat_score, 10),
            -heat[number].human_comment_count,
            -heat[number].participant_count,
            number,
        ),
    )
    places = {number: place for place, number in enumerate(warm, start=1)}
    return {
        number: replace(one, heat_rank=places.get(number))
        for number, one in heat.items()
    }


def is_warm(one: Heat) -> bool:
    return one.human_comment_count > 0


def spoken_in(day: Day, said: list[Comment]) -> list[Comment]:
    return [
        one
        for one in said
        if day.start <= one.created_at < day.end and one.is_there(day.end)
    ]


def comments_of(
    connection: duckdb.DuckDBPyConnection, project: str, repository: str
) -> dict[int, list[Comment]]:
    """All comments of a repository, by the number of their thread."""
    missed: dict[tuple[str, str], datetime] = {
        (kind, key): instant
        for kind, key, instant in connection.execute(
            "select kind, row_key, first_missed_at from raw_github.vanishings"
            " where project = ?",
            [project],
        ).fetchall()
    }
    bots = set(bots_of(connection))
    said: dict[int, list[Comment]] = defaultdict(list)
    for kind in COMMENT_STREAMS:
        for key, number, author, login, created_at in connection.execute(
            "select id, number, user_id, user_login, created_at"
            f" from raw_github.{kind}s where repository = ? and number is not null",
            [repository],
        ).fetchall():
            known = None if (login or "").lower() == "ghost" else author
            gone = (missed.get((kind, str(key))), missed.get(("thread", str(number))))
            said[number].append(
                Comment(
                    author=known,
                    is_bot=known in bots,
                    created_at=created_at,
                    missed_at=min((one for one in gone if one), default=None),
                )
            )
    return said


def bots_of(connection: duckdb.DuckDBPyConnection) -> Iterator[int]:
    """The ids of all automations, by what is known newest of each."""
    with (SEEDS / "automation_accounts.csv").open(encoding="utf-8") as lines:
        accounts = {row["login"].lower() for row in csv.DictReader(lines)}
    newest: dict[int, tuple[datetime, str, str]] = {}
    roles = {
        "issues": "user",
        "issue_comments": "user",
        "review_comments": "user",
        "issue_events": "actor",
    }
    for table, role in roles.items():
        for person, login, kind, fetched_at in connection.execute(
            f"select {role}_id, {role}_login, {role}_type, fetched_at"
            f" from raw_github.{table} where {role}_id is not null"
        ).fetchall():
            seen = (fetched_at, login or "", kind or "")
            newest[person] = max(newest.get(person, seen), seen)
    for person, (_, login, kind) in newest.items():
        if kind == "Bot" or login.endswith("[bot]") or login.lower() in accounts:
            yield person


def comment_intervals(
    connection: duckdb.DuckDBPyConnection, project: str
) -> list[list[tuple[datetime, datetime]]]:
    """The covered intervals of either comment stream."""
    return [
        connection.execute(
            "select covered_from, covered_until from raw_github.coverage"
            " where project = ? and stream = ?",
            [project, f"{kind}s"],
        ).fetchall()
        for kind in COMMENT_STREAMS
    ]
