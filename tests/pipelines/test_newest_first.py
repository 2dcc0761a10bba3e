"""The list of events, from its newest row back to before what is asked for."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from pipelines.coverage import Interval
from pipelines.errors import RefusedError
from pipelines.github.paginators import Walked
from tests.pipelines.scripted import SLUG, FakeGitHub, Reply, at, event, spread, z
from tests.pipelines.test_paging import EVENTS, SECOND, START, ids, walk_events

HOUR = timedelta(hours=1)


def test_a_next_page_already_read_is_an_error_and_no_endless_walk(
    github: FakeGitHub,
) -> None:
    again = f"{github.url}/repos/{SLUG}{EVENTS}?per_page=100"
    page = [event(1, "2026-03-05T00:00:00Z")]
    github.script[EVENTS] = [Reply(200, page, {"Link": f'<{again}>; rel="next"'})]
    with pytest.raises(RefusedError, match="never ends"):
        walk_events(github)


def events(count: int, first: str = "2026-03-03T00:00:00Z") -> list[Any]:
    times = spread(first, count, timedelta(minutes=1))
    return [event(n, when) for n, when in enumerate(times, 1)]


def test_c18_events_are_read_until_a_whole_page_is_older(github: FakeGitHub) -> None:
    github.rows[EVENTS] = events(2_000)
    walked = walk_events(github)
    assert walked[-1].reached_from == START
    assert set(ids(walked)) >= set(range(1441, 2001))
    assert len(github.requests) == 7


def test_one_old_event_on_a_page_of_new_ones_does_not_end_the_walk(
    github: FakeGitHub,
) -> None:
    github.page_size = 3
    link = {"Link": f'<{github.url}/repos/{SLUG}{EVENTS}?page=2>; rel="next"'}
    mixed = [event(1, "2026-03-05T00:00:00Z"), event(2, "2020-01-01T00:00:00Z")]
    github.script[EVENTS] = [
        Reply(200, mixed, link),
        Reply(200, [event(3, "2026-03-04T12:00:00Z")]),
    ]
    assert ids(walk_events(github)) == [1, 2, 3]


def test_capped_events_cover_only_from_the_second_after_the_oldest_shown(
    github: FakeGitHub,
) -> None:
    github.rows[EVENTS], github.max_rows = events(2_000), 300
    last = walk_events(github)[-1]
    oldest = at("2026-03-03T00:00:00Z") + timedelta(minutes=1_700)
    assert last.is_capped
    assert last.reached_from == oldest + SECOND


def test_an_old_event_among_new_ones_makes_capped_ones_reach_no_further(
    github: FakeGitHub,
) -> None:
    github.rows[EVENTS], github.max_rows = events(2_000), 300
    odd = github.rows[EVENTS][1_850]
    odd["listed_as_of"], odd["created_at"] = odd["created_at"], "2020-01-01T00:00:00Z"
    oldest = at("2026-03-03T00:00:00Z") + timedelta(minutes=1_700)
    assert walk_events(github)[-1].reached_from == oldest + SECOND


def test_a_full_last_page_of_events_is_the_end_once_the_next_is_empty(
    github: FakeGitHub,
) -> None:
    github.rows[EVENTS] = events(300, "2026-03-04T00:00:00Z")
    last = walk_events(github)[-1]
    assert (last.is_capped, last.reached_from) == (False, START)


def loaded(walked: list[Walked], *known: Interval) -> set[int]:
    """The events of the walk, and those that were known before it."""
    times = spread("2026-03-03T00:00:00Z", 40_000, timedelta(minutes=1))
    return set(ids(walked)) | {
        n
        for n, when in enumerate(times, 1)
        if any(one.since <= at(when) < one.until for one in known)
    }


def test_what_is_loaded_of_the_events_is_jumped_over_in_a_few_requests(
    github: FakeGitHub,
) -> None:
    """Else a run that was stopped would read all of it again, and a backfill too."""
    github.rows[EVENTS] = events(40_000)
    known = Interval(START + 30 * HOUR, START + 600 * HOUR)
    walked = walk_events(github, known)
    assert loaded(walked, known) >= set(range(1441, 40_001))
    assert walked[-1].reached_from == START
    # 400 pages, of which 341 are known.
    assert len(github.requests) < 60 + 20


def test_two_loaded_stretches_are_each_jumped_over(github: FakeGitHub) -> None:
    github.rows[EVENTS] = events(40_000)
    known = (
        Interval(START + 10 * HOUR, START + 200 * HOUR),
        Interval(START + 230 * HOUR, START + 630 * HOUR),
    )
    walked = walk_events(github, *known)
    assert loaded(walked, *known) >= set(range(1441, 40_001))
    assert len(github.requests) < 46 + 40


@pytest.mark.parametrize("minutes", [99, 100, 101, 150, 199, 200, 201, 300, 1000])
def test_a_jump_leaves_nothing_out_wherever_the_pages_end(
    github: FakeGitHub, minutes: int
) -> None:
    github.rows[EVENTS] = events(4_000)
    until = START + 40 * HOUR
    known = Interval(until - timedelta(minutes=minutes), until)
    walked = walk_events(github, known)
    assert loaded(walked, known) >= set(range(1441, 4_001))


def test_events_that_come_while_a_jump_is_made_hide_no_other(
    github: FakeGitHub,
) -> None:
    github.rows[EVENTS] = events(20_000)
    known = Interval(START + 30 * HOUR, START + 300 * HOUR)

    def more(path: str) -> None:
        new = 90_000 + len(github.requests)
        github.rows[EVENTS] += [
            event(100 * new + n, "2026-03-20T00:00:00Z") for n in range(37)
        ]

    github.on_page = more
    walked = walk_events(github, known)
    assert loaded(walked, known) >= set(range(1441, 20_001))


def test_where_all_the_rest_is_loaded_the_walk_is_over(github: FakeGitHub) -> None:
    github.rows[EVENTS] = events(4_000)
    walked = walk_events(github, Interval(START - HOUR, START + 40 * HOUR))
    assert walked[-1].reached_from == START
    assert len(github.requests) == 3


def test_capped_events_cover_what_was_loaded_before_too(github: FakeGitHub) -> None:
    github.rows[EVENTS], github.max_rows = events(4_000), 1_000
    known = Interval(START + 10 * HOUR, START + 40 * HOUR)
    last = walk_events(github, known)[-1]
    assert last.is_capped
    assert last.reached_from == known.since


def test_a_list_that_gives_one_page_for_every_number_is_no_endless_jump(
    github: FakeGitHub,
) -> None:
    page = [event(n, "2026-03-04T12:00:00Z") for n in range(1, 101)]
    github.script[EVENTS] = [Reply(200, page)] * 99
    with pytest.raises(RefusedError, match="never ends"):
        walk_events(github, Interval(START + HOUR, START + 20 * HOUR))
    assert len(github.requests) < 5


@pytest.mark.parametrize("place", range(1_490, 2_190, 50))
def test_one_new_event_on_a_page_of_old_ones_does_not_make_it_a_known_one(
    github: FakeGitHub, place: int
) -> None:
    github.rows[EVENTS] = events(4_000)
    known = Interval(START + 12 * HOUR, START + 40 * HOUR)
    odd = github.rows[EVENTS][place]
    odd["listed_as_of"] = odd["created_at"]
    odd["created_at"] = z(known.until - HOUR)
    walked = walk_events(github, known)
    assert loaded(walked, known) >= set(range(1441, 4_001)) - {odd["id"]}


@pytest.mark.parametrize("place", [3_950, 3_890, 3_800])
def test_one_old_event_on_a_page_of_new_ones_begins_no_jump(
    github: FakeGitHub, place: int
) -> None:
    github.rows[EVENTS] = events(4_000)
    known = Interval(START + 10 * HOUR, START + 36 * HOUR)
    odd = github.rows[EVENTS][place]
    odd["listed_as_of"] = odd["created_at"]
    odd["created_at"] = z(known.until - HOUR)
    walked = walk_events(github, known)
    assert loaded(walked, known) >= set(range(1441, 4_001))
    assert walked[1].seen_from is not None
    assert walked[1].seen_from > known.until


def test_how_far_back_all_was_seen_is_told_page_by_page(github: FakeGitHub) -> None:
    github.rows[EVENTS] = events(2_000)
    first = at("2026-03-03T00:00:00Z")
    told = [page.seen_from for page in walk_events(github)]
    assert told[:2] == [
        first + timedelta(minutes=1_999) + SECOND,
        first + timedelta(minutes=1_899) + SECOND,
    ]
    assert told[-1] is None
