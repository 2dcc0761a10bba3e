"""A window that is complete stands; what a build computes, a whole one computes alike.

`INCREMENTAL_SEEDS=1,2,3` tries more random histories than the one of every run.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import duckdb
import pytest

from tests.dbt.chain import IN_PROJECT, MODELS_ONLY, ROOT, differing
from tests.dbt.random_history import RandomHistory

DBT = str(Path(sys.executable).parent / "dbt")
SEEDS = [int(seed) for seed in os.environ.get("INCREMENTAL_SEEDS", "7").split(",")]


@dataclass
class Built:
    """A warehouse that is loaded and built again and again."""

    folder: Path

    @property
    def warehouse(self) -> Path:
        return self.folder / "warehouse.duckdb"

    def prepare(self) -> None:
        self.ran(
            sys.executable, "-m", "pipelines", "register", warehouse=self.warehouse
        )

    def build(self, *more: str, warehouse: Path | None = None) -> None:
        building = (DBT, "build", "--quiet", *MODELS_ONLY, *IN_PROJECT, *more)
        self.ran(*building, warehouse=warehouse or self.warehouse)

    def whole(self) -> Path:
        """A copy, of which every window is computed anew."""
        copy = self.folder / "whole" / "warehouse.duckdb"
        copy.parent.mkdir(exist_ok=True)
        shutil.copy(self.warehouse, copy)
        self.build("--full-refresh", warehouse=copy)
        return copy

    def ran(self, *command: str, warehouse: Path, **more: str) -> None:
        done = self.tried(*command, warehouse=warehouse, **more)
        assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]

    def tried(
        self, *command: str, warehouse: Path, **more: str
    ) -> subprocess.CompletedProcess[str]:
        own = {
            "WAREHOUSE": str(warehouse),
            "PROJECTS": str(ROOT / "sample" / "projects.toml"),
            "DBT_TARGET_PATH": str(self.folder / "target"),
            "DBT_LOG_PATH": str(self.folder / "logs"),
            "DBT_SEND_ANONYMOUS_USAGE_STATS": "false",
        }
        return subprocess.run(
            command,
            cwd=ROOT,
            env={**os.environ, **own, **more},
            capture_output=True,
            text=True,
            check=False,
        )

    def told(self, sql: str) -> Any:
        """The one value that a query finds."""
        with duckdb.connect(str(self.warehouse), read_only=True) as connection:
            row = connection.execute(sql).fetchone()
            assert row is not None
            return row[0]

    def change(self, sql: str) -> None:
        with duckdb.connect(str(self.warehouse)) as connection:
            connection.execute("set timezone = 'UTC'")
            connection.execute(sql)


# What tells of the present in every window's row.
OF_THE_PRESENT = ("reports.rpt_provenance", "reports.rpt_restatements")
COMPUTED = "select list(window_id) from intermediate.int_window_builds"


def differing_windows(one: Path, other: Path, windows: list[str]) -> list[str]:
    """The tables whose rows of these windows are not the same in both files."""
    with duckdb.connect() as connection:
        connection.execute(f"attach '{one}' as one (read_only)")
        connection.execute(f"attach '{other}' as other (read_only)")
        tables = connection.execute(
            "select distinct schema_name || '.' || table_name from duckdb_columns()"
            " where database_name = 'one' and schema_name in ('marts', 'reports')"
            " and column_name = 'window_id' order by all"
        ).fetchall()
        assert len(tables) > 15
        return [
            table
            for (table,) in tables
            if table not in OF_THE_PRESENT
            and connection.execute(
                f"(from one.{table} where list_contains($windows, window_id) except all"
                f" from other.{table} where list_contains($windows, window_id))"
                f" union all (from other.{table}"
                " where list_contains($windows, window_id) except all"
                f" from one.{table} where list_contains($windows, window_id))",
                {"windows": windows},
            ).fetchall()
        ]


def row_tables(warehouse: Path) -> set[str]:
    """The marts that are of no window."""
    with duckdb.connect(str(warehouse), read_only=True) as connection:
        return {
            name
            for (name,) in connection.execute(
                "select schema_name || '.' || table_name from duckdb_columns()"
                " where schema_name = 'marts' group by all"
                " having not list_contains(list(column_name), 'window_id')"
            ).fetchall()
        }


# In silence, of all threads however old: no event tells of it.
EDITED = """
    update raw_github.issues set
        title = title || ' again',
        body = 'It crashes on MI300X, see #1.',
        labels = '["rocm", "bug"]';
    update raw_github.issue_comments set body = 'Works on ROCm, see #2.'
"""


@pytest.mark.parametrize("seed", SEEDS)
def test_what_a_build_computes_is_what_a_whole_build_computes(
    tmp_path: Path, seed: int
) -> None:
    built = Built(tmp_path)
    built.prepare()
    history = RandomHistory(str(built.warehouse), seed, is_kind=True)
    history.load()
    built.build()
    for _ in range(2):
        history.pass_time()
        history.load()
        built.build()
    computed = built.told(f"{COMPUTED} where reason is not null")
    assert 0 < len(computed) < len(built.told(COMPUTED))
    assert differing_windows(built.warehouse, built.whole(), computed) == []


@pytest.mark.parametrize("seed", SEEDS)
def test_a_window_stands_whatever_is_edited_until_full_1_computes_it(
    tmp_path: Path, seed: int
) -> None:
    built = Built(tmp_path)
    built.prepare()
    history = RandomHistory(str(built.warehouse), seed)
    history.load()
    built.build()
    before = shutil.copy(built.warehouse, tmp_path / "before.duckdb")
    history.pass_time()
    history.load()
    built.change(EDITED)
    built.build()
    standing = built.told(f"{COMPUTED} where reason is null")
    assert len(standing) > 3
    assert differing_windows(before, built.warehouse, standing) == []
    whole = built.whole()
    moved = set(differing(built.warehouse, whole))
    assert moved >= {"reports.rpt_ecosystem_threads", "reports.rpt_listed_threads"}
    # Of rows there is no older version: they are as they are now.
    assert not moved & row_tables(whole)
    built.ran(
        *(DBT, "build", "--quiet", *MODELS_ONLY, *IN_PROJECT),
        warehouse=built.warehouse,
        FULL="1",
    )
    assert differing(built.warehouse, whole) == []


@pytest.fixture(scope="module")
def settled(tmp_path_factory: pytest.TempPathFactory) -> Built:
    """A history that is loaded and built once."""
    built = Built(tmp_path_factory.mktemp("settled"))
    built.prepare()
    RandomHistory(str(built.warehouse), 4, is_kind=True).load()
    built.build()
    return built


@pytest.fixture
def copied(settled: Built, tmp_path: Path) -> Built:
    """The same in files of its own."""
    copy = Built(tmp_path)
    shutil.copy(settled.warehouse, copy.warehouse)
    shutil.copytree(settled.folder / "target", tmp_path / "target")
    return copy


# Of those in which something happened.
OLDEST_DAY = """
    select min_by(window_id, window_start_at) from marts.windows
    where
        window_kind = 'day'
        and window_id in (select window_id from reports.rpt_listed_threads)
"""
LISTED = (
    f"select count(*) from reports.rpt_listed_threads where window_id = ({OLDEST_DAY})"
)


def test_another_rule_computes_every_window(copied: Built) -> None:
    copied.build("--vars", "{tag_bar: 0.95}")
    assert copied.told(f"{COMPUTED} where reason is distinct from 'new'") is None


def test_a_table_that_somebody_dropped_is_made_again(copied: Built) -> None:
    listed = copied.told(LISTED)
    copied.change("drop table reports.rpt_listed_threads")
    copied.build()
    assert copied.told(LISTED) == listed > 0


def test_a_window_that_comes_to_be_empty_loses_its_rows(copied: Built) -> None:
    oldest = copied.told(OLDEST_DAY)
    copied.change(
        f"""
        delete from raw_github.issues;
        delete from raw_github.issue_events;
        delete from raw_github.issue_comments;
        delete from raw_github.review_comments;
        delete from builds.finished_windows where window_id = '{oldest}'
        """
    )
    copied.build()
    for table in ("marts.thread_windows", "reports.rpt_listed_threads"):
        rows = f"select list(distinct window_id) from {table}"
        assert oldest not in (copied.told(rows) or [])


def test_a_window_that_is_no_more_leaves_every_table(copied: Built) -> None:
    oldest = copied.told(OLDEST_DAY)
    copied.change(
        "update raw_github.coverage set covered_from = covered_until - to_days(9)"
    )
    copied.build()
    assert copied.told(OLDEST_DAY) > oldest
    for table in ("marts.thread_windows", "reports.rpt_listed_threads"):
        assert (
            copied.told(f"select count(*) from {table} where window_id = '{oldest}'")
            == 0
        )


# Asked for, and fetched on their own, before the grid changes: days long before all
# that is covered, one in it, and an hour of no grid.
ON_THE_EARLIER_GRID = """
    insert into raw_github.window_requests
    select
        'sample:' || kind || ':' || name, 'sample', kind, cast(starts as date), starts,
        ends, timestamptz '2026-03-01 00:00:00Z'
    from (
        select
            'day' as kind, strftime(day, '%Y-%m-%d') as name,
            day + interval '3 hours 24 minutes' as starts,
            day + interval '27 hours 24 minutes' as ends
        from (
            select unnest([
                first - interval '70 days', first - interval '69 days',
                first + interval '3 days'
            ]) as day
            from (
                select cast(cast(min(window_start_at) as date) as timestamptz) as first
                from marts.windows where window_kind = 'day'
            )
        )
        union all
        select
            'custom', '2026-01-01T00:00+1h', timestamptz '2026-01-01 00:00:00Z',
            timestamptz '2026-01-01 01:00:00Z'
    );
    insert into raw_github.targeted_windows
    select
        project, window_id, window_start_at, window_end_at, requested_at
    from raw_github.window_requests
"""
BESIDE_ONE_ANOTHER = """
    select count(*) from marts.windows as one, marts.windows as other
    where
        one.project = other.project
        and one.window_kind = other.window_kind
        and one.window_kind != 'custom'
        and one.window_start_at < other.window_start_at
        and (
            one.window_end_at > other.window_start_at
            or one.window_end_at != other.window_start_at
            and one.window_index + 1 = other.window_index
        )
"""


@pytest.mark.parametrize(
    ("setting", "zone", "clock"),
    [
        ("window_start = '07:30'", "Asia/Shanghai", "07:30"),
        ("time_zone = 'America/New_York'", "America/New_York", "11:24"),
    ],
)
def test_every_day_is_laid_anew_where_the_start_or_the_zone_of_a_project_changes(
    copied: Built, setting: str, zone: str, clock: str
) -> None:
    copied.change(ON_THE_EARLIER_GRID)
    copied.build()
    targeted = "select count(*) from marts.windows where completeness = 'targeted'"
    assert copied.told(targeted) == 3
    copied.change(f"update raw_github.projects set {setting}")
    copied.build()
    clocks = f"strftime(timezone('{zone}', window_start_at), '%H:%M')"
    assert copied.told(
        f"select list(distinct {clocks}) from marts.windows"
        " where window_kind != 'custom'"
    ) == [clock]
    assert copied.told(BESIDE_ONE_ANOTHER) == 0
    assert copied.told(targeted) == 1
    days_listed = (
        "select count(*) as days from reports.rpt_listed_threads"
        " where window_id like '%:day:%' and listing = 'new_pr' group by thread_id"
    )
    assert copied.told(f"select max(days) from ({days_listed})") == 1
    assert differing(copied.warehouse, copied.whole()) == []


OF_AN_AUTHOR = """
    select list(distinct table_name) from information_schema.columns
    where table_schema = 'reports' and column_name = 'author_login'
"""


def test_an_account_that_is_renamed_shows_its_new_login_in_windows_that_stand(
    copied: Built, tmp_path: Path
) -> None:
    oldest = copied.told(OLDEST_DAY)
    author, login = copied.told(
        "select min((author_id, author_login)) from marts.threads"
        " where thread_id in (select thread_id from reports.rpt_listed_threads"
        f" where window_id = '{oldest}')"
    )
    of_tables = sorted(copied.told(OF_AN_AUTHOR))
    assert len(of_tables) >= 5
    before = shutil.copy(copied.warehouse, tmp_path / "before.duckdb")
    copied.change(
        "update raw_github.issues set user_login = 'renamed', fetched_at = fetched_at"
        f" + interval '1 hour' where user_id = {author}"
    )
    copied.build()
    standing = copied.told(f"{COMPUTED} where reason is null")
    assert oldest in standing
    assert copied.told(
        "select list_contains(list(author_login), 'renamed')"
        f" from reports.rpt_listed_threads where window_id = '{oldest}'"
    )
    for name in of_tables:
        shown = f"select count(*) from reports.{name} where author_login = '{login}'"
        assert copied.told(shown) == 0
    moved = differing_windows(before, copied.warehouse, standing)
    assert {table.removeprefix("reports.") for table in moved} <= set(of_tables)
    with duckdb.connect(str(copied.warehouse)) as connection:
        for name in of_tables:
            connection.execute(
                f"update reports.{name} set author_login = '{login}'"
                " where author_login = 'renamed'"
            )
    assert differing_windows(before, copied.warehouse, standing) == []


def test_a_repository_in_another_letter_case_has_the_same_windows_and_threads(
    copied: Built, tmp_path: Path
) -> None:
    before = shutil.copy(copied.whole(), tmp_path / "before.duckdb")
    copied.change("update raw_github.projects set repository = upper(repository)")
    other = copied.whole()
    windows = copied.told("select list(window_id) from marts.windows")
    kept = {"marts.windows", "reports.rpt_listed_threads", "marts.thread_windows"}
    assert not kept & set(differing_windows(before, other, windows))
    with duckdb.connect(str(other), read_only=True) as connection:
        assert connection.execute(
            "select count(*) > 0 and bool_and(is_complete) from marts.windows"
            " where window_id in (select window_id from reports.rpt_listed_threads)"
        ).fetchone() == (True,)


def test_between_delete_and_insert_a_build_that_dies_leaves_the_old_rows(
    copied: Built,
) -> None:
    before = copied.told("select count(*) from reports.rpt_listed_threads")
    # The rows of the windows to be computed are deleted, and then dbt cannot insert.
    copied.change("alter table reports.rpt_listed_threads rename column title to name")
    done = copied.tried(
        *(DBT, "build", "--quiet", *MODELS_ONLY, *IN_PROJECT),
        warehouse=copied.warehouse,
    )
    assert "rpt_listed_threads" in done.stdout
    assert done.returncode == 1
    assert copied.told("select count(*) from reports.rpt_listed_threads") == before
    # What was to be computed is not taken for finished.
    due = set(copied.told(f"{COMPUTED} where reason is not null"))
    left = set(copied.told("select list(window_id) from builds.finished_windows"))
    assert due
    assert left
    assert not due & left
    copied.change("alter table reports.rpt_listed_threads rename column name to title")
    copied.build()
    assert set(copied.told(f"{COMPUTED} where reason = 'new'")) == due
    assert copied.told("select count(*) from reports.rpt_listed_threads") == before
