"""The share of every topic on every covered day, counted a second time.

`plain_topics` shares nothing with the models; where they differ one of them is wrong.
"""

from __future__ import annotations

from dataclasses import fields
from fractions import Fraction
from pathlib import Path

import duckdb
import pytest

from tests.counts.plain_topics import Attention, Vocabulary, attention, plain_topics
from tests.counts.random_world import built_random_world
from tests.render.sample_day import built_sample

MEASURES = [field.name for field in fields(Attention)]


def assert_both_agree(warehouse: Path) -> list[Attention]:
    with duckdb.connect(str(warehouse), read_only=True) as connection:
        plain = plain_topics(connection)
        modelled = {
            (window_id, topic): measures
            for window_id, topic, *measures in connection.execute(
                f"select window_id, topic, {', '.join(MEASURES)}"
                " from marts.topics_by_window"
                " inner join marts.windows using (window_id)"
                " where window_kind = 'day' and is_complete"
            ).fetchall()
        }
    assert modelled.keys() == plain.keys()
    for key, expected in plain.items():
        for name, told in zip(MEASURES, modelled[key], strict=True):
            value = getattr(expected, name)
            value = float(value) if isinstance(value, Fraction) else value
            assert told == value, (key, name)
    return list(plain.values())


def test_every_topic_of_every_day_of_the_sample_has_the_same_share(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    rows = assert_both_agree(built_sample(tmp_path_factory))
    assert (
        {row.is_rising for row in rows}
        == {row.is_falling for row in rows}
        == {
            True,
            False,
        }
    )


def test_every_topic_of_every_day_of_a_random_world_has_the_same_share(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    rows = assert_both_agree(built_random_world(tmp_path_factory))
    # A world in which no topic is named would prove nothing.
    assert sum(row.thread_count > 1 for row in rows) > 100
    assert {row.usual_share is None for row in rows} == {True, False}
    assert any(row.is_rising for row in rows) and any(row.is_falling for row in rows)


def test_the_plain_count_itself_knows_its_ratios() -> None:
    week = [(7, 30)] * 7
    assert attention(4, 10, week).lift == Fraction(3, 2)
    assert attention(4, 10, week).is_rising
    assert attention(4, 10, week[:6]).lift is None
    assert attention(1, 10, [(9, 30)] * 7).is_falling
    assert not attention(1, 10, [(8, 30)] * 7).is_falling
    assert Vocabulary().topics_of("[Core] KV-Cache: ＬｏＲＡ", set()) >= {
        "kv-cache",
        "lora",
    }
