"""What only a pull request itself tells: its size, its files, its submitted reviews.

Asked for by GraphQL, many at once. An answer with `errors`, or one that shows fewer
rows than it counts (a connection ends at 100), is not believed for that pull request,
which is then read by REST: three lists instead of a share of one request.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from pipelines.github import rows
from pipelines.github.answers import Page
from pipelines.github.pages import pages_of
from pipelines.github.rows import Payload, Row, UnfitError

BATCH = 25

FIELDS = """
number additions deletions changedFiles commits { totalCount } mergedBy { ...who }
reviews(first: 100) { totalCount nodes {
  databaseId author { ...who } authorAssociation state body submittedAt url } }
files(first: 100) { totalCount nodes { path changeType additions deletions } }
"""
WHO = """
fragment who on Actor { __typename login
  ... on User { databaseId } ... on Bot { databaseId } ... on Mannequin { databaseId } }
"""

# GraphQL's word for what happened to a file, as REST has it; others are lower case.
CHANGES = {"DELETED": "removed"}

Get = Callable[..., Page]


@dataclass(frozen=True)
class Detail:
    """One pull request's own row, its reviews and its changed files, as table rows."""

    number: int
    pull: Row
    reviews: list[Row]
    files: list[Row]
    fetched_at: datetime


def query_of(owner: str, name: str, numbers: Iterable[int]) -> str:
    """The GraphQL query for these pull requests of one repository."""
    parts = [
        f"p{number}: pullRequest(number: {number}) {{ {FIELDS} }}" for number in numbers
    ]
    where = f"owner: {json.dumps(owner)}, name: {json.dumps(name)}"
    return f"query {{ repository({where}) {{ {' '.join(parts)} }} }} {WHO}"


def details_in(page: Page) -> Iterator[Detail]:
    """The pull requests that a GraphQL answer tells whole; none if it has errors.

    That one of them is not there says nothing against the others.
    """
    if errors_in(page) - {"NOT_FOUND"}:
        return
    repository = rows.part(rows.part(page.content, "data"), "repository")
    for told in repository.values():
        if isinstance(told, dict) and _is_whole(told, "reviews", "files"):
            with suppress(UnfitError):
                yield _from_graph(told, page.date)


def errors_in(page: Page) -> set[str]:
    """The types of the errors that a GraphQL answer tells of; empty for none."""
    told = page.content.get("errors") or []
    errors = told if isinstance(told, list) else [told]
    return {
        str(one.get("type")) if isinstance(one, dict) else "no object" for one in errors
    }


def is_too_much(page: Page) -> bool:
    """Whether fewer pull requests at once might be answered."""
    return "RESOURCE_LIMITS_EXCEEDED" in errors_in(page)


def read(get: Get, url: str, number: int) -> Detail:
    """A pull request by REST; `url` is the repository's at the API."""
    place = f"{url}/pulls/{number}"
    page = get(place, dict)
    listed = [
        [row for each in pages_of(get, f"{place}/{name}") for row in each.content]
        for name in ("reviews", "files")
    ]
    reviews, files = [[one for one in some if isinstance(one, dict)] for some in listed]
    pull = _pull(number, page.content, page.content.get("merged_by"))
    return Detail(
        number,
        pull,
        [one for row in reviews for one in _fit(_review, number, row)],
        [one for row in files for one in _fit(_file, number, row)],
        page.date,
    )


def _fit(
    to_row: Callable[[int, Payload], Row], number: int, payload: Payload
) -> Iterator[Row]:
    with suppress(UnfitError):
        yield to_row(number, payload)


def _pull(number: int, payload: Payload, merged_by: Any) -> Row:
    return {
        "number": number,
        "additions": rows.number_or_none(payload, "additions"),
        "deletions": rows.number_or_none(payload, "deletions"),
        "changed_files": rows.number_or_none(payload, "changed_files"),
        "commits": rows.number_or_none(payload, "commits"),
        **rows.account({"merged_by": merged_by}, "merged_by", "merged_by"),
    }


def _review(number: int, payload: Payload) -> Row:
    """A submitted review; one that is pending has no time and is no row."""
    return {
        "id": rows.number(payload, "id"),
        "number": number,
        **rows.account(payload, "user", "user"),
        "author_association": rows.text(payload, "author_association"),
        "state": rows.text(payload, "state"),
        "body": rows.text(payload, "body"),
        "submitted_at": rows.time_at(payload, "submitted_at"),
        "html_url": rows.text(payload, "html_url"),
    }


def _file(number: int, payload: Payload) -> Row:
    filename = rows.text(payload, "filename")
    if not filename:
        raise UnfitError("filename is no text")
    return {
        "number": number,
        "filename": filename,
        "status": rows.text(payload, "status"),
        "additions": rows.number_or_none(payload, "additions"),
        "deletions": rows.number_or_none(payload, "deletions"),
    }


def _is_whole(told: Payload, *connections: str) -> bool:
    for name in connections:
        part = rows.part(told, name)
        nodes = part.get("nodes")
        if not isinstance(nodes, list) or len(nodes) != part.get("totalCount"):
            return False
    return True


def _from_graph(told: Payload, date: datetime) -> Detail:
    """The same rows from GraphQL's names."""
    number = rows.number(told, "number")
    commits = rows.part(told, "commits").get("totalCount")
    pull = {**told, "changed_files": told.get("changedFiles"), "commits": commits}
    return Detail(
        number,
        _pull(number, pull, _who(told.get("mergedBy"))),
        [
            one
            for node in rows.part(told, "reviews")["nodes"]
            for one in _fit(_review, number, _review_of(node))
        ],
        [
            one
            for node in rows.part(told, "files")["nodes"]
            for one in _fit(_file, number, _file_of(node))
        ],
        date,
    )


def _review_of(node: Any) -> Payload:
    node = node if isinstance(node, dict) else {}
    return {
        **node,
        "id": node.get("databaseId"),
        "user": _who(node.get("author")),
        "author_association": node.get("authorAssociation"),
        "submitted_at": node.get("submittedAt"),
        "html_url": node.get("url"),
    }


def _file_of(node: Any) -> Payload:
    node = node if isinstance(node, dict) else {}
    change = str(node.get("changeType"))
    status = CHANGES.get(change, change.lower())
    return {**node, "filename": node.get("path"), "status": status}


def _who(actor: Any) -> Payload | None:
    """An account as REST has it: GraphQL leaves the `[bot]` out of bots' logins."""
    if not isinstance(actor, dict):
        return None
    kind, login = actor.get("__typename"), actor.get("login")
    if kind == "Bot" and isinstance(login, str) and not login.endswith("[bot]"):
        login = f"{login}[bot]"
    return {"id": actor.get("databaseId"), "login": login, "type": kind}
