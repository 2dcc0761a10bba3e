"""What a window is called, and which instants it holds. Pure: knows no clock.

A window is the half-open interval `[start_at, end_at)` of UTC instants. Days, weeks and
months start at the project's local window start; a custom window starts at any local
minute and lasts a number of elapsed hours.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

KINDS = ("day", "week", "month", "custom")

# Lists lag behind writes: a window can be complete this long after its end.
SETTLING = timedelta(minutes=10)

# No repository on GitHub is older; a later year is a slip of the finger.
FIRST_DATE, LAST_DATE = date(2008, 1, 1), date(2199, 12, 31)


@dataclass(frozen=True)
class Window:
    """One window of one project; times are aware and in UTC."""

    window_id: str
    project: str
    kind: str
    date: date
    start_at: datetime
    end_at: datetime

    @property
    def settled_at(self) -> datetime:
        """The server time from which the window can be complete."""
        return self.end_at + SETTLING


def parse_date(text: str) -> date:
    """A calendar day written `2026-03-04`; ValueError says why something is none."""
    if not re.fullmatch(r"\d{4}-\d{2}-\d{2}", text, re.ASCII):
        raise ValueError(f"{text!r} is not a date like 2026-03-04")
    try:
        day = date.fromisoformat(text)
    except ValueError:
        raise ValueError(f"there is no day {text}") from None
    if not FIRST_DATE <= day <= LAST_DATE:
        raise ValueError(f"{text} is not a day between {FIRST_DATE} and {LAST_DATE}")
    return day


def parse_clock(text: str) -> time:
    """A local time written `11:24`; ValueError for anything else."""
    if not re.fullmatch(r"([01]\d|2[0-3]):[0-5]\d", text, re.ASCII):
        raise ValueError(f"{text!r} is not a time like 11:24")
    return time.fromisoformat(text)


def local_instant(day: date, clock: time, zone: ZoneInfo) -> datetime:
    """The UTC instant of a local time.

    A local time that the clocks skip, or show twice, means the later of its two
    readings: that is what DuckDB's `timezone(zone, local)` answers, and SQL and Python
    must name the same instant.
    """
    local = datetime.combine(day, clock, tzinfo=zone)
    return max(local.replace(fold=fold).astimezone(UTC) for fold in (0, 1))


def dated(kind: str, day: date) -> date:
    """The day that names the window of this kind around `day`: Monday, or the 1st."""
    if kind == "week":
        return day - timedelta(days=day.weekday())
    return day.replace(day=1) if kind == "month" else day


def following(kind: str, day: date, steps: int = 1) -> date:
    """The date of the window so many steps after the one dated `day`."""
    if kind == "month":
        months = day.year * 12 + day.month - 1 + steps
        return date(months // 12, months % 12 + 1, 1)
    return day + timedelta(days=steps * (7 if kind == "week" else 1))


def calendar_window(
    project: str, kind: str, day: date, *, clock: time, zone: ZoneInfo
) -> Window:
    """The day, week or month that `day` lies in, starting at the local time `clock`."""
    first = dated(kind, day)
    return Window(
        window_id=f"{project}:{kind}:{first}",
        project=project,
        kind=kind,
        date=first,
        start_at=local_instant(first, clock, zone),
        end_at=local_instant(following(kind, first), clock, zone),
    )


def custom_window(
    project: str, day: date, *, clock: time, hours: int, zone: ZoneInfo
) -> Window:
    """The window of so many elapsed hours from a local time on."""
    start = local_instant(day, clock, zone)
    return Window(
        window_id=f"{project}:custom:{day}T{clock:%H:%M}+{hours}h",
        project=project,
        kind="custom",
        date=day,
        start_at=start,
        end_at=start + timedelta(hours=hours),
    )


def last_complete(of_day: Callable[[date], Window], now: datetime) -> Window:
    """The newest window that can be complete at the server time `now`.

    `of_day` gives the window that a day lies in, e.g. a bound `calendar_window`.
    """
    window = of_day(now.astimezone(UTC).date() + timedelta(days=1))
    while window.settled_at > now:
        window = of_day(window.date - timedelta(days=1))
    return window
