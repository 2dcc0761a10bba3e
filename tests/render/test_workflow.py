"""Laws of the daily workflow: it may do little, and a linter reads it."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).parents[2]
DAILY = ROOT / ".github" / "workflows" / "daily.yml"
ZIZMOR = Path(sys.executable).parent / "zizmor"


@pytest.fixture(scope="module")
def daily() -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load(DAILY.read_text("utf-8"))
    return found


def linted(path: Path) -> int:
    command = [str(ZIZMOR), "--offline", "--no-progress", str(path)]
    return subprocess.run(command, capture_output=True, check=False).returncode


@pytest.mark.skipif(not ZIZMOR.is_file(), reason="zizmor is not installed")
def test_the_linter_finds_no_fault() -> None:
    assert linted(DAILY) == 0


@pytest.mark.skipif(not ZIZMOR.is_file(), reason="zizmor is not installed")
@pytest.mark.parametrize(
    ("good", "bad"),
    [
        ("permissions: {}\n    steps", "permissions: write-all\n    steps"),
        ("@11bd71901bbe5b1630ceea73d27597364c9af683 # v4.2.2", "@v4"),
        ("run: make setup", "run: echo ${{ github.head_ref }}"),
    ],
)
def test_the_linter_would_find_one(tmp_path: Path, good: str, bad: str) -> None:
    text = DAILY.read_text("utf-8")
    assert good in text
    folder = tmp_path / ".github" / "workflows"
    folder.mkdir(parents=True)
    (folder / "daily.yml").write_text(text.replace(good, bad))
    assert linted(folder / "daily.yml") != 0


def test_only_the_job_that_publishes_may_write(daily: dict[str, Any]) -> None:
    assert daily["permissions"] == {}
    granted = {name: job["permissions"] for name, job in daily["jobs"].items()}
    assert granted == {
        "make": {"contents": "read", "pages": "read"},
        "publish": {"pages": "write", "id-token": "write"},
        "verdict": {},
    }
    steps = daily["jobs"]["publish"]["steps"]
    assert [step["uses"].partition("@")[0] for step in steps] == [
        "actions/deploy-pages"
    ], "whoever may write runs no code of ours"


def test_it_runs_what_the_control_panel_offers(daily: dict[str, Any]) -> None:
    makefile = (ROOT / "Makefile").read_text("utf-8")
    runs = [step.get("run", "") for step in daily["jobs"]["make"]["steps"]]
    asked = [run.removeprefix("make ") for run in runs if run]
    assert asked == ["setup", "sync", "reconcile", "build", "site"]
    for target in asked:
        assert re.search(rf"^{target}\b.*:", makefile, re.MULTILINE)


def test_the_warehouse_is_kept_before_anything_can_fail_after_the_sync(
    daily: dict[str, Any],
) -> None:
    steps = daily["jobs"]["make"]["steps"]
    at = {
        step.get("run") or step.get("uses", "").partition("@")[0]: place
        for place, step in reversed(list(enumerate(steps)))
    }
    assert (
        at["actions/cache/restore"]
        < at["make sync"]
        < at["actions/cache/save"]
        < at["make build"]
        < at["make site"]
    )
    kept = steps[at["actions/cache/save"]]
    restored = steps[at["actions/cache/restore"]]
    assert kept["if"] == "always()"
    assert kept["with"]["path"] == restored["with"]["path"]
    assert kept["with"]["key"].startswith(restored["with"]["restore-keys"])


def test_the_schedule_leaves_the_lists_time_to_settle(daily: dict[str, Any]) -> None:
    # YAML reads the key `on` as a truth.
    for schedule in daily[True]["schedule"]:
        minute, hour = (int(part) for part in schedule["cron"].split()[:2])
        assert hour * 60 + minute >= 3 * 60 + 24 + 10


def test_a_run_that_is_made_again_keeps_its_warehouse(daily: dict[str, Any]) -> None:
    """A cache is written once under a key: a second attempt needs keys of its own."""
    caches = [
        step["with"]
        for step in daily["jobs"]["make"]["steps"]
        if step.get("uses", "").startswith("actions/cache/")
    ]
    attempt = "${{ github.run_id }}-${{ github.run_attempt }}"
    assert len(caches) == 3
    assert all(attempt in cache["key"] for cache in caches)
    assert caches[0]["restore-keys"] == "warehouse-"


def test_once_a_week_is_read_what_no_sync_can_see(daily: dict[str, Any]) -> None:
    schedules = [schedule["cron"] for schedule in daily[True]["schedule"]]
    (weekly,) = (cron for cron in schedules if cron.split()[4] != "*")
    (step,) = (
        step
        for step in daily["jobs"]["make"]["steps"]
        if step.get("run") == "make reconcile"
    )
    assert f"'{weekly}'" in step["if"]
