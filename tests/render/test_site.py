"""Laws of the site: every complete window has its page, each link leads to one, and
only what changed is made again.
"""

from __future__ import annotations

import json
import posixpath
import re
import shutil
from datetime import date
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import duckdb
import pytest

from render import site as site_module
from render.arguments import SiteSettings
from render.site import Entry, SiteBuild, build_site, months, site_windows
from render.warehouse import open_warehouse, read_site_windows
from tests.render.documents import elements, page, words_of
from tests.render.sample_day import DAY, with_windows

ATOM = "{http://www.w3.org/2005/Atom}"
WEEK = "sample:week:2026-03-02"
CUSTOM = "sample:custom:2026-03-04T20:17+1h"
PARTIAL = "sample:day:2026-03-06"
OTHER = "other:day:2026-03-04"


# The sample's two days, their week, a custom and a partial window, another project.
COPIES: dict[str, dict[str, object]] = {
    WEEK: {"window_kind": "week", "window_end_at": "2026-03-05 03:23:00+00"},
    CUSTOM: {"window_kind": "custom"},
    PARTIAL: {"is_complete": False, "completeness": "partial"},
    OTHER: {
        "project": "other",
        "project_title": "Other",
        "repository": "o/r",
        "languages": ["en"],
    },
}


def built(folder: Path, warehouse: Path) -> Path:
    path = Path(shutil.copy(warehouse, folder / "warehouse.duckdb"))
    with_windows(path, COPIES)
    return folder


@pytest.fixture
def place(tmp_path: Path, warehouse: Path) -> Path:
    return built(tmp_path, warehouse)


@pytest.fixture(scope="module")
def site(warehouse: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = built(tmp_path_factory.mktemp("site"), warehouse)
    made(folder)
    return folder / "site"


def made(place: Path, site_url: str = "") -> SiteBuild:
    settings = SiteSettings(place / "warehouse.duckdb", place, site_url)
    with open_warehouse(settings.warehouse) as connection:
        windows = site_windows(read_site_windows(connection))
    return build_site(
        windows,
        warehouse=settings.warehouse,
        folder=place / "site",
        site_url=settings.site_url,
    )


def sql(place: Path, statement: str) -> None:
    with duckdb.connect(str(place / "warehouse.duckdb")) as connection:
        connection.execute("set timezone = 'UTC'")
        connection.execute(statement)


def files(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def htmls(site: Path) -> dict[str, Any]:
    return {
        name: page(content.decode())
        for name, content in files(site).items()
        if name.endswith(".html")
    }


def test_every_complete_calendar_window_has_its_pages_and_no_other(site: Path) -> None:
    assert set(files(site)) == {
        *("index.html", "index.zh.html", "feed.xml", ".pages.json"),
        *("sample/index.html", "sample/index.en.html", "other/index.html"),
        *(
            f"sample/{stem}.{ending}"
            for stem in ("2026-03-03", "2026-03-04", "2026-03-02.week")
            for ending in ("zh.html", "en.html", "json")
        ),
        *("other/2026-03-04.en.html", "other/2026-03-04.json"),
    }


def test_every_link_within_the_site_leads_to_a_page_and_a_place_on_it(
    site: Path,
) -> None:
    trees = htmls(site)
    there = set(files(site))
    ids = {
        name: {element.get("id") for element in tree.iter()}
        for name, tree in trees.items()
    }
    outward = set()
    for name, tree in trees.items():
        for element in (*elements(tree, "a"), *elements(tree, "link")):
            target = element.get("href")
            if "://" in target:
                outward.add(target)
                continue
            way, _, fragment = target.partition("#")
            folder = posixpath.dirname(name)
            address = posixpath.normpath(f"{folder}/{way}").strip("/") if way else name
            assert address in there, (name, element.get("href"))
            assert not fragment or fragment in ids[address]
    assert all(link.startswith("https://github.com/") for link in outward)


def test_a_report_leads_back_on_and_to_its_other_language(site: Path) -> None:
    tree = htmls(site)["sample/2026-03-03.zh.html"]
    links = {words_of(a): a.get("href") for a in elements(tree, "a")}
    assert links["« 返回 Sample Engine 报告列表"] == "index.html"
    assert links["2026-03-04 →"] == "2026-03-04.zh.html"
    assert not [words for words in links if words.startswith("←")]
    assert links["English"] == "2026-03-03.en.html"
    assert links["在 GitHub 上查看"] == "https://github.com/example-org/sample-engine"
    other = htmls(site)["other/2026-03-04.en.html"]
    assert "« Back to Other Reports" in {words_of(a) for a in elements(other, "a")}
    assert "中文" not in {words_of(a) for a in elements(other, "a")}


def test_a_projects_page_has_its_reports_newest_first(site: Path) -> None:
    tree = htmls(site)["sample/index.html"]
    days, rollups = elements(tree, "ol")
    assert [words_of(a) for a in elements(days, "a")] == ["2026-03-04", "2026-03-03"]
    assert [words_of(a) for a in elements(rollups, "a")] == [
        "开发动态周报 2026-03-02 – 2026-03-08"
    ]
    [table] = elements(tree, "table")
    assert "2026-03" in words_of(elements(table, "caption")[0])
    in_table = {a.get("href") for a in elements(table, "a")}
    assert in_table == {
        *("2026-03-02.week.zh.html", "2026-03-03.zh.html", "2026-03-04.zh.html"),
    }


def test_the_first_page_leads_to_each_projects_newest_report(site: Path) -> None:
    trees = htmls(site)
    for name, language in (("index.html", "en"), ("index.zh.html", "zh")):
        found = {a.get("href") for a in elements(trees[name], "a")}
        assert f"sample/2026-03-04.{language}.html" in found
        assert "other/2026-03-04.en.html" in found


def test_the_feed_has_an_entry_for_each_report_with_an_id_that_stays(
    place: Path,
) -> None:
    made(place, "https://example.org/reports/")
    feed = ElementTree.parse(place / "site" / "feed.xml").getroot()
    ids = [entry.findtext(f"{ATOM}id") for entry in feed.iter(f"{ATOM}entry")]
    assert (
        ids[0] == "tag:github.com,2026:example-org/sample-engine/sample:day:2026-03-04"
    )
    assert len(ids) == len(set(ids)) == 4
    links = [link.get("href") for link in feed.iter(f"{ATOM}link")]
    assert all(link.startswith("https://example.org/reports/") for link in links)
    assert feed.findtext(f"{ATOM}updated") == "2026-03-05T03:24:00Z"


def test_nothing_is_made_again_when_nothing_changed(place: Path) -> None:
    assert made(place) == SiteBuild(written=11, reused=0)
    before = files(place / "site")
    assert made(place) == SiteBuild(written=0, reused=11)
    assert files(place / "site") == before


@pytest.mark.parametrize(
    "changes",
    [
        "update reports.rpt_listed_threads set title = 'new' "
        f"where window_id = '{DAY}' and position = 1",
        f"update reports.rpt_topics set lift = 9 where window_id = '{DAY}'",
        f"delete from reports.rpt_watch_list where window_id = '{DAY}'",
        "update reports.rpt_provenance set quarantined_row_count = 9 "
        f"where window_id = '{DAY}'",
    ],
)
def test_a_windows_pages_are_made_again_where_a_row_of_it_changed(
    place: Path, changes: str
) -> None:
    made(place)
    old = files(place / "site")
    sql(place, changes)
    assert made(place).written == 3
    shutil.copytree(place / "site", place / "grown")
    shutil.rmtree(place / "site")
    made(place)
    assert files(place / "grown") == files(place / "site") != old


def test_a_newer_sync_alone_makes_no_report_new(place: Path) -> None:
    """Only the projects' pages say how far the newest sync reaches."""
    made(place)
    old = files(place / "site")
    sql(
        place,
        "update reports.rpt_provenance "
        "set data_as_of_at = data_as_of_at + interval 1 day, "
        "streams = list_transform(streams, s -> struct_update("
        "s, covered_until := s.covered_until + interval 1 day))",
    )
    assert made(place).written == 0
    new = files(place / "site")
    moved = {name for name in new if new[name] != old[name]}
    assert moved == {
        *(
            "sample/index.html",
            "sample/index.en.html",
            "other/index.html",
            ".pages.json",
        )
    }


def test_a_new_day_makes_itself_and_the_day_before_new(place: Path) -> None:
    made(place)
    sql(
        place,
        f"update reports.rpt_provenance set is_complete = true, "
        "window_end_at = '2026-03-07 03:24:00Z' "
        f"where window_id = '{PARTIAL}'",
    )
    # Its two pages and data; its neighbour's two pages and data.
    assert made(place).written == 6


def test_a_page_that_was_lost_or_touched_is_made_again(place: Path) -> None:
    made(place)
    before = files(place / "site")
    (place / "site" / "sample" / "2026-03-03.zh.html").unlink()
    (place / "site" / "sample" / "2026-03-04.en.html").write_text("half")
    assert made(place).written == 6
    assert files(place / "site") == before


@pytest.mark.parametrize("keys", ["", "[]", '{"a": 1}', '{"a": ["b", "c"]}', "{"])
def test_keys_that_cannot_be_read_cost_time_and_nothing_else(
    place: Path, keys: str
) -> None:
    made(place)
    before = files(place / "site")
    (place / "site" / ".pages.json").write_text(keys)
    assert made(place).reused == 0
    assert files(place / "site") == before


def test_another_renderer_makes_every_page_again(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made(place)
    monkeypatch.setattr(site_module, "_program", lambda: "another")
    assert made(place).reused == 0


def test_what_no_window_wants_is_removed_and_what_is_not_ours_stays(
    place: Path,
) -> None:
    made(place)
    (place / "site" / "CNAME").write_text("example.org")
    sql(place, f"delete from reports.rpt_provenance where window_id = '{OTHER}'")
    sql(place, f"delete from reports.rpt_provenance where window_id = '{WEEK}'")
    made(place)
    left = set(files(place / "site"))
    assert "CNAME" in left
    assert not [name for name in left if "other" in name or "week" in name]
    assert not (place / "site" / "other").exists()


def test_a_run_that_is_killed_keeps_what_it_made(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(site_module, "BATCH", 1)
    monkeypatch.setattr(site_module, "MAX_PROCESSES", 1)
    whole = site_module.list_pages

    def killed(*_: object, **__: object) -> dict[str, str]:
        raise KeyboardInterrupt

    monkeypatch.setattr(site_module, "list_pages", killed)
    with pytest.raises(KeyboardInterrupt):
        made(place)
    monkeypatch.setattr(site_module, "list_pages", whole)
    assert made(place).written == 0


def test_several_processes_make_the_same_bytes_as_one(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made(place)
    alone = files(place / "site")
    shutil.rmtree(place / "site")
    monkeypatch.setattr(site_module, "BATCH", 1)
    monkeypatch.setattr("os.cpu_count", lambda: 2)
    made(place)
    assert files(place / "site") == alone


def test_the_sites_data_say_nothing_that_moves(site: Path) -> None:
    data = json.loads((site / "sample" / "2026-03-04.json").read_text())["provenance"]
    assert (data["data_as_of_at"], data["streams"]) == (None, [])


def test_a_week_is_told_in_the_month_of_its_monday() -> None:
    def entry(kind: str, day: date) -> Entry:
        return Entry("", kind, day, str(day), "", report_end, ())

    report_end = None
    leaves = months(
        [
            entry("week", date(2026, 2, 23)),
            entry("day", date(2026, 3, 1)),
            entry("month", date(2026, 2, 1)),
        ]
    )
    assert [leaf.label for leaf in leaves] == ["2026-03", "2026-02"]
    march, february = leaves
    assert march.entry is None and february.entry is not None
    assert [week.entry for week in march.weeks if week.entry] == []
    [week] = [week for week in february.weeks if week.entry]
    assert week.cells[0].day == 23
    assert march.weeks[0].cells[6].entry is not None, "March 1st is a Sunday"


def test_the_keys_name_no_place_of_the_machine(site: Path) -> None:
    keys = json.loads((site / ".pages.json").read_text())
    assert all(re.fullmatch(r"[\w./-]+", path) for path in keys)
