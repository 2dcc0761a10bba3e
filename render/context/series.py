"""Numbers along time: what the pictures draw, and the tables beside them tell."""

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True)
class Point:
    """One window's value of a measure."""

    label: str
    """The window's date."""
    value: float | None
    """The value; null where the window is not covered."""
    is_this: bool
    """Whether it is the reported window."""


@dataclass(frozen=True)
class Series:
    """A measure over the windows up to this one, oldest first."""

    measure: str
    """What is measured: a listing, or `share`."""
    median: float | None
    """Median of the windows before; null where fewer than 7 are covered."""
    points: tuple[Point, ...]
    """One for each of up to 28 windows before, and this one."""


@dataclass(frozen=True)
class HourCount:
    """People's comments in one stretch of the window."""

    start_at: datetime
    """Its first instant, local."""
    human_comment_count: int
    """Comments by people in it."""
