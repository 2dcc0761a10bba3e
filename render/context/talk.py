"""Discussions: who said what, and what makes them hot."""

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True)
class Participant:
    """Somebody who commented on a hot thread."""

    login: str
    """Login, or `ghost`."""
    human_comment_count: int
    """Their comments in the window."""


@dataclass(frozen=True)
class TurningComment:
    """A comment that moved a hot discussion."""

    author: str
    """Login, or `ghost`."""
    created_at: datetime
    """When it was written, local."""
    excerpt: str
    """Its words, cut short."""
    url: str | None
    """The comment's own address."""
    reasons: tuple[str, ...]
    """Why it is quoted: `first_word`, `proposes_fix`, ..."""


@dataclass(frozen=True)
class HeatPart:
    """One person's part of a thread's heat."""

    login: str
    """Login, or `ghost`."""
    human_comment_count: int
    """Their comments in the window."""
    heat: float
    """What these add to the score: the fresher, the more."""
    last_comment_at: datetime
    """When they last spoke, local."""


@dataclass(frozen=True)
class Ask:
    """A question or request to which nobody who was asked has spoken."""

    author: str
    """Login, or `ghost`."""
    role: str
    """What they are to the thread: `author`, `maintainer`, `contributor`, `other`."""
    sentence: str
    """The sentence that asks, cut short."""
    url: str | None
    """Its comment's own address."""


@dataclass(frozen=True)
class Voices:
    """Those who spoke in the window and are the same to the thread."""

    role: str
    """`author`, `maintainer`, `contributor`, `other` or `automation`."""
    person_count: int
    """How many they are."""
    comment_count: int
    """Their comments."""
    last_comment_at: datetime
    """When one of them was last heard, local."""


@dataclass(frozen=True)
class Holder:
    """Somebody who has taken a position, by their latest word on it."""

    login: str
    """Login, or `ghost`."""
    role: str
    """What they are to the thread."""
    said_at: datetime
    """When they said so, local."""
    sentence: str
    """The sentence, cut short."""
    url: str | None
    """Its comment's own address."""
    is_quoted: bool
    """Whether its comment is among the turning ones."""


@dataclass(frozen=True)
class Position:
    """A position in a discussion, with those who hold it."""

    cue: str
    """`decides`, `proposes_fix`, `reproduces`, `agrees` or `disagrees`."""
    person_count: int
    """How many hold it."""
    holders: tuple[Holder, ...]
    """Who, the latest first; at most five."""


@dataclass(frozen=True)
class Standing:
    """Where a discussion stands at the window's end."""

    waiting_basis: str
    """`settled`, `asked`, `draft`, `unanswered` or `none`."""
    waiting_on: str | None
    """`author`, `maintainer`, or `person` who was named; null where on nobody."""
    waiting_on_logins: tuple[str, ...]
    """Who that is; empty for the maintainers."""
    waiting_since_at: datetime | None
    """Since when, local; null for drafts, and where it waits on nobody."""
    ask: Ask | None
    """The last ask that is open; null where none is."""
    open_ask_count: int
    """How many asks are open."""
    last_word_by: str
    """Who of the people spoke last in the window; login, or `ghost`."""
    last_word_role: str | None
    """What they are to the thread."""
    last_word_at: datetime | None
    """When that was, local."""
    voices: tuple[Voices, ...]
    """Who spoke in the window, by what they are to the thread."""
    positions: tuple[Position, ...]
    """Who has taken which position by the window's end."""


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
    heat_score: float
    """Heat, as semantics define it."""
    heat_level: int | None
    """1 to 5 against the project's last windows; null where they are too few."""
    participants: tuple[Participant, ...]
    """Who took part, most comments first; the first dozen of them."""
    other_participant_count: int
    """How many more took part."""
    heat_parts: tuple[HeatPart, ...]
    """Whose words its score is made of, the largest part first; the first five."""
    comments: tuple[TurningComment, ...]
    """The comments worth quoting, in order."""
    standing: Standing | None
    """What it waits for, and who holds what; null where that was not told."""


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
