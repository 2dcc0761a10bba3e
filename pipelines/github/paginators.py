"""How to walk lists that cap, shift or lie about their end.

Lists with `since` are walked in ascending order of `updated_at`: a row that changes
meanwhile moves to the end and is still reached. A next link with a cursor goes on
behind the last row, wherever it stands now, and is followed as it is; where GitHub
links by page numbers, which shift, each request starts at the second the last one
reached, so none goes deeper than one page and no cap is met. The list of events has no
`since`: it is followed from the newest row backwards, and pages of what is loaded
already are jumped over.

A list has ended when a page is short and links to no next one. A full page without a
link may be the end or a cap: the page after it tells (empty, or a 422).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from itertools import takewhile
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

from dlt.sources.helpers.rest_client.paginators import BasePaginator

from pipelines.coverage import Interval, Plan
from pipelines.errors import IncompleteError, RefusedError
from pipelines.github.client import CappedError, Page, SlowError
from pipelines.github.models import UnfitError, instant

PARTS = 4
SECOND = timedelta(seconds=1)

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


def read_page(get: Get, url: str) -> Page:
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


def pages_of(get: Get, url: str) -> Iterator[Page]:
    """Every page of the list at `url`, asked for in full pages.

    Raises IncompleteError where GitHub caps the list, RefusedError where it never ends.
    """
    here, number, visited = with_query(url, per_page=PER_PAGE), 1, set[str]()
    shown: list[Any] = []
    while here not in visited:
        visited.add(here)
        try:
            page = read_page(get, here)
        except CappedError as cap:
            path = urlsplit(url).path
            raise IncompleteError(f"{path} cannot be read to its end: {cap}.") from None
        refuse_again(page, shown)
        shown = page.content
        yield page
        if page.next_url is None and len(page.content) < PER_PAGE:
            return
        number += 1
        here = page.next_url or with_query(url, per_page=PER_PAGE, page=number)
    raise endless(urlsplit(url).path)


class ListPaginator(BasePaginator, ABC):
    """A walk over one list, from page to page; `read` gives the next one.

    `get` gives the page at an URL, `url` is where the next one is.
    """

    def __init__(self, get: Get, url: str, first_url: str, plan: Plan) -> None:
        """Ask nothing yet; `url` is the list's own, without a place in it."""
        super().__init__()
        self.url = first_url
        self.list_url = url
        self.plan = plan
        self._get = get
        self._visited: set[str] = set()
        self._shown: list[Any] = []
        self._walked: Walked | None = None

    def __iter__(self) -> Iterator[Walked]:
        """All pages that are left."""
        while self.has_next_page:
            yield self.read()

    def read(self) -> Walked:
        """The next page. Raises IncompleteError beyond GitHub's cap."""
        self.advance()
        path = urlsplit(self.url).path
        if self.url in self._visited:
            raise endless(path)
        self._visited.add(self.url)
        try:
            page = read_page(self._get, self.url)
        except CappedError as cap:
            if self.is_first:
                reason = f"{cap}: not even the first page is given."
                raise RefusedError(reason) from None
            return self.at_cap(path)
        self.update_state(page, page.content)
        assert self._walked is not None
        return self._walked

    @property
    def is_first(self) -> bool:
        """Whether the next page is the first one of a list."""
        return len(self._visited) <= 1

    def advance(self) -> None:
        """Find out where the next page is, where that takes requests."""

    def update_request(self, request: Any) -> None:
        """Let a request of dlt's go on where this walk stands."""
        request.url, request.params = self.url, {}

    @abstractmethod
    def update_state(self, response: Any, data: list[Any] | None = None) -> None:
        """Take note of a page, and of where to go on."""

    @abstractmethod
    def at_cap(self, path: str) -> Walked:
        """What it means that GitHub gives no page this deep."""

    def _end(self, walked: Walked) -> None:
        self._walked, self._has_next_page = walked, False


class SincePaginator(ListPaginator):
    """A list with `since`, from the plan's start to the list's present end."""

    def __init__(self, get: Get, url: str, plan: Plan) -> None:
        """Ask nothing yet."""
        self._position = plan.next_position(plan.since)
        self._depth = 1
        self._before: list[Any] = []
        super().__init__(get, url, _since(url, self._position), plan)

    def update_state(self, response: Any, data: list[Any] | None = None) -> None:
        """Take note of a page, and of where to go on."""
        page: Page = response
        if self._depth > 1:  # else it may begin with the second that was the whole page
            refuse_again(page, self._shown)
        self._shown = page.content
        # Of the second that both pages hold, what has not changed came already.
        rows = [row for row in page.content if row not in self._before]
        if is_short(page):
            return self._end(Walked(rows, page.date, reached_from=self.plan.since))
        latest = _end_of_ascending(page.content)
        if latest is not None and latest > self._position:
            self._position, self._depth = self.plan.next_position(latest), 1
            goes_on = self._position == latest and has_cursor(page.next_url)
            anew = _since(self.list_url, self._position)
            self.url = (goes_on and page.next_url) or anew
        else:  # one second holds this whole page, or its order cannot be trusted
            self._depth += 1
            here = _since(self.list_url, self._position)
            self.url = page.next_url or with_query(here, page=self._depth)
        self._before = _at_the_end(page.content, latest)
        self._walked = Walked(rows, page.date, passed=self._position)

    @property
    def is_first(self) -> bool:
        """Whether the next page is the first one from a second on."""
        return self._depth == 1

    def at_cap(self, path: str) -> Walked:
        """Refuse to take for whole what GitHub does not show."""
        raise IncompleteError(
            f"{path} is incomplete: more rows share one second than GitHub shows. "
            "What was loaded is kept, and nothing is reported from it."
        )


class NewestFirstPaginator(ListPaginator):
    """A list that begins at its newest row, back to before the plan's start.

    The order is not documented, so a page ends the walk only if all of it is older. The
    last page says from when on the list was seen completely: the plan's start, or,
    where GitHub caps the list, the second after the oldest row shown.
    """

    def __init__(self, get: Get, url: str, plan: Plan) -> None:
        """Ask nothing yet."""
        super().__init__(get, url, url, plan)
        self._seen_from = self._edge = datetime.max.replace(tzinfo=UTC)
        self._pending: tuple[Page, list[Interval]] | None = None

    def update_state(self, response: Any, data: list[Any] | None = None) -> None:
        """Take note of a page."""
        page: Page = response
        refuse_again(page, self._shown)
        self._shown = page.content
        times = instants(page.content, "created_at")
        known = _known_around(self.plan, times)
        # The second after the oldest row of a page; the order of others says nothing.
        if times and times == sorted(times, reverse=True):
            self._edge = times[-1] + SECOND
        passed = [max(times) + SECOND] if times else []
        earlier = [self._seen_from, *passed, *(one.since for one in known)]
        self._seen_from = min(earlier)
        if is_short(page) or self._seen_from <= self.plan.since:
            last_page = Walked(page.content, page.date, reached_from=self.plan.since)
            return self._end(last_page)
        self._walked = Walked(page.content, page.date, seen_from=self._seen_from)
        self._pending = page, known

    def advance(self) -> None:
        """Go on behind what is known, which takes a few requests to find."""
        if self._pending is None:
            return
        (page, known), self._pending = self._pending, None
        last = number = number_in(page.url, "page", 1)
        if known:
            last = _last_page_within(self._get, page, known[0].since)
        probe = with_query(page.url, page=last + 1)
        self.url = (last == number and page.next_url) or probe

    def at_cap(self, path: str) -> Walked:
        """The list ends here: it covers from its oldest row on."""
        assert self._walked is not None
        reached = max(self.plan.since, min(self._seen_from, self._edge))
        date = self._walked.date
        self._end(Walked([], date, reached_from=reached, is_capped=True))
        return self._walked


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
            other = read_page(get, with_query(page.url, page=number))
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
