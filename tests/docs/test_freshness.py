"""Freshness asks how far the coverage reaches by the server's clock, not for old rows.

`dbt source freshness` is run as an analyst runs it, on a warehouse of bookkeeping.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

import duckdb
import pytest

from tests.render.sample_day import ROOT, ran

STREAMS = {
    "issues": "threads",
    "issue_comments": "issue_comments",
    "review_comments": "review_comments",
    "issue_events": "issue_events",
}
PROJECTS = "".join(
    f"""
[{name}]
title = "{name}"
repository = "example-org/{name}"
time_zone = "UTC"
window_start = "00:00"
languages = ["en"]
spotlight = "amd"
is_synthetic = {str(name == "made_up").lower()}
"""
    for name in ("one", "two", "made_up")
)


class Asked:
    """A warehouse whose projects are covered up to so many hours ago."""

    def __init__(self, folder: Path) -> None:
        projects = folder / "projects.toml"
        projects.write_text(PROJECTS, encoding="utf-8")
        self.warehouse = folder / "warehouse.duckdb"
        self.target = folder / "target"
        self.env = {
            **os.environ,
            "PROJECTS": str(projects),
            "WAREHOUSE": str(self.warehouse),
            "DBT_TARGET_PATH": str(self.target),
            "DBT_LOG_PATH": str(folder / "logs"),
            "DBT_SEND_ANONYMOUS_USAGE_STATS": "false",
        }
        ran(sys.executable, "-m", "pipelines", "register", env=self.env)

    def forget(self) -> None:
        with duckdb.connect(str(self.warehouse)) as connection:
            for table in ("coverage", "syncs"):
                connection.execute(f"delete from raw_github.{table}")

    def cover(self, project: str, hours_ago: float) -> None:
        until = datetime.now(UTC) - timedelta(hours=hours_ago)
        with duckdb.connect(str(self.warehouse)) as connection:
            for stream in STREAMS.values():
                connection.execute(
                    "insert into raw_github.coverage values (?, ?, ?, ?, ?)",
                    [project, stream, until - timedelta(days=9), until, until],
                )
            connection.execute(
                "insert into raw_github.syncs values (?, ?, ?, ?, 1, 1, '', '')",
                [project, project, until, until],
            )

    def statuses(self) -> set[str]:
        dbt = Path(sys.executable).parent / "dbt"
        project = ("--project-dir", "dbt_project", "--profiles-dir", ".")
        command = [dbt, "source", "freshness", "--quiet", *project]
        subprocess.run(
            command, cwd=ROOT, env=self.env, capture_output=True, check=False
        )
        told = json.loads((self.target / "sources.json").read_text("utf-8"))["results"]
        asked = {result["unique_id"].rsplit(".", 1)[1] for result in told}
        assert asked == {*STREAMS, "syncs"}
        return {result["status"] for result in told}


@pytest.fixture(scope="module")
def bookkeeping(tmp_path_factory: pytest.TempPathFactory) -> Asked:
    """One for all: what dbt has parsed for a warehouse it need not parse again."""
    return Asked(tmp_path_factory.mktemp("freshness"))


@pytest.fixture
def asked(bookkeeping: Asked) -> Asked:
    bookkeeping.forget()
    return bookkeeping


def test_what_is_made_up_has_no_present_and_is_never_old(asked: Asked) -> None:
    asked.cover("made_up", hours_ago=24 * 365)
    assert asked.statuses() == {"pass"}


def test_the_project_furthest_behind_counts_and_its_newest_interval(
    asked: Asked,
) -> None:
    asked.cover("one", hours_ago=1)
    asked.cover("two", hours_ago=24 * 30)
    asked.cover("two", hours_ago=30)
    assert asked.statuses() == {"warn"}


def test_a_day_is_fresh_and_a_project_never_loaded_is_not_waited_for(
    asked: Asked,
) -> None:
    asked.cover("one", hours_ago=25)
    assert asked.statuses() == {"pass"}


def test_two_days_missed_are_an_error(asked: Asked) -> None:
    asked.cover("one", hours_ago=51)
    assert asked.statuses() == {"error"}


def test_where_nothing_was_ever_loaded_nothing_is_fresh(asked: Asked) -> None:
    assert asked.statuses() == {"error"}
