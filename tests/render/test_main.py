"""Laws of the command: what it answers, and how it ends."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from pipelines.errors import MisconfiguredError
from render.arguments import parse
from tests.render.sample_day import with_windows

PROJECTS = """
[sample]
title = "Sample Engine"
repository = "example-org/sample-engine"
time_zone = "Asia/Shanghai"
window_start = "11:24"
languages = ["zh", "en"]
spotlight = "amd"

[other]
title = "Other"
repository = "someone/other"
time_zone = "UTC"
window_start = "00:00"
languages = ["en"]
spotlight = "tpu"
"""


PARTIAL = "sample:day:2026-03-06"


@pytest.fixture
def place(tmp_path: Path, warehouse: Path) -> Path:
    """A directory with a projects file and a built warehouse."""
    (tmp_path / "projects.toml").write_text(PROJECTS)
    path = Path(shutil.copy(warehouse, tmp_path / "warehouse.duckdb"))
    with_windows(path, {PARTIAL: {"is_complete": False, "completeness": "partial"}})
    return tmp_path


def ran(place: Path, *options: str, **environ: str) -> tuple[int, list[str], list[str]]:
    """Exit code, lines of stdout, lines of stderr of `python -m render day`."""
    named = {"WAREHOUSE": "warehouse.duckdb", "PROJECTS": "projects.toml"} | environ
    root = Path(__file__).parents[2]
    done = subprocess.run(
        [sys.executable, "-m", "render", "day", *options],
        cwd=place,
        env={"PATH": os.environ["PATH"], "PYTHONPATH": str(root), **named},
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, done.stdout.splitlines(), done.stderr.splitlines()


def parsed(place: Path, *options: str, **environ: str):
    named = {"PROJECTS": str(place / "projects.toml")} | environ
    return parse(["day", *options], named)


def test_it_writes_every_format_and_prints_the_documents_paths(place: Path) -> None:
    code, out, err = ran(place, DATE="2026-03-04")
    assert (code, err) == (0, [])
    assert out == [
        "build/reports/sample/2026-03-04.zh.evidence.md",
        "build/reports/sample/2026-03-04.zh.md",
        "build/reports/sample/2026-03-04.zh.html",
        "build/reports/sample/2026-03-04.zh.post.md",
        "build/reports/sample/2026-03-04.json",
    ]
    assert all((place / line).stat().st_size > 1000 for line in out)
    pictures = {p.name for p in (place / out[0]).parent.glob("*.svg")}
    assert pictures == {
        f"2026-03-04.zh.{name}.svg" for name in ("trend", "share", "heat", "topics")
    }


def test_without_a_date_it_reports_the_last_complete_window(place: Path) -> None:
    code, out, _ = ran(place, LOCALE="en", BUILD_DIR="elsewhere", TZ="Asia/Kolkata")
    assert code == 0
    assert out[1] == "elsewhere/reports/sample/2026-03-04.en.md"


def test_options_win_over_the_environment_and_empty_is_none(place: Path) -> None:
    code, out, _ = ran(
        place, "--date", "2026-03-04", "--locale", "en", DATE="2026-03-03", KIND=""
    )
    assert (code, out[1]) == (0, "build/reports/sample/2026-03-04.en.md")


@pytest.mark.parametrize(
    ("environ", "code", "says"),
    [
        ({"DATE": "2026-03-07"}, 3, "make report DATE=2026-03-07"),
        ({"DATE": "2026-03-06"}, 3, "ALLOW_PARTIAL=1"),
        ({"DATE": "2026-03-06", "ALLOW_PARTIAL": "0"}, 3, "ALLOW_PARTIAL=1"),
        ({"KIND": "week"}, 3, "No complete week of sample"),
        ({"DATE": "2026-02-30"}, 2, "2026-02-30"),
        ({"DATE": "yesterday"}, 2, "yesterday"),
        ({"PROJECT": "../sample"}, 2, "sample, other"),
        ({"LOCALE": "fr"}, 2, "en, zh"),
        ({"KIND": "year"}, 2, "day, week, month, custom"),
        ({"KIND": "custom", "DATE": "2026-03-04"}, 2, "AT and HOURS"),
        ({"AT": "20:17"}, 2, "AT and HOURS"),
        ({"AT": "20:17", "HOURS": "1"}, 3, "No complete custom of sample"),
        ({"ALLOW_PARTIAL": "maybe"}, 2, "ALLOW_PARTIAL"),
        ({"AT": "20:17", "HOURS": "0", "DATE": "2026-03-04"}, 2, "HOURS"),
        ({"AT": "8pm", "HOURS": "1", "DATE": "2026-03-04"}, 2, "8pm"),
        (
            {"AT": "20:17", "HOURS": "1", "DATE": "2026-03-04"},
            3,
            "DATE=2026-03-04 AT=20:17 HOURS=1`",
        ),
        ({"KIND": "week", "DATE": "2026-03-04"}, 3, "DATE=2026-03-02 KIND=week`"),
        ({"PROJECTS": "nowhere.toml"}, 2, "nowhere.toml"),
        ({"WAREHOUSE": "nowhere.duckdb"}, 5, "make report"),
        ({"WAREHOUSE": "projects.toml"}, 5, "cannot be read"),
        ({"DATE": "2026-03-04", "BUILD_DIR": "projects.toml"}, 2, "BUILD_DIR"),
    ],
)
def test_every_refusal_is_one_line_with_its_exit_code(
    place: Path, environ: dict[str, str], code: int, says: str
) -> None:
    ended, out, err = ran(place, **environ)
    assert (ended, out) == (code, [])
    assert len(err) == 1 and says in err[0]
    assert not list(place.rglob("*.md")), "nothing is written by a refused run"


def test_a_bad_locale_is_refused_before_the_warehouse_is_looked_for(
    place: Path,
) -> None:
    assert ran(place, LOCALE="fr", WAREHOUSE="nowhere.duckdb")[0] == 2


def test_an_incomplete_window_is_reported_when_allowed(place: Path) -> None:
    code, out, _ = ran(place, DATE="2026-03-06", ALLOW_PARTIAL="1")
    assert code == 0
    assert "数据不完整" in (place / out[1]).read_text("utf-8")


def test_a_report_is_the_same_bytes_in_any_time_zone_and_again(place: Path) -> None:
    written = set()
    for zone in ("America/Los_Angeles", "Asia/Kolkata", "UTC"):
        _, out, _ = ran(place, DATE="2026-03-04", TZ=zone)
        written.add(tuple((place / line).read_bytes() for line in out))
    assert len(written) == 1


@pytest.mark.parametrize(
    ("environ", "window_id"),
    [
        ({"DATE": "2026-03-04", "KIND": "week"}, "sample:week:2026-03-02"),
        ({"DATE": "2026-03-04", "KIND": "month"}, "sample:month:2026-03-01"),
        (
            {"DATE": "2026-12-10", "AT": "20:17", "HOURS": "1"},
            "sample:custom:2026-12-10T20:17+1h",
        ),
        ({"DATE": "2026-03-04", "PROJECT": "other"}, "other:day:2026-03-04"),
        ({}, None),
        ({"AT": "20:17", "HOURS": "1"}, None),
        (
            {"DATE": "2026-12-10", "AT": "20:17", "HOURS": "01", "KIND": "day"},
            "sample:custom:2026-12-10T20:17+1h",
        ),
    ],
)
def test_the_window_is_named_by_project_kind_and_date(
    place: Path, environ: dict[str, str], window_id: str | None
) -> None:
    assert parsed(place, **environ).window_id == window_id


def test_hours_beside_a_named_kind_are_a_contradiction(place: Path) -> None:
    with pytest.raises(MisconfiguredError, match="exclude"):
        parsed(place, KIND="week", DATE="2026-03-04", HOURS="2", AT="11:00")


@pytest.mark.parametrize("words", [["week"], ["day", "--dat", "2026-03-04"], []])
def test_a_command_line_that_is_not_understood_is_one_line(
    place: Path, words: list[str]
) -> None:
    with pytest.raises(MisconfiguredError, match="see python -m render --help"):
        parse(words, {"PROJECTS": str(place / "projects.toml")})
