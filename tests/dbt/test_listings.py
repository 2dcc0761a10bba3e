"""The lists of a day as a small GitHub of a test's own leads to them, end to end."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from sample.repository import World
from sample.server import serve
from tests.dbt.chain import Chain, at, event, issue, pull, world

OPEN = {"state": "open", "closed_at": None, "state_reason": None}
NOT_MERGED = {"pull_request": {"merged_at": None}}


def odd_world() -> World:
    """Threads whose rows and events do not say the same."""
    base = world(
        # Closed twice without a reopening: on two days, and twice in one.
        issue(11, "02 05:00"),
        event(11, "04 10:00", "closed", state_reason="completed"),
        event(11, "05 10:00", "closed", state_reason="not_planned"),
        issue(12, "02 05:00"),
        event(12, "04 10:00", "closed", commit_id="a" * 40),
        event(12, "04 10:01", "closed"),
        # The row is older than its events.
        pull(
            13,
            "04 05:00",
            patch={**OPEN, **NOT_MERGED, "updated_at": "2026-03-04T05:00:00Z"},
        ),
        event(13, "04 11:00", "merged"),
        event(13, "04 11:00", "closed"),
        # The row is newer than its last event: a reopening was missed.
        issue(14, "02 05:00", patch={**OPEN, "updated_at": "2026-03-05T12:00:00Z"}),
        event(14, "04 12:00", "closed"),
    )
    return replace(base, now=at("06 04:00"))


@pytest.fixture(scope="module")
def chain(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Chain]:
    with serve(odd_world()) as github:
        made = Chain(
            tmp_path_factory.mktemp("listings"),
            github,
            day="2026-03-05",
            variables={"BASELINE_DAYS": "3"},
        )
        made.fetch("cover")
        made.build("--select", "+rpt_listed_threads")
        yield made


def listed(chain: Chain, number: int) -> list[tuple[str, str, str]]:
    """(day, listing, time) of the daily lists that hold a thread."""
    return chain.rows(
        "select right(window_id, 2), listing, strftime(event_at, '%d %H:%M')"
        " from reports.rpt_listed_threads"
        f" where number = {number} and window_id like '%:day:%' order by all"
    )


def test_closed_twice_without_a_reopening_is_listed_once(chain: Chain) -> None:
    opened = listed(chain, 3)[:1]
    assert listed(chain, 11) == [*opened, ("04", "closed_issue", "04 10:00")]
    assert listed(chain, 12) == [*opened, ("04", "closed_issue", "04 10:00")]
    then = "select state, closed_at from marts.threads_as_of('sample', '2026-03-06')"
    assert chain.rows(f"{then} where number = 11") == [("closed", at("04 10:00"))]


def test_what_events_newer_than_the_row_merged_is_merged(chain: Chain) -> None:
    assert listed(chain, 13) == [
        ("04", "merged_pr", "04 11:00"),
        ("04", "new_pr", "04 05:00"),
    ]
    now = "select state, closed_at, merged_at from marts.threads where number = 13"
    merged_at = at("04 11:00")
    assert chain.rows(now) == [("closed", merged_at, merged_at)]


def test_what_a_row_newer_than_its_close_shows_open_is_not_closed(chain: Chain) -> None:
    assert [listing for _, listing, _ in listed(chain, 14)] == ["new_issue"]
    now = "select state, closed_at from marts.threads where number = 14"
    assert chain.rows(now) == [("open", None)]
