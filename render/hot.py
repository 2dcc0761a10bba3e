"""Hot discussions, from `rpt_hot_threads` and `rpt_hot_thread_comments`."""

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

# Of whom a reader takes in the names; a hot thread can have sixty.
SHOWN_PARTICIPANTS = 12


def hot_threads(
    threads: list[Row], comments: list[Row], *, zone: tzinfo
) -> tuple[context.HotThread, ...]:
    """The threads, hottest first, each with its quoted comments in order."""
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
        _thread(row, tuple(quoted[text(row, "thread_id")]), zone) for row in threads
    )


def _thread(
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
        listings=in_order(texts(row, "listings")),
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
