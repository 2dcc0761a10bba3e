"""A page that takes GitHub too long, in parts.

GitHub gives up after ten seconds, with a 502 or a 504, and a page of long texts may
always take that long: asked for in smaller pages it comes.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

from pipelines.github.answers import Page, SlowError

PARTS = 4

Get = Callable[[str], Page]


def with_query(url: str, **changes: str | int) -> str:
    """The URL with these parameters set; the others stay as they are."""
    parts = urlsplit(url)
    kept = [(key, value) for key, value in parse_qsl(parts.query) if key not in changes]
    query = urlencode([*kept, *changes.items()], safe=":")
    return urlunsplit(parts._replace(query=query))


def number_in(url: str, key: str, default: int) -> int:
    """A whole number of a URL's query."""
    told = dict(parse_qsl(urlsplit(url).query)).get(key, "")
    return int(told) if told.isascii() and told.isdecimal() else default


def has_cursor(url: str | None) -> bool:
    """Whether a link goes on behind a row, whatever shifts, and not at a number."""
    return url is not None and "after" in dict(parse_qsl(urlsplit(url).query))


def read(get: Get, url: str) -> Page:
    """The page at an URL, whole; in parts where GitHub was too slow for it."""
    try:
        return get(url)
    except SlowError:
        size = number_in(url, "per_page", 0)
        if size < PARTS or size % PARTS:
            raise
    return _in_parts(get, url, size)


def _in_parts(get: Get, url: str, size: int) -> Page:
    """The same rows, a quarter at a time, by the links from one part to the next."""
    number = number_in(url, "page", 1)
    here: str | None = with_query(url, per_page=size // PARTS)
    if number > 1 and not has_cursor(url):
        here = with_query(str(here), page=(number - 1) * PARTS + 1)
    rows: list[Any] = []
    first: Page | None = None
    for _ in range(PARTS):
        if here is None:
            break
        part = get(here)
        first, here = first or part, part.next_url
        rows += part.content
    assert first is not None
    if here is not None and not has_cursor(url):
        here = with_query(url, page=number + 1)
    return replace(first, url=url, content=rows, next_url=here)
