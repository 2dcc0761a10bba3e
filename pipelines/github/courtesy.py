"""What an answer of GitHub means, and how long to leave it alone.

The order of the tests is the documented one: `retry-after`, then an exhausted
`x-ratelimit-remaining`, then a body that speaks of a secondary limit; any other 403 is
a real one. Waits are reckoned from the answer's own `Date`, since clocks differ.
"""

from __future__ import annotations

import threading
import time
from collections import defaultdict
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import NamedTuple
from urllib.parse import urlsplit

from pipelines.exits import RefusedError
from pipelines.github.answers import Answer, time_told

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


class Limit(NamedTuple):
    """A wait that GitHub asks for: seconds, why, and of which resource.

    A primary limit is one resource's own, e.g. `search`; a secondary one is shared by
    all of them, and names none.
    """

    seconds: float
    why: str
    resource: str | None = None


def resource_of(url: str) -> str:
    """Which of GitHub's limits a request counts against."""
    path = urlsplit(url).path
    if path.endswith("/graphql"):
        return "graphql"
    return "search" if "/search/" in path else "core"


def limit_wait(answer: Answer, refusals: int) -> Limit | None:
    """The wait that an answer asks for; None where it is no rate limit.

    `refusals` counts the secondary limits met in a row before this one.
    """
    said = answer.body[:10_000].decode("utf-8", "replace").lower()
    resource = resource_of(answer.url)
    # GraphQL tells of its limits with a 200, too, and errors in the place of data.
    in_disguise = answer.status == 200 and resource == "graphql" and '"errors"' in said
    if answer.status not in (403, 429) and not in_disguise:
        return None
    is_used_up = answer.headers.get("X-RateLimit-Remaining", "").strip() == "0"
    retry_after = _retry_after(answer)
    if retry_after is not None:
        seconds = max(1.0, retry_after)
        return Limit(seconds, "a secondary limit", resource if is_used_up else None)
    if is_used_up:
        return Limit(_until_reset(answer), _primary(answer, resource), resource)
    if answer.status == 429 or any(words in said for words in SECONDARY_WORDS):
        return Limit(SECONDARY_WAIT * 2**refusals, "a secondary limit")
    if "rate limit exceeded" in said:
        return Limit(SECONDARY_WAIT * 2**refusals, USED_UP, resource)
    return None


def _retry_after(answer: Answer) -> float | None:
    """Seconds until the answer's `Retry-After`, which a proxy may write as a date."""
    told = answer.headers.get("Retry-After", "").strip()
    if told.isascii() and told.isdecimal():
        return float(told)
    due, now = time_told(told), answer.date
    return None if due is None or now is None else (due - now).total_seconds()


def _until_reset(answer: Answer) -> float:
    reset = answer.headers.get("X-RateLimit-Reset", "").strip()
    if not (reset.isascii() and reset.isdecimal()) or answer.date is None:
        return SECONDARY_WAIT
    return max(0.0, float(reset) - answer.date.timestamp()) + RESET_MARGIN


def _primary(answer: Answer, resource: str) -> str:
    limit = answer.headers.get("X-RateLimit-Limit", "").strip()
    what = "searches a minute" if resource == "search" else "requests an hour"
    return f"its limit of {limit} {what} used up" if limit else USED_UP


class Patience:
    """The waiting of one run, shared by its threads: all wait while one was told to.

    A limit of one resource holds up those who ask for that; any other, everybody.

    Raises RefusedError once a wait would exceed `max_wait` seconds in all.
    """

    def __init__(
        self, max_wait: float, *, has_token: bool, say: Callable[[str], object]
    ) -> None:
        """Begin without a wait pending."""
        self.max_wait = max_wait
        self.stopping = threading.Event()
        self._has_token = has_token
        self.say = say
        self._lock = threading.Lock()
        self._resume_at: defaultdict[str | None, float] = defaultdict(float)
        self.waited = 0.0

    def be_told(
        self,
        seconds: float,
        why: str,
        server_now: datetime | None,
        resource: str | None = None,
    ) -> None:
        """Take note of a wait that GitHub asked for, and say until when it lasts."""
        until = ""
        if server_now is not None:
            ends_at = server_now + timedelta(seconds=seconds)
            until = f" until {ends_at:%Y-%m-%d %H:%M:%S} UTC"
        with self._lock:
            now = time.monotonic()
            added = max(0.0, now + seconds - max(now, self._resume_at[resource]))
            if self.waited + added > self.max_wait:
                raise RefusedError(self._too_long(seconds, why, until))
            self.waited += added
            self._resume_at[resource] = max(self._resume_at[resource], now + seconds)
        if added > 0:
            self.say(f"GitHub reports {why}: waiting {seconds:.0f} s{until}")

    def hold(self, resource: str | None = None) -> None:
        """Return when no wait is pending for who asks for this."""
        while (left := self._left(resource)) > 0:
            self.sleep(left)

    def _left(self, resource: str | None) -> float:
        with self._lock:
            until = max(self._resume_at[resource], self._resume_at[None])
        return until - time.monotonic()

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
