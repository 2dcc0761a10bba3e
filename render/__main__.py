"""`python -m render day`: writes one window's report, Markdown and HTML.

Prints the two paths. Every option is also an environment variable of the same name in
capitals; the option wins. Exit codes are those of `pipelines.exits`.
"""

import argparse
import os
import re
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from pipelines import __version__
from pipelines.exits import IncompleteError, MisconfiguredError, run
from pipelines.projects import Project, chosen, read_projects
from pipelines.windows import (
    KINDS,
    calendar_window,
    custom_window,
    parse_clock,
    parse_date,
)
from render.assemble import assemble
from render.engine import FORMATS, render
from render.publish import publish, report_path
from render.warehouse import is_complete, latest_complete, open_warehouse, read_frames
from render.words import read_words

OPTIONS = {
    "project": "name in projects.toml; default: its first",
    "date": "the window's local date, e.g. 2026-03-04; default: the last complete one",
    "kind": "day (default), week, month or custom",
    "at": "local start of a custom window, e.g. 20:17",
    "hours": "length of a custom window in hours",
    "locale": "language of the report; default: zh",
    "warehouse": "DuckDB file; default: data/warehouse.duckdb",
    "build_dir": "where reports go; default: build",
    "projects": "the projects file; default: projects.toml",
}


@dataclass(frozen=True)
class Settings:
    """What to report, from where, to where."""

    project: Project
    kind: str
    window_id: str | None
    """None: the newest complete window of the kind."""
    language: str
    warehouse: Path
    build_dir: Path
    allows_partial: bool


def settings(arguments: Sequence[str], environ: Mapping[str, str]) -> Settings:
    """Options over environment over defaults; MisconfiguredError says what is wrong."""
    given = _given(arguments, environ)
    project = chosen(
        read_projects(Path(given.get("projects", "projects.toml"))),
        given.get("project"),
    )
    kind = given.get("kind", "custom" if "at" in given or "hours" in given else "day")
    if kind not in KINDS:
        raise MisconfiguredError(f"KIND is one of {', '.join(KINDS)}, not {kind!r}.")
    return Settings(
        project=project,
        kind=kind,
        window_id=_window_id(project, kind, given),
        language=given.get("locale", "zh"),
        warehouse=Path(given.get("warehouse", "data/warehouse.duckdb")),
        build_dir=Path(given.get("build_dir", "build")),
        allows_partial=given.get("allow_partial", "0") not in ("0", "false", "no"),
    )


def day(chosen_settings: Settings) -> list[Path]:
    """Write the window's report in every format; the paths, in the formats' order."""
    words = read_words(chosen_settings.language)
    with open_warehouse(chosen_settings.warehouse) as connection:
        window_id = chosen_settings.window_id or latest_complete(
            connection, project=chosen_settings.project.name, kind=chosen_settings.kind
        )
        if window_id is None:
            raise IncompleteError(
                f"No complete {chosen_settings.kind} of {chosen_settings.project.name} "
                "is in the warehouse: run `make report`, or name a DATE."
            )
        complete = is_complete(connection, window_id)
        _refuse_unless_reportable(window_id, complete, chosen_settings)
        frames = read_frames(connection, window_id)
    report = assemble(frames, tool_version=__version__)
    documents = {
        report_path(
            chosen_settings.build_dir,
            window_id,
            language=words.language,
            ending=ending,
        ): render(report, ending=ending, words=words)
        for ending in FORMATS
    }
    for path, document in documents.items():
        publish(path, document)
    return list(documents)


def _refuse_unless_reportable(
    window_id: str, complete: bool | None, chosen_settings: Settings
) -> None:
    date = window_id.split(":", 2)[2][:10]
    if complete is None:
        raise IncompleteError(
            f"{window_id} is not in the warehouse: run `make report DATE={date}`, "
            "which fetches what it lacks."
        )
    if not complete and not chosen_settings.allows_partial:
        raise IncompleteError(
            f"{window_id} is not complete: run `make report DATE={date}` to fetch the "
            "rest, or set ALLOW_PARTIAL=1 for a report that says so."
        )


def _given(arguments: Sequence[str], environ: Mapping[str, str]) -> dict[str, str]:
    """Every option that has a value, an empty one being none (make passes those)."""
    parser = argparse.ArgumentParser(prog="python -m render", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    command = commands.add_parser("day", help="write one window's report")
    for name, text in OPTIONS.items():
        command.add_argument(f"--{name.replace('_', '-')}", help=text)
    command.add_argument(
        "--allow-partial",
        action="store_const",
        const="1",
        help="report an incomplete window, with a banner that says so",
    )
    options = vars(parser.parse_args(arguments))
    names = (*OPTIONS, "allow_partial")
    found = {name: options[name] or environ.get(name.upper()) for name in names}
    return {name: value for name, value in found.items() if value}


def _window_id(project: Project, kind: str, given: Mapping[str, str]) -> str | None:
    try:
        if kind == "custom":
            return _custom_window_id(project, given)
        if "at" in given or "hours" in given:
            raise MisconfiguredError(
                f"AT and HOURS make a custom window, not a {kind}."
            )
        if "date" not in given:
            return None
        return calendar_window(
            project.name,
            kind,
            parse_date(given["date"]),
            clock=project.clock,
            zone=project.zone,
        ).window_id
    except ValueError as error:
        raise MisconfiguredError(f"{error}.") from None


def _custom_window_id(project: Project, given: Mapping[str, str]) -> str:
    if missing := {"date", "at", "hours"} - given.keys():
        named = ", ".join(sorted(missing)).upper()
        raise MisconfiguredError(f"A custom window also needs {named}.")
    if not re.fullmatch(r"0*[1-9]\d{0,3}", given["hours"], re.ASCII):
        raise ValueError(f"HOURS is a whole number from 1, not {given['hours']!r}")
    return custom_window(
        project.name,
        parse_date(given["date"]),
        clock=parse_clock(given["at"]),
        hours=int(given["hours"]),
        zone=project.zone,
    ).window_id


def _main() -> None:
    for path in day(settings(sys.argv[1:], os.environ)):
        sys.stdout.write(f"{path}\n")


if __name__ == "__main__":
    sys.exit(run(_main, debug=os.environ.get("DEBUG") == "1"))
