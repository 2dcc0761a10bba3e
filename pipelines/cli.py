"""Fetch, keep and publish what GitHub has of projects.

Every option can also be a variable of the environment, named in capitals; the option
wins, and an empty value counts as none. The token is only ever a variable.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import partial
from pathlib import Path
from typing import Any, NoReturn, TypeVar
from urllib.parse import urlsplit

from pipelines.errors import MisconfiguredError
from pipelines.projects import ALL, Project, Settings, chosen, read_projects
from pipelines.warehouse import LOCK_WAIT
from pipelines.windows import (
    KINDS,
    Window,
    calendar_window,
    custom_window,
    parse_clock,
    parse_date,
)

SECONDS = {"": 1, "s": 1, "m": 60, "h": 3600}


def whole(text: str, name: str, least: int, most: int) -> int:
    """A whole number within bounds, written in plain digits."""
    if not re.fullmatch(r"\d{1,9}", text, re.ASCII) or not least <= int(text) <= most:
        raise ValueError(f"{name}={text} is no whole number from {least} to {most}")
    return int(text)


def seconds(text: str, name: str) -> float:
    """A stretch of time like `90s`, `15m` or `2h`; plain numbers are seconds.

    >>> seconds("15m", "max-wait")
    900.0
    """
    found = re.fullmatch(r"(\d{1,7}(?:\.\d+)?)([smh]?)", text, re.ASCII)
    if not found:
        raise ValueError(f"{name} {text!r} is no time like 90s, 15m or 2h")
    return float(found[1]) * SECONDS[found[2]]


def switch(text: str | None, name: str) -> bool:
    """Off when unset or 0, on when 1."""
    if text not in (None, "0", "1"):
        raise ValueError(f"{name}={text} is neither 0 nor 1")
    return text == "1"


def api_url_of(text: str) -> str:
    """The address of an API, without a slash at its end."""
    wrong = f"GITHUB_API_URL={text!r} is no address like https://api.github.com"
    try:
        parts = urlsplit(text)
        is_port_fine = parts.port is None or parts.port > 0
    except ValueError:
        raise ValueError(wrong) from None
    if "@" in parts.netloc:
        raise ValueError("GITHUB_API_URL must not hold a name or password")
    is_plain = not parts.query and not parts.fragment and text.isascii()
    has_host = bool(parts.hostname) and parts.scheme in ("http", "https")
    if not (is_port_fine and is_plain and has_host and " " not in text):
        raise ValueError(wrong)
    return text.rstrip("/")


def token_of(text: str) -> str | None:
    """The tokens with a comma between two, or None where there is none.

    They may come with blanks or commas between them. What cannot stand in a header is
    refused without showing it.
    """
    if not re.fullmatch(r"[\x21-\x7e\s]*", text, re.ASCII):
        raise ValueError("GITHUB_TOKEN holds characters that no token_of has")
    return ",".join(dict.fromkeys(re.split(r"[,\s]+", text.strip(", \t\r\n")))) or None


def mode_of(text: str) -> str:
    """How an uncovered window is fetched."""
    if text not in ("auto", "full", "targeted"):
        raise ValueError(f"MODE={text} is none of auto, full, targeted")
    return text


MAX_HOURS = 31 * 24

T = TypeVar("T")


def day_of(name: str, text: str | None) -> date | None:
    """The day that a text names; None where there is none."""
    return None if text is None else _read(name, parse_date, text)


def window_maker(
    project: Project, kind: str | None, at: str | None, hours: str | None
) -> Callable[[date], Window]:
    """What gives the window of a day, of the asked kind."""
    if kind is not None and kind not in KINDS:
        raise ValueError(f"KIND={kind} is none of day, week, month")
    if (at is None) != (hours is None):
        raise ValueError("AT and HOURS go together, e.g. AT=20:17 HOURS=1")
    if at is None or hours is None:
        if kind == "custom":
            raise ValueError("A custom window needs AT and HOURS")
        return partial(
            calendar_window,
            project.name,
            kind or "day",
            clock=project.clock,
            zone=project.zone,
        )
    if kind in ("week", "month"):
        raise ValueError(f"KIND={kind} and AT exclude each other")
    return partial(
        custom_window,
        project.name,
        clock=_read("AT", parse_clock, at),
        hours=whole(hours, "HOURS", 1, MAX_HOURS),
        zone=project.zone,
    )


def span(
    project: Project, first: str | None, last: str | None
) -> tuple[Window, Window | None]:
    """The windows of the first and the last day of a backfill."""
    since, until = day_of("FROM", first), day_of("TO", last)
    if since is None:
        raise ValueError("A backfill needs its first day, e.g. FROM=2026-02-01")
    if until is not None and until < since:
        raise ValueError(f"FROM={since} is after TO={until}")
    clock, zone = project.clock, project.zone
    of_day = partial(calendar_window, project.name, "day", clock=clock, zone=zone)
    return of_day(since), None if until is None else of_day(until)


def _read(name: str, read: Callable[[str], T], text: str) -> T:
    try:
        return read(text)
    except ValueError as error:
        raise ValueError(f"{name}: {error}") from None


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


MOST_REQUESTS = 1_000_000
MAX_BASELINE_DAYS = 3660


@dataclass(frozen=True)
class Arguments:
    """A command and what it is told. `of_day` names the asked kind of window.

    `of_each` holds the same for every project, where all are meant.
    """

    command: str
    settings: Settings
    of_day: Callable[[date], Window]
    day: date | None
    since: Window | None
    until: Window | None
    of_each: tuple[Arguments, ...] = ()


def parse(argv: Sequence[str], environ: Mapping[str, str]) -> Arguments:
    """The checked arguments; MisconfiguredError with one line for what is wrong."""
    given = vars(parser().parse_args(argv))
    command = given.pop("command")
    told = {
        name: given[name] or environ.get(name.upper().replace("-", "_"), "") or default
        for name, default, _ in OPTIONS
    }
    every = given["all"] or environ.get("ALL", "") or None
    try:
        token = environ.get("GITHUB_TOKEN", "").strip()
        if not _are_all_meant(command, switch(every, "ALL"), told["project"]):
            return _checked(command, told, token)
        names = read_projects(Path(told["projects"] or ""))
        each = [_checked(command, {**told, "project": name}, token) for name in names]
        return replace(each[0], of_each=tuple(each))
    except ValueError as error:
        raise MisconfiguredError(f"{error}.") from None


def _are_all_meant(command: str, every: bool, project: str | None) -> bool:
    if every and project not in (None, ALL):
        raise ValueError(f"ALL and PROJECT={project} exclude each other")
    if not every and project != ALL:
        return False
    if command not in FOR_ALL:
        raise ValueError(f"ALL goes with {', '.join(FOR_ALL)}; not with {command}")
    return True


def _checked(command: str, given: Mapping[str, str | None], token: str) -> Arguments:
    projects = read_projects(Path(given["projects"] or ""))
    project = chosen(projects, given["project"])
    settings = Settings(
        project=project,
        projects=tuple(projects.values()),
        api_url=api_url_of(given["github-api-url"] or ""),
        warehouse=Path(given["warehouse"] or ""),
        token=token_of(token),
        baseline_days=whole(
            given["baseline-days"] or "", "BASELINE_DAYS", 0, MAX_BASELINE_DAYS
        ),
        allow_partial=switch(given["allow-partial"], "ALLOW_PARTIAL"),
        max_wait=seconds(given["max-wait"] or MAX_WAIT.get(command, "0"), "max-wait"),
        lock_wait=seconds(given["lock-wait"] or "", "lock-wait"),
        mode=mode_of(given["mode"] or ""),
        parquet=switch(given["parquet"], "PARQUET"),
        detail_requests=whole(
            given["detail-requests"] or DETAIL_REQUESTS.get(command, "0"),
            "DETAIL_REQUESTS",
            0,
            MOST_REQUESTS,
        ),
    )
    of_day = window_maker(project, given["kind"], given["at"], given["hours"])
    day = day_of("DATE", given["date"])
    since, until = None, None
    if command == "backfill":
        since, until = span(project, given["from"], given["to"])
    return Arguments(command, settings, of_day, day, since, until)
