"""Several projects in one go, and two programs at one warehouse."""

from __future__ import annotations

import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import duckdb
import pytest

from pipelines import multi_project
from pipelines.cli import parse
from pipelines.errors import MisconfiguredError, RefusedError, run
from tests.pipelines.conftest import Bench
from tests.pipelines.scripted import issue
from tests.pipelines.test_program import NOON, ROOT, Program

SETTINGS = """title = "Some"
time_zone = "UTC"
window_start = "00:00"
languages = ["en"]
spotlight = "amd"
"""


@pytest.fixture
def program(bench: Bench) -> Program:
    return Program(bench.github, bench.path)


def watched(path: Path, *repositories: str) -> str:
    """A file of projects named after their repositories."""
    path.write_text(
        "".join(
            f'[{slug.partition("/")[2]}]\nrepository = "{slug}"\n{SETTINGS}'
            for slug in repositories
        )
    )
    return str(path)


def failing(error: BaseException) -> Callable[[], str]:
    def act() -> str:
        raise error

    return act


def test_a_project_that_fails_in_any_way_does_not_stop_the_others() -> None:
    acts = [
        ("one", failing(RefusedError("No."))),
        ("two", failing(ZeroDivisionError("odd"))),
        ("three", lambda: "three is loaded."),
    ]
    outcomes = multi_project.each(acts, lambda line: None, debug=False)
    assert [one.code for one in outcomes] == [4, 1, 0]
    with pytest.raises(
        multi_project.SomeFailedError, match=r"one \(4\), two \(1\)"
    ) as stop:
        multi_project.refuse_failures(outcomes)
    assert stop.value.code == 4
    assert multi_project.summary(outcomes).splitlines()[3].split(maxsplit=2) == [
        *("three", "0", "three is loaded.")
    ]


def test_an_interruption_stops_all_projects() -> None:
    done: list[str] = []
    acts = [
        ("one", failing(KeyboardInterrupt())),
        ("two", lambda: str(done.append("two"))),
    ]
    with pytest.raises(KeyboardInterrupt):
        multi_project.each(acts, lambda line: None, debug=False)
    assert done == []


def test_an_interruption_that_ends_in_nonsense_is_an_interruption(
    program: Program,
) -> None:
    """As when it strikes in the middle of an import, which swallows it."""
    swallower = """
import os, signal, sys
from pipelines import commands
def swallowing(*_):
    try:
        os.kill(os.getpid(), signal.SIGTERM)
    except KeyboardInterrupt:
        pass
    raise AttributeError("partially initialized module")
commands.sync = swallowing
from pipelines.__main__ import main
from pipelines.errors import run
sys.exit(run(main))
"""
    done = subprocess.run(
        [sys.executable, "-c", swallower, "sync"],
        cwd=ROOT,
        env=program.environ(),
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 1
    assert done.stderr.startswith("Interrupted. What was loaded is kept")


def test_an_interruption_that_a_library_words_its_own_way_is_one_all_the_same() -> None:
    def as_duckdb_does() -> None:
        raise RuntimeError("Query interrupted")

    def as_dlt_does() -> None:
        try:
            raise KeyboardInterrupt
        except BaseException as error:
            raise ValueError("the step failed") from error

    for act in (as_duckdb_does, as_dlt_does):
        said: list[str] = []
        assert run(act, say=said.append) == 1
        assert said[0].startswith("Interrupted.")


@pytest.mark.parametrize("how", [{"ALL": "1"}, {"PROJECT": "all"}, {}])
def test_all_projects_are_meant_only_when_told_so(how: dict[str, str]) -> None:
    told = parse(["sync"], how)
    names = [one.settings.project.name for one in told.of_each]
    assert names == (["vllm", "sglang"] if how else [])
    assert told.settings.project.name == "vllm"
    assert len(parse(["sync", "--all"], {}).of_each) == 2


@pytest.mark.parametrize(
    ("command", "environ", "said"),
    [
        ("sync", {"ALL": "1", "PROJECT": "vllm"}, "exclude each other"),
        ("coverage", {"ALL": "1"}, "ALL goes with"),
        ("sync", {"ALL": "yes"}, "neither 0 nor 1"),
    ],
)
def test_all_and_what_contradicts_it_is_refused(
    command: str, environ: dict[str, str], said: str
) -> None:
    with pytest.raises(MisconfiguredError, match=said):
        parse([command], environ)


def test_the_summary_is_printed_and_the_first_failure_is_the_exit_code(
    program: Program, tmp_path: Path
) -> None:
    program.github.rows["/issues"] = [issue(1, NOON)]
    projects = watched(tmp_path / "p.toml", "nobody/nothing", "vllm-project/vllm")
    done = program.run("sync", "--all", PROJECTS=projects)
    assert done.returncode == 4
    head, nothing, vllm = done.stdout.splitlines()
    assert head.split() == ["project", "code", "outcome"]
    assert nothing.startswith("nothing  4     There is no repository nobody/nothing")
    assert vllm.startswith("vllm     0     vllm is loaded up to now (1 row in ")
    assert done.stderr.splitlines()[-1].startswith(
        "1 of 2 projects failed: nothing (4)."
    )
    with duckdb.connect(str(program.path)) as connection:
        covered = "select distinct project from raw_github.coverage"
        assert connection.execute(covered).fetchall() == [("vllm",)]


def started(program: Program, *argv: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "pipelines", *argv],
        cwd=ROOT,
        env=program.environ(),
        stderr=subprocess.PIPE,
        text=True,
    )


class Stall:
    """Holds the answer to a request for one list until it is let go."""

    def __init__(self, program: Program, path: str) -> None:
        self.reached, self.let_go = threading.Event(), threading.Event()
        self._path = path
        program.github.on_page = self

    def __call__(self, path: str) -> None:
        if path.endswith(self._path):
            self.reached.set()
            self.let_go.wait(30)


def test_two_syncs_of_one_project_exclude_each_other(program: Program) -> None:
    assert program.run("register").returncode == 0
    stall = Stall(program, "/issues/events")
    with started(program, "sync") as first:
        assert stall.reached.wait(30)
        second = program.run("sync", "--lock-wait", "0.2")
        stall.let_go.set()
        told = first.communicate(timeout=30)[1]
    assert second.returncode == 5
    assert f"in use by process {first.pid}" in second.stderr
    assert len(second.stderr.splitlines()) == 1
    assert (first.returncode, "is loaded up to now" in told) == (0, True)


def test_a_program_told_to_end_keeps_what_came_and_says_so(program: Program) -> None:
    program.github.rows["/issues"] = [issue(1, NOON)]
    stall = Stall(program, "/issues/events")
    with started(program, "cover", "--date", "2026-03-04") as one:
        assert one.stderr is not None
        assert any("threads 1 rows" in line for line in one.stderr)
        one.send_signal(signal.SIGTERM)
        told = one.communicate(timeout=30)[1]
    stall.let_go.set()
    assert one.returncode == 1
    assert told.splitlines()[-1].startswith("Interrupted. What was loaded is kept")
    with duckdb.connect(str(program.path)) as connection:
        loaded = connection.execute("select number from raw_github.issues")
        assert loaded.fetchall() == [(1,)]
    program.github.on_page = lambda path: None
    assert program.run("cover", "--date", "2026-03-04").returncode == 0
