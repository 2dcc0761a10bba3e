"""The real rows of a day, where the simulator of GitHub lies beside the project."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import duckdb
import pytest

import pipelines
from tests.pipelines.conftest import Bench
from tests.pipelines.scripted import FakeGitHub

SHARED = Path(pipelines.__path__[0]).parent.parent / "shared"
SIMULATOR = SHARED / "ghserver"
TABLES = ("issues", "issue_comments", "review_comments", "issue_events")

pytestmark = pytest.mark.skipif(
    not (SIMULATOR / "serve.py").exists(), reason="the simulator is not here"
)


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("world") / "march"
    args = ["--window", "2026-03-04 11:24", SHARED / "golden" / "2026-03-04"]
    build = [sys.executable, SIMULATOR / "build_world.py", "--out", out, *args]
    subprocess.run(build, check=True, capture_output=True)
    return out


class Simulated:
    """A bench of its own for each way of serving the world."""

    def __init__(self, folder: Path, url: str, log: Path) -> None:
        self.log = log
        self.bench = Bench(folder / "w.duckdb", FakeGitHub(url=url))

    def requests(self) -> list[dict[str, Any]]:
        lines = self.log.read_text().splitlines() if self.log.exists() else []
        return [json.loads(line) for line in lines]

    def rows(self) -> dict[str, list[Any]]:
        with duckdb.connect(str(self.bench.path)) as connection:
            return {
                table: connection.execute(
                    f"select * exclude fetched_at from raw_github.{table} order by all"
                ).fetchall()
                for table in TABLES
            }


@contextmanager
def simulated(world: Path, folder: Path, *flags: str) -> Iterator[Simulated]:
    folder.mkdir()
    port, log = folder / "port", folder / "log"
    files = ["--world", world, "--port-file", port, "--log", log]
    command = [sys.executable, SIMULATOR / "serve.py", *files, *flags]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL) as server:
        try:
            for _ in range(200):
                if port.exists() and port.read_text():
                    break
                time.sleep(0.05)
            yield Simulated(folder, f"http://127.0.0.1:{port.read_text()}", log)
        finally:
            server.kill()


@pytest.mark.parametrize(
    "flags",
    [
        ("--fail-rate", "0.1", "--truncate-rate", "0.05", "--seed", "7"),
        ("--drop-rate", "0.1", "--html-rate", "0.1", "--seed", "11"),
        ("--page-overlap", "1"),
        ("--max-page", "1", "--secondary-after", "20", "--retry-after", "1"),
    ],
    ids=" ".join,
)
def test_a_day_through_faults_is_the_day_without_them(
    world: Path, tmp_path: Path, flags: tuple[str, ...]
) -> None:
    with (
        simulated(world, tmp_path / "clean") as clean,
        simulated(world, tmp_path / "faulty", *flags) as faulty,
    ):
        clean.bench.cover(baseline_days=28)
        faulty.bench.cover(baseline_days=28, max_wait=60.0)
        asked = len(faulty.requests())
        faulty.bench.cover(baseline_days=28)
        assert len(faulty.requests()) == asked
        assert faulty.rows() == clean.rows()


def test_a_day_alone_fits_the_requests_of_an_anonymous_caller(
    world: Path, tmp_path: Path
) -> None:
    with simulated(world, tmp_path / "one", "--rate-limit", "-1") as one:
        one.bench.cover()
        requests = one.requests()
        assert len(requests) < 60
        by_path: dict[str, list[int]] = {}
        for request in requests[1:]:
            by_path.setdefault(request["path"], []).append(request["items"])
        for items in by_path.values():
            assert len(items) <= -(-sum(items) // 100) + 2
