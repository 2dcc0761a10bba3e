"""Where hot discussions stand, from `rpt_hot_thread_standing`."""

from datetime import tzinfo

from render import context
from render.cells import (
    Row,
    flag,
    instant,
    integer,
    maybe_instant,
    maybe_text,
    structs,
    text,
    texts,
)
from render.escaping import safe_url
from render.listings import GHOST


def standings(found: list[Row], *, zone: tzinfo) -> dict[str, context.Standing]:
    """What each hot thread of the window waits for, and who holds what, by thread."""
    return {text(row, "thread_id"): _standing(row, zone) for row in found}


def _standing(row: Row, zone: tzinfo) -> context.Standing:
    return context.Standing(
        waiting_basis=text(row, "waiting_basis"),
        waiting_on=maybe_text(row, "waiting_on"),
        waiting_on_logins=texts(row, "waiting_on_logins"),
        waiting_since_at=maybe_instant(row, "waiting_since_at", zone=zone),
        ask=_ask(row),
        open_ask_count=integer(row, "open_ask_count"),
        last_word_by=text(row, "last_word_by", default=GHOST),
        last_word_role=maybe_text(row, "last_word_role"),
        last_word_at=maybe_instant(row, "last_word_at", zone=zone),
        voices=tuple(_voices(each, zone) for each in structs(row, "roles")),
        positions=tuple(
            context.Position(
                cue=text(each, "cue"),
                person_count=integer(each, "person_count"),
                holders=tuple(_holder(one, zone) for one in structs(each, "people")),
            )
            for each in structs(row, "positions")
        ),
    )


def _ask(row: Row) -> context.Ask | None:
    sentence = maybe_text(row, "ask")
    if sentence is None:
        return None
    return context.Ask(
        author=text(row, "asked_by", default=GHOST),
        role=text(row, "asked_by_role"),
        sentence=sentence,
        url=safe_url(maybe_text(row, "ask_url")),
    )


def _voices(each: Row, zone: tzinfo) -> context.Voices:
    return context.Voices(
        role=text(each, "role"),
        person_count=integer(each, "person_count"),
        comment_count=integer(each, "comment_count"),
        last_comment_at=instant(each, "last_comment_at", zone=zone),
    )


def _holder(one: Row, zone: tzinfo) -> context.Holder:
    return context.Holder(
        login=text(one, "login", default=GHOST),
        role=text(one, "role"),
        said_at=instant(one, "said_at", zone=zone),
        sentence=text(one, "sentence"),
        url=safe_url(maybe_text(one, "url")),
        is_quoted=flag(one, "is_quoted"),
    )
