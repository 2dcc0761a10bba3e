"""Notable changes and the watch list, from their tables: ranked, with the parts."""

from datetime import tzinfo

from render import context
from render.cells import (
    Row,
    flag,
    instant,
    integer,
    maybe_float,
    maybe_instant,
    maybe_text,
    number,
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

WATCH_PARTS = {
    "severity": "severity_points",
    "heat": "heat_points",
    "reporters": "reporter_points",
    "waiting": "waiting_points",
    "unlinked": "unlinked_points",
    "proposal": "proposal_points",
}
"""Part of a watched thread's score, and its column."""


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
    """Open threads that need eyes, by rank."""
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
            reasons=texts(row, "reasons"),
            severities=tuple(
                context.Severity(text(found, "word"), text(found, "severity"))
                for found in structs(row, "severities")
            ),
            human_comment_count=integer(row, "human_comment_count"),
            heat_score=number(row, "heat_score"),
            reporter_count=integer(row, "reporter_count"),
            waiting_days=maybe_float(row, "waiting_days"),
            linked_threads=linked_threads(row),
            bare_links=bare_links(row),
            symptom=maybe_text(row, "symptom"),
            excerpt=maybe_text(row, "excerpt"),
            score=number(row, "watch_score"),
            parts=_parts(row, WATCH_PARTS),
        )
        for row in found
    )


def _parts(row: Row, columns: dict[str, str]) -> tuple[context.RankPart, ...]:
    """The parts of a score that are something, in their order."""
    return tuple(
        context.RankPart(part, points)
        for part, column in columns.items()
        if (points := number(row, column))
    )
