"""What a window needs is fetched, once, and nothing else happens."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, time, timedelta
from functools import partial
from pathlib import Path
from typing import Any

import duckdb
import pytest

from pipelines import commands, progress, warehouse
from pipelines.errors import (
    IncompleteError,
    MisconfiguredError,
    RefusedError,
    UnusableError,
)
from pipelines.windows import calendar_window, custom_window
from tests.pipelines.conftest import MARCH_4, VLLM, Bench
from tests.pipelines.scripted import (
    LISTS,
    SLUG,
    FakeGitHub,
    Reply,
    at,
    comment,
    event,
    issue,
    pull,
    review_comment,
    spread,
    user,
    z,
)

START, END = "2026-03-04T03:24:00Z", "2026-03-05T03:24:00Z"
NOON = "2026-03-04T12:00:00Z"
COMMENTS, EVENTS = "/issues/comments", "/issues/events"


def fill(github: FakeGitHub) -> None:
    github.rows["/issues"] = [
        issue(1, NOON, labels=[{"name": "rocm"}, {"name": "bug"}]),
        pull(2, NOON),
    ]
    github.rows[COMMENTS] = [comment(11, NOON), comment(12, NOON)]
    github.rows["/pulls/comments"] = [review_comment(21, NOON, number=2)]
    github.rows[EVENTS] = [event(31, NOON)]


def counts(bench: Bench) -> list[int]:
    tables = ("issues", "issue_comments", "review_comments", "issue_events")
    sql = " union all ".join(
        f"select {n} as n, count(*) as c from raw_github.{table}"
        for n, table in enumerate(tables)
    )
    return [count for _, count in bench.rows(f"{sql} order by n")]


def test_a_window_is_fetched_registered_and_covered(bench: Bench) -> None:
    fill(bench.github)
    assert bench.cover() == "vllm:day:2026-03-04 is loaded (6 rows in 5 requests)."
    assert counts(bench) == [2, 2, 1, 1]
    assert bench.rows(
        "select window_id, project, window_kind, cast(window_date as varchar),"
        " epoch(window_end_at) - epoch(window_start_at) from raw_github.window_requests"
    ) == [("vllm:day:2026-03-04", "vllm", "day", "2026-03-04", 86_400.0)]
    for stream in ("threads", "issue_comments", "review_comments", "issue_events"):
        assert bench.covered(stream) == [("03-04 03:24:00", "03-05 04:00:00")]
    assert bench.rows(
        "select project, repository, window_start, languages, is_synthetic"
        " from raw_github.projects"
    ) == [("vllm", SLUG, "11:24", ["zh", "en"], False)]
    assert bench.rows(
        "select request_count, row_count, api_host from raw_github.syncs"
    ) == [(5, 6, "127.0.0.1")]


def test_a_covered_window_costs_no_request_and_doubles_nothing(bench: Bench) -> None:
    fill(bench.github)
    bench.cover(baseline_days=28)
    before, asked = counts(bench), len(bench.github.requests)
    told = bench.cover(baseline_days=28)
    assert "nothing had to be fetched" in told
    assert (counts(bench), len(bench.github.requests)) == (before, asked)


def test_any_window_inside_of_what_is_covered_costs_no_request(bench: Bench) -> None:
    bench.cover(baseline_days=28)
    asked = len(bench.github.requests)
    bench.cover(date(2026, 2, 20))
    assert len(bench.github.requests) == asked
    assert len(bench.rows("from raw_github.window_requests")) == 2


def test_c5_an_empty_repository_has_all_tables_and_full_coverage(bench: Bench) -> None:
    bench.cover()
    assert counts(bench) == [0, 0, 0, 0]
    assert bench.covered("issue_events") == [("03-04 03:24:00", "03-05 04:00:00")]


@pytest.mark.parametrize(
    ("now", "is_over"),
    [("2026-03-05T03:34:00Z", True), ("2026-03-05T03:33:59Z", False)],
)
def test_a_window_is_loaded_ten_minutes_after_its_end_and_not_a_second_before(
    bench: Bench, now: str, is_over: bool
) -> None:
    bench.github.now = at(now)
    if is_over:
        bench.cover()
        return
    with pytest.raises(IncompleteError, match="Run again after 2026-03-05 03:34 UTC"):
        bench.cover()
    assert not bench.path.parent.exists()


def test_an_open_window_can_be_had_in_part_and_is_completed_later(bench: Bench) -> None:
    bench.github.now = at("2026-03-04T20:00:00Z")
    bench.cover(allow_partial=True)
    assert bench.covered("threads") == [("03-04 03:24:00", "03-04 20:00:00")]
    assert len(bench.rows("from raw_github.window_requests")) == 1
    bench.github.now = at("2026-03-05T04:00:00Z")
    bench.cover()
    assert bench.covered("threads") == [("03-04 03:24:00", "03-05 04:00:00")]


def test_a_window_that_has_not_begun_cannot_be_had_even_in_part(bench: Bench) -> None:
    with pytest.raises(IncompleteError):
        bench.cover(date(2026, 3, 6), allow_partial=True)
    assert not bench.path.exists()


def test_without_a_date_the_last_complete_window_is_meant(bench: Bench) -> None:
    assert "vllm:day:2026-03-04" in bench.cover(None)
    bench.github.now = at("2026-03-05T03:33:00Z")
    assert "vllm:day:2026-03-03" in bench.cover(None)


def test_a_window_before_the_repositorys_life_is_an_argument_error(
    bench: Bench,
) -> None:
    bench.github.created_at = "2026-03-05T03:24:00Z"
    with pytest.raises(MisconfiguredError, match="was created"):
        bench.cover()
    assert not bench.path.exists()


def test_the_time_before_the_repositorys_life_counts_as_covered(bench: Bench) -> None:
    bench.github.created_at = "2026-03-04T10:00:00Z"
    bench.github.rows["/issues"] = [issue(1, NOON)]
    bench.cover(baseline_days=3)
    assert bench.covered("threads") == [("03-01 03:24:00", "03-05 04:00:00")]
    asked = len(bench.github.requests)
    bench.cover(baseline_days=28)
    assert len(bench.github.requests) == asked + 1
    bench.cover(baseline_days=28)
    assert len(bench.github.requests) == asked + 1


def test_the_next_day_is_fetched_with_an_hour_of_overlap(bench: Bench) -> None:
    bench.cover()
    bench.github.requests.clear()
    bench.github.now += timedelta(days=1)
    bench.cover(date(2026, 3, 5))
    assert all(
        "since=2026-03-05T03:00:00Z" in one
        for path in LISTS[:3]
        for one in bench.github.asked(path)
    )
    assert len(bench.github.requests) == 5


def test_c1_a_row_that_became_visible_late_is_still_loaded(bench: Bench) -> None:
    bench.github.rows[COMMENTS] = [comment(2, "2026-03-05T03:50:00Z")]
    bench.cover()
    bench.github.rows[COMMENTS] += [
        comment(3, "2026-03-05T03:49:59Z"),
        comment(4, "2026-03-05T03:50:00Z"),
        comment(5, "2026-03-05T04:10:00Z"),
    ]
    bench.github.now += timedelta(days=1)
    bench.cover(date(2026, 3, 5))
    assert bench.rows("select id from raw_github.issue_comments order by 1") == [
        (2,),
        (3,),
        (4,),
        (5,),
    ]


def test_c2_an_edit_within_the_same_second_replaces_the_row(bench: Bench) -> None:
    bench.github.rows["/issues"] = [issue(2, "2026-03-05T03:50:00Z")]
    bench.cover()
    bench.github.rows["/issues"] = [issue(2, "2026-03-05T03:50:00Z", state="closed")]
    bench.sync()
    bench.github.now += timedelta(seconds=5)
    bench.sync()
    assert bench.rows("select number, state from raw_github.issues") == [(2, "closed")]


@pytest.mark.parametrize("order", [1, -1])
def test_c3_of_two_versions_in_one_list_the_newer_stands(
    bench: Bench, order: int
) -> None:
    old = issue(1, "2026-03-04T12:00:00Z", state="open")
    new = issue(1, "2026-03-04T13:00:00Z", state="closed")
    bench.github.script["/issues"] = [Reply(200, [old, new][::order])]
    bench.cover()
    assert bench.rows("select number, state from raw_github.issues") == [(1, "closed")]


def test_a_lagging_replica_does_not_undo_a_newer_row(bench: Bench) -> None:
    bench.github.rows["/issues"] = [issue(1, "2026-03-05T03:50:00Z", state="closed")]
    bench.cover()
    bench.github.rows["/issues"] = [issue(1, "2026-03-05T03:40:00Z", state="open")]
    bench.github.now += timedelta(minutes=5)
    bench.sync()
    assert bench.rows("select state from raw_github.issues") == [("closed",)]


def test_c9_labels_taken_off_are_gone(bench: Bench) -> None:
    late = "2026-03-05T03:50:00Z"
    bench.github.rows["/issues"] = [issue(1, late, labels=[{"name": "rocm, amd"}])]
    bench.cover()
    assert bench.rows("select labels from raw_github.issues") == [('["rocm, amd"]',)]
    bench.github.rows["/issues"] = [issue(1, "2026-03-05T04:30:00Z", labels=[])]
    bench.github.now += timedelta(hours=1)
    bench.sync()
    assert bench.rows("select labels from raw_github.issues") == [("[]",)]


GHOST = {"id": 10137, "login": "ghost", "type": "User"}


@pytest.mark.parametrize("gone", [None, GHOST])
def test_c30_an_author_once_known_stays_known(bench: Bench, gone: Any) -> None:
    late = "2026-03-05T03:50:00Z"
    bench.github.rows[COMMENTS] = [
        comment(1, late, user=user(17)),
        comment(2, late, user=gone),
    ]
    bench.github.rows[EVENTS] = [event(3, late, actor=user(18))]
    bench.cover()
    bench.github.rows[COMMENTS] = [comment(1, late, user=gone, body="edited")]
    bench.github.rows[EVENTS] = [event(3, late, actor=gone)]
    bench.github.now += timedelta(minutes=5)
    bench.sync()
    assert bench.rows(
        "select id, user_id, user_login, body from raw_github.issue_comments order by 1"
    ) == [
        (1, 17, "dev-017", "edited"),
        (2, gone and 10137, gone and "ghost", "Comment 2"),
    ]
    assert bench.rows("select actor_login from raw_github.issue_events") == [
        ("dev-018",)
    ]


FIRSTS = "select author_association, first_author_association from raw_github.issues"


def test_the_association_of_the_first_load_stays(bench: Bench) -> None:
    late = "2026-03-05T03:50:00Z"
    bench.github.rows["/issues"] = [
        pull(1, late, author_association="CONTRIBUTOR"),
        pull(1, "2026-03-05T03:40:00Z", author_association="FIRST_TIMER"),
    ]
    bench.cover()
    assert bench.rows(FIRSTS) == [("CONTRIBUTOR", "FIRST_TIMER")]
    bench.github.rows["/issues"] = [pull(1, late, author_association="MEMBER")]
    bench.github.now += timedelta(minutes=5)
    bench.sync()
    assert bench.rows(FIRSTS) == [("MEMBER", "FIRST_TIMER")]


def test_an_older_warehouse_keeps_the_association_it_shows(bench: Bench) -> None:
    late = "2026-03-05T03:50:00Z"
    bench.github.rows["/issues"] = [pull(1, late)]
    bench.cover()
    with duckdb.connect(str(bench.path)) as connection:
        connection.execute(
            "alter table raw_github.issues drop column first_author_association"
        )
    bench.github.rows["/issues"] = [pull(1, late, author_association="CONTRIBUTOR")]
    bench.github.now += timedelta(minutes=5)
    bench.sync()
    assert bench.rows(FIRSTS) == [("CONTRIBUTOR", "NONE")]


def test_a_renamed_account_is_known_by_its_newest_name(bench: Bench) -> None:
    late = "2026-03-05T03:50:00Z"
    bench.github.rows[COMMENTS] = [comment(1, late, user=user(17, "dev-old"))]
    bench.cover()
    bench.github.rows[COMMENTS] = [comment(1, late, user=user(17, "dev-new"))]
    bench.github.now += timedelta(minutes=5)
    bench.sync()
    assert bench.rows("select user_login from raw_github.issue_comments") == [
        ("dev-new",)
    ]


def test_odd_text_is_stored_and_costs_no_other_row(bench: Bench) -> None:
    rows = [
        comment(1, NOON, body="a\x00b"),
        comment(2, NOON, body="x \ud83d y"),
        comment(3, NOON, body="🚀 ＲＯＣｍ \u202e"),
        comment(4, NOON, body="2026-03-04T00:00:00Z"),
        comment(5, NOON, body="x" * 262_144),
        comment(6, NOON, body=None),
        comment(7, NOON, body=""),
    ]
    bench.github.rows[COMMENTS] = rows
    bench.cover()
    stored = dict(bench.rows("select id, body from raw_github.issue_comments"))
    bad = "\N{REPLACEMENT CHARACTER}"
    assert stored == {
        **{row["id"]: row["body"] for row in rows},
        1: f"a{bad}b",
        2: f"x {bad} y",
    }


def test_a_row_that_cannot_be_stored_is_set_aside_until_it_can(bench: Bench) -> None:
    late = "2026-03-05T03:50:00Z"
    bad = {**comment(1, late), "created_at": "soon"}
    bench.github.rows[COMMENTS] = [bad, comment(2, late), "no row"]
    bench.cover()
    assert bench.rows("select id from raw_github.issue_comments") == [(2,)]
    kept = (
        "select row_key, stream, reason from raw_github.quarantine where row_key = '1'"
    )
    assert bench.rows(kept) == [("1", "issue_comments", "created_at is no time")]
    assert len(bench.rows("from raw_github.quarantine")) == 2
    bench.github.now += timedelta(minutes=5)
    bench.sync()
    assert len(bench.rows("from raw_github.quarantine")) == 2
    bench.github.rows[COMMENTS][0] = comment(1, late)
    bench.github.now += timedelta(minutes=5)
    bench.sync()
    assert bench.rows(kept) == []
    assert len(bench.rows("from raw_github.issue_comments")) == 2


def test_an_older_window_is_fetched_without_what_lies_between(bench: Bench) -> None:
    step = timedelta(minutes=10)
    times = spread("2026-02-20T00:00:00Z", 1_800, step)
    bench.github.rows[COMMENTS] = [comment(n, when) for n, when in enumerate(times, 1)]
    bench.cover()
    bench.github.requests.clear()
    bench.cover(date(2026, 2, 27))
    first = 1 + int((at("2026-02-27T03:24:00Z") - at(times[0])) / step)
    assert bench.rows(
        "select min(id), max(id), count(*) from raw_github.issue_comments"
    )[0] == (first + 1, 1_800, 1_800 - first)
    bench.github.requests.clear()
    bench.cover(date(2026, 2, 25))
    assert len(bench.github.asked(COMMENTS)) <= 5
    assert bench.covered("issue_comments") == [("02-25 03:24:00", "03-05 04:00:00")]


def test_a_row_that_changed_since_is_found_when_an_older_window_is_fetched(
    bench: Bench,
) -> None:
    """Made in the older window, changed after what is covered: only the end has it."""
    made = "2026-03-01T12:00:00Z"
    bench.github.rows["/issues"] = [issue(1, made)]
    bench.cover()
    bench.github.now = at("2026-03-07T00:00:00Z")
    bench.github.rows["/issues"] = [issue(1, "2026-03-06T12:00:00Z", created_at=made)]
    bench.cover(date(2026, 3, 1))
    assert bench.rows("select number from raw_github.issues") == [(1,)]


def events(count: int, first: str) -> list[Any]:
    times = spread(first, count, timedelta(minutes=1))
    return [event(n, when) for n, when in enumerate(times, 1)]


def test_events_that_end_inside_of_the_window_make_it_incomplete(bench: Bench) -> None:
    bench.github.rows[EVENTS] = events(1_000, "2026-03-04T03:00:00Z")
    bench.github.max_rows = 200
    with pytest.raises(
        IncompleteError,
        match="issue_events lacks 2026-03-04 03:24:00 to 2026-03-04 16:20:01 UTC",
    ):
        bench.cover()
    assert bench.covered("issue_events") == [("03-04 16:20:01", "03-05 04:00:00")]
    assert bench.covered("threads") == [("03-04 03:24:00", "03-05 04:00:00")]
    assert bench.rows("from raw_github.window_requests") == []


def test_events_that_end_inside_of_the_baseline_are_not_asked_for_again(
    bench: Bench,
) -> None:
    bench.github.rows[EVENTS] = events(3_000, "2026-03-03T00:00:00Z")
    bench.github.max_rows = 2_000
    bench.cover(baseline_days=28)
    asked = len(bench.github.requests)
    assert "nothing had to be fetched" in bench.cover(baseline_days=28)
    assert len(bench.github.requests) == asked
    assert bench.covered("threads") == [("02-04 03:24:00", "03-05 04:00:00")]
    assert bench.covered("issue_events") == [("03-03 16:40:01", "03-05 04:00:00")]


def test_a_list_that_cannot_be_read_covers_nothing_but_the_others_do(
    bench: Bench,
) -> None:
    bench.github.rows[COMMENTS] = [comment(n, NOON) for n in range(1, 751)]
    bench.github.max_rows = 300
    with pytest.raises(IncompleteError, match="share one second"):
        bench.cover()
    assert bench.covered("issue_comments") == []
    assert bench.covered("threads") == [("03-04 03:24:00", "03-05 04:00:00")]
    bench.github.max_rows = None
    bench.cover()
    assert counts(bench)[1] == 750


def test_a_custom_window_is_registered_under_its_own_name(bench: Bench) -> None:
    def of_day(day: date) -> Any:
        return custom_window("vllm", day, clock=VLLM.clock, hours=1, zone=VLLM.zone)

    commands.cover(bench.settings(), of_day, MARCH_4, bench.said.append)
    assert bench.rows(
        "select window_id, epoch(window_end_at - window_start_at)"
        " from raw_github.window_requests"
    ) == [("vllm:custom:2026-03-04T11:24+1h", 3600.0)]


def test_a_renamed_repository_is_followed_and_said(bench: Bench) -> None:
    fill(bench.github)
    bench.github.script[""] = [
        Reply(301, {"message": "Moved"}, {"Location": "/repositories/1"})
    ]
    moved = {"full_name": "vllm-project/renamed", "created_at": "2023-02-09T11:23:20Z"}
    bench.github.script["/repositories/1"] = [Reply(200, moved)]
    for path in LISTS:
        rows = bench.github.rows[path]
        bench.github.script[f"/repositories/1{path}"] = [Reply(200, rows)]
    bench.cover()
    assert counts(bench) == [2, 2, 1, 1]
    assert any("renamed" in line for line in bench.said)
    assert bench.rows("select distinct repository from raw_github.issues") == [(SLUG,)]


def test_sync_goes_on_from_what_is_covered_up_to_now(bench: Bench) -> None:
    bench.sync(baseline_days=2)
    assert bench.covered("threads") == [("03-02 03:24:00", "03-05 04:00:00")]
    bench.github.now += timedelta(days=3)
    bench.sync(baseline_days=2)
    assert bench.covered("issue_events") == [("03-02 03:24:00", "03-08 04:00:00")]


def test_backfill_fetches_both_of_its_days_and_then_nothing(bench: Bench) -> None:
    first, last = date(2026, 2, 1), date(2026, 2, 3)
    bench.backfill(first, last)
    assert bench.covered("threads") == [("02-01 03:24:00", "03-05 04:00:00")]
    asked = len(bench.github.requests)
    bench.backfill(first, last)
    assert len(bench.github.requests) == asked


def test_a_backfill_may_begin_before_the_repositorys_life_and_end_now(
    bench: Bench,
) -> None:
    bench.backfill(date(2010, 1, 1), None)
    assert bench.rows("select min(covered_from) from raw_github.coverage")[0][
        0
    ].year == (2010)
    with pytest.raises(MisconfiguredError, match="has not begun"):
        bench.backfill(date(2026, 3, 6), None)


def test_a_backfill_to_a_day_that_is_not_over_is_incomplete(bench: Bench) -> None:
    with pytest.raises(IncompleteError, match="not over"):
        bench.backfill(date(2026, 3, 1), date(2026, 3, 5))
    assert not bench.path.exists()


@pytest.mark.parametrize(
    ("reply", "what"),
    [
        (Reply(404, {"message": "Not Found"}), "There is no repository"),
        (Reply(401, {"message": "Bad credentials"}), "check GITHUB_TOKEN"),
        (Reply(403, {"message": "Resource not accessible"}), "rights"),
        (Reply(502, b"<html>Unicorn!</html>"), "502"),
        (Reply(200, b"<html>Unicorn!</html>"), "no JSON"),
        (Reply(200, ["a list"]), "no dict"),
    ],
)
def test_a_failure_before_data_arrives_creates_nothing(
    bench: Bench, reply: Reply, what: str
) -> None:
    bench.github.script[""] = [reply] * 9
    with pytest.raises(RefusedError, match=what):
        bench.cover(token="t0ken")
    assert not bench.path.parent.exists()
    bench.github.script = {"/issues": [reply] * 9}
    for path in LISTS:
        bench.github.script[path] = [Reply(403, {"message": "No."})] * 9
    with pytest.raises(RefusedError):
        bench.cover(token="t0ken")
    assert not bench.path.parent.exists()


def test_a_failure_later_changes_nothing_of_what_was_there(bench: Bench) -> None:
    bench.cover()
    before = bench.path.read_bytes()
    bench.github.script[""] = [Reply(403, {"message": "No."})]
    with pytest.raises(RefusedError):
        bench.cover(date(2026, 3, 1))
    assert bench.path.read_bytes() == before


def test_a_warehouse_of_another_host_is_refused_before_asking(bench: Bench) -> None:
    bench.cover()
    bench.github.requests.clear()
    with pytest.raises(MisconfiguredError, match=r"was filled from 127\.0\.0\.1"):
        bench.cover(api_url=bench.github.url.replace("127.0.0.1", "localhost"))
    assert bench.github.requests == []


def test_another_port_of_the_same_host_is_the_same_api(bench: Bench) -> None:
    bench.cover()
    bench.cover(api_url="http://127.0.0.1:9")


def test_nothing_is_left_beside_the_warehouse(bench: Bench) -> None:
    bench.cover()
    assert [one.name for one in bench.path.parent.iterdir()] == ["warehouse.duckdb"]


def test_working_files_of_a_killed_run_are_cleared_away(bench: Bench) -> None:
    stale = bench.path.with_name("warehouse.duckdb.loading") / "github"
    stale.mkdir(parents=True)
    (stale / "half.parquet").write_bytes(b"PAR1")
    spilled = bench.path.with_name("warehouse.duckdb.tmp")
    spilled.mkdir()
    (spilled / "duckdb_temp_storage_DEFAULT-0.tmp").write_bytes(b"rows")
    bench.cover()
    assert [one.name for one in bench.path.parent.iterdir()] == ["warehouse.duckdb"]


def test_what_came_before_a_refusal_is_kept(bench: Bench, tmp_path: Path) -> None:
    fill(bench.github)
    bench.github.script[EVENTS] = [Reply(403, {"message": "No."})]
    with pytest.raises(RefusedError):
        bench.cover()
    assert bench.covered("threads") == [("03-04 03:24:00", "03-05 04:00:00")]
    assert bench.covered("issue_events") == []
    bench.cover()
    assert counts(bench) == [2, 2, 1, 1]
    assert z(bench.github.now) == "2026-03-05T04:00:00Z"


def interrupted(
    bench: Bench, first: str = "2026-03-04T04:00:00Z", step: int = 60
) -> None:
    """Cover the window of March 4, refused after five of nine pages of comments."""
    times = spread(first, 900, timedelta(seconds=step))
    bench.github.rows[COMMENTS] = [comment(n, when) for n, when in enumerate(times, 1)]

    def refuse(path: str) -> None:
        if len(bench.github.asked(COMMENTS)) == 6:
            refusal = Reply(403, {"message": "No."})
            bench.github.script.setdefault(COMMENTS, [refusal])

    bench.github.on_page = refuse
    with pytest.raises(RefusedError):
        bench.cover()
    bench.github.on_page = lambda path: None
    bench.github.script.clear()
    bench.github.requests.clear()


def test_c22_a_run_that_was_stopped_goes_on_where_it_stopped(bench: Bench) -> None:
    interrupted(bench)
    assert bench.covered("issue_comments") == []
    assert len(bench.rows("from raw_github.issue_comments")) == 496
    bench.cover()
    assert "since=2026-03-04T12:15:00Z" in bench.github.asked(COMMENTS)[0]
    assert len(bench.rows("from raw_github.issue_comments")) == 900
    assert bench.covered("issue_comments") == [("03-04 03:24:00", "03-05 04:00:00")]
    assert bench.rows("from raw_github.progress") == []


def test_c1_a_row_that_became_visible_late_is_found_by_a_run_taken_up_again(
    bench: Bench,
) -> None:
    interrupted(bench, "2026-03-05T03:30:00Z", 2)
    bench.github.rows[COMMENTS].append(comment(5_000, "2026-03-05T03:30:01Z"))
    bench.cover()
    assert bench.rows("select 1 from raw_github.issue_comments where id = 5000")


def test_what_a_stopped_run_has_passed_is_not_taken_for_covered(bench: Bench) -> None:
    """A row of the passed stretch changed meanwhile, and lies where no one has been."""
    interrupted(bench)
    made = "2026-03-04T05:00:30Z"
    bench.github.rows[COMMENTS].append(
        comment(5_000, "2026-03-04T23:00:00Z", created_at=made)
    )
    morning = partial(custom_window, "vllm", hours=2, zone=VLLM.zone)
    of_day = partial(morning, clock=time(12, 0))
    commands.cover(bench.settings(), of_day, MARCH_4, bench.said.append)
    assert bench.rows("select 1 from raw_github.issue_comments where id = 5000")


def test_c22_a_stopped_reading_of_the_events_goes_on_where_it_stopped(
    bench: Bench,
) -> None:
    """Their list cannot be asked for a time, so what is loaded is jumped over."""
    times = spread("2026-03-04T03:30:00Z", 4_000, timedelta(seconds=20))
    bench.github.rows[EVENTS] = [event(n, when) for n, when in enumerate(times, 1)]

    def refuse(path: str) -> None:
        if len(bench.github.asked(EVENTS)) == 30:
            refusal = Reply(403, {"message": "No."})
            bench.github.script.setdefault(EVENTS, [refusal])

    bench.github.on_page = refuse
    with pytest.raises(RefusedError):
        bench.cover()
    bench.github.on_page = lambda path: None
    bench.github.script.clear()
    bench.github.requests.clear()
    assert bench.covered("issue_events") == []
    assert len(bench.rows("from raw_github.issue_events")) == 2_900
    bench.cover()
    # Eleven pages were lacking, and two are of the last hour, which is read again.
    assert len(bench.github.asked(EVENTS)) <= 13 + 12
    assert len(bench.rows("from raw_github.issue_events")) == 4_000
    assert bench.covered("issue_events") == [("03-04 03:24:00", "03-05 04:00:00")]
    assert bench.rows("from raw_github.progress") == []


def test_a_backfill_does_not_read_again_the_events_it_has(bench: Bench) -> None:
    times = spread("2026-03-03T03:24:00Z", 8_640, timedelta(seconds=20))
    bench.github.rows[EVENTS] = [event(n, when) for n, when in enumerate(times, 1)]
    bench.cover()
    bench.github.requests.clear()
    bench.backfill(date(2026, 3, 3), date(2026, 3, 3))
    assert len(bench.rows("from raw_github.issue_events")) == 8_640
    # Forty-four pages are of that day, and as many after it are loaded.
    assert len(bench.github.asked(EVENTS)) <= 44 + 16


def test_two_projects_share_a_warehouse_without_touching_each_other(
    bench: Bench,
) -> None:
    fill(bench.github)
    bench.cover()
    other = replace(VLLM, name="other", repository="someone/other")
    body = {"full_name": "someone/other", "created_at": "2023-02-09T11:23:20Z"}
    base = "/repos/someone/other"
    bench.github.script[base] = [Reply(200, body)]
    for path in LISTS:
        bench.github.script[base + path] = [Reply(200, bench.github.rows[path])]
    both = {"project": other, "projects": (VLLM, other)}
    of_day = partial(
        calendar_window, "other", "day", clock=other.clock, zone=other.zone
    )
    commands.cover(bench.settings(**both), of_day, MARCH_4, bench.said.append)
    assert counts(bench) == [4, 4, 2, 2]
    assert bench.rows(
        "select project, count(*) from raw_github.coverage group by 1 order by 1"
    ) == [("other", 4), ("vllm", 4)]
    assert len(bench.rows("from raw_github.projects")) == 2
    asked = len(bench.github.requests)
    bench.cover()
    assert len(bench.github.requests) == asked


def test_a_project_cannot_turn_into_another_repository(bench: Bench) -> None:
    bench.cover()
    bench.github.requests.clear()
    other = replace(VLLM, repository="someone/other")
    with pytest.raises(MisconfiguredError, match="under the name 'vllm'"):
        bench.cover(project=other, projects=(other,))
    assert bench.github.requests == []


NAMED = "select repository, count(*) from raw_github.{} group by 1"
OF_REPOSITORY = ("issues", "issue_comments", "review_comments", "issue_events")


def named(bench: Bench, *tables: str) -> set[tuple[str, int]]:
    return {one for table in tables for one in bench.rows(NAMED.replace("{}", table))}


def test_a_repository_in_another_letter_case_is_the_same(bench: Bench) -> None:
    other = replace(VLLM, repository="VLLM-Project/vLLM")
    fill(bench.github)
    bench.cover(project=other, projects=(other,))
    assert {name for name, _ in named(bench, *OF_REPOSITORY, "projects")} == {SLUG}
    before = named(bench, *OF_REPOSITORY)
    asked = len(bench.github.requests)
    bench.cover()
    assert len(bench.github.requests) == asked
    bench.github.now += timedelta(hours=1)
    bench.sync(project=other, projects=(other,))
    assert named(bench, *OF_REPOSITORY) == before


def test_a_repository_that_changes_its_letter_case_keeps_one_name(
    bench: Bench,
) -> None:
    fill(bench.github)
    bench.cover()
    counts = {count for _, count in named(bench, *OF_REPOSITORY)}
    bench.github.full_name = "VLLM-Project/vLLM"
    bench.github.now += timedelta(hours=1)
    bench.sync()
    found = named(bench, *OF_REPOSITORY, "projects")
    assert {name for name, _ in found} == {"VLLM-Project/vLLM"}
    assert {count for _, count in named(bench, *OF_REPOSITORY)} == counts
    bench.cover()
    assert named(bench, "projects") == {("VLLM-Project/vLLM", 1)}


def test_rows_of_two_letter_cases_are_united(bench: Bench) -> None:
    fill(bench.github)
    bench.cover()
    before = named(bench, *OF_REPOSITORY)
    with duckdb.connect(str(bench.path)) as connection:
        for table in OF_REPOSITORY:
            connection.execute(
                f"insert into raw_github.{table}"
                f" select * replace ('VLLM-project/VLLM' as repository)"
                f" from raw_github.{table} limit 1"
            )
    bench.github.now += timedelta(hours=1)
    bench.sync()
    assert named(bench, *OF_REPOSITORY) == before


def test_a_warehouse_of_an_unknown_version_is_refused(bench: Bench) -> None:
    bench.cover()
    with duckdb.connect(str(bench.path)) as connection:
        connection.execute("update raw_github.warehouse set schema_version = 99")
    with pytest.raises(UnusableError, match="version 99"):
        bench.cover()


@pytest.mark.parametrize("lost", ["all tables", "one table"])
def test_a_file_without_its_bookkeeping_is_completed(bench: Bench, lost: str) -> None:
    """As a kill in the first second leaves it, or an older version."""
    bench.path.parent.mkdir()
    with duckdb.connect(str(bench.path)) as connection:
        for table in warehouse.TABLES if lost == "one table" else ():
            connection.execute(table)
        if lost == "one table":
            connection.execute("drop table raw_github.progress")
    fill(bench.github)
    bench.cover()
    assert counts(bench) == [2, 2, 1, 1]


def test_long_work_says_how_far_it_has_come(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(progress, "QUIET_SECONDS", 0.0)
    monkeypatch.setattr(progress, "PERIOD_SECONDS", 0.0)
    fill(bench.github)
    bench.cover()
    assert "issue_comments 2 rows at 2026-03-04 12:00" in bench.said[-1]
    assert bench.said[-1].startswith("5 requests: ")


def test_short_work_is_quiet(bench: Bench) -> None:
    """Short is what ends before QUIET_SECONDS; how long that is, the tests set."""
    fill(bench.github)
    bench.cover()
    assert bench.said == []


@pytest.mark.parametrize("stop", [403, "wrong clock"])
def test_events_reach_as_far_as_the_threads_that_they_shall_undo(
    bench: Bench, stop: object
) -> None:
    """A sync may end between the two lists; GitHub's machines disagree by a second."""
    fill(bench.github)
    bench.cover()
    bench.github.now += timedelta(days=2)
    later = z(bench.github.now - timedelta(hours=5))
    bench.github.rows["/issues"][0]["updated_at"] = later
    bench.github.rows[EVENTS].append(event(32, later))
    if stop == 403:
        bench.github.script[EVENTS] = [Reply(403, {"message": "No."})]
        with pytest.raises(RefusedError):
            bench.sync()
        assert bench.covered("issue_events") == [("03-04 03:24:00", "03-05 04:00:00")]
    else:
        early = {"Date": "Sat, 07 Mar 2026 03:59:59 GMT"}
        bench.github.script[EVENTS] = [Reply(200, [event(32, later)], early)]
        bench.sync()
    bench.cover()
    assert bench.covered("issue_events") == [("03-04 03:24:00", "03-07 04:00:00")]
    assert bench.rows("select 1 from raw_github.issue_events where id = 32")
    asked = len(bench.github.requests)
    assert "nothing had to be fetched" in bench.cover()
    assert len(bench.github.requests) == asked


def test_a_window_is_not_loaded_while_later_events_are_refused(bench: Bench) -> None:
    fill(bench.github)
    bench.cover()
    bench.github.now += timedelta(days=2)
    bench.github.script[EVENTS] = [Reply(403, {"message": "No."})] * 2
    for act in (bench.sync, bench.cover):
        with pytest.raises(RefusedError):
            act()


def test_what_github_never_sent_before_is_absorbed_and_told_once_by_name(
    bench: Bench,
) -> None:
    fill(bench.github)
    for row in bench.github.rows["/issues"]:
        row["votes"] = {"secret": "value"}
        row["\x1b[2J"] = 1
    bench.github.rows[EVENTS] += [
        event(40, NOON, event="voted"),
        event(41, NOON, event="voted"),
        event(42, NOON, event="evil\n\x1b[2J"),
    ]
    bench.cover()
    assert bench.said == [
        "New in GitHub's answers, and no hindrance: issue_events.event=(unprintable), "
        "issue_events.event=voted, threads.(unprintable), threads.votes."
    ]
    assert counts(bench) == [2, 2, 1, 4]


def test_what_is_new_is_told_even_if_the_run_fails_later(bench: Bench) -> None:
    fill(bench.github)
    bench.github.rows["/issues"][0]["votes"] = 7
    bench.github.script[EVENTS] = [Reply(403, {"message": "No."})]
    with pytest.raises(RefusedError):
        bench.cover()
    assert bench.said == ["New in GitHub's answers, and no hindrance: threads.votes."]


def test_a_flood_of_new_names_is_still_one_short_line(bench: Bench) -> None:
    fill(bench.github)
    bench.github.rows[EVENTS] = [event(n, NOON, event=f"e{n}") for n in range(1, 900)]
    bench.cover()
    assert len(bench.said) == 1
    assert bench.said[0].endswith(" and 887 more.")


def test_c5_a_column_in_which_nothing_stands_is_there_with_its_type(
    bench: Bench,
) -> None:
    bench.github.rows["/issues"] = [pull(1, NOON), issue(2, NOON, user=None)]
    bench.cover()
    types = dict(
        bench.rows(
            "select column_name, data_type from information_schema.columns"
            " where table_name = 'issues'"
        )
    )
    stamped = "TIMESTAMP WITH TIME ZONE"
    assert (types["merged_at"], types["closed_at"]) == (stamped, stamped)
    assert (types["user_id"], types["state_reason"]) == ("BIGINT", "VARCHAR")


def test_c16_a_stream_that_lags_behind_the_others_is_caught_up_on_its_own(
    bench: Bench,
) -> None:
    """As when a list is read by a newer version only: no bookmark is shared."""
    fill(bench.github)
    bench.cover()
    with duckdb.connect(str(bench.path)) as connection:
        gone = " where stream = 'review_comments'"
        connection.execute("delete from raw_github.coverage" + gone)
        connection.execute("delete from raw_github.review_comments")
    bench.github.requests.clear()
    bench.cover()
    assert len(bench.github.asked("/pulls/comments")) == 1
    assert bench.github.asked(COMMENTS) == []
    assert counts(bench) == [2, 2, 1, 1]


def test_c17_a_thread_with_more_comments_than_a_page_has_them_all(
    bench: Bench,
) -> None:
    times = spread("2026-03-04T04:00:00Z", 120, timedelta(seconds=1))
    bench.github.rows[COMMENTS] = [comment(n, when) for n, when in enumerate(times, 1)]
    bench.cover()
    found = "select number, count(*) from raw_github.issue_comments group by number"
    assert bench.rows(found) == [(1, 120)]


def test_b43_ids_of_different_kinds_do_not_meet(bench: Bench) -> None:
    bench.github.rows["/issues"] = [issue(5, NOON, id=5)]
    bench.github.rows[COMMENTS] = [comment(5, NOON)]
    bench.github.rows["/pulls/comments"] = [review_comment(5, NOON)]
    bench.github.rows[EVENTS] = [event(5, NOON)]
    bench.cover()
    assert counts(bench) == [1, 1, 1, 1]


def test_b45_a_row_newer_than_the_window_is_stored(bench: Bench) -> None:
    bench.github.rows["/issues"] = [issue(1, "2026-03-05T03:59:00Z")]
    bench.cover()
    assert bench.rows("select number from raw_github.issues") == [(1,)]
