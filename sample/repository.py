"""A repository's whole story: its rows in order of time, and the instant of telling."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import TypeVar

from sample.rows import ChangedFile, Comment, Event, Review, ReviewComment, Row, Thread

ID_EPOCH = datetime(2020, 1, 1, tzinfo=UTC)


IDS_PER_SECOND = 100_000


Timed = TypeVar("Timed", Thread, Comment, ReviewComment, Event, Review)


@dataclass(frozen=True)
class Repository:
    """The one repository of a world."""

    owner: str = "example-org"
    name: str = "sample-engine"
    id: int = 900_000_001
    created_at: datetime = datetime(2025, 1, 6, 8, tzinfo=UTC)


@dataclass(frozen=True)
class World:
    """Everything that ever happens in one repository, and the instant it is told at.

    Each tuple is in order of time; ids grow with it. Rows after `now` may exist: they
    are the future, which a server started at an earlier instant keeps to itself.
    """

    now: datetime = datetime(2026, 3, 6, 15, tzinfo=UTC)
    repository: Repository = Repository()
    threads: tuple[Thread, ...] = ()
    issue_comments: tuple[Comment, ...] = ()
    review_comments: tuple[ReviewComment, ...] = ()
    events: tuple[Event, ...] = ()
    reviews: tuple[Review, ...] = ()
    files: tuple[ChangedFile, ...] = ()

    def with_rows(self, *rows: Row | Iterable[Row]) -> "World":
        """The same world with more rows; those of id 0 get one that tells their time.

        Raises ValueError for a second thread of one number.
        """
        fresh = [each for row in rows for each in _flattened(row)]
        threads = [row for row in fresh if isinstance(row, Thread)]
        _refuse_twins([*self.threads, *threads])
        diff = [row for row in fresh if isinstance(row, ReviewComment)]
        talk = [
            row
            for row in fresh
            if isinstance(row, Comment) and not isinstance(row, ReviewComment)
        ]
        events = [row for row in fresh if isinstance(row, Event)]
        reviews = [row for row in fresh if isinstance(row, Review)]
        files = [row for row in fresh if isinstance(row, ChangedFile)]
        return replace(
            self,
            threads=_in_order([*self.threads, *threads]),
            issue_comments=_in_order([*self.issue_comments, *talk]),
            review_comments=_in_order([*self.review_comments, *diff]),
            events=_in_order([*self.events, *events]),
            reviews=_in_order([*self.reviews, *reviews]),
            files=(*self.files, *files),
        )


def stamp(at: datetime, ordinal: int = 0) -> int:
    """An id that grows with time: the `ordinal`-th row of the second `at`."""
    if not 0 <= ordinal < IDS_PER_SECOND:
        raise ValueError(f"one second holds {IDS_PER_SECOND} rows, not {ordinal + 1}")
    return int((at - ID_EPOCH).total_seconds()) * IDS_PER_SECOND + ordinal


def _flattened(row: Row | Iterable[Row]) -> list[Row]:
    return list(row) if isinstance(row, Iterable) else [row]


def _refuse_twins(threads: list[Thread]) -> None:
    seen: set[int] = set()
    for thread in threads:
        if thread.number in seen:
            raise ValueError(f"two threads with the number {thread.number}")
        seen.add(thread.number)


def _in_order(rows: list[Timed]) -> tuple[Timed, ...]:
    """Rows by time, each with an id; ids already given stay."""
    taken = {row.id for row in rows if row.id}
    next_ordinal: defaultdict[datetime, int] = defaultdict(int)
    placed = []
    for row in rows:
        while not row.id:
            candidate = stamp(row.created_at, next_ordinal[row.created_at])
            next_ordinal[row.created_at] += 1
            if candidate not in taken:
                row = replace(row, id=candidate)
        placed.append(row)
    return tuple(sorted(placed, key=lambda row: (row.created_at, row.id)))
