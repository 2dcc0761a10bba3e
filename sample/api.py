"""The API as a pure function: a view of the world and a request give a response."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from typing import Any

from sample import paging
from sample.exchange import Request, Response, invalid, not_found
from sample.past import Said, Standing, View
from sample.rows import Event, Review
from sample.search import search_issues
from sample.shapes import (
    Address,
    Json,
    comment_json,
    event_json,
    file_json,
    pull_json,
    repository_json,
    review_json,
    text,
    thread_json,
)

# GitHub answers an older `since` on the issue list with an empty page (A2.11).
OLDEST_SINCE = datetime(1980, 1, 1, tzinfo=UTC)


@dataclass(frozen=True)
class Limits:
    """How far lists go: the wall in pages of 100, the cap in rows."""

    max_page: int = 10
    max_rows: int = 30_000


@dataclass(frozen=True)
class Call:
    """One request to one repository's resource."""

    view: View
    request: Request
    address: Address
    limits: Limits
    tail: str

    @property
    def base(self) -> str:
        """The numeric address that `Link` uses."""
        number = self.address.repository.id
        return f"{self.address.host}/repositories/{number}{self.tail}"


Route = Callable[..., Response]


def answer(view: View, request: Request, limits: Limits) -> Response:
    """What GitHub would say; unknown paths and methods are a 404."""
    address = Address(request.host, view.world.repository)
    if request.method != "GET":
        return not_found()
    if request.path == "/rate_limit":
        return Response(200, {"resources": {}})
    if request.path == "/search/issues":
        return search_issues(view, request, address)
    names = (f"/repos/{address.slug}", f"/repositories/{address.repository.id}")
    for name in names:
        if request.path == name or request.path.startswith(f"{name}/"):
            tail = request.path[len(name) :]
            return _routed(Call(view, request, address, limits, tail))
    return not_found()


def _routed(call: Call) -> Response:
    for pattern, route in ROUTES.items():
        match = re.fullmatch(pattern, call.tail)
        if match:
            return route(call, *map(int, match.groups()))
    return not_found()


def _repository(call: Call) -> Response:
    return Response(200, repository_json(call.address, call.view.at))


def _threads(call: Call) -> Response:
    query = call.request.query
    state, sort = query.get("state", "open"), query.get("sort", "created")
    keys: dict[str, Callable[[Standing], Any]] = {
        "created": lambda standing: text(standing.thread.created_at),
        "updated": lambda standing: text(standing.updated_at),
        "comments": lambda standing: standing.comment_count,
    }
    if state not in ("open", "closed", "all") or sort not in keys:
        return invalid("Validation Failed")
    since = _since(query.get("since"))
    if isinstance(since, Response):
        return since
    descending = query.get("direction", "desc") != "asc"
    kept = [
        ((keys[sort](standing), standing.thread.number), standing)
        for standing in call.view.standings.values()
        if state in ("all", standing.state)
        and (not since or standing.updated_at >= since)
    ]
    if since and since < OLDEST_SINCE:
        kept = []
    kept.sort(key=lambda pair: pair[0], reverse=descending)
    show = partial(thread_json, address=call.address)
    max_page = call.limits.max_page
    return paging.by_cursor(
        kept, call.request, call.base, show, max_page=max_page, descending=descending
    )


def _since(told: str | None) -> datetime | Response | None:
    if not told:
        return None
    try:
        since = datetime.fromisoformat(told)
    except ValueError:
        return invalid("The since parameter is not a timestamp.")
    return since if since.tzinfo else since.replace(tzinfo=UTC)


def _issue_comments(call: Call) -> Response:
    return _comments(call, call.view.issue_comments)


def _review_comments(call: Call) -> Response:
    return _comments(call, call.view.review_comments)


def _comments(call: Call, rows: list[Said]) -> Response:
    query = call.request.query
    since = _since(query.get("since"))
    if isinstance(since, Response):
        return since
    kept = [said for said in rows if not since or said.updated_at >= since]
    if query.get("sort") == "updated":
        kept.sort(key=lambda said: (said.updated_at, said.row.id))
    # Without `sort` GitHub does not read `direction` (A1 table).
    if "sort" in query and query.get("direction") == "desc":
        kept.reverse()
    cap = call.limits.max_rows
    return paging.numbered(kept, call.request, call.base, _comment(call), cap=cap)


def _comment(call: Call) -> Callable[[Said], Json]:
    def show(said: Said) -> Json:
        standing = call.view.standings.get(said.row.number)
        is_pull_request = bool(standing and standing.thread.is_pull_request)
        return comment_json(said, call.address, is_pull_request=is_pull_request)

    return show


def _events(call: Call) -> Response:
    def show(event: Event) -> Json:
        standing = call.view.standings.get(event.number or 0)
        issue = thread_json(standing, call.address) if standing else None
        return {"issue": issue, **event_json(event, call.address)}

    newest_first = call.view.events[::-1]
    cap = call.limits.max_rows
    return paging.numbered(newest_first, call.request, call.base, show, cap=cap)


def _thread(call: Call, number: int) -> Response:
    standing = call.view.standings.get(number)
    return (
        Response(200, thread_json(standing, call.address)) if standing else not_found()
    )


def _pull(call: Call, number: int) -> Response:
    standing = call.view.standings.get(number)
    if not standing or not standing.thread.is_pull_request:
        return not_found()
    return Response(200, pull_json(standing, call.address, call.view))


def _of_thread(call: Call, number: int) -> Response:
    said = [said for said in call.view.issue_comments if said.row.number == number]
    since = _since(call.request.query.get("since"))
    if isinstance(since, Response):
        return since
    kept = [each for each in said if not since or each.updated_at >= since]
    return _listed(call, number, kept, _comment(call))


def _events_of_thread(call: Call, number: int) -> Response:
    rows = [event for event in call.view.events if event.number == number]
    return _listed(call, number, rows, partial(event_json, address=call.address))


def _reviews(call: Call, number: int) -> Response:
    rows = [review for review in call.view.reviews if review.number == number]
    return _listed(call, number, rows, partial(review_json, address=call.address))


def _files(call: Call, number: int) -> Response:
    return _listed(call, number, call.view.files.get(number, []), file_json)


def _timeline(call: Call, number: int) -> Response:
    """Events, comments and reviews of a thread; as on GitHub, none on its diff."""
    show_comment, view = _comment(call), call.view
    moments: list[tuple[datetime, int, Json]] = []
    for event in view.events:
        if event.number == number:
            shown = event_json(event, call.address)
            moments.append((event.created_at, event.id, shown))
    for said in view.issue_comments:
        if said.row.number == number:
            shown = {"event": "commented", **show_comment(said)}
            shown["actor"] = shown["user"]
            moments.append((said.row.created_at, said.row.id, shown))
    for review in view.reviews:
        if review.number == number:
            moments.append((review.created_at, review.id, _reviewed(call, review)))
    moments.sort(key=lambda moment: moment[:2])
    return _listed(
        call, number, [shown for _, _, shown in moments], lambda shown: shown
    )


def _reviewed(call: Call, review: Review) -> Json:
    return {"event": "reviewed", **review_json(review, call.address)}


def _listed(
    call: Call, number: int, rows: list[Any], show: Callable[[Any], Json]
) -> Response:
    if number not in call.view.standings:
        return not_found()
    return paging.numbered(rows, call.request, call.base, show)


ROUTES: dict[str, Route] = {
    r"": _repository,
    r"/issues": _threads,
    r"/issues/comments": _issue_comments,
    r"/issues/events": _events,
    r"/issues/(\d+)": _thread,
    r"/issues/(\d+)/comments": _of_thread,
    r"/issues/(\d+)/events": _events_of_thread,
    r"/issues/(\d+)/timeline": _timeline,
    r"/pulls/comments": _review_comments,
    r"/pulls/(\d+)": _pull,
    r"/pulls/(\d+)/reviews": _reviews,
    r"/pulls/(\d+)/files": _files,
}
