"""The opening sentences' numbers, from `rpt_summary`."""

from datetime import tzinfo

from render import context
from render.cells import (
    Row,
    flag,
    integer,
    maybe_float,
    maybe_instant,
    maybe_text,
    text,
)
from render.escaping import safe_url
from render.listings import LISTINGS
from render.topics import Names, named


def summary(found: list[Row], *, names: Names, zone: tzinfo) -> context.Summary | None:
    """The window at a glance; None where the table has no row for it."""
    if not found:
        return None
    row = found[0]
    return context.Summary(
        is_quiet=flag(row, "is_quiet"),
        listed=_comparison(row, "listing"),
        counts=tuple(_comparison(row, name) for name in LISTINGS),
        comments=_comparison(row, "human_comment"),
        merged_share=maybe_float(row, "merged_share"),
        contributor_count=integer(row, "contributor_count"),
        first_timer_count=integer(row, "first_timer_count"),
        busiest_hour_start_at=maybe_instant(row, "busiest_hour_start_at", zone=zone),
        busiest_hour_comment_count=integer(row, "busiest_hour_comment_count"),
        busiest_day_start_at=maybe_instant(row, "busiest_day_start_at", zone=zone),
        busiest_day_comment_count=integer(row, "busiest_day_comment_count"),
        rising=_topic(row, "rising_topic", names, lift="rising_topic_lift"),
        busiest=_topic(row, "busiest_topic", names),
        hottest=_hottest(row),
        ecosystem=_ecosystem(row),
    )


def _comparison(row: Row, measure: str) -> context.Comparison:
    return context.Comparison(
        measure=measure,
        count=integer(row, f"{measure}_count"),
        median=maybe_float(row, f"{measure}_count_median"),
        weekday_median=maybe_float(row, f"{measure}_weekday_median"),
        direction=maybe_text(row, f"{measure}_direction"),
    )


def _topic(
    row: Row, column: str, names: Names, *, lift: str | None = None
) -> context.TopicMention | None:
    key = maybe_text(row, column)
    if key is None:
        return None
    return context.TopicMention(
        name=named(names, key),
        thread_count=integer(row, f"{column}_thread_count"),
        lift=None if lift is None else maybe_float(row, lift),
    )


def _hottest(row: Row) -> context.HottestThread | None:
    if maybe_text(row, "hottest_thread_title") is None:
        return None
    return context.HottestThread(
        number=integer(row, "hottest_thread_number"),
        url=safe_url(maybe_text(row, "hottest_thread_url")),
        title=text(row, "hottest_thread_title"),
        human_comment_count=integer(row, "hottest_thread_human_comment_count"),
        participant_count=integer(row, "hottest_thread_participant_count"),
    )


def _ecosystem(row: Row) -> context.EcosystemMention | None:
    name = maybe_text(row, "ecosystem")
    if name is None:
        return None
    return context.EcosystemMention(
        name=name,
        thread_count=integer(row, "ecosystem_thread_count"),
        share=maybe_float(row, "ecosystem_thread_share"),
        usual_share=maybe_float(row, "ecosystem_usual_share"),
        lift=maybe_float(row, "ecosystem_lift"),
    )
