"""What the API tells about one thread, by its number."""

from collections.abc import Callable
from datetime import datetime
from functools import partial
from typing import Any

from sample.github import paging
from sample.github.activity import event_json, file_json, review_json
from sample.github.call import Call, since_of
from sample.github.exchange import Response, not_found
from sample.github.lists import show_comment
from sample.github.shapes import Json, pull_json, thread_json
from sample.rows import Review


def thread(call: Call, number: int) -> Response:
    """The thread by itself; a pull request too."""
    standing = call.view.standings.get(number)
    if not standing:
        return not_found()
    return Response(200, thread_json(standing, call.address))


def pull(call: Call, number: int) -> Response:
    """The pull request by itself; an issue is not found."""
    standing = call.view.standings.get(number)
    if not standing or not standing.thread.is_pull_request:
        return not_found()
    return Response(200, pull_json(standing, call.address, call.view))


def comments(call: Call, number: int) -> Response:
    """Its conversation, oldest first."""
    said = [said for said in call.view.issue_comments if said.row.number == number]
    since = since_of(call)
    kept = [each for each in said if not since or each.updated_at >= since]
    return _listed(call, number, kept, show_comment(call))


def events(call: Call, number: int) -> Response:
    """Its events, oldest first, without the thread itself."""
    rows = [event for event in call.view.events if event.number == number]
    return _listed(call, number, rows, partial(event_json, address=call.address))


def reviews(call: Call, number: int) -> Response:
    """Its submitted reviews, oldest first."""
    rows = [review for review in call.view.reviews if review.number == number]
    return _listed(call, number, rows, partial(review_json, address=call.address))


def files(call: Call, number: int) -> Response:
    """The files it changes."""
    return _listed(call, number, call.view.files.get(number, []), file_json)


def timeline(call: Call, number: int) -> Response:
    """Events, comments and reviews of a thread; as on GitHub, none on its diff."""
    show, view = show_comment(call), call.view
    moments: list[tuple[datetime, int, Json]] = []
    for event in view.events:
        if event.number == number:
            shown = event_json(event, call.address)
            moments.append((event.created_at, event.id, shown))
    for said in view.issue_comments:
        if said.row.number == number:
            shown = {"event": "commented", **show(said)}
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
