"""What the models cost: the whole history once, then a day more, at two sizes.

    python -m benchmarks.modelling [--threads 55000] [--folder build/bench]

A made-up history of 55,000 threads, 500,000 comments and a million events over three
years, and a tenth of it over a tenth of the days; the same day is added to both.
"""

from __future__ import annotations

import argparse
import os
import re
import resource
import shutil
import statistics
import subprocess
import sys
import time
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

import duckdb

HERE = Path(__file__).parent
ROOT = HERE.parent
END = datetime(2026, 3, 5, 3, 24, tzinfo=UTC)
DAYS = 1000
SETTLED = timedelta(minutes=15)
MODELS_ONLY = ("--quiet", "--exclude-resource-types", "test", "unit_test")


@dataclass(frozen=True)
class Cost:
    """Of one build: seconds with start-up, seconds in SQL, peak memory in MB."""

    seconds: float
    sql_seconds: float
    peak_mb: int


def made_up(warehouse: Path, threads: int, days: int) -> None:
    """A history up to a day before its end, as a sync would have left it."""
    warehouse.unlink(missing_ok=True)
    register = [sys.executable, "-m", "pipelines", "register"]
    environment = {**os.environ, "WAREHOUSE": str(warehouse)}
    subprocess.run(register, cwd=ROOT, env=environment, check=True, capture_output=True)
    load(warehouse, threads, days, datetime(1990, 1, 1, tzinfo=UTC), day_before(END))


def day_before(instant: datetime) -> datetime:
    """The same time, a day earlier."""
    return instant - timedelta(days=1)


def load(
    warehouse: Path, threads: int, days: int, since: datetime, until: datetime
) -> None:
    """Write all that happened in the interval as one load."""
    with duckdb.connect(str(warehouse)) as connection:
        connection.execute("set timezone = 'UTC'")
        for name, value in (
            ("threads_count", threads),
            ("comments_count", threads * 500 // 55),
            ("events_count", threads * 1000 // 55),
            ("days", days),
            ("since", since + SETTLED),
            ("until", until + SETTLED),
        ):
            connection.execute(f"set variable {name} = $value", {"value": value})
        connection.execute((HERE / "history.sql").read_text("utf-8"))
        connection.execute((HERE / "history_loaded.sql").read_text("utf-8"))
        connection.execute("checkpoint")


def built(warehouse: Path, folder: Path) -> Cost:
    """What the models of `make report` cost on this warehouse."""
    logs = folder / "logs"
    shutil.rmtree(logs, ignore_errors=True)
    began = time.monotonic()
    done = subprocess.run(
        [
            *(str(Path(sys.executable).parent / "dbt"), "build", *MODELS_ONLY),
            *("--project-dir", "dbt_project", "--profiles-dir", "."),
        ],
        cwd=ROOT,
        env={
            **os.environ,
            "WAREHOUSE": str(warehouse),
            "DBT_TARGET_PATH": str(folder / "target"),
            "DBT_LOG_PATH": str(logs),
            "DBT_SEND_ANONYMOUS_USAGE_STATS": "false",
        },
        capture_output=True,
        text=True,
        check=False,
    )
    seconds = time.monotonic() - began
    if done.returncode:
        raise SystemExit(done.stdout[-2000:] + done.stderr[-2000:])
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024
    statuses = re.findall(
        r"SQL status: \S+ in ([0-9.]+) seconds", (logs / "dbt.log").read_text("utf-8")
    )
    return Cost(seconds, sum(map(float, statuses)), peak)


def asked(warehouse: Path, days: int) -> tuple[float, float]:
    """Median and worst of `marts.window_counts` for days of all history, in ms."""
    with duckdb.connect(str(warehouse), read_only=True) as connection:
        connection.execute("set timezone = 'UTC'")
        took = []
        for back in range(1, days, max(1, days // 40)):
            day = END - timedelta(days=back)
            began = time.monotonic()
            connection.execute(
                "from marts.window_counts('vllm', ?, ?)", [day_before(day), day]
            ).fetchall()
            took.append((time.monotonic() - began) * 1000)
    return statistics.median(took), max(took)


def measured(folder: Path, threads: int, days: int) -> str:
    """The lines of the table for one size."""
    warehouse = folder / f"history-{threads}.duckdb"
    made_up(warehouse, threads, days)
    whole = built(warehouse, folder)
    load(warehouse, threads, days, day_before(END), END)
    day = built(warehouse, folder)
    again = built(warehouse, folder)
    median, worst = asked(warehouse, days)
    return "\n".join(
        f"| {threads:,} | {what} | {cost.seconds:.1f} | {cost.sql_seconds:.1f} |"
        f" {cost.peak_mb:,} |"
        for what, cost in (("whole", whole), ("a day more", day), ("nothing", again))
    ) + (
        f"\n| {threads:,} | `window_counts` | {median:.0f} ms median, "
        f"{worst:.0f} ms at most | | |"
    )


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--threads", type=int, default=55_000)
    parser.add_argument("--folder", type=Path, default=ROOT / "build" / "bench")
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    load_average = os.getloadavg()[0]
    lines = [
        f"Load when it began: {load_average:.1f}",
        "",
        "| threads | build | seconds | of them in SQL | peak MB |",
        "|---:|---|---:|---:|---:|",
    ]
    # The smaller first: the peak is that of all children so far.
    for threads, days in (
        (options.threads // 10, DAYS // 10),
        (options.threads, DAYS),
    ):
        lines.append(measured(options.folder, threads, days))
    sys.stdout.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
