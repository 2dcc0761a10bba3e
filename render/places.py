"""Where a page stands among the others of the site: its neighbours and its ways back.

All addresses are relative to the page and made of our own names, so that the site works
from any folder of any host. One frozen dataclass for each page a template makes.
"""

from dataclasses import dataclass
from datetime import date, datetime


@dataclass(frozen=True)
class Way:
    """A link to another page of the site."""

    url: str
    """Relative to the page that shows it."""
    label: str
    """The date or name of the report it leads to; for a language, that language."""


@dataclass(frozen=True)
class Place:
    """A report's place in the site."""

    back: str
    """The project's page in the same language."""
    home: str
    """The site's first page in the same language."""
    previous: Way | None
    """The report of the same kind before this one."""
    following: Way | None
    """The one after it."""
    languages: tuple[Way, ...]
    """The same report in the project's other languages."""
    data: str
    """The same report for machines."""
    feed: str
    """The site's feed."""


@dataclass(frozen=True)
class Entry:
    """A report as the lists of the site show it."""

    window_id: str
    """The window's id."""
    kind: str
    """`day`, `week` or `month`."""
    day: date
    """Its date: a week's Monday, a month's first."""
    label: str
    """Its name in a title."""
    url: str
    """Its page."""
    end_at: datetime
    """When its window ended, local."""
    counts: tuple[tuple[str, int], ...]
    """The five counts, by listing."""


@dataclass(frozen=True)
class Cell:
    """A day of a calendar's week."""

    day: int | None
    """Of the month; null outside of it."""
    entry: Entry | None
    """The day's report, if there is one."""


@dataclass(frozen=True)
class Week:
    """A row of a calendar."""

    entry: Entry | None
    """The week's report, if there is one; told where its Monday is."""
    cells: tuple[Cell, ...]
    """Monday to Sunday."""


@dataclass(frozen=True)
class Month:
    """A calendar leaf."""

    label: str
    """`2026-03`."""
    entry: Entry | None
    """The month's report, if there is one."""
    weeks: tuple[Week, ...]
    """The weeks that touch it."""


@dataclass(frozen=True)
class Shelf:
    """A project's page: all its reports."""

    title: str
    """How the project calls itself."""
    repository: str
    """`owner/name` on GitHub."""
    url: str | None
    """Its page on GitHub."""
    is_synthetic: bool
    """True: its data is a made-up sample."""
    data_as_of_at: datetime | None
    """GitHub's time of the newest sync, local."""
    page: str
    """Its page, from the site's first page in the same language."""
    newest: str | None
    """The page of the newest daily report, from the site's first page."""
    latest: tuple[Entry, ...]
    """The newest daily reports, newest first."""
    rollups: tuple[Entry, ...]
    """The newest weekly and monthly reports, newest first."""
    months: tuple[Month, ...]
    """Calendars, newest first."""
    report_count: int
    """All its reports in the site."""
