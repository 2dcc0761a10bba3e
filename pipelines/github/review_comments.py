"""Comments on the lines of pull requests' diffs, of the whole repository in one list.

The review they were submitted with may be null; a reply names the comment it answers.
"""

from __future__ import annotations

import pyarrow as pa

from pipelines.github import comments, rows
from pipelines.github.known import REVIEW_COMMENT_FIELDS
from pipelines.github.resource import Resource
from pipelines.github.rows import Payload, Row


def to_row(payload: Payload) -> Row:
    """Keep what a comment has, and the place in the diff and in the conversation."""
    return {
        "number": rows.thread_number(payload, "pull_request_url", "html_url"),
        **comments.said(payload),
        "path": rows.text(payload, "path"),
        "in_reply_to_id": rows.number_or_none(payload, "in_reply_to_id"),
        "pull_request_review_id": rows.number_or_none(
            payload, "pull_request_review_id"
        ),
    }


REVIEW_COMMENTS = Resource(
    stream="review_comments",
    table="review_comments",
    path="/pulls/comments?sort=updated&direction=asc&per_page=100",
    key="id",
    columns=(
        *comments.COLUMNS,
        ("path", pa.string()),
        ("in_reply_to_id", pa.int64()),
        ("pull_request_review_id", pa.int64()),
    ),
    person="user",
    to_row=to_row,
    fields=REVIEW_COMMENT_FIELDS,
)
