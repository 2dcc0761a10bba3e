"""A window that was published otherwise says what moved; any other says nothing."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from tests.render import built
from tests.render.documents import document, elements, page, report_of, words_of


def restated(what: str, change: str, **cells: object) -> dict[str, Any]:
    number = cells.get("number")
    return {
        "restatement_id": f"{built.DAY}@2/{what}/{number}/{change}",
        "window_id": built.DAY,
        "version": 2,
        "what": what,
        "listing": what.removesuffix("_count"),
        "change": change,
        "url": built.url(number) if isinstance(number, int) else None,
        "reason": "late_event",
        "published_at": built.at("2026-03-05 04:00"),
        "restated_at": built.at("2026-03-06 04:00"),
    } | cells


COUNTED: dict[str, Any] = {"from_value": "46", "to_value": "47"}


def path_of(tmp_path: Path, *rows: dict[str, Any]) -> Path:
    contents = built.tables()
    contents["reports.rpt_restatements"] = list(rows)
    return built.build(tmp_path / "warehouse.duckdb", contents)


def said(path: Path, language: str) -> set[str]:
    """The line on restatements, in both documents."""
    markdown = document(path, built.DAY, ending="md", language=language)
    marks = {"zh": "更正：", "en": "restated: "}
    lines = {
        part.partition(marks[language])[2]
        for part in markdown.splitlines()[-1].split(" · ")
        if part.startswith(marks[language])
    }
    tree = page(document(path, built.DAY, ending="html", language=language))
    items = {
        text.partition(marks[language])[2]
        for item in elements(tree, "li")
        if (text := words_of(item)).startswith(marks[language])
    }
    return {plain_of(line) for line in lines} | items


def plain_of(line: str) -> str:
    """The line without its marks and the addresses of its links."""
    return re.sub(r"\[(#\d+)\]\([^)]*\)|`(#\d+)`", r"\1\2", line)


def test_a_count_is_told_with_the_thread_that_moved_it(tmp_path: Path) -> None:
    path = path_of(
        tmp_path,
        restated("closed_issue_count", "counted", **COUNTED),
        restated("closed_issue", "appeared", number=123),
    )
    assert said(path, "en") == {"closed issues 46 → 47 (#123, late event)"}
    assert said(path, "zh") == {"关闭 Issue 46 → 47（#123，事件迟到）"}


def test_a_list_whose_length_stayed_is_told_by_its_threads(tmp_path: Path) -> None:
    path = path_of(
        tmp_path,
        restated("new_pr", "left", number=7, reason="vanished"),
        restated("new_pr", "appeared", number=8, reason="late_row"),
        restated("new_pr", "retitled", number=9, reason="silent_change"),
        restated("new_issue", "relabelled", number=5, reason="of the future"),
    )
    assert said(path, "en") == {
        "new issues (#5 relabelled, of the future); new PRs (#7 left, vanished from "
        "GitHub; #8, late row; #9 retitled, changed without an event)"
    }


def test_of_many_threads_five_are_named_and_the_others_counted(tmp_path: Path) -> None:
    many = [restated("new_pr", "appeared", number=number) for number in range(1, 10)]
    path = path_of(tmp_path, *many)
    [line] = said(path, "en")
    assert line.endswith("#5, late event; and 4 more)")
    assert len(report_of(path, built.DAY).provenance.restatements[0].threads) == 9


def test_each_publication_is_told_in_its_turn(tmp_path: Path) -> None:
    later = {"version": 3, "from_value": "47", "to_value": "45"}
    path = path_of(
        tmp_path,
        restated("closed_issue_count", "counted", **later),
        restated("closed_issue_count", "counted", **COUNTED),
    )
    assert said(path, "en") == {"closed issues 46 → 47; closed issues 47 → 45"}
    told = report_of(path, built.DAY).provenance.restatements
    assert [(one.count_before, one.count) for one in told] == [(46, 47), (47, 45)]


@pytest.mark.parametrize("language", ["zh", "en"])
def test_a_window_that_stands_as_published_says_nothing(
    tmp_path: Path, language: str
) -> None:
    other = restated("new_pr", "appeared", number=8, window_id=built.EMPTY_DAY)
    assert said(path_of(tmp_path, other), language) == set()


def test_a_strangers_address_is_no_link(tmp_path: Path) -> None:
    row = restated("new_pr", "appeared", number=8, url="javascript:void(8)")
    path = path_of(tmp_path, row)
    assert said(path, "en") == {"new PRs (#8, late event)"}
    for ending in ("md", "html"):
        text = document(path, built.DAY, ending=ending)
        assert "void(8)" not in text
