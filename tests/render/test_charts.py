"""Laws of the pictures: the same bytes, our words alone, and no colour of their own."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

from render import charts
from render.charts import drawn, picture_file
from render.pictures import Pictures, drawn_for, picture_files
from render.words import read_words
from tests.render import built, built_sections
from tests.render.documents import report_of

SVG = "{http://www.w3.org/2000/svg}"
NAMES = ("trend", "share", "heat", "topics")


def pictures(path: Path, window_id: str = built.DAY, language: str = "zh") -> Pictures:
    report = report_of(path, window_id)
    return drawn_for(report, words=read_words(language), named="2026-03-04.zh")


def changed(tmp_path: Path, table: str, **cells: object) -> Path:
    contents = built.tables()
    for row in contents[table]:
        row |= cells
    return built.build(tmp_path / "warehouse.duckdb", contents)


@pytest.fixture(scope="module")
def files(warehouse: Path) -> dict[str, ElementTree.Element]:
    written = picture_files(pictures(warehouse))
    assert list(written) == [f"2026-03-04.zh.{name}.svg" for name in NAMES]
    return {
        name: ElementTree.fromstring(text)
        for name, text in zip(NAMES, written.values(), strict=True)
    }


@pytest.mark.parametrize("name", NAMES)
def test_a_picture_has_a_title_and_a_description(files, name: str) -> None:
    root = files[name]
    assert root.get("role") == "img"
    labelled = root.get("aria-labelledby").split()
    said = {e.get("id"): e.text for e in root if e.tag in (f"{SVG}title", f"{SVG}desc")}
    assert [bool(said[id_]) for id_ in labelled] == [True, True]


@pytest.mark.parametrize("name", NAMES)
def test_a_picture_runs_nothing_and_fetches_nothing(files, name: str) -> None:
    for element in files[name].iter():
        assert element.tag.removeprefix(SVG) in {
            *("svg", "g", "path", "line", "rect", "text", "title", "desc", "style"),
        }
        for key, value in element.attrib.items():
            assert not key.startswith("on") and "href" not in key and key != "style"
            assert "url(" not in value and "://" not in value
    assert "@import" not in charts.STYLE and "url(" not in charts.STYLE


@pytest.mark.parametrize("name", NAMES)
def test_every_colour_is_one_that_the_theme_sets(files, name: str) -> None:
    """So that it is legible on dark, on light and on paper."""
    page = (Path(charts.__file__).parent / "static" / "report.css").read_text("utf-8")
    used = set()
    for element in files[name].iter():
        for key in ("fill", "stroke"):
            colour = element.get(key, "none")
            found = re.fullmatch(r"var\((--chart-[a-z]+), #[0-9a-f]{6}\)", colour)
            assert found or colour in ("none", "transparent"), colour
            used |= {found[1]} if found else set()
    assert "--chart-ink" in used
    for variable in used:
        assert charts.STYLE.count(f"{variable}:") == 2, "in light and in dark"
        assert page.count(f"{variable}:") == 3, "in light, in dark and in print"


def test_labels_are_text_in_the_readers_language(files) -> None:
    words = {name: [e.text for e in files[name].iter(f"{SVG}text")] for name in NAMES}
    assert {"新 Issue", "关闭未合并 PR", "03-04"} <= set(words["trend"])
    assert "话题 quantization" in words["topics"]
    assert {"10:24", "14:24"} <= set(words["heat"])
    assert "28%" in words["share"] or "20%" in words["share"]


def test_a_bar_stands_for_each_covered_window_and_this_one_stands_out(files) -> None:
    bars = [e for e in files["share"].iter() if "--chart-" in e.get("fill", "")]
    marked = [e for e in bars if "--chart-now" in e.get("fill", "")]
    plain = [e for e in bars if "--chart-bar" in e.get("fill", "")]
    # 28 places: the first has no window, two are not covered.
    assert (len(marked), len(plain)) == (1, 24)


def test_no_strangers_word_enters_a_picture(warehouse: Path) -> None:
    for text in picture_files(pictures(warehouse)).values():
        assert "alert" not in text and "evil" not in text


def test_our_own_words_are_escaped() -> None:
    svg = drawn(
        "pairs",
        {"rows": [{"name": "a", "value": 1, "before": 2, "shown": "1"}]},
        name="x",
        title="<b>&",
        description="</desc>",
        words={"a": "</text><script>"},
    )
    root = ElementTree.fromstring(picture_file(svg))
    assert next(e.text for e in root.iter(f"{SVG}text")) == "</text><script>"
    assert not list(root.iter(f"{SVG}script")) and root[1].text == "<b>&"


def test_where_nothing_can_be_compared_nothing_is_drawn(warehouse: Path) -> None:
    empty = pictures(warehouse, built.EMPTY_DAY)
    assert empty == Pictures(trend=None, share=None, heat=None, topics=None)


def test_topics_without_a_usual_share_are_not_compared(tmp_path: Path) -> None:
    path = changed(tmp_path, "reports.rpt_topics", usual_share=None)
    assert pictures(path).topics is None


def test_a_window_of_zeros_among_others_is_drawn_as_zero(tmp_path: Path) -> None:
    zeros = {f"{name}_count": 0 for name in built_sections.LISTINGS}
    path = changed(tmp_path, "reports.rpt_trend", **zeros)
    assert pictures(path).trend is not None


def test_pictures_are_the_same_bytes_in_any_process(warehouse: Path) -> None:
    code = (
        "import sys; from pathlib import Path; from tests.render.test_charts import *; "
        "sys.stdout.write(''.join(picture_files(pictures(Path(sys.argv[1]))).values()))"
    )
    seen = {
        subprocess.run(
            [sys.executable, "-c", code, str(warehouse)],
            cwd=Path(__file__).parents[2],
            env={"PATH": os.environ["PATH"], "PYTHONHASHSEED": seed, "TZ": zone},
            capture_output=True,
            check=True,
        ).stdout
        for seed, zone in (("1", "UTC"), ("2", "Asia/Kolkata"))
    }
    assert len(seen) == 1
    assert seen.pop().decode() == "".join(picture_files(pictures(warehouse)).values())


def test_a_panel_tells_its_largest_value_and_never_the_median_over_it(
    tmp_path: Path,
) -> None:
    """`pr` lies under its median; of `merged_pr` nothing happened at all."""
    contents = built.tables()
    for row in contents["reports.rpt_trend"]:
        row |= {"new_pr_count": 7 * (row["position"] == 28), "merged_pr_count": 0}
    for row in contents["reports.rpt_headline_counts"]:
        row |= {"new_pr_count_median": 9.0, "merged_pr_count_median": 0.0}
    path = built.build(tmp_path / "warehouse.duckdb", contents)
    trend = pictures(path).trend
    assert trend is not None
    shown = [e.text for e in ElementTree.fromstring(trend.svg).iter(f"{SVG}text")]
    told = [text for text in shown if text and text.replace(".", "").isdigit()]
    assert told == ["27", "28", "7", "0", "31"]


def test_few_windows_make_no_fat_bars(tmp_path: Path) -> None:
    contents = built.tables()
    contents["reports.rpt_trend"] = [
        row for row in contents["reports.rpt_trend"] if row["position"] > 26
    ]
    path = built.build(tmp_path / "warehouse.duckdb", contents)
    for picture in (pictures(path).trend, pictures(path).share):
        assert picture is not None
        widths = [
            float(found)
            for found in re.findall(r'd="M[\d.]+,[\d.]+h([\d.]+)v', picture.svg)
        ]
        assert widths and max(widths) <= 28
