"""A thread's timeline: what happened to it and what was said in it, oldest first.

The one place where a thread's whole history is read at once. Its events are those of
the repository's list of events, under the same ids; beside them stand comments, and
reviews, commits and references, which are not events there and are left out. Comments
on a diff are not in it.
"""

from __future__ import annotations

from contextlib import suppress
from datetime import datetime, timedelta
from typing import Any

from pipelines.github.rows import UnfitError, instant

# What changes what a thread's row shows.
CHANGES = frozenset(
    (
        *("closed", "reopened", "merged", "labeled", "unlabeled", "renamed"),
        *("convert_to_draft", "ready_for_review", "locked", "unlocked"),
    )
)

# An event's clock and its thread's may differ by a second or two.
TOLERANCE = timedelta(seconds=60)


def events_in(rows: list[Any], number: int) -> list[Any]:
    """The rows that are events of the repository's list, each told its thread."""
    return [
        {**row, "issue": {"number": number}}
        for row in rows
        if isinstance(row, dict) and "/issues/events/" in str(row.get("url"))
    ]


def comments_in(rows: list[Any]) -> list[Any]:
    """The rows that are comments, as the repository's list of comments shows them."""
    return [
        {"user": row.get("actor"), **row}
        for row in rows
        if isinstance(row, dict) and row.get("event") == "commented"
    ]


def is_stale(thread: Any, events: list[Any]) -> bool:
    """Whether a thread's row is older than an event that changed it."""
    try:
        changed_at = instant(thread.get("updated_at"))
    except UnfitError:
        return False
    return any(at > changed_at + TOLERANCE for at in _change_times(events))


def _change_times(events: list[Any]) -> list[datetime]:
    times = []
    for event in events:
        kind = event.get("event")
        if isinstance(kind, str) and kind in CHANGES:
            with suppress(UnfitError):
                times.append(instant(event.get("created_at")))
    return times
