"""The headline counts of every covered day, counted a second time by other means.

`plain_count` shares nothing with the models; where the two differ one of them is wrong.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

import duckdb
import pytest

from tests.counts import random_rows
from tests.counts.plain_count import (
    LISTINGS,
    Counts,
    Day,
    Thread,
    listings_of,
    plain_counts,
)
from tests.render.sample_day import ROOT, built_sample, ran

SHARED = ROOT.parent / "shared"
SIMULATOR = SHARED / "ghserver"


def told_counts(connection: duckdb.DuckDBPyConnection) -> dict[str, Counts]:
    """What the report says of every complete day."""
    columns = ", ".join(f"{listing}_count" for listing in LISTINGS)
    rows = connection.execute(
        f"select window_id, {columns} from reports.rpt_headline_counts"
        " inner join marts.windows using (window_id)"
        " where window_kind = 'day' and is_complete"
    ).fetchall()
    return {row[0]: dict(zip(LISTINGS, row[1:], strict=True)) for row in rows}


def assert_both_agree(warehouse: Path, *, fewest_days: int) -> dict[str, Counts]:
    with duckdb.connect(str(warehouse), read_only=True) as connection:
        counted, told = plain_counts(connection), told_counts(connection)
    assert len(counted) >= fewest_days
    assert told == counted
    return counted


def environment(folder: Path, **more: str) -> dict[str, str]:
    """A world of its own: nothing that the caller set for real work reaches it."""
    ours = ("GITHUB_", "BASELINE", "ALLOW_", "PROJECT", "MODE", "KIND", "AT", "HOURS")
    kept = {key: value for key, value in os.environ.items() if not key.startswith(ours)}
    return {
        **kept,
        "WAREHOUSE": str(folder / "warehouse.duckdb"),
        "BUILD_DIR": str(folder),
        "DBT_TARGET_PATH": str(folder / "target"),
        "DBT_LOG_PATH": str(folder / "logs"),
        "DBT_SEND_ANONYMOUS_USAGE_STATS": "false",
        "NO_PROXY": "127.0.0.1",
        "no_proxy": "127.0.0.1",
        **more,
    }


def build_counts(env: dict[str, str]) -> None:
    dbt = str(Path(sys.executable).parent / "dbt")
    project = ("--project-dir", "dbt_project", "--profiles-dir", ".")
    models = ("--exclude-resource-types", "test", "unit_test")
    selected = ("--select", "+rpt_headline_counts")
    ran(dbt, "build", "--quiet", *project, *models, *selected, env=env)


def test_every_covered_day_of_the_sample_is_counted_alike(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    counted = assert_both_agree(built_sample(tmp_path_factory), fewest_days=28)
    assert counted["sample:day:2026-03-04"] == {
        "new_issue": 22,
        "closed_issue": 44,
        "new_pr": 113,
        "merged_pr": 59,
        "closed_unmerged_pr": 128,
    }


@pytest.mark.skipif(not SIMULATOR.exists(), reason="the simulator is not here")
def test_every_covered_day_of_the_march_world_is_counted_alike(tmp_path: Path) -> None:
    with simulated(tmp_path) as url:
        env = environment(
            tmp_path, GITHUB_API_URL=url, MODE="full", DATE="2026-03-04", PROJECT="vllm"
        )
        ran(sys.executable, "-m", "pipelines", "cover", env=env)
    build_counts(env)
    assert_both_agree(tmp_path / "warehouse.duckdb", fewest_days=28)


def test_every_covered_day_of_a_random_world_is_counted_alike(tmp_path: Path) -> None:
    projects = tmp_path / "projects.toml"
    projects.write_text(random_rows.PROJECTS, encoding="utf-8")
    env = environment(tmp_path, PROJECTS=str(projects))
    ran(sys.executable, "-m", "pipelines", "register", env=env)
    warehouse = tmp_path / "warehouse.duckdb"
    with duckdb.connect(str(warehouse)) as connection:
        random_rows.fill(connection, seed=3, thread_count=700)
    build_counts(env)
    counted = assert_both_agree(warehouse, fewest_days=50)
    # A world in which nothing happens would prove nothing.
    for listing in LISTINGS:
        assert sum(counts[listing] for counts in counted.values()) > 150, listing


@contextmanager
def simulated(folder: Path) -> Iterator[str]:
    """The March day on a simulated GitHub; its address."""
    world, port = folder / "march", folder / "port"
    day = ("--window", "2026-03-04 11:24", SHARED / "golden" / "2026-03-04")
    build = (sys.executable, SIMULATOR / "build_world.py", "--out", world, *day)
    subprocess.run(build, check=True, capture_output=True)
    command = (sys.executable, SIMULATOR / "serve.py", "--world", world)
    with subprocess.Popen(
        (*command, "--port-file", port), stdout=subprocess.DEVNULL
    ) as server:
        try:
            for _ in range(200):
                if port.exists() and port.read_text():
                    break
                time.sleep(0.05)
            yield f"http://127.0.0.1:{port.read_text().strip()}"
        finally:
            server.kill()


DAY = Day(
    "p:day:2026-03-04", *(datetime(2026, 3, d, 3, 24, tzinfo=UTC) for d in (4, 5))
)
BEFORE, SECOND = DAY.start - timedelta(days=9), timedelta(seconds=1)


@pytest.mark.parametrize(
    ("turns", "listed"),
    [
        ([("closed", DAY.start)], ["closed_issue"]),
        ([("closed", DAY.start - SECOND)], []),
        ([("closed", DAY.end - SECOND)], ["closed_issue"]),
        ([("closed", DAY.end)], []),
        ([("closed", DAY.start), ("reopened", DAY.end - SECOND)], []),
        ([("closed", DAY.start), ("reopened", DAY.end)], ["closed_issue"]),
        ([("closed", BEFORE), ("reopened", DAY.start)], []),
        (
            [("closed", BEFORE), ("reopened", DAY.start), ("closed", DAY.start)],
            ["closed_issue"],
        ),
        ([("closed", BEFORE), ("closed", DAY.start)], []),
        ([("closed", DAY.start), ("closed", DAY.end)], ["closed_issue"]),
    ],
)
def test_the_plain_count_itself_knows_the_edges(
    turns: list[tuple[str, datetime]], listed: list[str]
) -> None:
    told = [(instant, place, event) for place, (event, instant) in enumerate(turns)]
    known = [(BEFORE, DAY.end)]
    thread = Thread(False, BEFORE, "open", None, None, None, None, told, known)
    assert list(listings_of(DAY, thread)) == listed
