"""Which stretches of time are known to be loaded completely. Pure interval arithmetic.

All intervals are half-open `[since, until)` and of aware UTC instants.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

# Replicas lag: every walk begins this long before the end of what it adds to.
OVERLAP = timedelta(hours=1)

# What a window needs; reviews feed none of its numbers and are read with a token only.
STREAMS = ("threads", "issue_comments", "review_comments", "issue_events")
REVIEWS = "reviews"


@dataclass(frozen=True, order=True)
class Interval:
    """The half-open interval `[since, until)`."""

    since: datetime
    until: datetime

    @property
    def is_empty(self) -> bool:
        """Whether no instant lies in it."""
        return self.since >= self.until

    def holds(self, instant: datetime) -> bool:
        """Whether an instant lies in it."""
        return self.since <= instant < self.until


def merged(intervals: Iterable[Interval]) -> list[Interval]:
    """The same instants as disjoint intervals, in order; those that touch are one."""
    out: list[Interval] = []
    for each in sorted(one for one in intervals if not one.is_empty):
        if out and each.since <= out[-1].until:
            out[-1] = Interval(out[-1].since, max(out[-1].until, each.until))
        else:
            out.append(each)
    return out


def missing(wanted: Interval, covered: Iterable[Interval]) -> list[Interval]:
    """The parts of `wanted` that no interval of `covered` holds, in order."""
    out, start = [], wanted.since
    for each in merged(covered):
        out.append(Interval(start, min(each.since, wanted.until)))
        start = max(start, each.until)
    out.append(Interval(start, wanted.until))
    return [gap for gap in out if not gap.is_empty]


@dataclass(frozen=True)
class Plan:
    """One walk over a stream: from `since` to the present, jumping over `skipped`.

    A row that changes moves to the present end of its list, so a walk that goes on to
    the end has seen every row changed since `since`, whatever it skipped on the way.
    """

    since: datetime
    skipped: tuple[Interval, ...] = ()

    @property
    def shown_from(self) -> datetime:
        """From when on the walk meets every row: after the last stretch jumped over."""
        return max([self.since, *(each.until for each in self.skipped)])

    def next_position(self, reached: datetime) -> datetime:
        """Where to go on from `reached`: there, or at the end of what is skipped."""
        for each in self.skipped:
            if each.since <= reached < each.until:
                return each.until
        return reached


def planned(
    wanted: Interval, covered: Sequence[Interval], passed: Iterable[Interval] = ()
) -> Plan | None:
    """The walk that makes `wanted` covered, or None where nothing is missing.

    `passed` are the intervals that unfinished walks have loaded: they cover nothing
    yet (a row of theirs may have moved on), but need not be read again.
    """
    gaps = missing(wanted, covered)
    if not gaps:
        return None
    since = gaps[0].since
    if any(each.until == since for each in covered):
        since -= OVERLAP
    known = [Interval(each.since, each.until - OVERLAP) for each in covered]
    skipped = merged([*known, *passed])
    return Plan(since, tuple(each for each in skipped if each.until > since))
