"""Laws of reading: read-only, in UTC, one window, and one clear line when it fails."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import duckdb
import pytest

from pipelines.exits import UnusableError
from render.assemble import assemble
from render.warehouse import (
    is_complete,
    latest_complete,
    open_warehouse,
    read_all_frames,
    read_frames,
)
from tests.render import built


def test_a_missing_warehouse_says_what_to_run(tmp_path: Path) -> None:
    path = tmp_path / "none.duckdb"
    with pytest.raises(UnusableError, match="make report"), open_warehouse(path):
        pass
    assert not path.exists()


def test_a_file_that_is_no_database_is_unusable(tmp_path: Path) -> None:
    path = tmp_path / "garbage.duckdb"
    path.write_bytes(b"not a database at all" * 500)
    with pytest.raises(UnusableError, match="cannot be read"), open_warehouse(path):
        pass
    assert path.read_bytes().startswith(b"not a database")


def test_a_locked_warehouse_names_its_holder(tmp_path: Path) -> None:
    path = built.build(tmp_path / "warehouse.duckdb")
    hold = (
        "import duckdb, sys\n"
        "held = duckdb.connect(sys.argv[1])\n"
        "print('held', flush=True)\n"
        "sys.stdin.read()\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", hold, str(path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "held\n"
        with pytest.raises(UnusableError, match=str(holder.pid)), open_warehouse(path):
            pass
        holder.communicate()
    with open_warehouse(path) as connection:
        assert is_complete(connection, built.DAY) is True


def test_a_report_table_that_lacks_a_column_is_unusable(tmp_path: Path) -> None:
    path = built.build(tmp_path / "warehouse.duckdb")
    with duckdb.connect(str(path)) as connection:
        connection.execute("alter table reports.rpt_hot_threads drop heat_level")
    with (
        pytest.raises(UnusableError, match=r"heat_level.*make build"),
        open_warehouse(path) as connection,
    ):
        read_frames(connection, built.DAY)


def test_a_warehouse_that_was_never_built_has_no_window(tmp_path: Path) -> None:
    path = tmp_path / "raw.duckdb"
    duckdb.connect(str(path)).close()
    with open_warehouse(path) as connection:
        assert is_complete(connection, built.DAY) is None
        assert latest_complete(connection, project="vllm", kind="day") is None


def test_nothing_can_be_written_through_it(warehouse: Path) -> None:
    with (
        pytest.raises(UnusableError, match="read-only"),
        open_warehouse(warehouse) as connection,
    ):
        connection.execute("delete from marts.windows")


def test_the_session_speaks_utc_on_any_machine(
    warehouse: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TZ", "America/Los_Angeles")
    with open_warehouse(warehouse) as connection:
        zone = connection.execute("select current_setting('TimeZone')").fetchone()
        frames = read_frames(connection, built.DAY)
    assert zone == ("UTC",)
    assert str(frames.provenance["window_start_at"].dt.tz) == "UTC"


def test_a_window_id_is_a_value_and_never_sql(warehouse: Path) -> None:
    with open_warehouse(warehouse) as connection:
        assert is_complete(connection, "x' or '1' = '1") is None
        with pytest.raises(UnusableError, match="has no provenance: run `make build`"):
            read_frames(connection, "x' or '1' = '1")


def test_only_the_windows_own_rows_are_read(warehouse: Path) -> None:
    with open_warehouse(warehouse) as connection:
        frames = read_frames(connection, built.EMPTY_DAY)
    assert len(frames.provenance) == len(frames.headline_counts) == 1
    assert len(frames.listed_threads) == len(frames.hot_threads) == 0


def test_windows_read_together_are_what_each_is_alone(warehouse: Path) -> None:
    with open_warehouse(warehouse) as connection:
        together = read_all_frames(connection, [built.EMPTY_DAY, built.DAY])
        alone = {name: read_frames(connection, name) for name in together}
    assert list(together) == [built.EMPTY_DAY, built.DAY]
    for name, frames in together.items():
        # Beside another window's null a whole number is a float: the cells know.
        said = assemble(frames, tool_version="x")
        assert said == assemble(alone[name], tool_version="x")
    assert len(together[built.DAY].listed_threads) == 8


def test_the_latest_complete_window_is_the_last_to_end_of_its_kind(
    tmp_path: Path,
) -> None:
    contents = built.tables()
    contents["marts.windows"] += [
        built.window(
            "vllm:day:2026-03-06",
            "2026-03-06 03:24",
            "2026-03-07 03:24",
            is_complete=False,
        ),
        built.window(
            "vllm:custom:2026-03-01T20:17+1h", "2026-03-01 12:17", "2026-03-01 13:17"
        ),
        built.window(
            "vllm:custom:2026-03-02T21:00+1h", "2026-03-02 13:00", "2026-03-02 14:00"
        ),
        built.window("vllm:week:2026-03-02", "2026-03-02 03:24", "2026-03-09 03:24"),
        built.window("other:day:2026-03-08", "2026-03-08 03:24", "2026-03-09 03:24"),
    ]
    path = built.build(tmp_path / "warehouse.duckdb", contents)
    with open_warehouse(path) as connection:
        latest = {
            kind: latest_complete(connection, project="vllm", kind=kind)
            for kind in ("day", "week", "month")
        }
        custom = {
            ending: latest_complete(
                connection, project="vllm", kind="custom", name_ending=ending
            )
            for ending in ("20:17+1h", "20:17+2h", "")
        }
    assert custom == {
        "20:17+1h": "vllm:custom:2026-03-01T20:17+1h",
        "20:17+2h": None,
        "": "vllm:custom:2026-03-02T21:00+1h",
    }
    assert latest == {
        "day": "vllm:day:2026-03-05",
        "week": "vllm:week:2026-03-02",
        "month": None,
    }
