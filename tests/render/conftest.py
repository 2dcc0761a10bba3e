from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.render.documents import rows_of
from tests.render.sample_day import DAY, built_kinds, built_sample, small


@pytest.fixture(scope="session")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sample's warehouse; nobody writes to it."""
    return built_sample(tmp_path_factory)


@pytest.fixture(scope="session")
def kinds(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same with a week, a month and a custom window."""
    return built_kinds(tmp_path_factory)


@pytest.fixture(scope="session")
def warehouse(sample: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The report tables of its last two days, in a small file; nobody writes to it."""
    return small(sample, tmp_path_factory.mktemp("small") / "warehouse.duckdb")


@pytest.fixture(scope="session")
def day(warehouse: Path) -> dict[str, Any]:
    """The rows of the sample's day; whoever changes them takes a copy."""
    return rows_of(warehouse, DAY)
