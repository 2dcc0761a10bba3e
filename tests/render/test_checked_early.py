"""`render check` refuses what `render day` would refuse, and needs no warehouse."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import duckdb
import pytest

from render.publish import refuse_unwritable
from render.warehouse import _why_unopened


@pytest.mark.parametrize(("locale", "code"), [("zh", 0), ("en", 0), ("fr", 2)])
def test_an_unknown_locale_is_refused_before_anything_is_fetched(
    locale: str, code: int
) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "render", "check", "--locale", locale],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == code
    assert done.stdout == ""
    assert ("'fr'" in done.stderr) is (code == 2)


@pytest.mark.parametrize("place", ["a file/build", "a file"])
def test_a_folder_that_takes_no_report_is_refused_before_anything_is_fetched(
    tmp_path: Path, place: str
) -> None:
    (tmp_path / "a file").touch()
    done = subprocess.run(
        [sys.executable, "-m", "render", "check"],
        env={"BUILD_DIR": str(tmp_path / place), "PATH": ""},
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert done.stderr.rstrip().endswith("choose another BUILD_DIR or free this one.")


def test_looking_creates_no_folder(tmp_path: Path) -> None:
    refuse_unwritable(tmp_path / "build" / "deep")
    assert list(tmp_path.iterdir()) == []


def test_a_damaged_block_is_not_taken_for_a_lock() -> None:
    damaged = duckdb.IOException("Corrupt database file: checksum of block at 1")
    assert "cannot be read" in _why_unopened(Path("w.duckdb"), damaged)
    held = duckdb.IOException("Could not set lock on file: held in python (PID 42)")
    assert "held by another process (PID 42)" in _why_unopened(Path("w.duckdb"), held)
