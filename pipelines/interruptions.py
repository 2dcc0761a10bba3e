"""Signals that ask a program to end: what was read is committed before it does."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

_received: list[int] = []
_stops: list[Callable[[], object]] = []


def handle(number: int, frame: object) -> None:
    """End at once, or, on a first signal while ending is deferred, ask for an end."""
    _received.append(number)
    if not _stops or len(_received) > 1:
        raise KeyboardInterrupt
    _stops[-1]()


def raise_pending() -> None:
    """Raise KeyboardInterrupt if a signal was received."""
    if _received:
        raise KeyboardInterrupt


@contextmanager
def deferred(stop: Callable[[], object]) -> Iterator[None]:
    """Call `stop` on a first signal, and go on to the end of the block."""
    _stops.append(stop)
    try:
        yield
    finally:
        _stops.pop()
