"""Open threads of the seed day, drawn one by one so that each meets one fate."""

from collections.abc import Sequence
from datetime import timedelta
from random import Random

from sample.story.dates import END
from sample.story.numbering import Life

AT_LEAST = timedelta(hours=3)


class Deck:
    """The open ones among `lives`, shuffled; the stale ones apart."""

    def __init__(self, rng: Random, lives: Sequence[Life]) -> None:
        """Shuffle."""
        shuffled = [life for life in lives if life.is_open]
        rng.shuffle(shuffled)
        self._stale = [life for life in shuffled if "stale" in life.labels]
        self._lively = [life for life in shuffled if "stale" not in life.labels]

    def draw(self, *, is_pull: bool, before: timedelta = AT_LEAST) -> Life:
        """A lively thread that is at least `before` older than the window's end."""
        for life in self._lively:
            is_old = life.at < END - before
            if life.is_open and is_old and life.is_pull_request == is_pull:
                self._lively.remove(life)
                return life
        raise LookupError("the sample's history left too few open threads")

    def sweep(self, count: int, *, is_pull: bool) -> list[Life]:
        """The oldest stale threads."""
        stale = [life for life in self._stale if life.is_pull_request == is_pull]
        return sorted(stale, key=lambda life: life.at)[:count]

    def pick(self, count: int) -> list[Life]:
        """Lively threads to talk in; they stay in the deck."""
        return self._lively[:count]
