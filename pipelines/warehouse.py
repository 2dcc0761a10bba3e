"""The writer's DuckDB file: where it may lie, its bookkeeping tables, locking it.

DuckDB locks the file for the process that writes it; that lock is the writers' lock.
The tables of GitHub's rows are declared by their streams and made by dlt.
"""

from __future__ import annotations

import errno
import os
import re
import shutil
import tempfile
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TypeVar

import duckdb

from pipelines import published
from pipelines.errors import MisconfiguredError, UnusableError
from pipelines.projects import Project

# DuckDB names the catalog after the file: these would hide a schema or a catalog.
RESERVED_STEMS = frozenset(
    (
        *("raw_github", "staging", "intermediate", "marts", "reports"),
        *("builds", "seeds"),
        *("main", "temp", "system"),
    )
)

# What says nothing against the place itself: there is no room at the moment.
NO_ROOM = (errno.ENOSPC, errno.EDQUOT)


def refuse_place(path: Path) -> None:
    """Raise where no warehouse can be opened or created at `path`.

    MisconfiguredError for a path that cannot name one, UnusableError where this user
    may not write; OSError where the disk is full.
    """
    refuse_reserved(path)
    try:
        real = path.resolve()
        if real.is_dir():
            raise MisconfiguredError(
                f"WAREHOUSE={path} is a directory; name a file in it."
            )
        folder = nearest_folder(real.parent)
        if not folder.is_dir():
            raise MisconfiguredError(
                f"WAREHOUSE={path}: {folder} is no folder; name a file in one."
            )
        with tempfile.TemporaryFile(dir=folder):
            pass
        if real.exists() and not os.access(real, os.R_OK | os.W_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    except PermissionError as error:
        raise _closed(path, error) from None
    except (OSError, RuntimeError) as error:
        number = getattr(error, "errno", None)
        if number in NO_ROOM:
            raise
        if number in (errno.ENAMETOOLONG, None):  # None: links that lead in a circle
            raise MisconfiguredError(
                f"WAREHOUSE={path} cannot be the path of a file; name another."
            ) from None
        raise _closed(path, error) from None


def refuse_reserved(path: Path) -> None:
    """Raise MisconfiguredError for a name that no warehouse can have."""
    if path.stem.lower() in RESERVED_STEMS:
        raise MisconfiguredError(
            f"WAREHOUSE={path}: {path.stem!r} is also the name of a schema or catalog "
            "in the warehouse; choose another file name."
        )
    if "'" in str(path):
        raise MisconfiguredError(
            f"WAREHOUSE={path}: the loader cannot take a path with an apostrophe; "
            "choose another."
        )


def is_there(path: Path) -> bool:
    """Whether a warehouse exists at a path that can name one."""
    refuse_place(path)
    return path.exists()


def nearest_folder(folder: Path) -> Path:
    """The folder, or the nearest one above it that exists."""
    while not folder.exists() and folder != folder.parent:
        folder = folder.parent
    return folder


def _closed(path: Path, error: Exception) -> UnusableError:
    said = getattr(error, "strerror", None) or type(error).__name__
    return UnusableError(
        f"{path} cannot be written ({said}): let this user write to it and its folder, "
        "or set WAREHOUSE to another file."
    )


SCHEMA_VERSION = 1

TABLES = (
    "create schema if not exists raw_github",
    # The one row that says what this file is.
    """create table if not exists raw_github.warehouse (
        schema_version integer not null, api_host varchar not null)""",
    # A project.
    """create table if not exists raw_github.projects (
        project varchar primary key, title varchar not null,
        repository varchar not null, time_zone varchar not null,
        window_start varchar not null, languages varchar[] not null,
        spotlight_ecosystem varchar not null, is_synthetic boolean not null)""",
    # A window that was asked for.
    """create table if not exists raw_github.window_requests (
        window_id varchar primary key, project varchar not null,
        window_kind varchar not null, window_date date not null,
        window_start_at timestamptz not null, window_end_at timestamptz not null,
        requested_at timestamptz not null)""",
    # A stream and a disjoint interval of it that is loaded completely.
    """create table if not exists raw_github.coverage (
        project varchar not null, stream varchar not null,
        covered_from timestamptz not null, covered_until timestamptz not null,
        loaded_at timestamptz not null)""",
    # A stream and an interval that an unfinished walk has passed: no coverage yet, as
    # rows of it may have changed and moved on to where the walk has not been.
    """create table if not exists raw_github.progress (
        project varchar not null, stream varchar not null,
        passed_from timestamptz not null, passed_until timestamptz not null)""",
    # A stream, and the instant before which nothing of it exists or is shown.
    """create table if not exists raw_github.horizons (
        project varchar not null, stream varchar not null,
        earliest_at timestamptz not null, reason varchar not null)""",
    # A run that asked GitHub and came to its end.
    """create table if not exists raw_github.syncs (
        sync_id varchar not null, project varchar not null,
        began_at timestamptz not null, ended_at timestamptz not null,
        request_count bigint not null, row_count bigint not null,
        api_host varchar not null, tool_version varchar not null)""",
    # A payload that could not become a row, and why.
    """create table if not exists raw_github.quarantine (
        project varchar not null, stream varchar not null, row_key varchar not null,
        reason varchar not null, payload varchar not null,
        quarantined_at timestamptz not null)""",
    # A window that was fetched on its own, and the server's time when that began.
    """create table if not exists raw_github.targeted_windows (
        project varchar not null, window_id varchar not null,
        window_start_at timestamptz not null, window_end_at timestamptz not null,
        loaded_at timestamptz not null, primary key (project, window_id))""",
    # A thread whose whole timeline was read, and when that began.
    """create table if not exists raw_github.timelines (
        project varchar not null, number bigint not null,
        read_at timestamptz not null, primary key (project, number))""",
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
    # A thread or comment that was loaded once and is gone from GitHub.
    """create table if not exists raw_github.vanishings (
        project varchar not null, repository varchar not null,
        kind varchar not null, row_key varchar not null, number bigint not null,
        status integer not null, first_missed_at timestamptz not null,
        primary key (project, kind, row_key))""",
    # What was published, version by version.
    *published.TABLES,
)

# What `issues` lacks in a warehouse that an older version made; null until a row is
# loaded again.
LATER_COLUMNS = ("add column if not exists first_author_association varchar",)

NAMES = frozenset(
    re.findall(r"table if not exists raw_github\.(\w+)", " ".join(TABLES))
)


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
