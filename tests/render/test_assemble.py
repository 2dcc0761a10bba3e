"""Laws of assembling: rows keep their order and their nulls; nothing is judged."""

from __future__ import annotations

from pathlib import Path

import pytest

from render.listings import LISTINGS
from tests.render import built
from tests.render.documents import report_of


def changed(tmp_path: Path, table: str, index: int, **cells: object) -> Path:
    contents = built.tables()
    contents[table][index] |= cells
    return built.build(tmp_path / "warehouse.duckdb", contents)


def test_rows_come_in_the_order_of_their_tables(day_report) -> None:
    assert [g.lead.number for g in day_report.ecosystem.groups] == [
        *(35893, 36110, 36120)
    ]
    assert [t.number for t in day_report.hot_threads] == [31845, 36066]
    assert [listing.name for listing in day_report.listings] == list(LISTINGS)
    numbers = [[t.number for t in listing.threads] for listing in day_report.listings]
    assert numbers == [
        *([36075, 36074, 36073], [35637, 18793], [36043, 36042], [35893], [])
    ]


def test_comments_come_with_their_thread(day_report) -> None:
    quoted = [[c.excerpt[:3] for c in t.comments] for t in day_report.hot_threads]
    assert quoted == [["Spa", "See"], ["<im"]]


def test_what_is_null_is_none_and_unknown_people_are_ghost(day_report) -> None:
    cold = day_report.hot_threads[1]
    assert (cold.heat_level, cold.baseline_per_day, cold.velocity_ratio) == (None,) * 3
    assert (cold.author, cold.status_at) == ("ghost", None)
    assert day_report.hot_threads[0].participants[1].login == "ghost"
    assert day_report.listings[1].threads[1].author == "ghost"
    assert day_report.ecosystem.groups[0].others[0].labels == ()


def test_links_to_unknown_threads_are_gathered_by_relation(day_report) -> None:
    thread = day_report.ecosystem.groups[0].lead
    assert [linked.number for linked in thread.linked_threads] == [35637]
    [mentioned, fixed] = thread.bare_links
    assert (mentioned.relation, fixed.relation) == ("mentions", "fixes")
    assert [(bare.number, bare.url) for bare in mentioned.threads] == [
        (40000, "https://github.com/vllm-project/vllm/issues/40000"),
        (40001, "https://github.com/vllm-project/vllm/issues/40001"),
    ]


def test_a_threads_listings_come_in_the_reports_order(tmp_path: Path) -> None:
    listings = ["merged_pr", "from_the_future", "new_pr"]
    path = changed(tmp_path, "reports.rpt_ecosystem_threads", 0, listings=listings)
    assert report_of(path, built.DAY).ecosystem.groups[0].lead.listings == (
        *("new_pr", "merged_pr", "from_the_future"),
    )


def test_a_whole_number_beside_a_null_stays_whole(day_report) -> None:
    level = day_report.hot_threads[0].heat_level
    assert level == 3 and isinstance(level, int)


def test_an_address_that_is_not_plain_https_is_dropped(day_report) -> None:
    assert day_report.listings[3].threads[0].url is None
    assert day_report.hot_threads[1].comments[0].url is None


def test_only_the_spotlights_threads_are_shown_and_counted(day_report) -> None:
    section = day_report.ecosystem
    assert [t.number for t in section.by_contributors] == [36099]
    assert section.thread_count == 9
    assert [(p.listing, p.count) for p in section.listed] == [
        *(("new_pr", 2), ("merged_pr", 1))
    ]
    assert section.discussed_count == 7


def test_without_a_spotlight_there_is_no_ecosystem_section(tmp_path: Path) -> None:
    path = changed(tmp_path, "reports.rpt_provenance", 0, spotlight_ecosystem=None)
    assert report_of(path, built.DAY).ecosystem is None


def test_a_window_without_rows_has_empty_sections_and_zero_counts(warehouse) -> None:
    report = report_of(warehouse, built.EMPTY_DAY)
    assert [count.count for count in report.counts] == [0] * 5
    assert not report.window.has_medians
    assert report.ecosystem is not None and report.ecosystem.thread_count == 0
    assert report.hot_threads == ()
    assert [listing.threads for listing in report.listings] == [()] * 5


def test_null_lists_are_empty_lists(tmp_path: Path) -> None:
    nothing = {"labels": None, "evidence": None, "listings": None}
    path = changed(
        tmp_path, "reports.rpt_ecosystem_threads", 0, linked_threads=None, **nothing
    )
    thread = report_of(path, built.DAY).ecosystem.groups[0].lead
    assert thread.labels == thread.evidence == thread.linked_threads == ()


@pytest.mark.parametrize(
    ("zone", "start", "end"),
    [
        ("Asia/Kolkata", "2026-03-04T08:54:00+05:30", "2026-03-05T08:54:00+05:30"),
        ("America/New_York", "2026-03-03T22:24:00-05:00", "2026-03-04T22:24:00-05:00"),
    ],
)
def test_times_are_told_in_the_projects_zone(
    tmp_path: Path, zone: str, start: str, end: str
) -> None:
    path = changed(tmp_path, "reports.rpt_provenance", 0, time_zone=zone)
    window = report_of(path, built.DAY).window
    assert (window.start_at.isoformat(), window.end_at.isoformat()) == (start, end)


def test_a_window_over_a_clock_change_shows_both_offsets(tmp_path: Path) -> None:
    path = changed(
        tmp_path,
        "reports.rpt_provenance",
        0,
        time_zone="America/New_York",
        window_start_at=built.at("2026-03-07 16:24"),
        window_end_at=built.at("2026-03-08 15:24"),
    )
    window = report_of(path, built.DAY).window
    assert [f"{t:%d %H:%M %z}" for t in (window.start_at, window.end_at)] == [
        *("07 11:24 -0500", "08 11:24 -0400")
    ]


def test_a_custom_window_says_its_hours(tmp_path: Path) -> None:
    name = "vllm:custom:2026-12-10T20:17+1h"
    row = built.window(name, "2026-12-10 12:17", "2026-12-10 13:17")
    contents = built.tables()
    contents["marts.windows"].append(row)
    contents["reports.rpt_provenance"].append(built.provenance(row))
    path = built.build(tmp_path / "warehouse.duckdb", contents)
    assert report_of(path, name).window.label == "2026-12-10 20:17 +1h"


def test_streams_that_fall_short_are_told_apart(tmp_path: Path) -> None:
    streams = built.tables()["reports.rpt_provenance"][0]["streams"]
    streams[1] |= {"covered_until": built.at("2026-03-05 01:00"), "is_enough": False}
    streams[3] |= {"covered_from": None, "covered_until": None, "is_enough": False}
    path = changed(tmp_path, "reports.rpt_provenance", 0, streams=streams)
    provenance = report_of(path, built.DAY).provenance
    assert len(provenance.streams) == 4
    assert [s.stream for s in provenance.short_streams] == [
        *("issue_comments", "issue_events")
    ]
    assert provenance.short_streams[1].covered_until is None
