"""The tokens of a run, used in turn; one that GitHub limits rests while others go on.

A token that may not search for a while may still read lists: each of GitHub's
resources has a limit of its own. A token is in no message and in no text of an object.
"""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass, field

# By resource, and under None for all of them: when a token may ask again.
Rests = dict[str | None, float]


@dataclass(eq=False)
class Token:
    """One token, or none (an anonymous caller): limited on its own."""

    secret: str | None = field(repr=False)
    rests: Rests = field(default_factory=dict)  # by the monotonic clock

    def rests_until(self, resource: str | None) -> float:
        """When it may ask for this."""
        return max(self.rests.get(resource, 0.0), self.rests.get(None, 0.0))


class Tokens:
    """Deals the tokens out to requests, in turn; shared by the threads of a run."""

    def __init__(self, told: str | None) -> None:
        """Take one token, several separated by commas, or none."""
        secrets: list[str | None] = [*told.split(",")] if told else [None]
        self._lock = threading.Lock()
        self._all = [Token(secret) for secret in secrets]
        self._waiting = list(self._all)

    def next(self, resource: str | None = None) -> Token:
        """The one that may ask first; of those that may now, the one longest unused."""
        with self._lock:
            now = time.monotonic()
            one = min(
                self._waiting, key=lambda each: max(each.rests_until(resource), now)
            )
            self._waiting.remove(one)
            self._waiting.append(one)
            return one

    def rest(self, token: Token, seconds: float, resource: str | None = None) -> float:
        """Let a limited token rest; seconds until one of them may ask again."""
        with self._lock:
            now = time.monotonic()
            token.rests[resource] = max(token.rests_until(resource), now + seconds)
            first = min(each.rests_until(resource) for each in self._waiting)
            return max(0.0, first - now)
