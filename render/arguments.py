"""The command line and the environment as checked values.

Every option can also be a variable of the environment, named in capitals; the option
wins, and an empty value counts as none, as make passes those.
"""

import argparse
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import partial
from pathlib import Path
from typing import NoReturn

from pipelines.cli import switch, whole
from pipelines.errors import MisconfiguredError
from pipelines.projects import Project, chosen, read_projects
from pipelines.windows import (
    KINDS,
    Window,
    calendar_window,
    custom_window,
    parse_clock,
    parse_date,
)
from render.escaping import safe_url

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
    ("site-url", "", "where the site will be found, for its feed, e.g. https://…/"),
)
"""Name, default, and what it is."""

COMMANDS = {
    "day": (
        "write one window's report: as Markdown, as a page and as JSON",
        tuple(name for name, _, _ in OPTIONS if name != "site-url"),
    ),
    "check": (
        "refuse what `day` would refuse of its arguments, before anything is fetched",
        tuple(name for name, _, _ in OPTIONS if name != "site-url"),
    ),
    "site": (
        "write the site of all complete windows, reusing what has not changed",
        ("warehouse", "build-dir", "site-url"),
    ),
}
"""What each command does, and the options it knows."""

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
    is_default_project: bool = True
    """Whether no PROJECT need be named for it."""
    is_check: bool = False
    """Whether only the settings are to be checked."""


@dataclass(frozen=True)
class SiteSettings:
    """What the site is made from, and where it goes."""

    warehouse: Path
    build_dir: Path
    site_url: str
    """Ends with a slash; empty where it is not known."""


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise MisconfiguredError(f"{message}; see python -m render --help.")


def parse(
    arguments: Sequence[str], environ: Mapping[str, str]
) -> Settings | SiteSettings:
    """The checked settings; MisconfiguredError with one line for what is wrong."""
    options = vars(_parser().parse_args(arguments))
    given = {
        name: options.get(name)
        or environ.get(name.upper().replace("-", "_"))
        or default
        for name, default, _ in OPTIONS
    }
    try:
        if options["command"] == "site":
            return _of_site(given)
        return replace(_checked(given), is_check=options["command"] == "check")
    except ValueError as error:
        raise MisconfiguredError(f"{error}.") from None


def _parser() -> _Parser:
    parser = _Parser(prog="python -m render", description=__doc__, allow_abbrev=False)
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for name, (told, known) in COMMANDS.items():
        command = commands.add_parser(
            name, help=told, description=told, allow_abbrev=False
        )
        for option, default, what in OPTIONS:
            if option in known:
                shown = f"{what} [{default}]" if default else what
                command.add_argument(
                    f"--{option}", dest=option, help=shown, metavar="…"
                )
    return parser


def _of_site(given: Mapping[str, str | None]) -> SiteSettings:
    site_url = given["site-url"] or ""
    if site_url and safe_url(site_url) is None:
        raise ValueError(f"SITE_URL={site_url} is no plain https address")
    return SiteSettings(
        warehouse=Path(given["warehouse"] or ""),
        build_dir=Path(given["build-dir"] or ""),
        site_url=site_url and site_url.rstrip("/") + "/",
    )


def _checked(given: Mapping[str, str | None]) -> Settings:
    projects = read_projects(Path(given["projects"] or ""))
    project = chosen(projects, given["project"])
    of_day = _window_maker(project, given["kind"], given["at"], given["hours"])
    example = of_day(ANY_DAY)
    day = None if given["date"] is None else parse_date(given["date"])
    return Settings(
        project=project.name,
        is_default_project=project == chosen(projects, None),
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
