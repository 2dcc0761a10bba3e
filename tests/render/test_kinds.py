"""Laws of every kind of window in every language: its own words, and a readable length.

The hand-made day is told as a week, a month and a custom window, with as many rows as
such windows have.
"""

from __future__ import annotations

import json
import re
from datetime import timedelta
from itertools import pairwise
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from render import machine
from render.labels import window_label
from render.pictures import drawn_for
from render.words import read_words
from tests.render import built, built_sections
from tests.render.documents import (
    document,
    elements,
    lines,
    page,
    report_of,
    words_of,
)

LANGUAGES = ("zh", "en")
# Id, end, and how the report calls it.
KINDS = {
    "day": (built.DAY, "2026-03-05 03:24", "2026-03-04"),
    "week": (
        "vllm:week:2026-03-02",
        "2026-03-09 03:24",
        "2026-03-02 – 2026-03-08",
    ),
    "month": ("vllm:month:2026-03-01", "2026-04-01 03:24", "2026-03"),
    "custom": (
        "vllm:custom:2026-03-04T11:24+3h",
        "2026-03-04 06:24",
        "2026-03-04 11:24 +3h",
    ),
}
STARTS = {"day": 4, "week": 2, "month": 1, "custom": 4}
LONG = ("week", "month")
THREADS, ISSUES = 80, 120


def contents(kind: str, *, is_crowded: bool = True, **cells: Any) -> built.Tables:
    """The hand-made tables with the day's rows as those of another kind of window."""
    window_id, end, _ = KINDS[kind]
    tables = built.tables()
    if is_crowded:
        crowd(tables)
    for table in tables.values():
        for row in table:
            if row["window_id"] == built.DAY:
                row["window_id"] = window_id
    for table in ("marts.windows", "reports.rpt_provenance"):
        tables[table][0] |= {
            "window_kind": kind,
            "window_start_at": built.at(f"2026-03-0{STARTS[kind]} 03:24"),
            "window_end_at": built.at(end),
        }
    for row in tables["reports.rpt_trend"]:
        if row.get("trend_window_id"):
            row["trend_window_id"] = re.sub(
                ":day:", f":{kind}:", row["trend_window_id"]
            )
    tables["reports.rpt_provenance"][0] |= cells
    if kind in LONG:
        tables["reports.rpt_summary"][0] |= {
            "busiest_day_start_at": built.at("2026-03-03 03:24"),
            "busiest_day_comment_count": 14,
        }
    return tables


def crowd(tables: built.Tables) -> None:
    """As many rows as a month has: threads in groups of every kind, and issues."""
    threads = tables["reports.rpt_ecosystem_threads"]
    for n in range(THREADS):
        number = 50_000 + n
        threads.append(
            built.ecosystem(
                100 + n,
                number,
                f"Title of {number}",
                is_author_only=n % 10 == 9,
                comment_count=1,
                human_comment_count=1,
                # Groups of four, of two, and of one.
                topic=f"t{n // 4 if n < 40 else n // 2}" if n < 60 else None,
            )
        )
    for n in range(ISSUES):
        listed = built.listed("new_issue", 9, 60_000 + n, f"Issue {n}")
        then = built.at("2026-03-04 03:00") - timedelta(hours=n)
        tables["reports.rpt_listed_threads"].append(
            listed | {"position": 10 + n, "event_at": then}
        )


@pytest.fixture(scope="module", params=KINDS)
def kind(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="module")
def crowded(kind: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp(kind) / "warehouse.duckdb"
    return built.build(path, contents(kind))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("ending", ["md", "html"])
def test_a_report_speaks_of_its_own_kind_of_window_and_of_no_other(
    crowded: Path, kind: str, ending: str, language: str
) -> None:
    text = document(crowded, KINDS[kind][0], ending=ending, language=language)
    words = read_words(language)
    assert f"- {KINDS[kind][2]}" in text
    before = {"zh": "此前 28 {}的中位数", "en": "28 {} before"}[language]
    told = {
        other: before.format(words.word("spans", other)) in text
        for other in ("day", "week", "month", "custom")
    }
    # Heat's baseline is of 28 days, whatever the window.
    told["day"] = told["day"] and (language == "zh" or "in the 28 days before," in text)
    assert told == {other: other == kind for other in told}
    assert words.word("span", kind) in text or kind == "custom"


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("ending", ["md", "html"])
def test_a_long_window_is_told_by_days_and_a_short_one_by_hours(
    crowded: Path, kind: str, ending: str, language: str
) -> None:
    text = document(crowded, KINDS[kind][0], ending=ending, language=language)
    by_day = {"zh": "最忙的一天自", "en": "busiest day"}[language]
    by_hour = {"zh": "最忙的一小时自", "en": "hour (from"}[language]
    assert (by_day in text, by_hour in text) == (kind in LONG, kind not in LONG)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_lists_of_a_long_window_are_cut_into_days_and_hold_the_same_rows(
    crowded: Path, kind: str, language: str
) -> None:
    window_id = KINDS[kind][0]
    wanted = [
        t.number for x in report_of(crowded, window_id).listings for t in x.threads
    ]
    text = document(crowded, window_id, ending="md", language=language)
    appendix = text[text.index("## 📋") :]
    rows = re.findall(r"^- \[?`?#(\d+)", appendix, re.MULTILINE)
    assert [int(number) for number in rows] == wanted
    days = re.findall(r"^#### (\S+?)(?: \(|（)(\d+)", appendix, re.MULTILINE)
    tree = page(document(crowded, window_id, ending="html", language=language))
    folds = [d for d in elements(tree, "details") if d.get("class") == "of-day"]
    shown = [
        int(a.get("href").rpartition("/")[2])
        for d in elements(tree, "details")
        if d.get("id")
        for li in elements(d, "li")
        for a in elements(li, "a")[:1]
    ]
    assert len(shown) == len([n for n in wanted if n in shown])
    if kind in LONG:
        assert sum(int(count) for _, count in days) == len(wanted) == 8 + ISSUES
        assert len(folds) == len(days) > 8
        assert [len(elements(fold, "li")) for fold in folds] == [
            int(n) for _, n in days
        ]
        dates = [day for day, _ in days]
        assert all(re.fullmatch(r"2026-0\d-\d\d", day) for day in dates)
    else:
        assert days == [] and folds == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_of_a_crowded_section_some_are_told_in_full_and_every_other_in_a_line(
    crowded: Path, kind: str, language: str
) -> None:
    window_id = KINDS[kind][0]
    section = report_of(crowded, window_id).ecosystem
    assert section is not None
    numbers = {50_000 + n for n in range(THREADS)}
    text = document(crowded, window_id, ending="md", language=language)
    part = text[text.index("## 🎯") : text.index("## 💬")]
    named = [int(n) for n in re.findall(r"\[#(5\d{4}) ", part)]
    assert sorted(named) == sorted(numbers)
    evidence = {"zh": "**依据**", "en": "**Evidence**"}[language]
    assert part.count(evidence) <= 12 * 3
    tree = page(document(crowded, window_id, ending="html", language=language))
    ids = [
        e.get("id") for e in tree.iter() if str(e.get("id")).startswith("ecosystem-5")
    ]
    assert sorted(ids) == sorted(f"ecosystem-{number}" for number in numbers)
    cards = [a for a in elements(tree, "article") if str(a.get("id")).startswith("eco")]
    assert 12 <= len(cards) <= 36


def test_what_is_not_crowded_is_told_in_full(warehouse: Path) -> None:
    tree = page(document(warehouse, built.DAY, ending="html"))
    cards = [a for a in elements(tree, "article") if str(a.get("id")).startswith("eco")]
    section = report_of(warehouse, built.DAY).ecosystem
    assert section is not None and len(cards) == section.thread_count


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_page_of_any_kind_has_one_target_for_each_link_and_skips_no_heading(
    crowded: Path, kind: str, language: str
) -> None:
    tree = page(document(crowded, KINDS[kind][0], ending="html", language=language))
    ids = [element.get("id") for element in tree.iter() if element.get("id")]
    assert len(ids) == len(set(ids))
    inner = {a.get("href")[1:] for a in elements(tree, "a") if a.get("href")[0] == "#"}
    assert inner <= set(ids)
    found = (re.fullmatch(r"h([1-6])", str(element.tag)) for element in tree.iter())
    levels = [int(match[1]) for match in found if match]
    assert all(b <= a + 1 for a, b in pairwise(levels))


def test_data_of_any_kind_fits_the_schema(crowded: Path, kind: str) -> None:
    report = report_of(crowded, KINDS[kind][0])
    data = json.loads(machine.document(report))
    jsonschema.validate(data, json.loads(machine.schema()))
    assert data["window"]["is_long"] == (kind in LONG)
    assert data["window"]["label"] == KINDS[kind][2]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("ending", ["md", "html"])
def test_without_windows_before_nothing_is_said_to_rise_or_not_to(
    kind: str, tmp_path: Path, ending: str, language: str
) -> None:
    tables = contents(kind, is_crowded=False)
    for row in tables["reports.rpt_topics"]:
        row |= {"is_rising": False, "is_falling": False}
        row |= {"usual_share": None, "lift": None}
    tables["reports.rpt_summary"][0] |= {
        "rising_topic": None,
        "listing_count_median": None,
    }
    path = built.build(tmp_path / "warehouse.duckdb", tables)
    text = document(path, KINDS[kind][0], ending=ending, language=language)
    unsaid = {
        "zh": ("没有明显升温", "没有话题明显升温", "保持活跃"),
        "en": ("No topic rises", "Busy as usual"),
    }
    assert not [words for words in unsaid[language] if words in text]
    spans = read_words(language).word("spans", kind)
    why = {"zh": f"此前已覆盖的不足 7 {spans}", "en": f"oo few {spans} before"}
    # A custom window has none before it, and has said so at the top.
    assert text.count(why[language]) == (0 if kind == "custom" else 2)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_month_along_an_axis_goes_with_its_year(
    crowded: Path, kind: str, language: str
) -> None:
    report, words = report_of(crowded, KINDS[kind][0]), read_words(language)
    trend = drawn_for(report, words=words, named="x").trend
    assert trend is not None
    last = built_sections.FIRST + timedelta(days=27)
    wanted = f"{last:%Y-%m}" if kind == "month" else f"{last:%m-%d}"
    assert f">{wanted}</text>" in trend.svg


@pytest.mark.parametrize("kind", KINDS)
def test_a_windows_name_is_legible(kind: str) -> None:
    assert window_label(KINDS[kind][0]) == KINDS[kind][2]


def test_a_picture_without_medians_speaks_of_none(tmp_path: Path) -> None:
    tables = contents("month", is_crowded=False)
    counts = tables["reports.rpt_headline_counts"][0]
    counts |= {f"{name}_count_median": None for name in built.LISTINGS}
    path = built.build(tmp_path / "warehouse.duckdb", tables)
    for language, dashed in (("zh", "虚线"), ("en", "dashed")):
        text = document(path, KINDS["month"][0], ending="md", language=language)
        [line] = [x for x in text.splitlines() if ".trend.svg" in x]
        assert dashed not in line
        assert lines(text)
        assert words_of(page(document(path, KINDS["month"][0], ending="html")))
