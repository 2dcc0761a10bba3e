"""Reading in a process of its own: as if it were here, and it outlives nobody."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from datetime import timedelta
from pathlib import Path

import pytest

from pipelines.exits import RefusedError, StoppedError
from pipelines.github import ahead, apart
from tests.pipelines.conftest import Bench
from tests.pipelines.scripted import FakeGitHub, Reply, comment, issue, spread

linux = pytest.mark.skipif(not apart.CAN_FORK, reason="nothing is forked here")
ROOT = Path(__file__).parents[2]
SECOND = timedelta(seconds=1)


def children(pid: int) -> list[int]:
    """The processes that this one has started and that still run."""
    told = Path(f"/proc/{pid}/task/{pid}/children").read_text()
    return [int(one) for one in told.split()]


def is_running(pid: int) -> bool:
    status = Path(f"/proc/{pid}/stat")
    return status.exists() and status.read_text().rsplit(")", 1)[1].split()[0] != "Z"


def filled(github: FakeGitHub) -> None:
    times = spread("2026-03-04T12:00:00Z", 250, SECOND)
    github.rows["/issues/comments"] = [
        comment(index, when) for index, when in enumerate(times, 1)
    ]
    github.rows["/issues"] = [issue(1, "2026-03-04T12:00:00Z")]


@pytest.mark.parametrize("can_fork", [True, False])
def test_a_run_says_and_counts_the_same_in_one_process_and_in_two(
    bench: Bench, monkeypatch: pytest.MonkeyPatch, can_fork: bool
) -> None:
    monkeypatch.setattr(apart, "CAN_FORK", can_fork and apart.CAN_FORK)
    filled(bench.github)
    bench.github.script["/issues/comments"] = [
        Reply(403, {"message": "secondary rate limit"}, {"Retry-After": "1"})
    ]
    assert bench.cover() == ("vllm:day:2026-03-04 is loaded (251 rows in 8 requests).")
    assert [line for line in bench.said if "a secondary limit" in line] != []
    counted = bench.rows("select request_count, row_count from raw_github.syncs")
    assert counted == [(8, 251)]


@linux
def test_a_refusal_from_the_other_process_is_the_same_refusal(bench: Bench) -> None:
    bench.github.script["/issues"] = [Reply(403, {"message": "No rights."})]
    with pytest.raises(RefusedError, match="No rights") as refusal:
        bench.cover()
    assert any("_believe" in note for note in refusal.value.__notes__)


@linux
def test_a_reader_ended_from_outside_is_said_and_what_came_is_kept(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    filled(bench.github)

    def strike(path: str) -> None:
        if len(bench.github.asked("/issues/comments")) == 3:
            for pid in children(os.getpid()):
                os.kill(pid, signal.SIGKILL)

    bench.github.on_page = strike
    with pytest.raises(StoppedError, match=r"ended from outside \(code -9"):
        bench.cover()
    assert bench.covered("issue_comments") == []
    bench.github.on_page = lambda path: None
    bench.cover()
    assert bench.rows("select count(*) from raw_github.issue_comments") == [(250,)]


@linux
@pytest.mark.parametrize("end", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_the_reader_ends_with_its_parent_however_that_ends(
    bench: Bench, end: signal.Signals
) -> None:
    github, reached = bench.github, []

    def stall(path: str) -> None:
        if path.endswith("/issues/comments"):
            reached.append(path)
            time.sleep(3)

    github.on_page = stall
    command = [sys.executable, "-m", "pipelines", "cover"]
    environ = {
        "PATH": os.environ["PATH"],
        "PYTHONPATH": str(ROOT),
        "GITHUB_API_URL": github.url,
        "WAREHOUSE": str(bench.path),
        "PROJECTS": str(ROOT / "projects.toml"),
        "DATE": "2026-03-04",
        "MODE": "full",
    }
    with subprocess.Popen(command, cwd=ROOT, env=environ, stderr=-3) as program:
        while not reached:
            time.sleep(0.01)
        [reader] = children(program.pid)
        program.send_signal(end)
        program.wait()
        due = time.monotonic() + 2
        while is_running(reader) and time.monotonic() < due:
            time.sleep(0.01)
        assert not is_running(reader)


def test_what_waits_is_bounded_by_its_size() -> None:
    waiting = ahead.Ahead(10)
    for item in (b"1234", b"5678", b"90", None):
        assert not waiting.full()
        waiting.put_nowait(item)
        if item == b"90":
            break
    assert waiting.full()
    assert waiting.get_nowait() == b"1234"
    assert not waiting.full()


def test_an_item_larger_than_the_bound_still_passes() -> None:
    waiting = ahead.Ahead(10)
    waiting.put_nowait(b"x" * 100)
    assert waiting.full()
    assert len(waiting.get_nowait() or b"") == 100  # type: ignore[arg-type]
    assert waiting.empty()
