"""Facts in one line: how tests and the sample say what happened.

    World().with_rows(
        issue(1, "2026-03-04T04:00:00Z", labels=("bug",)),
        comment(1, "2026-03-04T05:00:00Z", "me too", user=dev(2)),
        closed(1, "2026-03-04T06:00:00Z"),
    )

Instants are aware datetimes or ISO texts; keyword arguments go to the row as they are.
"""

from datetime import UTC, datetime
from typing import Any

from sample.rows import Comment, Event, Review, ReviewComment, Thread, User

Instant = datetime | str
GHOST = User(10137, "ghost")


def instant(when: Instant) -> datetime:
    """An aware UTC datetime of whole seconds; ValueError for a naive one."""
    told = datetime.fromisoformat(when) if isinstance(when, str) else when
    if told.tzinfo is None:
        raise ValueError(f"{when!r} says no time zone; write it with a Z")
    return told.astimezone(UTC).replace(microsecond=0)


def dev(ordinal: int, suffix: str = "") -> User:
    """A plainly artificial person, e.g. `dev-017` or `dev-021-amd`."""
    return User(7_000_000 + ordinal, f"dev-{ordinal:03d}{suffix}")


def bot(name: str, ordinal: int = 1) -> User:
    """An app's account, e.g. `sample-ci[bot]`."""
    return User(8_000_000 + ordinal, f"{name}[bot]", "Bot")


def issue(
    number: int, at: Instant, title: str = "Something broke", **row: Any
) -> Thread:
    """An issue opened by dev-001, unless told otherwise."""
    return Thread(number, instant(at), title, **{"user": dev(1), **row})


def pull(number: int, at: Instant, title: str = "Mend it", **row: Any) -> Thread:
    """A pull request opened by dev-001, unless told otherwise."""
    return issue(number, at, title, is_pull_request=True, **row)


def comment(
    number: int, at: Instant, body: str | None = "Noted.", **row: Any
) -> Comment:
    """A comment in a thread's conversation, by dev-002 unless told otherwise."""
    return Comment(number, instant(at), body, **{"user": dev(2), **row})


def review_comment(
    number: int, at: Instant, body: str | None = "Here?", **row: Any
) -> ReviewComment:
    """A comment on a diff, by dev-002 unless told otherwise."""
    return ReviewComment(number, instant(at), body, **{"user": dev(2), **row})


def review(
    number: int, at: Instant, state: str = "APPROVED", body: str = "", **row: Any
) -> Review:
    """A submitted review, by dev-002 unless told otherwise."""
    return Review(number, instant(at), state, body, **{"user": dev(2), **row})


def happened(event: str, number: int | None, at: Instant, **row: Any) -> Event:
    """Any event, by dev-003 unless told otherwise."""
    return Event(number, instant(at), event, **{"actor": dev(3), **row})


def closed(number: int, at: Instant, **row: Any) -> Event:
    """A close; for an issue give `state_reason`, e.g. `completed`."""
    return happened("closed", number, at, **row)


def reopened(number: int, at: Instant, **row: Any) -> Event:
    """The end of a close."""
    return happened("reopened", number, at, **row)


def merged(number: int, at: Instant, **row: Any) -> tuple[Event, Event]:
    """A merge: GitHub tells it as `merged` and `closed`, in one second."""
    told = {"commit_id": f"{number:040x}", **row}
    return happened("merged", number, at, **told), closed(number, at, **told)


def labeled(number: int, at: Instant, label: str, **row: Any) -> Event:
    """A label put on."""
    return happened("labeled", number, at, label=label, **row)


def unlabeled(number: int, at: Instant, label: str, **row: Any) -> Event:
    """A label taken off."""
    return happened("unlabeled", number, at, label=label, **row)


def renamed(number: int, at: Instant, before: str, after: str, **row: Any) -> Event:
    """A new title."""
    return happened("renamed", number, at, rename=(before, after), **row)


def drafted(number: int, at: Instant, **row: Any) -> Event:
    """A pull request turned back into a draft."""
    return happened("convert_to_draft", number, at, **row)


def readied(number: int, at: Instant, **row: Any) -> Event:
    """A draft made ready for review."""
    return happened("ready_for_review", number, at, **row)
