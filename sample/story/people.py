"""Who lives in the sample: sixty plainly artificial people, their bots, a ghost."""

from random import Random

from sample.facts import GHOST, bot, dev
from sample.rows import User

# A login with an `amd` part of its own is how AMD's people are told apart.
AT_AMD = frozenset({21, 33, 47, 55})
PEOPLE = tuple(dev(n, "-amd" if n in AT_AMD else "") for n in range(1, 61))
MAINTAINERS = PEOPLE[:7]
BY_LOGIN = {person.login: person for person in PEOPLE}

CI = bot("sample-ci", 1)
REVIEWER = bot("reviewer", 2)
# A service account that GitHub calls a User: only a list can know that it is a bot.
BUMPER = User(8_000_003, "sample-bump-bot")

# Few people do most of the work, as anywhere; AMD's mostly on the threads written out.
_WEIGHTS = [
    (0.3 if rank + 1 in AT_AMD else 1) / (6 + rank) for rank in range(len(PEOPLE))
]


def someone(rng: Random, *, but: User | None = None) -> User:
    """A person, the busy ones more often; never the one named by `but`."""
    while True:
        (person,) = rng.choices(PEOPLE, _WEIGHTS)
        if person != but:
            return person


def author(rng: Random) -> User | None:
    """Who opens a thread: now and then a ghost, or an account that is gone."""
    draw = rng.random()
    if draw < 0.008:
        return None
    return GHOST if draw < 0.014 else someone(rng)


def association(user: User | None) -> str:
    """GitHub's word for what a person is to the repository."""
    if user is None or user == GHOST or user.kind == "Bot":
        return "NONE"
    if user in MAINTAINERS:
        return "MEMBER"
    rank = user.id % 1000
    return "CONTRIBUTOR" if rank < 40 else "FIRST_TIME_CONTRIBUTOR"
