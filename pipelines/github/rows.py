"""Values of GitHub's payloads as values of table columns; what does not fit, says so.

Everything that GitHub sends is untrusted: keys may be absent or null, text may hold
NULs and lone surrogates, times and ids may be anything.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

import pyarrow as pa

TIME = pa.timestamp("us", tz="UTC")

# What no database can store as text becomes the character made for that.
UNSTORABLE = re.compile("[\x00\ud800-\udfff]")
REPLACEMENT = "\N{REPLACEMENT CHARACTER}"

MAX_BIGINT = 2**63 - 1

THREAD_NUMBER = re.compile(r"/(?:issues|pull|pulls)/(\d{1,18})(?:[#/?]|$)", re.ASCII)

Payload = Mapping[str, Any]
Row = dict[str, Any]


class UnfitError(Exception):
    """A payload that cannot become a row; the text is the reason."""


def clean(value: str) -> str:
    """The text with NULs and lone surrogates replaced by U+FFFD."""
    if value.isascii() and "\x00" not in value:
        return value
    return UNSTORABLE.sub(REPLACEMENT, value)


def text(payload: Payload, key: str) -> str | None:
    """A text, or None where there is none."""
    value = payload.get(key)
    if value is None:
        return None
    if not isinstance(value, str):
        raise UnfitError(f"{key} is no text")
    return clean(value)


def instant(value: Any) -> datetime:
    """An instant in UTC; only ISO times that name their offset are accepted."""
    if not isinstance(value, str) or len(value) < len("2026-03-04T11:24Z"):
        raise UnfitError("is no time")
    try:
        told = datetime.fromisoformat(value)
        if told.tzinfo is None:
            raise UnfitError("is a time without an offset")
        return told if told.tzinfo is UTC else told.astimezone(UTC)
    except (ValueError, OverflowError):
        raise UnfitError("is no time") from None


def time_at(payload: Payload, key: str) -> datetime:
    """A time that must be there."""
    try:
        return instant(payload.get(key))
    except UnfitError as why:
        raise UnfitError(f"{key} {why}") from None


def time_or_none(payload: Payload, key: str) -> datetime | None:
    """A time that may be null or absent."""
    return None if payload.get(key) is None else time_at(payload, key)


def number(payload: Payload, key: str) -> int:
    """A positive whole number that must be there."""
    value = number_or_none(payload, key)
    if value is None or value <= 0:
        raise UnfitError(f"{key} is no positive number")
    return value


def number_or_none(payload: Payload, key: str) -> int | None:
    """A whole number that may be null or absent."""
    value = payload.get(key)
    if value is None:
        return None
    if type(value) is not int or abs(value) > MAX_BIGINT:
        raise UnfitError(f"{key} is no whole number")
    return value


def flag(payload: Payload, key: str) -> bool:
    """A truth; absent or null means no."""
    return payload.get(key) is True


def part(payload: Payload, key: str) -> Payload:
    """A nested object; empty where it is null, absent or something else."""
    value = payload.get(key)
    return value if isinstance(value, dict) else {}


def account(payload: Payload, key: str, prefix: str) -> Row:
    """Id, login and type of an account; all null where GitHub names nobody.

    >>> account({"user": None}, "user", "user")
    {'user_id': None, 'user_login': None, 'user_type': None}
    """
    who = part(payload, key)
    return {
        f"{prefix}_id": number_or_none(who, "id"),
        f"{prefix}_login": text(who, "login"),
        f"{prefix}_type": text(who, "type"),
    }


def label_names(payload: Payload) -> list[str]:
    """The names of the labels in GitHub's order; GitHub's schema allows both forms.

    >>> label_names({"labels": [{"name": "rocm, amd"}, "bug", {"name": None}]})
    ['rocm, amd', 'bug']
    """
    labels = payload.get("labels")
    if not isinstance(labels, list):
        return []
    names = (one.get("name") if isinstance(one, dict) else one for one in labels)
    return [clean(name) for name in names if isinstance(name, str)]


def thread_number(payload: Payload, *keys: str) -> int:
    """The number of a comment's thread, which only its URLs tell."""
    for key in keys:
        value = payload.get(key)
        found = THREAD_NUMBER.search(value) if isinstance(value, str) else None
        if found:
            return int(found[1])
    raise UnfitError("its URLs name no thread")
