"""How fast extraction is, how much it holds, and what it asks: a Markdown table.

    python -m benchmarks.extraction                     # all tables
    python -m benchmarks.extraction bulk 30k            # one size

Bulk: a first sync of a world of so many rows, from HTTP to queryable tables, against a
bare loop that only downloads and parses the same pages, one after the other, from the
same server. Both are processes of their own, started anew for every measurement.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import duckdb

from benchmarks.simulator import FOLDER, ROOT, Server, build_world, running, simulated

# Name, threads in the background, comments on each; the rows that come of it.
SIZES = {"30k": (3_000, 4), "100k": (8_000, 8), "400k": (32_000, 8)}
# The simulator sorts its rows for every page: half an hour of it at the largest size,
# which is measured when it is asked for (--served simulator).
SERVED = {"30k": ["simulator", "memory"], "100k": ["simulator", "memory"]}
SERVED["400k"] = ["memory"]
LATENCY = 0.1  # seconds, of every answer on an incremental day
TABLES = ("issues", "issue_comments", "review_comments", "issue_events")
# The events' cap is GitHub's and would end a sync of years with exit code 3.
UNCAPPED = ("--max-rows", "100000000")

BARE = """
import sys
import orjson, requests
session = requests.Session()
session.headers["User-Agent"] = "bare-loop"
for line in sys.stdin.read().splitlines():
    orjson.loads(session.get(line).content)
"""


@dataclass(frozen=True)
class Measured:
    """One process that came to its end: seconds, and megabytes at its largest."""

    seconds: float
    cpu_seconds: float
    peak_mb: float
    said: str


class Held(threading.Thread):
    """Looks, five times a second, at what a process and its children hold together."""

    def __init__(self, pid: int) -> None:
        """Begin to look; it ends when the process does."""
        super().__init__(daemon=True)
        self._pid = pid
        self._peak_kb = 0
        self.start()

    def run(self) -> None:
        """What several of them share is counted once."""
        with suppress(OSError):
            while True:
                told = Path(f"/proc/{self._pid}/task/{self._pid}/children").read_text()
                pids = [self._pid, *map(int, told.split())]
                self._peak_kb = max(self._peak_kb, sum(map(proportional_kb, pids)))
                time.sleep(0.2)

    def peak_mb(self) -> float:
        """The most that was seen."""
        self.join()
        return self._peak_kb / 1024


def proportional_kb(pid: int) -> int:
    """What a process holds, with its share of what it shares; 0 where it is gone."""
    with suppress(OSError):
        told = Path(f"/proc/{pid}/smaps_rollup").read_text()
        if found := re.search(r"^Pss: +(\d+)", told, re.M):
            return int(found[1])
    return 0


def measured(command: list[str], given: str = "", **environ: str) -> Measured:
    """Run a program to its end; RuntimeError with its last line if it failed."""
    began = time.monotonic()
    kept = {"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT), **environ}
    with (
        tempfile.TemporaryFile("w+") as said,
        tempfile.TemporaryFile("w+") as told,
    ):
        told.write(given)
        told.seek(0)
        process = subprocess.Popen(
            command, cwd=ROOT, env=kept, stdin=told, stdout=said, stderr=said
        )
        held = Held(process.pid)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        seconds = time.monotonic() - began
        said.seek(0)
        lines = said.read().splitlines() or [""]
    if process.returncode:
        raise RuntimeError(
            f"{command[:4]} ended with {process.returncode}: {lines[-1]}"
        )
    cpu = usage.ru_utime + usage.ru_stime
    peak = max(held.peak_mb(), usage.ru_maxrss / 1024)
    return Measured(seconds, cpu, peak, lines[-1])


def synced(url: str, warehouse: Path, *argv: str) -> Measured:
    """A sync from the beginning of the world on, into this warehouse."""
    command = [sys.executable, "-m", "pipelines", *(argv or ("backfill",))]
    return measured(
        command,
        FROM="2023-01-01",
        GITHUB_API_URL=url,
        WAREHOUSE=str(warehouse),
        PROJECTS=str(ROOT / "projects.toml"),
    )


def row_count(warehouse: Path) -> int:
    """The rows of GitHub's in a warehouse."""
    with duckdb.connect(str(warehouse), read_only=True) as connection:
        counts = [
            connection.execute(f"select count(*) from raw_github.{one}").fetchall()
            for one in TABLES
        ]
    return sum(int(count) for [(count,)] in counts)


@contextmanager
def replayed(upstream: Server, folder: Path) -> Iterator[Server]:
    """A server that answers from memory what the other one has answered once."""
    command = [sys.executable, "-m", "benchmarks.replay", "--upstream", upstream.url]
    with running([*command, "--log", str(folder / "log")], folder) as server:
        yield server


def bulk(name: str, place: Path, served: list[str]) -> Iterator[dict[str, Any]]:
    """Measure one size, on the simulator and with its answers in memory."""
    background, each = SIZES[name]
    world = build_world(
        place / f"world-{name}", background=background, comments_each=each
    )
    with (
        simulated(world, place / "simulator", *UNCAPPED) as simulator,
        replayed(simulator, place / "replay") as memory,
    ):
        by_name = {"simulator": simulator, "memory": memory}
        for server in (by_name[one] for one in served):
            warehouse = place / f"{name}.duckdb"
            if server is memory:  # so that the answers are remembered
                warehouse.unlink(missing_ok=True)
                synced(server.url, warehouse)
            warehouse.unlink(missing_ok=True)
            asked = len(server.requests())
            ours = synced(server.url, warehouse)
            log = server.requests()[asked:]
            urls = [f"{server.url}{one['path']}?{one['query']}" for one in log]
            bare = measured([sys.executable, "-c", BARE], "\n".join(urls))
            yield {
                "rows": row_count(warehouse),
                "server": "memory" if server is memory else "simulator",
                "requests": len(urls),
                "bare loop s": bare.seconds,
                "sync s": ours.seconds,
                "ratio": ours.seconds / bare.seconds,
                "bare CPU s": bare.cpu_seconds,
                "sync CPU s": ours.cpu_seconds,
                "CPU ratio": ours.cpu_seconds / bare.cpu_seconds,
                "peak MB": ours.peak_mb,
            }
            warehouse.unlink()


def incremental(place: Path) -> Iterator[dict[str, Any]]:
    """A day on top of what is loaded, 100 ms away: requests, and time in HTTP."""
    world = build_world(place / "world-day", background=3_000, comments_each=4)
    flags = ("--latency-ms", "100", "--now")
    warehouse = place / "day.duckdb"
    warehouse.unlink(missing_ok=True)
    with simulated(world, place / "before", *flags, "2026-03-04T04:00:00Z") as one:
        synced(one.url, warehouse, "sync")
    with simulated(world, place / "after", *flags, "2026-03-05T04:00:00Z") as two:
        synced(two.url, warehouse, "sync")
        log = two.requests()
    warehouse.unlink()
    by_list: dict[str, list[dict[str, Any]]] = {}
    for one_request in log:
        by_list.setdefault(list_of(one_request["path"]), []).append(one_request)
    for name, some in by_list.items():
        row_count = sum(one["items"] for one in some)
        yield {
            "list": name or "the repository",
            "rows": row_count,
            "requests": len(some),
            "allowed": -(-row_count // 100) + 2,
        }
    in_http = log[-1]["t"] + log[-1]["ms"] / 1000 - log[0]["t"]
    chain = longest_chain(by_list)
    ideal = LATENCY * len(chain)
    told = sum(one["ms"] for one in chain) / 1000
    yield {
        "list": f"all: {in_http:.2f} s from the first request to the last answer",
        "rows": sum(one["items"] for one in log),
        "requests": len(log),
        "allowed": f"{in_http / ideal:.2f} x the {ideal:.1f} s of latency alone, "
        f"{in_http / told:.2f} x the {told:.1f} s the server took",
    }


def list_of(path: str) -> str:
    """A list's path below its repository's, by name or by number."""
    return re.sub(r"^/(repos/[^/]+/[^/]+|repositories/\d+)", "", path)


# Lists that must follow each other, by path.
CHAINS = (("/issues", "/issues/events"), ("/issues/comments",), ("/pulls/comments",))


def longest_chain(by_list: dict[str, list[dict[str, Any]]]) -> list[dict[str, Any]]:
    """The requests that must follow each other: the repository, then a chain's."""
    chains = [
        [one for path in some for one in by_list.get(path, [])] for some in CHAINS
    ]
    return by_list[""] + max(chains, key=len)


def table(rows: list[dict[str, Any]]) -> str:
    """The rows as a Markdown table."""

    def shown(value: Any) -> str:
        if isinstance(value, float):
            return f"{value:.2f}" if value < 10 else f"{value:.0f}"
        return f"{value:,}" if isinstance(value, int) else str(value)

    lines = [" | ".join(rows[0]), " | ".join("---" for _ in rows[0])]
    lines += [" | ".join(map(shown, row.values())) for row in rows]
    return "".join(f"| {line} |\n" for line in lines)


def main() -> None:
    """Measure what was asked for, and print it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", nargs="?", choices=["bulk", "day"])
    parser.add_argument("sizes", nargs="*", default=list(SIZES))
    parser.add_argument("--served", nargs="*", choices=SERVED["30k"])
    parser.add_argument("--place", type=Path, default=ROOT / "build" / "benchmarks")
    told = parser.parse_args()
    if not FOLDER.exists():
        sys.exit(f"There is no simulator at {FOLDER}: nothing can be measured.")
    load = os.getloadavg()[0]
    sys.stdout.write(f"Load of the machine at the beginning: {load:.1f}\n\n")
    if told.what in (None, "bulk"):
        rows = [
            row
            for size in told.sizes
            for row in bulk(size, told.place, told.served or SERVED[size])
        ]
        sys.stdout.write(table(rows) + "\n")
    if told.what in (None, "day"):
        sys.stdout.write(table(list(incremental(told.place))))


if __name__ == "__main__":
    main()
