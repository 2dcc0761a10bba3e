"""What sets a notable change apart from the others of its window."""

from render import context
from render.cells import (
    Row,
    integer,
    maybe_float,
    maybe_integer,
    maybe_text,
    structs,
    texts,
)
from render.escaping import safe_url
from render.topics import Names, named


def set_apart(row: Row, *, names: Names) -> context.SetApart:
    """The distinctions of a row of `rpt_notable_changes`, in its order."""
    topic = maybe_text(row, "rising_topic")
    fixed = maybe_integer(row, "fixed_hot_number")
    urls = {
        integer(issue, "number"): safe_url(maybe_text(issue, "url"))
        for issue in structs(row, "fixed_issues")
    }
    return context.SetApart(
        distinctions=texts(row, "distinctions"),
        change_count=integer(row, "change_count"),
        heat_rank=maybe_integer(row, "heat_rank"),
        fixed_heat_rank=maybe_integer(row, "fixed_heat_rank"),
        fixed_hot_number=fixed,
        fixed_hot_url=None if fixed is None else urls.get(fixed),
        sized_change_count=integer(row, "sized_change_count"),
        area=maybe_text(row, "area"),
        area_change_count=integer(row, "area_change_count"),
        merge_days=maybe_float(row, "merge_days"),
        merge_days_median=maybe_float(row, "merge_days_median"),
        rising_topic=None if topic is None else named(names, topic),
        rising_topic_lift=maybe_float(row, "rising_topic_lift"),
    )
