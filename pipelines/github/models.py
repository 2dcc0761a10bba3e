"""The streams, and GitHub's payloads as rows of their tables.

Everything that GitHub sends is untrusted: keys may be absent or null, text may hold
NULs and lone surrogates, times and ids may be anything. What does not fit says so, and
is set aside with its reason.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from typing import Any

import pyarrow as pa

TIME = pa.timestamp("us", tz="UTC")

# What no database can store as text becomes the character made for that.
UNSTORABLE = re.compile("[\x00\ud800-\udfff]")
REPLACEMENT = "\N{REPLACEMENT CHARACTER}"

MAX_BIGINT = 2**63 - 1

THREAD_NUMBER = re.compile(r"/(?:issues|pull|pulls)/(\d{1,18})(?:[#/?]|$)", re.ASCII)

Payload = Mapping[str, Any]
Row = dict[str, Any]


class UnfitError(Exception):
    """A payload that cannot become a row; the text is the reason."""


def clean(value: str) -> str:
    """The text with NULs and lone surrogates replaced by U+FFFD."""
    if value.isascii() and "\x00" not in value:
        return value
    return UNSTORABLE.sub(REPLACEMENT, value)


def text(payload: Payload, key: str) -> str | None:
    """A text, or None where there is none."""
    value = payload.get(key)
    if value is None:
        return None
    if not isinstance(value, str):
        raise UnfitError(f"{key} is no text")
    return clean(value)


def instant(value: Any) -> datetime:
    """An instant in UTC; only ISO times that name their offset are accepted."""
    if not isinstance(value, str) or len(value) < len("2026-03-04T11:24Z"):
        raise UnfitError("is no time")
    try:
        told = datetime.fromisoformat(value)
        if told.tzinfo is None:
            raise UnfitError("is a time without an offset")
        return told if told.tzinfo is UTC else told.astimezone(UTC)
    except (ValueError, OverflowError):
        raise UnfitError("is no time") from None


def time_at(payload: Payload, key: str) -> datetime:
    """A time that must be there."""
    try:
        return instant(payload.get(key))
    except UnfitError as why:
        raise UnfitError(f"{key} {why}") from None


def time_or_none(payload: Payload, key: str) -> datetime | None:
    """A time that may be null or absent."""
    return None if payload.get(key) is None else time_at(payload, key)


def number(payload: Payload, key: str) -> int:
    """A positive whole number that must be there."""
    value = number_or_none(payload, key)
    if value is None or value <= 0:
        raise UnfitError(f"{key} is no positive number")
    return value


def number_or_none(payload: Payload, key: str) -> int | None:
    """A whole number that may be null or absent."""
    value = payload.get(key)
    if value is None:
        return None
    if type(value) is not int or abs(value) > MAX_BIGINT:
        raise UnfitError(f"{key} is no whole number")
    return value


def flag(payload: Payload, key: str) -> bool:
    """A truth; absent or null means no."""
    return payload.get(key) is True


def part(payload: Payload, key: str) -> Payload:
    """A nested object; empty where it is null, absent or something else."""
    value = payload.get(key)
    return value if isinstance(value, dict) else {}


def account(payload: Payload, key: str, prefix: str) -> Row:
    """Id, login and type of an account; all null where GitHub names nobody.

    >>> account({"user": None}, "user", "user")
    {'user_id': None, 'user_login': None, 'user_type': None}
    """
    who = part(payload, key)
    return {
        f"{prefix}_id": number_or_none(who, "id"),
        f"{prefix}_login": text(who, "login"),
        f"{prefix}_type": text(who, "type"),
    }


def label_names(payload: Payload) -> list[str]:
    """The names of the labels in GitHub's order; GitHub's schema allows both forms.

    >>> label_names({"labels": [{"name": "rocm, amd"}, "bug", {"name": None}]})
    ['rocm, amd', 'bug']
    """
    labels = payload.get("labels")
    if not isinstance(labels, list):
        return []
    names = (one.get("name") if isinstance(one, dict) else one for one in labels)
    return [clean(name) for name in names if isinstance(name, str)]


def thread_number(payload: Payload, *keys: str) -> int:
    """The number of a comment's thread, which only its URLs tell."""
    for key in keys:
        value = payload.get(key)
        found = THREAD_NUMBER.search(value) if isinstance(value, str) else None
        if found:
            return int(found[1])
    raise UnfitError("its URLs name no thread")


def _names(text: str) -> frozenset[str]:
    return frozenset(text.split())


THREAD_FIELDS = _names(
    "active_lock_reason assignee assignees author_association body body_html "
    "body_text closed_at closed_by comments comments_url created_at draft "
    "events_url html_url id issue_dependencies_summary issue_field_values labels "
    "labels_url locked milestone node_id number parent_issue_url "
    "performed_via_github_app pinned_comment pull_request reactions repository "
    "repository_url state state_reason sub_issues_summary timeline_url title type "
    "updated_at url user"
)

COMMENT_FIELDS = _names(
    "author_association body body_html body_text created_at html_url id issue_url "
    "minimized node_id performed_via_github_app pin reactions updated_at url user"
)

REVIEW_COMMENT_FIELDS = _names(
    "_links author_association body body_html body_text commit_id created_at "
    "diff_hunk html_url id in_reply_to_id line minimized node_id original_commit_id "
    "original_line original_position original_start_line path "
    "performed_via_github_app position pull_request_review_id pull_request_url "
    "reactions side start_line start_side subject_type updated_at url user"
)

EVENT_FIELDS = _names(
    "actor assignee assigner author_association commit_id commit_url created_at "
    "dismissed_review event id issue label lock_reason milestone node_id "
    "performed_via_github_app project_card rename requested_reviewer requested_team "
    "review_requester state_reason url"
)

EVENT_KINDS = _names(
    "added_to_merge_queue added_to_project added_to_project_v2 assigned "
    "auto_merge_disabled auto_merge_enabled auto_rebase_enabled auto_squash_enabled "
    "automatic_base_change_failed automatic_base_change_succeeded base_ref_changed "
    "base_ref_deleted base_ref_force_pushed blocked_by_added blocked_by_removed "
    "blocking_added blocking_removed closed comment_deleted commented committed "
    "connected convert_to_draft converted_from_draft converted_note_to_issue "
    "converted_to_discussion cross-referenced demilestoned deployed "
    "deployment_environment_changed disconnected head_ref_deleted "
    "head_ref_force_pushed head_ref_restored issue_type_added issue_type_changed "
    "issue_type_removed labeled line-commented locked marked_as_duplicate mentioned "
    "merged milestoned moved_columns_in_project parent_issue_added "
    "parent_issue_removed pinned project_v2_item_status_changed ready_for_review "
    "referenced removed_from_merge_queue removed_from_project "
    "removed_from_project_v2 renamed reopened review_dismissed "
    "review_request_removed review_requested reviewed sub_issue_added "
    "sub_issue_removed subscribed transferred unassigned unlabeled unlocked "
    "unmarked_as_duplicate unpinned unsubscribed user_blocked"
)


@dataclass(frozen=True)
class Resource:
    """One list: the stream it feeds, where it is, and how a payload becomes a row.

    Attributes:
        stream: the name that coverage knows it by.
        table: the table of `raw_github`; with `repository`, `key` is its grain.
        path: below the repository's URL, with all parameters but `since`.
        columns: without `repository` and `fetched_at`, which every table has.
        person: the prefix of the columns that name who did it: `user` or `actor`.
        fields: the keys its payloads are known to have; None if that is not watched.
        kinds: the values its `event` is known to have, likewise.
        has_since: whether the list can be asked for what changed since an instant.
    """

    stream: str
    table: str
    path: str
    key: str
    columns: tuple[tuple[str, pa.DataType], ...]
    person: str
    to_row: Callable[[Payload], Row]
    has_since: bool = True
    fields: frozenset[str] | None = None
    kinds: frozenset[str] | None = None

    @cached_property
    def schema(self) -> pa.Schema:
        """The table's columns, in order."""
        first, last = ("repository", pa.string()), ("fetched_at", TIME)
        return pa.schema([first, *self.columns, last])

    @cached_property
    def firsts(self) -> tuple[str, ...]:
        """The columns whose first value stays, e.g. `first_author_association`.

        Each stands beside the column of the newest value, named without `first_`.
        """
        return tuple(name for name, _ in self.columns if name.startswith("first_"))

    @cached_property
    def version(self) -> str | None:
        """The column that tells the newer of two versions of a row, if there is one."""
        names = [name for name, _ in self.columns]
        return "updated_at" if "updated_at" in names else None


def person_columns(prefix: str) -> tuple[tuple[str, pa.DataType], ...]:
    """The three columns that name an account."""
    return (
        (f"{prefix}_id", pa.int64()),
        (f"{prefix}_login", pa.string()),
        (f"{prefix}_type", pa.string()),
    )


def thread_row(payload: Payload) -> Row:
    """Keep what the report can use of a thread; drop avatars, URLs and node ids."""
    pull = payload.get("pull_request")
    return {
        "number": number(payload, "number"),
        "id": number(payload, "id"),
        "title": text(payload, "title"),
        "body": text(payload, "body"),
        "state": text(payload, "state"),
        "state_reason": text(payload, "state_reason"),
        **account(payload, "user", "user"),
        "author_association": text(payload, "author_association"),
        "first_author_association": text(payload, "author_association"),
        "labels": label_names(payload),
        "is_pull_request": isinstance(pull, dict),
        "merged_at": time_or_none(part(payload, "pull_request"), "merged_at"),
        "is_draft": flag(payload, "draft"),
        "is_locked": flag(payload, "locked"),
        "comment_count": number_or_none(payload, "comments"),
        "created_at": time_at(payload, "created_at"),
        "updated_at": time_at(payload, "updated_at"),
        "closed_at": time_or_none(payload, "closed_at"),
        "html_url": text(payload, "html_url"),
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
    to_row=thread_row,
    fields=THREAD_FIELDS,
)


COMMENT_COLUMNS = (
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


def comment_row(payload: Payload) -> Row:
    """Keep who said what, when and where of a comment, and why it was hidden, if so."""
    return {
        "number": thread_number(payload, "issue_url", "html_url"),
        **comment_columns(payload),
    }


def comment_columns(payload: Payload) -> Row:
    """What comments of both kinds have."""
    return {
        "id": number(payload, "id"),
        **account(payload, "user", "user"),
        "author_association": text(payload, "author_association"),
        "body": text(payload, "body"),
        "via_app": text(part(payload, "performed_via_github_app"), "slug"),
        "minimized_reason": text(part(payload, "minimized"), "reason"),
        "created_at": time_at(payload, "created_at"),
        "updated_at": time_at(payload, "updated_at"),
        "html_url": text(payload, "html_url"),
    }


ISSUE_COMMENTS = Resource(
    stream="issue_comments",
    table="issue_comments",
    path="/issues/comments?sort=updated&direction=asc&per_page=100",
    key="id",
    columns=COMMENT_COLUMNS,
    person="user",
    to_row=comment_row,
    fields=COMMENT_FIELDS,
)


def review_comment_row(payload: Payload) -> Row:
    """Keep what a comment has, and the place in the diff and in the conversation."""
    return {
        "number": thread_number(payload, "pull_request_url", "html_url"),
        **comment_columns(payload),
        "path": text(payload, "path"),
        "in_reply_to_id": number_or_none(payload, "in_reply_to_id"),
        "pull_request_review_id": number_or_none(payload, "pull_request_review_id"),
    }


REVIEW_COMMENTS = Resource(
    stream="review_comments",
    table="review_comments",
    path="/pulls/comments?sort=updated&direction=asc&per_page=100",
    key="id",
    columns=(
        *COMMENT_COLUMNS,
        ("path", pa.string()),
        ("in_reply_to_id", pa.int64()),
        ("pull_request_review_id", pa.int64()),
    ),
    person="user",
    to_row=review_comment_row,
    fields=REVIEW_COMMENT_FIELDS,
)


def event_row(payload: Payload) -> Row:
    """Keep who did what to which thread; of any kind, also kinds yet unknown."""
    event = text(payload, "event")
    if not event:
        raise UnfitError("event is no text")
    return {
        "id": number(payload, "id"),
        "number": number_or_none(part(payload, "issue"), "number"),
        "event": event,
        **account(payload, "actor", "actor"),
        "label_name": text(part(payload, "label"), "name"),
        "rename_from": text(part(payload, "rename"), "from"),
        "rename_to": text(part(payload, "rename"), "to"),
        "state_reason": text(payload, "state_reason"),
        "commit_id": text(payload, "commit_id"),
        "created_at": time_at(payload, "created_at"),
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
    to_row=event_row,
    has_since=False,
    fields=EVENT_FIELDS,
    kinds=EVENT_KINDS,
)


RESOURCES = (THREADS, ISSUE_EVENTS, ISSUE_COMMENTS, REVIEW_COMMENTS)
BY_STREAM = {resource.stream: resource for resource in RESOURCES}
