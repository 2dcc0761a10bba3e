"""What was restated of a window, by list, from `reports.rpt_restatements`. Pure."""

from collections import defaultdict

from render import context
from render.cells import Row, integer, maybe_text, text
from render.escaping import safe_url
from render.listings import LISTINGS


def restatements(found: list[Row]) -> tuple[context.Restatement, ...]:
    """One per publication and list that it changed, the earliest publication first."""
    by_list: dict[tuple[int, int], list[Row]] = defaultdict(list)
    for row in found:
        place = LISTINGS.index(text(row, "listing"))
        by_list[integer(row, "version"), place].append(row)
    return tuple(_restatement(by_list[key]) for key in sorted(by_list))


def _restatement(rows: list[Row]) -> context.Restatement:
    counted = [row for row in rows if text(row, "change") == "counted"]
    return context.Restatement(
        listing=text(rows[0], "listing"),
        count_before=int(text(counted[0], "from_value")) if counted else None,
        count=int(text(counted[0], "to_value")) if counted else None,
        threads=tuple(_thread(row) for row in rows if row not in counted),
    )


def _thread(row: Row) -> context.RestatedThread:
    return context.RestatedThread(
        number=integer(row, "number"),
        url=safe_url(maybe_text(row, "url")),
        change=text(row, "change"),
        reason=text(row, "reason"),
    )
