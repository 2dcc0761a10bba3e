"""A project's reports as calendar leaves, newest first. Pure."""

import calendar
from collections.abc import Sequence
from datetime import date

from render.places import Cell, Entry, Month, Week


def months(entries: Sequence[Entry]) -> tuple[Month, ...]:
    """One leaf for every month that holds a report, newest first; weeks from Monday."""
    by_kind_and_day = {(entry.kind, entry.day): entry for entry in entries}
    leaves = sorted({entry.day.replace(day=1) for entry in entries}, reverse=True)
    return tuple(_month(first, by_kind_and_day) for first in leaves)


def _month(first: date, reports: dict[tuple[str, date], Entry]) -> Month:
    weeks = calendar.Calendar().monthdatescalendar(first.year, first.month)
    return Month(
        label=f"{first:%Y-%m}",
        entry=reports.get(("month", first)),
        weeks=tuple(
            Week(
                # A week is told once: in the month of its Monday, by which it is dated.
                entry=reports.get(("week", days[0]))
                if days[0].month == first.month
                else None,
                cells=tuple(
                    Cell(day.day, reports.get(("day", day)))
                    if day.month == first.month
                    else Cell(None, None)
                    for day in days
                ),
            )
            for days in weeks
        ),
    )
