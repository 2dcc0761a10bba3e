"""What to say of a notable change beside its kind, from `rpt_notable_changes`."""

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
from render.escaping import safe_url


def highlights(row: Row) -> context.Highlights:
    """The highlights of a row, in its order, with their numbers."""
    fixed = maybe_integer(row, "fixed_hot_number")
    urls = {
        integer(issue, "number"): safe_url(maybe_text(issue, "url"))
        for issue in structs(row, "fixed_issues")
    }
    return context.Highlights(
        names=texts(row, "highlights"),
        fixed_heat_rank=maybe_integer(row, "fixed_heat_rank"),
        fixed_hot_number=fixed,
        fixed_hot_url=None if fixed is None else urls.get(fixed),
        merge_days=maybe_float(row, "merge_days"),
        merge_days_median=maybe_float(row, "merge_days_median"),
    )


def reverted_by(row: Row) -> tuple[context.RevertLink, ...]:
    """What reverts it, in the table's order."""
    return tuple(
        context.RevertLink(
            number=integer(linked, "number"),
            url=safe_url(maybe_text(linked, "url")),
            title=text(linked, "title", default=""),
            status=text(linked, "status", default=""),
        )
        for linked in structs(row, "reverted_by")
    )
