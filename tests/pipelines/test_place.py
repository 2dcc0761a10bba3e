"""A warehouse that could not be written is refused before anything is asked."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from pipelines import warehouse
from pipelines.errors import MisconfiguredError, UnusableError
from pipelines.warehouse import is_there, refuse_place
from tests.pipelines.conftest import Bench
from tests.pipelines.scripted import issue
from tests.pipelines.test_program import NOON, Program

NOBODY = 65_534


@contextmanager
def as_nobody() -> Iterator[None]:
    """What root may do says nothing about others' rights."""
    if os.getuid():
        yield
        return
    os.setresuid(NOBODY, NOBODY, 0)
    try:
        yield
    finally:
        os.setresuid(0, 0, 0)


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A folder that everybody reaches, unlike those of the tests."""
    folder = Path(tempfile.mkdtemp())
    folder.chmod(0o777)
    yield folder
    folder.chmod(0o777)
    shutil.rmtree(folder)


def a_folder(folder: Path) -> Path:
    path = folder / "warehouse.duckdb"
    path.mkdir()
    return path


def below_a_file(folder: Path) -> Path:
    (folder / "file").write_text("mine")
    return folder / "file" / "data" / "warehouse.duckdb"


def below_a_link_in_a_circle(folder: Path) -> Path:
    (folder / "round").symlink_to(folder / "round")
    return folder / "round" / "warehouse.duckdb"


def too_long(folder: Path) -> Path:
    return folder / ("x" * 300) / "warehouse.duckdb"


def where_no_file_can_be(folder: Path) -> Path:
    return Path("/proc/warehouses/warehouse.duckdb")


@pytest.mark.parametrize(
    ("place_of", "code", "said"),
    [
        (a_folder, 2, "is a directory; name a file in it"),
        (below_a_file, 2, "is no folder; name a file in one"),
        (below_a_link_in_a_circle, 2, "cannot be the path of a file"),
        (too_long, 2, "cannot be the path of a file"),
        (where_no_file_can_be, 5, "let this user write to it and its folder"),
    ],
)
@pytest.mark.parametrize("command", ["cover", "sync", "coverage", "register"])
def test_a_warehouse_that_cannot_be_is_refused_before_the_first_request(
    bench: Bench,
    command: str,
    place_of: Callable[[Path], Path],
    code: int,
    said: str,
) -> None:
    folder = bench.path.parent
    folder.mkdir()
    path = place_of(folder)
    before = sorted(folder.rglob("*"))
    done = Program(bench.github, bench.path).run(command, WAREHOUSE=str(path))
    assert (done.returncode, done.stdout) == (code, "")
    assert len(done.stderr.splitlines()) == 1
    assert str(path) in done.stderr
    assert said in done.stderr
    assert bench.github.requests == []
    assert sorted(folder.rglob("*")) == before


@pytest.mark.parametrize("mode", [0o500, 0o600, 0o000])
@pytest.mark.parametrize("below", ["warehouse.duckdb", "data/warehouse.duckdb"])
def test_a_folder_that_may_not_be_written_takes_no_warehouse(
    open_folder: Path, mode: int, below: str
) -> None:
    closed = open_folder / "closed"
    closed.mkdir()
    if not os.getuid():
        os.chown(closed, NOBODY, NOBODY)
    closed.chmod(mode)
    try:
        with (
            as_nobody(),
            pytest.raises(UnusableError, match=r"\(Permission denied\): let this user"),
        ):
            refuse_place(closed / below)
    finally:
        closed.chmod(0o700)
    assert list(closed.iterdir()) == []


@pytest.mark.parametrize("mode", [0o444, 0o222, 0o000])
def test_a_file_that_may_not_be_written_is_no_warehouse(
    open_folder: Path, mode: int
) -> None:
    path = open_folder / "warehouse.duckdb"
    path.write_text("data")
    if not os.getuid():
        os.chown(path, NOBODY, NOBODY)
    path.chmod(mode)
    with as_nobody(), pytest.raises(UnusableError, match="Permission denied"):
        is_there(path)


def test_a_place_that_can_take_one_is_left_as_it_was(tmp_path: Path) -> None:
    assert not is_there(tmp_path / "not" / "yet" / "warehouse.duckdb")
    assert list(tmp_path.iterdir()) == []


def test_a_relative_path_lies_in_the_working_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert not is_there(Path("warehouse.duckdb"))
    Path("warehouse.duckdb").touch()
    assert is_there(Path("warehouse.duckdb"))


def test_a_link_to_a_folder_yet_to_be_made_is_followed(bench: Bench) -> None:
    bench.github.rows["/issues"] = [issue(1, NOON)]
    there = bench.path.parent.with_name("elsewhere")
    bench.path.parent.symlink_to(there)
    bench.cover()
    assert (there / "warehouse.duckdb").is_file()


def test_a_full_disk_is_no_fault_of_the_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(**named: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(warehouse.tempfile, "TemporaryFile", full)
    with pytest.raises(OSError, match="No space left"):
        refuse_place(tmp_path / "warehouse.duckdb")


def test_an_apostrophe_in_the_path_is_refused(tmp_path: Path) -> None:
    with pytest.raises(MisconfiguredError, match="apostrophe"):
        refuse_place(tmp_path / "o'brien" / "w.duckdb")
