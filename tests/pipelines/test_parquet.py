"""The tables as Parquet files: equal to the tables, the same bytes, swapped as one."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from hashlib import sha256
from pathlib import Path

import duckdb
import pyarrow.parquet as pq
import pytest

import pipelines
from pipelines import publish as published
from pipelines.errors import MisconfiguredError, UnusableError
from pipelines.parquet import _swap_in
from pipelines.publish import publish

ROOT = Path(pipelines.__file__).parent.parent

BUILD = """
set timezone = 'UTC';
create schema if not exists marts;
create schema if not exists reports;
create or replace table marts.threads as
select
    'o/r#' || number as thread_id, number, ['b', 'a'] as labels,
    timestamptz '2026-03-04 03:24:00.123456Z' as created_at,
    date '2026-03-04' as window_date, cast(null as varchar) as author_login,
    number % 2 = 0 as is_draft, 0.1 * number as score
from (from range({count}) as numbers (number) order by hash(number + {salt}));
create or replace table reports."rpt ""it's" as
select
    [{{'rule_id': 'r', 'strength': 0.5}}] as evidence,
    cast([] as varchar[]) as listings
from range(2);
create or replace table reports.rpt_empty (window_id varchar, n bigint, l varchar[]);
"""
# Each table as SQL names it, and its file.
TABLES = {
    "marts.threads": "marts/threads.parquet",
    'reports."rpt ""it\'s"': "reports/rpt \"it's.parquet",
    "reports.rpt_empty": "reports/rpt_empty.parquet",
}


def build(path: Path, count: int = 3, salt: int = 0) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    with duckdb.connect(str(path)) as connection:
        connection.execute(BUILD.format(count=count, salt=salt))
    return path


def digests(folder: Path) -> dict[str, str]:
    return {
        str(path.relative_to(folder)): sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*.parquet"))
    }


def names_in(folder: Path) -> list[str]:
    """What is there, besides the one folder that the link leads to."""
    link = folder / "parquet"
    led_to = {link.readlink().name} if link.is_symlink() else set()
    return sorted({one.name for one in folder.iterdir()} - led_to)


DONE = ["history.duckdb", "parquet", "warehouse.duckdb"]


@pytest.mark.parametrize("name", ["plain", 'it\'s a "folder" of ours', "日本 語"])
def test_each_published_table_is_a_file_with_its_rows_and_its_types(
    tmp_path: Path, name: str
) -> None:
    folder = tmp_path / name
    publish(build(folder / "warehouse.duckdb"), parquet=True)
    assert set(digests(folder / "parquet")) == set(TABLES.values())
    with duckdb.connect(str(folder / "history.duckdb"), read_only=True) as connection:
        connection.execute("set timezone = 'UTC'")
        for table, name_of_file in TABLES.items():
            path = str(folder / "parquet" / name_of_file).replace("'", "''")
            read = f"read_parquet('{path}')"
            described = f"select column_name, column_type from (describe from {table})"
            types = connection.execute(described).fetchall()
            assert (
                types == connection.execute(described.replace(table, read)).fetchall()
            )
            for one, other in ((table, read), (read, table)):
                different = f"from {one} except all from {other}"
                assert connection.execute(different).fetchall() == []
    assert names_in(folder) == DONE


def test_other_tools_read_times_as_utc_and_lists_as_lists(tmp_path: Path) -> None:
    publish(build(tmp_path / "warehouse.duckdb"), parquet=True)
    table = pq.read_table(tmp_path / "parquet" / "marts" / "threads.parquet")
    assert str(table.schema.field("created_at").type) == "timestamp[us, tz=UTC]"
    assert table.column("labels").to_pylist()[0] == ["b", "a"]


def test_the_same_tables_give_the_same_bytes_in_whatever_order_they_were_built(
    tmp_path: Path,
) -> None:
    folders = [tmp_path / "one", tmp_path / "other"]
    for salt, folder in enumerate(folders):
        publish(build(folder / "warehouse.duckdb", 300_000, salt), parquet=True)
    one, other = (digests(folder / "parquet") for folder in folders)
    assert one == other
    first = "select thread_id from marts.threads limit 1"
    with duckdb.connect(str(folders[0] / "warehouse.duckdb")) as connection:
        connection.execute(f"attach '{folders[1] / 'warehouse.duckdb'}' as other")
        before = connection.execute(first).fetchall()
        connection.execute("use other")
        assert before != connection.execute(first).fetchall()


def test_without_being_asked_for_nothing_is_exported(tmp_path: Path) -> None:
    publish(build(tmp_path / "warehouse.duckdb"))
    assert names_in(tmp_path) == ["history.duckdb", "warehouse.duckdb"]


def test_the_next_export_takes_the_place_of_the_last_and_what_was_opened_stays(
    tmp_path: Path,
) -> None:
    warehouse = build(tmp_path / "warehouse.duckdb")
    publish(warehouse, parquet=True)
    path = tmp_path / "parquet" / "marts" / "threads.parquet"
    with path.open("rb") as held:
        publish(build(warehouse, count=5), parquet=True)
        assert pq.read_table(held).num_rows == 3
    assert pq.read_table(path).num_rows == 5
    assert names_in(tmp_path) == DONE


def test_there_is_no_instant_without_an_export(tmp_path: Path) -> None:
    link, is_over, missed = tmp_path / "parquet", threading.Event(), []

    def watch() -> None:
        while not is_over.is_set():
            if not link.is_symlink():
                missed.append(True)

    (tmp_path / ".parquet.first").mkdir()
    _swap_in(tmp_path / ".parquet.first", link)
    watcher = threading.Thread(target=watch)
    watcher.start()
    for number in range(500):
        folder = tmp_path / f".parquet.{number}"
        folder.mkdir()
        _swap_in(folder, link)
    is_over.set()
    watcher.join()
    assert missed == []
    assert link.readlink().name == ".parquet.499"


KILLER = """
import os, signal, sys
from pathlib import Path
from pipelines import publish
def die(*_): os.kill(os.getpid(), signal.SIGKILL)
setattr(publish, sys.argv[2], die)
publish.publish(Path(sys.argv[1]), parquet=True)
"""


@pytest.mark.parametrize("at", ["_settle", "_replace"])
def test_a_kill_leaves_the_last_export_and_the_next_run_cleans_up(
    tmp_path: Path, at: str
) -> None:
    warehouse = build(tmp_path / "warehouse.duckdb")
    publish(warehouse, parquet=True)
    before = digests(tmp_path / "parquet")
    build(warehouse, count=5)
    killed = subprocess.run(
        [sys.executable, "-c", KILLER, str(warehouse), at], cwd=ROOT, check=False
    )
    assert killed.returncode == -signal.SIGKILL
    assert digests(tmp_path / "parquet") == before
    assert len(names_in(tmp_path)) > len(DONE)
    publish(warehouse, parquet=True)
    assert digests(tmp_path / "parquet") != before
    assert names_in(tmp_path) == DONE


def test_where_the_history_cannot_be_published_nothing_is_exported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    warehouse = build(tmp_path / "warehouse.duckdb")
    publish(warehouse, parquet=True)
    before = digests(tmp_path / "parquet")

    def full(*_: object) -> None:
        raise duckdb.IOException("No space left on device")

    monkeypatch.setattr(published, "_copy", full)
    with pytest.raises(UnusableError, match="No space left"):
        publish(build(warehouse, count=5), parquet=True)
    assert digests(tmp_path / "parquet") == before
    assert names_in(tmp_path) == DONE


@pytest.mark.parametrize("kind", ["folder", "file"])
def test_what_others_keep_under_that_name_is_never_replaced(
    tmp_path: Path, kind: str
) -> None:
    warehouse = build(tmp_path / "warehouse.duckdb")
    taken = tmp_path / "parquet"
    if kind == "folder":
        (taken / "mine").mkdir(parents=True)
    else:
        taken.write_text("mine")
    with pytest.raises(MisconfiguredError, match="move it away"):
        publish(warehouse, parquet=True)
    assert names_in(tmp_path) == ["parquet", "warehouse.duckdb"]
    publish(warehouse)
    assert (tmp_path / "history.duckdb").exists()


@pytest.mark.parametrize(
    ("argv", "variable", "is_exported"),
    [
        (("--parquet",), "", True),
        (("--parquet", "1"), "", True),
        ((), "1", True),
        (("--parquet", "0"), "1", False),
        ((), "0", False),
        ((), "", False),
    ],
)
def test_it_is_asked_for_by_option_or_by_variable(
    tmp_path: Path, argv: tuple[str, ...], variable: str, is_exported: bool
) -> None:
    warehouse = build(tmp_path / "warehouse.duckdb")
    done = subprocess.run(
        [sys.executable, "-m", "pipelines", "publish", *argv],
        cwd=ROOT,
        env={
            "PATH": os.environ["PATH"],
            "WAREHOUSE": str(warehouse),
            "PARQUET": variable,
        },
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stdout) == (0, "")
    assert (tmp_path / "parquet").exists() == is_exported
    assert ("with its Parquet files" in done.stderr) == is_exported
