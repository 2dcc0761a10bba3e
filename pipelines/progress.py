"""What a long run tells of itself; a short one stays quiet."""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pipelines.github.batches import Batch
    from pipelines.github.source import StreamReader


def in_columns(lines: Sequence[Sequence[str]]) -> str:
    """The cells of the lines under each other, two blanks apart.

    >>> in_columns([("project", "code"), ("vllm", "0")])
    'project  code\\nvllm     0\\n'
    """
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    return "".join(
        "  ".join(
            f"{cell:{width}}" for cell, width in zip(line, widths, strict=True)
        ).rstrip()
        + "\n"
        for line in lines
    )


Say = Callable[[str], object]

QUIET_SECONDS = 3.0  # before the first line
PERIOD_SECONDS = 3.0  # between two


class Pulse:
    """Says something every few seconds, if it lasts that long; for several threads."""

    def __init__(self, say: Say) -> None:
        """Start the clock."""
        self._say = say
        self._lock = threading.Lock()
        self._due_at = time.monotonic() + QUIET_SECONDS

    def beat(self, tell: Callable[[], str]) -> None:
        """Say what `tell` tells, if it is time to."""
        with self._lock:
            if time.monotonic() < self._due_at:
                return
            self._due_at = time.monotonic() + PERIOD_SECONDS
        self._say(tell())


class Progress:
    """Says every few seconds how many rows came, and how far each stream has come."""

    def __init__(self, say: Say, request_count: Callable[[], int]) -> None:
        """Start the clock; `request_count` tells the requests made so far."""
        self._say = say
        self._request_count = request_count
        self._pulse = Pulse(say)
        self._lock = threading.Lock()
        self._rows: Counter[str] = Counter()
        self._at: dict[str, str] = {}
        self._unknown: set[str] = set()

    def saw(self, reader: StreamReader, page: Batch) -> None:
        """Take note of a page, and of the time (UTC) to which its walk has come."""
        resource = reader.resource
        with self._lock:
            self._rows[resource.stream] += len(page.rows)
            self._unknown |= page.unknown
            if page.rows:
                last = page.rows[-1][resource.version or "created_at"]
                self._at[resource.stream] = f" at {last:%Y-%m-%d %H:%M}"
        self._pulse.beat(self._told)

    def end(self) -> None:
        """Say, once, what GitHub sent that this program does not know."""
        if self._unknown:
            from pipelines.github.batches import told

            self._say(told(self._unknown))

    def _told(self) -> str:
        parts = [
            f"{stream} {count:,} rows{self._at.get(stream, '')}"
            for stream, count in self._rows.items()
        ]
        said = "; ".join(parts) or "waiting for GitHub"
        return f"{self._request_count():,} requests: {said}"
