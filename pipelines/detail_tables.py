"""The tables of what pull requests are made of: size, submitted reviews, changed files.

All rows of a pull request are replaced together, and so is what of it could not become
a row: a file that it no longer changes must go, which a merge by key would not do.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import duckdb
import pyarrow as pa

from pipelines.github.details import Detail
from pipelines.github.resource import person_columns
from pipelines.github.rows import TIME, Row

FIRST, LAST = ("repository", pa.string()), ("fetched_at", TIME)
NUMBER = ("number", pa.int64())
SCHEMAS = {
    "pull_details": (
        NUMBER,
        *((name, pa.int64()) for name in ("additions", "deletions")),
        *((name, pa.int64()) for name in ("changed_files", "commits")),
        *person_columns("merged_by"),
    ),
    "reviews": (
        ("id", pa.int64()),
        NUMBER,
        *person_columns("user"),
        ("author_association", pa.string()),
        ("state", pa.string()),
        ("body", pa.string()),
        ("submitted_at", TIME),
        ("html_url", pa.string()),
    ),
    "changed_files": (
        NUMBER,
        ("filename", pa.string()),
        ("status", pa.string()),
        ("additions", pa.int64()),
        ("deletions", pa.int64()),
    ),
}

TABLES = (
    # A pull request of a reported window, with its size.
    """create table if not exists raw_github.pull_details (
        repository varchar not null, number bigint not null, additions bigint,
        deletions bigint, changed_files bigint, commits bigint, merged_by_id bigint,
        merged_by_login varchar, merged_by_type varchar,
        fetched_at timestamptz not null)""",
    # A submitted review of such a pull request.
    """create table if not exists raw_github.reviews (
        repository varchar not null, id bigint not null, number bigint not null,
        user_id bigint, user_login varchar, user_type varchar,
        author_association varchar, state varchar, body varchar,
        submitted_at timestamptz not null, html_url varchar,
        fetched_at timestamptz not null)""",
    # A file that such a pull request changes.
    """create table if not exists raw_github.changed_files (
        repository varchar not null, number bigint not null, filename varchar not null,
        status varchar, additions bigint, deletions bigint,
        fetched_at timestamptz not null)""",
)


@dataclass(frozen=True)
class DetailTables:
    """The rows of one project's repository in an open warehouse."""

    connection: duckdb.DuckDBPyConnection
    project: str
    repository: str

    def replace(self, details: list[Detail]) -> None:
        """Replace all that is known of these pull requests, in one transaction."""
        if not details:
            return
        self.connection.execute("begin")
        try:
            self._remove([one.number for one in details])
            for table in SCHEMAS:
                self._insert(table, details)
            for one in details:
                self._set_aside(one)
        except BaseException:
            self.connection.execute("rollback")
            raise
        self.connection.execute("commit")

    def _remove(self, numbers: list[int]) -> None:
        for table in SCHEMAS:
            self.connection.execute(
                f"delete from raw_github.{table}"
                " where repository = ? and list_contains(?, number)",
                [self.repository, numbers],
            )
            self.connection.execute(
                "delete from raw_github.quarantine where project = ? and stream = ?"
                " and list_contains(?, split_part(row_key, '/', 1))",
                [self.project, table, [str(number) for number in numbers]],
            )

    def _insert(self, table: str, details: list[Detail]) -> None:
        rows = [
            {"repository": self.repository, **row, "fetched_at": one.fetched_at}
            for one in details
            for row in _once_each(one, table)
        ]
        schema = pa.schema([FIRST, *SCHEMAS[table], LAST])
        self.connection.register("incoming", pa.Table.from_pylist(rows, schema=schema))
        names = ", ".join(schema.names)
        self.connection.execute(
            f"insert into raw_github.{table} ({names}) select * from incoming"
        )
        self.connection.unregister("incoming")

    def _set_aside(self, detail: Detail) -> None:
        for (table, key), one in {
            (table, one.row_key): one for table, one in detail.unfit
        }.items():
            self.connection.execute(
                "insert into raw_github.quarantine values (?, ?, ?, ?, ?, ?)",
                [
                    *(self.project, table, key),
                    *(one.reason, one.payload, detail.fetched_at),
                ],
            )


def _once_each(detail: Detail, table: str) -> Iterable[Row]:
    """The rows for a table, the last of those that pages told twice."""
    if table == "pull_details":
        return [detail.pull]
    if table == "reviews":
        return {row["id"]: row for row in detail.reviews}.values()
    return {row["filename"]: row for row in detail.files}.values()
