"""A tiny world told as of many instants, and its clock."""

import time
from datetime import timedelta

import pytest

from sample.facts import (
    closed,
    comment,
    dev,
    drafted,
    happened,
    instant,
    issue,
    labeled,
    merged,
    pull,
    readied,
    renamed,
    reopened,
    review,
    review_comment,
    unlabeled,
)
from sample.github.past import as_of
from sample.github.shapes import LEFT_OUT
from sample.server import serve
from sample.world import World

REPOSITORY = "/repos/example-org/sample-engine"


def hour(number: float) -> str:
    at = instant("2026-03-04T00:00:00Z") + timedelta(hours=number)
    return at.strftime("%Y-%m-%dT%H:%M:%SZ")


TINY = World(now=instant(hour(48))).with_rows(
    issue(1, hour(1), "First", labels=("bug",)),
    labeled(1, hour(2), "rocm"),
    closed(1, hour(3), state_reason="completed"),
    reopened(1, hour(4)),
    renamed(1, hour(5), "First", "Second"),
    unlabeled(1, hour(6), "bug"),
    closed(1, hour(7), state_reason="not_planned"),
    pull(2, hour(1), is_draft=True),
    readied(2, hour(2)),
    merged(2, hour(3), actor=dev(9)),
    pull(3, hour(1)),
    drafted(3, hour(2)),
    comment(
        1, hour(2), "old", edits=((instant(hour(8)), "new"),), user=None, via_app="app"
    ),
    comment(1, hour(3), "gone", deleted_at=instant(hour(9))),
    review_comment(2, hour(2), "here"),
    review(2, hour(2)),
    happened("something_new", 1, hour(10)),
    happened("referenced", None, hour(11)),
)


def at(number: float, thread: int):
    return as_of(TINY, instant(hour(number))).standings[thread]


def test_a_thread_stands_at_each_instant_as_its_events_left_it() -> None:
    states = [(at(h, 1).state, at(h, 1).state_reason) for h in (1, 3, 4, 7)]
    assert states == [
        ("open", None),
        ("closed", "completed"),
        ("open", "reopened"),
        ("closed", "not_planned"),
    ]
    assert [at(h, 1).closed_at for h in (2, 3, 4, 7)] == [
        None,
        instant(hour(3)),
        None,
        instant(hour(7)),
    ]
    assert [at(h, 1).title for h in (4.9, 5)] == ["First", "Second"]
    assert [at(h, 1).labels for h in (1, 2, 6)] == [["bug"], ["bug", "rocm"], ["rocm"]]
    assert [at(h, 2).is_draft for h in (1, 2)] == [True, False]
    assert [at(h, 3).is_draft for h in (1, 2)] == [False, True]


def test_an_event_is_seen_in_its_own_second_and_not_before() -> None:
    a_second_before = 3 - 1 / 3600
    assert at(a_second_before, 1).state == "open"
    assert at(3, 1).state == "closed"
    assert at(a_second_before, 2).merged_at is None
    assert at(3, 2).merged_at == at(3, 2).closed_at == instant(hour(3))
    assert at(3, 2).merged_by == dev(9)


def test_a_thread_is_unknown_before_its_birth() -> None:
    assert as_of(TINY, instant(hour(0.9))).standings == {}


def test_comments_read_and_count_as_of_the_instant() -> None:
    bodies = [
        [said.body for said in as_of(TINY, instant(hour(h))).issue_comments]
        for h in (2, 3, 8, 9)
    ]
    assert bodies == [["old"], ["old", "gone"], ["new", "gone"], ["new"]]
    assert [at(h, 1).comment_count for h in (1, 3, 9)] == [0, 2, 1]
    assert as_of(TINY, instant(hour(9))).issue_comments[0].updated_at == instant(
        hour(8)
    )


def test_updated_at_follows_activity_and_not_edits_or_deletions() -> None:
    assert at(7, 1).updated_at == instant(hour(7))
    assert at(9.5, 1).updated_at == instant(hour(7))
    assert at(10, 1).updated_at == instant(hour(10))


def test_a_server_at_an_earlier_now_keeps_the_future_to_itself(get) -> None:
    with serve(TINY, now=hour(4.5)) as github:
        repository = f"{github.url}{REPOSITORY}"
        shown = get(f"{repository}/issues/1").json
        assert (shown["state"], shown["title"]) == ("open", "First")
        assert shown["closed_at"] is None and shown["closed_by"] is None
        assert [label["name"] for label in shown["labels"]] == ["bug", "rocm"]
        assert shown["updated_at"] == hour(4)
        events = get(f"{repository}/issues/events?per_page=100").json
        assert max(event["created_at"] for event in events) == hour(4)
        assert get(f"{repository}/issues/comments").json[0]["body"] == "old"
        github.travel(hour(48))
        shown = get(f"{repository}/issues/1").json
        assert (shown["state"], shown["title"]) == ("closed", "Second")
        assert get(f"{repository}/issues/comments").json[0]["body"] == "new"


def test_the_clock_ticks_and_shows_a_row_when_it_reaches_it(get) -> None:
    with serve(TINY, now=instant(hour(7)) - timedelta(seconds=1)) as github:
        url = f"{github.url}{REPOSITORY}/issues/1"
        github.travel(instant(hour(7)) - timedelta(seconds=1))
        for _ in range(250):
            answer = get(url)
            has_begun = answer.headers["Date"] >= "Wed, 04 Mar 2026 07:00:00 GMT"
            assert (answer.json["state"] == "closed") == has_begun
            if has_begun:
                return
            time.sleep(0.02)
    pytest.fail("the clock does not tick")


def test_events_of_no_thread_and_of_unknown_kinds_are_told(get) -> None:
    with serve(TINY) as github:
        events = get(f"{github.url}{REPOSITORY}/issues/events").json
    assert (events[0]["event"], events[0]["issue"]) == ("referenced", None)
    assert events[1]["event"] == "something_new"


def test_a_patch_lays_keys_over_what_is_served(get) -> None:
    odd = issue(9, hour(1), patch={"labels": ["bare"], "locked": LEFT_OUT, "new": 1})
    with serve(World().with_rows(odd)) as github:
        shown = get(f"{github.url}{REPOSITORY}/issues/9").json
    assert (shown["labels"], shown["new"], "locked" in shown) == (["bare"], 1, False)


def test_two_threads_of_one_number_are_refused() -> None:
    with pytest.raises(ValueError, match="number 1"):
        TINY.with_rows(pull(1, hour(1)))


def test_adding_rows_leaves_the_ids_of_others_alone() -> None:
    more = TINY.with_rows(comment(1, hour(2), "same second"), comment(1, hour(0)))
    before = {row.id: row.body for row in TINY.issue_comments}
    after = {row.id: row.body for row in more.issue_comments}
    assert before.items() <= after.items() and len(after) == len(before) + 2


def test_a_naive_instant_is_refused() -> None:
    with pytest.raises(ValueError, match="time zone"):
        issue(1, "2026-03-04T00:00:00")
