"""What only a pull request itself tells: its size, its files, its submitted reviews.

By REST that is three lists for each of them; `graph` tells many at once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from pipelines.github import rows
from pipelines.github.answers import Page
from pipelines.github.batches import set_aside
from pipelines.github.pages import pages_of
from pipelines.github.rows import Payload, Row, UnfitError
from pipelines.ledger import Quarantined

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
        "additions": rows.number_or_none(payload, "additions"),
        "deletions": rows.number_or_none(payload, "deletions"),
        "changed_files": rows.number_or_none(payload, "changed_files"),
        "commits": rows.number_or_none(payload, "commits"),
        **rows.account(payload, "merged_by", "merged_by"),
    }


def review_row(number: int, payload: Payload) -> Row:
    """Keep who judged it, when, and how; the body may be empty."""
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


def file_row(number: int, payload: Payload) -> Row:
    """Keep how much of which file changes; its name is its key."""
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
