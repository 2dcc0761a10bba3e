"""What cannot end well is refused before anything is asked, fetched or created."""

from __future__ import annotations

from pathlib import Path

import pytest

from pipelines.errors import MisconfiguredError
from pipelines.projects import read_projects
from pipelines.publish import published_path, refuse_foreign

PROJECT = """
[one]
title = "One"
repository = "example-org/one"
time_zone = "Europe/London"
window_start = "00:30"
languages = ["en"]
spotlight = "{spotlight}"
"""


def test_a_misspelt_spotlight_is_refused_with_the_known_ones(tmp_path: Path) -> None:
    path = tmp_path / "projects.toml"
    path.write_text(PROJECT.format(spotlight="rocm"), "utf-8")
    with pytest.raises(MisconfiguredError, match=r"'rocm', none of amd, .*nvidia"):
        read_projects(path)
    path.write_text(PROJECT.format(spotlight="nvidia"), "utf-8")
    assert read_projects(path)["one"].spotlight == "nvidia"


def test_a_warehouse_named_as_the_history_is_refused_before_it_exists(
    tmp_path: Path,
) -> None:
    warehouse = tmp_path / "history.duckdb"
    with pytest.raises(MisconfiguredError, match="where histories are published"):
        refuse_foreign(published_path(warehouse), warehouse)


def test_a_folder_without_a_history_takes_any_warehouse(tmp_path: Path) -> None:
    warehouse = tmp_path / "warehouse.duckdb"
    refuse_foreign(published_path(warehouse), warehouse)
