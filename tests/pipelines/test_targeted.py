"""An old day by itself: from search, timelines and a part of the lists."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from pipelines import progress, targeted
from pipelines.errors import IncompleteError, RefusedError
from pipelines.github import search, timeline
from pipelines.github.client import Client, Pace, RateLimiter
from pipelines.github.repository import Repository
from pipelines.windows import calendar_window
from sample.facts import (
    closed,
    comment,
    dev,
    issue,
    labeled,
    merged,
    pull,
    renamed,
    reopened,
    review_comment,
)
from sample.github.exchange import Request, Response, refusal
from sample.repository import World
from sample.server import Github, serve
from tests.pipelines.conftest import MARCH_4, OF_DAY, VLLM, Bench
from tests.pipelines.scripted import FakeGitHub, at

SAMPLE = replace(VLLM, repository="example-org/sample-engine")
NOW = "2026-04-01T12:00:00Z"  # 27 days after the window
START, END = "2026-03-04T03:24:00Z", "2026-03-05T03:24:00Z"
NOON, LATER = "2026-03-04T12:00:00Z", "2026-03-20T12:00:00Z"

DAY = World().with_rows(
    issue(1, START, "Born in the first second", labels=("bug",)),
    issue(2, "2026-03-05T03:23:59Z", "Born in the last second"),
    issue(3, "2026-03-04T03:23:59Z", "Born a second before"),
    issue(4, END, "Born in the end's second"),
    issue(5, "2026-02-01T00:00:00Z", "Closed in it"),
    closed(5, NOON, state_reason="completed"),
    pull(6, "2026-02-02T00:00:00Z", "Merged a second before it is closed"),
    merged(6, "2026-03-05T03:23:59Z")[0],
    closed(6, END),
    pull(7, "2026-02-03T00:00:00Z", "Closed unmerged"),
    closed(7, NOON),
    issue(8, "2026-02-04T00:00:00Z", "Only talked about"),
    pull(9, "2026-02-05T00:00:00Z", "Only its diff is talked about"),
    comment(8, NOON),
    comment(5, NOON, "edited since", edits=((datetime(2026, 3, 20, tzinfo=UTC), "x"),)),
    comment(3, "2026-03-03T12:00:00Z", "before"),
    review_comment(9, NOON, user=dev(4)),
    renamed(1, LATER, "Born in the first second", "Renamed since"),
    labeled(1, LATER, "wontfix"),
    issue(10, LATER, "Long after"),
)


class Aim:
    """A bench that fetches one day of a sample on its own."""

    def __init__(self, path: Path, github: Github) -> None:
        self.github = github
        self.bench = Bench(path, FakeGitHub(url=github.url))
        self.said = self.bench.said

    def cover(self, **changes: Any) -> str:
        told = {"project": SAMPLE, "projects": (SAMPLE,), "token": "t", **changes}
        return self.bench.cover(MARCH_4, **told)

    def asked(self, path: str) -> list[str]:
        return [one.query for one in self.github.requests if path in one.path]

    def numbers(self, table: str = "issues") -> list[int]:
        sql = f"select distinct number from raw_github.{table} order by 1"
        return [number for (number,) in self.bench.rows(sql)]

    def is_targeted(self) -> bool:
        return bool(self.bench.rows("from raw_github.targeted_windows"))


@pytest.fixture
def aim(tmp_path: Path) -> Iterator[Aim]:
    with serve(DAY, now=NOW) as github:
        yield Aim(tmp_path / "w.duckdb", github)


def test_an_old_day_holds_what_was_listed_or_talked_about_and_nothing_else(
    aim: Aim,
) -> None:
    aim.cover()
    assert aim.numbers() == [1, 2, 5, 6, 7, 8, 9]
    assert aim.numbers("issue_comments") == [5, 8]
    assert aim.numbers("review_comments") == [9]
    assert aim.numbers("timelines") == [1, 2, 5, 6, 7, 8, 9]
    assert aim.bench.rows("from raw_github.coverage") == []
    assert aim.bench.rows(
        "select window_id, epoch(window_end_at) - epoch(window_start_at),"
        " loaded_at > window_end_at from raw_github.targeted_windows"
    ) == [("vllm:day:2026-03-04", 86_400.0, True)]


def test_every_event_of_a_thread_is_known_and_told_its_thread(aim: Aim) -> None:
    aim.cover()
    assert aim.bench.rows(
        "select number, event, label_name, rename_from from raw_github.issue_events"
        " order by number, event"
    ) == [
        (1, "labeled", "wontfix", None),
        (1, "renamed", None, "Born in the first second"),
        (5, "closed", None, None),
        (6, "closed", None, None),
        (6, "merged", None, None),
        (7, "closed", None, None),
    ]


def test_a_second_run_asks_nothing_and_a_sync_asks_as_ever(aim: Aim) -> None:
    aim.cover()
    asked = len(aim.github.requests)
    assert "nothing had to be fetched" in aim.cover()
    assert "nothing had to be fetched" in aim.cover(mode="targeted", token=None)
    assert len(aim.github.requests) == asked
    aim.cover(mode="full")
    ((since, until),) = aim.bench.covered("threads")
    assert (since, until[:11]) == ("03-04 03:24:00", "04-01 12:00")
    assert aim.numbers() == [1, 2, 4, 5, 6, 7, 8, 9, 10]


def test_auto_reads_the_lists_where_the_day_is_young_known_or_no_token_is_given(
    aim: Aim,
) -> None:
    aim.github.travel("2026-03-12T03:24:00Z")  # seven days after the end, not more
    aim.cover()
    assert aim.asked("/search") == []
    aim.bench.path.unlink()
    aim.github.travel("2026-03-12T03:24:10Z")
    aim.cover(token=None)
    assert aim.asked("/search") == []
    aim.bench.path.unlink()
    aim.cover(mode="full")
    assert aim.asked("/search") == []
    aim.bench.path.unlink()
    aim.cover()
    assert aim.asked("/search") != []


def test_auto_goes_on_from_a_sync_that_reaches_the_day(aim: Aim) -> None:
    aim.github.travel("2026-03-04T20:00:00Z")
    aim.cover(allow_partial=True)
    aim.github.travel(NOW)
    aim.cover()
    assert aim.asked("/search") == []


def test_mode_targeted_needs_no_age_and_no_token_but_says_what_that_costs(
    aim: Aim,
) -> None:
    aim.github.travel("2026-03-05T04:00:00Z")
    aim.cover(mode="targeted", token=None)
    assert aim.is_targeted()
    assert any("60 requests an hour" in line for line in aim.said)


def test_a_search_that_timed_out_is_asked_again_and_then_in_halves(aim: Aim) -> None:
    def timed_out(request: Request) -> Response | None:
        wide = request.path == "/search/issues" and "created" in request.query["q"]
        if not wide or (START not in request.query["q"] or END[:13] not in _q(request)):
            return None
        told = {"total_count": 0, "incomplete_results": True, "items": []}
        return Response(200, told)

    aim.github.faults = timed_out
    aim.cover()
    assert aim.numbers() == [1, 2, 5, 6, 7, 8, 9]
    queries = [query for query in aim.asked("/search") if "is:issue" in query]
    whole = [one for one in queries if "created:" in one and START in one]
    assert len(whole) == search.TRIES + 1  # and once the half that begins there


def _q(request: Request) -> str:
    return request.query["q"].partition("..")[2]


def test_a_search_that_never_finishes_makes_no_day(
    aim: Aim, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(targeted, "LIMIT_WITH_TOKEN", 10_000)
    told = {"total_count": 0, "incomplete_results": True, "items": []}
    aim.github.faults = lambda request: (
        Response(200, told) if request.path == "/search/issues" else None
    )
    with pytest.raises(IncompleteError, match="it timed out"):
        aim.cover()
    assert not aim.bench.path.exists()
    aim.cover(allow_partial=True)
    assert not aim.is_targeted()


def test_fewer_rows_than_counted_are_not_believed(aim: Aim) -> None:
    def short(request: Request) -> Response | None:
        if request.path != "/search/issues" or request.attempt > 1:
            return None
        told = {"total_count": 1, "incomplete_results": False, "items": []}
        return Response(200, told)

    aim.github.faults = short
    aim.cover()
    assert aim.numbers() == [1, 2, 5, 6, 7, 8, 9]


def test_c_more_than_a_thousand_rows_are_asked_for_in_halves(tmp_path: Path) -> None:
    first = datetime.fromisoformat(START)
    crowd = [issue(n, first + timedelta(seconds=30 * n)) for n in range(1, 1_251)]
    with serve(World().with_rows(*crowd), now=NOW) as github:
        aim = Aim(tmp_path / "w.duckdb", github)
        found = search.Search(
            lambda url: client_of(aim).get(url, dict), github.url, SAMPLE.repository
        ).threads(window_interval())
    assert sorted(found) == list(range(1, 1_251))
    pages = [one.query for one in github.requests if "created:" in one.query]
    assert all("page=11" not in query for query in pages)


def test_a_second_with_more_than_a_thousand_rows_is_an_error(tmp_path: Path) -> None:
    crowd = [issue(n, NOON) for n in range(1, 1_002)]
    with serve(World().with_rows(*crowd), now=NOW) as github:
        aim = Aim(tmp_path / "w.duckdb", github)
        with pytest.raises(IncompleteError, match="more rows than it gives"):
            search.Search(
                lambda url: client_of(aim).get(url, dict), github.url, SAMPLE.repository
            ).threads(window_interval())


def client_of(aim: Aim) -> Any:
    from pipelines.commands import Run

    settings = aim.bench.settings(project=SAMPLE, projects=(SAMPLE,))
    return Run(settings, aim.said.append)._client


def window_interval() -> Any:
    from pipelines.coverage import Interval

    window = OF_DAY(MARCH_4)
    return Interval(window.start_at, window.end_at)


def test_a_lagging_index_is_set_right_by_the_threads_own_timeline(aim: Aim) -> None:
    """The index shows the world as it was before the renaming and the label."""

    def lagging(request: Request) -> Response | None:
        if request.path != "/search/issues":
            return None
        from sample.github.api import answer
        from sample.github.call import Limits

        then = aim.github.view(datetime(2026, 3, 19, tzinfo=UTC))
        return answer(then, request, Limits())

    aim.github.faults = lagging
    aim.cover()
    assert aim.bench.rows(
        "select title, labels from raw_github.issues where number = 1"
    ) == [("Renamed since", '["bug","wontfix"]')]
    assert aim.bench.rows(
        "select count(*) from raw_github.issues join raw_github.timelines"
        " using (number) where fetched_at > read_at"
    ) == [(0,)]


def test_closed_in_the_day_and_reopened_since_is_out_of_searchs_reach(
    tmp_path: Path,
) -> None:
    world = DAY.with_rows(
        issue(20, "2026-02-01T00:00:00Z"), closed(20, NOON), reopened(20, LATER)
    )
    with serve(world, now=NOW) as github:
        aim = Aim(tmp_path / "w.duckdb", github)
        aim.cover()
        assert 20 not in aim.numbers()
        aim.cover(mode="full")
        assert 20 in aim.numbers()


@pytest.mark.parametrize("status", [404, 410])
def test_a_thread_that_search_lists_and_that_is_gone_is_left_out(
    aim: Aim, status: int
) -> None:
    aim.github.faults = lambda request: (
        refusal(status, "gone") if "/issues/5/" in request.path else None
    )
    aim.cover()
    assert 5 not in aim.numbers()
    assert any("1 of them are gone" in line for line in aim.said)
    assert aim.is_targeted()


def test_a_thread_that_moved_away_brings_no_strangers_events(aim: Aim) -> None:
    def moved(request: Request) -> Response | None:
        if "/issues/5/timeline" not in request.path:
            return None
        there = f"{request.host}/repos/{SAMPLE.repository}/issues/7/timeline"
        return Response(301, {}, {"Location": there})

    aim.github.faults = moved
    aim.cover()
    assert 5 not in aim.numbers() + aim.numbers("issue_events")


def test_a_timeline_of_more_than_a_page_is_read_to_its_end(tmp_path: Path) -> None:
    first = datetime(2026, 2, 2, tzinfo=UTC)
    talk = [comment(5, first + timedelta(minutes=n)) for n in range(200)]
    with serve(DAY.with_rows(*talk), now=NOW) as github:
        aim = Aim(tmp_path / "w.duckdb", github)
        aim.cover()
        sql = "select count(*) from raw_github.issue_comments where number = 5"
        assert aim.bench.rows(sql) == [(201,)]


@pytest.mark.parametrize("stop_at", [3, 6, 9, 12, 15])
def test_killed_in_the_middle_it_ends_as_if_undisturbed(
    aim: Aim, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, stop_at: int
) -> None:
    monkeypatch.setattr(targeted, "SLICE", 2)
    monkeypatch.setattr(targeted, "MAX_ROWS", 1)
    monkeypatch.setattr(targeted, "WORKERS", 1)
    aim.github.faults = lambda request: (
        refusal(403, "Resource not accessible") if request.ordinal >= stop_at else None
    )
    with pytest.raises(RefusedError):
        aim.cover()
    known = set(aim.numbers("timelines")) if aim.bench.path.exists() else set()
    assert not (aim.bench.path.exists() and aim.is_targeted())
    aim.github.faults, asked = None, len(aim.github.requests)
    aim.cover()
    again = aim.github.requests[asked:]
    assert not any(f"/issues/{n}/timeline" in one.path for one in again for n in known)
    with serve(DAY, now=NOW) as fresh:
        clean = Aim(tmp_path / "clean.duckdb", fresh)
        clean.cover()
        for table in ("issues", "issue_events", "issue_comments", "review_comments"):
            sql = f"select * exclude fetched_at from raw_github.{table}"
            sql += " order by all"
            assert aim.bench.rows(sql) == clean.bench.rows(sql)


def test_a_day_of_another_window_start_is_fetched_anew(aim: Aim) -> None:
    aim.cover()
    moved = replace(SAMPLE, window_start="11:25")
    asked = len(aim.github.requests)

    def of_day(day: Any) -> Any:
        return calendar_window("vllm", "day", day, clock=moved.clock, zone=moved.zone)

    from pipelines import commands

    settings = aim.bench.settings(project=moved, projects=(moved,), token="t")
    commands.cover(settings, of_day, MARCH_4, aim.said.append)
    assert len(aim.github.requests) > asked


def test_no_more_requests_begin_in_a_minute_than_allowed() -> None:
    now, begun = [0.0], list[float]()

    def sleep(seconds: float) -> None:
        now[0] += seconds

    pace = Pace(3, sleep, lambda: now[0])
    for _ in range(10):
        pace.wait()
        begun.append(now[0])
        now[0] += 1
    assert all(sum(begin <= one < begin + 60 for one in begun) <= 3 for begin in begun)
    assert begun[:4] == [0.0, 1.0, 2.0, 60.0]


def test_a_row_stays_stale_only_so_often(
    aim: Aim, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls: list[bool] = []
    stale: Callable[..., bool] = lambda *_: bool(calls.append(True)) or True  # noqa: E731
    monkeypatch.setattr(timeline, "is_stale", stale)
    aim.cover()
    assert len(calls) == timeline.TRIES * len(aim.numbers())


def test_a_long_fetch_says_every_few_seconds_where_it_is(
    aim: Aim, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(progress, "QUIET_SECONDS", 0.0)
    monkeypatch.setattr(progress, "PERIOD_SECONDS", 0.0)
    monkeypatch.setattr(targeted, "SLICE", 2)
    aim.cover()
    beats = [line for line in aim.said if "requests: " in line]
    assert len(beats) > 10
    for stage in ("searching", "threads found, reading the comments", "threads read"):
        assert any(stage in line for line in beats)


def test_a_long_wait_for_the_pace_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    slept, said = list[float](), list[str]()
    monkeypatch.setattr(
        RateLimiter, "sleep", lambda self, seconds: slept.append(seconds)
    )
    client = Client(
        "http://127.0.0.1:1", None, RateLimiter(0, has_token=False, say=said.append)
    )
    there = Repository("http://127.0.0.1:1/repos/a/b", "a/b", None, at(NOW))
    one = targeted.Targeted(client, there, "a/b", said.append, has_token=False)
    for seconds in (0.5, 42.0):
        one._sleep(seconds)
    assert slept == [0.5, 42.0]
    assert said == ["Waiting 42 s: GitHub allows so many a minute"]
