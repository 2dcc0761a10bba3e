"""A dozen of the runs of `benchmarks/faults.py`, and what a full disk looks like."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from benchmarks import faults
from sample.server import Github, serve
from sample.world import build_world

SEEDS_OF_MANY = (25, 50)
DAYS = 2  # of baseline: a small sync with every list in it


@pytest.fixture(scope="module")
def github() -> Iterator[Github]:
    with serve(build_world()) as one:
        yield one


@pytest.fixture(scope="module")
def clean(github: Github, tmp_path_factory: pytest.TempPathFactory) -> Any:
    warehouse = tmp_path_factory.mktemp("clean") / "clean.duckdb"
    return faults.undisturbed(github, warehouse, baseline_days=DAYS)


@pytest.mark.parametrize("seed", range(12))
def test_whatever_breaks_the_run_or_the_next_one_ends_with_the_same_rows(
    seed: int, github: Github, clean: Any, tmp_path: Path
) -> None:
    one = faults.trial(seed, github, clean, tmp_path, baseline_days=DAYS)
    assert one.wrong == ""
    if one.ending.startswith("killed at a request"):
        assert one.code == -9  # the fault did happen


def test_the_faults_of_these_runs_do_happen(
    github: Github, clean: Any, tmp_path: Path
) -> None:
    """Seeds that are not killed, and have a rate of faults that cannot stay unseen."""
    runs = [
        faults.trial(seed, github, clean, tmp_path, baseline_days=DAYS)
        for seed in SEEDS_OF_MANY
    ]
    assert [one.wrong for one in runs] == [""] * len(runs)
    assert min(one.faults for one in runs) > 0


def test_a_full_disk_is_said_in_one_line_and_harms_nothing(
    github: Github, clean: Any, tmp_path: Path
) -> None:
    github.faults = None
    github.travel(github.world.now)
    warehouse = tmp_path / "warehouse.duckdb"
    process = faults.program(github, warehouse, baseline_days=DAYS, disk=300_000)
    _, errors = process.communicate(timeout=120)
    assert process.returncode == 1
    assert errors.splitlines()[-1].startswith("There is no room on the disk")
    assert "Traceback" not in errors
    again = faults.program(github, warehouse, baseline_days=DAYS)
    assert again.communicate(timeout=120) is not None
    assert again.returncode == 0
    assert faults.rows(warehouse) == clean
