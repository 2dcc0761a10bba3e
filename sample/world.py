"""The sample's world: written once, the same on every machine and for every run."""

from functools import cache
from random import Random

from sample.repository import World
from sample.story.afterlife import write_afterlife
from sample.story.chronicle import Chronicle
from sample.story.dates import NOW
from sample.story.history import write_history
from sample.story.seed_day import write_seed_day

__all__ = ["World", "build_world"]


@cache
def build_world(seed: int = 0) -> World:
    """Weeks of an invented repository, its seed day, and a day and a half after.

    The seed day's counts hold for every seed; all else follows chance.
    """
    pen = Chronicle(Random(seed))
    write_history(pen)
    write_seed_day(pen)
    write_afterlife(pen)
    return pen.finished(NOW)
