"""Threads as the report shows them: listed, linked, of an ecosystem, hot."""

from dataclasses import dataclass
from datetime import datetime

from render.context.series import Series
from render.context.summary import TopicName


@dataclass(frozen=True)
class LinkedThread:
    """A thread that another one speaks of, or is spoken of by."""

    number: int
    """Its number."""
    url: str | None
    """Its page."""
    title: str
    """Its title."""
    status: str
    """`open`, `draft`, `merged` or `closed`, at the window's end."""
    relation: str
    """`reverts`, `fixes` or `mentions`, or `reverted_by` and so on."""


@dataclass(frozen=True)
class BareThread:
    """A thread of which the warehouse knows the number only."""

    number: int
    """Its number."""
    url: str | None
    """Where GitHub would have it, whichever its kind."""


@dataclass(frozen=True)
class BareLinks:
    """All of a thread's links of one relation that lead out of the warehouse."""

    relation: str
    """`reverts`, `fixes` or `mentions`, or `reverted_by` and so on."""
    threads: tuple[BareThread, ...]
    """The threads, in the table's order."""


@dataclass(frozen=True)
class FixedIssue:
    """An issue that a thread says it fixes, and whom it has troubled."""

    number: int
    """Its number."""
    url: str | None
    """Its page."""
    affected_people_count: int
    """The people whom it troubles."""
    open_days: float
    """For how long it was open by the window's end."""


@dataclass(frozen=True)
class Size:
    """How large a pull request is, as it was read after the window's end."""

    additions: int
    """Lines it adds."""
    deletions: int
    """Lines it removes."""
    file_count: int | None
    """Files it changes; null where GitHub does not say."""
    areas: tuple[str, ...]
    """The parts of the repository that it touches most: the first two folders of a
    path, or a file at the top."""
    other_area_count: int
    """How many more it touches."""


@dataclass(frozen=True)
class Evidence:
    """One rule that fired for a thread."""

    signal: str
    """Where: `label`, `title`, `body`, `author`, `path` or `comment`."""
    matched: str
    """The words that fired it."""
    strength: float
    """What the rule weighs, 0 to 1."""


@dataclass(frozen=True)
class Affiliation:
    """For whom a person works, and how that is known."""

    ecosystem: str
    """The ecosystem's key."""
    source: str
    """How it is known: a slug that the locale files word, or words."""


@dataclass(frozen=True)
class Contributor:
    """A person who did something in the ecosystem's section."""

    login: str
    """Login."""
    affiliation: Affiliation | None
    """For whom they work; null where nothing says so."""
    opened_count: int
    """Threads of the section that they opened in the window."""
    merged_count: int
    """Their pull requests of the section that were merged in it."""
    comment_count: int
    """Their comments in the window on threads of the section."""


@dataclass(frozen=True)
class EcosystemShare:
    """How large a part of the window was the ecosystem's."""

    share: float | None
    """Of all active threads, 0 to 1; null where there is none."""
    active_thread_count: int
    """All threads in a listing of the window or with a human comment in it."""
    usual_share: float | None
    """The share over the windows before together; null under 7 covered ones."""
    lift: float | None
    """(Threads + 1) / (threads that the usual share comes to + 1); null without one."""
    contributor_count: int
    """People who opened, merged or spoke in its section in the window."""


@dataclass(frozen=True)
class EcosystemThread:
    """A thread of the spotlight ecosystem."""

    kind: str
    """`issue` or `pr`."""
    number: int
    """Its number."""
    url: str | None
    """Its page."""
    title: str
    """Its title at the window's end."""
    labels: tuple[str, ...]
    """Its labels at the window's end, in the order in which they were put on."""
    author: str
    """Login, or `ghost`."""
    is_bot_author: bool
    """Whether an automation opened it."""
    status: str
    """`open`, `draft`, `merged` or `closed`, at the window's end."""
    status_at: datetime | None
    """When it was merged or closed; null while open."""
    excerpt: str | None
    """What it does, in its author's words."""
    listings: tuple[str, ...]
    """The listings of this window that hold it; empty when it was only discussed."""
    linked_threads: tuple[LinkedThread, ...]
    """Known threads it is linked with."""
    bare_links: tuple[BareLinks, ...]
    """Threads it is linked with that are not known, by relation."""
    fixed_issues: tuple[FixedIssue, ...]
    """The known issues that it says it fixes, those of most people first."""
    size: Size | None
    """How large it is; null where that was not read, and for issues."""
    comment_count: int
    """Comments in the window, automations' included."""
    human_comment_count: int
    """Comments by people in the window."""
    evidence: tuple[Evidence, ...]
    """Why it is here."""
    score: float
    """All evidence together, 0.5 to 1."""
    heat_rank: int | None
    """Its place among the hot discussions; null where it has none."""
    notable_position: int | None
    """Its place among the notable changes; null where it has none."""
    watch_position: int | None
    """Its place on the watch list; null where it has none."""
    affiliation: Affiliation | None
    """For whom its author works; null where nothing says so."""


@dataclass(frozen=True)
class EcosystemGroup:
    """Threads of the section that belong together."""

    topic: TopicName | None
    """The first topic of its threads; null for a group of one."""
    size: int
    """How many they are."""
    lead: EcosystemThread
    """The most telling of them."""
    others: tuple[EcosystemThread, ...]
    """The others; empty for a group of one."""


@dataclass(frozen=True)
class ListingCount:
    """How many of a section's threads a listing holds."""

    listing: str
    """The listing."""
    count: int
    """Threads."""


@dataclass(frozen=True)
class EcosystemSection:
    """The spotlight ecosystem's part of the window."""

    name: str
    """The ecosystem's key; its display name is the locale's business."""
    thread_count: int
    """All its threads in this window."""
    share: EcosystemShare | None
    """Its part of the window; null where the table has no row for it."""
    trend: Series | None
    """Its share in the windows up to this one; null where none is covered."""
    groups: tuple[EcosystemGroup, ...]
    """Threads with evidence of their own and what belongs to them, most telling
    first."""
    by_contributors: tuple[EcosystemThread, ...]
    """Threads that are here for their author only."""
    contributors: tuple[Contributor, ...]
    """Who was active in it, by what they did; the first dozen."""
    other_contributor_count: int
    """How many more were."""
    listed: tuple[ListingCount, ...]
    """Of all its threads, how many each listing holds; listings with none left out."""
    discussed_count: int
    """Of all its threads, how many are in no listing and were only discussed."""


@dataclass(frozen=True)
class ListedThread:
    """One row of the appendix."""

    number: int
    """Its number."""
    url: str | None
    """Its page."""
    title: str
    """Its title at the window's end."""
    labels: tuple[str, ...]
    """Its labels at the window's end, in the order in which they were put on."""
    author: str
    """Login, or `ghost`."""
    event_at: datetime
    """When it was opened, closed or merged, local."""
    is_current: bool
    """True: title, labels and state are today's, not those at the window's end."""


@dataclass(frozen=True)
class Listing:
    """One of the five lists."""

    name: str
    """`new_issue`, `closed_issue`, `new_pr`, `merged_pr` or `closed_unmerged_pr`."""
    threads: tuple[ListedThread, ...]
    """Newest event first."""
    has_current: bool
    """Whether a row of it shows today's state: the list then needs its footnote."""
