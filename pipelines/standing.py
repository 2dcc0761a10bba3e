"""How a project stands: what is covered, what is to be read, and what is enough."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime, timedelta

from pipelines.coverage import STREAMS, Interval, Plan, merged, missing, planned
from pipelines.exits import IncompleteError
from pipelines.progress import Say
from pipelines.settings import Settings
from pipelines.stock import Stock
from pipelines.windows import Window


class Standing:
    """What the ledger of one project says about its streams.

    `born_at` is when the repository was created, once that is known: before it there
    was nothing to be covered.
    """

    def __init__(self, stock: Stock, settings: Settings, say: Say) -> None:
        """Look at nothing yet."""
        self.born_at: datetime | None = None
        self._stock = stock
        self._settings = settings
        self._say = say

    def plans(
        self, streams: Mapping[str, Interval], *, required_from: datetime | None = None
    ) -> dict[str, Plan]:
        """The walks that are missing for these intervals, by stream.

        What a list is known not to show is asked for again only from `required_from`
        on (by default, all of it): a window needs it, a baseline goes without.
        """
        found = {}
        for stream, wanted in streams.items():
            since = wanted.since
            horizon = self._horizon(stream)
            if horizon is not None and required_from is not None:
                since = max(since, min(horizon, required_from))
            known = [*self._covered(stream), *self._unborn(wanted)]
            passed = self._stock.ledger().passed(stream) if self._stock.is_open else []
            plan = planned(Interval(since, wanted.until), merged(known), passed)
            if plan is not None:
                found[stream] = plan
        # The events must reach as far as the threads, whose walk goes up to now.
        if "threads" in found and "issue_events" in streams.keys() - found.keys():
            until = self._covered("issue_events")[-1].until
            beyond = Interval(until, until + timedelta(seconds=1))
            if plan := planned(beyond, self._covered("issue_events")):
                found["issue_events"] = plan
        return found

    def covered_until(self, stream: str) -> datetime | None:
        """The latest instant up to which a stream is covered."""
        covered = self._covered(stream)
        return covered[-1].until if covered else None

    def reaches(self, window: Window) -> bool:
        """Whether some stream is covered somewhere in a window."""
        wanted = Interval(window.start_at, window.end_at)
        return any(missing(wanted, self._covered(one)) != [wanted] for one in STREAMS)

    def settle(
        self,
        name: str,
        required: Mapping[str, Interval],
        *,
        reach: timedelta,
        now: datetime | None,
        unread: IncompleteError | None,
    ) -> None:
        """Raise IncompleteError where a stream does not cover what is required of it.

        `reach` is how far before that it was asked for. Before the repository was
        created there was nothing: that counts as covered. `now` is the server's time,
        and `unread` says why a list could not be read to its end, if so.
        """
        ledger, short = self._stock.ledger(), []
        for stream, interval in required.items():
            for before in self._unborn(replace(interval, since=interval.since - reach)):
                loaded_at = now or interval.until
                ledger.add_coverage(stream, before, loaded_at)
            gaps = missing(interval, ledger.covered(stream))
            short += [f"{stream} lacks {_spelled(gap)}" for gap in gaps]
        if not short:
            return
        line = f"{name} is not complete: {'; '.join(short)}."
        if unread is not None:
            line += f" {unread}"
        elif any(self._horizon(stream) for stream in required):
            line += " GitHub's list of events does not reach back further."
        if not self._settings.allow_partial:
            raise IncompleteError(f"{line} ALLOW_PARTIAL=1 goes on with what there is.")
        self._say(f"{line} Going on with what there is (ALLOW_PARTIAL=1).")

    def _covered(self, stream: str) -> list[Interval]:
        return self._stock.ledger().covered(stream) if self._stock.is_open else []

    def _horizon(self, stream: str) -> datetime | None:
        return (
            self._stock.ledger().horizon(stream, "capped")
            if self._stock.is_open
            else None
        )

    def _unborn(self, wanted: Interval) -> list[Interval]:
        """The part of an interval that lies before the repository was created."""
        born = self.born_at
        if born is None or born <= wanted.since:
            return []
        return [Interval(wanted.since, min(born, wanted.until))]


def _spelled(gap: Interval) -> str:
    return f"{gap.since:%Y-%m-%d %H:%M:%S} to {gap.until:%Y-%m-%d %H:%M:%S} UTC"
