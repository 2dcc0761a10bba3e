"""A day's build touches what changed, and says what a whole build would say.

The rows come from a random history: late, edited, renamed and gone, load after load.
`INCREMENTAL_SEEDS=1,2,3` tries more histories than the one of every run.
"""

from __future__ import annotations

import os
import re
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
from tests.dbt.small_changes import SmallChanges

BUILDING = ROOT / "dbt_project" / "models" / "intermediate" / "building"
DBT = str(Path(sys.executable).parent / "dbt")
SEEDS = [int(seed) for seed in os.environ.get("INCREMENTAL_SEEDS", "7").split(",")]
LOADS = int(os.environ.get("INCREMENTAL_LOADS", "2"))


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
        """A copy, built anew from the raw rows."""
        copy = self.folder / "whole" / "warehouse.duckdb"
        copy.parent.mkdir(exist_ok=True)
        shutil.copy(self.warehouse, copy)
        self.build("--full-refresh", warehouse=copy)
        return copy

    def ran(self, *command: str, warehouse: Path) -> None:
        own = {
            "WAREHOUSE": str(warehouse),
            "PROJECTS": str(ROOT / "sample" / "projects.toml"),
            "DBT_TARGET_PATH": str(self.folder / "target"),
            "DBT_LOG_PATH": str(self.folder / "logs"),
            "DBT_SEND_ANONYMOUS_USAGE_STATS": "false",
        }
        done = subprocess.run(
            command,
            cwd=ROOT,
            env={**os.environ, **own},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]

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


WAS_INCREMENTAL = "select is_incremental from builds.latest"
WAS_FINISHED = "select is_finished from builds.latest"
CHANGED = "select count(*) from intermediate.int_threads_changed where is_changed"
# What a build keeps in the middle: wrong rows there would show in a later report.
KEPT = (
    "int_(all|texts)_.*|int_histories_fingerprinted|int_threads_(excerpted|scored_for_heat)"
    "|int_windows_(answered|fingerprinted|peopled|reviewed|spoken_in)"
)
TOUCHED = "select count(*) from intermediate.int_windows_touched"


@pytest.mark.parametrize("seed", SEEDS)
def test_after_every_load_the_tables_are_those_of_a_whole_build(
    tmp_path: Path, seed: int
) -> None:
    built = Built(tmp_path)
    built.prepare()
    history = RandomHistory(str(built.warehouse), seed)
    history.load()
    small_changes = SmallChanges(str(built.warehouse))
    small_changes.begin()
    built.build()
    assert not built.told(WAS_INCREMENTAL)
    for load in range(LOADS):
        history.pass_time()
        history.load()
        if load == LOADS - 1:
            small_changes.change()
        built.build()
        assert built.told(WAS_INCREMENTAL)
    assert differing(built.warehouse, built.whole(), KEPT) == []


@pytest.fixture(scope="module")
def settled(tmp_path_factory: pytest.TempPathFactory) -> Built:
    """A history that is loaded and built once."""
    built = Built(tmp_path_factory.mktemp("settled"))
    built.prepare()
    RandomHistory(str(built.warehouse), 4).load()
    built.build()
    return built


@pytest.fixture
def copied(settled: Built, tmp_path: Path) -> Built:
    """The same in files of its own."""
    copy = Built(tmp_path)
    shutil.copy(settled.warehouse, copy.warehouse)
    shutil.copytree(settled.folder / "target", tmp_path / "target")
    return copy


def test_where_nothing_happened_growing_coverage_touches_only_windows_that_are_new(
    copied: Built,
) -> None:
    windows = "select list(window_id order by window_id) from marts.windows"
    before = copied.told(windows)
    copied.change(
        "update raw_github.coverage set covered_until = covered_until + interval '30 h'"
    )
    copied.build()
    assert copied.told(WAS_INCREMENTAL)
    assert copied.told(CHANGED) == 0
    new = len(copied.told(windows)) - len(before)
    assert new > 0
    assert copied.told(TOUCHED) == new


def test_a_late_row_of_an_early_day_opens_it_and_the_days_whose_median_holds_it(
    copied: Built,
) -> None:
    days = "select count(*) from marts.windows where window_kind = 'day'"
    early = "select min(window_id) from marts.windows where window_kind = 'day'"
    copied.change(
        f"""
        insert into raw_github.issue_comments by name
        select * replace (
            999999 as id,
            (
                select window_start_at + interval '1 hour' from marts.windows
                where window_id = ({early})
            ) as created_at
        )
        from raw_github.issue_comments where number < 9999 order by id limit 1
        """
    )
    copied.build()
    assert copied.told(days) > 7
    assert copied.told(CHANGED) == 1
    assert copied.told(f"{TOUCHED} where window_id = ({early})") == 1
    touched_days = f"{TOUCHED} where window_id like '%:day:%'"
    assert copied.told(touched_days) == min(29, copied.told(days))
    assert differing(copied.warehouse, copied.whole()) == []


def test_a_list_is_fingerprinted_with_its_length(settled: Built) -> None:
    # To hash() an empty list and none at all are the same.
    hashed_whole = r"from \(\s*select \*[^{]*\{\{ ref\('(\w+)'\)"
    checked = []
    with duckdb.connect(str(settled.warehouse), read_only=True) as connection:
        for path in sorted(BUILDING.glob("*.sql")):
            sql = path.read_text("utf-8")
            for relation, column in connection.execute(
                "select table_name, column_name from duckdb_columns()"
                " where list_contains(?, table_name) and data_type like '%[]'"
                " order by all",
                [re.findall(hashed_whole, sql)],
            ).fetchall():
                assert f"len({column})" in sql, (path.stem, relation)
                checked.append((relation, column))
    assert ("stg_github__issues", "labels") in checked
    assert ("int_all_threads_rewound", "labels") in checked
    assert ("stg_pipelines__projects", "languages") in checked


def test_a_build_that_did_not_finish_is_followed_by_a_whole_one(copied: Built) -> None:
    copied.build("--select", "int_texts_cleaned")
    assert not copied.told(WAS_FINISHED)
    copied.build()
    assert not copied.told(WAS_INCREMENTAL)
    assert copied.told(WAS_FINISHED)


def test_another_rule_makes_the_next_build_a_whole_one(copied: Built) -> None:
    copied.build("--vars", "{tag_bar: 0.95}")
    assert not copied.told(WAS_INCREMENTAL)


def test_a_table_that_somebody_dropped_is_made_again(copied: Built) -> None:
    copied.change("drop table marts.thread_windows")
    copied.build()
    assert not copied.told(WAS_INCREMENTAL)
    assert copied.told("select count(*) from marts.thread_windows") > 0


def test_what_was_a_table_becomes_a_view_and_what_was_a_view_a_table(
    copied: Built,
) -> None:
    kinds = """
        select table_type from information_schema.tables
        where table_schema = 'intermediate' and table_name = '{}'
    """
    view, table = "int_measures_compared", "int_pull_request_notability"
    for name, other in ((view, "table"), (table, "view")):
        kind = {"table": "view", "view": "table"}[other]
        copied.change(f"""
            drop {kind} intermediate.{name};
            create {other} intermediate.{name} as select 1 as one
        """)
    copied.build()
    assert copied.told(kinds.format(view)) == "VIEW"
    assert copied.told(kinds.format(table)) == "BASE TABLE"
