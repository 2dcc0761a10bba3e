"""The static site: a page a report, a page a project, a first page and a feed.

`<project>/<name>.<language>.html` is a report; `index.html` beside it is the project's
page in its first language, `index.<language>.html` in its others; the same holds for
the first page of all. Custom windows are of their asker alone and have no page.

Only what changed is made anew. A page's key says what went into it: this program, the
window's rows, its neighbours. The keys lie in the folder itself, beside a hash of each
page as it was written, so that a page that was lost or touched is made again. Whatever
an earlier run wrote and this one does not want is removed; other files stay.
"""

import calendar
import hashlib
import json
import multiprocessing
import os
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from datetime import date, datetime
from functools import cache, partial
from importlib.metadata import version
from itertools import groupby
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from pipelines import __version__
from render.charts import pictures_of
from render.engine import render
from render.escaping import safe_url
from render.filters import LISTINGS
from render.publish import publish, report_stem, withdraw
from render.report import context_of, document, window_label
from render.warehouse import Row, Rows, open_warehouse, read_rows
from render.words import known_languages, read_words

LATEST = 14
"""Reports that a project's page lists with their counts: a fortnight."""
ROLLUPS = 6
"""Weekly and monthly reports beside them: the weeks of a month and the month before."""
FEED = 60
"""Reports in the feed: more than any reader lets pass unread."""
BATCH = 12
"""Windows that one process makes at a time; up to so many are not worth another."""
MAX_PROCESSES = 4
KEYS = ".pages.json"

Written = dict[str, list[str]]
"""By path: the key of what went into a file, and the hash of the file itself."""


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
class ProjectPage:
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


@dataclass(frozen=True)
class SiteBuild:
    """What a run did."""

    written: int
    """Files made anew."""
    reused: int
    """Files that stood."""


def site_windows(found: Sequence[Row]) -> list[SiteWindow]:
    """The windows of the site from their rows, in the rows' order."""
    return [_window(row) for row in found]


def _window(row: Row) -> SiteWindow:
    zone = ZoneInfo(row["time_zone"] or "UTC")
    known = known_languages()
    as_of = row["data_as_of_at"]
    return SiteWindow(
        window_id=row["window_id"],
        project=row["project"],
        kind=row["window_kind"],
        day=date.fromisoformat(row["window_id"].split(":")[2]),
        end_at=row["window_end_at"].astimezone(zone),
        project_title=row["project_title"],
        repository=row["repository"],
        is_synthetic=row["is_synthetic"],
        data_as_of_at=as_of and as_of.astimezone(zone),
        languages=tuple(x for x in row["languages"] or () if x in known) or (known[0],),
        counts=tuple((name, row[f"{name}_count"]) for name in LISTINGS),
        fingerprint=row["fingerprint"],
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


def project_pages(
    windows: Sequence[SiteWindow], language: str
) -> tuple[ProjectPage, ...]:
    """The projects, in the order in which they come; each with its reports."""
    return tuple(
        _project_page([w for w in windows if w.project == project], language)
        for project in dict.fromkeys(window.project for window in windows)
    )


def _project_page(windows: Sequence[SiteWindow], language: str) -> ProjectPage:
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
    return ProjectPage(
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


def months(entries: Sequence[Entry]) -> tuple[Month, ...]:
    """One leaf for every month that holds a report, newest first; weeks from Monday."""
    by_kind_and_day = {(entry.kind, entry.day): entry for entry in entries}
    leaves = sorted({entry.day.replace(day=1) for entry in entries}, reverse=True)
    return tuple(_month(first, by_kind_and_day) for first in leaves)


def _month(first: date, reports: dict[tuple[str, date], Entry]) -> Month:
    weeks = calendar.Calendar().monthdatescalendar(first.year, first.month)
    return Month(
        label=f"{first:%Y-%m}",
        entry=reports.get(("month", first)),
        weeks=tuple(
            Week(
                # A week is told once: in the month of its Monday, by which it is dated.
                entry=reports.get(("week", days[0]))
                if days[0].month == first.month
                else None,
                cells=tuple(
                    Cell(day.day, reports.get(("day", day)))
                    if day.month == first.month
                    else Cell(None, None)
                    for day in days
                ),
            )
            for days in weeks
        ),
    )


def list_pages(windows: Sequence[SiteWindow], *, site_url: str) -> dict[str, str]:
    """All of them, by path. They change whenever a report is added, and are cheap."""
    homes = home_languages(windows)
    pages = {index(name, homes): _home(windows, name, homes) for name in homes}
    for project in dict.fromkeys(window.project for window in windows):
        here = [window for window in windows if window.project == project]
        spoken = here[-1].languages
        pages |= {
            f"{project}/{index(name, spoken)}": _project(here, name, spoken, homes)
            for name in spoken
        }
    return pages | {"feed.xml": _feed(windows, homes[0], site_url)}


def _home(windows: Sequence[SiteWindow], language: str, homes: Sequence[str]) -> str:
    return _page_of(
        "home.html",
        language,
        languages=_ways(language, homes),
        shelves=project_pages(windows, language),
    )


def _project(
    windows: Sequence[SiteWindow],
    language: str,
    spoken: Sequence[str],
    homes: Sequence[str],
) -> str:
    [shelf] = project_pages(windows, language)
    return _page_of(
        "project.html",
        language,
        languages=_ways(language, spoken),
        home=f"../{index(language, homes)}",
        shelf=shelf,
    )


def _feed(windows: Sequence[SiteWindow], language: str, site_url: str) -> str:
    items = feed_items(windows, language)
    return _page_of(
        "feed.xml",
        language,
        site_url=site_url,
        items=items,
        updated_at=items[0][1].end_at,
    )


def _page_of(name: str, language: str, **said: Any) -> str:
    words = read_words(language)
    return render(f"site/{name}.j2", words, {**said, "tool_version": __version__})


def _ways(language: str, languages: Sequence[str]) -> tuple[Way, ...]:
    return tuple(
        Way(url=index(name, languages), label=name)
        for name in languages
        if name != language
    )


def build_site(
    windows: Sequence[SiteWindow], *, warehouse: Path, folder: Path, site_url: str
) -> SiteBuild:
    """Bring the folder to what the windows of the warehouse say."""
    before = _written_before(folder)
    keys: dict[str, str] = {}
    new: list[list[ReportPage]] = []
    for pages in _by_window(windows):
        wanted = _keys(pages, _program())
        keys |= wanted
        if not all(_is_up_to_date(folder, path, wanted, before) for path in wanted):
            new.append(pages)
    now = {path: shelf for path, shelf in before.items() if path in keys}
    written = 0
    for files in made_files(warehouse, new):
        for path, content in files.items():
            publish(folder / path, content)
            now[path] = [keys[path], _hash(content)]
        written += len(files)
        # What a run that is killed leaves behind need not be made again.
        publish(folder / KEYS, json.dumps({**before, **now}))
    for path, content in list_pages(windows, site_url=site_url).items():
        publish(folder / path, content)
        now[path] = ["", _hash(content)]
    for path in sorted(before.keys() - now.keys()):
        withdraw(folder, path)
    publish(folder / KEYS, json.dumps(now, indent=0, sort_keys=True) + "\n")
    return SiteBuild(written=written, reused=len(keys) - written)


def _by_window(windows: Sequence[SiteWindow]) -> Iterator[list[ReportPage]]:
    def window_id(page: ReportPage) -> str:
        return page.window.window_id

    for _, pages in groupby(sorted(report_pages(windows), key=window_id), window_id):
        yield list(pages)


def _keys(pages: Sequence[ReportPage], program: str) -> dict[str, str]:
    """What goes into each file of one window: its pages and its data."""
    window = pages[0].window
    shown = (program, window.fingerprint)
    data = f"{window.project}/{report_stem(window.window_id)}.json"
    return {
        **{
            page.path: _hash(repr((*shown, page.language, page.place)))
            for page in pages
        },
        data: _hash(repr(shown)),
    }


def _is_up_to_date(
    folder: Path, path: str, keys: Mapping[str, str], before: Written
) -> bool:
    """Whether the file is there, untouched, and what would be made again."""
    key, content = before.get(path, ["", ""])
    file = folder / path
    return key == keys[path] and file.is_file() and _hash(file.read_bytes()) == content


def _written_before(folder: Path) -> Written:
    """The keys of the last run; none where they are missing or not readable as such."""
    try:
        found = json.loads((folder / KEYS).read_bytes())
        return {str(path): [str(key), str(is_)] for path, (key, is_) in found.items()}
    except (OSError, ValueError, AttributeError, TypeError):
        return {}


@cache
def _program() -> str:
    """This renderer and what it draws with: where they change, every page is new."""
    here = Path(__file__).parent
    hashed = hashlib.sha256(__version__.encode())
    for name in ("jinja2", "markupsafe", "vl-convert-python"):
        hashed.update(version(name).encode())
    for path in sorted(here.rglob("*")):
        if path.is_file() and "__pycache__" not in path.parts:
            hashed.update(path.relative_to(here).as_posix().encode())
            hashed.update(path.read_bytes())
    return hashed.hexdigest()


def _hash(content: str | bytes) -> str:
    data = content.encode() if isinstance(content, str) else content
    return hashlib.sha256(data).hexdigest()


def made_files(
    warehouse: Path, windows: Sequence[Sequence[ReportPage]]
) -> Iterator[dict[str, str]]:
    """The files of all windows by path, a batch at a time and in their order."""
    batches = [windows[at : at + BATCH] for at in range(0, len(windows), BATCH)]
    make = partial(_batch, warehouse)
    processes = min(MAX_PROCESSES, len(batches), os.cpu_count() or 1)
    if processes < 2:
        yield from map(make, batches)
        return
    # Not by forking: the drawing engine has threads.
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(processes, mp_context=context) as pool:
        yield from pool.map(make, batches)


def _batch(warehouse: Path, windows: Sequence[Sequence[ReportPage]]) -> dict[str, str]:
    files: dict[str, str] = {}
    with open_warehouse(warehouse) as connection:
        rows = read_rows(connection, [pages[0].window.window_id for pages in windows])
    for pages in windows:
        files |= window_files(pages, rows[pages[0].window.window_id])
    return files


def window_files(pages: Sequence[ReportPage], rows: Rows) -> dict[str, str]:
    """All files of one window."""
    settled = _settled(rows)
    context = context_of(settled)
    window = pages[0].window
    stem = report_stem(window.window_id)
    files = {f"{window.project}/{stem}.json": document(settled)}
    for page in pages:
        words = read_words(page.language)
        pictures = pictures_of(settled, words=words, named=stem)
        files[page.path] = render(
            "html/report.html.j2",
            words,
            {**context, "pictures": pictures, "place": page.place, "stem": stem},
        )
    return files


def _settled(rows: Rows) -> Rows:
    """The rows without what every sync moves: how far the newest one reaches.

    A complete window rests on streams that cover it; how much later they end is the
    project's page's to tell, or each of these pages would be new every day.
    """
    return {
        **rows,
        "provenance": {**rows["provenance"], "data_as_of_at": None, "streams": []},
    }
