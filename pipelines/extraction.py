"""Lists into the warehouse, in chunks: rows first, then the lines about them.

A chunk is committed after so many rows, bytes or seconds, and at a run's end. So what
is written down as loaded is loaded, a run that dies loses one chunk of work, and the
memory it takes does not grow with what there is to load. What is covered is written
down when the lists have been compared with each other.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Sequence
from datetime import datetime

from pipelines import interruptions
from pipelines.coverage import OVERLAP, Interval
from pipelines.exits import IncompleteError, StoppedError
from pipelines.github.batches import Batch
from pipelines.github.client import Client
from pipelines.github.consistency import Newest
from pipelines.github.source import StreamReader, github
from pipelines.ledger import Ledger
from pipelines.load import Loader
from pipelines.progress import Progress

# The columns by which lists are compared with each other.
SHOWN = ("number", "created_at", "updated_at", "closed_at", "comment_count")


class Extraction:
    """One run's reading of lists; `open_target` opens, or creates, the warehouse."""

    def __init__(
        self,
        client: Client,
        open_target: Callable[[], tuple[Loader, Ledger]],
        progress: Progress,
    ) -> None:
        """Read nothing yet."""
        self.row_count = 0
        self.newest = Newest()
        self.finished: dict[str, StreamReader] = {}
        self._client = client
        self._open_target = open_target
        self._progress = progress

    def run(self, readers: Sequence[StreamReader]) -> IncompleteError | None:
        """Load what the readers read; why a list could not be read to its end, if so.

        What came before a refusal or an interruption is kept. The warehouse is created
        when the first page has come.
        """
        readers[0].read_first()
        loader, ledger = self._open_target()
        while ready := [one for one in readers if not one.is_finished]:
            source = github(ready, loader.absent, loader.keep, self._progress.saw)
            with interruptions.deferred(self._client.stop):
                loader.run(source)
            for one in ready:
                self._write_down(one, ledger)
            interruptions.raise_pending()
            errors = [one.error for one in ready if one.error is not None]
            _raise_first(errors)
        for one in readers:
            if isinstance(one.error, IncompleteError):
                return one.error
        return None

    def cover(self, *, but: Container[str]) -> None:
        """Write down what the finished walks cover, but for streams not believed."""
        for stream, one in self.finished.items():
            if one.covered is None or one.last is None or stream in but:
                continue
            _, ledger = self._open_target()
            ledger.add_coverage(stream, one.covered, one.last.walked.date)
            if one.last.walked.is_capped:
                ledger.set_horizon(stream, one.covered.since, "capped")
        self.finished = {}

    def older(self, url: str) -> set[str]:
        """The streams whose lists are older than what others prove; `url` as above."""
        return self.newest.older(self._client.get, url, self._asked_from())

    def doubtful(self) -> set[str]:
        """The streams whose lists seem older than others, without asking."""
        return {each[0] for each in self.newest.doubtful(self._asked_from())}

    def _asked_from(self) -> dict[str, datetime]:
        """From when on each finished walk has shown all there is, by stream."""
        return {name: one.plan.shown_from for name, one in self.finished.items()}

    def _write_down(self, one: StreamReader, ledger: Ledger) -> None:
        if one.last is None:
            return
        stream, rows, date = one.resource.stream, one.rows, one.last.walked.date
        keys = map(str, rows[one.resource.key].to_pylist())
        ledger.quarantine(stream, one.unfit, loaded=keys, at=date)
        names = [name for name in SHOWN if name in rows.column_names]
        self.newest.saw(stream, rows.select(names).to_pylist())
        self.row_count += rows.num_rows
        if one.covered is not None:
            self.finished[stream] = one
        elif passed := _passed(one.last):
            ledger.add_progress(stream, passed)


def _raise_first(errors: Iterable[StoppedError]) -> None:
    """Raise what stops a whole run; an incomplete list does not stop the others."""
    for error in errors:
        if not isinstance(error, IncompleteError):
            raise error


def _passed(last: Batch) -> Interval | None:
    """What an unfinished walk has left nothing out of.

    What is younger than the overlap may still be on its way to the replica.
    """
    walked, since = last.walked, last.since
    until = walked.date - OVERLAP
    if walked.seen_from is not None:
        since, until = walked.seen_from, last.began_at - OVERLAP
    elif walked.passed is not None:
        until = min(walked.passed, until)
    else:
        return None
    return Interval(since, until) if until > since else None
