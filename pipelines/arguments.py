"""The command line and the environment as checked values.

Every option can also be a variable of the environment, named in capitals; the option
wins, and an empty value counts as none. The token is only ever a variable.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path

from pipelines import values
from pipelines.asked import day_of, span, window_maker
from pipelines.exits import MisconfiguredError
from pipelines.options import DETAIL_REQUESTS, FOR_ALL, MAX_WAIT, OPTIONS, parser
from pipelines.projects import ALL, chosen, read_projects
from pipelines.settings import Settings
from pipelines.windows import Window

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
        if not _are_all_meant(command, values.switch(every, "ALL"), told["project"]):
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
        api_url=values.api_url(given["github-api-url"] or ""),
        warehouse=Path(given["warehouse"] or ""),
        token=values.token(token),
        baseline_days=values.whole(
            given["baseline-days"] or "", "BASELINE_DAYS", 0, MAX_BASELINE_DAYS
        ),
        allow_partial=values.switch(given["allow-partial"], "ALLOW_PARTIAL"),
        max_wait=values.seconds(
            given["max-wait"] or MAX_WAIT.get(command, "0"), "max-wait"
        ),
        lock_wait=values.seconds(given["lock-wait"] or "", "lock-wait"),
        mode=values.mode(given["mode"] or ""),
        parquet=values.switch(given["parquet"], "PARQUET"),
        detail_requests=values.whole(
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
