"""The weeks before the seed day: a backlog, then days with their ordinary work.

Nothing here closes, and nobody here speaks, at or after the window's start; what is
left open then is what the seed day works on.
"""

from datetime import UTC, datetime, timedelta
from random import Random

from sample.rows import User
from sample.story.chronicle import Chronicle
from sample.story.dates import DAYS_BEFORE, SECOND, START, days, moments
from sample.story.numbering import Life
from sample.story.people import BUMPER, CI, MAINTAINERS, author, someone
from sample.story.words import WORDS, Subject, amd_subject, issue_subject, pull_subject

BACKLOG_FROM = datetime(2025, 6, 2, tzinfo=UTC)
BACKLOG_UNTIL = START - timedelta(days=DAYS_BEFORE + 30)
BACKLOG_PULLS, BACKLOG_ISSUES = 118, 44
PULLS_A_DAY, ISSUES_A_DAY = 27, 6.5
AMD_SHARE = 0.05


def write_history(pen: Chronicle) -> None:
    """The backlog and the ordinary days."""
    _backlog(pen)
    for start, busyness in days():
        end = start + timedelta(days=1)
        for at in moments(
            pen.rng, start, end, _count(pen.rng, ISSUES_A_DAY * busyness)
        ):
            live_issue(pen, at, START)
        for at in moments(pen.rng, start, end, _count(pen.rng, PULLS_A_DAY * busyness)):
            live_pull(pen, at, START)


def live_issue(pen: Chronicle, at: datetime, until: datetime) -> Life:
    """An issue, its talk and perhaps its end, all before `until`."""
    life = open_issue(pen, at)
    pen.talk(life, at, until, _count(pen.rng, 1.6))
    if pen.rng.random() < 0.36:
        ended = at + _lag(pen.rng, 70)
        if ended < until:
            by = life.author or someone(pen.rng)
            reason = pen.rng.choice(
                ("completed", "completed", "not_planned", "duplicate")
            )
            pen.close(life, ended, by, reason)
    return life


def live_pull(pen: Chronicle, at: datetime, until: datetime) -> Life:
    """A pull request, its talk and perhaps its end, all before `until`."""
    rng = pen.rng
    life = open_pull(pen, at, fixes=_an_open_issue(pen, at))
    pen.talk(life, at, until, _count(rng, 1.7))
    draw, ended = rng.random(), at + _lag(rng, 26)
    if ended + SECOND >= until or draw > 0.76:
        return life
    if draw < 0.62:
        pen.label(life, max(at, ended - timedelta(hours=2)), "ready", maintainer(rng))
        pen.merge(life, ended, maintainer(rng))
    else:
        pen.close(life, ended, life.author)
    return life


def open_issue(pen: Chronicle, at: datetime, subject: Subject | None = None) -> Life:
    """An issue by anybody, about anything."""
    if subject is None:
        is_amd = pen.rng.random() < AMD_SHARE
        told = amd_subject(pen.rng, is_pull_request=False) if is_amd else None
        subject = told or issue_subject(pen.rng)
    return pen.birth(at, subject, author(pen.rng))


def open_pull(
    pen: Chronicle, at: datetime, subject: Subject | None = None, *, fixes: Life | None
) -> Life:
    """A pull request by anybody, or by the bump bot."""
    rng = pen.rng
    if subject is None and rng.random() < 0.03:
        return _bump(pen, at)
    if subject is None:
        is_amd = rng.random() < AMD_SHARE
        told = amd_subject(rng, is_pull_request=True) if is_amd else None
        subject = told or pull_subject(rng)
    is_draft = rng.random() < 0.08
    return pen.birth(at, subject, author(rng), fixes=fixes, is_draft=is_draft)


def maintainer(rng: Random) -> User:
    """Someone who may merge."""
    return rng.choice(MAINTAINERS)


def _bump(pen: Chronicle, at: datetime) -> Life:
    title = f"Bump the wheel builder from 2.{pen.rng.randrange(9)} to 3.0"
    subject = Subject(True, title, "Bumps one dependency.", ("dependencies",))
    return pen.birth(at, subject, BUMPER)


def _backlog(pen: Chronicle) -> None:
    """Old threads that nobody touches any more, each marked as stale."""
    rng = pen.rng
    births = moments(rng, BACKLOG_FROM, BACKLOG_UNTIL, BACKLOG_PULLS + BACKLOG_ISSUES)
    pulls = set(rng.sample(range(len(births)), BACKLOG_PULLS))
    for ordinal, at in enumerate(births):
        is_pull = ordinal in pulls
        life = open_pull(pen, at, fixes=None) if is_pull else open_issue(pen, at)
        pen.talk(life, at, START - timedelta(days=40), _count(rng, 1.5))
        warned = START - timedelta(days=30, hours=-1, seconds=-20 * ordinal)
        pen.say(life, warned, CI, WORDS["remarks"]["stale"])
        pen.label(life, warned, "stale")


def _an_open_issue(pen: Chronicle, at: datetime) -> Life | None:
    """Now and then, an issue from before that the new pull request is about."""
    if pen.rng.random() > 0.2:
        return None
    recent = [
        life
        for life in pen.lives[-160:]
        if life.is_open and not life.is_pull_request and life.at < at
    ]
    return pen.rng.choice(recent) if recent else None


def _count(rng: Random, mean: float) -> int:
    """A count around a mean: big ones for days, small and skewed ones for talk."""
    if mean > 4:
        return round(rng.gauss(mean, mean**0.5 / 2))
    return min(int(rng.expovariate(1 / (mean + 0.45))), 9)


def _lag(rng: Random, median_hours: float) -> timedelta:
    return timedelta(seconds=int(3600 * median_hours * rng.lognormvariate(0, 1.1)))
