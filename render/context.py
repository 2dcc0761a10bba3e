"""Exactly what a template may say: one frozen dataclass per part of the report.

Strings are as GitHub sent them; the engine escapes them for the document. Times are
in the project's time zone. A `url` is null unless it is a harmless https address.
Keys that are worded by the locale files (`status`, `signal`, ...) keep the report
tables' values.
"""

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True)
class Project:
    """The watched repository."""

    title: str
    """How the project calls itself, e.g. `vLLM`."""
    repository: str
    """`owner/name` on GitHub."""
    url: str | None
    """Its page on GitHub."""


@dataclass(frozen=True)
class Window:
    """The half-open interval that is reported."""

    kind: str
    """`day`, `week`, `month` or `custom`."""
    label: str
    """The name in the title: a date, for a custom window also its hours."""
    start_at: datetime
    """First instant, local."""
    end_at: datetime
    """First instant after it, local: every state is told as of then."""
    is_complete: bool
    """False: the report carries a banner saying what is missing."""
    has_medians: bool
    """Whether any of the counts can be compared with the windows before."""


@dataclass(frozen=True)
class HeadlineCount:
    """One of the five counts."""

    listing: str
    """`new_issue`, `closed_issue`, `new_pr`, `merged_pr` or `closed_unmerged_pr`."""
    count: int
    """Rows of the listing."""
    median: float | None
    """Median of the 28 windows before; null where fewer than 7 are covered."""


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
    """`fixes`, `mentions`, `fixed_by` or `mentioned_by`."""


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
    """`fixes`, `mentions`, `fixed_by` or `mentioned_by`."""
    threads: tuple[BareThread, ...]
    """The threads, in the table's order."""


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
    """Its labels at the window's end, in GitHub's order."""
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
    comment_count: int
    """Comments in the window, automations' included."""
    human_comment_count: int
    """Comments by people in the window."""
    evidence: tuple[Evidence, ...]
    """Why it is here."""
    score: float
    """All evidence together, 0.5 to 1."""


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
    threads: tuple[EcosystemThread, ...]
    """Threads with evidence of their own, most telling first."""
    by_contributors: tuple[EcosystemThread, ...]
    """Threads that are here for their author only."""
    listed: tuple[ListingCount, ...]
    """Of all its threads, how many each listing holds; listings with none left out."""
    discussed_count: int
    """Of all its threads, how many are in no listing and were only discussed."""


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
    comments: tuple[TurningComment, ...]
    """The comments worth quoting, in order."""


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
    """Its labels at the window's end, in GitHub's order."""
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


@dataclass(frozen=True)
class StreamCoverage:
    """How far one raw stream is loaded around the window."""

    stream: str
    """`threads`, `issue_comments`, `review_comments` or `issue_events`."""
    covered_from: datetime | None
    """Start of the covered interval, local; null where nothing is covered."""
    covered_until: datetime | None
    """End of the covered interval, local; null where nothing is covered."""


@dataclass(frozen=True)
class Provenance:
    """What the numbers rest on."""

    completeness: str
    """`synced`, `targeted` or `partial`."""
    data_as_of_at: datetime | None
    """GitHub's time of the sync behind the numbers; null before any."""
    is_synthetic: bool
    """True: the data is a made-up sample."""
    baseline_window_count: int
    """Covered windows of the kind among the 28 before."""
    quarantined_row_count: int
    """Rows that could not be stored."""
    streams: tuple[StreamCoverage, ...]
    """Every stream the window needs."""
    short_streams: tuple[StreamCoverage, ...]
    """Those of them that do not cover all that the window needs."""
    tool_version: str
    """Version of this program."""


@dataclass(frozen=True)
class Report:
    """A whole report: the names a template may use."""

    project: Project
    """The watched repository."""
    window: Window
    """The reported interval."""
    counts: tuple[HeadlineCount, ...]
    """The five counts, in the order of the listings."""
    ecosystem: EcosystemSection | None
    """The spotlight; null where the project has none."""
    hot_threads: tuple[HotThread, ...]
    """Hot discussions, hottest first."""
    listings: tuple[Listing, ...]
    """The five lists, always all five."""
    provenance: Provenance
    """What the numbers rest on."""
