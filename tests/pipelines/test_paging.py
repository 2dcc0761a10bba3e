from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

from pipelines.coverage import Interval, Plan
from pipelines.errors import IncompleteError, RefusedError
from pipelines.github.client import Client, RateLimiter
from pipelines.github.paginators import NewestFirstPaginator, SincePaginator, Walked
from tests.pipelines.scripted import (
    SLUG,
    FakeGitHub,
    Reply,
    at,
    comment,
    issue,
    spread,
    z,
)

START = at("2026-03-04T00:00:00Z")
SECOND = timedelta(seconds=1)
COMMENTS = "/issues/comments"
EVENTS = "/issues/events"
SORTED = "?sort=updated&direction=asc&per_page=100"


def client(github: FakeGitHub) -> Client:
    limiter = RateLimiter(1.0, has_token=False, say=lambda line: None)
    return Client(github.url, None, limiter)


def walk(github: FakeGitHub, path: str = COMMENTS, **plan: Any) -> list[Walked]:
    url = f"{github.url}/repos/{SLUG}{path}{SORTED}"
    get = client(github).get
    return list(SincePaginator(get, url, Plan(plan.pop("since", START), **plan)))


def walk_events(github: FakeGitHub, *skipped: Interval) -> list[Walked]:
    url = f"{github.url}/repos/{SLUG}{EVENTS}?per_page=100"
    plan = Plan(START, skipped)
    return list(NewestFirstPaginator(client(github).get, url, plan))


def ids(walked: list[Walked]) -> list[int]:
    return sorted({row["id"] for page in walked for row in page.rows})


def comments(count: int, step: timedelta = SECOND) -> list[Any]:
    return [comment(n, when) for n, when in enumerate(spread(z(START), count, step), 1)]


def issues(count: int) -> list[Any]:
    return [issue(n, when) for n, when in enumerate(spread(z(START), count, SECOND), 1)]


def test_c12_a_list_that_ends_silently_at_its_cap_is_walked_to_its_true_end(
    github: FakeGitHub,
) -> None:
    github.rows[COMMENTS], github.max_rows = comments(750), 300
    walked = walk(github)
    assert ids(walked) == list(range(1, 751))
    assert walked[-1].reached_from == START
    assert [page.reached_from for page in walked[:-1]] == [None] * (len(walked) - 1)


def test_c12_more_rows_in_one_second_than_are_shown_is_an_error_and_no_count(
    github: FakeGitHub,
) -> None:
    github.rows[COMMENTS], github.max_rows = comments(750, timedelta()), 300
    with pytest.raises(IncompleteError, match="share one second"):
        walk(github)


def test_the_last_row_of_a_page_comes_once_unless_it_changed_in_that_second(
    github: FakeGitHub,
) -> None:
    github.rows[COMMENTS] = comments(250)
    numbers = [row["id"] for page in walk(github) for row in page.rows]
    assert numbers == list(range(1, 251))

    def edit(path: str) -> None:
        if len(github.requests) == 5:
            github.rows[COMMENTS][99]["body"] = "edited in the same second"

    github.on_page = edit
    bodies = [
        row["body"] for page in walk(github) for row in page.rows if row["id"] == 100
    ]
    assert bodies == ["Comment 100", "edited in the same second"]


def test_three_pages_that_share_a_second_are_all_read(github: FakeGitHub) -> None:
    burst = comments(300, timedelta())
    later = [
        comment(400 + n, when)
        for n, when in enumerate(spread("2026-03-04T00:00:01Z", 150, SECOND))
    ]
    github.rows[COMMENTS] = [*burst, *later]
    assert ids(walk(github)) == [*range(1, 301), *range(400, 550)]


@pytest.mark.parametrize("count", [0, 1, 99, 100, 101, 199, 200, 2_000])
def test_a_list_costs_at_most_its_pages_and_two_requests(
    github: FakeGitHub, count: int
) -> None:
    github.rows[COMMENTS] = comments(count)
    assert ids(walk(github)) == list(range(1, count + 1))
    assert len(github.requests) <= -(-count // 100) + 2


def test_exactly_one_page_of_one_second_is_complete_once_the_next_is_empty(
    github: FakeGitHub,
) -> None:
    github.rows[COMMENTS] = comments(100, timedelta())
    walked = walk(github)
    assert ids(walked) == list(range(1, 101))
    assert walked[-1].reached_from == START


def test_a_row_touched_while_the_list_is_read_is_still_reached_and_none_is_missed(
    github: FakeGitHub,
) -> None:
    github.rows[COMMENTS] = comments(350)

    def touch_first(path: str) -> None:
        github.rows[COMMENTS].sort(key=lambda row: row["updated_at"])
        github.rows[COMMENTS][0]["updated_at"] = z(
            START + timedelta(days=1, seconds=len(github.requests))
        )

    github.on_page = touch_first
    assert ids(walk(github)) == list(range(1, 351))


@pytest.mark.parametrize("has_cursors", [True, False])
def test_c11_the_wall_of_page_numbers_is_never_met(
    github: FakeGitHub, has_cursors: bool
) -> None:
    times = spread(z(START), 1_250, SECOND)
    github.rows["/issues"] = [issue(n, when) for n, when in enumerate(times, 1)]
    github.max_page, github.has_cursors = 10, has_cursors
    assert len(ids(walk(github, "/issues"))) == 1_250
    assert len(github.requests) == 13


def test_a_cursor_is_followed_and_no_row_is_read_twice(github: FakeGitHub) -> None:
    github.rows["/issues"] = issues(950)
    github.has_cursors = True
    walked = walk(github, "/issues")
    assert [row["number"] for page in walked for row in page.rows] == [*range(1, 951)]
    assert all("after=" in one for one in github.requests[1:])


@pytest.mark.parametrize("has_cursors", [True, False])
@pytest.mark.parametrize("fate", ["touched", "deleted"])
def test_rows_that_leave_their_place_while_the_list_is_read_hide_no_other(
    github: FakeGitHub, has_cursors: bool, fate: str
) -> None:
    """With every page, seven of the rows before it are changed, or are gone."""
    github.rows["/issues"] = issues(950)
    github.has_cursors = has_cursors
    touched: set[int] = set()

    def disturb(path: str) -> None:
        if path.endswith("/issues"):
            rows = github.rows["/issues"]
            for row in rows[: 7 * (len(github.requests) - 1)]:
                touched.add(row["number"])
                row["updated_at"] = z(START + timedelta(days=1))
            if fate == "deleted":
                rows[:] = [row for row in rows if row["number"] not in touched]

    github.on_page = disturb
    seen = {row["number"] for page in walk(github, "/issues") for row in page.rows}
    assert len(touched) > 50
    assert seen >= {*range(1, 951)} - (touched if fate == "deleted" else set())


@pytest.mark.parametrize("has_cursors", [True, False])
def test_a_cursor_does_not_lead_through_what_is_covered(
    github: FakeGitHub, has_cursors: bool
) -> None:
    times = spread(z(START), 2_000, timedelta(minutes=1))
    github.rows["/issues"] = [issue(n, when) for n, when in enumerate(times, 1)]
    github.has_cursors = has_cursors
    known = Interval(START + timedelta(hours=2), START + timedelta(hours=30))
    walked = walk(github, "/issues", skipped=(known,))
    seen = {row["number"] for page in walked for row in page.rows}
    assert seen >= {*range(1, 121), *range(1801, 2001)}
    assert len(seen) < 600


def test_c11_a_wall_at_the_first_page_is_a_refusal(github: FakeGitHub) -> None:
    github.max_page = 0
    with pytest.raises(RefusedError, match="not even the first page"):
        walk(github)
    with pytest.raises(RefusedError, match="not even the first page"):
        walk_events(github)


def test_c13_no_link_to_a_last_page_is_needed(github: FakeGitHub) -> None:
    github.rows[COMMENTS], github.page_size = comments(10), 3
    assert ids(walk(github)) == list(range(1, 11))


def test_c14_a_since_at_the_epoch_is_not_sent(github: FakeGitHub) -> None:
    github.rows[COMMENTS] = comments(3)
    walked = walk(github, since=at("1970-01-01T00:00:00Z"))
    assert ids(walked) == [1, 2, 3]
    assert "since" not in github.requests[0]


def test_c29_since_is_written_in_utc_whatever_its_offset(github: FakeGitHub) -> None:
    walk(github, since=at("2026-11-29T00:00:00+05:30"))
    assert "since=2026-11-28T18:30:00Z" in github.requests[0]


def test_a_list_in_another_order_than_asked_for_is_read_whole_all_the_same(
    github: FakeGitHub,
) -> None:
    github.rows[COMMENTS], github.ignores_direction = comments(350), True
    assert ids(walk(github)) == list(range(1, 351))


def test_rows_without_a_readable_time_do_not_hold_up_the_walk(
    github: FakeGitHub,
) -> None:
    odd = [comment(900, "soon"), {"id": 901}, "no row", None, 7]
    github.script[COMMENTS] = [Reply(200, [*odd, *comments(95)])]
    github.rows[COMMENTS] = comments(300)
    seen = [row for page in walk(github) for row in page.rows]
    assert {row["id"] for row in seen if isinstance(row, dict) and row["id"] < 900} == {
        *range(1, 301)
    }
    assert all(one in seen for one in odd)


def test_a_walk_jumps_over_what_is_covered(github: FakeGitHub) -> None:
    github.rows[COMMENTS] = comments(2_000, timedelta(minutes=1))
    known = Interval(START + timedelta(hours=2), START + timedelta(hours=30))
    walked = walk(github, skipped=(known,))
    seen = set(ids(walked))
    assert seen >= {*range(1, 121), *range(1801, 2001)}
    assert len(seen) < 600


@pytest.mark.parametrize("reader", [walk, walk_events])
def test_a_next_page_on_another_host_is_never_asked_for(
    github: FakeGitHub, reader: Callable[[FakeGitHub], list[Walked]]
) -> None:
    link = {"Link": '<http://198.51.100.7/repos/x/issues?page=2>; rel="next"'}
    for path in (COMMENTS, EVENTS):
        github.script[path] = [Reply(200, comments(2), link)]
    with pytest.raises(RefusedError, match=r"198\.51\.100\.7.*not the API"):
        reader(github)
    assert len(github.requests) == 1
