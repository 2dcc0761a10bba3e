"""The server's time, as its answers tell it: what is covered until when rests on it."""

from __future__ import annotations

import time
from datetime import datetime, timedelta

from pipelines.github.answers import Answer, TransientError

# The clocks of GitHub's machines differ, but not by as much.
LEAP = timedelta(days=1)


class ServerClock:
    """The times (UTC) of the first and the newest answer; one thread at a time."""

    def __init__(self) -> None:
        """Know no time yet."""
        self.first: datetime | None = None
        self.last: datetime | None = None
        self._first_at = 0.0  # by the monotonic clock, when the first was told

    def hear(self, answer: Answer) -> None:
        """Take note of the time of an answer; TransientError where it has leapt.

        One wrong clock must not be believed: it would cover what has not happened yet.
        """
        if answer.date is None:
            return
        now = time.monotonic()
        if self.first is None:
            self.first, self._first_at = answer.date, now
        passed = timedelta(seconds=now - self._first_at)
        if abs(answer.date - self.first - passed) > LEAP:
            raise TransientError(
                f"{answer.said} with a Date of {answer.date:%Y-%m-%d %H:%M} UTC, "
                "which its other answers contradict: run the same command again."
            )
        self.last = answer.date
