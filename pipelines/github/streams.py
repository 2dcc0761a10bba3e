"""The lists that are read, in the order in which they are listed everywhere."""

from __future__ import annotations

from pipelines.github.comments import ISSUE_COMMENTS
from pipelines.github.events import ISSUE_EVENTS
from pipelines.github.review_comments import REVIEW_COMMENTS
from pipelines.github.threads import THREADS

RESOURCES = (THREADS, ISSUE_EVENTS, ISSUE_COMMENTS, REVIEW_COMMENTS)
BY_STREAM = {resource.stream: resource for resource in RESOURCES}
