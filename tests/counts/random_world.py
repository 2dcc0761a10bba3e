"""Two projects of random rows, built once a test run for the second opinions."""

from __future__ import annotations

import sys
from pathlib import Path

import duckdb
import pytest

from tests.counts import random_rows
from tests.counts.test_second_opinion import environment
from tests.render.sample_day import made_once, ran

COUNTED = ("+thread_windows", "+window_metrics", "+topics_by_window")


def built_random_world(factory: pytest.TempPathFactory) -> Path:
    """The warehouse; whichever test process comes first makes it, the others wait."""
    with made_once(factory, "random_world") as (folder, is_there):
        warehouse = folder / "warehouse.duckdb"
        if not is_there:
            projects = folder / "projects.toml"
            projects.write_text(random_rows.PROJECTS, encoding="utf-8")
            env = environment(folder, PROJECTS=str(projects))
            ran(sys.executable, "-m", "pipelines", "register", env=env)
            with duckdb.connect(str(warehouse)) as connection:
                random_rows.fill(connection, seed=5, thread_count=120)
                random_rows.talk(connection, seed=5, thread_count=120)
                random_rows.name_topics(connection, seed=5)
            dbt = str(Path(sys.executable).parent / "dbt")
            project = ("--project-dir", "dbt_project", "--profiles-dir", ".")
            models = ("--exclude-resource-types", "test", "unit_test")
            selected = ("--select", *COUNTED)
            ran(dbt, "build", "--quiet", *project, *models, *selected, env=env)
    return warehouse
