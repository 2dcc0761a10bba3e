"""Pull requests' sizes, files and reviews, read within a budget of requests.

They feed neither counts nor heat, so a report does without them: only a run that asks
GitHub anyway, with a token, asks for them too; a failure is said and no more. What a
run's budget leaves out, the next one goes on with.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import chain

from pipelines.detail_tables import DetailTables
from pipelines.exits import IncompleteError, RefusedError
from pipelines.github.answers import MissingError, Page
from pipelines.github.client import Client
from pipelines.github.details import Detail, read
from pipelines.github.graph import BATCH, details_in, is_too_much, query_of
from pipelines.github.pace import REQUESTS_A_MINUTE, Pace
from pipelines.github.repository import Repository
from pipelines.progress import Pulse, Say

# Where so few pull requests are too much for GraphQL, it is asked no more.
SMALLEST = 3

# By REST a pull request takes three requests at least; so many are read at a time.
BY_REST = 3
WORKERS, SLICE = 4, 8


@dataclass
class Details:
    """Reads what pull requests are made of into one warehouse, within a budget."""

    client: Client
    repository: Repository
    tables: DetailTables
    budget: int

    def __post_init__(self) -> None:
        """Ask nothing yet."""
        self._stored: set[int] = set()
        self._began = self.client.request_count
        self._pace = Pace(REQUESTS_A_MINUTE, self.client.patience.sleep)

    def fetch(self, wanted: Sequence[int], say: Say) -> None:
        """Read these pull requests, the first ones first; say once what is left."""
        self._began, pulse = self.client.request_count, Pulse(say)
        try:
            for some in chain(self._by_graph(wanted), self._by_rest(wanted)):
                self.tables.replace(some)
                self._stored |= {one.number for one in some}
                pulse.beat(lambda: f"details of {self._told(wanted)}")
        except (RefusedError, IncompleteError) as error:
            say(f"Sizes, files and reviews of pull requests are incomplete: {error}")
            return
        if len(self._stored) < len(wanted):
            say(
                f"Sizes, files and reviews are read of {self._told(wanted)}, as far as "
                f"{self.budget:,} requests go (DETAIL_REQUESTS): the next run goes on, "
                "or python -m pipelines details."
            )

    def _told(self, wanted: Sequence[int]) -> str:
        return f"{len(self._stored):,} of {len(wanted):,} pull requests"

    @property
    def _left(self) -> int:
        return self.budget - (self.client.request_count - self._began)

    def _by_graph(self, numbers: Sequence[int]) -> Iterator[list[Detail]]:
        owner, _, name = self.repository.slug.partition("/")
        start, size = 0, BATCH
        while start < len(numbers) and self._left >= 1:
            some = numbers[start : start + size]
            try:
                query = {"query": query_of(owner, name, some)}
                page = self.client.post(self.client.graph_url, query)
            except RefusedError:
                return
            if told := list(details_in(page)):
                yield told
                start += size
            elif is_too_much(page) and size > SMALLEST:
                size //= 2
            else:
                return

    def _by_rest(self, wanted: Sequence[int]) -> Iterator[list[Detail]]:
        """What GraphQL did not tell, a few at a time."""
        left = [number for number in wanted if number not in self._stored]
        with ThreadPoolExecutor(WORKERS) as pool:
            try:
                while left and self._left >= BY_REST:
                    size = min(SLICE, self._left // BY_REST)
                    some, left = left[:size], left[size:]
                    yield [one for one in pool.map(self._read, some) if one]
            except BaseException:
                self.client.patience.stopping.set()
                pool.shutdown(wait=False, cancel_futures=True)
                raise

    def _read(self, number: int) -> Detail | None:
        try:
            return read(self._get, self.repository.url, number)
        except MissingError:
            return None

    def _get(self, url: str, kind: type = list) -> Page:
        self._pace.hold()
        return self.client.get(url, kind)
