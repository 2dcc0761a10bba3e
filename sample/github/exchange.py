"""A request as the sample understands it, and the response it gives."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

DOCS = "https://docs.github.com/rest"


@dataclass(frozen=True)
class Request:
    """One request; `ordinal` counts all, `attempt` those of this very URL, from 1."""

    method: str
    path: str
    query: Mapping[str, str] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)
    host: str = "http://127.0.0.1"
    ordinal: int = 1
    attempt: int = 1

    def number(self, name: str, default: int) -> int:
        """A positive whole number of the query; anything else reads as the default."""
        told = self.query.get(name, "")
        return int(told) if told.isascii() and told.isdigit() and int(told) else default


@dataclass(frozen=True)
class Response:
    """What is sent: `body` is JSON, or bytes as they are.

    For faults: `is_dropped` closes the connection without a word, `cut_to` sends only
    the first bytes of what Content-Length promises, `delay` waits (seconds) before.
    """

    status: int
    body: Any = None
    headers: Mapping[str, str] = field(default_factory=dict)
    is_dropped: bool = False
    cut_to: int | None = None
    delay: float = 0.0


def refusal(status: int, message: str, docs: str = DOCS, **headers: str) -> Response:
    """An error as GitHub words it; header names are given with `_` for `-`."""
    told = {"message": message, "documentation_url": docs, "status": str(status)}
    sent = {name.replace("_", "-"): value for name, value in headers.items()}
    return Response(status, told, sent)


def not_found() -> Response:
    """GitHub's 404."""
    return refusal(404, "Not Found")


def invalid(message: str) -> Response:
    """GitHub's 422."""
    return refusal(422, message)
