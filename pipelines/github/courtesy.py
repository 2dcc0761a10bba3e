"""What an answer of GitHub means, and how long to leave it alone.

The order of the tests is the documented one: `retry-after`, then an exhausted
`x-ratelimit-remaining`, then a body that speaks of a secondary limit; any other 403 is
a real one. Waits are reckoned from the answer's own `Date`, since clocks differ.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from datetime import datetime, timedelta

from pipelines.exits import RefusedError
from pipelines.github.answers import Answer

# A secondary limit that names no time is given a minute at first, then twice that, …
SECONDARY_WAIT = 60.0

SECONDARY_WORDS = (
    "secondary rate limit",
    "secondary-rate-limits",
    "abuse detection",
    "abuse-rate-limits",
)

USED_UP = "its limit of requests used up"

# The reset is told in whole seconds; a second more is surely past it.
RESET_MARGIN = 1.0


def limit_wait(answer: Answer, refusals: int) -> tuple[float, str] | None:
    """Seconds to wait and why, where the answer is a rate limit; None where it is not.

    `refusals` counts the secondary limits met in a row before this one.
    """
    if answer.status not in (403, 429):
        return None
    retry_after = answer.headers.get("Retry-After", "").strip()
    if retry_after.isascii() and retry_after.isdecimal():
        return max(1.0, float(retry_after)), "a secondary limit"
    if answer.headers.get("X-RateLimit-Remaining", "").strip() == "0":
        return _until_reset(answer), _primary(answer)
    said = answer.body[:10_000].decode("utf-8", "replace").lower()
    if answer.status == 429 or any(words in said for words in SECONDARY_WORDS):
        return SECONDARY_WAIT * 2**refusals, "a secondary limit"
    if "rate limit exceeded" in said:
        return SECONDARY_WAIT * 2**refusals, USED_UP
    return None


def _until_reset(answer: Answer) -> float:
    reset = answer.headers.get("X-RateLimit-Reset", "").strip()
    if not (reset.isascii() and reset.isdecimal()) or answer.date is None:
        return SECONDARY_WAIT
    return max(0.0, float(reset) - answer.date.timestamp()) + RESET_MARGIN


def _primary(answer: Answer) -> str:
    limit = answer.headers.get("X-RateLimit-Limit", "").strip()
    return f"its limit of {limit} requests an hour used up" if limit else USED_UP


class Patience:
    """The waiting of one run, shared by its threads: all wait while one was told to.

    Raises RefusedError once a wait would exceed `max_wait` seconds in all.
    """

    def __init__(
        self, max_wait: float, *, has_token: bool, say: Callable[[str], object]
    ) -> None:
        """Begin without a wait pending."""
        self.max_wait = max_wait
        self.stopping = threading.Event()
        self._has_token = has_token
        self._say = say
        self._lock = threading.Lock()
        self._resume_at = 0.0
        self._waited = 0.0

    def be_told(self, seconds: float, why: str, server_now: datetime | None) -> None:
        """Take note of a wait that GitHub asked for, and say until when it lasts."""
        until = ""
        if server_now is not None:
            ends_at = server_now + timedelta(seconds=seconds)
            until = f" until {ends_at:%Y-%m-%d %H:%M:%S} UTC"
        with self._lock:
            now = time.monotonic()
            added = max(0.0, now + seconds - max(now, self._resume_at))
            if self._waited + added > self.max_wait:
                raise RefusedError(self._too_long(seconds, why, until))
            self._waited += added
            self._resume_at = max(self._resume_at, now + seconds)
        if added > 0:
            self._say(f"GitHub reports {why}: waiting {seconds:.0f} s{until}")

    def hold(self) -> None:
        """Return when no wait is pending."""
        while (left := self._resume_at - time.monotonic()) > 0:
            self.sleep(left)

    def sleep(self, seconds: float) -> None:
        """Sleep, but wake up and raise if the run is being stopped."""
        if self.stopping.wait(seconds):
            raise AbandonedError("the run is being stopped")

    def _too_long(self, seconds: float, why: str, until: str) -> str:
        advice = "Run the same command again then"
        if not self._has_token:
            advice += ", or set GITHUB_TOKEN (5,000 requests an hour instead of 60)"
        return (
            f"GitHub reports {why}{until}: {seconds:.0f} s are more than --max-wait "
            f"({self.max_wait:.0f} s) leaves. {advice}; what was loaded is kept."
        )


class AbandonedError(Exception):
    """Raised in a thread whose run is stopping for another reason."""
