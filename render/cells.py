"""One cell of a report table, as the type its contract promises.

A DataFrame says "nothing" in four ways (None, NaN, NaT, NA), holds lists as numpy
arrays and turns whole numbers into floats beside a null. These functions are the only
place that knows; past them, nothing is `None` and everything else is what it says.
"""

from collections.abc import Mapping
from datetime import UTC, datetime, tzinfo
from typing import Any

import pandas as pd

Row = Mapping[Any, Any]
"""One row of a report table: column name to cell."""


def rows(frame: pd.DataFrame) -> list[Row]:
    """The table's rows, in its order."""
    names = list(frame.columns)
    # Not to_dict("records"), which asks each cell twice what it is.
    return [
        dict(zip(names, cells, strict=True))
        for cells in frame.itertuples(index=False, name=None)
    ]


def is_null(cell: Any) -> bool:
    """Whether the cell is any of pandas' nothings; a list never is."""
    return cell is None or (pd.api.types.is_scalar(cell) and bool(pd.isna(cell)))


def maybe_text(row: Row, column: str) -> str | None:
    """Text, or None."""
    return None if is_null(row[column]) else str(row[column])


def text(row: Row, column: str, *, default: str = "") -> str:
    """Text, with a default for null: an unknown author is not an error."""
    found = maybe_text(row, column)
    return default if found is None else found


def integer(row: Row, column: str, *, default: int = 0) -> int:
    """A whole number, with a default for null."""
    return default if is_null(row[column]) else int(row[column])


def maybe_integer(row: Row, column: str) -> int | None:
    """A whole number, or None."""
    return None if is_null(row[column]) else int(row[column])


def maybe_float(row: Row, column: str) -> float | None:
    """A number, or None."""
    return None if is_null(row[column]) else float(row[column])


def number(row: Row, column: str) -> float:
    """A number, 0.0 for null."""
    return maybe_float(row, column) or 0.0


def flag(row: Row, column: str) -> bool:
    """A truth, False for null: what is not known to hold is not claimed."""
    return False if is_null(row[column]) else bool(row[column])


def maybe_flag(row: Row, column: str) -> bool | None:
    """A truth, or None."""
    return None if is_null(row[column]) else bool(row[column])


def maybe_instant(row: Row, column: str, *, zone: tzinfo) -> datetime | None:
    """An instant in the given zone, or None; a naive cell is UTC."""
    cell = row[column]
    if is_null(cell):
        return None
    moment = pd.Timestamp(cell).to_pydatetime(warn=False)
    return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).astimezone(zone)


def instant(row: Row, column: str, *, zone: tzinfo) -> datetime:
    """An instant in the given zone; its column is never null."""
    found = maybe_instant(row, column, zone=zone)
    if found is None:
        raise ValueError(f"{column} is null in a report table that promises a time")
    return found


def texts(row: Row, column: str) -> tuple[str, ...]:
    """A list of texts, null entries left out; empty for null."""
    return tuple(str(item) for item in _items(row[column]) if not is_null(item))


def structs(row: Row, column: str) -> tuple[Row, ...]:
    """A list of structs; empty for null."""
    return tuple(item for item in _items(row[column]) if not is_null(item))


def maybe_struct(row: Row, column: str) -> Row | None:
    """A struct, or None."""
    found: Row | None = None if is_null(row[column]) else row[column]
    return found


def _items(cell: Any) -> tuple[Any, ...]:
    return () if is_null(cell) else tuple(cell)
