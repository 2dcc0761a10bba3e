"""Laws of a cell: pandas' four nothings are one; lists and numbers are themselves."""

from __future__ import annotations

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import numpy as np
import pandas as pd
import pytest

from render import cells

NOTHINGS = [None, float("nan"), pd.NaT, pd.NA]


@pytest.mark.parametrize("nothing", NOTHINGS, ids=repr)
def test_every_nothing_is_nothing(nothing: object) -> None:
    row = {"x": nothing}
    assert cells.maybe_text(row, "x") is None
    assert cells.maybe_integer(row, "x") is None
    assert cells.maybe_float(row, "x") is None
    assert cells.maybe_instant(row, "x", zone=UTC) is None
    assert cells.texts(row, "x") == cells.structs(row, "x") == ()
    assert cells.text(row, "x", default="ghost") == "ghost"
    assert (cells.integer(row, "x"), cells.flag(row, "x")) == (0, False)
    with pytest.raises(ValueError, match="x is null"):
        cells.instant(row, "x", zone=UTC)


def test_a_list_is_itself_without_its_nothings() -> None:
    row = {"x": np.array(["a", None, float("nan")], dtype=object), "y": np.array([])}
    assert cells.texts(row, "x") == ("a",)
    assert cells.texts(row, "y") == ()


def test_a_whole_number_that_pandas_made_a_float_is_whole_again() -> None:
    value = cells.maybe_integer({"x": np.float64(36075.0)}, "x")
    assert value == 36075 and type(value) is int


def test_an_instant_is_told_in_the_zone_and_a_naive_one_is_utc() -> None:
    zone = ZoneInfo("Asia/Shanghai")
    naive = datetime(2026, 3, 4, 3, 24)
    for cell in (naive, naive.replace(tzinfo=UTC), pd.Timestamp(naive, tz="UTC")):
        found = cells.instant({"x": cell}, "x", zone=zone)
        assert found.isoformat() == "2026-03-04T11:24:00+08:00"


def test_a_column_that_is_not_there_is_an_error() -> None:
    with pytest.raises(KeyError):
        cells.maybe_text({}, "x")
