"""Which pull requests still lack details, and for which times no review is lacking.

A submitted review changes its pull request's `updated_at`. So the reviews of a pull
request are all here if it was read after it was last changed, and one that was not
lacks, at worst, what was submitted between the two.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

import duckdb

from pipelines.coverage import Interval, missing
from pipelines.targets import EPOCH
from pipelines.windows import SETTLING

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
