"""The pages of the site that list reports: the first page, the projects', the feed."""

from collections.abc import Sequence

from pipelines import __version__
from render.engine import render_page
from render.filters import WEEKDAYS
from render.places import Way
from render.site import (
    SiteWindow,
    feed_items,
    home_languages,
    index,
    shelves,
)
from render.words import read_words


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
    return render_page(
        "home.html",
        words=read_words(language),
        languages=_ways(language, homes),
        shelves=shelves(windows, language),
        tool_version=__version__,
    )


def _project(
    windows: Sequence[SiteWindow],
    language: str,
    spoken: Sequence[str],
    homes: Sequence[str],
) -> str:
    [shelf] = shelves(windows, language)
    return render_page(
        "project.html",
        words=read_words(language),
        languages=_ways(language, spoken),
        home=f"../{index(language, homes)}",
        shelf=shelf,
        weekdays=WEEKDAYS,
        tool_version=__version__,
    )


def _feed(windows: Sequence[SiteWindow], language: str, site_url: str) -> str:
    items = feed_items(windows, language)
    return render_page(
        "feed.xml",
        words=read_words(language),
        site_url=site_url,
        items=items,
        updated_at=items[0][1].end_at,
    )


def _ways(language: str, languages: Sequence[str]) -> tuple[Way, ...]:
    return tuple(
        Way(url=index(name, languages), label=name)
        for name in languages
        if name != language
    )
