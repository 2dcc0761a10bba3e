"""One thread by its number: its row, all that happened to it, all that was said in it.

The timeline is the one place where a thread's whole history is read at once, oldest
first. Its events are those of the repository's list of events, under the same ids;
beside them stand comments, and reviews, commits and references, which are not events
there and are left out. Comments on a diff are not in it. A thread that is gone is told
from one that could not be read.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from urllib.parse import urlsplit

from pipelines.github.batches import Batch, to_batch
from pipelines.github.client import MissingError, Page
from pipelines.github.models import (
    ISSUE_COMMENTS,
    ISSUE_EVENTS,
    THREADS,
    Resource,
    UnfitError,
    instant,
)
from pipelines.github.paginators import Walked, pages_of
from pipelines.github.search import Found

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


# How often a row may turn out to be older than its own timeline.
TRIES = 3

Get = Callable[..., Page]


@dataclass(frozen=True)
class Read:
    """A thread whose whole timeline was read; `read_at` is the server's time (UTC)."""

    number: int
    read_at: datetime
    batches: tuple[Batch, ...]


class ThreadReader:
    """Reads threads of one repository; `get` may be called by several threads."""

    def __init__(self, get: Get, url: str, repository: str) -> None:
        """Read nothing yet. `url` is the repository's at the API."""
        self._get = get
        self._url = url
        self._repository = repository

    def read(self, number: int, found: Found | None = None) -> Read | None:
        """A thread with its whole timeline; None where it is gone or has moved away.

        `found` is its row where that is known already. A row that its own timeline
        contradicts is asked for again: an index and its replicas lag.
        """
        with suppress(MissingError):
            for _ in range(TRIES):
                found = found or self._row(number)
                if found is None:
                    return None
                read, is_behind = self._with_timeline(number, found)
                if not is_behind:
                    break
                found = None
            return read
        return None

    def _row(self, number: int) -> Found | None:
        page = self._get(f"{self._url}/issues/{number}", dict)
        is_itself = page.content.get("number") == number
        return Found(page.content, page.date) if is_itself else None

    def _with_timeline(self, number: int, found: Found) -> tuple[Read | None, bool]:
        events, comments, read_at = list[Any](), list[Any](), found.date
        path = f"/issues/{number}/timeline"
        for place, page in enumerate(pages_of(self._get, self._url + path)):
            if not urlsplit(page.url).path.endswith(path):
                return None, False  # redirected to where the thread has gone
            read_at = read_at if place else page.date
            events += events_in(page.content, number)
            comments += comments_in(page.content)
        batches = (
            self._batch(THREADS, [found.payload], found.date),
            self._batch(ISSUE_EVENTS, events, read_at),
            self._batch(ISSUE_COMMENTS, comments, read_at),
        )
        return Read(number, read_at, batches), is_stale(found.payload, events)

    def _batch(self, resource: Resource, rows: list[Any], date: datetime) -> Batch:
        return to_batch(resource, self._repository, Walked(rows, date), date, date)
