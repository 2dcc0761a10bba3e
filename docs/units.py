"""What a column's numbers are counted in. Its name's ending says so. Pure."""

from __future__ import annotations

import re

# The first ending that fits decides.
ENDINGS = (
    (r"per_hour", "per hour"),
    (r"per_day", "per day"),
    (r"hours(_median|_p90)?", "hours"),
    (r"days(_median)?", "days"),
    (r"share|strength", "0 to 1"),
    (r"ratio|lift", "times"),
    (r"points|weight|heat|score", "points"),
    (r"position|rank|rank_before|index|version", "place"),
    (r"level|tier", "1 to 5"),
    (r"count(_\w+)?|weekday_median", "count"),
    (r"additions|deletions", "lines"),
    (r"number|id|sequence", "id"),
)
NUMBERS = ("bigint", "integer", "double")


def unit_of(name: str, data_type: str) -> str:
    """The unit of a column; empty for text and flags, which have none.

    >>> unit_of("time_to_merge_hours_median", "double")
    'hours'
    >>> unit_of("created_at", "timestamptz")
    'UTC'

    Raises ValueError for a number whose name ends in no known way.
    """
    if data_type == "timestamptz":
        return "UTC"
    if data_type == "date":
        return "local day"
    if data_type not in NUMBERS:
        return ""
    for ending, unit in ENDINGS:
        if re.search(rf"(^|_)({ending})$", name):
            return unit
    raise ValueError(f"{name}: no unit; name it by one, or add its ending to ENDINGS")
