"""Pull requests' sizes, files and reviews, for the threads of one reported window.

They feed neither counts nor heat, so a report does without them: only a run that asks
GitHub anyway, with a token, asks for them too, once; a failure is said and no more. The
reading by REST, three requests a pull request, is bounded by an allowance; what it
leaves out is told. All rows of a pull request are replaced together: a file that it no
longer changes must go, which a merge by key would not do.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime
from itertools import islice

import duckdb
import pyarrow as pa

from pipelines.exits import IncompleteError, RefusedError
from pipelines.github.answers import MissingError
from pipelines.github.client import Client
from pipelines.github.details import BATCH, Detail, details_in, query_of, read
from pipelines.github.repository import Repository
from pipelines.github.resource import person_columns
from pipelines.github.rows import TIME, Row
from pipelines.windows import Window

# How many pull requests of a window are read by REST where GraphQL does not tell them.
ALLOWANCE = 8

# After so many useless answers in a row GraphQL is asked no more.
PATIENCE = 1

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

TABLES = (
    # A pull request of a reported window, with its size.
    """create table if not exists raw_github.pull_details (
        repository varchar not null, number bigint not null, additions bigint,
        deletions bigint, changed_files bigint, commits bigint, merged_by_id bigint,
        merged_by_login varchar, merged_by_type varchar,
        fetched_at timestamptz not null)""",
    # A submitted review of such a pull request.
    """create table if not exists raw_github.reviews (
        repository varchar not null, id bigint not null, number bigint not null,
        user_id bigint, user_login varchar, user_type varchar,
        author_association varchar, state varchar, body varchar,
        submitted_at timestamptz not null, html_url varchar,
        fetched_at timestamptz not null)""",
    # A file that such a pull request changes.
    """create table if not exists raw_github.changed_files (
        repository varchar not null, number bigint not null, filename varchar not null,
        status varchar, additions bigint, deletions bigint,
        fetched_at timestamptz not null)""",
)

# The pull requests that a window lists or talks about, the most talked about first.
OF_WINDOW = """
    with talk as (
        select number, count(*) as comment_count
        from (
            select number, created_at from raw_github.issue_comments
            where repository = $repository
            union all
            select number, created_at from raw_github.review_comments
            where repository = $repository
        )
        where created_at >= $since and created_at < $until
        group by number
    )
    select issues.number
    from raw_github.issues
    left join talk using (number)
    left join raw_github.pull_details as known
        on
            known.repository = issues.repository
            and known.number = issues.number
            and known.fetched_at >= $until
    where
        issues.repository = $repository
        and issues.is_pull_request
        and known.number is null
        and (
            talk.number is not null
            or (issues.created_at >= $since and issues.created_at < $until)
            or (issues.closed_at >= $since and issues.closed_at < $until)
            or (issues.merged_at >= $since and issues.merged_at < $until)
        )
    order by
        coalesce(issues.merged_at >= $since and issues.merged_at < $until, false) desc,
        coalesce(talk.comment_count, 0) desc,
        issues.number desc
"""


@dataclass
class Details:
    """What one window's pull requests are made of; reads and writes one warehouse."""

    client: Client
    repository: Repository
    connection: duckdb.DuckDBPyConnection
    slug: str

    def fetch(self, window: Window, say: Callable[[str], object]) -> None:
        """Read what is not known yet; whatever goes wrong is one line."""
        wanted = self._wanted(window.start_at, window.end_at)
        left = list(wanted)
        try:
            for some in self._by_graph(wanted):
                self._store(some)
                left = [n for n in left if n not in {one.number for one in some}]
            for number in left[:ALLOWANCE]:
                self._store(self._by_rest(number))
            left = left[ALLOWANCE:]
        except (RefusedError, IncompleteError) as error:
            say(f"Sizes, files and reviews of pull requests are incomplete: {error}")
            return
        if left:
            say(
                f"Sizes, files and reviews of {len(left):,} pull requests are left out:"
                " GitHub's GraphQL does not tell them."
            )

    def _wanted(self, since: datetime, until: datetime) -> list[int]:
        bounds = {"since": since, "until": until, "repository": self.slug}
        return [n for (n,) in self.connection.execute(OF_WINDOW, bounds).fetchall()]

    def _by_graph(self, numbers: list[int]) -> Iterator[list[Detail]]:
        owner, _, name = self.repository.slug.partition("/")
        rest, useless = iter(numbers), 0
        while (some := list(islice(rest, BATCH))) and useless < PATIENCE:
            query = query_of(owner, name, some)
            try:
                page = self.client.post(self.client.graph_url, {"query": query})
            except RefusedError:
                return
            told = list(details_in(page))
            useless = 0 if told else useless + 1
            yield told

    def _by_rest(self, number: int) -> list[Detail]:
        try:
            return [read(self.client.get, self.repository.url, number)]
        except MissingError:
            return []

    def _store(self, details: list[Detail]) -> None:
        """Replace all that is known of these pull requests, in one transaction."""
        if not details:
            return
        numbers = [one.number for one in details]
        self.connection.execute("begin")
        try:
            for table in SCHEMAS:
                self.connection.execute(
                    f"delete from raw_github.{table}"
                    " where repository = ? and list_contains(?, number)",
                    [self.slug, numbers],
                )
                self._insert(table, details)
        except BaseException:
            self.connection.execute("rollback")
            raise
        self.connection.execute("commit")

    def _insert(self, table: str, details: list[Detail]) -> None:
        rows = [
            {"repository": self.slug, **row, "fetched_at": one.fetched_at}
            for one in details
            for row in _rows(one, table)
        ]
        schema = pa.schema([FIRST, *SCHEMAS[table], LAST])
        self.connection.register("incoming", pa.Table.from_pylist(rows, schema=schema))
        names = ", ".join(schema.names)
        self.connection.execute(
            f"insert into raw_github.{table} ({names}) select distinct * from incoming"
        )
        self.connection.unregister("incoming")


def _rows(detail: Detail, table: str) -> list[Row]:
    if table == "pull_details":
        return [detail.pull]
    return detail.reviews if table == "reviews" else detail.files
