"""How to walk a list that caps, shifts or lies about its end.

Lists with `since` are walked in ascending order of `updated_at`: a row that changes
meanwhile moves to the end and is still reached. A next link with a cursor goes on
behind the last row, wherever it stands now, and is followed as it is; where GitHub
links by page numbers, which shift, each request starts at the second the last one
reached, so none goes deeper than one page and no cap is met. The list of events has no
`since`: see `newest_first`.

A list has ended when a page is short and links to no next one. A full page without a
link may be the end or a cap: the page after it tells (empty, or a 422).
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import takewhile
from typing import Any
from urllib.parse import urlsplit

from pipelines.coverage import Plan
from pipelines.exits import IncompleteError, RefusedError
from pipelines.github import parts
from pipelines.github.answers import CappedError, Page
from pipelines.github.parts import Get, has_cursor, with_query
from pipelines.github.rows import UnfitError, instant

PER_PAGE = 100

# GitHub answers an empty list to a `since` at the epoch; it is omitted before this.
EARLIEST_SINCE = datetime(1980, 1, 1, tzinfo=UTC)


@dataclass(frozen=True)
class Walked:
    """One page of a walk.

    `passed` is the time (UTC) up to which an ascending walk has seen all there was, and
    `seen_from` the one from which on a descending one has; `reached_from` is set on the
    last page only: the walk has seen all from then on.
    """

    rows: list[Any]
    date: datetime
    passed: datetime | None = None
    reached_from: datetime | None = None
    is_capped: bool = False
    seen_from: datetime | None = None


def walk_updated(get: Get, url: str, plan: Plan) -> Iterator[Walked]:
    """Pages of a list with `since`, from the plan's start to the list's present end.

    Raises IncompleteError where more rows than GitHub shows share one second.
    """
    position, depth = plan.next_position(plan.since), 1
    here, visited = _since(url, position), set[str]()
    before: list[Any] = []
    shown: list[Any] = []
    while True:
        page = fetched(get, here, visited, is_first=depth == 1)
        if depth > 1:  # else it may begin with the second that was the whole page
            refuse_again(page, shown)
        shown = page.content
        # Of the second that both pages hold, what has not changed came already.
        rows = [row for row in page.content if row not in before]
        if is_short(page):
            yield Walked(rows, page.date, reached_from=plan.since)
            return
        latest = _end_of_ascending(page.content)
        if latest is not None and latest > position:
            position, depth = plan.next_position(latest), 1
            goes_on = position == latest and has_cursor(page.next_url)
            here = (goes_on and page.next_url) or _since(url, position)
        else:  # one second holds this whole page, or its order cannot be trusted
            depth += 1
            probe = with_query(_since(url, position), page=depth)
            here = page.next_url or probe
        before = _at_the_end(page.content, latest)
        yield Walked(rows, page.date, passed=position)


def fetched(get: Get, here: str, visited: set[str], *, is_first: bool) -> Page:
    """The page at `here`, which must be new; IncompleteError beyond GitHub's cap."""
    path = urlsplit(here).path
    if here in visited:
        raise endless(path)
    visited.add(here)
    try:
        return parts.read(get, here)
    except CappedError as cap:
        if is_first:
            raise RefusedError(f"{cap}: not even the first page is given.") from None
        raise IncompleteError(
            f"{path} is incomplete: more rows share one second than GitHub shows. "
            "What was loaded is kept, and nothing is reported from it."
        ) from None


def refuse_again(page: Page, before: list[Any]) -> None:
    """Raise where a full page is the one before it, under whatever address."""
    if len(page.content) >= PER_PAGE and page.content == before:
        raise endless(urlsplit(page.url).path)


def endless(path: str) -> RefusedError:
    """The refusal to read a list for ever."""
    return RefusedError(
        f"GitHub says that the next page of {path} is one already read: the list "
        "never ends. Run the same command again later."
    )


def is_short(page: Page) -> bool:
    """Whether a page is the proven end of its list."""
    return len(page.content) < PER_PAGE and page.next_url is None


def _since(url: str, since: datetime) -> str:
    if since < EARLIEST_SINCE:
        return url
    return with_query(url, since=f"{since.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}")


def _end_of_ascending(rows: list[Any]) -> datetime | None:
    """The last `updated_at` of a page in ascending order; None for any other page.

    Where the order cannot be trusted, `since` must not move: it would jump over rows.
    """
    times = instants(rows, "updated_at")
    return times[-1] if times and times == sorted(times) else None


def _at_the_end(rows: list[Any], latest: datetime | None) -> list[Any]:
    """The last rows of an ascending page that were changed in its last second."""
    last = takewhile(lambda row: instants([row], "updated_at") == [latest], rows[::-1])
    return list(last)


def instants(rows: list[Any], key: str) -> list[datetime]:
    """The readable times of a page's rows, in the page's order."""
    times = []
    for row in rows:
        with suppress(UnfitError, KeyError, TypeError):
            times.append(instant(row[key]))
    return times
