from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import duckdb
import pytest

from pipelines.publish import publish, published_path
from tests.render.sample_day import ROOT, built_sample


@pytest.fixture(scope="session")
def manifest(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """dbt's own reading of the project as it lies here; nothing is built."""
    target = tmp_path_factory.mktemp("parsed")
    dbt = Path(sys.executable).parent / "dbt"
    project = ("--project-dir", "dbt_project", "--profiles-dir", ".")
    env = {
        **os.environ,
        "DBT_TARGET_PATH": str(target),
        "DBT_LOG_PATH": str(target),
        "DBT_SEND_ANONYMOUS_USAGE_STATS": "false",
    }
    done = subprocess.run(
        [dbt, "parse", "--quiet", *project], cwd=ROOT, env=env, capture_output=True
    )
    assert done.returncode == 0, done.stdout[-3000:]
    return json.loads((target / "manifest.json").read_text("utf-8"))


@pytest.fixture(scope="session")
def sample_warehouse(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return built_sample(tmp_path_factory)


@pytest.fixture(scope="session")
def history_path(
    sample_warehouse: Path, tmp_path_factory: pytest.TempPathFactory
) -> Path:
    """The sample's published history, as analysts have it."""
    # To publish is to write, and others are reading the sample.
    copy = tmp_path_factory.mktemp("published") / sample_warehouse.name
    shutil.copy(sample_warehouse, copy)
    publish(copy)
    return published_path(copy)


@pytest.fixture
def history(history_path: Path) -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect(str(history_path), read_only=True) as connection:
        connection.execute("set timezone = 'UTC'")
        yield connection
