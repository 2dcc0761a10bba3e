"""The real day of March on its own, where the simulator lies beside the project."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks import targeted

pytestmark = pytest.mark.skipif(
    not targeted.SIMULATOR.exists(), reason="the simulator is not here"
)

NOW = ("--now", "2026-03-20T04:00:00Z")


@pytest.mark.parametrize(
    ("world", "flags"),
    [
        ((), ("--rate-limit", "-1", "--latency-ms", "20")),
        (
            ("--afterlife", "0.5"),
            ("--incomplete-rate", "0.3", "--fail-rate", "0.05", "--seed", "5"),
        ),
    ],
    ids=["quiet", "with an afterlife and faults"],
)
def test_the_day_on_its_own_has_the_same_lists_and_velocities_for_450_requests(
    tmp_path: Path, world: tuple[str, ...], flags: tuple[str, ...]
) -> None:
    place = targeted.build_world(tmp_path / "world", *world)
    found = targeted.measure("auto", place, tmp_path / "run", *NOW, *flags)
    assert found.completeness == "targeted"
    assert found.wrong_velocities == []
    assert found.second_request_count == 0
    assert found.request_count - found.error_statuses <= 450 + 150 * bool(world)
    # What an afterlife reopens is out of search's reach; the other lists are not.
    reopened = {"closed_issue", "closed_unmerged_pr"} if world else set()
    assert set(found.wrong_lists) <= reopened
