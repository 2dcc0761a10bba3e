from __future__ import annotations

from pathlib import Path

import pytest

from render.context import Report
from tests.render import built
from tests.render.documents import report_of


@pytest.fixture(scope="session")
def warehouse(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The hand-made day and the day of zeros; nobody writes to it."""
    return built.build(tmp_path_factory.mktemp("built") / "warehouse.duckdb")


@pytest.fixture(scope="session")
def day_report(warehouse: Path) -> Report:
    return report_of(warehouse, built.DAY)
