"""Asking no faster than GitHub's published limits a minute allow."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable

MINUTE = 60.0

# GitHub's bounds are 100 requests at once and 900 a minute.
REQUESTS_A_MINUTE = 800


class Pace:
    """Lets at most `limit` requests begin within any minute; shared by threads."""

    def __init__(
        self,
        limit: int,
        sleep: Callable[[float], None],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Begin with a minute in which nothing was asked."""
        self._limit = limit
        self._sleep = sleep
        self._clock = clock
        self._begun: deque[float] = deque()
        self._lock = threading.Lock()

    def hold(self) -> None:
        """Return when the next request may begin."""
        while (wait := self._reserved()) > 0:
            self._sleep(wait)

    def _reserved(self) -> float:
        """Seconds until there is room; 0 where it was just taken."""
        with self._lock:
            now = self._clock()
            while self._begun and now - self._begun[0] >= MINUTE:
                self._begun.popleft()
            if len(self._begun) >= self._limit:
                return self._begun[0] + MINUTE - now
            self._begun.append(now)
            return 0.0
