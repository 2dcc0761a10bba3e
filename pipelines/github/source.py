"""The lists that are read, and reading them side by side.

Adding a list means one line in LANES. Events are read after the threads, so that they
know of everything that a thread's row shows.
"""

from __future__ import annotations

import hashlib
import json
import queue
import threading
from collections.abc import Generator, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from pipelines.coverage import Interval, Plan
from pipelines.exits import IncompleteError
from pipelines.github.client import Client
from pipelines.github.comments import ISSUE_COMMENTS
from pipelines.github.courtesy import AbandonedError
from pipelines.github.events import ISSUE_EVENTS
from pipelines.github.paging import (
    EARLIEST_SINCE,
    Walked,
    walk_newest_first,
    walk_updated,
)
from pipelines.github.resource import Resource
from pipelines.github.review_comments import REVIEW_COMMENTS
from pipelines.github.rows import Row, UnfitError, clean
from pipelines.github.strange import strange_names
from pipelines.github.threads import THREADS
from pipelines.ledger import Quarantined

# Each lane is read by a thread of its own, its lists one after the other.
LANES = ((THREADS, ISSUE_EVENTS), (ISSUE_COMMENTS,), (REVIEW_COMMENTS,))
RESOURCES = tuple(resource for lane in LANES for resource in lane)

# Pages that may wait for the loader: bounds the memory, whatever the size.
PAGES_AHEAD = 32
HEARTBEAT = 1.0  # seconds
LONGEST_PAYLOAD = 65_536  # characters kept of a payload that could not become a row


@dataclass(frozen=True)
class Batch:
    """The rows of one page, and how far its walk has come with it.

    `began_at` is the server's time of the walk's first answer. `covered` is set on the
    last page of a walk: the interval that is complete once its rows are committed.
    `strange` names what GitHub never sent before.
    """

    resource: Resource
    rows: list[Row]
    unfit: list[Quarantined]
    began_at: datetime
    walked: Walked
    since: datetime
    covered: Interval | None = None
    strange: frozenset[str] = frozenset()


# What a lane hands over: a page, a failure, or None at its end.
Item = Batch | BaseException | None
Pages = Generator[Batch | None, None, None]


class Lanes:
    """The reading threads of one run, and the pages they have read ahead."""

    def __init__(self, client: Client, url: str, repository: str) -> None:
        """Read nothing yet. `url` is the repository's at the API."""
        self._client = client
        self._url = url
        self._repository = repository
        self._stopping = client.patience.stopping
        self._ahead: queue.Queue[Item] = queue.Queue(PAGES_AHEAD)

    def batches(self, plans: Mapping[str, Plan]) -> Pages:
        """The pages of all planned walks as they come; None when none came for long.

        An incomplete list does not keep the others from being read: it is raised at the
        end. Any other failure stops all of them at once.
        """
        threads = [
            threading.Thread(target=self._read, args=[lane, plans], daemon=True)
            for lane in LANES
        ]
        for thread in threads:
            thread.start()
        try:
            yield from self._handed_over(len(threads))
        finally:
            self._stopping.set()
            for thread in threads:
                thread.join(timeout=HEARTBEAT)

    def _handed_over(self, lanes: int) -> Pages:
        incomplete: IncompleteError | None = None
        while lanes:
            try:
                item = self._ahead.get(timeout=HEARTBEAT)
            except queue.Empty:
                yield None
                continue
            if item is None:
                lanes -= 1
            elif isinstance(item, IncompleteError):
                incomplete = incomplete or item
            elif isinstance(item, BaseException):
                raise item
            else:
                yield item
        if incomplete is not None:
            raise incomplete

    def _read(self, lane: tuple[Resource, ...], plans: Mapping[str, Plan]) -> None:
        began_at = EARLIEST_SINCE
        try:
            for resource in lane:
                if resource.stream in plans:
                    plan = plans[resource.stream]
                    began_at = self._read_one(resource, plan, began_at)
            self._hand_over(None)
        except AbandonedError:
            return
        except BaseException as error:
            with suppress(AbandonedError):
                self._hand_over(error)

    def _read_one(
        self, resource: Resource, plan: Plan, not_before: datetime
    ) -> datetime:
        """Hand over all pages of a list; the server's time of its first answer.

        The clocks of GitHub's machines differ: what was asked for after another list
        began at `not_before` has seen all that one saw.
        """
        began_at = None
        try:
            for page in self._walk(resource, plan):
                began_at = began_at or max(page.date, not_before)
                batch = to_batch(resource, self._repository, page, began_at, plan.since)
                self._hand_over(batch)
        except IncompleteError as error:
            self._hand_over(error)
        return began_at or not_before

    def _walk(self, resource: Resource, plan: Plan) -> Iterator[Walked]:
        url = self._url + resource.path
        if resource.has_since:
            return walk_updated(self._client.get, url, plan)
        return walk_newest_first(self._client.get, url, plan.since)

    def _hand_over(self, item: Item) -> None:
        while not self._stopping.is_set():
            with suppress(queue.Full):
                return self._ahead.put(item, timeout=HEARTBEAT)
        raise AbandonedError("the run is being stopped")


def to_batch(
    resource: Resource,
    repository: str,
    page: Walked,
    began_at: datetime,
    since: datetime,
) -> Batch:
    """A page as table rows, with what could not become one set aside."""
    rows, unfit = [], []
    for payload in page.rows:
        try:
            if not isinstance(payload, dict):
                raise UnfitError("is no object")
            row = resource.to_row(payload)
        except UnfitError as why:
            unfit.append(set_aside(payload, resource.key, str(why)))
            continue
        row["repository"], row["fetched_at"] = repository, page.date
        rows.append(row)
    covered = None
    if page.reached_from is not None:
        covered = Interval(page.reached_from, began_at)
    strange = strange_names(resource, page.rows)
    # The payloads have become rows: pages that wait need not hold them, too.
    walked = replace(page, rows=[])
    return Batch(resource, rows, unfit, began_at, walked, since, covered, strange)


def set_aside(payload: Any, key: str, reason: str) -> Quarantined:
    """A payload for the quarantine, under its own key if it has a readable one."""
    written = json.dumps(payload, sort_keys=True)
    value = payload.get(key) if isinstance(payload, dict) else None
    if type(value) is not int:
        value = "sha256:" + hashlib.sha256(written.encode()).hexdigest()[:32]
    return Quarantined(str(value), reason, clean(written[:LONGEST_PAYLOAD]))
