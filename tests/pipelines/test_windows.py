from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from functools import partial
from zoneinfo import ZoneInfo

import duckdb
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipelines.windows import (
    calendar_window,
    custom_window,
    last_complete,
    local_instant,
    parse_clock,
    parse_date,
)

SHANGHAI = ZoneInfo("Asia/Shanghai")
NEW_YORK = ZoneInfo("America/New_York")
ZONES = (
    "Asia/Shanghai",
    "America/New_York",
    "Europe/London",
    "Australia/Lord_Howe",
    "America/Sao_Paulo",
    "Asia/Kolkata",
    "Pacific/Apia",
    "UTC",
)
DATES = st.dates(date(2009, 1, 1), date(2035, 12, 31))
CLOCKS = st.times().map(lambda one: one.replace(second=0, microsecond=0))


def at(text: str) -> datetime:
    return datetime.fromisoformat(text)


def test_the_vllm_day_runs_from_11_24_in_shanghai_to_the_same_on_the_next_day() -> None:
    window = calendar_window(
        "vllm", "day", date(2026, 3, 4), clock=time(11, 24), zone=SHANGHAI
    )
    assert window.window_id == "vllm:day:2026-03-04"
    assert window.start_at == at("2026-03-04T03:24:00Z")
    assert window.end_at == at("2026-03-05T03:24:00Z")


@pytest.mark.parametrize(
    ("day", "hours"),
    [(date(2026, 3, 8), 23), (date(2026, 11, 1), 25), (date(2026, 6, 1), 24)],
)
def test_a_day_has_as_many_hours_as_its_clocks_show(day: date, hours: int) -> None:
    window = calendar_window("p", "day", day, clock=time(0, 30), zone=NEW_YORK)
    assert window.end_at - window.start_at == timedelta(hours=hours)


def test_any_day_of_a_week_or_month_names_it() -> None:
    make = partial(calendar_window, "vllm", clock=time(11, 24), zone=SHANGHAI)
    week, month = make("week", date(2026, 3, 8)), make("month", date(2026, 2, 28))
    assert week.window_id == "vllm:week:2026-03-02"
    assert week.end_at - week.start_at == timedelta(days=7)
    assert month.window_id == "vllm:month:2026-02-01"
    assert month.end_at == at("2026-03-01T03:24:00Z")
    assert make("month", date(2026, 12, 31)).end_at == at("2027-01-01T03:24:00Z")


def test_a_custom_window_is_named_by_its_local_start_and_its_hours() -> None:
    window = custom_window(
        "vllm", date(2026, 12, 10), clock=time(20, 17), hours=1, zone=SHANGHAI
    )
    assert window.window_id == "vllm:custom:2026-12-10T20:17+1h"
    assert window.start_at == at("2026-12-10T12:17:00Z")
    assert window.end_at == at("2026-12-10T13:17:00Z")


@pytest.mark.parametrize("zone", ZONES)
@settings(max_examples=60, deadline=None)
@given(day=DATES, clock=CLOCKS)
def test_python_and_duckdb_read_a_local_time_alike(
    zone: str, day: date, clock: time
) -> None:
    sql = "select epoch(timezone(?, cast(? as timestamp)))"
    local = datetime.combine(day, clock)
    told = duckdb.execute(sql, [zone, str(local)]).fetchone()
    assert told is not None
    ours = local_instant(day, clock, ZoneInfo(zone))
    assert datetime.fromtimestamp(told[0], UTC) == ours


@pytest.mark.parametrize(
    ("local", "utc"),
    [
        ("2026-03-08T02:30", "2026-03-08T07:30:00Z"),  # skipped
        ("2026-11-01T01:30", "2026-11-01T06:30:00Z"),  # shown twice
        ("2026-03-08T03:00", "2026-03-08T07:00:00Z"),
    ],
)
def test_a_skipped_or_doubled_local_time_means_the_later_instant(
    local: str, utc: str
) -> None:
    when = datetime.fromisoformat(local)
    assert local_instant(when.date(), when.time(), NEW_YORK) == at(utc)


@pytest.mark.parametrize("kind", ["day", "week", "month"])
@given(day=DATES, clock=CLOCKS, zone=st.sampled_from(ZONES))
def test_windows_of_a_kind_follow_each_other_without_gap_or_overlap(
    kind: str, day: date, clock: time, zone: str
) -> None:
    make = partial(calendar_window, "p", kind, clock=clock, zone=ZoneInfo(zone))
    window = make(day)
    after = make((window.end_at + timedelta(days=1)).astimezone(ZoneInfo(zone)).date())
    if kind == "day":
        after = make(window.date + timedelta(days=1))
    assert window.date <= day
    assert window.end_at == after.start_at


def test_a_window_is_complete_ten_minutes_after_its_end_and_not_a_second_before() -> (
    None
):
    make = partial(calendar_window, "vllm", "day", clock=time(11, 24), zone=SHANGHAI)
    ready = at("2026-03-05T03:34:00Z")
    assert last_complete(make, ready).date == date(2026, 3, 4)
    assert last_complete(make, ready - timedelta(seconds=1)).date == date(2026, 3, 3)


@pytest.mark.parametrize(
    ("kind", "day"), [("week", (2026, 2, 23)), ("month", (2026, 2, 1))]
)
def test_the_last_complete_week_and_month_are_over(
    kind: str, day: tuple[int, int, int]
) -> None:
    make = partial(calendar_window, "vllm", kind, clock=time(11, 24), zone=SHANGHAI)
    assert last_complete(make, at("2026-03-05T12:00:00Z")).date == date(*day)


@pytest.mark.parametrize(
    "text",
    [
        *("2026-02-30", "2026-13-01", "0001-01-01", "9999-12-31"),
        *("2026-3-4", "20260304", " 2026-03-04", "2026-03-04T00:00", "２０２６-03-04"),
        *("yesterday", ""),
    ],
)
def test_what_is_no_day_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"day|date"):
        parse_date(text)


@pytest.mark.parametrize("text", ["24:00", "1:30", "11:60", "11:24:00", "", "noon"])
def test_what_is_no_clock_time_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="not a time"):
        parse_clock(text)
