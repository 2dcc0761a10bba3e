"""How much is held back before it is committed."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any, cast

import pytest

from pipelines import intake, load
from pipelines.fetch import fetch
from pipelines.github.batches import to_batch
from pipelines.github.comments import ISSUE_COMMENTS
from pipelines.github.paging import Walked
from pipelines.github.parcels import Parcel, wrapped
from pipelines.ledger import Ledger
from pipelines.load import Loader
from pipelines.progress import Progress
from tests.pipelines.conftest import Bench
from tests.pipelines.scripted import SLUG, comment

NOW = datetime(2026, 3, 5, 4, tzinfo=UTC)
NOON = "2026-03-04T12:00:00Z"


class Counting:
    """Stands for the loader and the ledger: counts what each commit holds."""

    def __init__(self) -> None:
        self.loads: list[int] = []

    def load(self, rows: Any) -> int:
        self.loads.append(sum(len(some) for some in rows.values()))
        return self.loads[-1]

    def __getattr__(self, name: str) -> Any:
        return lambda *args, **kept: None


def page(count: int, body: str = "short") -> Parcel:
    payloads = [comment(n, NOON, body=body) for n in range(1, count + 1)]
    return wrapped(to_batch(ISSUE_COMMENTS, SLUG, Walked(payloads, NOW), NOW, NOW))


@pytest.fixture
def counted() -> Counting:
    return Counting()


@pytest.fixture
def taking(counted: Counting) -> intake.Intake:
    return intake.Intake(cast(Loader, counted), cast(Ledger, counted))


def test_no_more_than_20_000_rows_are_ever_held_back(
    counted: Counting, taking: intake.Intake
) -> None:
    one = page(100)
    for _ in range(450):
        taking.take(one)
    taking.commit()
    assert sum(counted.loads) == 45_000
    assert max(counted.loads) <= 20_000
    assert len(counted.loads) <= 5


def test_long_texts_are_committed_earlier_than_short_ones(
    counted: Counting, taking: intake.Intake
) -> None:
    one = page(100, "x" * 60_000)
    for _ in range(9):
        taking.take(one)
    assert counted.loads == [300] * 3


def test_what_came_is_committed_after_a_while_even_if_nothing_more_comes(
    counted: Counting, taking: intake.Intake, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert intake.MAX_SECONDS <= 30
    taking.take(page(1))
    taking.take(None)
    assert counted.loads == []
    monkeypatch.setattr(intake, "MAX_SECONDS", 0.0)
    taking.take(None)
    assert counted.loads == [1]
    taking.take(None)
    assert counted.loads == [1]


def test_an_interruption_in_the_middle_of_a_load_is_still_an_interruption(
    counted: Counting, taking: intake.Intake, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(rows: Any) -> int:
        raise AttributeError("partially initialized module")

    def pages() -> Any:
        yield page(1)
        raise KeyboardInterrupt

    monkeypatch.setattr(counted, "load", broken, raising=False)
    with pytest.raises(KeyboardInterrupt):
        fetch(pages(), lambda: taking, Progress(lambda line: None, lambda: 0))


def test_rows_that_are_new_are_added_and_those_known_replaced(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    ways: list[tuple[str, bool]] = []
    declared = load._declared

    def noted(resource: Any, table: Any, *, is_known: bool) -> Any:
        ways.append((resource.stream, is_known))
        return declared(resource, table, is_known=is_known)

    monkeypatch.setattr(load, "_declared", noted)
    bench.github.rows["/issues/comments"] = [comment(1, "2026-03-05T03:50:00Z")]
    bench.cover()
    assert not any(is_known for _, is_known in ways)
    ways.clear()
    bench.github.now += timedelta(minutes=5)
    bench.github.rows["/issues/comments"].append(comment(2, "2026-03-05T03:55:00Z"))
    bench.sync()
    assert ways == [("issue_comments", True)]
    stored = "select id from raw_github.issue_comments order by id"
    assert bench.rows(stored) == [(1,), (2,)]
