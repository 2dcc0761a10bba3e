"""The five listings: their order, and the appendix's rows."""

from datetime import tzinfo

from render import context
from render.cells import Row, instant, integer, maybe_text, text, texts
from render.escaping import safe_url

LISTINGS = ("new_issue", "closed_issue", "new_pr", "merged_pr", "closed_unmerged_pr")
GHOST = "ghost"
"""How an author without an account is called, as on GitHub."""


def listings(found: list[Row], *, zone: tzinfo) -> tuple[context.Listing, ...]:
    """All five lists from `rpt_listed_threads`, each in its table's order."""
    by_name: dict[str, list[context.ListedThread]] = {name: [] for name in LISTINGS}
    for row in found:
        by_name[text(row, "listing")].append(
            context.ListedThread(
                number=integer(row, "number"),
                url=safe_url(maybe_text(row, "url")),
                title=text(row, "title"),
                labels=texts(row, "labels"),
                author=text(row, "author_login", default=GHOST),
                event_at=instant(row, "event_at", zone=zone),
                is_current=text(row, "as_of_basis") == "current",
            )
        )
    return tuple(
        context.Listing(
            name=name,
            threads=tuple(threads),
            has_current=any(thread.is_current for thread in threads),
        )
        for name, threads in by_name.items()
    )


def in_order(listings: tuple[str, ...]) -> tuple[str, ...]:
    """The listings in the order of the report; one unknown to us last."""
    return tuple(sorted(listings, key=lambda name: (*LISTINGS, name).index(name)))
