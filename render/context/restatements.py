"""What was published of the window before, and reads otherwise now."""

from dataclasses import dataclass


@dataclass(frozen=True)
class RestatedThread:
    """A thread of a list that was published otherwise."""

    number: int
    """Its number."""
    url: str | None
    """Its page on GitHub."""
    change: str
    """`appeared`, `left`, `retimed`, `retitled`, `relabelled` or `redrafted`."""
    reason: str
    """Why, e.g. `late_event`; the reasons are those of `reports.rpt_restatements`."""


@dataclass(frozen=True)
class Restatement:
    """One list that a later publication of the window says otherwise."""

    listing: str
    """`new_issue`, `closed_issue`, `new_pr`, `merged_pr` or `closed_unmerged_pr`."""
    count_before: int | None
    """Rows that were published; null where their number did not change."""
    count: int | None
    """Rows instead of them; null where their number did not change."""
    threads: tuple[RestatedThread, ...]
    """The threads of the list that changed, by number."""
