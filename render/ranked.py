"""Notable changes and the watch list, from their tables."""

from datetime import tzinfo

from render import context
from render.cells import (
    Row,
    flag,
    instant,
    integer,
    maybe_float,
    maybe_instant,
    maybe_integer,
    maybe_text,
    structs,
    text,
    texts,
)
from render.effect import fixed_issues, size
from render.escaping import safe_url
from render.highlights import highlights, reverted_by
from render.linked import bare_links, linked_threads
from render.listings import GHOST, in_order
from render.topics import Names, named


def notable_changes(
    found: list[Row], *, names: Names, zone: tzinfo
) -> tuple[context.NotableChange, ...]:
    """Pull requests worth knowing, by tier."""
    return tuple(
        context.NotableChange(
            kind="pr",
            number=integer(row, "number"),
            url=safe_url(maybe_text(row, "url")),
            title=text(row, "title"),
            labels=texts(row, "labels"),
            author=text(row, "author_login", default=GHOST),
            is_bot_author=flag(row, "is_bot_author"),
            status=text(row, "status"),
            status_at=maybe_instant(row, "status_at", zone=zone),
            listings=in_order(texts(row, "listings")),
            change_kind=text(row, "change_kind"),
            change_matched=maybe_text(row, "change_matched"),
            topics=tuple(named(names, key) for key in texts(row, "topics")),
            human_comment_count=integer(row, "human_comment_count"),
            linked_threads=linked_threads(row),
            bare_links=bare_links(row),
            fixed_issues=fixed_issues(row),
            size=size(row),
            excerpt=maybe_text(row, "excerpt"),
            tier=integer(row, "tier"),
            highlights=highlights(row),
            reverted_by=reverted_by(row),
        )
        for row in found
    )


def watch_list(found: list[Row], *, zone: tzinfo) -> tuple[context.WatchedThread, ...]:
    """Open threads that need eyes, in the table's order."""
    return tuple(
        context.WatchedThread(
            kind=text(row, "kind"),
            number=integer(row, "number"),
            url=safe_url(maybe_text(row, "url")),
            title=text(row, "title"),
            labels=texts(row, "labels"),
            author=text(row, "author_login", default=GHOST),
            is_bot_author=flag(row, "is_bot_author"),
            status=text(row, "status"),
            status_at=None,
            opened_at=instant(row, "opened_at", zone=zone),
            reasons=tuple(
                context.WatchReason(
                    reason=text(found, "reason"),
                    severity=maybe_text(found, "severity"),
                    matched=maybe_text(found, "matched"),
                    people_count=maybe_integer(found, "people_count"),
                    days=maybe_float(found, "days"),
                )
                for found in structs(row, "reasons")
            ),
            human_comment_count=integer(row, "human_comment_count"),
            linked_threads=linked_threads(row),
            bare_links=bare_links(row),
            symptom=maybe_text(row, "symptom"),
            excerpt=maybe_text(row, "excerpt"),
        )
        for row in found
    )
