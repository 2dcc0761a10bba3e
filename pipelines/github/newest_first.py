"""How to walk a list that begins at its newest row and cannot be asked for a time.

The list of events has no `since`: it is followed by its links from the newest row
backwards, until its pages are older than what is asked for. Pages of what is loaded
already, by this walk before it was stopped or by others, are jumped over: the last page
that lies wholly within it is looked for by its number, in a few requests.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any
from urllib.parse import urlsplit

from pipelines.coverage import Interval, Plan
from pipelines.exits import IncompleteError
from pipelines.github import parts
from pipelines.github.answers import CappedError, Page
from pipelines.github.paging import (
    Walked,
    endless,
    fetched,
    instants,
    is_short,
    refuse_again,
)
from pipelines.github.parts import Get, number_in, with_query

SECOND = timedelta(seconds=1)


def walk_newest_first(get: Get, url: str, plan: Plan) -> Iterator[Walked]:
    """Pages of a list that begins at its newest row, back to before the plan's start.

    The order is not documented, so a page ends the walk only if all of it is older.
    The last page says from when on the list was seen completely: the plan's start, or,
    where GitHub caps the list, the second after the oldest row shown.
    """
    here, visited, is_first = url, set[str](), True
    seen_from = edge = datetime.max.replace(tzinfo=UTC)
    shown: list[Any] = []
    while True:
        try:
            page = fetched(get, here, visited, is_first=is_first)
        except IncompleteError:
            reached = max(plan.since, min(seen_from, edge))
            yield Walked([], page.date, reached_from=reached, is_capped=True)
            return
        refuse_again(page, shown)
        shown, is_first = page.content, False
        times = instants(page.content, "created_at")
        known = _known_around(plan, times)
        edge = _edge(times, edge)
        passed = [max(times) + SECOND] if times else []
        seen_from = min([seen_from, *passed, *(one.since for one in known)])
        if is_short(page) or seen_from <= plan.since:
            yield Walked(page.content, page.date, reached_from=plan.since)
            return
        yield Walked(page.content, page.date, seen_from=seen_from)
        number = number_in(page.url, "page", 1)
        last = _last_page_within(get, page, known[0].since) if known else number
        probe = with_query(page.url, page=last + 1)
        here = (last == number and page.next_url) or probe


def _edge(times: list[datetime], before: datetime) -> datetime:
    """The second after the oldest row of a page; the order of others says nothing."""
    is_descending = times and times == sorted(times, reverse=True)
    return times[-1] + SECOND if is_descending else before


def _known_around(plan: Plan, times: list[datetime]) -> list[Interval]:
    """The interval to jump over in which a whole page lies, if there is one."""
    if not times:
        return []
    first, last = min(times), max(times)
    return [one for one in plan.skipped if one.since <= first and last < one.until]


def _last_page_within(get: Get, page: Page, since: datetime) -> int:
    """The number of the last page whose rows all lie at or after `since`, as here.

    What cannot be read, or not in time's order, counts as behind it: from there the
    list is read page by page.
    """

    def is_within(number: int) -> bool:
        try:
            other = parts.read(get, with_query(page.url, page=number))
        except CappedError:
            return False
        if other.content and other.content == page.content:
            raise endless(urlsplit(page.url).path)
        times = instants(other.content, "created_at")
        return len(times) == len(other.content) > 0 and min(times) >= since

    within, step = number_in(page.url, "page", 1), 1
    while is_within(within + step):
        within, step = within + step, step * 2
    behind = within + step
    while behind - within > 1:
        middle = (within + behind) // 2
        within, behind = (middle, behind) if is_within(middle) else (within, middle)
    return within
