"""The sample's dates: the seed day, the days before it, and when they are busy."""

from datetime import UTC, datetime, timedelta
from random import Random

# The window of 2026-03-04 at 11:24 in Asia/Shanghai.
START = datetime(2026, 3, 4, 3, 24, tzinfo=UTC)
END = START + timedelta(days=1)
NOW = datetime(2026, 3, 6, 15, tzinfo=UTC)
DAYS_BEFORE = 36

SECOND = timedelta(seconds=1)
WEEKDAYS = (1.0, 1.15, 1.1, 1.05, 0.95, 0.45, 0.4)
# Share of activity by UTC hour: Asia's day, then Europe's, then America's.
HOURS = (5, 6, 8, 7, 4, 6, 8, 8, 8, 7, 5, 4, 5, 7, 9, 9, 8, 8, 6, 5, 4, 3, 3, 4)


def days() -> list[tuple[datetime, float]]:
    """The starts of the days before the seed day, each with how busy it is."""
    starts = [START - timedelta(days=n) for n in range(DAYS_BEFORE, 0, -1)]
    return [(start, WEEKDAYS[start.weekday()]) for start in starts]


def moment(rng: Random, start: datetime, end: datetime) -> datetime:
    """A second in `[start, end)`, likelier in a busy hour."""
    span = int((end - start).total_seconds())
    drawn = [start + timedelta(seconds=rng.randrange(span)) for _ in range(4)]
    (chosen,) = rng.choices(drawn, [HOURS[at.hour] for at in drawn])
    return chosen


def moments(rng: Random, start: datetime, end: datetime, count: int) -> list[datetime]:
    """That many seconds in `[start, end)`, in order."""
    return sorted(moment(rng, start, end) for _ in range(count))
