"""The tokens of a run, used in turn; one that GitHub limits rests while others go on.

A token is in no message and in no text of this object.
"""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass, field


@dataclass(eq=False)
class Token:
    """One token, or none (an anonymous caller): limited on its own."""

    secret: str | None = field(repr=False)
    rests_until: float = 0.0  # by the monotonic clock


class Tokens:
    """Deals the tokens out to requests, in turn; shared by the threads of a run."""

    def __init__(self, told: str | None) -> None:
        """Take one token, several separated by commas, or none."""
        secrets: list[str | None] = [*told.split(",")] if told else [None]
        self._lock = threading.Lock()
        self._waiting = [Token(secret) for secret in secrets]

    def next(self) -> Token:
        """The one that may ask first; of those that may now, the one longest unused."""
        with self._lock:
            now = time.monotonic()
            one = min(self._waiting, key=lambda each: max(each.rests_until, now))
            self._waiting.remove(one)
            self._waiting.append(one)
            return one

    def rest(self, token: Token, seconds: float) -> float:
        """Let a limited token rest; seconds until one of them may ask again."""
        with self._lock:
            now = time.monotonic()
            token.rests_until = max(token.rests_until, now + seconds)
            first = min(each.rests_until for each in self._waiting)
            return max(0.0, first - now)
