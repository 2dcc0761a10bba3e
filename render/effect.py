"""What a change does that can be counted: its size, and the issues that it fixes."""

from render import context
from render.cells import Row, integer, maybe_integer, maybe_text, number, structs, texts
from render.escaping import safe_url


def size(row: Row) -> context.Size | None:
    """How large a pull request is; None where its page was not read."""
    additions = maybe_integer(row, "additions")
    deletions = maybe_integer(row, "deletions")
    if additions is None or deletions is None:
        return None
    areas = texts(row, "areas")
    return context.Size(
        additions=additions,
        deletions=deletions,
        file_count=maybe_integer(row, "changed_file_count"),
        areas=areas,
        other_area_count=max(0, integer(row, "area_count") - len(areas)),
    )


def fixed_issues(row: Row) -> tuple[context.FixedIssue, ...]:
    """The known issues that a thread says it fixes, in the table's order."""
    return tuple(
        context.FixedIssue(
            number=integer(issue, "number"),
            url=safe_url(maybe_text(issue, "url")),
            affected_people_count=integer(issue, "affected_people_count"),
            open_days=number(issue, "open_days"),
        )
        for issue in structs(row, "fixed_issues")
    )
