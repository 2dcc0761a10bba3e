"""What pull requests are made of, by GraphQL: many of them in one request.

An answer with `errors`, or one that shows fewer rows than it counts (a connection ends
at 100) or rows that cannot be stored, is not believed for that pull request, which is
then read by REST: three lists instead of a share of one request.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from contextlib import suppress
from datetime import datetime
from typing import Any

from pipelines.github import rows
from pipelines.github.answers import Page
from pipelines.github.details import (
    Detail,
    file_row,
    is_pending,
    object_in,
    pull_row,
    review_row,
)
from pipelines.github.rows import Payload, UnfitError

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


def _is_whole(told: Payload, *connections: str) -> bool:
    for name in connections:
        part = rows.part(told, name)
        nodes = part.get("nodes")
        if not isinstance(nodes, list) or len(nodes) != part.get("totalCount"):
            return False
    return True


def _from_graph(told: Payload, date: datetime) -> Detail:
    """The same rows from GraphQL's names; UnfitError where one of them cannot be."""
    number = rows.number(told, "number")
    commits = rows.part(told, "commits").get("totalCount")
    pull = {**told, "changed_files": told.get("changedFiles"), "commits": commits}
    pull["merged_by"] = _who(told.get("mergedBy"))
    reviews = map(_review_of, rows.part(told, "reviews")["nodes"])
    files = map(_file_of, rows.part(told, "files")["nodes"])
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
