"""What happened to threads: closed, reopened, merged, labelled, renamed, redrafted, …

The list has no `since` and no `sort`; the newest event comes first. An event's thread
may be null (deleted), its label's name too. Events never change once they happened.
"""

from __future__ import annotations

import pyarrow as pa

from pipelines.github import rows
from pipelines.github.known import EVENT_FIELDS, EVENT_KINDS
from pipelines.github.resource import Resource, person_columns
from pipelines.github.rows import TIME, Payload, Row, UnfitError


def to_row(payload: Payload) -> Row:
    """Keep who did what to which thread; of any kind, also kinds yet unknown."""
    event = rows.text(payload, "event")
    if not event:
        raise UnfitError("event is no text")
    return {
        "id": rows.number(payload, "id"),
        "number": rows.number_or_none(rows.part(payload, "issue"), "number"),
        "event": event,
        **rows.account(payload, "actor", "actor"),
        "label_name": rows.text(rows.part(payload, "label"), "name"),
        "rename_from": rows.text(rows.part(payload, "rename"), "from"),
        "rename_to": rows.text(rows.part(payload, "rename"), "to"),
        "state_reason": rows.text(payload, "state_reason"),
        "commit_id": rows.text(payload, "commit_id"),
        "created_at": rows.time_at(payload, "created_at"),
    }


ISSUE_EVENTS = Resource(
    stream="issue_events",
    table="issue_events",
    path="/issues/events?per_page=100",
    key="id",
    columns=(
        ("id", pa.int64()),
        ("number", pa.int64()),
        ("event", pa.string()),
        *person_columns("actor"),
        ("label_name", pa.string()),
        ("rename_from", pa.string()),
        ("rename_to", pa.string()),
        ("state_reason", pa.string()),
        ("commit_id", pa.string()),
        ("created_at", TIME),
    ),
    person="actor",
    to_row=to_row,
    has_since=False,
    fields=EVENT_FIELDS,
    kinds=EVENT_KINDS,
)
