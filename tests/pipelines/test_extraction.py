"""Lists are committed in bounded chunks; what was read is kept, however a run ends."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from pipelines import load
from pipelines.errors import RefusedError
from pipelines.github import source
from tests.pipelines.conftest import Bench
from tests.pipelines.scripted import FakeGitHub, Reply, comment, issue, spread

ROOT = Path(__file__).parents[2]
SECOND = timedelta(seconds=1)
COUNT = "select count(*) from raw_github.issue_comments"


def filled(github: FakeGitHub, body: str = "") -> None:
    times = spread("2026-03-04T12:00:00Z", 450, SECOND)
    github.rows["/issues/comments"] = [
        comment(index, when, body=body) for index, when in enumerate(times, 1)
    ]
    github.rows["/issues"] = [issue(1, "2026-03-04T12:00:00Z")]


@pytest.fixture
def chunks(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The rows of comments in each run of the pipeline."""
    found: list[int] = []
    read = source.StreamReader.read

    def noted(self: source.StreamReader, *told: Any) -> None:
        read(self, *told)
        if self.resource.stream == "issue_comments":
            found.append(self.rows.num_rows)

    monkeypatch.setattr(source.StreamReader, "read", noted)
    return found


def test_a_run_counts_what_it_asked_and_loaded(bench: Bench) -> None:
    filled(bench.github)
    bench.github.script["/issues/comments"] = [
        Reply(403, {"message": "secondary rate limit"}, {"Retry-After": "1"})
    ]
    assert bench.cover() == "vllm:day:2026-03-04 is loaded (451 rows in 10 requests)."
    assert [line for line in bench.said if "a secondary limit" in line] != []
    counted = bench.rows("select request_count, row_count from raw_github.syncs")
    assert counted == [(10, 451)]


@pytest.mark.parametrize(
    ("limit", "most", "body"),
    [
        ("MAX_ROWS", 200, ""),
        ("MAX_BYTES", 400_000, "x" * 2_000),
        ("MAX_SECONDS", 0, ""),
    ],
)
def test_what_is_held_back_is_bounded_by_rows_bytes_and_time(
    bench: Bench,
    chunks: list[int],
    monkeypatch: pytest.MonkeyPatch,
    limit: str,
    most: int,
    body: str,
) -> None:
    monkeypatch.setattr(source, limit, most)
    filled(bench.github, body)
    bench.cover()
    assert max(chunks) <= 300
    assert sum(chunks) == 450
    assert bench.rows(COUNT) == [(450,)]


def test_no_more_than_20_000_rows_are_held_back() -> None:
    assert source.MAX_ROWS + len(source.RESOURCES) * 100 <= 20_000
    assert source.MAX_SECONDS <= 30


def test_a_small_sync_is_one_load(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Although events are read after the threads."""
    runs, run = [], load.Loader.run
    monkeypatch.setattr(
        load.Loader, "run", lambda self, data: (runs.append(1), run(self, data))
    )
    filled(bench.github)
    bench.cover()
    assert len(runs) == 1


def test_a_refusal_keeps_what_came_before_it(bench: Bench) -> None:
    filled(bench.github)
    pages: list[str] = []

    def refuse(path: str) -> None:
        if path.endswith("/issues/comments"):
            pages.append(path)
            if len(pages) == 3:
                denied = Reply(403, {"message": "No rights."})
                bench.github.script["/issues/comments"] = [denied]

    bench.github.on_page = refuse
    with pytest.raises(RefusedError, match="No rights"):
        bench.cover()
    assert bench.rows(COUNT) == [(199,)]
    assert bench.covered("issue_comments") == []


@pytest.mark.parametrize("end", [signal.SIGTERM, signal.SIGINT])
def test_an_interrupted_run_commits_what_it_has_read_and_ends_at_once(
    bench: Bench, end: signal.Signals
) -> None:
    """Also while GitHub lets it wait for an answer."""
    github, reached = bench.github, []
    filled(github)

    def stall(path: str) -> None:
        if path.endswith("/issues/comments"):
            reached.append(path)
            if len(reached) == 3:
                time.sleep(15)

    github.on_page = stall
    environ = {
        "PATH": os.environ["PATH"],
        "PYTHONPATH": str(ROOT),
        "GITHUB_API_URL": github.url,
        "WAREHOUSE": str(bench.path),
        "PROJECTS": str(ROOT / "projects.toml"),
        "DATE": "2026-03-04",
        "MODE": "full",
    }
    command = [sys.executable, "-m", "pipelines", "cover"]
    with subprocess.Popen(
        command, cwd=ROOT, env=environ, stderr=subprocess.PIPE, text=True
    ) as program:
        while len(reached) < 3:
            time.sleep(0.01)
        program.send_signal(end)
        _, said = program.communicate(timeout=12)
    assert program.returncode == 1
    assert said.splitlines()[-1].startswith("Interrupted. What was loaded is kept")
    assert bench.rows(COUNT) == [(199,)]
