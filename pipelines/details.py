"""Pull requests' sizes, files and reviews, read within a budget of requests.

They feed neither counts nor heat, so a report does without them: only a run that asks
GitHub anyway, with a token, asks for them too; a failure is said and no more. What a
run's budget leaves out, the next one goes on with. All rows of a pull request are
replaced together, and so is what of it could not become a row: a file that it no longer
changes must go, which a merge by key would not do.

A submitted review changes its pull request's `updated_at`. So the reviews of a pull
request are all here if it was read after it was last changed, and one that was not
lacks, at worst, what was submitted between the two.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import chain

import duckdb
import pyarrow as pa

from pipelines.coverage import EPOCH, Interval, missing
from pipelines.errors import IncompleteError, RefusedError
from pipelines.github.client import REQUESTS_A_MINUTE, Client, MissingError, Pace, Page
from pipelines.github.graphql import (
    BATCH,
    Detail,
    details_in,
    is_too_much,
    query_of,
    read,
)
from pipelines.github.models import TIME, Row, person_columns
from pipelines.github.repository import Repository
from pipelines.progress import Pulse, Say
from pipelines.windows import SETTLING

FIRST, LAST = ("repository", pa.string()), ("fetched_at", TIME)
NUMBER = ("number", pa.int64())
SCHEMAS = {
    "pull_details": (
        NUMBER,
        *((name, pa.int64()) for name in ("additions", "deletions")),
        *((name, pa.int64()) for name in ("changed_files", "commits")),
        *person_columns("merged_by"),
    ),
    "reviews": (
        ("id", pa.int64()),
        NUMBER,
        *person_columns("user"),
        ("author_association", pa.string()),
        ("state", pa.string()),
        ("body", pa.string()),
        ("submitted_at", TIME),
        ("html_url", pa.string()),
    ),
    "changed_files": (
        NUMBER,
        ("filename", pa.string()),
        ("status", pa.string()),
        ("additions", pa.int64()),
        ("deletions", pa.int64()),
    ),
}


@dataclass(frozen=True)
class DetailTables:
    """The rows of one project's repository in an open warehouse."""

    connection: duckdb.DuckDBPyConnection
    project: str
    repository: str

    def replace(self, details: list[Detail]) -> None:
        """Replace all that is known of these pull requests, in one transaction."""
        if not details:
            return
        self.connection.execute("begin")
        try:
            self._remove([one.number for one in details])
            for table in SCHEMAS:
                self._insert(table, details)
            for one in details:
                self._set_aside(one)
        except BaseException:
            self.connection.execute("rollback")
            raise
        self.connection.execute("commit")

    def _remove(self, numbers: list[int]) -> None:
        for table in SCHEMAS:
            self.connection.execute(
                f"delete from raw_github.{table}"
                " where repository = ? and list_contains(?, number)",
                [self.repository, numbers],
            )
            self.connection.execute(
                "delete from raw_github.quarantine where project = ? and stream = ?"
                " and list_contains(?, split_part(row_key, '/', 1))",
                [self.project, table, [str(number) for number in numbers]],
            )

    def _insert(self, table: str, details: list[Detail]) -> None:
        rows = [
            {"repository": self.repository, **row, "fetched_at": one.fetched_at}
            for one in details
            for row in _once_each(one, table)
        ]
        schema = pa.schema([FIRST, *SCHEMAS[table], LAST])
        self.connection.register("incoming", pa.Table.from_pylist(rows, schema=schema))
        names = ", ".join(schema.names)
        self.connection.execute(
            f"insert into raw_github.{table} ({names}) select * from incoming"
        )
        self.connection.unregister("incoming")

    def _set_aside(self, detail: Detail) -> None:
        for (table, key), one in {
            (table, one.row_key): one for table, one in detail.unfit
        }.items():
            self.connection.execute(
                "insert into raw_github.quarantine values (?, ?, ?, ?, ?, ?)",
                [
                    *(self.project, table, key),
                    *(one.reason, one.payload, detail.fetched_at),
                ],
            )


def _once_each(detail: Detail, table: str) -> Iterable[Row]:
    """The rows for a table, the last of those that pages told twice."""
    if table == "pull_details":
        return [detail.pull]
    if table == "reviews":
        return {row["id"]: row for row in detail.reviews}.values()
    return {row["filename"]: row for row in detail.files}.values()


# Shorter gaps between what lacks its reviews are not worth a line of coverage.
SHORTEST = timedelta(hours=1)

# The pull requests of some windows that were not read since they were last changed, or
# since the window ended: those that are listed or talked about first, newest window
# first. What changed since a window began may have been reviewed in it.
OF_WINDOWS = """
    with windows as (
        select unnest($sinces) as since, unnest($untils) as until
    ),

    said as (
        select number, created_at
        from raw_github.issue_comments where repository = $repository
        union all
        select number, created_at
        from raw_github.review_comments where repository = $repository
    ),

    talk as (
        select windows.until, said.number, count(*) as comment_count
        from windows
        inner join said
            on said.created_at >= windows.since and said.created_at < windows.until
        group by windows.until, said.number
    ),

    wanted as (
        select
            windows.until,
            pulls.number,
            coalesce(talk.comment_count, 0) as comment_count,
            coalesce(
                pulls.merged_at >= windows.since and pulls.merged_at < windows.until,
                false
            ) as is_merged,
            talk.number is not null
            or pulls.created_at >= windows.since
            or is_merged
            or coalesce(
                pulls.closed_at >= windows.since and pulls.closed_at < windows.until,
                false
            ) as is_told
        from raw_github.issues as pulls
        inner join windows
            on pulls.updated_at >= windows.since and pulls.created_at < windows.until
        left join talk
            on talk.number = pulls.number and talk.until = windows.until
        left join raw_github.pull_details as known
            on
                known.repository = pulls.repository
                and known.number = pulls.number
        where
            pulls.repository = $repository
            and pulls.is_pull_request
            and coalesce(
                known.fetched_at
                < least(windows.until, pulls.updated_at) + $settling,
                true
            )
            and pulls.number not in (
                select number from raw_github.vanishings
                where project = $project and kind = 'thread'
            )
    )

    select number
    from wanted
    group by number
    order by
        max(until) filter (where is_told) desc nulls last,
        bool_or(is_merged) desc,
        max(comment_count) desc,
        number desc
"""

# Of each pull request, the time in which it may have been reviewed unseen.
LACKING = """
    select
        epoch_us(greatest(
            pulls.created_at,
            coalesce(known.fetched_at - $settling, pulls.created_at)
        )),
        epoch_us(pulls.updated_at) + 1000000
    from raw_github.issues as pulls
    left join raw_github.pull_details as known
        on known.repository = pulls.repository and known.number = pulls.number
    where
        pulls.repository = $repository
        and pulls.is_pull_request
        and coalesce(known.fetched_at < pulls.updated_at + $settling, true)
        and pulls.number not in (
            select number from raw_github.vanishings
            where project = $project and kind = 'thread'
        )
"""


@dataclass(frozen=True)
class Backlog:
    """What one project's warehouse lacks of details."""

    connection: duckdb.DuckDBPyConnection
    project: str
    repository: str

    def asked_for(self) -> list[Interval]:
        """The windows that were asked for."""
        rows = self.connection.execute(
            "select epoch_us(window_start_at), epoch_us(window_end_at)"
            " from raw_github.window_requests where project = ?",
            [self.project],
        ).fetchall()
        return [Interval(_at(since), _at(until)) for since, until in rows]

    def of(self, windows: Iterable[Interval]) -> list[int]:
        """The pull requests of these windows that lack details, in reading order."""
        some = list(windows)
        if not some:
            return []
        told = {
            "sinces": [one.since for one in some],
            "untils": [one.until for one in some],
            "settling": SETTLING,
            "repository": self.repository,
            "project": self.project,
        }
        return [n for (n,) in self.connection.execute(OF_WINDOWS, told).fetchall()]

    def reviewed(self, threads: Iterable[Interval]) -> list[Interval]:
        """Of the intervals that threads cover, those in which no review is lacking."""
        told = {
            "settling": SETTLING,
            "repository": self.repository,
            "project": self.project,
        }
        rows = self.connection.execute(LACKING, told).fetchall()
        lacking = [Interval(_at(since), _at(until)) for since, until in rows]
        return [
            gap
            for one in threads
            for gap in missing(Interval(one.since, one.until - SETTLING), lacking)
            if gap.until - gap.since >= SHORTEST
        ]


def _at(microseconds: int) -> datetime:
    return EPOCH + timedelta(microseconds=microseconds)


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
        self._pace = Pace(REQUESTS_A_MINUTE, self.client.limiter.sleep)

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
                self.client.limiter.stopping.set()
                pool.shutdown(wait=False, cancel_futures=True)
                raise

    def _read(self, number: int) -> Detail | None:
        try:
            return read(self._get, self.repository.url, number)
        except MissingError:
            return None

    def _get(self, url: str, kind: type = list) -> Page:
        self._pace.wait()
        return self.client.get(url, kind)
