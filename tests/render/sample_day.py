"""The sample's day, from its scripted GitHub to a built warehouse, once a test run.

The chain is the user's: extractor, dbt, in files of its own.
"""

from __future__ import annotations

import fcntl
import os
import subprocess
import sys
from pathlib import Path

import duckdb
import pytest

from sample import demo
from sample.server import serve
from sample.world import build_world

ROOT = Path(__file__).parents[2]
DAY = "sample:day:2026-03-04"


def built_sample(factory: pytest.TempPathFactory) -> Path:
    """The warehouse; whichever test process comes first makes it, the others wait."""
    base = factory.getbasetemp()
    folder = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "sample"
    folder.mkdir(exist_ok=True)
    warehouse = folder / "warehouse.duckdb"
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (folder / "built").exists():
            with serve(build_world()) as github:
                env = {
                    **demo.environment(os.environ, github.url, "zh"),
                    "WAREHOUSE": str(warehouse),
                    "BUILD_DIR": str(folder),
                    "DBT_TARGET_PATH": str(folder / "target"),
                    "DBT_LOG_PATH": str(folder / "logs"),
                    "DBT_SEND_ANONYMOUS_USAGE_STATS": "false",
                }
                ran(sys.executable, "-m", "pipelines", "cover", env=env)
            dbt = str(Path(sys.executable).parent / "dbt")
            project = ("--project-dir", "dbt_project", "--profiles-dir", ".")
            models = ("--exclude-resource-types", "test", "unit_test")
            ran(dbt, "build", "--quiet", *project, *models, env=env)
            settle(warehouse)
            (folder / "built").touch()
    return warehouse


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
