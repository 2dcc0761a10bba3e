"""Hot discussions and what became of them, from the `rpt_hot_…` tables."""

from datetime import tzinfo

from render import context
from render.cells import (
    Row,
    instant,
    integer,
    maybe_flag,
    maybe_float,
    maybe_instant,
    maybe_integer,
    maybe_struct,
    maybe_text,
    number,
    structs,
    text,
    texts,
)
from render.escaping import safe_url
from render.listings import GHOST, in_order


def hot_threads(found: list[Row], *, zone: tzinfo) -> tuple[context.HotThread, ...]:
    """The threads, hottest first, each with its people and comments."""
    return tuple(_thread(row, zone) for row in found)


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


def _thread(row: Row, zone: tzinfo) -> context.HotThread:
    return context.HotThread(
        kind=text(row, "kind"),
        number=integer(row, "number"),
        url=safe_url(maybe_text(row, "url")),
        title=text(row, "title"),
        author=text(row, "author_login", default=GHOST),
        opened_at=instant(row, "opened_at", zone=zone),
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
        is_new_discussion=maybe_flag(row, "is_new_discussion"),
        heat_score=number(row, "heat_score"),
        heat_level=maybe_integer(row, "heat_level"),
        participants=tuple(
            context.Participant(
                login=text(person, "login", default=GHOST),
                role=text(person, "role"),
                comment_count=integer(person, "comment_count"),
                first_comment_at=instant(person, "first_comment_at", zone=zone),
                last_comment_at=instant(person, "last_comment_at", zone=zone),
            )
            for person in structs(row, "people")
        ),
        roles=tuple(
            context.RoleCount(
                role=text(each, "role"),
                person_count=integer(each, "person_count"),
                comment_count=integer(each, "comment_count"),
            )
            for each in structs(row, "roles")
        ),
        comments=tuple(
            context.QuotedComment(
                author=text(comment, "author_login", default=GHOST),
                role=text(comment, "role"),
                created_at=instant(comment, "created_at", zone=zone),
                reason=text(comment, "reason"),
                excerpt=text(comment, "excerpt"),
                url=safe_url(maybe_text(comment, "url")),
            )
            for comment in structs(row, "comments")
        ),
        waiting=_waiting(row, zone),
    )


def _waiting(row: Row, zone: tzinfo) -> context.Waiting | None:
    found = maybe_struct(row, "waiting_on")
    if found is None:
        return None
    return context.Waiting(
        login=text(found, "login", default=GHOST),
        since_at=instant(found, "since_at", zone=zone),
        mentioned_by=text(found, "mentioned_by", default=GHOST),
        url=safe_url(maybe_text(found, "comment_url")),
    )
