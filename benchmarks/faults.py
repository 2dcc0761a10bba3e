"""Runs through everything that breaks, and what became of them: a Markdown tally.

    python -m benchmarks.faults            # 120 runs, seeds 0 to 119
    python -m benchmarks.faults 7 8 9      # these seeds

Each run covers a day with its baseline from the sample's server, which fails at the
rates that the seed deals: gateway errors, HTML, bodies cut short, lost connections,
stalls, limits. Some are killed, told to end, or run out of disk. A run is good if it
ends with the rows of an undisturbed one, or says in one line why it stopped and the
next run then has them; in all four tables, in every column but `fetched_at`.
"""

from __future__ import annotations

import os
import random
import resource
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import duckdb

from benchmarks.simulator import ROOT
from sample.github.exchange import Request, Response, refusal
from sample.server import Github, serve
from sample.world import build_world

TABLES = ("issues", "issue_comments", "review_comments", "issue_events")
ENDINGS = (
    "none",
    "killed at a time",
    "killed at a request",
    "told to end",
    "full disk",
)
UNICORN = b"<!DOCTYPE html><html><title>Unicorn!</title></html>"
# What a program that was stopped may end with, saying why; -9 says nothing.
STOPPED = (1, 3, 4, 5)


@dataclass(frozen=True)
class Trial:
    """What became of one seed; `wrong` says what must not be, or nothing."""

    seed: int
    ending: str
    code: int
    said: str
    faults: int
    wrong: str = ""


class Faults:
    """Deals faults to requests at the rates of a seed; a kill, if one is due."""

    def __init__(self, rng: random.Random) -> None:
        """Choose what goes wrong in this run, and how often."""
        self.kinds = rng.sample(list(KINDS), rng.randint(1, 5))
        self.rate = rng.choice([0.05, 0.1, 0.2, 0.3])
        self.count = 0
        self.kill_at = 0
        self.process: subprocess.Popen[str] | None = None
        self._rng = rng
        self._tried: Counter[str] = Counter()
        self._lock = threading.Lock()

    def __call__(self, request: Request) -> Response | None:
        """The fault that this request suffers, or None."""
        if self.kill_at and request.ordinal >= self.kill_at and self.process:
            self.process.kill()
        with self._lock:
            asked = f"{request.path}?{sorted(request.query.items())}"
            self._tried[asked] += 1
            # What fails more often than GitHub does is refused, and another law.
            if self._tried[asked] > 2 or self._rng.random() >= self.rate:
                return None
            self.count += 1
            return KINDS[self._rng.choice(self.kinds)](request)


KINDS: dict[str, Callable[[Request], Response | None]] = {
    "502": lambda request: Response(502, UNICORN),
    "500": lambda request: refusal(500, "Server Error"),
    "200 HTML": lambda request: Response(200, UNICORN),
    "no JSON": lambda request: Response(200, b'[{"id": 1, "bo'),
    "error object": lambda request: Response(200, {"message": "No.", "status": "403"}),
    "cut body": lambda request: Response(200, list(range(9_000)), cut_to=600),
    "drop": lambda request: Response(0, is_dropped=True),
    "stall": lambda request: Response(503, UNICORN, delay=0.3),
    "secondary": lambda request: refusal(
        403, "You have exceeded a secondary rate limit.", Retry_After="1"
    ),
    "404": lambda request: refusal(404, "Not Found"),
}


def limited(size: int) -> None:
    """Let this process write no file larger than that: as good as a full disk."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))


def program(
    github: Github,
    warehouse: Path,
    *,
    baseline_days: int,
    disk: int = 0,
) -> subprocess.Popen[str]:
    """`python -m pipelines cover`, started."""
    environ = {
        "PATH": os.environ["PATH"],
        "PYTHONPATH": str(ROOT),
        "GITHUB_API_URL": github.url,
        "WAREHOUSE": str(warehouse),
        "PROJECTS": str(ROOT / "sample" / "projects.toml"),
        "DATE": "2026-03-04",
        "BASELINE_DAYS": str(baseline_days),
        "MODE": "full",
        "MAX_WAIT": "60s",
    }
    return subprocess.Popen(
        [sys.executable, "-m", "pipelines", "cover"],
        cwd=ROOT,
        env=environ,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=partial(limited, disk) if disk else None,
    )


def rows(warehouse: Path) -> dict[str, list[Any]]:
    """All rows of GitHub's, in order, without the time they were fetched at."""
    with duckdb.connect(str(warehouse)) as connection:
        connection.execute("set timezone = 'UTC'")
        return {
            table: connection.execute(
                f"select * exclude fetched_at from raw_github.{table} order by all"
            ).fetchall()
            for table in TABLES
        }


def undisturbed(github: Github, warehouse: Path, *, baseline_days: int) -> Any:
    """The rows of a run to which nothing happens."""
    github.faults = None
    github.travel(github.world.now)
    _, errors = program(github, warehouse, baseline_days=baseline_days).communicate()
    if not warehouse.exists():
        raise RuntimeError(f"the undisturbed run failed: {errors}")
    return rows(warehouse)


def trial(
    seed: int, github: Github, clean: Any, place: Path, *, baseline_days: int = 28
) -> Trial:
    """One run through the faults of a seed, and the next one where it was stopped."""
    rng, ending = random.Random(seed), ENDINGS[seed % len(ENDINGS)]
    warehouse = place / f"{seed}.duckdb"
    faults = Faults(rng)
    disk = rng.randint(100_000, 4_000_000) if ending == "full disk" else 0
    if ending == "killed at a request":
        asked = len(github.requests)
        faults.kill_at = asked + rng.randint(1, 25)
    github.travel(github.world.now)
    github.faults = faults
    started = partial(program, github, warehouse, baseline_days=baseline_days)
    process = faults.process = started(disk=disk)
    if ending in ("killed at a time", "told to end"):
        end = signal.SIGKILL if ending == "killed at a time" else signal.SIGTERM
        threading.Timer(rng.uniform(0.3, 5.0), process.send_signal, [end]).start()
    _, errors = process.communicate(timeout=300)
    said = (errors.splitlines() or [""])[-1]
    code = process.returncode
    told = partial(Trial, seed, ending, code, said, faults.count)
    if code > 0 and (code not in STOPPED or not said or "Unexpected" in said):
        return told(wrong=f"stopped without saying why: {said}")
    if code:
        github.faults = None
        github.travel(github.world.now)
        again = started()
        _, errors = again.communicate(timeout=300)
        if again.returncode:
            return told(wrong=f"the next run ended with {again.returncode}: {errors}")
    different = [name for name, some in rows(warehouse).items() if some != clean[name]]
    left = [one.name for one in place.glob(f"{seed}.duckdb?*")]
    if different or left:
        return told(wrong=f"other rows in {different}, left behind {left}")
    warehouse.unlink()
    return told()


def tally(trials: Iterable[Trial]) -> str:
    """What became of them, by how they were ended, as a Markdown table."""
    counts: dict[str, Counter[str]] = {ending: Counter() for ending in ENDINGS}
    for one in trials:
        by = counts[one.ending]
        by["runs"] += 1
        by["faults"] += one.faults
        outcome = "equal" if one.code == 0 else "stopped, then equal"
        by["WRONG" if one.wrong else outcome] += 1
    names = ("runs", "faults", "equal", "stopped, then equal", "WRONG")
    lines = [["ended by", *names], ["---"] * 6]
    lines += [
        [ending, *(str(by[name]) for name in names)] for ending, by in counts.items()
    ]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def main(seeds: list[int]) -> int:
    """Run them all, print the tally; 1 if anything was wrong."""
    trials = []
    began = time.monotonic()
    with (
        tempfile.TemporaryDirectory() as folder,
        serve(build_world()) as github,
    ):
        clean = undisturbed(github, Path(folder, "clean.duckdb"), baseline_days=28)
        for seed in seeds:
            one = trial(seed, github, clean, Path(folder))
            trials.append(one)
            wrong = f" WRONG: {one.wrong}" if one.wrong else ""
            sys.stderr.write(f"{seed} {one.ending}: {one.code} {one.said}{wrong}\n")
    sys.stdout.write(tally(trials))
    row_count = sum(map(len, clean.values()))
    seconds = time.monotonic() - began
    sys.stdout.write(
        f"\n{len(trials)} runs of {row_count:,} rows in {seconds:.0f} s.\n"
    )
    return int(any(one.wrong for one in trials))


if __name__ == "__main__":
    sys.exit(main([int(seed) for seed in sys.argv[1:]] or list(range(120))))
