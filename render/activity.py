"""Who was there and how long they waited, from `rpt_activity`."""

from render import context
from render.cells import (
    Row,
    integer,
    maybe_float,
    maybe_integer,
    maybe_text,
    structs,
    text,
    texts,
)
from render.listings import GHOST

# Of whom a reader takes in the names.
SHOWN_FIRST_TIMERS = 12


def activity(found: list[Row]) -> context.Activity | None:
    """The window's activity; None where the table has no row for it."""
    if not found:
        return None
    row = found[0]
    first_timers = texts(row, "first_timers")
    return context.Activity(
        contributor_count=integer(row, "contributor_count"),
        first_timer_count=integer(row, "first_timer_count"),
        first_timers=first_timers[:SHOWN_FIRST_TIMERS],
        other_first_timer_count=max(0, len(first_timers) - SHOWN_FIRST_TIMERS),
        first_timer_basis=maybe_text(row, "first_timer_basis"),
        reviewer_count=integer(row, "reviewer_count"),
        top_reviewers=_people(row, "top_reviewers"),
        top_commenters=_people(row, "top_commenters"),
        response=_duration(row, "response"),
        unanswered_count=integer(row, "unanswered_count"),
        merge=_duration(row, "merge"),
        reopened_count=integer(row, "reopened_count"),
        human_comment_count=integer(row, "human_comment_count"),
        bot_comment_count=integer(row, "bot_comment_count"),
        bot_comment_share=maybe_float(row, "bot_comment_share"),
        backlogs=tuple(
            context.Backlog(
                kind=kind,
                before=maybe_integer(row, f"open_{kind}_count_at_start"),
                after=maybe_integer(row, f"open_{kind}_count_at_end"),
                change=integer(row, f"open_{kind}_count_change"),
            )
            for kind in ("issue", "pr")
        ),
    )


def _people(row: Row, column: str) -> tuple[context.PersonCount, ...]:
    return tuple(
        context.PersonCount(
            login=text(person, "login", default=GHOST), count=integer(person, "count")
        )
        for person in structs(row, column)
    )


def _duration(row: Row, measure: str) -> context.Duration | None:
    median = maybe_float(row, f"{measure}_hours_median")
    p90 = maybe_float(row, f"{measure}_hours_p90")
    if median is None or p90 is None:
        return None
    return context.Duration(
        median_hours=median, p90_hours=p90, count=integer(row, f"{measure}_count")
    )
