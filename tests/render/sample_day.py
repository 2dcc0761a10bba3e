"""The sample's day, from its scripted GitHub to a built warehouse, once a test run.

The chain is the user's: extractor, dbt, in files of its own.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import duckdb
import pytest

from sample import demo
from sample.server import serve
from sample.world import build_world

ROOT = Path(__file__).parents[2]
DAY = "sample:day:2026-03-04"
EVE = "sample:day:2026-03-03"
# Asked for by nobody's report: the month reaches beyond what is loaded.
WEEK = "sample:week:2026-02-23"
MONTH = "sample:month:2026-02-01"
CUSTOM = "sample:custom:2026-03-04T20:17+3h"


def built_sample(factory: pytest.TempPathFactory) -> Path:
    """The warehouse; whichever test process comes first makes it, the others wait."""
    with made_once(factory, "sample") as (folder, is_there):
        warehouse = folder / "warehouse.duckdb"
        if not is_there:
            with serve(build_world()) as github:
                env = environment(folder, github.url)
                ran(sys.executable, "-m", "pipelines", "cover", env=env)
            build(env)
            settle(warehouse)
    return warehouse


def built_kinds(factory: pytest.TempPathFactory) -> Path:
    """The same with windows of all kinds, in a file of its own."""
    sample = built_sample(factory)
    with made_once(factory, "kinds") as (folder, is_there):
        warehouse = folder / "warehouse.duckdb"
        if not is_there:
            shutil.copy(sample, warehouse)
            ask(warehouse)
            build(environment(folder, "http://127.0.0.1:1"))
    return warehouse


def small(sample: Path, path: Path) -> Path:
    """The report tables of the day and the one before, in a file of their own."""
    with duckdb.connect(str(path)) as connection:
        connection.execute("set timezone = 'UTC'")
        connection.execute(f"attach '{sample}' as whole (read_only)")
        connection.execute("create schema reports")
        connection.execute("create schema marts")
        tables = connection.execute(
            "select schema_name, table_name from duckdb_tables() "
            "where database_name = 'whole' "
            "and (schema_name = 'reports' or table_name = 'windows')"
        ).fetchall()
        for schema, name in tables:
            if schema in ("reports", "marts"):
                connection.execute(
                    f"create table {schema}.{name} as select * from "
                    f"whole.{schema}.{name} where window_id in ('{DAY}', '{EVE}')"
                )
    return path


def with_windows(path: Path, copies: dict[str, dict[str, object]]) -> Path:
    """The small file with further windows: the day's rows by another id, changed."""
    with duckdb.connect(str(path)) as connection:
        connection.execute("set timezone = 'UTC'")
        tables = connection.execute(
            "select schema_name, table_name from duckdb_tables() "
            "where schema_name in ('reports', 'marts')"
        ).fetchall()
        for window_id, cells in copies.items():
            for schema, name in tables:
                table = f"{schema}.{name}"
                columns = {
                    row[0] for row in connection.execute(f"describe {table}").fetchall()
                }
                changed = {"window_id": window_id} | {
                    key: cell for key, cell in cells.items() if key in columns
                }
                replaced = ", ".join(f"${key} as {key}" for key in changed)
                connection.execute(
                    f"insert into {table} select * replace ({replaced}) "
                    f"from {table} where window_id = '{DAY}'",
                    changed,
                )
    return path


@contextmanager
def made_once(
    factory: pytest.TempPathFactory, name: str
) -> Iterator[tuple[Path, bool]]:
    """A folder of all test processes, one at a time in it; whether it is made."""
    base = factory.getbasetemp()
    folder = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / name
    folder.mkdir(exist_ok=True)
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield folder, (folder / "built").exists()
        (folder / "built").touch()


def environment(folder: Path, url: str) -> dict[str, str]:
    return {
        **demo.environment(os.environ, url, "zh"),
        "WAREHOUSE": str(folder / "warehouse.duckdb"),
        "BUILD_DIR": str(folder),
        "DBT_TARGET_PATH": str(folder / "target"),
        "DBT_LOG_PATH": str(folder / "logs"),
        "DBT_SEND_ANONYMOUS_USAGE_STATS": "false",
    }


def build(env: dict[str, str]) -> None:
    dbt = str(Path(sys.executable).parent / "dbt")
    project = ("--project-dir", "dbt_project", "--profiles-dir", ".")
    models = ("--exclude-resource-types", "test", "unit_test")
    ran(dbt, "build", "--quiet", *project, *models, env=env)


def ask(warehouse: Path) -> None:
    """Ask for the windows of other kinds: rows of their own, which move no other's."""
    with duckdb.connect(str(warehouse)) as connection:
        connection.execute("set timezone = 'UTC'")
        for window_id, kind, start, end in (
            (WEEK, "week", "2026-02-23 03:24", "2026-03-02 03:24"),
            (MONTH, "month", "2026-02-01 03:24", "2026-03-01 03:24"),
            (CUSTOM, "custom", "2026-03-04 12:17", "2026-03-04 15:17"),
        ):
            connection.execute(
                "insert into raw_github.window_requests by name "
                "select * replace ($id as window_id, $kind as window_kind, "
                "cast($date as date) as window_date, "
                "cast($start as timestamptz) as window_start_at, "
                "cast($end as timestamptz) as window_end_at) "
                "from raw_github.window_requests where window_id = $day "
                "and $id not in (select window_id from raw_github.window_requests)",
                {
                    "id": window_id,
                    "kind": kind,
                    "date": start[:10],
                    "start": start,
                    "end": end,
                    "day": DAY,
                },
            )


def settle(warehouse: Path) -> None:
    """Tell the sync's time by the hour: the sample's clock ticks while it is read."""
    with duckdb.connect(str(warehouse)) as connection:
        connection.execute("set timezone = 'UTC'")
        connection.execute(
            "update reports.rpt_provenance set "
            "data_as_of_at = date_trunc('hour', data_as_of_at), "
            "streams = list_transform(streams, s -> struct_update("
            "s, covered_until := date_trunc('hour', s.covered_until)))"
        )


def ran(*command: str, env: dict[str, str]) -> None:
    done = subprocess.run(
        command, cwd=ROOT, env=env, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
