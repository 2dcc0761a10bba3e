"""Formats for times, numbers and texts. Pure: a value in, its words out."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from itertools import groupby
from typing import Any

from markupsafe import Markup

# A hyphen would begin a list in Markdown.
MINUS = "−"
LISTINGS = ("new_issue", "closed_issue", "new_pr", "merged_pr", "closed_unmerged_pr")
WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
TITLE_CHARACTERS = 80
# `[Bug]:`, `[ROCm][CI]`, `fix(core):`. A proposal's mark stays: no chip says it.
_TAGS = re.compile(
    r"\A(?:\s*(?:\[(?!RFC)[^\]]{1,30}\]:?"
    r"|(?:fix|feat|bug|bugfix|perf|docs?|chore|test|ci|refactor|build)"
    r"(?:\([^)]{0,30}\))?!?:))+\s*",
    re.IGNORECASE,
)


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


def clock(moment: datetime, *, with_date: bool = False) -> str:
    """`10:02`, or `03-05 10:02` where a window is longer than its clock."""
    return f"{moment:%m-%d %H:%M}" if with_date else f"{moment:%H:%M}"


def short_number(value: float) -> str:
    """A number without needless decimals, at most one: `22`, `22.5`."""
    return f"{value:.1f}".removesuffix(".0")


def percent(share: float) -> str:
    """A share of one as percent, at most one decimal: `31.6%`, `25%`."""
    return f"{short_number(share * 100)}%"


def signed(number: int) -> str:
    """A difference with its sign: `+3`, `−21`, `±0`.

    >>> signed(-21)
    '−21'
    """
    return f"{number:+}".replace("-", MINUS) if number else "±0"


def weekday(moment: datetime) -> str:
    """The day of the week, as the locale files key it: `wed`."""
    return WEEKDAYS[moment.weekday()]


def slug(key: str) -> str:
    """A key of ours as part of an HTML id: `new_issue` → `new-issue`."""
    return key.replace("_", "-")


def short_title(title: str, limit: int = TITLE_CHARACTERS) -> str:
    """A title without leading tags, clipped at a word.

    >>> short_title("[Bug]: it fails")
    'it fails'
    >>> short_title("[RFC]: a plan")
    '[RFC]: a plan'
    """
    bare = _TAGS.sub("", title) or title
    if len(bare) <= limit:
        return bare
    head = bare[:limit].rsplit(" ", 1)[0] if " " in bare[:limit] else bare[:limit]
    return f"{head.rstrip(' ,;:')}…"


def joined(items: Iterable[str], separator: str) -> str:
    """Texts in a row. Escaped afterwards, as one text."""
    return separator.join(items)


def fragments(document: Markup, separator: str = " ") -> Markup:
    """The lines of a macro's output in a row, without the empty ones.

    No stranger's text holds a line break, so a line is what the template wrote as one.
    """
    return Markup(separator).join(lines(document))


def sentence(text: Markup) -> Markup:
    """The text with its first letter in upper case."""
    return Markup(text[:1].upper() + text[1:])


def dotted(parts: Iterable[Markup]) -> Markup:
    """Parts of a line, with a dot between them; empty ones are left out."""
    return Markup(" · ").join(part for part in parts if part)


def lines(document: Markup) -> list[Markup]:
    """The lines of a macro's output, without the empty ones."""
    return [Markup(part.strip()) for part in document.splitlines() if part.strip()]


def where(rows: Iterable[Mapping[str, Any]], **wanted: Any) -> list[Mapping[str, Any]]:
    """The rows whose columns hold these values."""
    return [row for row in rows if all(row[name] == wanted[name] for name in wanted)]


def listed(rows: Iterable[Mapping[str, Any]], listing: str) -> list[Mapping[str, Any]]:
    """The rows of threads that a listing holds."""
    return [row for row in rows if listing in row["listings"]]


def known(rows: Iterable[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """The places of a trend that have a window."""
    return [row for row in rows if row["trend_window_id"] is not None]


def trend_rows(trend: Iterable[Mapping[str, Any]]) -> list[list[Any]]:
    """A table of the five counts: a window's date, then its counts."""
    return [
        [str(row["trend_date"])[:10], *(row[f"{name}_count"] for name in LISTINGS)]
        for row in known(trend)
    ]


def hour_rows(hours: Iterable[Mapping[str, Any]]) -> list[list[Any]]:
    """A table of comments along the window: when, then how many."""
    return [
        [local_time(row["bucket_start_at"]), row["human_comment_count"]]
        for row in hours
        if row["bucket_start_at"] is not None
    ]


def column(rows: Iterable[Mapping[str, Any]], name: str) -> list[Any]:
    """The values of one column."""
    return [row[name] for row in rows]


def by_day(
    rows: Iterable[Mapping[str, Any]],
) -> list[tuple[str, list[Mapping[str, Any]]]]:
    """The rows of a listing under their local days, in their order."""
    days = groupby(rows, lambda row: f"{row['event_at']:%Y-%m-%d}")
    return [(day, list(here)) for day, here in days]


def within(rows: Sequence[Mapping[str, Any]], of: Iterable[Mapping[str, Any]]) -> bool:
    """Whether all threads of the rows are among those others."""
    return {row["thread_id"] for row in rows} <= {row["thread_id"] for row in of}


FILTERS: dict[str, Callable[..., Any]] = {
    "length": len,
    **{
        function.__name__: function
        for function in (
            *(by_day, clock, column, dotted, fragments, hour_rows, joined, known),
            *(lines, listed, local_time, percent, sentence, short_number, short_title),
            *(signed, slug, trend_rows, utc_time, weekday, where, within),
        )
    },
}
"""All that a template may use. Jinja's own are taken away, `safe` among them, so that
no template can wave a stranger's text through."""
