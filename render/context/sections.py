"""Topics, notable changes, activity, the watch list: one part of the report each."""

from dataclasses import dataclass
from datetime import datetime

from render.context.summary import TopicName
from render.context.threads import BareLinks, FixedIssue, LinkedThread, Size


@dataclass(frozen=True)
class TopicThread:
    """A thread that a topic cites."""

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


@dataclass(frozen=True)
class Topic:
    """How much one topic moved, against what is usual."""

    name: TopicName
    """The topic."""
    thread_count: int
    """Its active threads in the window."""
    share: float | None
    """Of all active threads, 0 to 1; null where there is none."""
    usual_share: float | None
    """The share over the windows before together; null under 7 covered ones."""
    lift: float | None
    """(Threads + 1) / (threads that the usual share comes to + 1); null without one."""
    threads: tuple[TopicThread, ...]
    """Its threads, the most discussed first, at most 8."""


@dataclass(frozen=True)
class Topics:
    """The topics of the window, sorted out."""

    is_compared: bool
    """Whether windows before say what rises and falls."""
    rising: tuple[Topic, ...]
    """Half as many again as usual, and three or more; the steepest first."""
    busy: tuple[Topic, ...]
    """Of the others those with most threads."""
    falling: tuple[Topic, ...]
    """A third fewer than usual, where three or more are; the steepest last."""


@dataclass(frozen=True)
class Highlights:
    """What to say beside a change's kind, with its numbers."""

    names: tuple[str, ...]
    """Which: `fixes_hot_issue`, `long_open`."""
    fixed_heat_rank: int | None
    """The place among the hot discussions of an issue that it fixes."""
    fixed_hot_number: int | None
    """The number of that issue."""
    fixed_hot_url: str | None
    """Its page."""
    merge_days: float | None
    """From its opening to its merge in the window; null where not merged."""
    merge_days_median: float | None
    """The median of all merged in the window."""


@dataclass(frozen=True)
class RevertLink:
    """A pull request at the other end of a revert."""

    number: int
    """Its number."""
    url: str | None
    """Its page; null where it is not known."""
    title: str
    """Its title at the window's end; empty where it is not known."""
    status: str
    """`open`, `draft`, `merged` or `closed` then; empty where it is not known."""


@dataclass(frozen=True)
class NotableChange:
    """A pull request that changes something worth knowing."""

    kind: str
    """Always `pr`: what a link to it says before its number."""
    number: int
    """Its number."""
    url: str | None
    """Its page."""
    title: str
    """Its title at the window's end."""
    labels: tuple[str, ...]
    """Its labels at the window's end."""
    author: str
    """Login, or `ghost`."""
    is_bot_author: bool
    """Whether an automation opened it."""
    status: str
    """`open`, `draft` or `merged`, at the window's end."""
    status_at: datetime | None
    """When it was merged; null while open."""
    listings: tuple[str, ...]
    """The listings of this window that hold it."""
    change_kind: str
    """`feature`, `bugfix`, ...: what it is."""
    change_matched: str | None
    """The word or label that says so; null for `other`."""
    topics: tuple[TopicName, ...]
    """What it is about."""
    human_comment_count: int
    """Comments by people in the window."""
    linked_threads: tuple[LinkedThread, ...]
    """Known threads it is linked with."""
    bare_links: tuple[BareLinks, ...]
    """Threads it is linked with that are not known, by relation."""
    fixed_issues: tuple[FixedIssue, ...]
    """The known issues that it says it fixes, those of most people first."""
    size: Size | None
    """How large it is; null where that was not read."""
    excerpt: str | None
    """What it does, in its author's words."""
    tier: int
    """1 danger, 2 news, 3 a repair of a reported issue, 4 the same while open."""
    highlights: Highlights
    """What to say beside its kind."""
    reverted_by: tuple[RevertLink, ...]
    """What reverts it, merged or still open."""


@dataclass(frozen=True)
class PersonCount:
    """A person and how often they did something."""

    login: str
    """Login."""
    count: int
    """How often."""


@dataclass(frozen=True)
class Duration:
    """How long something took, over several times that it happened."""

    median_hours: float
    """Half of them were done within this."""
    p90_hours: float
    """Nine in ten of them were."""
    count: int
    """How many they are."""


@dataclass(frozen=True)
class Backlog:
    """What is open of one kind, before and after."""

    kind: str
    """`issue` or `pr`."""
    before: int | None
    """Open at the window's start; null unless the whole history is covered."""
    after: int | None
    """Open at its end; null likewise."""
    change: int
    """The difference, which is known in any case."""


@dataclass(frozen=True)
class Activity:
    """Who was there, how long they waited, and what was left open."""

    contributor_count: int
    """People who opened a thread, spoke, or had a pull request merged."""
    first_timer_count: int
    """How many of them opened something for the first time."""
    first_timers: tuple[str, ...]
    """The first dozen of their logins, by name."""
    other_first_timer_count: int
    """How many more these are."""
    first_timer_basis: str | None
    """`history` (all of it is known) or `association` (GitHub says so)."""
    reviewer_count: int
    """Who wrote on the diff of somebody else's pull request."""
    top_reviewers: tuple[PersonCount, ...]
    """The first five of them by comments."""
    top_commenters: tuple[PersonCount, ...]
    """The first five people by comments."""
    response: Duration | None
    """From opening to another person's first comment; null where none came."""
    unanswered_count: int
    """Threads of the window without one by its end."""
    merge: Duration | None
    """From opening to merge; null where none was merged."""
    reopened_count: int
    """Threads reopened in the window."""
    human_comment_count: int
    """Comments by people."""
    bot_comment_count: int
    """Comments by automations."""
    bot_comment_share: float | None
    """Of all comments, 0 to 1; null where there is none."""
    backlogs: tuple[Backlog, ...]
    """Issues, then pull requests."""


@dataclass(frozen=True)
class WatchReason:
    """One reason for which a thread needs eyes."""

    reason: str
    """`severity`, `affected_people`, `waiting` or `unlinked`."""
    severity: str | None
    """`crash`, `wrong_output`, ...; null for the other reasons."""
    matched: str | None
    """The words that say so; null likewise."""
    people_count: int | None
    """To how many people it happens; null for the other reasons."""
    days: float | None
    """For how long no maintainer has answered; null for the other reasons."""


@dataclass(frozen=True)
class WatchedThread:
    """An open thread that needs eyes."""

    kind: str
    """`issue` or `pr`."""
    number: int
    """Its number."""
    url: str | None
    """Its page."""
    title: str
    """Its title at the window's end."""
    labels: tuple[str, ...]
    """Its labels at the window's end."""
    author: str
    """Login, or `ghost`."""
    is_bot_author: bool
    """Whether an automation opened it."""
    status: str
    """`open` or `draft`, at the window's end."""
    status_at: datetime | None
    """Always null: what is open has not ended."""
    opened_at: datetime
    """When it was opened, local."""
    reasons: tuple[WatchReason, ...]
    """What put it here."""
    human_comment_count: int
    """Comments by people in the window."""
    linked_threads: tuple[LinkedThread, ...]
    """Known threads it is linked with."""
    bare_links: tuple[BareLinks, ...]
    """Threads it is linked with that are not known, by relation."""
    symptom: str | None
    """The sentence of its author that says how bad it is; null where none does."""
    excerpt: str | None
    """What it says, in its author's words."""
