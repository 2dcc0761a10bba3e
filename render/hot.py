"""Hot discussions and what became of them, from the `rpt_hot_…` tables."""

from collections import defaultdict
from datetime import tzinfo

from render import context
from render.cells import (
    Row,
    instant,
    integer,
    maybe_float,
    maybe_instant,
    maybe_integer,
    maybe_text,
    number,
    structs,
    text,
    texts,
)
from render.escaping import safe_url
from render.listings import GHOST, in_order
from render.standing import standings

# Of whom a reader takes in the names; a hot thread can have sixty.
SHOWN_PARTICIPANTS = 12
# Of the score's parts; those after it are small.
SHOWN_PARTS = 5


def hot_threads(
    threads: list[Row],
    comments: list[Row],
    heat: list[Row],
    standing: list[Row],
    *,
    zone: tzinfo,
) -> tuple[context.HotThread, ...]:
    """The threads, hottest first, each with its quoted comments, the parts of its heat
    and where it stands.
    """
    stand = standings(standing, zone=zone)
    quoted: dict[str, list[context.TurningComment]] = defaultdict(list)
    for row in comments:
        quoted[text(row, "thread_id")].append(_comment(row, zone))
    parts: dict[str, list[context.HeatPart]] = defaultdict(list)
    for row in heat:
        parts[text(row, "thread_id")].append(_heat_part(row, zone))
    return tuple(
        _thread(
            row,
            tuple(quoted[text(row, "thread_id")]),
            tuple(parts[text(row, "thread_id")][:SHOWN_PARTS]),
            stand.get(text(row, "thread_id")),
            zone,
        )
        for row in threads
    )


def followups(found: list[Row], *, zone: tzinfo) -> tuple[context.Followup, ...]:
    """What became of the hot discussions of the window before, from their table."""
    return tuple(
        context.Followup(
            kind=text(row, "kind"),
            number=integer(row, "number"),
            url=safe_url(maybe_text(row, "url")),
            title=text(row, "title"),
            status=text(row, "status"),
            status_at=maybe_instant(row, "status_at", zone=zone),
            human_comment_count_before=integer(row, "human_comment_count_before"),
            human_comment_count=integer(row, "human_comment_count"),
            outcome=text(row, "outcome"),
        )
        for row in found
    )


def _comment(row: Row, zone: tzinfo) -> context.TurningComment:
    return context.TurningComment(
        author=text(row, "author_login", default=GHOST),
        created_at=instant(row, "created_at", zone=zone),
        excerpt=text(row, "excerpt"),
        url=safe_url(maybe_text(row, "url")),
        reasons=texts(row, "reasons"),
    )


def _heat_part(row: Row, zone: tzinfo) -> context.HeatPart:
    return context.HeatPart(
        login=text(row, "login", default=GHOST),
        human_comment_count=integer(row, "human_comment_count"),
        heat=number(row, "heat"),
        last_comment_at=instant(row, "last_comment_at", zone=zone),
    )


def _thread(
    row: Row,
    comments: tuple[context.TurningComment, ...],
    heat_parts: tuple[context.HeatPart, ...],
    standing: context.Standing | None,
    zone: tzinfo,
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
        listings=in_order(texts(row, "listings")),
        comment_count=integer(row, "comment_count"),
        human_comment_count=integer(row, "human_comment_count"),
        participant_count=integer(row, "participant_count"),
        comments_per_hour=number(row, "comments_per_hour"),
        comments_per_day=number(row, "comments_per_day"),
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
        heat_parts=heat_parts,
        comments=comments,
        standing=standing,
    )
