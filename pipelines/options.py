"""Fetch, keep and publish what GitHub has of projects.

Every option can also be a variable of the environment, named in capitals; the option
wins, and an empty value counts as none. The token is only ever a variable.
"""

from __future__ import annotations

import argparse
from typing import Any, NoReturn

from pipelines.exits import MisconfiguredError
from pipelines.warehouse import LOCK_WAIT

COMMANDS = {
    "cover": "fetch what a window still needs, and ask for it to be built",
    "sync": "bring every stream up to now",
    "backfill": "fetch what is missing between two days",
    "reconcile": "look for threads and comments that are gone from GitHub",
    "details": "read on at the sizes, files and reviews of asked windows",
    "coverage": "print what is known to be complete",
    "register": "create the raw tables, without asking GitHub",
    "publish": "copy what was built to history.duckdb beside the warehouse",
}

# What can be done for every project in one go.
FOR_ALL = ("cover", "sync", "backfill", "reconcile", "details")

# Option, default, what it is.
OPTIONS = (
    ("date", None, "the window's day, e.g. 2026-03-04; default: the last complete one"),
    ("kind", None, "day (default), week or month"),
    ("project", None, "a name of the projects file, or all; default: its first"),
    ("at", None, "start of a custom window, local time, e.g. 20:17 (with --hours)"),
    ("hours", None, "length of a custom window (with --at)"),
    ("from", None, "backfill: the first day"),
    ("to", None, "backfill: the last day; default: up to now"),
    ("projects", "projects.toml", "the file of the watched repositories"),
    ("warehouse", "data/warehouse.duckdb", "the DuckDB file to fill"),
    ("github-api-url", "https://api.github.com", "where to ask"),
    ("baseline-days", "28", "how far before the window a first fetch reaches"),
    ("mode", "auto", "how to fetch an uncovered window: auto, full or targeted"),
    ("allow-partial", None, "1: go on with an incomplete window"),
    ("max-wait", None, "longest waiting for GitHub's limits in all, e.g. 90s, 15m, 2h"),
    ("detail-requests", None, "requests to spend on sizes, files and reviews"),
    ("lock-wait", str(LOCK_WAIT), "seconds to wait for another writer"),
    ("parquet", None, "1: publish the tables as Parquet files too"),
)

SWITCHES = ("parquet",)

# Someone may be looking at a report's terminal; nobody looks at a backfill's.
MAX_WAIT = {
    "cover": "15m",
    "sync": "2h",
    "backfill": "12h",
    "reconcile": "12h",
    "details": "2h",
}
# How many requests each command spends on sizes, files and reviews, with a token only.
DETAIL_REQUESTS = {"cover": "30", "sync": "400", "backfill": "400", "details": "4000"}


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise MisconfiguredError(f"{message}; see python -m pipelines --help.")


def parser() -> argparse.ArgumentParser:
    """Reads a command line; MisconfiguredError for one that is wrong."""
    found = _Parser(prog="python -m pipelines", description=__doc__, allow_abbrev=False)
    commands = found.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for command, description in COMMANDS.items():
        one = commands.add_parser(
            command, help=description, description=description, allow_abbrev=False
        )
        one.add_argument(
            "--all", action="store_const", const="1", help="every project in turn"
        )
        for name, default, what in OPTIONS:
            shown = f"{what} [{default}]" if default else what
            # A switch that is given without a value is on.
            bare: dict[str, Any] = (
                {"nargs": "?", "const": "1"} if name in SWITCHES else {}
            )
            one.add_argument(f"--{name}", dest=name, help=shown, metavar="…", **bare)
    return found
