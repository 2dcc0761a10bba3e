"""Laws of reading: read-only, in UTC, one window, and one clear line when it fails."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import duckdb
import pytest

from pipelines.errors import UnusableError
from render.warehouse import is_complete, latest_complete, open_warehouse, read_rows
from tests.render.sample_day import DAY, EVE, with_windows


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


def test_a_locked_warehouse_names_its_holder(tmp_path: Path, warehouse: Path) -> None:
    path = Path(shutil.copy(warehouse, tmp_path))
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
        assert is_complete(connection, DAY) is True


def test_a_warehouse_of_another_version_says_to_build_it(
    tmp_path: Path, warehouse: Path
) -> None:
    path = Path(shutil.copy(warehouse, tmp_path))
    with duckdb.connect(str(path)) as connection:
        connection.execute("drop table reports.rpt_topics")
    with (
        pytest.raises(UnusableError, match="run `make build`"),
        open_warehouse(path) as connection,
    ):
        read_rows(connection, [DAY])


def test_nothing_can_be_written(warehouse: Path) -> None:
    with (
        pytest.raises(UnusableError),
        open_warehouse(warehouse) as connection,
    ):
        connection.execute("delete from reports.rpt_topics")


def test_a_window_id_is_a_value_and_never_sql(warehouse: Path) -> None:
    with open_warehouse(warehouse) as connection:
        assert is_complete(connection, "x' or '1' = '1") is None
        with pytest.raises(UnusableError, match="has no provenance: run `make build`"):
            read_rows(connection, ["x' or '1' = '1"])


def test_windows_read_together_are_what_each_is_alone(warehouse: Path) -> None:
    with open_warehouse(warehouse) as connection:
        together = read_rows(connection, [EVE, DAY])
        alone = {name: read_rows(connection, [name])[name] for name in (EVE, DAY)}
    assert together == alone
    assert list(together) == [EVE, DAY]


def test_times_are_local_and_an_address_that_could_harm_is_none(
    tmp_path: Path, warehouse: Path
) -> None:
    path = Path(shutil.copy(warehouse, tmp_path))
    with duckdb.connect(str(path)) as connection:
        connection.execute(
            "update reports.rpt_listed_threads set url = 'javascript:alert(1)'"
        )
        connection.execute(
            "update reports.rpt_hot_threads set comments = list_transform("
            "comments, c -> struct_update(c, url := 'https://a.example/(x)'))"
        )
    with open_warehouse(path) as connection:
        rows = read_rows(connection, [DAY])[DAY]
    assert {row["url"] for row in rows["listed_threads"]} == {None}
    quotes = [quote for row in rows["hot_threads"] for quote in row["comments"]]
    assert quotes and {quote["url"] for quote in quotes} == {None}
    assert rows["provenance"]["window_start_at"].isoformat().endswith("11:24:00+08:00")
    assert quotes[0]["created_at"].utcoffset().total_seconds() == 8 * 3600


def test_the_latest_complete_window_is_the_last_to_end_of_its_kind(
    tmp_path: Path, warehouse: Path
) -> None:
    path = Path(shutil.copy(warehouse, tmp_path))
    custom = {"window_kind": "custom"}
    with_windows(
        path,
        {
            "sample:day:2026-03-06": {"is_complete": False},
            "sample:custom:2026-03-01T20:17+1h": custom,
            "sample:custom:2026-03-02T21:00+1h": custom
            | {"window_end_at": "2026-03-09 00:00:00+00"},
            "sample:week:2026-03-02": {"window_kind": "week"},
            "other:day:2026-03-08": {"project": "other"},
        },
    )
    with open_warehouse(path) as connection:
        latest = {
            kind: latest_complete(connection, project="sample", kind=kind)
            for kind in ("day", "week", "month", "custom")
        }
        named = latest_complete(
            connection, project="sample", kind="custom", name_ending="20:17+1h"
        )
    assert latest == {
        "day": DAY,
        "week": "sample:week:2026-03-02",
        "month": None,
        "custom": "sample:custom:2026-03-02T21:00+1h",
    }
    assert named == "sample:custom:2026-03-01T20:17+1h"
