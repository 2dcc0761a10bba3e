"""The command line and the environment as checked values.

Every option can also be a variable of the environment, named in capitals; the option
wins, and an empty value counts as none, as make passes those.
"""

import argparse
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import partial
from pathlib import Path
from typing import NoReturn

from pipelines.exits import MisconfiguredError
from pipelines.projects import Project, chosen, read_projects
from pipelines.values import switch, whole
from pipelines.windows import (
    KINDS,
    Window,
    calendar_window,
    custom_window,
    parse_clock,
    parse_date,
)

OPTIONS = (
    ("project", None, "a name of the projects file; default: its first"),
    ("date", None, "the window's day, e.g. 2026-03-04; default: the last complete one"),
    ("kind", None, "day (default), week or month"),
    ("at", None, "start of a custom window, local time, e.g. 20:17 (with --hours)"),
    ("hours", None, "length of a custom window (with --at)"),
    ("locale", "zh", "language of the report"),
    ("warehouse", "data/warehouse.duckdb", "the DuckDB file to read"),
    ("build-dir", "build", "where reports go"),
    ("projects", "projects.toml", "the file of the watched repositories"),
    ("allow-partial", None, "1: report an incomplete window, with a banner saying so"),
)
"""Name, default, and what it is."""

# Longer ones are in no warehouse; this only keeps numbers sane.
MAX_HOURS = 9999
ANY_DAY = date(2026, 3, 4)


@dataclass(frozen=True)
class Settings:
    """What to report, from where, to where."""

    project: str
    kind: str
    window_id: str | None
    """None: the newest complete window of the kind."""
    name_ending: str
    """What such a window's id ends with: a custom one's start and hours, or nothing."""
    language: str
    warehouse: Path
    build_dir: Path
    allows_partial: bool


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise MisconfiguredError(f"{message}; see python -m render --help.")


def parse(arguments: Sequence[str], environ: Mapping[str, str]) -> Settings:
    """The checked settings; MisconfiguredError with one line for what is wrong."""
    options = vars(_parser().parse_args(arguments))
    given = {
        name: options[name] or environ.get(name.upper().replace("-", "_")) or default
        for name, default, _ in OPTIONS
    }
    try:
        return _checked(given)
    except ValueError as error:
        raise MisconfiguredError(f"{error}.") from None


def _parser() -> _Parser:
    parser = _Parser(prog="python -m render", description=__doc__, allow_abbrev=False)
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    told = "write one window's report, as Markdown and as a page"
    command = commands.add_parser(
        "day", help=told, description=told, allow_abbrev=False
    )
    for name, default, what in OPTIONS:
        shown = f"{what} [{default}]" if default else what
        command.add_argument(f"--{name}", dest=name, help=shown, metavar="…")
    return parser


def _checked(given: Mapping[str, str | None]) -> Settings:
    project = chosen(read_projects(Path(given["projects"] or "")), given["project"])
    of_day = _window_maker(project, given["kind"], given["at"], given["hours"])
    example = of_day(ANY_DAY)
    day = None if given["date"] is None else parse_date(given["date"])
    return Settings(
        project=project.name,
        kind=example.kind,
        window_id=None if day is None else of_day(day).window_id,
        name_ending=example.window_id.partition("T")[2],
        language=given["locale"] or "",
        warehouse=Path(given["warehouse"] or ""),
        build_dir=Path(given["build-dir"] or ""),
        allows_partial=switch(given["allow-partial"], "ALLOW_PARTIAL"),
    )


def _window_maker(
    project: Project, kind: str | None, at: str | None, hours: str | None
) -> Callable[[date], Window]:
    """What names the window that lies around a day; ValueError where that is unclear.

    A start and hours make a custom window, as they do for the extractor.
    """
    if kind is not None and kind not in KINDS:
        raise ValueError(f"KIND={kind} is none of {', '.join(KINDS)}")
    if at is None and hours is None and kind != "custom":
        clock, zone = project.clock, project.zone
        kind = kind or "day"
        return partial(calendar_window, project.name, kind, clock=clock, zone=zone)
    if at is None or hours is None:
        raise ValueError("A custom window needs AT and HOURS, e.g. AT=20:17 HOURS=1")
    if kind in ("week", "month"):
        raise ValueError(f"KIND={kind} and AT exclude each other")
    return partial(
        custom_window,
        project.name,
        clock=parse_clock(at),
        hours=whole(hours, "HOURS", 1, MAX_HOURS),
        zone=project.zone,
    )
