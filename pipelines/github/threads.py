"""Issues and pull requests, as GitHub's list of issues reports them.

The list mixes both kinds of thread: a pull request is the one whose payload has a
`pull_request` object. It shows open threads only unless asked for all. Draft flag and
merge time come along, so the list of pull requests, which has no `since`, is not used.
"""

from __future__ import annotations

import pyarrow as pa

from pipelines.github import rows
from pipelines.github.known import THREAD_FIELDS
from pipelines.github.resource import Resource, person_columns
from pipelines.github.rows import TIME, Payload, Row


def to_row(payload: Payload) -> Row:
    """Keep what the report can use of a thread; drop avatars, URLs and node ids."""
    pull = payload.get("pull_request")
    return {
        "number": rows.number(payload, "number"),
        "id": rows.number(payload, "id"),
        "title": rows.text(payload, "title"),
        "body": rows.text(payload, "body"),
        "state": rows.text(payload, "state"),
        "state_reason": rows.text(payload, "state_reason"),
        **rows.account(payload, "user", "user"),
        "author_association": rows.text(payload, "author_association"),
        "first_author_association": rows.text(payload, "author_association"),
        "labels": rows.label_names(payload),
        "is_pull_request": isinstance(pull, dict),
        "merged_at": rows.time_or_none(rows.part(payload, "pull_request"), "merged_at"),
        "is_draft": rows.flag(payload, "draft"),
        "is_locked": rows.flag(payload, "locked"),
        "comment_count": rows.number_or_none(payload, "comments"),
        "created_at": rows.time_at(payload, "created_at"),
        "updated_at": rows.time_at(payload, "updated_at"),
        "closed_at": rows.time_or_none(payload, "closed_at"),
        "html_url": rows.text(payload, "html_url"),
    }


THREADS = Resource(
    stream="threads",
    table="issues",
    path="/issues?state=all&sort=updated&direction=asc&per_page=100",
    key="number",
    columns=(
        ("number", pa.int64()),
        ("id", pa.int64()),
        ("title", pa.string()),
        ("body", pa.string()),
        ("state", pa.string()),
        ("state_reason", pa.string()),
        *person_columns("user"),
        ("author_association", pa.string()),
        ("first_author_association", pa.string()),
        ("labels", pa.list_(pa.string())),
        ("is_pull_request", pa.bool_()),
        ("merged_at", TIME),
        ("is_draft", pa.bool_()),
        ("is_locked", pa.bool_()),
        ("comment_count", pa.int64()),
        ("created_at", TIME),
        ("updated_at", TIME),
        ("closed_at", TIME),
        ("html_url", pa.string()),
    ),
    person="user",
    to_row=to_row,
    fields=THREAD_FIELDS,
)
