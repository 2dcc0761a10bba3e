"""Which pages the site has, and where each of them stands. Pure.

`<project>/<name>.<language>.html` is a report; `index.html` beside it is the project's
page in its first language, `index.<language>.html` in its others; the same holds for
the first page of all. Custom windows are of their asker alone and have no page.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from itertools import groupby
from zoneinfo import ZoneInfo

from render.calendars import months
from render.cells import Row, flag, instant, integer, maybe_instant, text, texts
from render.escaping import safe_url
from render.labels import window_label
from render.listings import LISTINGS
from render.places import Entry, Place, Shelf, Way
from render.publish import report_stem
from render.words import known_languages

LATEST = 14
"""Reports that a project's page lists with their counts: a fortnight."""
ROLLUPS = 6
"""Weekly and monthly reports beside them: the weeks of a month and the month before."""
FEED = 60
"""Reports in the feed: more than any reader lets pass unread."""


@dataclass(frozen=True)
class SiteWindow:
    """A complete window that has a page, with what the lists of the site say of it."""

    window_id: str
    project: str
    kind: str
    day: date
    end_at: datetime
    project_title: str
    repository: str
    is_synthetic: bool
    data_as_of_at: datetime | None
    languages: tuple[str, ...]
    counts: tuple[tuple[str, int], ...]
    fingerprint: str
    """Of all the window's rows that its page shows."""


@dataclass(frozen=True)
class ReportPage:
    """A page to be made, or to be reused."""

    path: str
    """Below the site's folder."""
    window: SiteWindow
    language: str
    place: Place


def site_windows(found: Sequence[Row]) -> list[SiteWindow]:
    """The windows of the site from their rows, in the rows' order."""
    return [_window(row) for row in found]


def _window(row: Row) -> SiteWindow:
    zone = ZoneInfo(text(row, "time_zone", default="UTC"))
    known = known_languages()
    spoken = tuple(name for name in texts(row, "languages") if name in known)
    return SiteWindow(
        window_id=text(row, "window_id"),
        project=text(row, "project"),
        kind=text(row, "window_kind"),
        day=date.fromisoformat(text(row, "window_id").split(":")[2]),
        end_at=instant(row, "window_end_at", zone=zone),
        project_title=text(row, "project_title"),
        repository=text(row, "repository"),
        is_synthetic=flag(row, "is_synthetic"),
        data_as_of_at=maybe_instant(row, "data_as_of_at", zone=zone),
        languages=spoken or (known[0],),
        counts=tuple((name, integer(row, f"{name}_count")) for name in LISTINGS),
        fingerprint=text(row, "fingerprint"),
    )


def home_languages(windows: Sequence[SiteWindow]) -> tuple[str, ...]:
    """The languages of the first page: those of all projects, the first one's first."""
    return tuple(dict.fromkeys(name for window in windows for name in window.languages))


def index(language: str, languages: Sequence[str]) -> str:
    """The name of an index page: plain in the first language."""
    return "index.html" if language == languages[0] else f"index.{language}.html"


def report_pages(windows: Sequence[SiteWindow]) -> Iterator[ReportPage]:
    """Every report in each of its project's languages; windows come in time order."""
    homes = home_languages(windows)
    for _, of_kind in groupby(
        sorted(windows, key=lambda w: (w.project, w.kind, w.end_at)),
        key=lambda w: (w.project, w.kind),
    ):
        row = list(of_kind)
        for window, before, after in zip(
            row, [None, *row], [*row[1:], None], strict=False
        ):
            for language in window.languages:
                yield ReportPage(
                    path=f"{window.project}/{_page(window, language)}",
                    window=window,
                    language=language,
                    place=_place(window, language, before, after, homes),
                )


def _place(
    window: SiteWindow,
    language: str,
    before: SiteWindow | None,
    after: SiteWindow | None,
    homes: Sequence[str],
) -> Place:
    def way(other: SiteWindow | None) -> Way | None:
        if other is None or language not in other.languages:
            return None
        return Way(url=_page(other, language), label=window_label(other.window_id))

    return Place(
        back=index(language, window.languages),
        home=f"../{index(language, homes)}",
        previous=way(before),
        following=way(after),
        languages=tuple(
            Way(url=_page(window, other), label=other)
            for other in window.languages
            if other != language
        ),
        data=f"{report_stem(window.window_id)}.json",
        feed="../feed.xml",
    )


def _page(window: SiteWindow, language: str) -> str:
    return f"{report_stem(window.window_id)}.{language}.html"


def entry(window: SiteWindow, language: str, *, folder: str = "") -> Entry:
    """How the lists show a window's report; `folder` leads from the list to it."""
    spoken = language if language in window.languages else window.languages[0]
    return Entry(
        window_id=window.window_id,
        kind=window.kind,
        day=window.day,
        label=window_label(window.window_id),
        url=f"{folder}{_page(window, spoken)}",
        end_at=window.end_at,
        counts=window.counts,
    )


def shelves(windows: Sequence[SiteWindow], language: str) -> tuple[Shelf, ...]:
    """The projects, in the order in which they come; each with its reports."""
    return tuple(
        _shelf([w for w in windows if w.project == project], language)
        for project in dict.fromkeys(window.project for window in windows)
    )


def _shelf(windows: Sequence[SiteWindow], language: str) -> Shelf:
    newest = max(windows, key=lambda window: window.end_at)
    spoken = language if language in newest.languages else newest.languages[0]
    entries = [entry(window, spoken) for window in windows]
    days = sorted(
        (each for each in entries if each.kind == "day"),
        key=lambda each: each.day,
        reverse=True,
    )
    rollups = sorted(
        (each for each in entries if each.kind != "day"),
        key=lambda each: (each.end_at, each.kind),
        reverse=True,
    )
    return Shelf(
        title=newest.project_title,
        repository=newest.repository,
        url=safe_url(f"https://github.com/{newest.repository}"),
        is_synthetic=newest.is_synthetic,
        data_as_of_at=newest.data_as_of_at,
        page=f"{newest.project}/{index(spoken, newest.languages)}",
        newest=f"{newest.project}/{days[0].url}" if days else None,
        latest=tuple(days[:LATEST]),
        rollups=tuple(rollups[:ROLLUPS]),
        months=months(entries),
        report_count=len(entries),
    )


def feed_items(
    windows: Sequence[SiteWindow], language: str
) -> tuple[tuple[SiteWindow, Entry], ...]:
    """The newest reports of all projects, newest first."""
    newest = sorted(windows, key=lambda w: (w.end_at, w.window_id), reverse=True)
    return tuple(
        (window, entry(window, language, folder=f"{window.project}/"))
        for window in newest[:FEED]
    )
