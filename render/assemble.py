"""Report tables in, the context of a report out. Pure: no clock, no disk, no words.

Each function takes the rows of one report table and keeps their order: `position` and
`heat_rank` decided it already.
"""

from collections import Counter, defaultdict
from datetime import tzinfo
from zoneinfo import ZoneInfo

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
    number,
    rows,
    structs,
    text,
    texts,
)
from render.escaping import safe_url
from render.warehouse import Frames

LISTINGS = ("new_issue", "closed_issue", "new_pr", "merged_pr", "closed_unmerged_pr")
GHOST = "ghost"
# Of whom a reader takes in the names; a hot thread can have sixty.
SHOWN_PARTICIPANTS = 12


def assemble(frames: Frames, *, tool_version: str) -> context.Report:
    """The report that a window's tables hold; they hold the window once."""
    provenance = rows(frames.provenance)[0]
    counts = _counts(rows(frames.headline_counts))
    zone = ZoneInfo(text(provenance, "time_zone", default="UTC"))
    return context.Report(
        project=_project(provenance),
        window=_window(
            provenance,
            zone,
            has_medians=any(count.median is not None for count in counts),
        ),
        counts=counts,
        ecosystem=_ecosystem(
            rows(frames.ecosystem_threads),
            spotlight=maybe_text(provenance, "spotlight_ecosystem"),
            zone=zone,
        ),
        hot_threads=_hot_threads(
            rows(frames.hot_threads), rows(frames.hot_thread_comments), zone=zone
        ),
        listings=_listings(rows(frames.listed_threads), zone=zone),
        provenance=_provenance(provenance, zone, tool_version=tool_version),
    )


def _project(row: Row) -> context.Project:
    repository = text(row, "repository")
    return context.Project(
        title=text(row, "project_title"),
        repository=repository,
        url=safe_url(f"https://github.com/{repository}"),
    )


def _window(row: Row, zone: tzinfo, *, has_medians: bool) -> context.Window:
    return context.Window(
        kind=text(row, "window_kind"),
        label=_label(text(row, "window_id")),
        start_at=instant(row, "window_start_at", zone=zone),
        end_at=instant(row, "window_end_at", zone=zone),
        is_complete=flag(row, "is_complete"),
        has_medians=has_medians,
    )


def _label(window_id: str) -> str:
    """The id's last part, legible: `2026-03-04`, or `2026-12-10 20:17 +1h`."""
    name = window_id.split(":", 2)[-1]
    return name.replace("T", " ").replace("+", " +")


def _counts(found: list[Row]) -> tuple[context.HeadlineCount, ...]:
    if not found:
        return tuple(context.HeadlineCount(name, 0, None) for name in LISTINGS)
    row = found[0]
    return tuple(
        context.HeadlineCount(
            listing=name,
            count=integer(row, f"{name}_count"),
            median=maybe_float(row, f"{name}_count_median"),
        )
        for name in LISTINGS
    )


def _ecosystem(
    found: list[Row], *, spotlight: str | None, zone: tzinfo
) -> context.EcosystemSection | None:
    if spotlight is None:
        return None
    here = [row for row in found if text(row, "ecosystem") == spotlight]
    listed = Counter(name for row in here for name in set(texts(row, "listings")))
    return context.EcosystemSection(
        name=spotlight,
        thread_count=len(here),
        threads=tuple(
            _ecosystem_thread(row, zone)
            for row in here
            if not flag(row, "is_author_only")
        ),
        by_contributors=tuple(
            _ecosystem_thread(row, zone) for row in here if flag(row, "is_author_only")
        ),
        listed=tuple(
            context.ListingCount(name, listed[name])
            for name in LISTINGS
            if listed[name]
        ),
        discussed_count=sum(not texts(row, "listings") for row in here),
    )


def _ecosystem_thread(row: Row, zone: tzinfo) -> context.EcosystemThread:
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
        listings=_in_order(texts(row, "listings")),
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


def _in_order(listings: tuple[str, ...]) -> tuple[str, ...]:
    """The listings in the order of the report; one unknown to us last."""
    return tuple(sorted(listings, key=lambda name: (*LISTINGS, name).index(name)))


def _hot_threads(
    threads: list[Row], comments: list[Row], *, zone: tzinfo
) -> tuple[context.HotThread, ...]:
    quoted: dict[str, list[context.TurningComment]] = defaultdict(list)
    for row in comments:
        quoted[text(row, "thread_id")].append(
            context.TurningComment(
                author=text(row, "author_login", default=GHOST),
                created_at=instant(row, "created_at", zone=zone),
                excerpt=text(row, "excerpt"),
                url=safe_url(maybe_text(row, "url")),
                reasons=texts(row, "reasons"),
            )
        )
    return tuple(
        _hot_thread(row, tuple(quoted[text(row, "thread_id")]), zone) for row in threads
    )


def _hot_thread(
    row: Row, comments: tuple[context.TurningComment, ...], zone: tzinfo
) -> context.HotThread:
    people = structs(row, "participants")
    return context.HotThread(
        kind=text(row, "kind"),
        number=integer(row, "number"),
        url=safe_url(maybe_text(row, "url")),
        title=text(row, "title"),
        author=text(row, "author_login", default=GHOST),
        status=text(row, "status"),
        status_at=maybe_instant(row, "status_at", zone=zone),
        listings=_in_order(texts(row, "listings")),
        comment_count=integer(row, "comment_count"),
        human_comment_count=integer(row, "human_comment_count"),
        participant_count=integer(row, "participant_count"),
        comments_per_hour=number(row, "comments_per_hour"),
        peak_hour_comment_count=integer(row, "peak_hour_comment_count"),
        baseline_per_day=maybe_float(row, "baseline_per_day"),
        velocity_ratio=maybe_float(row, "velocity_ratio"),
        heat_score=number(row, "heat_score"),
        heat_level=maybe_integer(row, "heat_level"),
        participants=tuple(
            context.Participant(
                login=text(person, "login", default=GHOST),
                human_comment_count=integer(person, "human_comment_count"),
            )
            for person in people[:SHOWN_PARTICIPANTS]
        ),
        other_participant_count=max(0, len(people) - SHOWN_PARTICIPANTS),
        comments=comments,
    )


def _listings(found: list[Row], *, zone: tzinfo) -> tuple[context.Listing, ...]:
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


def _provenance(row: Row, zone: tzinfo, *, tool_version: str) -> context.Provenance:
    streams = structs(row, "streams")
    return context.Provenance(
        completeness=text(row, "completeness"),
        data_as_of_at=maybe_instant(row, "data_as_of_at", zone=zone),
        is_synthetic=flag(row, "is_synthetic"),
        baseline_window_count=integer(row, "baseline_window_count"),
        quarantined_row_count=integer(row, "quarantined_row_count"),
        streams=tuple(_stream(stream, zone) for stream in streams),
        short_streams=tuple(
            _stream(stream, zone) for stream in streams if not flag(stream, "is_enough")
        ),
        tool_version=tool_version,
    )


def _stream(stream: Row, zone: tzinfo) -> context.StreamCoverage:
    return context.StreamCoverage(
        stream=text(stream, "stream"),
        covered_from=maybe_instant(stream, "covered_from", zone=zone),
        covered_until=maybe_instant(stream, "covered_until", zone=zone),
    )
