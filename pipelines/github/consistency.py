"""Lists that contradict what is known: a well-formed answer may be empty, or hours old.

During a fault of its replicas GitHub answers 200 with nothing, or with an older state.
Two things speak against such a list. It begins an hour before what is loaded, so it
must show rows that are loaded from that hour; and the lists must agree with each other:
a comment changes its thread's `updated_at`, a thread that was closed has an event, a
thread that counts comments has some. Both are proved by an answer that does not come
from the list: a repository may have been quiet, and rows may have been deleted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from pipelines.coverage import OVERLAP, Held
from pipelines.errors import IncompleteError
from pipelines.github.client import MissingError, Page
from pipelines.github.paginators import instants, pages_of

Get = Callable[..., Page]

# How often a list is asked for again, and how many of its rows are asked for.
TRIES = 3
PROBES = 3

NEVER = datetime.min.replace(tzinfo=UTC)

# Where the rows of a stream are found by their thread's number. An event is there as
# long as its thread is.
PLACES = {
    "threads": "/issues/{}",
    "issue_events": "/issues/{}",
    "issue_comments": "/issues/{}/comments",
    "review_comments": "/pulls/{}/comments",
}


def contradicted(stream: str) -> IncompleteError:
    """The refusal to believe a list."""
    return IncompleteError(
        f"GitHub's list of {stream} shows an older state than its other answers, "
        f"{TRIES} times: nothing of it is taken as complete. Run the same command "
        "again later."
    )


def forgets(
    get: Get, url: str, stream: str, held: Mapping[int, Held], since: datetime
) -> bool:
    """Whether a list that showed none of the held rows is wrong: one of them is there.

    `url` is the repository's; rows listed before `since` were not asked for.
    """
    some = {one.number: key for key, one in held.items() if one.listed_at >= since}
    return any(
        _is_there(get, url + PLACES[stream].format(number), key, number)
        for number, key in sorted(some.items(), reverse=True)[:PROBES]
    )


def _is_there(get: Get, place: str, key: int, number: int) -> bool:
    with suppress(MissingError):
        if place.endswith("/comments"):
            return any(
                isinstance(row, dict) and row.get("id") == key
                for page in pages_of(get, place)
                for row in page.content
            )
        return bool(get(place, dict).content.get("number") == number)
    return False


@dataclass
class Newest:
    """What the lists of one run showed last, by stream; times are UTC.

    `rows` holds the newest row of each, as its thread's number and its time; `closed`
    and `talked` the threads that, by their own rows, were closed, or were opened and
    have comments.
    """

    rows: dict[str, tuple[datetime, int]] = field(default_factory=dict)
    closed: tuple[datetime, int] = (NEVER, 0)
    talked: tuple[datetime, int] = (NEVER, 0)

    def saw(self, stream: str, rows: Iterable[Mapping[str, Any]]) -> None:
        """Take note of table rows."""
        for row in rows:
            number = row["number"] or 0
            at = row["updated_at" if stream == "threads" else "created_at"]
            self.rows[stream] = max(self.rows.get(stream, (NEVER, 0)), (at, number))
            if stream == "threads":
                if row["closed_at"]:
                    self.closed = max(self.closed, (row["closed_at"], number))
                if row["comment_count"]:
                    self.talked = max(self.talked, (row["created_at"], number))

    def doubtful(
        self, asked_from: Mapping[str, datetime]
    ) -> list[tuple[str, str, datetime]]:
        """The streams that seem older than the others: since when, and what may tell.

        `asked_from` says from when on each stream was read; what may tell is an address
        below the repository's.
        """
        newest = {one: self.rows.get(one, (NEVER, 0)) for one in PLACES}
        doubts = [
            ("threads", *newest["issue_comments"], "/issues/{}"),
            ("threads", *newest["issue_events"], "/issues/{}"),
            ("issue_events", *self.closed, "/issues/{}/events"),
            ("issue_comments", *self.talked, "/issues/{}/comments"),
        ]
        return [
            (stream, place.format(number), shown)
            for stream, at, number, place in doubts
            if stream in asked_from and number
            for shown in [max(newest[stream][0], asked_from[stream])]
            if at - OVERLAP > shown
        ]

    def older(self, get: Get, url: str, asked_from: Mapping[str, datetime]) -> set[str]:
        """The streams that show an older state than the others prove."""
        return {
            stream
            for stream, place, shown in self.doubtful(asked_from)
            if _is_newer(get, url + place, shown)
        }


def _is_newer(get: Get, place: str, than: datetime) -> bool:
    """Whether a thread, or a row of its events or comments, is from a later time."""
    with suppress(MissingError):
        if place.endswith(("/events", "/comments")):
            pages = pages_of(get, place)
            times = [at for one in pages for at in instants(one.content, "created_at")]
        else:
            times = instants([get(place, dict).content], "updated_at")
        return any(at > than for at in times)
    return False
