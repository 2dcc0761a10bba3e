"""The report as a whole: what it is about, its five counts, what it rests on."""

from dataclasses import dataclass
from datetime import datetime

from render.context.restatements import Restatement
from render.context.sections import Activity, NotableChange, Topics, WatchedThread
from render.context.series import HourCount, Series
from render.context.summary import Summary
from render.context.talk import Followup, HotThread
from render.context.threads import EcosystemSection, Listing


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

    window_id: str
    """Its name in every table, e.g. `vllm:day:2026-03-04`."""
    kind: str
    """`day`, `week`, `month` or `custom`."""
    label: str
    """The name in the title: a date, a week's first and last, a month, or for a
    custom window its start and hours."""
    start_at: datetime
    """First instant, local."""
    end_at: datetime
    """First instant after it, local: every state is told as of then."""
    is_complete: bool
    """False: the report carries a banner saying what is missing."""
    is_long: bool
    """Longer than two days: then it is told by days, not by hours."""
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
    restatements: tuple[Restatement, ...]
    """What was published otherwise before; empty where nothing was."""
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
    summary: Summary | None
    """The window at a glance; null where the table has no row for it."""
    trend: tuple[Series, ...]
    """The five counts in the windows up to this one; empty where none is covered."""
    ecosystem: EcosystemSection | None
    """The spotlight; null where the project has none."""
    hot_threads: tuple[HotThread, ...]
    """Hot discussions, hottest first."""
    comment_hours: tuple[HourCount, ...]
    """People's comments along the window; empty where there is none."""
    followups: tuple[Followup, ...]
    """What became of the hot discussions of the window before."""
    topics: Topics
    """What the work was about, and what of it rises and falls."""
    notable_changes: tuple[NotableChange, ...]
    """Pull requests worth knowing, by rank."""
    activity: Activity | None
    """Who was there; null where the table has no row for it."""
    watch_list: tuple[WatchedThread, ...]
    """Open threads that need eyes, by rank."""
    listings: tuple[Listing, ...]
    """The five lists, always all five."""
    provenance: Provenance
    """What the numbers rest on."""
