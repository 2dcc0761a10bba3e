"""Threads by GitHub's search, for days too old to be reached by the lists.

Search is an index, not a list: it lags by minutes, gives 1,000 rows a query at most,
times out with `incomplete_results`, and counts what it does not show. So nothing of it
is believed unless it agrees with itself: an answer that timed out, or that shows fewer
rows than it counts, is asked for again and then in halves; a range with more than 1,000
rows is halved at once. Both ends of `A..B` are included, in whole seconds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from pipelines.coverage import Interval
from pipelines.errors import IncompleteError
from pipelines.github.client import Page
from pipelines.github.paginators import PER_PAGE, with_query

# What one query gives at the most, however deep one asks.
MOST = 1_000

# How often an answer may be at odds with itself before its range is halved.
TRIES = 3

# Searches a minute, with a token and without.
LIMIT_WITH_TOKEN, LIMIT_WITHOUT = 30, 10

SECOND = timedelta(seconds=1)

# What puts a thread into a listing. A merge may lie a second before its close, so that
# merges are asked for by themselves; a kind is named as GitHub wants it of apps.
QUERIES = (
    ("is:issue", "created"),
    ("is:pr", "created"),
    ("is:issue", "closed"),
    ("is:pr", "closed"),
    ("is:pr", "merged"),
)

GetObject = Callable[[str], Page]


@dataclass(frozen=True)
class Found:
    """A thread as the index holds it, and the server's time of that answer (UTC)."""

    payload: dict[str, Any]
    date: datetime


class _OddError(Exception):
    """An answer at odds with itself."""


class Search:
    """Searches one repository's threads; `get` gives the JSON object at an URL."""

    def __init__(self, get: GetObject, api_url: str, slug: str) -> None:
        """Ask nothing yet."""
        self._get = get
        self._url = f"{api_url}/search/issues"
        self._slug = slug

    def threads(self, window: Interval) -> dict[int, Found]:
        """By number, the threads created, closed or merged in `[since, until)`.

        Raises IncompleteError where search cannot tell them all.
        """
        found: dict[int, Found] = {}
        first, last = window.since, window.until - SECOND
        for kind, verb in QUERIES:
            terms = f"repo:{self._slug} {kind} {verb}"
            for one in self._within(terms, first, last):
                number = one.payload["number"]
                found[number] = _newer(found.get(number), one)
        return found

    def _within(self, terms: str, first: datetime, last: datetime) -> Iterator[Found]:
        """The rows of a range of whole seconds, both ends included."""
        query = f"{terms}:{_told(first)}..{_told(last)}"
        why = "more rows than it gives"
        for _ in range(TRIES):
            try:
                rows = self._all_rows(query)
            except _OddError as odd:
                why = str(odd)
                continue
            if rows is None:
                break
            yield from rows
            return
        if first >= last:
            raise IncompleteError(
                f"GitHub's search cannot tell the threads of {_told(first)} ({why}): "
                "MODE=full reads them from the lists."
            )
        middle = first + (last - first) // 2
        middle = middle.replace(microsecond=0)
        yield from self._within(terms, first, middle)
        yield from self._within(terms, middle + SECOND, last)

    def _all_rows(self, query: str) -> list[Found] | None:
        """The rows of a query; None where there are more than it gives.

        Raises _OddError where the answer contradicts itself.
        """
        rows: dict[int, Found] = {}
        url = with_query(self._url, q=query, sort="created", order="asc")
        url, number, most = with_query(url, per_page=PER_PAGE), 0, 0
        while True:
            number += 1
            page = self._get(with_query(url, page=number))
            most = max(most, _count(page))
            if most > MOST:
                return None
            items = _items(page)
            rows |= {one["number"]: Found(one, page.date) for one in items}
            if len(items) < PER_PAGE or number * PER_PAGE >= MOST:
                break
        if len(rows) < most:
            raise _OddError(f"it counts {most} and shows {len(rows)}")
        return list(rows.values())


def _count(page: Page) -> int:
    count = page.content.get("total_count")
    if page.content.get("incomplete_results") is not False:
        raise _OddError("it timed out")
    if type(count) is not int:
        raise _OddError("it does not say how many there are")
    return count


def _items(page: Page) -> list[dict[str, Any]]:
    items = page.content.get("items")
    if not isinstance(items, list):
        raise _OddError("it holds no rows")
    return [
        one for one in items if isinstance(one, dict) and type(one.get("number")) is int
    ]


def _newer(known: Found | None, one: Found) -> Found:
    """Of two sightings of a thread the one that was changed last."""
    if known is None:
        return one
    ages = [str(each.payload.get("updated_at") or "") for each in (known, one)]
    return one if ages[1] >= ages[0] else known


def _told(instant: datetime) -> str:
    return f"{instant.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}"
