"""What of a repository is loaded, as far as it is compared with what there is."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

import duckdb

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(frozen=True)
class Talk:
    """The comments of one thread: those thought to be there, those known to be gone.

    `counted` is how many its row counted when it was loaded; the times are the row's.
    """

    live: frozenset[int]
    gone: frozenset[int]
    counted: int | None
    created_at: datetime
    updated_at: datetime


class Loaded:
    """The rows of one project's repository in an open warehouse."""

    def __init__(
        self, connection: duckdb.DuckDBPyConnection, project: str, repository: str
    ) -> None:
        """Read through this connection."""
        self._connection = connection
        self._project = project
        self._repository = repository

    def threads(self) -> set[int]:
        """The numbers of all threads."""
        rows = self._connection.execute(
            "select number from raw_github.issues where repository = ?",
            [self._repository],
        ).fetchall()
        return {number for (number,) in rows}

    def talks(self) -> dict[int, Talk]:
        """The comments of each thread, by its number."""
        rows = self._connection.execute(
            """
            select
                threads.number,
                list(comments.id) filter (where gone.row_key is null),
                list(comments.id) filter (where gone.row_key is not null),
                any_value(threads.comment_count),
                epoch_us(any_value(threads.created_at)),
                epoch_us(any_value(threads.updated_at))
            from raw_github.issues as threads
            left join raw_github.issue_comments as comments using (repository, number)
            left join raw_github.vanishings as gone
                on
                    gone.project = ?
                    and gone.kind = 'issue_comment'
                    and gone.row_key = cast(comments.id as varchar)
            where threads.repository = ?
            group by threads.number
            """,
            [self._project, self._repository],
        ).fetchall()
        return {
            number: Talk(
                frozenset(live or ()) - {None},
                frozenset(gone or ()),
                counted,
                *(EPOCH + timedelta(microseconds=one) for one in times),
            )
            for number, live, gone, counted, *times in rows
        }

    def review_comments(self, since: datetime, until: datetime) -> dict[int, int]:
        """Threads' numbers by the ids of comments on diffs last changed in between."""
        rows = self._connection.execute(
            "select id, number from raw_github.review_comments where repository = ?"
            " and epoch_us(updated_at) >= ? and epoch_us(updated_at) < ?",
            [self._repository, _microseconds(since), _microseconds(until)],
        ).fetchall()
        return dict(rows)


def _microseconds(instant: datetime) -> int:
    return (instant - EPOCH) // timedelta(microseconds=1)
