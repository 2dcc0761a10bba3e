"""Pages that GitHub is too slow for come in smaller ones, and none is missing."""

from __future__ import annotations

from datetime import timedelta

import pytest

from pipelines.errors import IncompleteError, RefusedError
from pipelines.github.client import TRIES
from pipelines.github.paginators import pages_of
from tests.pipelines.scripted import SLUG, FakeGitHub, Reply, event, spread
from tests.pipelines.test_paging import (
    COMMENTS,
    EVENTS,
    SECOND,
    SORTED,
    START,
    client,
    comments,
    ids,
    issues,
    walk,
    walk_events,
)


@pytest.mark.parametrize("count", [0, 1, 24, 25, 99, 100, 101, 125, 350, 400])
@pytest.mark.parametrize("step", [SECOND, timedelta()])
def test_a_slow_list_of_comments_is_read_whole(
    github: FakeGitHub, count: int, step: timedelta
) -> None:
    github.rows[COMMENTS], github.most_in_time = comments(count, step), 25
    walked = walk(github)
    assert ids(walked) == list(range(1, count + 1))
    assert walked[-1].reached_from == START


@pytest.mark.parametrize("count", [99, 100, 250, 1_250])
def test_a_slow_list_with_cursors_is_read_whole(github: FakeGitHub, count: int) -> None:
    github.rows["/issues"], github.most_in_time = issues(count), 25
    github.has_cursors, github.max_page = True, 10
    walked = walk(github, "/issues")
    numbers = {row["number"] for page in walked for row in page.rows}
    assert numbers == set(range(1, count + 1))


@pytest.mark.parametrize("count", [99, 100, 250, 400])
def test_a_slow_list_of_events_is_read_whole(github: FakeGitHub, count: int) -> None:
    times = spread("2026-03-04T01:00:00Z", count, timedelta(minutes=1))
    github.rows[EVENTS] = [event(n, when) for n, when in enumerate(times, 1)]
    github.most_in_time = 25
    assert ids(walk_events(github)) == list(range(1, count + 1))


def test_a_slow_short_list_is_read_whole(github: FakeGitHub) -> None:
    github.rows[COMMENTS], github.most_in_time = comments(130), 25
    url = f"{github.url}/repos/{SLUG}{COMMENTS}{SORTED}"
    pages = pages_of(client(github).get, url)
    found = [row["id"] for page in pages for row in page.content]
    assert found == list(range(1, 131))


def test_one_slow_page_makes_no_other_small(github: FakeGitHub) -> None:
    github.rows[COMMENTS] = comments(350)
    github.script[COMMENTS] = [Reply(504, b"")] * TRIES
    assert ids(walk(github)) == list(range(1, 351))
    small = [one for one in github.asked(COMMENTS) if "per_page=25" in one]
    assert len(small) == 4


def test_c12_a_cap_that_is_met_in_parts_is_an_error_and_no_count(
    github: FakeGitHub,
) -> None:
    github.rows[COMMENTS], github.most_in_time = comments(750, timedelta()), 25
    github.max_rows = 300
    with pytest.raises(IncompleteError, match="share one second"):
        walk(github)


@pytest.mark.parametrize("fault", [Reply(502, b""), Reply(504, b"")], ids=str)
def test_c20_what_is_too_slow_in_parts_too_is_a_refusal(
    github: FakeGitHub, fault: Reply
) -> None:
    github.rows[COMMENTS] = comments(3)
    github.script[COMMENTS] = [fault] * 99
    with pytest.raises(RefusedError, match="8 times"):
        walk(github)
    assert len(github.requests) == 2 * TRIES


@pytest.mark.parametrize("status", [500, 503])
def test_another_failure_is_not_asked_for_in_parts(
    github: FakeGitHub, status: int
) -> None:
    github.script[COMMENTS] = [Reply(status, b"")] * 99
    with pytest.raises(RefusedError, match="8 times"):
        walk(github)
    assert len(github.requests) == TRIES
