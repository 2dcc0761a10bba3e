"""Numbers along time, from `rpt_trend` and `rpt_comment_hours`."""

from collections.abc import Sequence
from datetime import tzinfo

from render import context
from render.cells import (
    Row,
    instant,
    integer,
    is_null,
    maybe_float,
    maybe_text,
    text,
)
from render.labels import point_label


def count_series(
    found: list[Row], counts: Sequence[context.HeadlineCount]
) -> tuple[context.Series, ...]:
    """The five counts up to this window; nothing where only this window is known."""
    if len(known(found)) < 2:
        return ()
    return tuple(
        context.Series(
            measure=count.listing,
            median=count.median,
            points=points(found, f"{count.listing}_count"),
        )
        for count in counts
    )


def share_series(found: list[Row]) -> context.Series | None:
    """The ecosystem's share up to this window; null where only this one is known."""
    if len(known(found)) < 2:
        return None
    return context.Series(
        measure="share", median=None, points=points(found, "ecosystem_thread_share")
    )


def points(found: list[Row], column: str) -> tuple[context.Point, ...]:
    """One for each place of the trend that has a window; the last is this one."""
    return tuple(
        context.Point(
            label=point_label(
                text(row, "trend_window_id").split(":")[1], str(row["trend_date"])[:10]
            ),
            value=maybe_float(row, column),
            is_this=row is found[-1],
        )
        for row in known(found)
    )


def known(found: list[Row]) -> list[Row]:
    """The places that have a window."""
    return [row for row in found if maybe_text(row, "trend_window_id") is not None]


def comment_hours(found: list[Row], *, zone: tzinfo) -> tuple[context.HourCount, ...]:
    """People's comments along the window; nothing where nobody spoke."""
    if not any(integer(row, "human_comment_count") for row in found):
        return ()
    return tuple(
        context.HourCount(
            start_at=instant(row, "bucket_start_at", zone=zone),
            human_comment_count=integer(row, "human_comment_count"),
        )
        for row in found
        if not is_null(row["bucket_start_at"])
    )
