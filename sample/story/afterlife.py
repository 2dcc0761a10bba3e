"""A day and a half after the seed day: what makes "today" differ from that evening.

Listed threads are reopened, closed again, renamed, relabelled, redrafted and talked
about; a report of the seed day must not notice.
"""

from dataclasses import replace
from datetime import timedelta

from sample.rows import Comment, Event
from sample.story.chronicle import Chronicle
from sample.story.dates import END, NOW, START, moment, moments
from sample.story.history import live_issue, live_pull, maintainer
from sample.story.numbering import Life
from sample.story.people import someone

BIRTHS = 58
HOUR = timedelta(hours=1)


def write_afterlife(pen: Chronicle) -> None:
    """New threads, and second thoughts about those of the seed day."""
    for at in moments(pen.rng, END, NOW, BIRTHS):
        live = live_pull if pen.rng.random() < 0.77 else live_issue
        live(pen, at, NOW)
    _reopen(pen, _closed_that_day(pen))
    _reword(pen, [life for life in pen.lives if START <= life.at < END])
    _edit(pen)


def _closed_that_day(pen: Chronicle) -> list[Life]:
    closed = {
        row.number
        for row in pen.rows
        if isinstance(row, Event)
        and row.event == "closed"
        and START <= row.created_at < END
        and row.commit_id is None
    }
    return [life for life in pen.lives if life.number in closed and not life.is_open]


def _reopen(pen: Chronicle, closed: list[Life]) -> None:
    """Three of each kind come back; one of each kind is closed again."""
    for is_pull in (True, False):
        kind = [life for life in closed if life.is_pull_request == is_pull]
        for turn, life in enumerate(pen.rng.sample(kind, 3)):
            at = moment(pen.rng, END, NOW - 8 * HOUR)
            pen.say(life, at, life.author, "This still happens, please look again.")
            pen.reopen(life, at, life.author)
            if turn == 0:
                pen.close(life, at + 5 * HOUR, maintainer(pen.rng), "not_planned")


def _reword(pen: Chronicle, born: list[Life]) -> None:
    """New titles, labels and drafts; one label falls in the very second of the end."""
    rng = pen.rng
    chosen = rng.sample(born, 44)
    pen.label(chosen[0], END, "help wanted", maintainer(rng))
    for turn, life in enumerate(chosen[1:20]):
        label = LABELS[turn % len(LABELS)]
        pen.label(life, moment(rng, END, NOW), label, maintainer(rng))
    for life in chosen[20:28]:
        if life.labels:
            pen.unlabel(life, moment(rng, END, NOW), life.labels[0], maintainer(rng))
    for life in chosen[28:36]:
        rename = (life.subject.title, f"{life.subject.title} (reworded)"[:300])
        pen.note(life, moment(rng, END, NOW), "renamed", life.author, rename=rename)
    for life in chosen[36:]:
        if life.is_pull_request and life.is_open:
            pen.redraft(life, moment(rng, END, NOW), life.author)
        pen.talk(life, moment(rng, END, NOW), NOW, 2)
        pen.say(life, moment(rng, END, NOW), someone(rng), "Any news?")


LABELS = ("rocm", "help wanted", "triage, please", "ci/build", "priority: high", "🚀")


def _edit(pen: Chronicle) -> None:
    """Some comments of that day read differently since; two are gone."""
    said = [
        index
        for index, row in enumerate(pen.rows)
        if type(row) is Comment and START <= row.created_at < END
    ]
    for turn, index in enumerate(pen.rng.sample(said, 14)):
        row = pen.rows[index]
        assert isinstance(row, Comment)
        at = moment(pen.rng, max(row.created_at + HOUR, END - 6 * HOUR), NOW)
        edit = (at, f"{row.body}\n\nEdit: see above.")
        gone_at = at if turn < 2 else None
        pen.rows[index] = replace(row, edits=(edit,), deleted_at=gone_at)
