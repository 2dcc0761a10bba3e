"""What an HTTP answer of GitHub amounts to: a page, or which kind of failure.

An answer may be an error object, HTML, or a body cut short where a list should be; each
is a failure of that page, to be asked for again, never rows and never a list's end.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any
from urllib.parse import urljoin, urlsplit

import orjson
from requests.structures import CaseInsensitiveDict

from pipelines.exits import RefusedError

# `next` as one of the relations of a link, quoted or not.
NEXT = re.compile(
    r';\s*rel\s*=\s*(?:"(?:[^"]*\s)?next(?:\s[^"]*)?"|next(?=[\s;,]|$))', re.I
)

# Tries before a fault is believed. A refused connection is rarely a passing fault, and
# a 404 or a 401 hardly ever; a gateway error nearly always.
TRIES = 8
TRIES_TO_CONNECT = 4
TRIES_WHEN_DENIED = 3


# Timeouts of a proxy's, which are not the request's fault.
TOO_SLOW = (408, 425)

# What GitHub's gateways say where its servers took too long.
GAVE_UP = (502, 504)


class TransientError(RefusedError):
    """A failure worth asking again for; a refusal once that was done often enough."""

    def __init__(self, message: str, tries: int = TRIES) -> None:
        """Say what failed, and after how many tries to believe it."""
        super().__init__(message)
        self.tries = tries


class SlowError(TransientError):
    """An answer that took too long; a smaller one might not."""


class MissingError(TransientError):
    """A 404 or 410; believed after a few tries."""

    def __init__(self, message: str, status: int = 404) -> None:
        """Say what is missing, and with which status."""
        super().__init__(message, TRIES_WHEN_DENIED)
        self.status = status


class CappedError(Exception):
    """GitHub gives no page this deep of this list (a 422 about pagination)."""


def time_told(header: str) -> datetime | None:
    """The time in a header as an aware instant; None where it holds none."""
    try:
        told = parsedate_to_datetime(header)
    except (ValueError, TypeError):
        return None
    return told.astimezone(UTC) if told.tzinfo else told.replace(tzinfo=UTC)


@dataclass(frozen=True)
class Answer:
    """One HTTP answer: where it came from, and what it says."""

    url: str
    status: int
    headers: CaseInsensitiveDict[str]
    body: bytes

    @property
    def date(self) -> datetime | None:
        """The server's clock, or None where the answer does not tell it."""
        return time_told(self.headers.get("Date", ""))

    @property
    def said(self) -> str:
        """Status and path, and GitHub's own words about an error, as one short line."""
        line = f"GitHub answered {self.status} for {urlsplit(self.url).path}"
        return f'{line} ("{self.words}")' if self.words else line

    @property
    def words(self) -> str:
        """The message of an error object; empty for anything else."""
        try:
            content = parsed(self.body)
        except ValueError:
            return ""
        told = content.get("message") if isinstance(content, dict) else None
        return " ".join(told.split())[:200] if isinstance(told, str) else ""


@dataclass(frozen=True)
class Page:
    """A usable answer: its JSON, the link to the next page, the server's clock."""

    url: str
    content: Any
    next_url: str | None
    date: datetime


def to_page(answer: Answer, kind: type, *, has_token: bool) -> Page:
    """The page that an answer holds, whose JSON must be of the kind named.

    Raises CappedError, TransientError or RefusedError for every other answer.
    """
    _believe(answer, has_token=has_token)
    if answer.date is None:
        raise TransientError(f"{answer.said} without saying when (no Date header).")
    try:
        content = kind() if answer.status == 204 else parsed(answer.body)
    except ValueError:
        raise TransientError(f"{answer.said} with a body that is no JSON.") from None
    if not isinstance(content, kind):
        raise TransientError(f"{answer.said} with no {kind.__name__} in its body.")
    link = next_link(answer.headers.get("Link", ""))
    next_url = urljoin(answer.url, link) if link else None
    if next_url and origin_of(next_url) != origin_of(answer.url):
        raise foreign(next_url)
    return Page(answer.url, content, next_url, answer.date)


def _believe(answer: Answer, *, has_token: bool) -> None:
    """Return for a good status; else raise what it amounts to."""
    status = answer.status
    if 200 <= status < 300:
        return
    said = answer.said
    if status == 422 and "pagination" in answer.words.lower():
        raise CappedError(said)
    if status in (404, 410):
        raise MissingError(f"{said}.", status)
    if status == 401:
        fix = "check GITHUB_TOKEN" if has_token else "set GITHUB_TOKEN"
        line = f"{said}: {fix}, then run again."
        if "bad credentials" in answer.words.lower():
            raise RefusedError(line)
        raise TransientError(line, TRIES_WHEN_DENIED)
    if status >= 500 or status in TOO_SLOW:
        kind = SlowError if status in GAVE_UP else TransientError
        raise kind(f"{said} {TRIES} times: run the same command again later.")
    if status == 403:
        raise RefusedError(f"{said}: no limit that passes; check the token's rights.")
    raise RefusedError(f"{said}, which this program does not expect.")


def parsed(body: bytes) -> Any:
    """JSON, also where it holds lone surrogates, which the fast parser refuses."""
    try:
        return orjson.loads(body)
    except orjson.JSONDecodeError:
        pass
    try:
        return json.loads(body)
    except RecursionError:
        raise ValueError("nested too deep to be an answer") from None


def next_link(header: str) -> str | None:
    """The target of `rel="next"`; commas may occur inside of the URLs.

    >>> next_link('<https://h/a?labels=x,y>; rel="next", <https://h>; rel="last"')
    'https://h/a?labels=x,y'
    """
    for part in header.split("<")[1:]:
        target, closed, attributes = part.partition(">")
        if closed and NEXT.search(attributes):
            return target
    return None


def origin_of(url: str) -> str:
    """Scheme, host and port of a URL, e.g. `https://api.github.com:443`."""
    try:
        parts = urlsplit(url)
        port = parts.port or {"http": 80, "https": 443}.get(parts.scheme)
    except ValueError:
        return "nowhere"
    return f"{parts.scheme}://{parts.hostname}:{port}"


def foreign(url: str) -> RefusedError:
    """The refusal to follow a link away from the API."""
    return RefusedError(
        f"GitHub links to {origin_of(url)}, which is not the API: not followed. Check "
        "GITHUB_API_URL."
    )
