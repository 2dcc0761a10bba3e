"""The sample's world: the rows in `sample/story`, read once.

Weeks of an invented repository, its seed day 2026-03-04, and a day and a half after. A
file a kind of row, in order of time; ids follow from the times. What is left out of a
row is its default in `sample.rows`.
"""

import csv
import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from sample.facts import instant
from sample.repository import World
from sample.rows import (
    ChangedFile,
    Comment,
    Event,
    Review,
    ReviewComment,
    Row,
    Thread,
    User,
)

__all__ = ["World", "build_world"]

STORY = Path(__file__).parent / "story"
TIMES = frozenset({"created_at", "deleted_at"})


@cache
def build_world() -> World:
    """The world of the demo and the tests."""
    people: dict[str | None, User | None] = {None: None}
    for row in _table("users.csv"):
        people[row["login"]] = User(int(row["id"]), row["login"], row["kind"])
    files = {
        "threads.jsonl": Thread,
        "issue_comments.jsonl": Comment,
        "review_comments.jsonl": ReviewComment,
        "reviews.jsonl": Review,
    }
    rows: list[Row] = [
        kind(**{"user": None, "body": None, **_typed(told, people)})
        for name, kind in files.items()
        for told in map(json.loads, (STORY / name).open(encoding="utf-8"))
    ]
    rows += [_event(row, people) for row in _table("events.csv")]
    rows += [
        ChangedFile(
            int(row["number"]),
            row["filename"],
            int(row["additions"]),
            int(row["deletions"]),
            row["status"],
        )
        for row in _table("changed_files.csv")
    ]
    return World().with_rows(rows)


def _table(name: str) -> Iterator[dict[str, str]]:
    with (STORY / name).open(encoding="utf-8", newline="") as file:
        yield from csv.DictReader(file)


def _typed(
    told: dict[str, Any], people: dict[str | None, User | None]
) -> dict[str, Any]:
    """A row's JSON as the values of its class."""
    typed = {
        key: instant(value) if key in TIMES else value for key, value in told.items()
    }
    if "labels" in told:
        typed["labels"] = tuple(told["labels"])
    if "edits" in told:
        typed["edits"] = tuple((instant(at), body) for at, body in told["edits"])
    return {**typed, "user": people[told.get("user")]}


def _event(row: dict[str, str], people: dict[str | None, User | None]) -> Event:
    before, after = row["rename_from"], row["rename_to"]
    return Event(
        int(row["number"]) if row["number"] else None,
        instant(row["created_at"]),
        row["event"],
        people[row["actor"] or None],
        label=row["label"] or None,
        rename=(before, after) if after else None,
        state_reason=row["state_reason"] or None,
        commit_id=row["commit_id"] or None,
    )
