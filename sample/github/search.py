"""The issue search: the qualifiers a day's listings need, and no others.

`repo:` `is:issue|pr|open|closed|merged|unmerged` and ranges of `created:` `closed:`
`merged:` `updated:` (`A..B` with both ends included, `>=A`, `<B`, …), all of them
joined by AND; newest first, at most 1,000 rows, as GitHub gives them.
"""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

from sample.github import paging
from sample.github.exchange import Request, Response, invalid
from sample.github.past import Standing, View
from sample.github.shapes import Address, thread_json

MOST = 1_000
TOO_FAR = "Only the first 1000 search results are available"

Test = Callable[[Standing], bool]

STATES: dict[str, Test] = {
    "issue": lambda standing: not standing.thread.is_pull_request,
    "pr": lambda standing: standing.thread.is_pull_request,
    "pull-request": lambda standing: standing.thread.is_pull_request,
    "open": lambda standing: standing.state == "open",
    "closed": lambda standing: standing.state == "closed",
    "merged": lambda standing: standing.merged_at is not None,
    "unmerged": lambda standing: standing.merged_at is None,
}

TIMES: dict[str, Callable[[Standing], datetime | None]] = {
    "created": lambda standing: standing.thread.created_at,
    "updated": lambda standing: standing.updated_at,
    "closed": lambda standing: standing.closed_at,
    "merged": lambda standing: standing.merged_at,
}


def search_issues(view: View, request: Request, address: Address) -> Response:
    """One page of results; 422 for what the sample does not understand."""
    tests = []
    for term in request.query.get("q", "").split():
        test = _test(term, address)
        if test is None:
            return invalid(f"Validation Failed: {term}")
        tests.append(test)
    size, page = paging.per_page(request), request.number("page", 1)
    if not tests:
        return invalid("Validation Failed: q is missing")
    if (page - 1) * size >= MOST:
        return invalid(TOO_FAR)
    found = [each for each in view.standings.values() if all(t(each) for t in tests)]
    found.sort(key=lambda each: (each.thread.created_at, each.thread.number))
    found.reverse()
    base = f"{address.host}/search/issues"
    reply = paging.numbered(
        found[:MOST], request, base, lambda each: thread_json(each, address)
    )
    told = {"total_count": len(found), "incomplete_results": False, "items": reply.body}
    return Response(200, told, reply.headers)


def _test(term: str, address: Address) -> Test | None:
    name, _, value = term.partition(":")
    if name == "repo":
        is_ours = value.casefold() == address.slug.casefold()
        return lambda _: is_ours
    if name in ("is", "state", "type"):
        return STATES.get(value)
    if name in TIMES:
        return _within(TIMES[name], value)
    return None


def _within(time_of: Callable[[Standing], datetime | None], told: str) -> Test | None:
    bounds = _bounds(told)
    if bounds is None:
        return None
    first, last = bounds

    def test(standing: Standing) -> bool:
        at = time_of(standing)
        return at is not None and first <= at <= last

    return test


def _bounds(told: str) -> tuple[datetime, datetime] | None:
    """The first and the last second that a range includes."""
    earliest, latest = datetime(1, 1, 1, tzinfo=UTC), datetime(9999, 1, 1, tzinfo=UTC)
    second = timedelta(seconds=1)
    try:
        if ".." in told:
            start, _, end = told.partition("..")
            return (
                earliest if start == "*" else _first(start),
                latest if end == "*" else _last(end),
            )
        if told.startswith(">="):
            return _first(told[2:]), latest
        if told.startswith("<="):
            return earliest, _last(told[2:])
        if told.startswith(">"):
            return _last(told[1:]) + second, latest
        if told.startswith("<"):
            return earliest, _first(told[1:]) - second
        return _first(told), _last(told)
    except ValueError:
        return None


def _first(told: str) -> datetime:
    at = datetime.fromisoformat(told)
    return at if at.tzinfo else at.replace(tzinfo=UTC)


def _last(told: str) -> datetime:
    """A bare date means its whole day, in UTC."""
    first = _first(told)
    return first + timedelta(days=1, seconds=-1) if len(told) == 10 else first
