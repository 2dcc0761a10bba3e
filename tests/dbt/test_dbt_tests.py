"""dbt's own tests on the sample: every law of every model."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.render.sample_day import ROOT, built_sample, environment


def test_every_dbt_test_passes_on_the_sample(
    tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Unit tests on a few rows, data tests on the sample's; a warning is no failure."""
    shutil.copy(built_sample(tmp_path_factory), tmp_path / "warehouse.duckdb")
    done = subprocess.run(
        [
            str(Path(sys.executable).parent / "dbt"),
            *("test", "--project-dir", "dbt_project", "--profiles-dir", "."),
        ],
        cwd=ROOT,
        env=environment(tmp_path, "http://127.0.0.1:1"),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-6000:]
    # Nothing was selected away: there are tests of both kinds.
    assert "unit test" in done.stdout and "data test" in done.stdout
