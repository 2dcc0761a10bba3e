"""`make query` and `make sql`: questions to the published history."""

from __future__ import annotations

import os
import pty
import subprocess
from contextlib import suppress
from pathlib import Path

import duckdb
import pytest

ROOT = Path(__file__).parents[2]
ESCAPE = b"\x1b"

if not (ROOT / ".venv" / "bin" / "duckdb").exists():
    pytest.skip("the program is not set up in .venv", allow_module_level=True)


@pytest.fixture
def environ(tmp_path: Path) -> dict[str, str]:
    with duckdb.connect(str(tmp_path / "history.duckdb")) as connection:
        connection.execute("create table counts as select 7 as n, null as nothing")
    # Someone's own settings of the shell are not the point.
    return {
        "PATH": os.environ["PATH"],
        "HOME": str(tmp_path),
        "TERM": "xterm-256color",
        "WAREHOUSE": str(tmp_path / "warehouse.duckdb"),
        "Q": "describe counts; from counts; explain from counts",
    }


# As if it were set up: what that would download is no matter here.
MAKE = ("make", "--silent", "--old-file=.venv/.ready")


def test_a_query_in_a_pipe_is_plain_and_tells_what_was_asked(
    environ: dict[str, str],
) -> None:
    done = subprocess.run(
        [*MAKE, "query"], cwd=ROOT, env=environ, capture_output=True, check=True
    )
    assert b"7" in done.stdout
    assert b"nothing" in done.stdout
    assert ESCAPE not in done.stdout + done.stderr


def test_a_shell_in_a_pipe_is_plain(environ: dict[str, str]) -> None:
    asked = b".tables\ndescribe counts;\nfrom counts;\n"
    done = subprocess.run(
        [*MAKE, "sql"],
        cwd=ROOT,
        env=environ,
        input=asked,
        capture_output=True,
        check=True,
    )
    assert b"7" in done.stdout
    assert ESCAPE not in done.stdout + done.stderr


def test_on_a_terminal_a_query_has_its_colours(environ: dict[str, str]) -> None:
    ours, theirs = pty.openpty()
    with subprocess.Popen(
        [*MAKE, "query"], cwd=ROOT, env=environ, stdout=theirs, stderr=theirs
    ) as make:
        os.close(theirs)
        told = b""
        with suppress(OSError):  # which is how the other end of a terminal closes
            while part := os.read(ours, 4096):
                told += part
    assert make.returncode == 0
    os.close(ours)
    assert ESCAPE + b"[" in told
