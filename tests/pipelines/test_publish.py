"""The published history: whole at any instant, and never somebody else's."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import duckdb
import pytest

import pipelines
from pipelines import publish as published
from pipelines.errors import MisconfiguredError, UnusableError
from pipelines.publish import publish

ROOT = Path(pipelines.__file__).parent.parent

BUILD = """
create schema if not exists marts;
create schema if not exists reports;
create schema if not exists raw_github;
create or replace table raw_github.issues as select 1 as number;
create or replace table marts.threads as select unnest(range({count})) as number;
create or replace table reports."rpt ""odd" as select 1 as one;
create or replace macro marts.threads_after(least) as table
    select number from marts.threads where number > least;
"""


def build(path: Path, count: int = 3) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    with duckdb.connect(str(path)) as connection:
        connection.execute(BUILD.format(count=count))
    return path


def rows(path: Path, sql: str) -> list[tuple[object, ...]]:
    with duckdb.connect(str(path), read_only=True) as connection:
        return connection.execute(sql).fetchall()


COUNT = "select count(*) from marts.threads"


@pytest.mark.parametrize("folder", ["plain", 'it\'s a "folder" of ours', "日本 語"])
def test_marts_reports_and_macros_are_published_and_raw_rows_are_not(
    tmp_path: Path, folder: str
) -> None:
    warehouse = build(tmp_path / folder / "ware house.duckdb")
    assert "is published" in publish(warehouse)
    history = warehouse.with_name("history.duckdb")
    assert rows(history, COUNT) == [(3,)]
    assert rows(history, 'from reports."rpt ""odd"') == [(1,)]
    schemas = "select distinct schema_name from duckdb_tables() order by all"
    assert rows(history, schemas) == [("main",), ("marts",), ("reports",)]
    assert sorted(one.name for one in warehouse.parent.iterdir()) == [
        *("history.duckdb", "ware house.duckdb")
    ]


def test_a_macro_works_under_whatever_name_the_copy_has(tmp_path: Path) -> None:
    warehouse = build(tmp_path / "warehouse.duckdb")
    publish(warehouse)
    moved = (tmp_path / "history.duckdb").rename(tmp_path / "elsewhere.duckdb")
    warehouse.unlink()
    assert rows(moved, "from marts.threads_after(0) order by 1") == [(1,), (2,)]
    with duckdb.connect() as connection:
        connection.execute(f"attach '{moved}' as a_copy (read_only)")
        connection.execute("use a_copy")
        assert connection.execute("from marts.threads_after(1)").fetchall() == [(2,)]


def test_a_reader_keeps_the_old_file_and_the_next_one_gets_the_new(
    tmp_path: Path,
) -> None:
    warehouse = build(tmp_path / "warehouse.duckdb", count=3)
    publish(warehouse)
    reading = "import duckdb, sys; c = duckdb.connect(sys.argv[1], read_only=True);"
    reading += f" ask = lambda: c.execute('{COUNT}').fetchone()[0];"
    reading += " print(ask(), flush=True); sys.stdin.readline(); print(ask())"
    history = tmp_path / "history.duckdb"
    with subprocess.Popen(
        [sys.executable, "-c", reading, str(history)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as reader:
        assert reader.stdout is not None
        assert reader.stdout.readline() == "3\n"
        with history.open("rb") as held:
            before = history.read_bytes()
            publish(build(warehouse, count=5))
            assert held.read() == before
        assert reader.communicate("\n")[0] == "3\n"
    assert rows(history, COUNT) == [(5,)]


def test_a_kill_in_the_middle_leaves_the_old_file_and_the_next_run_cleans_up(
    tmp_path: Path,
) -> None:
    warehouse = build(tmp_path / "warehouse.duckdb", count=3)
    publish(warehouse)
    build(warehouse, count=5)
    killer = "import os, signal, sys; from pathlib import Path;"
    killer += " from pipelines import publish;"
    killer += " publish._settle = lambda _: os.kill(os.getpid(), signal.SIGKILL);"
    killer += " publish.publish(Path(sys.argv[1]))"
    killed = subprocess.run(
        [sys.executable, "-c", killer, str(warehouse)], cwd=ROOT, check=False
    )
    assert killed.returncode == -9
    assert len(list(tmp_path.glob(".history.duckdb.*"))) == 1
    assert rows(tmp_path / "history.duckdb", COUNT) == [(3,)]
    publish(warehouse)
    assert list(tmp_path.glob(".history.duckdb.*")) == []
    assert rows(tmp_path / "history.duckdb", COUNT) == [(5,)]


def test_an_unfinished_file_of_a_living_process_is_left_alone(tmp_path: Path) -> None:
    other = tmp_path / f".history.duckdb.{os.getppid()}"
    other.write_bytes(b"half")
    publish(build(tmp_path / "warehouse.duckdb"))
    assert other.read_bytes() == b"half"


def test_a_failure_leaves_the_old_file_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    warehouse = build(tmp_path / "warehouse.duckdb", count=3)
    publish(warehouse)

    def full(path: Path) -> None:
        raise duckdb.IOException("No space left on device")

    monkeypatch.setattr(published, "_settle", full)
    with pytest.raises(UnusableError, match="No space left"):
        publish(build(warehouse, count=5))
    assert rows(tmp_path / "history.duckdb", COUNT) == [(3,)]
    assert sorted(one.name for one in tmp_path.iterdir()) == [
        *("history.duckdb", "warehouse.duckdb")
    ]


def test_the_history_of_another_warehouse_is_never_replaced(tmp_path: Path) -> None:
    publish(build(tmp_path / "one.duckdb", count=3))
    two = build(tmp_path / "two.duckdb", count=5)
    with pytest.raises(MisconfiguredError, match=r"published from one\.duckdb"):
        publish(two)
    assert rows(tmp_path / "history.duckdb", COUNT) == [(3,)]


@pytest.mark.parametrize("content", ["a database", "text"])
def test_a_file_that_nobody_published_is_never_replaced(
    tmp_path: Path, content: str
) -> None:
    history = tmp_path / "history.duckdb"
    if content == "text":
        history.write_text("my notes")
    else:
        build(history, count=9)
    before = history.read_bytes()
    with pytest.raises(MisconfiguredError, match="no warehouse of ours"):
        publish(build(tmp_path / "warehouse.duckdb"))
    assert history.read_bytes() == before


def test_a_warehouse_does_not_publish_over_itself(tmp_path: Path) -> None:
    with pytest.raises(MisconfiguredError, match="name another"):
        publish(build(tmp_path / "history.duckdb"))


def test_what_is_not_built_is_not_published(tmp_path: Path) -> None:
    duckdb.connect(str(tmp_path / "warehouse.duckdb")).close()
    with pytest.raises(UnusableError, match="holds nothing built"):
        publish(tmp_path / "warehouse.duckdb")
    assert not (tmp_path / "history.duckdb").exists()


def program(warehouse: Path, *argv: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "pipelines", "publish", *argv],
        cwd=ROOT,
        env={"PATH": os.environ["PATH"], "WAREHOUSE": str(warehouse)},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def test_the_command_says_where_it_published_or_why_not(tmp_path: Path) -> None:
    warehouse = tmp_path / "warehouse.duckdb"
    missing = program(warehouse)
    assert (missing.returncode, missing.stdout) == (5, "")
    assert "There is no warehouse" in missing.stderr
    assert not list(tmp_path.iterdir())
    done = program(build(warehouse))
    assert (done.returncode, done.stdout) == (0, "")
    assert done.stderr == f"{tmp_path / 'history.duckdb'} is published.\n"
    with duckdb.connect(str(warehouse)):
        busy = program(warehouse, "--lock-wait", "0.3")
    assert busy.returncode == 5
    assert f"in use by process {os.getpid()}" in busy.stderr
    assert len(busy.stderr.splitlines()) == 1
