"""What a pull request is made of: its size, its submitted reviews, its changed files.

By GraphQL many of them come in one request. An answer with `errors`, or one that shows
fewer rows than it counts (a connection ends at 100) or rows that cannot be stored, is
not believed for that pull request, which is then read by REST: three lists.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from pipelines.coverage import Quarantined
from pipelines.github import models
from pipelines.github.batches import set_aside
from pipelines.github.client import Page
from pipelines.github.models import Payload, Row, UnfitError
from pipelines.github.paginators import pages_of

Get = Callable[..., Page]
ToRow = Callable[[int, Payload], Row]

# What could not become a row, under the name of the table that it was for.
Unfit = tuple[str, Quarantined]


@dataclass(frozen=True)
class Detail:
    """One pull request's own row, its reviews and its changed files, as table rows."""

    number: int
    pull: Row
    reviews: list[Row]
    files: list[Row]
    fetched_at: datetime
    unfit: tuple[Unfit, ...] = ()


def read(get: Get, url: str, number: int) -> Detail:
    """A pull request by REST; `url` is the repository's at the API."""
    place = f"{url}/pulls/{number}"
    page = get(place, dict)
    reviews, files = (
        [row for each in pages_of(get, f"{place}/{name}") for row in each.content]
        for name in ("reviews", "files")
    )
    unfit: list[Unfit] = []

    def fit(table: str, to_row: ToRow, payloads: Iterable[Any]) -> Iterator[Row]:
        for payload in payloads:
            try:
                yield to_row(number, object_in(payload))
            except UnfitError as why:
                one = set_aside(payload, "id", str(why))
                # It goes when its pull request is read again.
                unfit.append((table, replace(one, row_key=f"{number}/{one.row_key}")))

    submitted = (one for one in reviews if not is_pending(one))
    # A size that cannot be read is as unknown as one that was not told.
    pull = [*fit("pull_details", pull_row, [page.content]), pull_row(number, {})]
    return Detail(
        number,
        pull[0],
        list(fit("reviews", review_row, submitted)),
        list(fit("changed_files", file_row, files)),
        page.date,
        tuple(unfit),
    )


def object_in(payload: Any) -> Payload:
    """The payload, if it is an object; UnfitError otherwise."""
    if not isinstance(payload, dict):
        raise UnfitError("is no object")
    return payload


def is_pending(review: Any) -> bool:
    """Whether a review was not submitted yet: it has no time and is no row."""
    return isinstance(review, dict) and review.get("submitted_at") is None


def pull_row(number: int, payload: Payload) -> Row:
    """Keep how large a pull request is, and who merged it."""
    return {
        "number": number,
        "additions": models.number_or_none(payload, "additions"),
        "deletions": models.number_or_none(payload, "deletions"),
        "changed_files": models.number_or_none(payload, "changed_files"),
        "commits": models.number_or_none(payload, "commits"),
        **models.account(payload, "merged_by", "merged_by"),
    }


def review_row(number: int, payload: Payload) -> Row:
    """Keep who judged it, when, and how; the body may be empty."""
    return {
        "id": models.number(payload, "id"),
        "number": number,
        **models.account(payload, "user", "user"),
        "author_association": models.text(payload, "author_association"),
        "state": models.text(payload, "state"),
        "body": models.text(payload, "body"),
        "submitted_at": models.time_at(payload, "submitted_at"),
        "html_url": models.text(payload, "html_url"),
    }


def file_row(number: int, payload: Payload) -> Row:
    """Keep how much of which file changes; its name is its key."""
    filename = models.text(payload, "filename")
    if not filename:
        raise UnfitError("filename is no text")
    return {
        "number": number,
        "filename": filename,
        "status": models.text(payload, "status"),
        "additions": models.number_or_none(payload, "additions"),
        "deletions": models.number_or_none(payload, "deletions"),
    }


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
    repository = models.part(models.part(page.content, "data"), "repository")
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


def _is_whole(told: Payload, *connections: str) -> bool:
    for name in connections:
        part = models.part(told, name)
        nodes = part.get("nodes")
        if not isinstance(nodes, list) or len(nodes) != part.get("totalCount"):
            return False
    return True


def _from_graph(told: Payload, date: datetime) -> Detail:
    """The same rows from GraphQL's names; UnfitError where one of them cannot be."""
    number = models.number(told, "number")
    commits = models.part(told, "commits").get("totalCount")
    pull = {**told, "changed_files": told.get("changedFiles"), "commits": commits}
    pull["merged_by"] = _who(told.get("mergedBy"))
    reviews = map(_review_of, models.part(told, "reviews")["nodes"])
    files = map(_file_of, models.part(told, "files")["nodes"])
    return Detail(
        number,
        pull_row(number, pull),
        [review_row(number, one) for one in reviews if not is_pending(one)],
        [file_row(number, one) for one in files],
        date,
    )


def _review_of(node: Any) -> Payload:
    node = object_in(node)
    return {
        **node,
        "id": node.get("databaseId"),
        "user": _who(node.get("author")),
        "author_association": node.get("authorAssociation"),
        "submitted_at": node.get("submittedAt"),
        "html_url": node.get("url"),
    }


def _file_of(node: Any) -> Payload:
    node = object_in(node)
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
