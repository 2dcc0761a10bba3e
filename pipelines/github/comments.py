"""Comments on issues and pull requests, of the whole repository in one list.

A row names its thread only inside its URLs. `direction` is ignored without `sort`.
"""

from __future__ import annotations

import pyarrow as pa

from pipelines.github import rows
from pipelines.github.known import COMMENT_FIELDS
from pipelines.github.resource import Resource, person_columns
from pipelines.github.rows import TIME, Payload, Row

COLUMNS = (
    ("id", pa.int64()),
    ("number", pa.int64()),
    *person_columns("user"),
    ("author_association", pa.string()),
    ("body", pa.string()),
    ("via_app", pa.string()),
    ("minimized_reason", pa.string()),
    ("created_at", TIME),
    ("updated_at", TIME),
    ("html_url", pa.string()),
)


def to_row(payload: Payload) -> Row:
    """Keep who said what, when and where of a comment, and why it was hidden, if so."""
    return {
        "number": rows.thread_number(payload, "issue_url", "html_url"),
        **said(payload),
    }


def said(payload: Payload) -> Row:
    """What comments of both kinds have."""
    return {
        "id": rows.number(payload, "id"),
        **rows.account(payload, "user", "user"),
        "author_association": rows.text(payload, "author_association"),
        "body": rows.text(payload, "body"),
        "via_app": rows.text(rows.part(payload, "performed_via_github_app"), "slug"),
        "minimized_reason": rows.text(rows.part(payload, "minimized"), "reason"),
        "created_at": rows.time_at(payload, "created_at"),
        "updated_at": rows.time_at(payload, "updated_at"),
        "html_url": rows.text(payload, "html_url"),
    }


ISSUE_COMMENTS = Resource(
    stream="issue_comments",
    table="issue_comments",
    path="/issues/comments?sort=updated&direction=asc&per_page=100",
    key="id",
    columns=COLUMNS,
    person="user",
    to_row=to_row,
    fields=COMMENT_FIELDS,
)
