"""What is known of windows and threads that were read one by one, out of any walk.

A line is written only after the rows it speaks of are committed. All times are UTC.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta

import duckdb

from pipelines.windows import Window

TABLES = (
    # A window that was fetched on its own, and the server's time when that began.
    """create table if not exists raw_github.targeted_windows (
        project varchar not null, window_id varchar not null,
        window_start_at timestamptz not null, window_end_at timestamptz not null,
        loaded_at timestamptz not null, primary key (project, window_id))""",
    # A thread whose whole timeline was read, and when that began.
    """create table if not exists raw_github.timelines (
        project varchar not null, number bigint not null,
        read_at timestamptz not null, primary key (project, number))""",
)

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


class Targets:
    """The lines about one project in an open warehouse."""

    def __init__(self, connection: duckdb.DuckDBPyConnection, project: str) -> None:
        """Read and write through this connection."""
        self._connection = connection
        self._project = project

    def has_window(self, window: Window) -> bool:
        """Whether exactly these instants were fetched on their own."""
        sql = "select count(*) from raw_github.targeted_windows where project = ?"
        sql += " and window_id = ? and window_start_at = ? and window_end_at = ?"
        keys = [self._project, window.window_id, window.start_at, window.end_at]
        row = self._connection.execute(sql, keys).fetchone()
        return bool(row and row[0])

    def add_window(self, window: Window, loaded_at: datetime) -> None:
        """Write down a window whose rows are all committed."""
        self._connection.execute(
            "insert or replace into raw_github.targeted_windows values (?, ?, ?, ?, ?)",
            [
                *(self._project, window.window_id),
                *(window.start_at, window.end_at, loaded_at),
            ],
        )

    def read_since(self, instant: datetime) -> set[int]:
        """The numbers of the threads whose timeline was read after an instant."""
        rows = self._connection.execute(
            "select number from raw_github.timelines"
            " where project = ? and epoch_us(read_at) > ?",
            [self._project, (instant - EPOCH) // timedelta(microseconds=1)],
        ).fetchall()
        return {number for (number,) in rows}

    def add_timelines(self, read_at: Mapping[int, datetime]) -> None:
        """Write down threads whose timelines are committed."""
        for number, instant in read_at.items():
            self._connection.execute(
                "insert or replace into raw_github.timelines values (?, ?, ?)",
                [self._project, number, instant],
            )
