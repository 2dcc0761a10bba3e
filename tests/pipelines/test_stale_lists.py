"""A list that GitHub answers with 200, and with nothing or with an older state."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from pipelines.errors import IncompleteError
from sample.facts import closed, comment, issue, pull, review_comment
from sample.github.api import answer
from sample.github.exchange import Request, Response
from sample.repository import World
from sample.server import Github, serve
from tests.pipelines.conftest import VLLM, Bench
from tests.pipelines.scripted import FakeGitHub

SAMPLE = replace(VLLM, repository="example-org/sample-engine")
BASE = f"/repos/{SAMPLE.repository}"
START = datetime(2026, 3, 4, 3, 24, tzinfo=UTC)
FIRST, NOW = START + timedelta(hours=6), START + timedelta(days=1, minutes=20)
LISTS = ("/issues", "/issues/comments", "/pulls/comments", "/issues/events")
TABLES = ("issues", "issue_comments", "review_comments", "issue_events")


def hours(number: float) -> datetime:
    return START + timedelta(hours=number)


# A thread, a comment and a close an hour; the rows of the sixth are held.
BUSY = World().with_rows(
    *(issue(n, hours(n - 0.5)) for n in range(1, 25)),
    *(comment(n, hours(n - 0.4)) for n in range(1, 25)),
    *(closed(n, hours(n - 0.3)) for n in range(1, 25)),
)


class Day:
    """A warehouse that was synced six hours into the window; the rest is to be read."""

    def __init__(self, path: Path, github: Github) -> None:
        self.github = github
        self.bench = Bench(path, FakeGitHub(url=github.url))
        self.act(self.bench.sync)
        github.travel(NOW)

    def act(self, act: Callable[..., str]) -> str:
        return act(project=SAMPLE, projects=(SAMPLE,))

    def cover(self) -> str:
        return self.act(self.bench.cover)

    def counts(self) -> list[int]:
        return [
            self.bench.rows(f"select count(*) from raw_github.{table}")[0][0]
            for table in TABLES
        ]


@pytest.fixture
def days(tmp_path: Path) -> Iterator[Callable[..., Any]]:
    open_servers: list[Any] = []

    def made(world: World = BUSY) -> Day:
        context = serve(world, now=FIRST)
        open_servers.append(context)
        path = tmp_path / str(len(open_servers)) / "w.duckdb"
        return Day(path, context.__enter__())

    yield made
    for context in open_servers:
        context.__exit__(None, None, None)


def empty(tail: str, times: int | None = None) -> Callable[[Request], Any]:
    """A list that is answered with nothing, so many times."""
    left = iter(range(times)) if times is not None else itertools.count()

    def faults(request: Request) -> Response | None:
        is_it = request.path == BASE + tail and next(left, None) is not None
        return Response(200, []) if is_it else None

    return faults


def older(github: Github, *tails: str, times: int | None = None) -> Any:
    """Lists that are answered as of five hours ago, short and without a next link."""
    left = iter(range(times)) if times is not None else itertools.count()
    before = NOW - timedelta(hours=5)

    def faults(request: Request) -> Response | None:
        if request.path not in [BASE + tail for tail in tails]:
            return None
        if next(left, None) is None:
            return None
        told = answer(github.view(before), request, github.limits)
        return Response(200, told.body)

    return faults


def test_a_an_empty_list_is_asked_for_again(days: Any) -> None:
    clean = days()
    clean.cover()
    for tail in LISTS[:2]:
        day = days()
        day.github.faults = empty(tail, times=1)
        day.cover()
        assert day.counts() == clean.counts()


@pytest.mark.parametrize("tail", ["/issues", "/issues/comments", "/issues/events"])
def test_b_c_a_list_that_stays_empty_covers_nothing(days: Any, tail: str) -> None:
    day = days()
    stream = {"/issues": "threads"}.get(tail, tail[1:].replace("/", "_"))
    stream = stream.replace("issues_", "issue_")
    before = day.bench.covered(stream)
    day.github.faults = empty(tail)
    with pytest.raises(IncompleteError, match=f"list of {stream} shows an older state"):
        day.cover()
    assert day.bench.covered(stream) == before
    day.github.faults = None
    day.cover()
    assert day.counts() == [24, 24, 0, 24]


@pytest.mark.parametrize("tail", ["/issues", "/issues/comments", "/issues/events"])
def test_d_a_list_hours_older_than_the_others_is_not_believed(
    days: Any, tail: str
) -> None:
    day = days()
    day.github.faults = older(day.github, tail)
    with pytest.raises(IncompleteError, match="shows an older state"):
        day.cover()
    day.github.faults = None
    day.cover()
    assert day.counts() == [24, 24, 0, 24]


def test_d_an_older_list_is_asked_for_again(days: Any) -> None:
    day = days()
    day.github.faults = older(day.github, "/issues", times=1)
    day.cover()
    assert day.counts() == [24, 24, 0, 24]


def test_a_first_list_that_is_empty_while_people_talk_is_not_believed(
    days: Any, tmp_path: Path
) -> None:
    day = days()
    day.bench.path = tmp_path / "new.duckdb"
    day.github.faults = empty("/issues")
    with pytest.raises(IncompleteError, match="list of threads shows an older state"):
        day.cover()


def test_an_hour_without_any_row_proves_nothing(days: Any) -> None:
    quiet = World().with_rows(issue(1, hours(1)), comment(1, hours(1.5)))
    day = days(quiet)
    day.cover()
    assert day.counts() == [1, 1, 0, 0]


def test_a_quiet_day_after_a_busy_one_proves_nothing(days: Any) -> None:
    day = days()
    day.cover()
    day.github.travel(NOW + timedelta(days=1))
    day.act(day.bench.sync)
    assert day.counts() == [24, 24, 0, 24]


def test_rows_deleted_in_that_hour_are_no_contradiction(days: Any) -> None:
    quiet = World().with_rows(
        issue(1, hours(1)),
        comment(1, hours(5.5), deleted_at=hours(7)),
        comment(1, hours(5.6), deleted_at=hours(7)),
    )
    day = days(quiet)
    day.cover()
    assert day.counts() == [1, 2, 0, 0]
    assert day.bench.covered("issue_comments")[0][1] == "03-05 03:44:00"


def test_a_deleted_thread_is_no_contradiction(days: Any) -> None:
    day = days(World().with_rows(issue(1, hours(5.5)), issue(2, hours(1))))
    day.github.become(World().with_rows(issue(2, hours(1))), now=NOW)
    day.cover()
    assert day.counts() == [2, 0, 0, 0]


def test_a_row_that_is_old_at_its_own_address_too_speaks_against_no_list(
    days: Any,
) -> None:
    """Threads whose rows GitHub never brought up to their comments and events."""
    day = days()

    def faults(request: Request) -> Response | None:
        tail = request.path.removeprefix(BASE)
        if tail != "/issues" and not re.fullmatch(r"/issues/\d+", tail):
            return None
        told = answer(day.github.view(NOW), request, day.github.limits)
        for row in told.body if tail == "/issues" else [told.body]:
            row["updated_at"] = min(row["updated_at"], f"{hours(6):%Y-%m-%dT%H:%M:%SZ}")
        return Response(200, told.body)

    day.github.faults = faults
    day.cover()
    assert day.counts() == [24, 24, 0, 24]


@pytest.mark.parametrize("is_there", [True, False])
def test_an_empty_list_that_only_its_own_held_rows_contradict(
    days: Any, is_there: bool
) -> None:
    day = days(
        World().with_rows(pull(1, hours(1)), review_comment(1, hours(5.5), id=7))
    )

    def faults(request: Request) -> Response | None:
        if request.path == f"{BASE}/pulls/comments":
            return Response(200, [])
        if request.path == f"{BASE}/pulls/1/comments":
            return Response(200, [{"id": 7}] if is_there else [])
        return None

    day.github.faults = faults
    if is_there:
        with pytest.raises(IncompleteError, match="list of review_comments shows"):
            day.cover()
    else:
        day.cover()


def test_what_a_backfill_jumps_over_is_no_contradiction(days: Any) -> None:
    """It reads old rows, then the newest hour, in which nothing need have happened."""
    many = [issue(n, START + timedelta(minutes=n)) for n in range(100, 260)]
    day = days(BUSY.with_rows(many))
    day.github.travel(NOW + timedelta(hours=5))
    day.act(day.bench.sync)
    day.act(partial(day.bench.backfill, date(2026, 2, 25), date(2026, 3, 3)))
    for stream in ("threads", "issue_comments", "issue_events", "review_comments"):
        assert day.bench.covered(stream)[0][0] == "02-25 03:24:00", stream
    assert [r.path for r in day.github.requests if r.path.count("/") > 5] == []
