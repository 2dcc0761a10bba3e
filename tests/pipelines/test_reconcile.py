"""What was loaded once and is gone is found, marked, and never removed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from pipelines import commands
from pipelines.errors import RefusedError, UnusableError
from sample.facts import closed, comment, issue, pull, review_comment
from sample.github.exchange import Request, Response, refusal
from sample.repository import World
from sample.server import Github, serve
from tests.pipelines.conftest import MARCH_4, VLLM, Bench
from tests.pipelines.scripted import FakeGitHub

SAMPLE = replace(VLLM, repository="example-org/sample-engine")
NOON, EVENING = "2026-03-04T12:00:00Z", "2026-03-04T20:00:00Z"
LOADED_AT, MISSED_AT = "2026-03-05T04:00:00Z", "2026-03-06T04:00:00Z"
DELETED_AT = datetime(2026, 3, 5, 12, tzinfo=UTC)

DAY = World().with_rows(
    issue(1, NOON),
    issue(2, NOON),
    pull(3, NOON),
    comment(1, EVENING, "stays", id=10),
    comment(1, EVENING, "goes", id=11, deleted_at=DELETED_AT),
    comment(2, EVENING, id=20),
    review_comment(3, EVENING, "goes", id=30, deleted_at=DELETED_AT),
    review_comment(3, EVENING, "stays", id=31),
)
GONE_TALK = [("issue_comment", "11", 1, 404), ("review_comment", "30", 3, 404)]


TABLES = ("issues", "issue_comments", "review_comments")


class Watch:
    """A bench with a day of the sample loaded, a day ago."""

    def __init__(self, path: Path, github: Github) -> None:
        self.github = github
        self.bench = Bench(path, FakeGitHub(url=github.url))
        self.settings = self.bench.settings(
            project=SAMPLE, projects=(SAMPLE,), baseline_days=28
        )
        self.bench.cover(MARCH_4, project=SAMPLE, projects=(SAMPLE,))
        github.travel(MISSED_AT)
        github.requests.clear()

    def reconcile(self) -> str:
        return commands.reconcile(self.settings, self.bench.said.append)

    def gone(self) -> list[Any]:
        return self.bench.rows(
            "select kind, row_key, number, status from raw_github.vanishings order by 2"
        )

    def rows(self, table: str) -> int:
        [(count,)] = self.bench.rows(f"select count(*) from raw_github.{table}")
        return int(count)

    def asked(self, path: str) -> int:
        return sum(one.path.endswith(path) for one in self.github.requests)


@pytest.fixture
def watch(tmp_path: Path) -> Iterator[Watch]:
    with serve(DAY, now=LOADED_AT) as github:
        yield Watch(tmp_path / "w.duckdb", github)


def without(*numbers: int, status: int = 410) -> Any:
    """A GitHub that has these threads no more, neither in lists nor by their number."""

    def faults(request: Request) -> Response | None:
        tail = request.path.removeprefix(f"/repos/{SAMPLE.repository}")
        if any(tail.startswith(f"/issues/{number}") for number in numbers):
            return refusal(status, "This issue was deleted")
        if tail == "/issues":
            rows = [one for one in (1, 2, 3) if one not in numbers]
            return Response(200, [listed(number, request.host) for number in rows])
        return None

    return faults


def listed(number: int, host: str) -> dict[str, Any]:
    return {
        "number": number,
        "comments": {1: 1, 2: 1}.get(number, 0),
        "repository_url": f"{host}/repos/{SAMPLE.repository}",
    }


def test_c32_deleted_comments_are_found_where_the_counts_differ(watch: Watch) -> None:
    assert "2 newly gone, 0 back" in watch.reconcile()
    assert watch.gone() == GONE_TALK
    assert watch.asked("/issues/1/comments") == 1
    assert watch.asked("/issues/2/comments") == 0
    assert watch.bench.rows("select id from raw_github.issue_comments order by 1") == [
        (10,),
        (11,),
        (20,),
    ]


@pytest.mark.parametrize("status", [404, 410])
def test_a_thread_that_is_gone_leaves_a_tombstone_and_its_row(
    watch: Watch, status: int
) -> None:
    watch.github.faults = without(2, status=status)
    watch.reconcile()
    assert ("thread", "2", 2, status) in watch.gone()
    assert watch.bench.rows("select count(*) from raw_github.issues") == [(3,)]
    assert watch.asked("/issues/2") == 3


def test_a_thread_that_moved_to_another_repository_is_gone(watch: Watch) -> None:
    def moved(request: Request) -> Response | None:
        if request.path.endswith("/sample-engine/issues/2"):
            there = f"{request.host}/repos/{SAMPLE.repository}/issues/1"
            return Response(301, {}, {"Location": there})
        return without(2)(request) if request.path.endswith("/issues") else None

    watch.github.faults = moved
    watch.reconcile()
    assert ("thread", "2", 2, 301) in watch.gone()


def test_a_list_that_forgets_a_thread_is_not_believed(watch: Watch) -> None:
    watch.github.faults = lambda request: (
        without(2)(request) if request.path.endswith("/issues") else None
    )
    watch.reconcile()
    assert watch.gone() == GONE_TALK


def test_a_passing_404_is_not_believed(watch: Watch) -> None:
    def passing(request: Request) -> Response | None:
        if request.path.endswith("/issues/2") and request.attempt > 2:
            return None
        return without(2, status=404)(request)

    watch.github.faults = passing
    watch.reconcile()
    assert watch.gone() == GONE_TALK


def test_a_second_pass_keeps_the_time_of_the_first(watch: Watch) -> None:
    watch.github.faults = without(2)
    watch.reconcile()
    times = watch.bench.rows("from raw_github.vanishings order by all")
    watch.github.travel("2026-03-09T04:00:00Z")
    assert "0 newly gone, 0 back" in watch.reconcile()
    assert watch.bench.rows("from raw_github.vanishings order by all") == times


def test_what_is_back_loses_its_tombstone(watch: Watch) -> None:
    watch.github.faults = without(2)
    watch.reconcile()
    assert len(watch.gone()) == 3
    watch.github.faults = None
    revived = [replace(one, deleted_at=None) for one in DAY.issue_comments]
    diff = [replace(one, deleted_at=None) for one in DAY.review_comments]
    watch.github.become(
        replace(DAY, issue_comments=tuple(revived), review_comments=tuple(diff)),
        now="2026-03-09T04:00:00Z",
    )
    assert "0 newly gone, 3 back" in watch.reconcile()
    assert watch.gone() == []


def test_what_becomes_visible_again_is_loaded_with_all_that_belongs_to_it(
    watch: Watch,
) -> None:
    """As of an account that GitHub had hidden: nothing of it has a new time."""
    afternoon = "2026-03-04T15:00:00Z"
    before = [watch.rows(table) for table in TABLES]
    watch.github.become(
        DAY.with_rows(
            issue(4, NOON),
            closed(4, afternoon),
            comment(4, afternoon, id=40),
            comment(2, afternoon, id=21),
            comment(3, afternoon, id=33),
            review_comment(3, afternoon, id=34),
        ),
        now=MISSED_AT,
    )
    watch.bench.sync(project=SAMPLE, projects=(SAMPLE,))
    assert [watch.rows(table) for table in TABLES] == before
    watch.reconcile()
    added = [watch.rows(table) for table in TABLES]
    assert [b - a for a, b in zip(before, added, strict=True)] == [1, 3, 1]
    assert watch.rows("issue_events") == 1
    assert "0 rows loaded late" in watch.reconcile()


def test_a_comment_on_a_thread_older_than_what_is_covered_becomes_visible_again(
    tmp_path: Path,
) -> None:
    old = issue(9, "2026-01-01T00:00:00Z")
    talk = [comment(9, f"2026-01-0{day}T00:00:00Z") for day in range(1, 5)]
    later = comment(9, EVENING, id=91)
    day = World().with_rows(old, *talk, later)
    with serve(day, now=LOADED_AT) as github:
        watch = Watch(tmp_path / "w.duckdb", github)
        assert (watch.rows("issue_comments"), watch.asked("/issues/9/comments")) == (
            1,
            0,
        )
        watch.reconcile()
        assert watch.asked("/issues/9/comments") == 0
        github.become(day.with_rows(comment(9, NOON, id=92)), now=MISSED_AT)
        watch.reconcile()
    assert watch.bench.rows(
        "select count(*) from raw_github.issue_comments where id = 92"
    ) == [(1,)]


def test_a_hidden_author_comes_back_as_it_was(watch: Watch) -> None:
    sql = "select number, user_id, user_login from raw_github.issues order by 1"
    before = watch.bench.rows(sql)
    watch.github.faults = without(2)
    watch.reconcile()
    assert ("thread", "2", 2, 410) in watch.gone()
    watch.github.faults = None
    watch.reconcile()
    assert not [one for one in watch.gone() if one[0] == "thread"]
    assert watch.bench.rows(sql) == before


def test_nothing_is_marked_where_github_refuses(watch: Watch) -> None:
    watch.github.faults = lambda request: (
        refusal(403, "Resource not accessible")
        if request.path.endswith("/issues/1/comments")
        else without(2)(request)
    )
    with pytest.raises(RefusedError):
        watch.reconcile()
    assert watch.gone() == []


def test_a_pass_costs_what_it_says(tmp_path: Path) -> None:
    crowd = [issue(n, NOON) for n in range(1, 251)]
    with serve(World().with_rows(*crowd), now=LOADED_AT) as github:
        watch = Watch(tmp_path / "w.duckdb", github)
        told = watch.reconcile()
    assert "0 newly gone" in told and "in 5 requests" in told
    assert (watch.asked("/issues"), watch.asked("/pulls/comments")) == (3, 1)


def test_threads_that_were_not_covered_cost_nothing(tmp_path: Path) -> None:
    old = "2026-01-01T00:00:00Z"
    crowd = [issue(n, old) for n in range(1, 1_001)]
    recent = [issue(n, NOON) for n in range(1_001, 1_006)]
    talk = comment(500, EVENING)
    with serve(World().with_rows(*crowd, *recent, talk), now=LOADED_AT) as github:
        watch = Watch(tmp_path / "w.duckdb", github)
        watch.reconcile()
    assert (watch.asked("/issues"), watch.asked("/issues/500")) == (1, 0)
    assert watch.rows("issues") == 6


def test_without_a_warehouse_there_is_nothing_to_reconcile(tmp_path: Path) -> None:
    bench = Bench(tmp_path / "w.duckdb", FakeGitHub(url="http://127.0.0.1:9"))
    with pytest.raises(UnusableError, match="no warehouse"):
        commands.reconcile(bench.settings(), bench.said.append)
    assert not bench.path.exists()


def test_a_comment_deleted_before_its_threads_row_was_read_again_is_missed(
    watch: Watch,
) -> None:
    """The row counts one comment less by then, as the list does."""
    later = comment(1, "2026-03-05T20:00:00Z", id=12)
    watch.github.become(DAY.with_rows(later), now=MISSED_AT)
    watch.bench.sync(project=SAMPLE, projects=(SAMPLE,))
    sql = "select comment_count from raw_github.issues where number = 1"
    assert watch.bench.rows(sql) == [(2,)]
    watch.reconcile()
    assert ("issue_comment", "11", 1, 404) in watch.gone()
