"""The repository-wide lists: threads, comments of both kinds, events."""

from collections.abc import Callable
from datetime import UTC, datetime
from functools import partial
from typing import Any

from sample.github import paging
from sample.github.activity import comment_json, event_json
from sample.github.call import Call, since_of
from sample.github.exchange import Response, invalid
from sample.github.past import Said, Standing
from sample.github.shapes import Json, text, thread_json
from sample.rows import Event

# GitHub answers an older `since` on the issue list with an empty page (A2.11).
OLDEST_SINCE = datetime(1980, 1, 1, tzinfo=UTC)


def threads(call: Call) -> Response:
    """Issues and pull requests together, open ones unless asked otherwise."""
    query = call.request.query
    state, sort = query.get("state", "open"), query.get("sort", "created")
    keys: dict[str, Callable[[Standing], Any]] = {
        "created": lambda standing: text(standing.thread.created_at),
        "updated": lambda standing: text(standing.updated_at),
        "comments": lambda standing: standing.comment_count,
    }
    if state not in ("open", "closed", "all") or sort not in keys:
        return invalid("Validation Failed")
    since = since_of(call)
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


def issue_comments(call: Call) -> Response:
    """Every conversation's comments, oldest first unless asked otherwise."""
    return _comments(call, call.view.issue_comments)


def review_comments(call: Call) -> Response:
    """Every diff's comments, in the same orders."""
    return _comments(call, call.view.review_comments)


def _comments(call: Call, rows: list[Said]) -> Response:
    query = call.request.query
    since = since_of(call)
    kept = [said for said in rows if not since or said.updated_at >= since]
    if query.get("sort") == "updated":
        kept.sort(key=lambda said: (said.updated_at, said.row.id))
    # Without `sort` GitHub does not read `direction` (A1 table).
    if "sort" in query and query.get("direction") == "desc":
        kept.reverse()
    cap = call.limits.max_rows
    return paging.numbered(kept, call.request, call.base, show_comment(call), cap=cap)


def events(call: Call) -> Response:
    """Every event, newest first, each with its thread as it is today."""

    def show(event: Event) -> Json:
        standing = call.view.standings.get(event.number or 0)
        issue = thread_json(standing, call.address) if standing else None
        return {"issue": issue, **event_json(event, call.address)}

    newest_first = call.view.events[::-1]
    cap = call.limits.max_rows
    return paging.numbered(newest_first, call.request, call.base, show, cap=cap)


def show_comment(call: Call) -> Callable[[Said], Json]:
    """How a comment is told: its page depends on the kind of its thread."""

    def show(said: Said) -> Json:
        standing = call.view.standings.get(said.row.number)
        is_pull_request = bool(standing and standing.thread.is_pull_request)
        return comment_json(said, call.address, is_pull_request=is_pull_request)

    return show
