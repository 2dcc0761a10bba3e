"""An old day on its own, at 100 ms a request: `python -m benchmarks.targeted`.

Needs the simulator of GitHub beside the project (`../shared/ghserver`) and its golden
day. Prints a table of what was asked, how long it took, and whether the five lists and
every thread's human comments are those of the day. Comments that were edited after the
day may be out of a targeted fetch's reach, and are told apart.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import duckdb

ROOT = Path(__file__).parents[1]
SHARED = ROOT.parent / "shared"
SIMULATOR = SHARED / "ghserver"
GOLDEN = SHARED / "golden" / "2026-03-04"
DAY, WINDOW_ID = "2026-03-04", "vllm:day:2026-03-04"
LISTINGS = {
    "new_issue": "new_issues",
    "closed_issue": "closed_issues",
    "new_pr": "new_prs",
    "merged_pr": "merged_prs",
    "closed_unmerged_pr": "closed_unmerged_prs",
}


@dataclass(frozen=True)
class Figures:
    """What one fetch cost, and what of the day differs from what it should be."""

    mode: str
    request_count: int
    second_request_count: int
    seconds: float
    completeness: str
    wrong_lists: list[str]
    wrong_velocities: list[int]
    edited_velocities: list[int]
    error_statuses: int


def build_world(out: Path, *flags: str) -> Path:
    """A world of the golden day at `out`; the flags are `build_world.py`'s."""
    script = [sys.executable, str(SIMULATOR / "build_world.py"), "--out", str(out)]
    window = ["--window", f"{DAY} 11:24", *flags, str(GOLDEN)]
    subprocess.run([*script, *window], check=True, capture_output=True)
    return out


@contextmanager
def served(world: Path, folder: Path, *flags: str) -> Iterator[tuple[str, Path]]:
    """The address of a simulator that serves a world, and its log."""
    port, log = folder / "port", folder / "log.jsonl"
    files = ["--world", str(world), "--port-file", str(port), "--log", str(log)]
    command = [sys.executable, str(SIMULATOR / "serve.py"), *files, *flags]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL) as server:
        try:
            for _ in range(300):
                if port.exists() and port.read_text():
                    break
                time.sleep(0.05)
            yield f"http://127.0.0.1:{port.read_text()}", log
        finally:
            server.kill()


def measure(mode: str, world: Path, folder: Path, *flags: str) -> Figures:
    """Fetch the day twice in one mode, build it, and compare it with the world."""
    folder.mkdir(parents=True)
    with served(world, folder, *flags) as (url, log):
        environ = _environment(folder, url, mode)
        began = time.monotonic()
        _run([sys.executable, "-m", "pipelines", "cover"], environ)
        seconds = time.monotonic() - began
        requests = _requests(log)
        _run([sys.executable, "-m", "pipelines", "cover"], environ)
        again = len(_requests(log)) - len(requests)
    dbt = [str(Path(sys.executable).with_name("dbt")), "build", "--quiet"]
    dbt += ["--exclude-resource-types", "test", "unit_test"]
    dbt += ["--project-dir", "dbt_project", "--profiles-dir", "."]
    _run(dbt, environ)
    expected = json.loads((world / "expected.json").read_text())["windows"][0]
    edited = _edited_since(world, expected["end"])
    with duckdb.connect(environ["WAREHOUSE"], read_only=True) as connection:
        wrong = _wrong_velocities(connection, expected["comments"])
        return Figures(
            mode=mode,
            request_count=len(requests),
            second_request_count=again,
            seconds=seconds,
            completeness=_completeness(connection),
            wrong_lists=_wrong_lists(connection, expected["lists"]),
            wrong_velocities=[number for number in wrong if number not in edited],
            edited_velocities=[number for number in wrong if number in edited],
            error_statuses=sum(one["status"] != 200 for one in requests),
        )


def _environment(folder: Path, url: str, mode: str) -> dict[str, str]:
    kept = {key: os.environ[key] for key in ("PATH", "HOME") if key in os.environ}
    target = folder / "dbt"
    return {
        **kept,
        "DATE": DAY,
        "MODE": mode,
        "GITHUB_TOKEN": "any",
        "GITHUB_API_URL": url,
        "WAREHOUSE": str(folder / "w.duckdb"),
        "DBT_TARGET_PATH": str(target),
        "DBT_LOG_PATH": str(target / "logs"),
        "DBT_SEND_ANONYMOUS_USAGE_STATS": "false",
    }


def _run(command: list[str], environ: Mapping[str, str]) -> None:
    ran = subprocess.run(
        command, cwd=ROOT, env=environ, capture_output=True, text=True, check=False
    )
    if ran.returncode:
        raise RuntimeError(f"{command[:4]} ended with {ran.returncode}: {ran.stderr}")


def _requests(log: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in log.read_text().splitlines()]


def _completeness(connection: duckdb.DuckDBPyConnection) -> str:
    sql = "select completeness from marts.windows where window_id = ?"
    row = connection.execute(sql, [WINDOW_ID]).fetchone()
    return row[0] if row else "absent"


def _wrong_lists(
    connection: duckdb.DuckDBPyConnection, expected: Mapping[str, Any]
) -> list[str]:
    """The listings whose numbers, titles, labels or authors differ."""
    wrong = []
    for listing, name in LISTINGS.items():
        rows = connection.execute(
            "select number, title, list_sort(labels), author_login, as_of_basis"
            " from reports.rpt_listed_threads where window_id = ? and listing = ?",
            [WINDOW_ID, listing],
        ).fetchall()
        have = {str(one[0]): [one[1], one[2], one[3], one[4]] for one in rows}
        want = {
            number: [title, sorted(labels), author, "events"]
            for number, (title, labels, author, _) in expected[name].items()
        }
        if have != want:
            wrong.append(listing)
    return wrong


def _wrong_velocities(
    connection: duckdb.DuckDBPyConnection, expected: Mapping[str, Any]
) -> list[int]:
    """The threads whose number of human comments differs."""
    rows = connection.execute(
        "select threads.number, human_comment_count from marts.thread_windows"
        " inner join marts.threads using (thread_id)"
        " where window_id = ? and human_comment_count > 0",
        [WINDOW_ID],
    ).fetchall()
    have = dict(rows)
    want = {int(n): one["human"] for n, one in expected.items() if one["human"]}
    return sorted(n for n in have.keys() | want.keys() if have.get(n) != want.get(n))


def _edited_since(world: Path, instant: str) -> set[int]:
    """The threads with a comment that was edited after an instant."""
    files = [world / "comments.jsonl", world / "review_comments.jsonl"]
    lines = [line for file in files for line in file.read_text().splitlines()]
    return {
        row["_n"]
        for row in map(json.loads, lines)
        if any(edit["at"] >= instant for edit in row.get("_edits", ()))
    }


def table(found: list[Figures]) -> str:
    """The figures as lines of text."""
    lines = [
        f"{'mode':10}{'requests':>10}{'second run':>12}{'seconds':>9}"
        f"  {'completeness':14}{'wrong lists':13}"
        f"{'wrong velocities':18}of edited ones"
    ]
    lines += [
        f"{one.mode:10}{one.request_count:>10}{one.second_request_count:>12}"
        f"{one.seconds:>9.1f}  {one.completeness:14}"
        f"{len(one.wrong_lists):<13}{len(one.wrong_velocities):<18}"
        f"{len(one.edited_velocities)}"
        for one in found
    ]
    return "\n".join(lines) + "\n"


def main() -> None:
    """Measure both ways of fetching the day, and print the table."""
    if not SIMULATOR.exists():
        sys.exit("The simulator ../shared/ghserver is not here.")
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        world = build_world(place / "world")
        limits = ("--latency-ms", "100", "--rate-limit", "-1")
        flags = (*limits, "--now", "2026-03-20T04:00:00Z")
        modes = ("targeted", "full")
        found = [measure(mode, world, place / mode, *flags) for mode in modes]
    sys.stdout.write(table(found))


if __name__ == "__main__":
    main()
