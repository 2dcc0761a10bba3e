"""The lists that are read, and reading them side by side.

Adding a list means one line in LANES. Events are read after the threads, so that they
know of everything that a thread's row shows.
"""

from __future__ import annotations

import queue
import threading
from collections.abc import Generator, Iterator, Mapping
from contextlib import suppress
from datetime import datetime

from pipelines.coverage import Plan
from pipelines.exits import IncompleteError
from pipelines.github.ahead import Ahead, Item
from pipelines.github.batches import to_batch
from pipelines.github.client import Client
from pipelines.github.comments import ISSUE_COMMENTS
from pipelines.github.consistency import TRIES, Held, contradicted, forgets
from pipelines.github.courtesy import AbandonedError
from pipelines.github.events import ISSUE_EVENTS
from pipelines.github.newest_first import walk_newest_first
from pipelines.github.paging import EARLIEST_SINCE, Walked, walk_updated
from pipelines.github.parcels import Parcel, packed, unpacked, wrapped
from pipelines.github.resource import Resource
from pipelines.github.review_comments import REVIEW_COMMENTS
from pipelines.github.threads import THREADS

# Each lane is read by a thread of its own, its lists one after the other.
LANES = ((THREADS, ISSUE_EVENTS), (ISSUE_COMMENTS,), (REVIEW_COMMENTS,))
RESOURCES = tuple(resource for lane in LANES for resource in lane)
BY_STREAM = {resource.stream: resource for resource in RESOURCES}

# What may wait for the loader: some 500 pages, which is a load's time of reading.
BYTES_AHEAD = 24_000_000
HEARTBEAT = 1.0  # seconds

PackedPages = Generator[bytes | None, None, None]
Pages = Generator[Parcel | None, None, None]


class Lanes:
    """The reading threads of one run, and the pages they have read ahead."""

    def __init__(
        self,
        client: Client,
        url: str,
        repository: str,
        held: Mapping[str, Mapping[int, Held]] | None = None,
    ) -> None:
        """Read nothing yet. `url` is the repository's at the API.

        `held` has, by stream and key, the loaded rows that a walk should meet.
        """
        self._held = held or {}
        self.client = client
        self._url = url
        self._repository = repository
        self._stopping = client.patience.stopping
        self._ahead = Ahead(BYTES_AHEAD)

    def pages(self, plans: Mapping[str, Plan]) -> Pages:
        """The pages of all planned walks as they come; None when none came for long.

        An incomplete list does not keep the others from being read: it is raised at the
        end. Any other failure stops all of them at once.
        """
        for data in self.packed(plans):
            yield None if data is None else unpacked(data, BY_STREAM)

    def packed(self, plans: Mapping[str, Plan]) -> PackedPages:
        """The same pages, still packed."""
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

    def _handed_over(self, lanes: int) -> PackedPages:
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
        held = self._held.get(resource.stream, {})
        try:
            for _ in range(TRIES):
                began_at, is_met = None, not held
                for page in self._walk(resource, plan):
                    began_at = began_at or max(page.date, not_before)
                    is_met = is_met or any(
                        row.get(resource.key) in held
                        for row in page.rows
                        if isinstance(row, dict)
                    )
                    since = page.reached_from
                    if since and not is_met and self._forgets(resource, held, since):
                        break
                    batch = to_batch(
                        resource, self._repository, page, began_at, plan.since
                    )
                    self._hand_over(packed(wrapped(batch)))
                else:
                    return began_at or not_before
            raise contradicted(resource.stream)
        except IncompleteError as error:
            self._hand_over(error)
        return began_at or not_before

    def _forgets(
        self, resource: Resource, held: Mapping[int, Held], since: datetime
    ) -> bool:
        get = self.client.get
        return forgets(get, self._url, resource.stream, held, since)

    def _walk(self, resource: Resource, plan: Plan) -> Iterator[Walked]:
        url = self._url + resource.path
        if resource.has_since:
            return walk_updated(self.client.get, url, plan)
        return walk_newest_first(self.client.get, url, plan)

    def _hand_over(self, item: Item) -> None:
        while not self._stopping.is_set():
            with suppress(queue.Full):
                return self._ahead.put(item, timeout=HEARTBEAT)
        raise AbandonedError("the run is being stopped")
