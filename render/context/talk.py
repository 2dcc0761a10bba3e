"""Discussions: who said what, and what makes them hot."""

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True)
class Participant:
    """Somebody who commented on a hot thread in the window."""

    login: str
    """Login, or `ghost`."""
    role: str
    """What they are to the thread: `author`, `maintainer`, `contributor`, `other`."""
    comment_count: int
    """Their comments."""
    first_comment_at: datetime
    """When the first of them was written, local."""
    last_comment_at: datetime
    """When the last of them was written, local."""


@dataclass(frozen=True)
class RoleCount:
    """All who commented in the window and are the same to the thread."""

    role: str
    """`author`, `maintainer`, `contributor`, `other` or `automation`."""
    person_count: int
    """How many they are."""
    comment_count: int
    """Their comments."""


@dataclass(frozen=True)
class QuotedComment:
    """A comment of a hot discussion that is worth reading."""

    author: str
    """Login, or `ghost`."""
    role: str
    """What its author is to the thread."""
    created_at: datetime
    """When it was written, local."""
    reason: str
    """Why it is quoted: `first`, `last`, `maintainer` or `cites`."""
    excerpt: str
    """Its words, cut short."""
    url: str | None
    """The comment's own address."""


@dataclass(frozen=True)
class Waiting:
    """Whom a discussion waits for: a person who was named and has not come back."""

    login: str
    """Who was named."""
    since_at: datetime
    """When, local."""
    mentioned_by: str
    """Who named them; login, or `ghost`."""
    url: str | None
    """The address of the comment that names them."""


@dataclass(frozen=True)
class HotThread:
    """A discussion with the numbers that make it hot."""

    kind: str
    """`issue` or `pr`."""
    number: int
    """Its number."""
    url: str | None
    """Its page."""
    title: str
    """Its title at the window's end."""
    author: str
    """Login, or `ghost`."""
    opened_at: datetime
    """When it was opened, local."""
    status: str
    """`open`, `draft`, `merged` or `closed`, at the window's end."""
    status_at: datetime | None
    """When it was merged or closed; null while open."""
    listings: tuple[str, ...]
    """The listings of this window that hold it."""
    comment_count: int
    """Comments in the window, automations' included."""
    human_comment_count: int
    """Comments by people in the window."""
    participant_count: int
    """People who commented in the window."""
    comments_per_hour: float
    """People's comments by hour of the window."""
    comments_per_day: float
    """The same by 24 hours of it."""
    peak_hour_comment_count: int
    """People's comments in the busiest 60 minutes."""
    baseline_per_day: float | None
    """People's comments by day in the 28 days before; null where not covered."""
    velocity_ratio: float | None
    """The window's pace against the baseline; null where there is none."""
    is_new_discussion: bool | None
    """Nobody commented in the 28 days before; null where these are not covered."""
    heat_score: float
    """Heat, as semantics define it."""
    heat_level: int | None
    """1 to 5 against the project's last windows; null where they are too few."""
    participants: tuple[Participant, ...]
    """Who took part, most comments first; at most a dozen."""
    roles: tuple[RoleCount, ...]
    """All who commented, by what they are to the thread."""
    comments: tuple[QuotedComment, ...]
    """The comments worth reading, in order."""
    waiting: Waiting | None
    """Whom it waits for; null where nobody who was named is missing."""


@dataclass(frozen=True)
class Followup:
    """What became of a discussion that was hot in the window before."""

    kind: str
    """`issue` or `pr`."""
    number: int
    """Its number."""
    url: str | None
    """Its page."""
    title: str
    """Its title at the window's end."""
    status: str
    """`open`, `draft`, `merged` or `closed`, at the window's end."""
    status_at: datetime | None
    """When it was merged or closed; null while open."""
    human_comment_count_before: int
    """Comments by people in the window before."""
    human_comment_count: int
    """Comments by people in this one."""
    outcome: str
    """`merged`, `closed`, `reopened`, `still_hot`, `went_on` or `cooled_off`."""
