"""Formats for times, numbers and marks. Pure: a value in, its words out."""

from collections.abc import Callable, Iterable
from datetime import UTC, datetime, timedelta
from itertools import groupby
from typing import Any

from render.context import ListedThread

# A hyphen would begin a list in Markdown.
MINUS = "−"
WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")


def offset(moment: datetime) -> str:
    """The distance to UTC as people write it: `UTC+8`, `UTC+5:30`, `UTC-7`."""
    seconds = int((moment.utcoffset() or timedelta()).total_seconds())
    hours, minutes = divmod(abs(seconds) // 60, 60)
    sign = "-" if seconds < 0 else "+"
    return f"UTC{sign}{hours}" + (f":{minutes:02}" if minutes else "")


def local_time(moment: datetime) -> str:
    """`2026-03-05 10:02 (UTC+8)`, in the moment's own zone; seconds are cut off."""
    return f"{moment:%Y-%m-%d %H:%M} ({offset(moment)})"


def utc_time(moment: datetime) -> str:
    """`2026-03-05T02:02:00Z`, for machines and for those who check."""
    return f"{moment.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}"


def two_decimals(value: float) -> str:
    """`0.98`, `−0.20`; for scores, strengths, rates and points."""
    return f"{value:.2f}".replace("-", MINUS)


def short_number(value: float) -> str:
    """A number without needless decimals, at most one: `22`, `22.5`."""
    return f"{value:.1f}".removesuffix(".0")


def percent(share: float) -> str:
    """A share of one as percent, at most one decimal: `31.6%`, `25%`."""
    return f"{short_number(share * 100)}%"


def weekday(moment: datetime) -> str:
    """The day of the week, as the locale files key it: `wed`."""
    return WEEKDAYS[moment.weekday()]


def signed(number: int) -> str:
    """A difference with its sign: `+3`, `−21`, `±0`.

    >>> signed(-21)
    '−21'
    """
    return f"{number:+}".replace("-", MINUS) if number else "±0"


def slug(key: str) -> str:
    """A key of ours as part of an HTML id: `new_issue` → `new-issue`."""
    return key.replace("_", "-")


def joined(items: Iterable[str], separator: str) -> str:
    """Texts in a row. Escaped afterwards, as one text."""
    return separator.join(items)


def by_day(
    threads: Iterable[ListedThread],
) -> list[tuple[str, tuple[ListedThread, ...]]]:
    """The rows of a listing under their local days, in their order."""
    days = groupby(threads, lambda thread: f"{thread.event_at:%Y-%m-%d}")
    return [(day, tuple(here)) for day, here in days]


FILTERS: dict[str, Callable[..., Any]] = {
    "local_time": local_time,
    "utc_time": utc_time,
    "two_decimals": two_decimals,
    "short_number": short_number,
    "percent": percent,
    "signed": signed,
    "weekday": weekday,
    "slug": slug,
    "joined": joined,
    "by_day": by_day,
    "length": len,
}
"""All that a template may use. Jinja's own are taken away, `safe` among them, so that
no template can wave a stranger's text through."""
