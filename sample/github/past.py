"""A world as of an instant: its events replayed up to then, the rest not yet told.

Reports undo events from today backwards; the sample goes forwards from birth, so a
slip in one of the two cannot hide in the other.
"""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from datetime import datetime

from sample.repository import World
from sample.rows import (
    ChangedFile,
    Comment,
    Event,
    Review,
    ReviewComment,
    Thread,
    User,
)


@dataclass
class Standing:
    """One thread as it stands at the view's instant."""

    thread: Thread
    title: str
    labels: list[str]
    is_draft: bool
    updated_at: datetime
    state: str = "open"
    state_reason: str | None = None
    closed_at: datetime | None = None
    closed_by: User | None = None
    merged_at: datetime | None = None
    merged_by: User | None = None
    is_locked: bool = False
    comment_count: int = 0
    review_comment_count: int = 0


@dataclass(frozen=True)
class Said:
    """One comment as it reads at the view's instant."""

    row: Comment
    body: str | None
    updated_at: datetime


@dataclass(frozen=True)
class View:
    """All rows of a world up to and including `at`."""

    world: World
    at: datetime
    standings: dict[int, Standing]
    issue_comments: list[Said]
    review_comments: list[Said]
    events: list[Event]
    reviews: list[Review]
    files: dict[int, list[ChangedFile]] = field(default_factory=dict)


def as_of(world: World, at: datetime) -> View:
    """The world as GitHub would have shown it at `at`."""
    standings = {
        thread.number: _born(thread)
        for thread in world.threads
        if thread.created_at <= at
    }
    events = [event for event in world.events if event.created_at <= at]
    for event in events:
        if event.number in standings:
            _apply(standings[event.number], event)
    reviews = [review for review in world.reviews if review.created_at <= at]
    for review in reviews:
        _touch(standings, review)
    for said in (*world.issue_comments, *world.review_comments):
        if said.created_at <= at:
            _count(standings, said, at)
    return View(
        world=world,
        at=at,
        standings=standings,
        issue_comments=_said(world.issue_comments, at),
        review_comments=_said(world.review_comments, at),
        events=events,
        reviews=reviews,
        files=_by_number(world.files),
    )


def turning_points(world: World) -> list[datetime]:
    """Every instant at which the world changes, in order."""
    said = (*world.issue_comments, *world.review_comments)
    points = {row.created_at for row in world.threads}
    points |= {row.created_at for row in said}
    points |= {row.created_at for row in world.events}
    points |= {row.created_at for row in world.reviews}
    points |= {edited_at for row in said for edited_at, _ in row.edits}
    points |= {row.deleted_at for row in said if row.deleted_at}
    return sorted(points)


def _born(thread: Thread) -> Standing:
    labels = list(thread.labels)
    return Standing(
        thread, thread.title, labels, thread.is_draft, updated_at=thread.created_at
    )


def _apply(standing: Standing, event: Event) -> None:
    standing.updated_at = max(standing.updated_at, event.created_at)
    match event.event:
        case "closed":
            standing.state, standing.closed_at = "closed", event.created_at
            standing.closed_by, standing.state_reason = event.actor, event.state_reason
        case "merged":
            standing.state, standing.closed_at = "closed", event.created_at
            standing.merged_at, standing.merged_by = event.created_at, event.actor
        case "reopened":
            standing.state, standing.closed_at, standing.closed_by = "open", None, None
            standing.state_reason = _reason_of_reopening(standing)
        case "labeled" if event.label and event.label not in standing.labels:
            standing.labels.append(event.label)
        case "unlabeled" if event.label in standing.labels:
            standing.labels.remove(event.label)
        case "renamed" if event.rename:
            standing.title = event.rename[1]
        case "convert_to_draft" | "ready_for_review":
            standing.is_draft = event.event == "convert_to_draft"
        case "locked" | "unlocked":
            standing.is_locked = event.event == "locked"


def _reason_of_reopening(standing: Standing) -> str | None:
    return None if standing.thread.is_pull_request else "reopened"


def _touch(standings: dict[int, Standing], row: Comment | Review) -> None:
    standing = standings.get(row.number)
    if standing:
        standing.updated_at = max(standing.updated_at, row.created_at)


def _count(standings: dict[int, Standing], row: Comment, at: datetime) -> None:
    """A comment touches its thread; a deleted one did too, but no longer counts."""
    _touch(standings, row)
    standing = standings.get(row.number)
    if standing and not (row.deleted_at and row.deleted_at <= at):
        if isinstance(row, ReviewComment):
            standing.review_comment_count += 1
        else:
            standing.comment_count += 1


def _said(rows: Iterable[Comment], at: datetime) -> list[Said]:
    return [
        _read(row, at)
        for row in rows
        if row.created_at <= at and not (row.deleted_at and row.deleted_at <= at)
    ]


def _read(row: Comment, at: datetime) -> Said:
    body, updated_at = row.body, row.created_at
    for edited_at, edited in row.edits:
        if edited_at <= at:
            body, updated_at = edited, edited_at
    return Said(replace(row, edits=()) if row.edits else row, body, updated_at)


def _by_number(files: Iterable[ChangedFile]) -> dict[int, list[ChangedFile]]:
    grouped: defaultdict[int, list[ChangedFile]] = defaultdict(list)
    for changed in files:
        grouped[changed.number].append(changed)
    return dict(grouped)
