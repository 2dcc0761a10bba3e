"""The user's chain on a small GitHub of a test's own: fetch, build, publish, render."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import duckdb

from sample import demo
from sample.repository import World
from sample.rows import Comment, Event, Thread, User
from sample.server import Github

ROOT = Path(__file__).parents[2]
DBT = str(Path(sys.executable).parent / "dbt")
IN_PROJECT = ("--project-dir", "dbt_project", "--profiles-dir", ".")
MODELS_ONLY = ("--exclude-resource-types", "test", "unit_test")
BUILT_SCHEMAS = ("staging", "intermediate", "marts", "reports", "seeds")


def at(text: str) -> datetime:
    """A UTC instant of March 2026 written `05 03:24`."""
    return datetime.fromisoformat(f"2026-03-{text}").replace(tzinfo=UTC)


@dataclass
class Chain:
    """The programs of `make report`, one by one, on files of their own."""

    folder: Path
    github: Github
    day: str = "2026-03-04"
    variables: dict[str, str] = field(default_factory=dict)

    @property
    def warehouse(self) -> Path:
        return self.folder / "warehouse.duckdb"

    @property
    def history(self) -> Path:
        return self.folder / "history.duckdb"

    @property
    def env(self) -> dict[str, str]:
        return {
            **demo.environment(os.environ, self.github.url, "en"),
            "DATE": self.day,
            "WAREHOUSE": str(self.warehouse),
            "BUILD_DIR": str(self.folder),
            "BASELINE_DAYS": "0",
            "DBT_TARGET_PATH": str(self.folder / "dbt"),
            "DBT_LOG_PATH": str(self.folder / "dbt" / "logs"),
            "DBT_SEND_ANONYMOUS_USAGE_STATS": "false",
            **self.variables,
        }

    def report(self) -> None:
        """All of it, as `make report` does."""
        self.fetch("cover")
        self.build()
        self.publish()
        self.ran(sys.executable, "-m", "render", "day")

    def fetch(self, command: str) -> None:
        self.ran(sys.executable, "-m", "pipelines", command)

    def build(self, *more: str) -> None:
        self.ran(*self.building(), *more)

    def building(self) -> tuple[str, ...]:
        return (DBT, "build", *MODELS_ONLY, *IN_PROJECT)

    def publish(self) -> None:
        self.ran(sys.executable, "-m", "pipelines", "publish")

    def ran(self, *command: str) -> None:
        done = subprocess.run(
            command, cwd=ROOT, env=self.env, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]

    def rebuilt(self) -> Path:
        """Build everything from the raw rows anew; a copy of what was there before."""
        before = self.folder / "before" / self.warehouse.name
        before.parent.mkdir()
        shutil.copy(self.warehouse, before)
        with duckdb.connect(str(self.warehouse)) as connection:
            for schema in BUILT_SCHEMAS:
                connection.execute(f"drop schema if exists {schema} cascade")
        self.build("--full-refresh")
        return before

    def rows(self, sql: str) -> list[tuple[Any, ...]]:
        with duckdb.connect(str(self.warehouse), read_only=True) as connection:
            connection.execute("set timezone = 'UTC'")
            return connection.execute(sql).fetchall()

    def change(self, sql: str) -> None:
        with duckdb.connect(str(self.warehouse)) as connection:
            connection.execute(sql)

    def restatements(self) -> list[tuple[Any, ...]]:
        return self.rows("from reports.rpt_restatements order by restatement_id")


def differing(one: Path, other: Path, more: str = "") -> list[str]:
    """The tables of marts and reports that do not hold the same rows in both files.

    `more` is a pattern: the intermediate tables with such names are compared too.
    """
    with duckdb.connect() as connection:
        connection.execute(f"attach '{one}' as one (read_only)")
        connection.execute(f"attach '{other}' as other (read_only)")
        names = connection.execute(
            "select distinct schema_name || '.' || table_name from duckdb_tables()"
            " where database_name in ('one', 'other')"
            " and (schema_name in ('marts', 'reports') or schema_name = 'intermediate'"
            " and regexp_full_match(table_name, ?)) order by all",
            [more],
        ).fetchall()
        assert len(names) > 20
        return [
            name
            for (name,) in names
            if connection.execute(
                f"(from one.{name} except all from other.{name}) union all"
                f" (from other.{name} except all from one.{name})"
            ).fetchall()
        ]


PEOPLE = {n: User(100 + n, f"dev-{100 + n}") for n in range(6)}


def issue(number: int, opened: str, **more: Any) -> Thread:
    return Thread(
        number, at(opened), f"[Bug]: case {number}", "It fails.", PEOPLE[0], **more
    )


def pull(number: int, opened: str, **more: Any) -> Thread:
    title = f"[Core] change {number}"
    return Thread(
        number,
        at(opened),
        title,
        "Repairs it.",
        PEOPLE[1],
        is_pull_request=True,
        **more,
    )


def event(number: int, happened: str, name: str, **more: Any) -> Event:
    return Event(number, at(happened), name, PEOPLE[2], **more)


def comment(number: int, said: str) -> Comment:
    return Comment(number, at(said), "I see it too.", PEOPLE[3])


def world(*rows: Thread | Event | Comment) -> World:
    """Two days of March: what is there before a test adds what it is about."""
    return World(now=at("05 04:00")).with_rows(
        issue(1, "04 04:00", labels=("bug",)),
        issue(2, "04 05:00", labels=("bug", "rocm")),
        issue(3, "02 05:00"),
        pull(4, "04 06:00"),
        pull(5, "04 07:00"),
        comment(1, "04 08:00"),
        event(3, "04 09:00", "closed"),
        event(4, "04 10:00", "merged"),
        event(4, "04 10:00", "closed"),
        *rows,
    )
