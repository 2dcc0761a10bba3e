"""The lists of a day as a small GitHub of a test's own leads to them, end to end."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import duckdb
import pytest

from sample.repository import World
from sample.rows import Thread
from sample.server import serve
from tests.dbt.chain import PEOPLE, Chain, at, event, issue, pull, world

OPEN = {"state": "open", "closed_at": None, "state_reason": None}
FEBRUARY = datetime(2026, 2, 20, tzinfo=UTC)
BUG_ALONE = {"labels": [{"name": "bug"}], "updated_at": "2026-03-05T12:00:00Z"}
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
        # Labels that were deleted from the repository: with no event, with one that has
        # lost its name, and before the events that are known.
        issue(15, "04 05:00", patch=BUG_ALONE),
        event(15, "04 05:01", "labeled", label="bug"),
        event(15, "04 05:01", "labeled", label="rocm"),
        issue(16, "04 05:00", patch=BUG_ALONE),
        event(16, "04 05:01", "labeled", label="bug"),
        event(16, "04 05:01", "labeled", label="rocm"),
        event(16, "05 12:00", "unlabeled", label=None),
        Thread(17, FEBRUARY, "[Bug]: case 17", user=PEOPLE[0], patch=BUG_ALONE),
        event(17, "04 09:00", "closed"),
        event(17, "05 12:00", "unlabeled", label=None),
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
        made.build("--select", "+rpt_listed_threads", "+rpt_headline_counts")
        made.publish()
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


def test_a_label_deleted_from_the_repository_stands_where_an_event_put_it_on(
    chain: Chain,
) -> None:
    shown = (
        "select labels, as_of_basis, labels_basis from reports.rpt_listed_threads"
        " where window_id = 'sample:day:2026-03-04' and number = "
    )
    assert chain.rows(f"{shown} 15") == [(["bug", "rocm"], "events", "events")]
    assert chain.rows(f"{shown} 16") == [(["bug", "rocm"], "events", "events")]
    # What was on before the events that are known is lost, and the row says so.
    assert chain.rows(f"{shown} 17") == [(["bug"], "current", "current")]
    later = (
        "from marts.threads_as_of('sample', '2026-03-05T13:00:00Z') where number = 16"
    )
    assert chain.rows(f"select labels {later}") == [(["bug"],)]
    now = "select distinct labels from marts.threads where number in (15, 16, 17)"
    assert chain.rows(now) == [(["bug"],)]


DAY = "'2026-03-04T03:24:00Z', '2026-03-05T03:24:00Z'"
MACROS = ("window_counts", "listed_threads")
UNCOVERED = (
    "'2026-01-04T03:24:00Z', '2026-01-05T03:24:00Z'",
    "'2026-01-04T03:24:00Z', '2026-03-05T03:24:00Z'",
    # Writes of its last minutes may not have been in the lists yet.
    "'2026-03-05T03:24:00Z', '2026-03-06T04:00:00Z'",
)


@pytest.fixture(params=["warehouse", "history"])
def database(chain: Chain, request: pytest.FixtureRequest) -> Path:
    path: Path = getattr(chain, request.param)
    return path


def asked(database: Path, sql: str) -> list[tuple[Any, ...]]:
    with duckdb.connect(str(database), read_only=True) as connection:
        connection.execute("set timezone = 'UTC'")
        return connection.execute(sql).fetchall()


def test_a_covered_interval_has_its_counts_and_a_quiet_one_zeros(
    database: Path,
) -> None:
    quiet = "'2026-03-04T03:24:00Z', '2026-03-04T03:25:00Z'"
    assert asked(database, f"from marts.window_counts('sample', {DAY})") == [
        (4, 4, 3, 2, 0)
    ]
    assert len(asked(database, f"from marts.listed_threads('sample', {DAY})")) == 13
    counts = asked(database, f"from marts.window_counts('sample', {quiet})")
    assert counts == [(0, 0, 0, 0, 0)]
    assert asked(database, f"from marts.listed_threads('sample', {quiet})") == []


@pytest.mark.parametrize("interval", UNCOVERED)
@pytest.mark.parametrize("macro", MACROS)
def test_what_is_not_covered_is_one_row_of_nulls(
    database: Path, macro: str, interval: str
) -> None:
    (row,) = asked(database, f"from marts.{macro}('sample', {interval})")
    assert set(row) == {None}


@pytest.mark.parametrize("instant", ["'2026-01-04'", "'2026-03-06T03:51:00Z'"])
def test_an_instant_that_is_not_covered_is_one_row_of_nulls(
    database: Path, instant: str
) -> None:
    (row,) = asked(database, f"from marts.threads_as_of('sample', {instant})")
    assert set(row) == {None}


@pytest.mark.parametrize("columns", ["*", "count(*)", "1"])
@pytest.mark.parametrize("macro", [*MACROS, "threads_as_of"])
def test_a_project_that_does_not_exist_is_an_error(
    database: Path, macro: str, columns: str
) -> None:
    when = "'2026-03-05'" if macro == "threads_as_of" else DAY
    with pytest.raises(duckdb.InvalidInputException, match="no project is named none"):
        asked(database, f"select {columns} from marts.{macro}('none', {when})")


@pytest.mark.parametrize("macro", MACROS)
def test_an_interval_that_ends_before_it_begins_is_an_error(
    database: Path, macro: str
) -> None:
    when = ", ".join(reversed(DAY.split(", ")))
    with pytest.raises(duckdb.InvalidInputException, match="must be before"):
        asked(database, f"select count(*) from marts.{macro}('sample', {when})")
