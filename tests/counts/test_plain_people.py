"""First-timers and first responses of every covered day, counted a second time.

`plain_people` shares nothing with the models; where they differ one of them is wrong.
"""

from __future__ import annotations

from dataclasses import astuple
from pathlib import Path

import duckdb
import pytest

from tests.counts.plain_people import People, plain_people, quantile
from tests.counts.random_world import built_random_world
from tests.render.sample_day import built_sample


def modelled_people(connection: duckdb.DuckDBPyConnection) -> dict[str, People]:
    """What `window_metrics` says of every complete day."""
    return {
        window_id: People(*measures)
        for window_id, *measures in connection.execute(
            "select window_id, first_timer_count, response_count,"
            " time_to_first_response_hours_median, time_to_first_response_hours_p90,"
            " waiting_count from marts.window_metrics"
            " inner join marts.windows using (window_id)"
            " where windows.window_kind = 'day' and is_complete"
        ).fetchall()
    }


def assert_both_agree(warehouse: Path) -> list[People]:
    with duckdb.connect(str(warehouse), read_only=True) as connection:
        plain, modelled = plain_people(connection), modelled_people(connection)
    assert modelled.keys() == plain.keys()
    for window_id, people in plain.items():
        told, expected = astuple(modelled[window_id]), astuple(people)
        near = tuple(pytest.approx(x) if x is not None else None for x in expected)
        assert told == near, window_id
    return list(plain.values())


def test_first_timers_and_responses_of_every_day_of_the_sample_are_the_same(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    days = assert_both_agree(built_sample(tmp_path_factory))
    assert any(day.first_timer_count for day in days)
    assert all(day.response_count for day in days)
    assert any(day.waiting_count for day in days)


def test_first_timers_and_responses_of_a_random_world_are_the_same(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    days = assert_both_agree(built_random_world(tmp_path_factory))
    assert sum(day.response_count for day in days) > 20


def test_a_quantile_lies_between_the_two_next_values() -> None:
    assert quantile([1.0, 2.0, 3.0, 4.0], 0.9) == pytest.approx(3.7)
    assert quantile([5.0], 0.9) == 5.0
