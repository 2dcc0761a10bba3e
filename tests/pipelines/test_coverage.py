from __future__ import annotations

from datetime import UTC, datetime, timedelta
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from pipelines.coverage import OVERLAP, Interval, merged, missing, planned

DAY = datetime(2026, 3, 1, tzinfo=UTC)


def hours(since: float, until: float) -> Interval:
    return Interval(DAY + timedelta(hours=since), DAY + timedelta(hours=until))


SOME = st.lists(
    st.tuples(st.integers(0, 60), st.integers(0, 60)).map(lambda two: hours(*two)),
    max_size=8,
)


def instants(intervals: list[Interval]) -> set[int]:
    """The hours that intervals hold, as a plain set: the meaning of an interval."""
    return {
        hour
        for hour in range(-5, 70)
        for one in intervals
        if one.since <= DAY + timedelta(hours=hour) < one.until
    }


@given(SOME)
def test_merging_keeps_the_instants_and_leaves_disjoint_intervals(
    some: list[Interval],
) -> None:
    out = merged(some)
    assert instants(out) == instants(some)
    assert all(one.until < two.since for one, two in pairwise(out))


@given(SOME, st.integers(0, 60), st.integers(0, 60))
def test_what_is_missing_is_what_is_wanted_and_not_covered(
    some: list[Interval], since: int, until: int
) -> None:
    wanted = hours(since, until)
    out = missing(wanted, some)
    assert instants(out) == instants([wanted]) - instants(some)
    assert not any(gap.is_empty for gap in out)


@given(SOME, SOME, st.integers(0, 60), st.integers(0, 60))
def test_a_walk_visits_everything_missing_and_stops_nowhere(
    covered: list[Interval], passed: list[Interval], since: int, until: int
) -> None:
    wanted = hours(since, until)
    plan = planned(wanted, merged(covered), passed)
    gaps = missing(wanted, covered)
    if plan is None:
        assert gaps == []
        return
    visited, position = set(), plan.next_position(plan.since)
    for hour in range(-5, 70):
        if DAY + timedelta(hours=hour) == position:
            visited.add(hour)
            position = plan.next_position(position + timedelta(hours=1))
    assert instants(gaps) - instants(passed) <= visited


def test_what_is_covered_needs_no_walk() -> None:
    assert planned(hours(3, 8), [hours(0, 10)]) is None


def test_a_walk_forward_begins_an_hour_before_what_is_covered_ends() -> None:
    plan = planned(hours(0, 20), [hours(0, 10)])
    assert plan is not None
    assert plan.since == hours(10, 20).since - OVERLAP
    assert plan.next_position(plan.since) == plan.since


def test_a_walk_backward_jumps_over_what_is_covered_but_for_its_last_hour() -> None:
    plan = planned(hours(0, 20), [hours(5, 10)])
    assert plan is not None
    assert plan.since == hours(0, 1).since
    assert plan.next_position(hours(4, 5).since) == hours(4, 5).since
    assert plan.next_position(hours(5, 6).since) == hours(9, 10).since


def test_a_walk_taken_up_again_begins_where_the_last_one_was_stopped() -> None:
    plan = planned(hours(0, 20), [], [hours(0, 7)])
    assert plan is not None
    assert plan.since == hours(0, 1).since
    assert plan.next_position(plan.since) == hours(7, 8).since
