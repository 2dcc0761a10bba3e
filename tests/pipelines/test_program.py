"""The program as a user meets it: exit codes, and the last line that says why."""

from __future__ import annotations

import os
import subprocess
import sys
from datetime import timedelta
from pathlib import Path

import duckdb
import pytest

import pipelines
from tests.pipelines.conftest import Bench
from tests.pipelines.scripted import FakeGitHub, Reply, comment, issue, spread

ROOT = Path(pipelines.__file__).parent.parent
NOON = "2026-03-04T12:00:00Z"


class Program:
    """`python -m pipelines` with a warehouse of its own."""

    def __init__(self, github: FakeGitHub, path: Path) -> None:
        self.github = github
        self.path = path

    def environ(self, **more: str) -> dict[str, str]:
        kept = {name: os.environ[name] for name in ("PATH",) if name in os.environ}
        return {
            **kept,
            "PYTHONPATH": str(ROOT),
            "GITHUB_API_URL": self.github.url,
            "WAREHOUSE": str(self.path),
            "BASELINE_DAYS": "0",
            "HOME": str(self.path.parent.parent),
            **more,
        }

    def run(self, *argv: str, **environ: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "pipelines", *argv],
            cwd=ROOT,
            env=self.environ(**environ),
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )


@pytest.fixture
def program(bench: Bench) -> Program:
    return Program(bench.github, bench.path)


def test_a_window_is_covered_quietly_with_one_line_at_the_end(
    program: Program,
) -> None:
    program.github.rows["/issues"] = [issue(1, NOON)]
    done = program.run("cover", "--date", "2026-03-04")
    assert (done.returncode, done.stdout) == (0, "")
    last = done.stderr.splitlines()[-1]
    assert last == "vllm:day:2026-03-04 is loaded (1 row in 5 requests)."
    home = program.path.parent.parent
    assert sorted(one.name for one in home.iterdir()) == ["data"]
    table = program.run("coverage")
    assert table.returncode == 0
    assert table.stdout.splitlines()[1].split() == [
        *("vllm", "threads"),
        *("2026-03-04", "03:24:00Z", "2026-03-05", "04:00:00Z"),
    ]


@pytest.mark.parametrize("zone", ["America/Los_Angeles", "Asia/Kolkata"])
def test_c33_the_machines_time_zone_changes_nothing(
    program: Program, zone: str
) -> None:
    program.github.rows["/issues"] = [issue(1, NOON)]
    assert program.run("cover", "--date", "2026-03-04", TZ=zone).returncode == 0
    with duckdb.connect(str(program.path)) as connection:
        told = connection.execute(
            "select epoch(i.created_at), epoch(covered_from), epoch(window_start_at)"
            " from raw_github.issues as i, raw_github.coverage,"
            " raw_github.window_requests limit 1"
        ).fetchone()
    assert told == (1772625600.0, 1772594640.0, 1772594640.0)


@pytest.mark.parametrize(
    ("argv", "environ", "code", "said"),
    [
        (["cover", "--date", "2026-02-30"], {}, 2, "there is no day 2026-02-30"),
        (["cover", "--project", "nope"], {}, 2, "there is: vllm"),
        (["frobnicate"], {}, 2, "frobnicate"),
        (["cover"], {"MODE": "fast"}, 2, "none of auto, full, targeted"),
        (["cover"], {"WAREHOUSE": "marts.duckdb"}, 2, "schema or catalog"),
        (["cover", "--date", "2026-03-05"], {}, 3, "is not over"),
        (
            ["cover"],
            {"GITHUB_API_URL": "http://127.0.0.1:9"},
            4,
            "could not be reached",
        ),
        (["coverage"], {}, 5, "no warehouse"),
    ],
)
def test_each_failure_has_its_exit_code_and_one_line(
    program: Program, argv: list[str], environ: dict[str, str], code: int, said: str
) -> None:
    done = program.run(*argv, **environ)
    assert (done.returncode, done.stdout) == (code, "")
    assert len(done.stderr.splitlines()) == 1
    assert said in done.stderr
    assert not program.path.parent.exists()


def test_a_wrong_token_is_exit_code_4_and_never_shown(program: Program) -> None:
    program.github.script[""] = [Reply(401, {"message": "Bad credentials"})]
    done = program.run("cover", GITHUB_TOKEN="ghp_wrong", DEBUG="1")
    assert done.returncode == 4
    assert "check GITHUB_TOKEN" in done.stderr.splitlines()[-1]
    assert "ghp_wrong" not in done.stderr
    assert "Traceback" in done.stderr


def test_an_exhausted_anonymous_limit_says_what_is_needed(program: Program) -> None:
    headers = {
        "X-RateLimit-Limit": "60",
        "X-RateLimit-Remaining": "0",
        "X-RateLimit-Reset": str(int(program.github.now.timestamp()) + 3000),
    }
    words = {"message": "API rate limit exceeded for 127.0.0.1."}
    program.github.script["/issues/comments"] = [Reply(403, words, headers)]
    done = program.run("cover", "--date", "2026-03-04")
    assert done.returncode == 4
    last = done.stderr.splitlines()[-1]
    assert "60 requests an hour" in last
    assert "2026-03-05 04:50:01 UTC" in last
    assert "GITHUB_TOKEN" in last


def test_what_came_before_the_patience_ended_is_kept_and_the_next_run_goes_on(
    program: Program,
) -> None:
    times = spread("2026-03-04T04:00:00Z", 450, timedelta(minutes=1))
    rows = [comment(n, when) for n, when in enumerate(times, 1)]
    program.github.rows["/issues/comments"] = rows
    reset = int(program.github.now.timestamp()) + 9
    headers = {"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": str(reset)}
    words = {"message": "API rate limit exceeded for user ID 1."}
    limit = Reply(403, words, headers)
    pages = [Reply(200, rows[:100]), Reply(200, rows[99:199])]
    program.github.script["/issues/comments"] = [*pages, limit]
    done = program.run("cover", "--date", "2026-03-04", "--max-wait", "5s")
    assert done.returncode == 4
    last = done.stderr.splitlines()[-1]
    assert "until 2026-03-05 04:00:10 UTC: 10 s are more than --max-wait (5 s)" in last
    assert "what was loaded is kept" in last
    count = "select count(*) from raw_github.issue_comments"
    with duckdb.connect(str(program.path)) as connection:
        assert connection.execute(count).fetchall() == [(199,)]
    program.github.requests.clear()
    assert program.run("cover", "--date", "2026-03-04").returncode == 0
    assert len(program.github.asked("/issues/comments")) == 3
    with duckdb.connect(str(program.path)) as connection:
        assert connection.execute(count).fetchall() == [(450,)]


def test_c36_a_busy_warehouse_is_exit_code_5_and_names_who_holds_it(
    program: Program,
) -> None:
    assert program.run("register").returncode == 0
    holder = "import duckdb, sys; c = duckdb.connect(sys.argv[1]); print('held');"
    holder += " sys.stdout.flush(); sys.stdin.read()"
    with subprocess.Popen(
        [sys.executable, "-c", holder, str(program.path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == "held\n"
        done = program.run("cover", "--date", "2026-03-04", "--lock-wait", "0.2")
        other.communicate("")
    assert done.returncode == 5
    assert f"in use by process {other.pid}" in done.stderr
    assert program.github.requests == []


def test_a_file_that_is_no_database_is_exit_code_5_and_stays(program: Program) -> None:
    program.path.parent.mkdir()
    program.path.write_text("not a database\n" * 99)
    done = program.run("cover", "--date", "2026-03-04")
    assert done.returncode == 5
    assert "cannot be opened" in done.stderr
    assert program.path.read_text() == "not a database\n" * 99


def test_register_makes_every_table_without_asking_github(program: Program) -> None:
    assert program.run("register").returncode == 0
    assert program.github.requests == []
    with duckdb.connect(str(program.path)) as connection:
        tables = {
            name
            for (name,) in connection.execute(
                "select table_name from information_schema.tables"
                " where table_schema = 'raw_github'"
            ).fetchall()
        }
        projects = connection.execute("select project from raw_github.projects")
        assert projects.fetchall() == [("vllm",), ("sglang",)]
    assert tables >= {
        *("issues", "issue_comments", "review_comments", "issue_events"),
        *("projects", "window_requests", "coverage", "syncs", "quarantine"),
        *("warehouse", "progress", "horizons"),
    }


def test_c10_a_run_killed_between_rows_and_ledger_is_completed_by_the_next(
    program: Program,
) -> None:
    program.github.rows["/issues"] = [issue(1, NOON), issue(2, NOON)]
    program.github.rows["/issues/comments"] = [comment(3, NOON)]
    killer = """
import os, signal, sys
from pipelines import load
load.Extraction._write_down = lambda *_: os.kill(os.getpid(), signal.SIGKILL)
from pipelines.__main__ import main
main()
"""
    killed = subprocess.run(
        [sys.executable, "-c", killer, "cover", "--date", "2026-03-04"],
        env=program.environ(),
        cwd=ROOT,
        timeout=60,
        check=False,
    )
    assert killed.returncode == -9
    with duckdb.connect(str(program.path)) as connection:
        assert connection.execute("from raw_github.coverage").fetchall() == []
    assert program.run("cover", "--date", "2026-03-04").returncode == 0
    with duckdb.connect(str(program.path)) as connection:
        numbers = connection.execute("select number from raw_github.issues order by 1")
        assert numbers.fetchall() == [(1,), (2,)]
        streams = connection.execute("select count(*) from raw_github.coverage")
        assert streams.fetchall() == [(4,)]
    assert [one.name for one in program.path.parent.iterdir()] == [program.path.name]


def test_help_is_fast_enough_to_ask_for(program: Program) -> None:
    code = "import sys; sys.argv[1:] = ['--help']\n"
    code += "try:\n    from pipelines.__main__ import main; main()\n"
    code += "except SystemExit: pass\n"
    code += "sys.exit(int(any(m in sys.modules for m in ('dlt', 'pandas'))))"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, check=False
    )
    assert done.returncode == 0


def test_the_version_is_the_one_of_the_package() -> None:
    text = (ROOT / "pyproject.toml").read_text("utf-8")
    assert f'version = "{pipelines.__version__}"' in text
