"""The spotlight ecosystem's section, from `rpt_ecosystem_…` and the trend."""

from collections import Counter
from collections.abc import Mapping
from datetime import tzinfo
from itertools import groupby

from render import context
from render.cells import (
    Row,
    flag,
    integer,
    maybe_float,
    maybe_instant,
    maybe_integer,
    maybe_text,
    number,
    rows,
    structs,
    text,
    texts,
)
from render.effect import fixed_issues, size
from render.escaping import safe_url
from render.linked import bare_links, linked_threads
from render.listings import GHOST, LISTINGS, in_order
from render.series import share_series
from render.topics import Names, named
from render.warehouse import Frames

# Of whom a reader takes in the names; a busy week can have hundreds.
SHOWN_CONTRIBUTORS = 12

Affiliations = Mapping[str, context.Affiliation | None]


def ecosystem_section(
    frames: Frames, *, spotlight: str | None, names: Names, zone: tzinfo
) -> context.EcosystemSection | None:
    """The section of one ecosystem of all that have rows; None without a spotlight."""
    if spotlight is None:
        return None

    def here(found: list[Row]) -> list[Row]:
        return [row for row in found if text(row, "ecosystem") == spotlight]

    threads = here(rows(frames.ecosystem_threads))
    people = here(rows(frames.ecosystem_contributors))
    known = {text(row, "login"): _affiliation(row) for row in people}
    active = [row for row in people if flag(row, "is_active")]
    listed = Counter(name for row in threads for name in set(texts(row, "listings")))
    told = [row for row in threads if not flag(row, "is_author_only")]
    groups = groupby(enumerate(told), key=_topic_or_place)
    return context.EcosystemSection(
        name=spotlight,
        thread_count=len(threads),
        share=_share(here(rows(frames.ecosystem_share))),
        trend=share_series(rows(frames.trend)),
        groups=tuple(
            _group([row for _, row in group], known, names, zone) for _, group in groups
        ),
        by_contributors=tuple(
            _thread(row, known, zone) for row in threads if flag(row, "is_author_only")
        ),
        contributors=tuple(_contributor(row) for row in active[:SHOWN_CONTRIBUTORS]),
        other_contributor_count=max(0, len(active) - SHOWN_CONTRIBUTORS),
        listed=tuple(
            context.ListingCount(name, listed[name])
            for name in LISTINGS
            if listed[name]
        ),
        discussed_count=sum(not texts(row, "listings") for row in threads),
    )


def _topic_or_place(placed: tuple[int, Row]) -> str | int:
    """What holds neighbours together; a thread without a topic stands alone."""
    place, row = placed
    topic = maybe_text(row, "topic")
    return place if topic is None else topic


def _group(
    group: list[Row], known: Affiliations, names: Names, zone: tzinfo
) -> context.EcosystemGroup:
    lead, *others = (_thread(row, known, zone) for row in group)
    return context.EcosystemGroup(
        topic=named(names, text(group[0], "topic")) if others else None,
        size=len(group),
        lead=lead,
        others=tuple(others),
    )


def _share(found: list[Row]) -> context.EcosystemShare | None:
    if not found:
        return None
    return context.EcosystemShare(
        share=maybe_float(found[0], "share"),
        active_thread_count=integer(found[0], "active_thread_count"),
        usual_share=maybe_float(found[0], "usual_share"),
        lift=maybe_float(found[0], "lift"),
        contributor_count=integer(found[0], "contributor_count"),
    )


def _affiliation(row: Row) -> context.Affiliation | None:
    ecosystem = maybe_text(row, "author_affiliation")
    source = maybe_text(row, "affiliation_source")
    if ecosystem is None or source is None:
        return None
    return context.Affiliation(ecosystem=ecosystem, source=source)


def _contributor(row: Row) -> context.Contributor:
    return context.Contributor(
        login=text(row, "login"),
        affiliation=_affiliation(row),
        opened_count=integer(row, "opened_count"),
        merged_count=integer(row, "merged_count"),
        comment_count=integer(row, "comment_count"),
    )


def _thread(row: Row, known: Affiliations, zone: tzinfo) -> context.EcosystemThread:
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
        linked_threads=linked_threads(row),
        bare_links=bare_links(row),
        fixed_issues=fixed_issues(row),
        size=size(row),
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
        heat_rank=maybe_integer(row, "heat_rank"),
        notable_position=maybe_integer(row, "notable_position"),
        watch_position=maybe_integer(row, "watch_position"),
        affiliation=known.get(text(row, "author_login", default=GHOST)),
    )
