"""What was said on every thread of every covered day, measured a second time.

`plain_heat` shares nothing with the models; where the two differ one of them is wrong.
"""

from __future__ import annotations

from dataclasses import fields
from datetime import UTC, datetime, timedelta
from pathlib import Path

import duckdb
import pytest

from tests.counts.plain_count import Day
from tests.counts.plain_heat import Comment, Heat, Measured, heat_of, plain_heat
from tests.counts.random_world import built_random_world
from tests.render.sample_day import built_sample

MEASURES = [field.name for field in fields(Heat)]


def modelled_heat(connection: duckdb.DuckDBPyConnection) -> dict[str, Measured]:
    """What `thread_windows` says of every complete day."""
    columns = ", ".join(f"thread_windows.{name}" for name in MEASURES)
    found: dict[str, Measured] = {
        window_id: {}
        for (window_id,) in connection.execute(
            "select window_id from marts.windows"
            " where window_kind = 'day' and is_complete"
        ).fetchall()
    }
    for window_id, number, *measures in connection.execute(
        f"select window_id, number, {columns} from marts.thread_windows"
        " inner join marts.windows using (window_id)"
        " where window_kind = 'day' and is_complete"
    ).fetchall():
        found[window_id][number] = Heat(*measures)
    return found


def assert_both_agree(warehouse: Path) -> list[Heat]:
    with duckdb.connect(str(warehouse), read_only=True) as connection:
        plain, modelled = plain_heat(connection), modelled_heat(connection)
    assert modelled.keys() == plain.keys()
    rows = []
    for window_id, measured in plain.items():
        assert modelled[window_id].keys() == measured.keys(), window_id
        for number, heat in measured.items():
            for name in MEASURES:
                told = getattr(modelled[window_id][number], name)
                expected = getattr(heat, name)
                if isinstance(expected, float):
                    expected = pytest.approx(expected, rel=1e-12, abs=1e-12)
                assert told == expected, (window_id, number, name)
            rows.append(heat)
    return rows


def test_every_thread_of_every_day_of_the_sample_has_the_same_heat(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    rows = assert_both_agree(built_sample(tmp_path_factory))
    assert max(row.peak_hour_comment_count for row in rows) > 1


def test_every_thread_of_every_day_of_a_random_world_has_the_same_heat(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    rows = assert_both_agree(built_random_world(tmp_path_factory))
    # A world in which nothing happens would prove nothing.
    assert {row.heat_level for row in rows} == {None, 1, 2, 3, 4, 5}
    baselines = [row.baseline_per_day for row in rows]
    assert {value is None for value in baselines} == {True, False}
    silent = [row for row in rows if row.human_comment_count == 0]
    assert sum(bool(row.baseline_per_day) for row in silent) > 20


START = datetime(2026, 3, 4, tzinfo=UTC)
TODAY = Day("p:day:2026-03-04", START, START + timedelta(days=1))


@pytest.mark.parametrize(
    ("authors", "score"),
    [
        # At half the window a comment weighs a half.
        ([1], 0.5849625007211562),
        # Two ghosts are one author.
        ([None, None], 1.0),
        ([1, 2], 1.1699250014423124),
    ],
)
def test_the_plain_heat_itself_knows_its_sums(
    authors: list[int | None], score: float
) -> None:
    noon = START + timedelta(hours=12)
    said = [Comment(author, False, noon, None) for author in authors]
    heat = heat_of(TODAY, START - timedelta(days=2), said, [])
    assert heat.heat_score == pytest.approx(score)
    assert heat.participant_count == len(set(authors))
