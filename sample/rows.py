"""The rows of a world: what was born, what was said, what happened, and when.

A thread's row is the thread *as it was born*; everything later is an event. So the
state at any instant is a replay (`sample.github.past`), and no row can contradict
another. All times are aware, UTC, whole seconds, as GitHub's are.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

Patch = Mapping[str, Any]
"""Keys laid over the JSON that is served, for shapes that no row can say."""


@dataclass(frozen=True)
class User:
    """One account; `kind` is GitHub's `type`: User, Bot, Organization."""

    id: int
    login: str
    kind: str = "User"


@dataclass(frozen=True)
class Thread:
    """One issue or pull request, as it was born."""

    number: int
    created_at: datetime
    title: str
    body: str | None = None
    user: User | None = None
    is_pull_request: bool = False
    labels: tuple[str, ...] = ()
    is_draft: bool = False
    author_association: str = "NONE"
    patch: Patch = field(default_factory=dict)
    id: int = 0


@dataclass(frozen=True)
class Comment:
    """One comment in a thread's conversation; `edits` are later bodies, with times."""

    number: int
    created_at: datetime
    body: str | None
    user: User | None
    author_association: str = "NONE"
    edits: tuple[tuple[datetime, str], ...] = ()
    via_app: str | None = None
    minimized_reason: str | None = None
    deleted_at: datetime | None = None
    patch: Patch = field(default_factory=dict)
    id: int = 0


@dataclass(frozen=True)
class ReviewComment(Comment):
    """One comment on a line of a pull request's diff."""

    path: str = "engine/core.py"
    in_reply_to_id: int | None = None
    review_id: int | None = None


@dataclass(frozen=True)
class Event:
    """One thing that happened to a thread; `number` is null where GitHub lost it."""

    number: int | None
    created_at: datetime
    event: str
    actor: User | None
    label: str | None = None
    rename: tuple[str, str] | None = None
    state_reason: str | None = None
    commit_id: str | None = None
    patch: Patch = field(default_factory=dict)
    id: int = 0


@dataclass(frozen=True)
class Review:
    """One submitted review; `created_at` is GitHub's `submitted_at`."""

    number: int
    created_at: datetime
    state: str
    body: str
    user: User | None
    author_association: str = "MEMBER"
    id: int = 0


@dataclass(frozen=True)
class ChangedFile:
    """One file that a pull request changes."""

    number: int
    filename: str
    additions: int
    deletions: int
    status: str = "modified"


Row = Thread | Comment | ReviewComment | Event | Review | ChangedFile
