"""A published day that later data changes says so, and goes on saying it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from sample.server import serve
from tests.dbt.chain import Chain, at, comment, differing, event, issue, world

DAY = "sample:day:2026-03-04"
TOLD = """
    select what, number, change, from_value, to_value
    from reports.rpt_restatements
    where window_id = 'sample:day:2026-03-04'
    order by all
"""
# As if rules that were changed since had not listed it, and counted it neither.
UNLISTED = """
    delete from raw_github.published_listings
    where thread_id like '%#4' and listing = 'new_pr';
    update raw_github.published_counts set new_pr_count = 1;
    update raw_github.published_rules set rules = 'others';
"""
LATE = [
    ("closed_issue", 1, "appeared", None, "[Bug]: case 1"),
    ("closed_issue_count", None, "counted", "1", "2"),
    ("new_issue", 2, "relabelled", "bug,rocm", "amd,bug"),
    ("new_issue", 6, "appeared", None, "[Bug]: case 6"),
    ("new_issue_count", None, "counted", "2", "3"),
    ("new_pr", 4, "appeared", None, "[Core] change 4"),
    ("new_pr_count", None, "counted", "1", "2"),
]


class Told:
    """What the chain said of the day at each of its steps."""

    def __init__(self, chain: Chain) -> None:
        self.chain = chain
        chain.report()
        self.at_first = chain.restatements()
        self.rules = chain.rows("select rules from builds.latest")
        self.rules_kept = chain.rows("select rules from raw_github.published_rules")
        chain.change(UNLISTED)
        # A day later: what was written late is there, and what changed in silence.
        before = world(
            # After the publication: the day itself is not touched by it.
            event(5, "05 06:00", "closed"),
            event(3, "05 06:00", "reopened"),
            event(2, "05 06:30", "labeled", label="stale"),
        )
        late = before.with_rows(
            issue(6, "05 03:10"),
            event(1, "05 03:12", "closed"),
            comment(2, "05 05:00"),
        )
        relabelled = tuple(
            replace(thread, labels=("bug", "amd")) if thread.number == 2 else thread
            for thread in late.threads
        )
        chain.github.become(replace(late, threads=relabelled), now=at("05 08:00"))
        chain.fetch("sync")
        chain.build()
        self.in_the_same_build = chain.restatements()
        self.told = chain.rows(TOLD)
        chain.publish()
        chain.build()
        self.after_publication = chain.restatements()
        chain.publish()
        self.versions = self._versions()
        self.before = chain.rebuilt()
        self.after_rebuild = chain.restatements()

    def _versions(self) -> list[tuple[Any, ...]]:
        return self.chain.rows(
            "select window_id, version, strftime(published_at, '%d %H:%M')"
            " from raw_github.published_counts order by all"
        )


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Told]:
    with serve(world(), now=at("05 04:00")) as github:
        yield Told(Chain(tmp_path_factory.mktemp("restated"), github))


def test_what_is_published_for_the_first_time_restates_nothing(told: Told) -> None:
    assert told.at_first == []


def test_the_build_that_finds_a_change_tells_it(told: Told) -> None:
    assert told.told == LATE


def test_what_was_told_stays_told_once_it_is_published(told: Told) -> None:
    assert told.after_publication == told.in_the_same_build


def test_what_is_published_is_kept_with_the_rules_it_was_built_by(told: Told) -> None:
    assert told.rules == told.rules_kept
    assert [len(rules) for (rules,) in told.rules] == [32]


def test_a_version_is_kept_where_something_differs_and_dated_by_the_server(
    told: Told,
) -> None:
    assert told.versions == [(DAY, 1, "05 04:00"), (DAY, 2, "05 08:00")]


def test_a_rebuild_from_the_raw_rows_says_the_same(told: Told) -> None:
    assert told.after_rebuild == told.after_publication
    assert differing(told.before, told.chain.warehouse) == []


def test_the_published_history_tells_it_too(told: Told) -> None:
    assert differing(told.chain.history, told.chain.warehouse) == []
