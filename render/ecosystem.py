"""The spotlight ecosystem's section, from `rpt_ecosystem_threads`."""

from collections import Counter, defaultdict
from datetime import tzinfo

from render import context
from render.cells import (
    Row,
    flag,
    integer,
    maybe_instant,
    maybe_text,
    number,
    structs,
    text,
    texts,
)
from render.escaping import safe_url
from render.listings import GHOST, LISTINGS, in_order


def ecosystem_section(
    found: list[Row], *, spotlight: str | None, zone: tzinfo
) -> context.EcosystemSection | None:
    """The section of one ecosystem of all that have rows; None without a spotlight."""
    if spotlight is None:
        return None
    here = [row for row in found if text(row, "ecosystem") == spotlight]
    listed = Counter(name for row in here for name in set(texts(row, "listings")))
    return context.EcosystemSection(
        name=spotlight,
        thread_count=len(here),
        threads=tuple(
            _thread(row, zone) for row in here if not flag(row, "is_author_only")
        ),
        by_contributors=tuple(
            _thread(row, zone) for row in here if flag(row, "is_author_only")
        ),
        listed=tuple(
            context.ListingCount(name, listed[name])
            for name in LISTINGS
            if listed[name]
        ),
        discussed_count=sum(not texts(row, "listings") for row in here),
    )


def _thread(row: Row, zone: tzinfo) -> context.EcosystemThread:
    return context.EcosystemThread(
        kind=text(row, "kind"),
        number=integer(row, "number"),
        url=safe_url(maybe_text(row, "url")),
        title=text(row, "title"),
        labels=texts(row, "labels"),
        author=text(row, "author_login", default=GHOST),
        is_bot_author=flag(row, "is_bot_author"),
        status=text(row, "status"),
        status_at=maybe_instant(row, "status_at", zone=zone),
        excerpt=maybe_text(row, "excerpt"),
        listings=in_order(texts(row, "listings")),
        linked_threads=tuple(
            context.LinkedThread(
                number=integer(linked, "number"),
                url=safe_url(maybe_text(linked, "url")),
                title=text(linked, "title"),
                status=text(linked, "status"),
                relation=text(linked, "relation"),
            )
            for linked in structs(row, "linked_threads")
            if maybe_text(linked, "title") is not None
        ),
        bare_links=_bare_links(structs(row, "linked_threads")),
        comment_count=integer(row, "comment_count"),
        human_comment_count=integer(row, "human_comment_count"),
        evidence=tuple(
            context.Evidence(
                signal=text(fired, "signal"),
                matched=text(fired, "matched"),
                strength=number(fired, "strength"),
            )
            for fired in structs(row, "evidence")
        ),
        score=number(row, "score"),
    )


def _bare_links(found: tuple[Row, ...]) -> tuple[context.BareLinks, ...]:
    """Links to threads without a title, gathered by relation in order of appearance.

    GitHub leads `issues/<number>` on to the pull request where the number is one's.
    """
    by_relation: dict[str, list[context.BareThread]] = defaultdict(list)
    for linked in found:
        if maybe_text(linked, "title") is None:
            repository, _, number = text(linked, "thread_id").rpartition("#")
            url = safe_url(f"https://github.com/{repository}/issues/{number}")
            by_relation[text(linked, "relation")].append(
                context.BareThread(number=integer(linked, "number"), url=url)
            )
    return tuple(
        context.BareLinks(relation, tuple(threads))
        for relation, threads in by_relation.items()
    )
