"""Which window, or stretch of days, is asked for; ValueError says what is wrong."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from functools import partial
from typing import TypeVar

from pipelines import values
from pipelines.projects import Project
from pipelines.windows import (
    KINDS,
    Window,
    calendar_window,
    custom_window,
    parse_clock,
    parse_date,
)

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
        hours=values.whole(hours, "HOURS", 1, MAX_HOURS),
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
