"""Laws of the pictures: the same bytes, our words alone, and no colour of their own."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from render import charts
from render.charts import Picture, drawn, picture_file, pictures_of, sparkline
from render.report import picture_files
from render.words import read_words
from tests.render.documents import empty, rows_of
from tests.render.sample_day import DAY

SVG = "{http://www.w3.org/2000/svg}"
NAMES = ("trend", "share", "heat", "topics")


def pictures(rows: dict[str, Any], language: str = "zh") -> dict[str, Picture]:
    return pictures_of(rows, words=read_words(language), named="2026-03-04.zh")


@pytest.fixture(scope="module")
def files(day: dict[str, Any]) -> dict[str, ElementTree.Element]:
    written = picture_files(pictures(day))
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
    assert "量化" in words["topics"]


def test_this_window_stands_out_among_the_bars(files) -> None:
    bars = [e for e in files["share"].iter() if "--chart-" in e.get("fill", "")]
    assert len([e for e in bars if "--chart-now" in e.get("fill", "")]) == 1
    assert len([e for e in bars if "--chart-bar" in e.get("fill", "")]) > 20


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


def test_where_nothing_can_be_compared_nothing_is_drawn(day) -> None:
    assert pictures(empty(day)) == {}
    topics = [topic | {"usual_share": None} for topic in day["topics"]]
    assert "topics" not in pictures(day | {"topics": topics})


def test_a_window_of_zeros_among_others_is_drawn_as_zero(day) -> None:
    trend = [
        {key: 0 if key.endswith("_count") else cell for key, cell in row.items()}
        for row in day["trend"]
    ]
    assert "trend" in pictures(day | {"trend": trend})


def test_a_spark_line_needs_two_values_and_ends_at_the_last() -> None:
    assert sparkline([None, 3]) == ""
    line = str(sparkline([0, None, 4]))
    assert 'points="0.0,22.0 100.0,2.0"' in line and 'cx="100.0" cy="2.0"' in line
    assert sparkline([0, 0]) != ""


def test_pictures_are_the_same_bytes_in_any_process(warehouse: Path) -> None:
    code = (
        "import sys; from pathlib import Path; from tests.render.test_charts import *; "
        "rows = rows_of(Path(sys.argv[1]), DAY); "
        "sys.stdout.write(''.join(picture_files(pictures(rows)).values()))"
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
    here = picture_files(pictures(rows_of(warehouse, DAY)))
    assert seen.pop().decode() == "".join(here.values())


def test_a_panel_tells_its_largest_value_and_never_the_median_over_it(day) -> None:
    trend = [
        row | {"new_pr_count": 7 * (row is day["trend"][-1]), "merged_pr_count": 0}
        for row in day["trend"]
    ]
    medians = {"new_pr_count_median": 9.0, "merged_pr_count_median": 0.0}
    rows = day | {"trend": trend, "headline_counts": day["headline_counts"] | medians}
    svg = pictures(rows)["trend"].svg
    shown = [e.text for e in ElementTree.fromstring(svg).iter(f"{SVG}text")]
    told = [text for text in shown if text and text.replace(".", "").isdigit()]
    assert told == ["22", "44", "7", "0", "128"]


def test_few_windows_make_no_fat_bars(day) -> None:
    few = pictures(day | {"trend": day["trend"][-2:]})
    for picture in (few["trend"], few["share"]):
        widths = [
            float(found)
            for found in re.findall(r'd="M[\d.]+,[\d.]+h([\d.]+)v', picture.svg)
        ]
        assert widths and max(widths) <= 28
