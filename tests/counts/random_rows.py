"""A raw world by chance: threads that are born, closed, reopened and merged, many of
them in the very seconds where a window ends, written straight into the raw tables.
"""

from __future__ import annotations

import json
import random
from collections import defaultdict
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import duckdb
import pyarrow as pa

from tests.counts.plain_count import STREAMS, instant_of

# The clocks of New York skip the hour of its window's start on 8 March.
PROJECTS = """
[east]
title = "East"
repository = "example-org/east"
time_zone = "Asia/Shanghai"
window_start = "11:24"
languages = ["en"]
spotlight = "amd"

[west]
title = "West"
repository = "example-org/west"
time_zone = "America/New_York"
window_start = "02:30"
languages = ["en"]
spotlight = "amd"
"""
PLACES = {"east": ("Asia/Shanghai", "11:24"), "west": ("America/New_York", "02:30")}
FIRST, LAST = date(2026, 2, 20), date(2026, 3, 20)
NOW = datetime(2026, 3, 21, 12, tzinfo=UTC)
SECOND = timedelta(seconds=1)

Tables = dict[str, list[dict[str, Any]]]


def fill(
    connection: duckdb.DuckDBPyConnection, *, seed: int, thread_count: int
) -> None:
    """Fill the raw tables of both projects; the same seed gives the same rows."""
    chance = random.Random(seed)
    tables: Tables = defaultdict(list)
    for project, (zone, clock) in PLACES.items():
        edges = [
            instant_of(FIRST + timedelta(days=step), clock, ZoneInfo(zone))
            for step in range((LAST - FIRST).days + 1)
        ]
        tables["coverage"] += [
            {"project": project, "stream": stream, "covered_from": edges[2]}
            | {"covered_until": NOW, "loaded_at": NOW}
            for stream in STREAMS
        ]
        tables["syncs"].append(
            {"sync_id": project, "project": project, "began_at": NOW, "ended_at": NOW}
            | {"request_count": 1, "row_count": 1, "api_host": "", "tool_version": ""}
        )
        for number in range(1, thread_count + 1):
            _live(tables, chance, edges, project, number)
    _insert(connection, tables)


def _insert(connection: duckdb.DuckDBPyConnection, tables: Tables) -> None:
    for table, rows in tables.items():
        connection.register("incoming", pa.Table.from_pylist(rows))
        names = ", ".join(rows[0])
        connection.execute(
            f"insert into raw_github.{table} ({names}) select {names} from incoming"
        )


def talk(
    connection: duckdb.DuckDBPyConnection, *, seed: int, thread_count: int
) -> None:
    """Comments on the threads of `fill`, from 25 days before its first window on: some
    before their thread, at windows' edges, of bots and ghosts, or gone since. Both
    comment streams cover them all, so that the last days have a baseline.
    """
    chance = random.Random(f"talk {seed}")
    tables: Tables = defaultdict(list)
    for place, (project, (zone, clock)) in enumerate(PLACES.items()):
        repository = f"example-org/{project}"
        edges = [
            instant_of(FIRST + timedelta(days=step), clock, ZoneInfo(zone))
            for step in range(-25, (LAST - FIRST).days + 1)
        ]
        for number in range(1, thread_count + 1):
            said = chance.choice(edges)
            for turn in range(chance.choice((0, 0, 1, 3, 8, 30))):
                kind = chance.choice(("issue_comment", "review_comment"))
                # No two comments of GitHub have one id.
                key = (place * thread_count + number) * 100 + turn
                said = min(
                    chance.choice(
                        (
                            said + chance.choice((0, 1, 1800, 3599, 3600)) * SECOND,
                            said + chance.randrange(3 * 86400) * SECOND,
                            chance.choice(edges) - chance.choice((0, 1)) * SECOND,
                        )
                    ),
                    NOW - SECOND,
                )
                tables[f"{kind}s"].append(
                    {"repository": repository, "id": key, "number": number}
                    | _person(chance, "user")
                    | {"body": "text", "created_at": said, "updated_at": said}
                    | {"fetched_at": NOW}
                )
                if chance.random() < 0.1:
                    missed_at = chance.choice([*edges, NOW])
                    tables["vanishings"].append(
                        {"project": project, "repository": repository, "kind": kind}
                        | {"row_key": str(key), "number": number, "status": 404}
                        | {"first_missed_at": max(said, missed_at)}
                    )
        connection.execute(
            "update raw_github.coverage set covered_from = ?"
            " where project = ? and stream in ('issue_comments', 'review_comments')",
            [edges[0], project],
        )
    _insert(connection, tables)


def name_topics(connection: duckdb.DuckDBPyConnection, *, seed: int) -> None:
    """Titles and labels that name topics, some of them changed at windows' edges."""
    chance = random.Random(f"topics {seed}")
    words = ("LoRA", "[Perf]", "KV cache", "moe", "docs", "qwen", "fix", "崩溃")
    labels = ("rocm", "v1", "frontend", "quantization", "kernel", "bug", "LoRA", "x")
    rows = connection.execute(
        "select repository, number, created_at from raw_github.issues"
        " order by repository, number"
    ).fetchall()
    tables: Tables = defaultdict(list)
    for repository, number, created_at in rows:
        zone, clock = PLACES[repository.removeprefix("example-org/")]
        edges = [
            instant_of(FIRST + timedelta(days=step), clock, ZoneInfo(zone))
            for step in range((LAST - FIRST).days + 1)
        ]
        held = set(chance.sample(labels, k=chance.choice((0, 1, 2, 7))))
        connection.execute(
            "update raw_github.issues set title = ?, labels = ?, updated_at = ?"
            " where repository = ? and number = ?",
            [
                " ".join(chance.choices(words, k=3)),
                json.dumps(sorted(held)),
                *(NOW, repository, number),
            ],
        )
        since = max(created_at, edges[2])
        changes = chance.choice((0, 1, 2, 4))
        instants = sorted(_instant(chance, edges, since) for _ in range(changes))
        # From now back to what was before, so that the events lead to the row.
        for turn, instant in reversed(list(enumerate(instants))):
            label = chance.choice((None, *labels))
            event = "labeled" if label in held else "unlabeled"
            if label is not None:
                held ^= {label}
            before = " ".join(chance.choices(words, k=2))
            tables["issue_events"].append(
                {"repository": repository, "id": number * 100 + 50 + turn}
                | {"number": number, "event": event if label else "renamed"}
                | {"created_at": instant, "fetched_at": NOW, "label_name": label}
                | {"rename_from": None if label else before}
                | _person(chance, "actor")
            )
    _insert(connection, tables)


def _live(
    tables: Tables,
    chance: random.Random,
    edges: list[datetime],
    project: str,
    number: int,
) -> None:
    """The rows of one thread's life."""
    is_pull_request = chance.random() < 0.6
    created_at = _instant(chance, edges, edges[0])
    turns = list(_turns(chance, edges, created_at))
    merged_at = None
    if is_pull_request and chance.random() < 0.5:
        # A merge ends the story; its own second may lie beside the close's.
        close = _instant(chance, edges, turns[-1][0] if turns else created_at)
        if not turns or turns[-1][1] == "reopened":
            turns.append((close, "closed"))
        merged_at = turns[-1][0] + chance.choice((-1, 0, 0, 0, 1)) * SECOND
    is_closed = bool(turns) and turns[-1][1] == "closed"
    closed_at = turns[-1][0] if is_closed else None
    if len(turns) > 1 and turns[-2][1] == "closed" and chance.random() < 0.5:
        # Closed twice without a reopening: the row may name either.
        closed_at = turns[-2][0] if is_closed else None
    known = list(_known(chance, turns, edges[2]))
    if merged_at is not None:
        known.append((merged_at, "merged"))
    updated_at = NOW
    if turns and chance.random() < 0.1:
        # The row is older than the last that happened.
        updated_at, is_closed = turns[-1][0] - SECOND, not is_closed
        closed_at = merged_at = None
    repository = f"example-org/{project}"
    tables["issues"].append(
        {"repository": repository, "number": number, "id": number}
        | {"title": f"thread {number}", "body": chance.choice((None, "", "text"))}
        | {"state": "closed" if is_closed else "open", "labels": "[]"}
        | _person(chance, "user")
        | {"is_pull_request": is_pull_request, "merged_at": merged_at}
        | {"created_at": created_at, "updated_at": updated_at, "fetched_at": NOW}
        | {"closed_at": closed_at}
    )
    tables["issue_events"] += [
        {"repository": repository, "id": number * 100 + place, "number": number}
        | {"event": event, "created_at": instant, "fetched_at": NOW}
        | _person(chance, "actor")
        for place, (instant, event) in enumerate(known)
    ]
    missed_at = chance.choice((chance.choice(edges), NOW))
    if chance.random() < 0.03 and missed_at > created_at:
        tables["vanishings"].append(
            {"project": project, "repository": repository, "kind": "thread"}
            | {"row_key": str(number), "number": number, "status": 410}
            | {"first_missed_at": missed_at}
        )


def _turns(
    chance: random.Random, edges: list[datetime], since: datetime
) -> Iterator[tuple[datetime, str]]:
    """Closes and reopenings, mostly in turn, some of them within one second."""
    event = "closed"
    for _ in range(chance.choice((0, 0, 1, 1, 1, 2, 2, 3, 4, 5))):
        since = since if chance.random() < 0.1 else _instant(chance, edges, since)
        yield since, event
        if chance.random() < 0.85:
            event = "reopened" if event == "closed" else "closed"


def _known(
    chance: random.Random, turns: list[tuple[datetime, str]], covered_from: datetime
) -> list[tuple[datetime, str]]:
    """What the event list holds: nothing older than it covers, once in a while less."""
    known = [turn for turn in turns if turn[0] >= covered_from]
    # GitHub shows it closed, and the event is not there.
    return known[:-1] if known and chance.random() < 0.05 else known


def _instant(chance: random.Random, edges: list[datetime], since: datetime) -> datetime:
    """Not before `since`; half of the time at a window's edge or a second beside it."""
    later = [edge for edge in edges if edge > since]
    if later and chance.random() < 0.5:
        edge = chance.choice(later[:4])
        return max(since, edge + chance.choice((-1, 0, 1)) * SECOND)
    return min(since + timedelta(seconds=chance.randrange(1, 5 * 86400)), NOW - SECOND)


def _person(chance: random.Random, role: str) -> dict[str, Any]:
    """Somebody, a bot, or nobody whom GitHub still knows."""
    who = chance.randrange(12)
    if who == 0:
        return {f"{role}_id": None, f"{role}_login": None, f"{role}_type": None}
    kind = "Bot" if who == 1 else "User"
    return {f"{role}_id": who, f"{role}_login": f"dev-{who:03}", f"{role}_type": kind}
