"""Laws of the finished documents, read as their readers' programs read them."""

from __future__ import annotations

import hashlib
import re
from base64 import b64encode
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from render.escaping import plain
from tests.render import built
from tests.render.documents import (
    document,
    elements,
    lines,
    page,
    report_of,
    tokens,
    words_of,
)

LANGUAGES = ("zh", "en")


def appendix_lists(tree: Any) -> list[Any]:
    """The five lists of the appendix; the tables of numbers fold away too."""
    return [found for found in elements(tree, "details") if found.get("id")]


def changed(tmp_path: Path, **cells: object) -> Path:
    contents = built.tables()
    contents["reports.rpt_provenance"][0] |= cells
    return built.build(tmp_path / "warehouse.duckdb", contents)


def test_an_appendix_row_has_the_contracts_form(warehouse: Path) -> None:
    zh = document(warehouse, built.DAY, ending="md")
    en = document(warehouse, built.DAY, ending="md", language="en")
    row = (
        "- [#36075](https://github.com/vllm-project/vllm/issues/36075) \\[Bug\\]: "
        "Garbled rollouts with GLM5 if VLLM_USE_DEEP_GEMM is not set — bug,rocm — "
        "by S1ro1 ({}: 2026-03-05 10:02 (UTC+8))\n"
    )
    assert row.format("创建于") in zh
    assert row.format("created at") in en
    assert " — 无标签 — by dev-637" not in zh
    assert (
        "mi355 minimax m2.1 mxfp4 — rocm — by dev-637 (关闭于: 2026-03-05 06:02" in zh
    )
    assert re.search(r"— 无标签 — by dependabot\\\[bot\\\] \(合并于: ", zh)
    assert re.search(r"— no labels — by dev-043 \(created at: ", en)


@pytest.mark.parametrize("language", LANGUAGES)
def test_markdown_and_page_list_the_same_threads_in_the_same_order(
    warehouse: Path, language: str
) -> None:
    report = report_of(warehouse, built.DAY)
    wanted = [
        (f"#{t.number} {plain(t.title)}", listing.name.replace("_", "-"))
        for listing in report.listings
        for t in listing.threads
    ]
    markdown = document(warehouse, built.DAY, ending="md", language=language)
    appendix = lines(markdown[markdown.index("## 📋") :])
    rows = [line for line in appendix if line.startswith("#")]
    assert all(
        row.startswith(title) for row, (title, _) in zip(rows, wanted, strict=True)
    )
    tree = page(document(warehouse, built.DAY, ending="html", language=language))
    for details in appendix_lists(tree):
        shown = [words_of(item) for item in elements(details, "li")]
        here = [title for title, name in wanted if name == details.get("id")]
        assert len(shown) == len(here)
        assert all(item.startswith(t) for item, t in zip(shown, here, strict=True))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("ending", ["md", "html"])
def test_a_headings_count_is_its_rows(
    warehouse: Path, ending: str, language: str
) -> None:
    text = document(warehouse, built.DAY, ending=ending, language=language)
    if ending == "md":
        text = text[text.index("## 📋") :]
        headings = re.findall(r"^### .*[(（](\d+)[)）]$", text, re.MULTILINE)
        lists = re.split(r"^### ", text, flags=re.MULTILINE)[1:]
        counted = [part.split("\n---")[0].count("\n- ") for part in lists]
    else:
        details = appendix_lists(page(text))
        headings = [
            re.findall(r"\d+", words_of(elements(d, "h3")[0]))[-1] for d in details
        ]
        counted = [len(elements(d, "li")) for d in details]
    assert [int(n) for n in headings] == counted == [3, 2, 2, 1, 0]


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_theme_is_named_with_its_count_and_says_why_its_threads_are_together(
    warehouse: Path, language: str
) -> None:
    text = document(warehouse, built.DAY, ending="md", language=language)
    section = text[text.index("## 🎯") : text.index("## 💬")]
    groups = re.split(r"^### \d+\. ", section, flags=re.MULTILINE)[1:]
    why = {"zh": "首要话题同为“话题 {}”", "en": "by their first topic, “Topic {}”"}
    for group, topic in zip(groups, ("quantization", "ci", "lora"), strict=True):
        assert why[language].format(topic) in group
    names = [group.splitlines()[0] for group in groups]
    assert [re.sub(r"\D+", "", name) for name in names] == ["2", "4", "2"]
    # Other work by the ecosystem's people follows the last group, in h4 as well.
    assert [group.count("\n#### ") for group in groups] == [2, 4, 2 + 1]


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_size_and_an_effect_are_told_where_they_are_known(
    warehouse: Path, language: str
) -> None:
    text = document(warehouse, built.DAY, ending="md", language=language)
    first, second = re.split(r"^### \d\. ", text[text.index("## 🛠️") :], flags=re.M)[1:3]
    issue = "[#35637](https://github.com/vllm-project/vllm/issues/35637)"
    told = {
        "zh": (
            "- **规模**：新增 171 行、删除 0 行、2 个文件；"
            "主要在 vllm/model_executor, `@dev`/`#12`，另有 1 处",
            f"{issue}：4 人受影响，至窗口结束开放 3.3 天；`#35638`：非人工提交",
        ),
        "en": (
            "- **Size**: 171 lines added, 0 removed, 2 files; "
            "mostly in vllm/model_executor, `@dev`/`#12`, 1 more part",
            f"{issue}: 4 people affected, open for 3.3 days "
            "by the window's end; `#35638`: opened by no person",
        ),
    }
    for sentence in told[language]:
        assert sentence in first
    assert {"zh": "规模", "en": "Size"}[language] not in second.split("\n## ")[0]


@pytest.mark.parametrize("language", LANGUAGES)
def test_an_affiliations_source_is_told_in_our_words_or_quoted(
    tmp_path: Path, language: str
) -> None:
    contents = built.tables()
    people = contents["reports.rpt_ecosystem_contributors"]
    people[1] |= {"author_affiliation": "amd", "affiliation_source": "own_name"}
    path = built.build(tmp_path / "warehouse.duckdb", contents)
    text = document(path, built.DAY, ending="md", language=language)
    ours = {"zh": "账号名中写明", "en": "the account's own name says so"}
    assert ours[language] in text
    assert "“the login \\| says \\`so\\`”" in text
    assert "own_name" not in text


@pytest.mark.parametrize("language", LANGUAGES)
def test_markdown_holds_no_html_only_our_pictures_and_links_to_github_only(
    warehouse: Path, language: str
) -> None:
    found = list(tokens(document(warehouse, built.DAY, ending="md", language=language)))
    kinds = {t.type for t in found}
    assert not kinds & {"html_inline", "html_block", "em_open", "s_open"}
    assert [t.attrGet("src") for t in found if t.type == "image"] == [
        f"2026-03-04.{language}.{name}.svg"
        for name in ("trend", "share", "heat", "topics")
    ]
    assert not kinds & {"table_open", "code_block", "fence"}
    links = {t.attrGet("href") for t in found if t.type == "link_open"}
    assert links and all(
        str(link).startswith("https://github.com/vllm-project/vllm/") for link in links
    )


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_runs_nothing_and_asks_for_nothing(
    warehouse: Path, language: str
) -> None:
    text = document(warehouse, built.DAY, ending="html", language=language)
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
    assert all(link.startswith("https://github.com/vllm-project/") for link in outward)


def test_the_pages_policy_allows_its_own_style_and_nothing_else(
    warehouse: Path,
) -> None:
    tree = page(document(warehouse, built.DAY, ending="html"))
    [style] = elements(tree, "style")
    digest = b64encode(hashlib.sha256(style.text.encode()).digest()).decode()
    [policy] = [
        meta.get("content")
        for meta in elements(tree, "meta")
        if meta.get("http-equiv") == "Content-Security-Policy"
    ]
    assert policy == (
        f"default-src 'none'; style-src 'sha256-{digest}'; "
        "base-uri 'none'; form-action 'none'"
    )


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("window_id", [built.DAY, built.EMPTY_DAY])
def test_every_inner_link_has_one_target(
    warehouse: Path, window_id: str, language: str
) -> None:
    tree = page(document(warehouse, window_id, ending="html", language=language))
    ids = [element.get("id") for element in tree.iter() if element.get("id")]
    assert len(ids) == len(set(ids))
    inner = {a.get("href")[1:] for a in elements(tree, "a") if a.get("href")[0] == "#"}
    assert inner <= set(ids)
    assert tree.get("lang") == language
    if window_id == built.DAY:
        assert {"ecosystem-35893", "hot-31845", "new-issue-36075"} <= set(ids)


def test_no_list_of_the_page_is_open_at_first(warehouse: Path) -> None:
    tree = page(document(warehouse, built.DAY, ending="html"))
    assert len(appendix_lists(tree)) == 5
    assert {d.get("open") for d in elements(tree, "details")} == {None}


def test_headings_never_skip_a_level(warehouse: Path) -> None:
    for window_id in (built.DAY, built.EMPTY_DAY):
        tree = page(document(warehouse, window_id, ending="html"))
        found = (re.fullmatch(r"h([1-6])", str(element.tag)) for element in tree.iter())
        levels = [int(match[1]) for match in found if match]
        assert levels[0] == 1 and levels.count(1) == 1
        assert all(b <= a + 1 for a, b in pairwise(levels))


@pytest.mark.parametrize("ending", ["md", "html"])
def test_a_row_that_shows_todays_state_has_its_footnote(
    warehouse: Path, ending: str
) -> None:
    text = document(warehouse, built.DAY, ending=ending)
    assert text.count("†") == 2
    assert "†" not in document(warehouse, built.EMPTY_DAY, ending=ending)


@pytest.mark.parametrize("ending", ["md", "html"])
def test_synthetic_data_is_announced_and_real_data_is_not(
    warehouse: Path, ending: str
) -> None:
    assert "合成数据" in document(warehouse, built.DAY, ending=ending)
    assert "合成数据" not in document(warehouse, built.EMPTY_DAY, ending=ending)


@pytest.mark.parametrize("ending", ["md", "html"])
def test_an_incomplete_window_names_each_short_stream_and_its_end(
    tmp_path: Path, ending: str
) -> None:
    streams = built.tables()["reports.rpt_provenance"][0]["streams"]
    streams[1] |= {"covered_until": built.at("2026-03-05 01:00"), "is_enough": False}
    streams[3] |= {"covered_from": None, "covered_until": None, "is_enough": False}
    partial = {"is_complete": False, "completeness": "partial"}
    path = changed(tmp_path, streams=streams, **partial)
    text = document(path, built.DAY, ending=ending)
    banner = text[text.index("数据不完整") : text.index("数据统计")]
    assert "讨论评论 2026-02-04 11:24 (UTC+8) 至 2026-03-05 09:00 (UTC+8)" in banner
    assert "事件 无数据" in banner
    assert "Issue 与 PR" not in banner and "代码评审评论" not in banner


@pytest.mark.parametrize("ending", ["md", "html"])
def test_an_incomplete_window_whose_streams_reach_its_end_says_it_is_too_soon(
    tmp_path: Path, ending: str
) -> None:
    path = changed(tmp_path, is_complete=False, completeness="partial")
    assert "最后一次同步开始得太早" in document(path, built.DAY, ending=ending)


@pytest.mark.parametrize("ending", ["md", "html"])
def test_a_targeted_window_says_what_it_misses(
    tmp_path: Path, warehouse: Path, ending: str
) -> None:
    path = changed(tmp_path, completeness="targeted")
    assert "会漏掉窗口内关闭" in document(path, built.DAY, ending=ending)
    assert "会漏掉窗口内关闭" not in document(warehouse, built.DAY, ending=ending)


@pytest.mark.parametrize("ending", ["md", "html"])
def test_why_there_is_no_median_is_said(tmp_path: Path, ending: str) -> None:
    def text(**cells: object) -> str:
        contents = built.tables()
        contents["reports.rpt_provenance"][1] |= cells
        path = built.build(tmp_path / f"{len(list(tmp_path.iterdir()))}.db", contents)
        return document(path, built.EMPTY_DAY, ending=ending)

    assert "只覆盖了 3 天（至少需要 7 天）" in text()
    assert "自定义窗口没有可比的基线" in text(window_kind="custom")
    assert "定向抓取得到，没有基线" in text(completeness="targeted")


def test_a_median_that_is_missing_alone_is_a_dash(tmp_path: Path) -> None:
    contents = built.tables()
    contents["reports.rpt_headline_counts"][0]["new_pr_count_median"] = None
    path = built.build(tmp_path / "warehouse.duckdb", contents)
    text = document(path, built.DAY, ending="md")
    assert "新 Issue 20 | 关闭 Issue 41.5 | 新 PR — | 合并 PR 60" in text


def test_the_head_of_the_report_is_the_references(warehouse: Path) -> None:
    text = document(warehouse, built.DAY, ending="md")
    assert text.startswith("# vLLM 开发动态报告 - 2026-03-04\n")
    assert "时间窗口**: 2026-03-04 11:24 (UTC+8) ~ 2026-03-05 11:24 (UTC+8)\n" in text
    assert (
        "数据统计**: 新 Issue 3 | 关闭 Issue 2 | 新 PR 2 | 合并 PR 1 | "
        "关闭未合并 PR 0\n"
    ) in text


@pytest.mark.parametrize("ending", ["md", "html"])
def test_a_day_of_zeros_says_so_in_one_line_a_section(
    warehouse: Path, ending: str
) -> None:
    text = document(warehouse, built.EMPTY_DAY, ending=ending)
    assert text.count("本窗口没有与 AMD/ROCm 相关的 Issue 或 PR。") == 1
    assert text.count("本窗口没有讨论达到列入门槛") == 1
    assert text.count("本窗口内没有。") == 5


@pytest.mark.parametrize("ending", ["md", "html"])
def test_an_ecosystem_without_a_display_name_goes_by_its_key(
    tmp_path: Path, ending: str
) -> None:
    path = changed(tmp_path, spotlight_ecosystem="new-chip")
    assert "本窗口没有与 new-chip 相关" in document(path, built.DAY, ending=ending)


@pytest.mark.parametrize("ending", ["md", "html"])
def test_the_same_tables_give_the_same_bytes(
    tmp_path: Path, warehouse: Path, ending: str
) -> None:
    again = built.build(tmp_path / "again.duckdb")
    first = document(warehouse, built.DAY, ending=ending)
    assert document(again, built.DAY, ending=ending) == first
