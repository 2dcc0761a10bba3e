"""The seed day: exactly so many threads in each of its five listings.

The counts are those of `NEW_ISSUES` and its neighbours as of the window's end. Around
them stand the cases that miss a listing by one second, or that leave it again.
"""

from datetime import timedelta

from sample.rows import User
from sample.story.chronicle import Chronicle
from sample.story.conversations import write_conversations
from sample.story.dates import END, SECOND, START, moment, moments
from sample.story.deck import Deck
from sample.story.history import maintainer, open_issue, open_pull
from sample.story.numbering import Life
from sample.story.people import BY_LOGIN, CI, PEOPLE, someone
from sample.story.words import AMD, ODDITIES, WORDS, Subject, written_subjects

NEW_ISSUES, CLOSED_ISSUES = 22, 44
NEW_PULLS, MERGED_PULLS, UNMERGED_PULLS = 113, 59, 128
SWEPT_ISSUES, SWEPT_PULLS = 17, 92

HOUR = timedelta(hours=1)


def write_seed_day(pen: Chronicle) -> None:
    """Births, then closes, then what else was said that day."""
    pool = [life for life in pen.lives if life.is_open]
    _births_just_outside(pen)
    talked = write_conversations(pen)
    born = _births(pen)
    fresh, older = Deck(pen.rng, born), Deck(pen.rng, pool)
    done = [life.is_pull_request for life in talked if not life.is_open]
    _close_issues(pen, fresh, older, CLOSED_ISSUES - done.count(False))
    _merge(pen, fresh, older, MERGED_PULLS - done.count(True))
    _close_pulls(pen, fresh, older)
    _leave_again(pen, older)
    _chatter(pen, born, older)


def _births_just_outside(pen: Chronicle) -> None:
    """One second early, one second late: neither is of this day."""
    for at in (START - SECOND, END):
        open_pull(pen, at, fixes=None)
        open_issue(pen, at)


def _births(pen: Chronicle) -> list[Life]:
    """The written threads, and as many others as the counts still want."""
    subjects = written_subjects(AMD) + written_subjects(ODDITIES)
    rng = pen.rng
    rng.shuffle(subjects)
    born = [_written(pen, subject) for subject in subjects]
    fresh = [life for life in pen.lives if START <= life.at < END]
    pulls = sum(life.is_pull_request for life in fresh)
    issues = len(fresh) - pulls
    edges = [START, END - SECOND]
    for at in edges + moments(rng, START, END, NEW_ISSUES - issues - 2):
        born.append(open_issue(pen, at))
    for at in edges + moments(rng, START, END, NEW_PULLS - pulls - 2):
        fixes = rng.choice(fresh) if rng.random() < 0.12 else None
        if fixes and (fixes.is_pull_request or fixes.at >= at):
            fixes = None
        born.append(open_pull(pen, at, fixes=fixes))
    return born


def _written(pen: Chronicle, subject: Subject) -> Life:
    rng = pen.rng
    by = BY_LOGIN[subject.author] if subject.author else _outsider(pen)
    other = rng.choice([life for life in pen.lives if not life.is_pull_request])
    told = (subject.body or "").replace("{other}", other.reference)
    body = None if subject.body is None else told
    subject = Subject(**{**vars(subject), "body": body})
    life = pen.birth(moment(rng, START, END - 4 * HOUR), subject, by)
    if subject.remark:
        pen.say(life, life.at + HOUR, someone(rng, but=by), subject.remark)
    return life


def _outsider(pen: Chronicle) -> User:
    """Anybody whose name is not evidence by itself."""
    while True:
        person = someone(pen.rng)
        if not person.login.endswith("-amd"):
            return person


def _close_issues(pen: Chronicle, fresh: Deck, older: Deck, count: int) -> None:
    rng = pen.rng
    swept = older.sweep(SWEPT_ISSUES, is_pull=False)
    _sweep(pen, swept)
    for life in (older.draw(is_pull=False), older.draw(is_pull=False)):
        _close_twice(pen, life, "completed")
    pen.close(older.draw(is_pull=False), START, maintainer(rng), "completed")
    pen.close(older.draw(is_pull=False), END - SECOND, maintainer(rng), "not_planned")
    pen.close(older.draw(is_pull=False), START - SECOND, maintainer(rng), "completed")
    for _ in range(6):
        life = fresh.draw(is_pull=False)
        at = moment(rng, life.at + HOUR, END)
        pen.close(life, at, life.author, rng.choice(("completed", "duplicate")))
    for _ in range(count - len(swept) - 2 - 2 - 6):
        life = older.draw(is_pull=False)
        reason = rng.choice(("completed", "completed", "not_planned"))
        pen.close(life, moment(rng, START, END), life.author, reason)


def _merge(pen: Chronicle, fresh: Deck, older: Deck, count: int) -> None:
    rng = pen.rng
    of_today = [fresh.draw(is_pull=True) for _ in range(26)]
    of_before = [older.draw(is_pull=True) for _ in range(count - 26)]
    for life in of_today + of_before:
        # The day's closes of issues are counted out above, so no merge adds one.
        life.fixes = None
    edges = [START, END - SECOND]
    for at, life in zip(edges, of_before[:2], strict=True):
        pen.merge(life, at, maintainer(rng))
    # Closed, thought better of, merged: a merge, and no unmerged close.
    at = moment(rng, START + HOUR, END - 5 * HOUR)
    pen.close(of_before[2], at, of_before[2].author)
    pen.reopen(of_before[2], at + HOUR, of_before[2].author)
    pen.merge(of_before[2], at + 3 * HOUR, maintainer(rng))
    # GitHub does tell some merges a second before the close that they imply.
    pen.merge(of_before[3], moment(rng, START, END - HOUR), maintainer(rng), lag=1)
    for life in of_before[4:] + of_today:
        at = moment(rng, max(START, life.at + HOUR / 2), END)
        pen.label(life, max(life.at, at - HOUR), "ready", maintainer(rng))
        pen.merge(life, at, CI if rng.random() < 0.1 else maintainer(rng))


def _close_pulls(pen: Chronicle, fresh: Deck, older: Deck) -> None:
    rng = pen.rng
    swept = older.sweep(SWEPT_PULLS, is_pull=True)
    _sweep(pen, swept)
    for life in (older.draw(is_pull=True), older.draw(is_pull=True)):
        _close_twice(pen, life, None)
    pen.close(older.draw(is_pull=True), START, maintainer(rng))
    pen.close(older.draw(is_pull=True), END - SECOND, maintainer(rng))
    pen.close(older.draw(is_pull=True), END, maintainer(rng))
    for _ in range(14):
        life = fresh.draw(is_pull=True)
        pen.close(life, moment(rng, life.at + HOUR / 2, END), life.author)
    for _ in range(UNMERGED_PULLS - len(swept) - 2 - 2 - 14):
        life = older.draw(is_pull=True)
        pen.close(life, moment(rng, START, END), life.author or maintainer(rng))


def _sweep(pen: Chronicle, lives: list[Life]) -> None:
    """The day's great cleaning: the bot closes what was stale for a month."""
    at = START + HOUR
    for life in lives:
        at += timedelta(seconds=pen.rng.randint(2, 20))
        pen.say(life, at, CI, WORDS["remarks"]["closing"])
        pen.close(life, at, CI, "not_planned")


def _close_twice(pen: Chronicle, life: Life, reason: str | None) -> None:
    at = moment(pen.rng, START, END - 8 * HOUR)
    pen.close(life, at, maintainer(pen.rng), reason)
    pen.reopen(life, at + 2 * HOUR, life.author)
    pen.close(life, at + 6 * HOUR, maintainer(pen.rng), reason)


def _leave_again(pen: Chronicle, older: Deck) -> None:
    """Closed and reopened within the day: in no listing of closes."""
    for is_pull in (True, True, False, False):
        life = older.draw(is_pull=is_pull)
        at = moment(pen.rng, START, END - 4 * HOUR)
        pen.close(life, at, maintainer(pen.rng), "completed")
        pen.reopen(life, at + 2 * HOUR, life.author)
    # Closed long ago, open again since today.
    for is_pull in (True, False):
        life = older.draw(is_pull=is_pull, before=48 * HOUR)
        pen.close(life, START - 20 * HOUR, maintainer(pen.rng), "completed")
        pen.reopen(life, moment(pen.rng, START, END), life.author)
    for _ in range(3):
        life = older.draw(is_pull=True)
        pen.redraft(life, moment(pen.rng, START, END), life.author)


def _chatter(pen: Chronicle, born: list[Life], older: Deck) -> None:
    """Ordinary talk, a monologue, and a bot that does not stop."""
    rng = pen.rng
    for life in born:
        pen.talk(life, max(life.at, START), END, min(int(rng.expovariate(0.6)), 4))
    quiet = older.pick(90)
    for life in quiet[2:]:
        pen.talk(life, moment(rng, START, END), END, 1 + (rng.random() < 0.3))
    monologue, flooded = quiet[:2]
    for step in range(14):
        at = START + 5 * HOUR + step * HOUR / 4
        pen.say(monologue, at, PEOPLE[39], f"Attempt {step + 1}: still no difference.")
    for step in range(22):
        at = START + 9 * HOUR + step * HOUR / 6
        pen.say(flooded, at, CI, f"Shard {step % 7} failed, trying again.")
