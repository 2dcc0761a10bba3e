"""Laws of the finished documents, read as their readers' programs read them."""

from __future__ import annotations

import copy
import hashlib
import json
import os
import re
from base64 import b64encode
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from render.escaping import plain
from render.filters import LISTINGS, short_title
from render.report import context_of, window_label
from render.schema import SCHEMA_PATH, schema
from tests.render.documents import (
    elements,
    empty,
    files,
    lines,
    page,
    rows_of,
    tokens,
    words_of,
)
from tests.render.sample_day import CUSTOM, DAY, MONTH, WEEK

LANGUAGES = ("zh", "en")
Rows = dict[str, Any]


@pytest.fixture(scope="module", params=[DAY, WEEK, MONTH, CUSTOM])
def any_window(request: pytest.FixtureRequest, kinds: Path) -> Rows:
    return rows_of(kinds, request.param)


def changed(rows: Rows, table: str, **cells: object) -> Rows:
    return rows | {table: rows[table] | cells}


def appendix(markdown: str) -> str:
    return markdown[markdown.index("## 📋") :]


def body(markdown: str) -> str:
    return markdown[: markdown.index("## 📋")]


def test_the_head_is_the_title_the_window_and_the_five_counts(day: Rows) -> None:
    text = files(day)["md"]
    assert text.startswith("# Sample Engine 开发动态报告 - 2026-03-04\n")
    assert "时间窗口**: 2026-03-04 11:24 (UTC+8) ~ 2026-03-05 11:24 (UTC+8)\n" in text
    assert (
        "数据统计**: 新 Issue 22 | 关闭 Issue 44 | 新 PR 113 | 合并 PR 59 | "
        "关闭未合并 PR 128\n"
    ) in text


@pytest.mark.parametrize(
    ("language", "event"), [("zh", "创建于"), ("en", "created at")]
)
def test_an_appendix_row_has_its_published_form(
    day: Rows, language: str, event: str
) -> None:
    text = appendix(files(day, language)["md"])
    label = {"zh": "无标签", "en": "no labels"}[language]
    rows = re.findall(
        rf"^- \[#\d+\]\(https://github\.com/[^)]+\) .+ — .+ — by \S+ \({event}: "
        r"2026-03-0\d \d\d:\d\d \(UTC\+8\)\)$",
        text,
        re.MULTILINE,
    )
    assert len(rows) == 22 + 113
    assert f" — {label} — by " in text


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_lists_hold_the_tables_rows_in_their_order_in_both_formats(
    any_window: Rows, language: str
) -> None:
    wanted = [
        (row["number"], name)
        for name in LISTINGS
        for row in any_window["listed_threads"]
        if row["listing"] == name
    ]
    made = files(any_window, language)
    rows = re.findall(r"^- \[?`?#(\d+)", appendix(made["md"]), re.MULTILINE)
    assert [int(number) for number in rows] == [number for number, _ in wanted]
    ids = [str(e.get("id")) for e in elements(page(made["html"]), "li") if e.get("id")]
    assert ids == [f"{name.replace('_', '-')}-{number}" for number, name in wanted]
    counted = re.findall(r"^### .*[(（](\d+)[)）]$", appendix(made["md"]), re.MULTILINE)
    assert [int(n) for n in counted] == [
        sum(listing == name for _, listing in wanted) for name in LISTINGS
    ]


def test_a_long_window_is_cut_into_days_and_a_short_one_is_not(
    any_window: Rows,
) -> None:
    made = files(any_window)
    days = re.findall(r"^#### .*（(\d+)）$", made["md"], re.MULTILINE)
    every = elements(page(made["html"]), "details")
    folds = [each for each in every if each.get("class") == "of-day"]
    assert len(folds) == len(days)
    is_long = any_window["provenance"]["window_kind"] in ("week", "month")
    assert bool(days) == is_long
    if is_long:
        assert sum(map(int, days)) == len(any_window["listed_threads"])


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_report_speaks_of_its_own_kind_of_window(
    any_window: Rows, language: str
) -> None:
    text = files(any_window, language)["md"].splitlines()[0]
    provenance = any_window["provenance"]
    assert text.endswith(f"- {window_label(provenance['window_id'])}")
    told = {
        "zh": {"day": "动态报告", "week": "周报", "month": "月报", "custom": "自定义"},
        "en": {"day": "Development", "week": "Weekly", "month": "Monthly"},
    }[language]
    assert told.get(provenance["window_kind"], "custom") in text


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_front_page_and_the_body_keep_their_budgets(
    any_window: Rows, language: str
) -> None:
    text = body(files(any_window, language)["md"])
    assert len(text.splitlines()) <= 120
    front = text[text.index("\n**") : text.index("\n## ")]
    assert words_in(front) <= (250 if language == "en" else 410)
    assert words_in(text) <= (1000 if language == "en" else 1400)


def words_in(markdown: str) -> int:
    """English words, and Chinese characters, of what a reader reads: no banner's, no
    numbers, and no link to the evidence.
    """
    text = re.sub(r"(?m)^>.*$|\[▸[^)]*\)", "", markdown)
    return len(re.findall(r"[A-Za-z][\w.+#'-]*|[\u4e00-\u9fff]", " ".join(lines(text))))


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_thread_has_its_item_once_and_its_permalink_on_it(
    any_window: Rows, language: str
) -> None:
    context = context_of(any_window)
    made = files(any_window, language)
    cards = [e.get("id") for e in elements(page(made["html"]), "article")]
    assert len(cards) == len(set(cards)) == len(context["home"])
    text = body(made["md"])
    for number in (int(card.removeprefix("t-")) for card in cards):
        assert text.count(f"evidence.md#t-{number})") == 1
        assert made["evidence.md"].count(f'<a id="t-{number}"></a>') == 1


@pytest.mark.parametrize("language", LANGUAGES)
def test_nothing_in_print_is_a_score_a_rank_or_has_two_decimals(
    any_window: Rows, language: str
) -> None:
    strangers = sorted(texts(any_window), key=len, reverse=True)
    made = files(any_window, language)
    for text in (body(made["md"]), made["evidence.md"]):
        shown = "\n".join(lines(text))
        for stranger in strangers:
            shown = shown.replace(stranger, "").replace(short_title(stranger), "")
        for word in ("lift", "提升度", "pace ratio", "heat score", "rank", "热度分"):
            assert word not in shown.lower()
        assert not re.search(r"\d\.\d\d", shown)


def texts(cell: Any) -> Iterator[str]:
    """Every text of the rows, as a reader's program shows it."""
    if isinstance(cell, dict):
        for part in cell.values():
            yield from texts(part)
    elif isinstance(cell, list):
        for part in cell:
            yield from texts(part)
    elif isinstance(cell, str) and len(cell) > 2:
        yield plain(cell)


def test_both_languages_hold_the_same_links_in_the_same_order(
    any_window: Rows,
) -> None:
    links = [
        [
            t.attrGet("href")
            for t in tokens(files(any_window, language)["md"])
            if t.type == "link_open" and "github.com" in str(t.attrGet("href"))
        ]
        for language in LANGUAGES
    ]
    assert links[0] == links[1]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_line_of_the_front_page_leads_to_its_thread_or_list(
    day: Rows, language: str
) -> None:
    tree = page(files(day, language)["html"])
    [front] = [e for e in elements(tree, "section") if e.get("class") == "front"]
    for line in elements(front, "li"):
        assert elements(line, "a"), words_of(line)
    shown = {int(n) for n in re.findall(r"#(\d+)", words_of(front))}
    assert {row["number"] for row in day["front_page"]} <= shown


def test_a_revert_leads_the_front_page_and_the_lead_sentence_says_so(day: Rows) -> None:
    first = copy.deepcopy(day["front_page"][0]) | {
        "slot": "act_on",
        "position": 0,
        "chip": "revert",
        "candidate_count": 1,
        "reverted_number": 77,
        "reverted_url": "https://github.com/o/r/pull/77",
        "reverted_after_hours": 16.3,
    }
    text = files(day | {"front_page": [first, *day["front_page"]]}, "en")["md"]
    assert "one of them already faces a revert" in text
    assert "`Revert`" in text
    assert "16 hours after [#77](https://github.com/o/r/pull/77) was merged" in text


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("ending", ["md", "html"])
def test_a_window_of_zeros_says_so_and_shows_no_empty_slot(
    day: Rows, ending: str, language: str
) -> None:
    text = files(empty(day), language)[ending]
    none = {"zh": "本窗口没有", "en": "window"}[language]
    assert none in text
    for slot in {"zh": ("需要处理", "热议"), "en": ("Act on", "Discussed")}[language]:
        assert slot not in text


@pytest.mark.parametrize("ending", ["md", "html"])
def test_an_incomplete_window_names_each_short_stream(day: Rows, ending: str) -> None:
    streams = [dict(stream) for stream in day["provenance"]["streams"]]
    streams[0] |= {"covered_from": None, "covered_until": None, "is_enough": False}
    rows = changed(
        day, "provenance", is_complete=False, completeness="partial", streams=streams
    )
    assert "各项数字可能偏低" in files(rows)[ending]
    assert "无数据" in files(rows)[ending]
    settled = changed(day, "provenance", is_complete=False)
    assert "最后一次同步开始得太早" in files(settled)[ending]
    assert "数据不完整" not in files(day)[ending]


@pytest.mark.parametrize("ending", ["md", "html"])
def test_why_there_is_no_median_is_said(day: Rows, ending: str) -> None:
    counts = {
        name: None if name.endswith("_median") else value
        for name, value in day["headline_counts"].items()
    }
    rows = changed(day | {"headline_counts": counts}, "summary", is_comparable=False)
    for cells, why in (
        ({"baseline_window_count": 3}, "只覆盖了 3 天（至少需要 7 天）"),
        ({"window_kind": "custom"}, "自定义窗口没有可比的基线"),
        ({"completeness": "targeted"}, "定向抓取得到，没有基线"),
    ):
        assert why in files(changed(rows, "provenance", **cells))[ending]


@pytest.mark.parametrize("ending", ["md", "html"])
def test_where_too_little_happened_before_nothing_is_compared(
    day: Rows, ending: str
) -> None:
    text = files(changed(day, "summary", is_comparable=False))[ending]
    assert "此前 28 天动态太少" in text
    for words in ("中位数", "平时约", "多于平时", "少于平时"):
        assert words in files(day)[ending] or words == "少于平时"
        assert words not in text


@pytest.mark.parametrize("ending", ["md", "html"])
def test_what_was_restated_is_told(day: Rows, ending: str) -> None:
    row = {
        "listing": "merged_pr",
        "change": "counted",
        "number": None,
        "url": None,
        "from_value": "46",
        "to_value": "47",
    }
    left = row | {
        "change": "left",
        "number": 9,
        "url": "https://github.com/o/r/pull/9",
    }
    text = files(day | {"restatements": [row, left]})[ending]
    assert "更正：合并 PR 46 → 47；合并 PR " in text
    assert "移出" in text
    assert "更正" not in files(day)[ending]


@pytest.mark.parametrize("ending", ["md", "html"])
def test_a_row_that_shows_todays_state_has_its_footnote(day: Rows, ending: str) -> None:
    rows = copy.deepcopy(day)
    assert "†" not in files(rows)[ending]
    rows["listed_threads"][0]["as_of_basis"] = "current"
    assert files(rows)[ending].count("†") == 2


def test_the_markdown_is_plain_but_for_the_folded_appendix(any_window: Rows) -> None:
    made = files(any_window)
    found = list(tokens(made["md"]))
    html = [t.content for t in found if t.type in ("html_block", "html_inline")]
    assert {re.sub(r">[^<]*<", "><", each.strip()) for each in html} == {
        "<details><summary></summary>",
        "</details>",
    }
    kinds = {t.type for t in found}
    assert not kinds & {"s_open", "table_open", "code_block", "fence", "image"}
    for token in tokens(made["evidence.md"]):
        assert token.type not in ("html_block", "s_open", "table_open", "code_block")
        if token.type == "html_inline":
            assert re.fullmatch(r'<a id="[a-z]+(-\d+)?">|</a>', token.content)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_runs_nothing_and_asks_for_nothing(day: Rows, language: str) -> None:
    text = files(day, language)["html"]
    tree = page(text)
    names = {str(element.tag) for element in tree.iter()}
    assert not names & {"script", "img", "link", "iframe", "object", "form", "b"}
    assert not names & {"foreignObject", "image", "use", "animate", "set"}
    for element in tree.iter():
        assert not {"style", "src", "srcset", "background"} & set(element.attrib)
        assert not [name for name in element.attrib if name.startswith("on")]
    assert "url(" not in text and "@import" not in text
    links = {a.get("href") for a in elements(tree, "a")}
    outward = {link for link in links if not link.startswith("#")}
    assert all(link.startswith("https://github.com/example-org/") for link in outward)
    [style] = elements(tree, "style")
    digest = b64encode(hashlib.sha256(style.text.encode()).digest()).decode()
    assert (
        f"default-src 'none'; style-src 'sha256-{digest}'; "
        "base-uri 'none'; form-action 'none'"
    ) in text.replace("&#39;", "'")


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_inner_link_has_one_target_and_no_heading_skips_a_level(
    any_window: Rows, language: str
) -> None:
    for rows in (any_window, empty(any_window)):
        tree = page(files(rows, language)["html"])
        ids = [element.get("id") for element in tree.iter() if element.get("id")]
        assert len(ids) == len(set(ids))
        inner = {
            a.get("href")[1:] for a in elements(tree, "a") if a.get("href")[0] == "#"
        }
        assert inner <= set(ids)
        found = (re.fullmatch(r"h([1-6])", str(e.tag)) for e in tree.iter())
        levels = [int(match[1]) for match in found if match]
        assert levels[0] == 1 and levels.count(1) == 1
        assert all(b <= a + 1 for a, b in pairwise(levels))
        assert {d.get("open") for d in elements(tree, "details")} <= {None}


HOSTILE = (
    "</title>]( [x](https://evil.example) <img src=x onerror=alert(1)> @dev `#1 {{7*7}}"
)


def hostile(cell: Any, name: str = "") -> Any:
    """The rows with every stranger's text replaced, and every address a script's."""
    if isinstance(cell, dict):
        return {key: hostile(part, key) for key, part in cell.items()}
    if isinstance(cell, list):
        return [hostile(part, name) for part in cell]
    if not isinstance(cell, str):
        return cell
    if name.endswith("url"):
        return None
    strangers = ("title", "excerpt", "symptom", "matched", "labels", "areas", "login")
    is_text = any(name.endswith(end) for end in strangers)
    return HOSTILE if is_text or name in ("title_prefix", "variant") else cell


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_strangers_text_is_text_wherever_it_stands(day: Rows, language: str) -> None:
    rows = {
        name: cell if name == "provenance" else hostile(cell)
        for name, cell in day.items()
    }
    made = files(rows, language)
    for name in ("md", "evidence.md", "post.md"):
        for token in tokens(made[name]):
            if token.type in ("html_inline", "html_block"):
                assert "img" not in token.content and "title>" not in token.content
            assert "evil" not in str(token.attrGet("href"))
            if token.type == "text":
                assert "@dev" not in token.content and "#1 " not in token.content
        assert "{{" not in made[name]
    tree = page(made["html"])
    assert not elements(tree, "img")
    assert made["html"].count("onerror") > 300
    assert not [a for a in elements(tree, "a") if "evil" in a.get("href")]


def test_the_data_are_the_rows_and_fit_the_schema(any_window: Rows) -> None:
    data = json.loads(files(any_window)["json"])
    jsonschema.validate(data, json.loads(schema()))
    assert len(data["listed_threads"]) == len(any_window["listed_threads"])
    assert set(data) == {"schema_version", "tool_version", *any_window}


def test_the_published_schema_is_the_one_of_dbts_contracts() -> None:
    if os.environ.get("REGENERATE") == "1":
        SCHEMA_PATH.write_text(schema(), "utf-8")
    assert SCHEMA_PATH.read_text("utf-8") == schema()


@pytest.mark.parametrize(
    ("window_id", "label"),
    [
        ("vllm:day:2026-03-04", "2026-03-04"),
        ("vllm:week:2026-03-02", "2026-03-02 – 2026-03-08"),
        ("vllm:month:2026-03-01", "2026-03"),
        ("vllm:custom:2026-03-04T11:24+3h", "2026-03-04 11:24 +3h"),
    ],
)
def test_a_windows_name_is_legible(window_id: str, label: str) -> None:
    assert window_label(window_id) == label
