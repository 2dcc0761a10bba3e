"""What was loaded once and GitHub no longer has: tombstones beside rows that stay.

A line is written when something is first missed, and goes when it is back.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

import duckdb

TABLE = """create table if not exists raw_github.vanishings (
        project varchar not null, repository varchar not null,
        kind varchar not null, row_key varchar not null, number bigint not null,
        status integer not null, first_missed_at timestamptz not null,
        primary key (project, kind, row_key))"""


@dataclass(frozen=True)
class Vanished:
    """A thread or comment that is gone.

    `kind` is `thread`, `issue_comment` or `review_comment`; `key` is the number of the
    thread or the id of the comment; `status` is what GitHub answers for it: 410, 404,
    or 301 where it has moved to another repository.
    """

    kind: str
    key: int
    number: int
    status: int


class Vanishings:
    """The tombstones of one project in an open warehouse."""

    def __init__(
        self, connection: duckdb.DuckDBPyConnection, project: str, repository: str
    ) -> None:
        """Read and write through this connection."""
        self._connection = connection
        self._project = project
        self._repository = repository

    def keys(self, kind: str) -> set[int]:
        """The keys of what is known to be gone."""
        rows = self._connection.execute(
            "select cast(row_key as bigint) from raw_github.vanishings"
            " where project = ? and kind = ?",
            [self._project, kind],
        ).fetchall()
        return {key for (key,) in rows}

    def add(self, gone: Iterable[Vanished], missed_at: datetime) -> int:
        """Write down what is gone, and count the new; the others keep their time."""
        count = 0
        for one in gone:
            if one.key in self.keys(one.kind):
                continue
            count += 1
            self._connection.execute(
                "insert into raw_github.vanishings values (?, ?, ?, ?, ?, ?, ?)",
                [
                    *(self._project, self._repository, one.kind, str(one.key)),
                    *(one.number, one.status, missed_at),
                ],
            )
        return count

    def forget(self, kind: str, back: Iterable[int]) -> int:
        """Take away the tombstones of what is back; count them."""
        returned = self.keys(kind) & set(back)
        self._connection.execute(
            "delete from raw_github.vanishings"
            " where project = ? and kind = ? and list_contains(?, row_key)",
            [self._project, kind, [str(key) for key in returned]],
        )
        return len(returned)
