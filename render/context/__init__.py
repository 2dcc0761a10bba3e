"""Exactly what a template may say: one frozen dataclass per part of the report.

Strings are as GitHub sent them; the engine escapes them for the document. Times are
in the project's time zone. A `url` is null unless it is a harmless https address.
Keys that are worded by the locale files (`status`, `signal`, ...) keep the report
tables' values.
"""

from render.context.report import (
    HeadlineCount,
    Project,
    Provenance,
    Report,
    StreamCoverage,
    Window,
)
from render.context.restatements import RestatedThread, Restatement
from render.context.sections import (
    Activity,
    Backlog,
    Duration,
    Highlights,
    NotableChange,
    PersonCount,
    RevertLink,
    Topic,
    Topics,
    TopicThread,
    WatchedThread,
    WatchReason,
)
from render.context.series import (
    HourCount,
    Point,
    Series,
)
from render.context.summary import (
    Comparison,
    EcosystemMention,
    HottestThread,
    Summary,
    TopicMention,
    TopicName,
)
from render.context.talk import (
    Followup,
    HotThread,
    Participant,
    QuotedComment,
    RoleCount,
    Waiting,
)
from render.context.threads import (
    Affiliation,
    BareLinks,
    BareThread,
    Contributor,
    EcosystemGroup,
    EcosystemSection,
    EcosystemShare,
    EcosystemThread,
    Evidence,
    FixedIssue,
    LinkedThread,
    ListedThread,
    Listing,
    ListingCount,
    Size,
)

__all__ = [
    "Activity",
    "Affiliation",
    "Backlog",
    "BareLinks",
    "BareThread",
    "Comparison",
    "Contributor",
    "Duration",
    "EcosystemGroup",
    "EcosystemMention",
    "EcosystemSection",
    "EcosystemShare",
    "EcosystemThread",
    "Evidence",
    "FixedIssue",
    "Followup",
    "HeadlineCount",
    "Highlights",
    "HotThread",
    "HottestThread",
    "HourCount",
    "LinkedThread",
    "ListedThread",
    "Listing",
    "ListingCount",
    "NotableChange",
    "Participant",
    "PersonCount",
    "Point",
    "Project",
    "Provenance",
    "QuotedComment",
    "Report",
    "RestatedThread",
    "Restatement",
    "RevertLink",
    "RoleCount",
    "Series",
    "Size",
    "StreamCoverage",
    "Summary",
    "Topic",
    "TopicMention",
    "TopicName",
    "TopicThread",
    "Topics",
    "Waiting",
    "WatchReason",
    "WatchedThread",
    "Window",
]
