"""The writer's DuckDB file: opening it, locking it, and knowing it for ours.

DuckDB locks the file for the process that writes it; that lock is the writers' lock.
"""

from __future__ import annotations

import re
import shutil
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TypeVar

import duckdb

from pipelines.exits import MisconfiguredError, UnusableError
from pipelines.place import refuse_place
from pipelines.projects import Project
from pipelines.raw_tables import LATER_COLUMNS, NAMES, SCHEMA_VERSION, TABLES

# How long a second writer waits for the first, and how often it looks.
LOCK_WAIT = 10.0
LOCK_POLL = 0.25

# What DuckDB may keep in memory; beyond, it works on the disk.
MEMORY_LIMIT = "80MB"


class Warehouse:
    """An open warehouse. While it is open, no other process can write to it."""

    def __init__(self, path: Path, *, lock_wait: float = LOCK_WAIT) -> None:
        """Open or create the file; UnusableError where that cannot be done."""
        refuse_place(path)
        self.path = path
        self.connection = _connected(path, lock_wait)
        # Nobody else holds the file: what DuckDB spilled is left by a killed run.
        shutil.rmtree(path.with_name(path.name + ".tmp"), ignore_errors=True)
        # The configuration of a connection cannot say this before ICU is loaded.
        self.connection.execute("set global timezone = 'UTC'")
        self.connection.execute(f"set global memory_limit = '{MEMORY_LIMIT}'")

    def __enter__(self) -> Self:
        """Give itself."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Close the file and free it for others."""
        self.connection.close()

    def recognise(self, api_host: str, projects: Iterable[Project]) -> None:
        """Refuse a file of another API, of other repositories or of another version."""
        tables = self.tables()
        if "warehouse" in tables:
            for version, host in self._rows("schema_version, api_host", "warehouse"):
                self._refuse_stranger(version, host, api_host)
        if "projects" in tables:
            watched: dict[str, str] = dict(
                self._rows("project, repository", "projects")
            )
            for project in projects:
                self._refuse_other(project, watched.get(project.name))

    def is_prepared(self) -> bool:
        """Whether all bookkeeping tables are there."""
        return self.tables().issuperset(NAMES)

    def prepare(self, api_host: str, projects: Iterable[Project]) -> None:
        """Create the bookkeeping tables and write down the projects' settings."""
        self.connection.execute("begin")
        for table in TABLES:
            self.connection.execute(table)
        if "issues" in self.tables():
            for column in LATER_COLUMNS:
                self.connection.execute(f"alter table raw_github.issues {column}")
        if not self._rows("1", "warehouse"):
            self.connection.execute(
                "insert into raw_github.warehouse values (?, ?)",
                [SCHEMA_VERSION, api_host],
            )
        for project in projects:
            self._write_project(project)
        self.connection.execute("commit")

    def spelling(self, repository: str) -> str:
        """`owner/name` in the letter case that the rows have; as given without rows."""
        for table in ("issues", "projects"):
            sql = f"select any_value(repository) from raw_github.{table}"
            sql += " where lower(repository) = lower(?)"
            if table in self.tables():
                [(known,)] = self.connection.execute(sql, [repository]).fetchall()
                repository = known or repository
        return repository

    def respell(self, repository: str) -> None:
        """Give all rows of `owner/name` this letter case, which is GitHub's own.

        Of two rows that differ by it alone, the one fetched last stays.
        """
        there = self.tables()
        others = "lower(repository) = lower($1) and repository <> $1"
        found = [
            table
            for table in GRAINS
            if table in there
            and self.connection.execute(
                f"select 1 from raw_github.{table} where {others} limit 1", [repository]
            ).fetchone()
        ]
        self.connection.execute("begin")
        for table in found:
            if grain := GRAINS[table]:
                self.connection.execute(
                    f"delete from raw_github.{table} where rowid in (select rowid from"
                    f" raw_github.{table} where lower(repository) = lower($1)"
                    f" qualify row_number() over (partition by {grain}"
                    " order by fetched_at desc, rowid desc) > 1)",
                    [repository],
                )
            self.connection.execute(
                f"update raw_github.{table} set repository = $1 where {others}",
                [repository],
            )
        self.connection.execute("commit")

    def tables(self) -> set[str]:
        """The names of the tables of `raw_github` that exist."""
        found = self.connection.execute(
            "select table_name from information_schema.tables"
            " where table_schema = 'raw_github'"
        ).fetchall()
        return {name for (name,) in found}

    def _rows(self, columns: str, table: str) -> list[Any]:
        return self.connection.execute(
            f"select {columns} from raw_github.{table}"
        ).fetchall()

    def _write_project(self, one: Project) -> None:
        repository = self.spelling(one.repository)
        self.connection.execute(
            "delete from raw_github.projects"
            " where project = ? or lower(repository) = lower(?)",
            [one.name, one.repository],
        )
        self.connection.execute(
            "insert into raw_github.projects values (?, ?, ?, ?, ?, ?, ?, ?)",
            [
                *(one.name, one.title, repository, one.time_zone),
                *(one.window_start, list(one.languages), one.spotlight),
                one.is_synthetic,
            ],
        )

    def _refuse_stranger(self, version: object, host: str, api_host: str) -> None:
        if version != SCHEMA_VERSION:
            raise UnusableError(
                f"{self.path} has version {version} of the raw tables and this "
                f"program knows version {SCHEMA_VERSION}: use the program that made "
                "it, or another WAREHOUSE."
            )
        if host != api_host:
            raise MisconfiguredError(
                f"{self.path} was filled from {host}, not from {api_host}: set "
                "WAREHOUSE to another file, or GITHUB_API_URL to that host."
            )

    def _refuse_other(self, project: Project, repository: str | None) -> None:
        if repository is not None and repository.lower() != project.repository.lower():
            raise MisconfiguredError(
                f"{self.path} holds {repository} under the name {project.name!r}, not "
                f"{project.repository}: give the project another name, or set "
                "WAREHOUSE to another file."
            )


def _connected(path: Path, lock_wait: float) -> duckdb.DuckDBPyConnection:
    """A connection that can write, once no other process holds the file."""

    def connect() -> duckdb.DuckDBPyConnection:
        path.resolve().parent.mkdir(parents=True, exist_ok=True)
        return duckdb.connect(str(path))

    return once_free(path, lock_wait, connect)


T = TypeVar("T")

# The tables that name a repository, and what tells their rows of one apart, where two
# letter cases of its name could have doubled them.
GRAINS = {
    **dict.fromkeys(("issues", "pull_details"), "number"),
    **dict.fromkeys(
        ("issue_comments", "review_comments", "issue_events", "reviews"), "id"
    ),
    "changed_files": "number, filename",
    **dict.fromkeys(("vanishings", "projects"), ""),
}


def once_free(path: Path, lock_wait: float, open_it: Callable[[], T]) -> T:
    """What `open_it` gives once no other process holds the file.

    Raises UnusableError when that takes more than `lock_wait` seconds, or where the
    file cannot be opened at all.
    """
    give_up_at = time.monotonic() + lock_wait
    while True:
        try:
            return open_it()
        except (duckdb.Error, OSError) as error:
            if "Could not set lock" not in str(error):
                raise UnusableError(_unreadable(path, error)) from error
            if time.monotonic() >= give_up_at:
                raise UnusableError(_held(path, str(error))) from error
        time.sleep(LOCK_POLL)


def _held(path: Path, said: str) -> str:
    holder = re.search(r"\(PID (\d+)\)", said)
    who = f"process {holder[1]}" if holder else "another process"
    return f"{path} is in use by {who}: wait for it to end, then run again."


def _unreadable(path: Path, error: Exception) -> str:
    said = " ".join(str(error).split())[:300].rstrip(".!")
    return (
        f"{path} cannot be opened as a warehouse ({said}): move it away, or set "
        "WAREHOUSE to another file."
    )
