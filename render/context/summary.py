"""What the window was, in numbers: the opening sentences say these and no others."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True)
class TopicName:
    """What the project's work is about, as the seed of topics names it."""

    key: str
    """Its stable name."""
    titles: Mapping[str, str]
    """Its name by language."""


@dataclass(frozen=True)
class Comparison:
    """A count of the window against what is usual."""

    measure: str
    """A listing; `listing` for all five together; `human_comment`."""
    count: int
    """The window's."""
    median: float | None
    """Of the 28 windows before; null under 7 covered ones."""
    weekday_median: float | None
    """Of the same weekdays among them; null under 3."""
    direction: str | None
    """`above`, `near` or `below` the median; null without one."""


@dataclass(frozen=True)
class TopicMention:
    """A topic that the summary names."""

    name: TopicName
    """The topic."""
    thread_count: int
    """Its active threads in the window."""
    lift: float | None
    """(Threads + 1) / (threads that the usual share comes to + 1); null without one."""


@dataclass(frozen=True)
class HottestThread:
    """The first of the hot discussions."""

    number: int
    """Its number."""
    url: str | None
    """Its page."""
    title: str
    """Its title at the window's end."""
    human_comment_count: int
    """Comments by people in the window."""
    participant_count: int
    """People who wrote them."""


@dataclass(frozen=True)
class EcosystemMention:
    """The spotlight ecosystem in the summary."""

    name: str
    """Its key."""
    thread_count: int
    """Threads in its section."""
    share: float | None
    """Of all active threads, 0 to 1; null where there is none."""
    usual_share: float | None
    """The share over the windows before together; null under 7 covered ones."""
    lift: float | None
    """(Threads + 1) / (threads that the usual share comes to + 1); null without one."""


@dataclass(frozen=True)
class Summary:
    """The window at a glance."""

    is_quiet: bool
    """Nothing happened, or at most half of what usually does."""
    listed: Comparison
    """All five counts together."""
    counts: tuple[Comparison, ...]
    """The five counts."""
    comments: Comparison
    """Comments by people."""
    merged_share: float | None
    """Of the pull requests merged or closed, 0 to 1; null without any."""
    contributor_count: int
    """People who opened a thread, spoke, or had a pull request merged."""
    first_timer_count: int
    """How many of them opened something for the first time."""
    busiest_hour_start_at: datetime | None
    """The hour with most comments by people, local; null without any."""
    busiest_hour_comment_count: int
    """How many these are."""
    busiest_day_start_at: datetime | None
    """When the busiest day of a window of several began, local; null for a shorter
    one, and where nobody spoke."""
    busiest_day_comment_count: int
    """People's comments on it."""
    rising: TopicMention | None
    """The topic that rises most; null where none rises."""
    busiest: TopicMention | None
    """The topic with most active threads; null without any."""
    hottest: HottestThread | None
    """The hottest discussion; null without any."""
    ecosystem: EcosystemMention | None
    """The spotlight; null where the project has none."""
