"""What was published is kept: once, whole, and whatever is killed in between."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import duckdb
import pytest

import pipelines
from pipelines import published
from pipelines.errors import UnusableError
from pipelines.publish import publish
from pipelines.published import COUNTS, TABLES

ROOT = Path(pipelines.__file__).parent.parent

BUILD = """
set timezone = 'UTC';
create schema if not exists intermediate;
create schema if not exists reports;
create or replace table intermediate.int_publications_drafted as
select
    window_id, version, 'p' as project, 'synced' as completeness,
    timestamptz '2026-03-04 03:24:00Z' as window_start_at,
    timestamptz '2026-03-05 03:24:00Z' as window_end_at,
    timestamptz '2026-03-05 04:00:00Z' as published_at,
    cast(null as timestamptz) as fetched_until, 0 as vanished_thread_count,
    cast(null as varchar) as tool_version, 2 as new_issue_count,
    0 as closed_issue_count, 0 as new_pr_count, 0 as merged_pr_count,
    0 as closed_unmerged_pr_count, 'r' || version as rules
from (values {drafted}) as drafted (window_id, version)
where version is not null;
create or replace table reports.rpt_listed_threads as
select
    window_id, 'new_issue' as listing, position, 'o/r#' || position as thread_id,
    'title' as title, ['b', 'a'] as labels, false as is_draft,
    timestamptz '2026-03-04 05:00:00Z' as event_at, 'events' as as_of_basis
from (values ('one'), ('two')) as windows (window_id), range(1, 3) as listed (position);
"""


def build(path: Path, drafted: str) -> Path:
    """A warehouse after a build that drafted these versions, e.g. `('one', 1)`."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with duckdb.connect(str(path)) as connection:
        connection.execute("create schema if not exists raw_github")
        for table in TABLES:
            connection.execute(table)
        connection.execute(BUILD.format(drafted=drafted))
    return path


@pytest.fixture
def warehouse(tmp_path: Path) -> Path:
    return build(tmp_path / "warehouse.duckdb", "('one', 1), ('two', 1)")


def kept(path: Path) -> dict[str, list[tuple[object, ...]]]:
    columns = {
        "counts": "window_id, version",
        "listings": "window_id, version, thread_id",
        "rules": "window_id, version, rules",
    }
    with duckdb.connect(str(path), read_only=True) as connection:
        return {
            name: connection.execute(
                f"select {shown} from raw_github.published_{name} order by all"
            ).fetchall()
            for name, shown in columns.items()
        }


FIRST = {
    "counts": [("one", 1), ("two", 1)],
    "listings": [(one, 1, f"o/r#{n}") for one in ("one", "two") for n in (1, 2)],
    "rules": [("one", 1, "r1"), ("two", 1, "r1")],
}


def test_every_drafted_version_is_kept_with_its_lists_and_rules(
    warehouse: Path,
) -> None:
    publish(warehouse)
    assert kept(warehouse) == FIRST


def test_only_the_drafted_version_is_kept_anew(warehouse: Path) -> None:
    publish(warehouse)
    publish(build(warehouse, "('one', 2)"))
    after = kept(warehouse)
    assert after["counts"] == [("one", 1), ("one", 2), ("two", 1)]
    assert [row for row in after["listings"] if row[1] == 2] == [
        ("one", 2, "o/r#1"),
        ("one", 2, "o/r#2"),
    ]
    assert after["rules"] == [("one", 1, "r1"), ("one", 2, "r2"), ("two", 1, "r1")]


def test_a_version_is_kept_once_however_often_a_build_is_published(
    warehouse: Path,
) -> None:
    publish(warehouse)
    publish(warehouse)
    assert kept(warehouse) == FIRST


def test_where_nothing_is_drafted_nothing_is_kept(warehouse: Path) -> None:
    publish(warehouse)
    publish(build(warehouse, "(null, null)"))
    assert kept(warehouse) == FIRST


def test_values_are_kept_as_they_were_shown(warehouse: Path) -> None:
    publish(warehouse)
    with duckdb.connect(str(warehouse)) as connection:
        for raw, built, on in (
            ("published_counts", "intermediate.int_publications_drafted", COUNTS),
            (
                "published_listings",
                "reports.rpt_listed_threads",
                (
                    *("window_id", "listing", "thread_id", "title", "labels"),
                    *("is_draft", "event_at", "as_of_basis"),
                ),
            ),
        ):
            shown = ", ".join(on)
            for one, other in (
                (f"raw_github.{raw}", built),
                (built, f"raw_github.{raw}"),
            ):
                different = f"(select {shown} from {one}) except all"
                different += f" (select {shown} from {other})"
                assert connection.execute(different).fetchall() == []


KILLER = """
import os, signal, sys
from pathlib import Path
from pipelines import publish
def die(*_): os.kill(os.getpid(), signal.SIGKILL)
setattr(publish, sys.argv[2], die)
publish.publish(Path(sys.argv[1]))
"""


@pytest.mark.parametrize("at", ["_copy", "_settle"])
def test_a_kill_between_keeping_and_renaming_keeps_no_version_twice(
    warehouse: Path, at: str
) -> None:
    killed = subprocess.run(
        [sys.executable, "-c", KILLER, str(warehouse), at], cwd=ROOT, check=False
    )
    assert killed.returncode == -signal.SIGKILL
    assert not warehouse.with_name("history.duckdb").exists()
    assert kept(warehouse) == FIRST
    publish(warehouse)
    assert kept(warehouse) == FIRST
    assert warehouse.with_name("history.duckdb").exists()


def test_a_version_is_kept_whole_or_not_at_all(
    warehouse: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken = (*published.KEPT[:3], "select error('no room')")
    monkeypatch.setattr(published, "KEPT", broken)
    with pytest.raises(UnusableError, match="no room"):
        publish(warehouse)
    assert set(map(len, kept(warehouse).values())) == {0}
    monkeypatch.undo()
    publish(warehouse)
    assert kept(warehouse) == FIRST
