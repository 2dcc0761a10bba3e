"""The pen that writes a world: threads live in it, and numbers come last.

While it is written a thread has a provisional number, and a text names another thread
as `{#12}` or by its key, `{#draft-model}`. `finished` sorts the births, gives the real
numbers (with gaps: discussions take some), and puts them into every text.
"""

from datetime import datetime, timedelta
from random import Random
from typing import Any

from sample.facts import happened
from sample.repository import World, stamp
from sample.rows import (
    ChangedFile,
    Comment,
    Row,
    Thread,
    User,
)
from sample.story.numbering import Life, numbered, numbers_of
from sample.story.people import CI, PEOPLE, REVIEWER, association, someone
from sample.story.reviews import reviewed
from sample.story.words import WORDS, Subject, filled


class Chronicle:
    """The rows written so far, with one source of chance."""

    def __init__(self, rng: Random) -> None:
        """Begin with no rows."""
        self.rng = rng
        self.lives: list[Life] = []
        self.keys: dict[str, int] = {}
        self.rows: list[Row] = []

    def birth(
        self,
        at: datetime,
        subject: Subject,
        author: User | None,
        *,
        key: str | None = None,
        fixes: Life | None = None,
        is_draft: bool = False,
    ) -> Life:
        """Open a thread, let the bots label and review it."""
        life = Life(len(self.lives) + 1, at, subject, author, is_draft=is_draft)
        life.fixes = fixes
        body = subject.body
        if fixes and body:
            body = f"{body}\n\n{self._link(fixes)}"
        thread = Thread(
            number=life.number,
            created_at=at,
            title=subject.title,
            body=body,
            user=author,
            is_pull_request=subject.is_pull_request,
            is_draft=is_draft,
            author_association=association(author),
        )
        self.lives.append(life)
        self.keys[key or str(life.number)] = life.number
        self.keys[str(life.number)] = life.number
        self.rows.append(thread)
        for label in subject.labels:
            self.label(life, at + timedelta(seconds=self.rng.randrange(45)), label)
        if subject.is_pull_request:
            self._receive(life)
        return life

    def label(self, life: Life, at: datetime, name: str, by: User = CI) -> None:
        """Put a label on; one that is there already stays, and nothing happens."""
        if name not in life.labels:
            life.labels.append(name)
            self.note(life, at, "labeled", by, label=name)

    def unlabel(self, life: Life, at: datetime, name: str, by: User) -> None:
        """Take a label off that is there."""
        life.labels.remove(name)
        self.note(life, at, "unlabeled", by, label=name)

    def redraft(self, life: Life, at: datetime, by: User | None) -> None:
        """A draft becomes ready for review; what was ready, a draft again."""
        life.is_draft = not life.is_draft
        event = "convert_to_draft" if life.is_draft else "ready_for_review"
        self.note(life, at, event, by)

    def note(
        self, life: Life, at: datetime, event: str, by: User | None, **row: Any
    ) -> None:
        """Let something happen to a thread."""
        self.rows.append(happened(event, life.number, at, actor=by, **row))

    def say(
        self, life: Life, at: datetime, by: User | None, body: str, **row: Any
    ) -> None:
        """Let someone comment; those who speak for the first time subscribe."""
        told = {"author_association": association(by), **row}
        self.rows.append(Comment(life.number, at, body, by, **told))
        if by and by.kind == "User" and self.rng.random() < 0.5:
            self.note(life, at, "mentioned", self.rng.choice(PEOPLE))
            self.note(life, at, "subscribed", by)

    def talk(self, life: Life, start: datetime, until: datetime, count: int) -> None:
        """Let up to `count` remarks fall, slower and slower, all before `until`."""
        at, kind = start, "pull" if life.is_pull_request else "issue"
        others = [someone(self.rng, but=life.author) for _ in range(2)]
        for turn in range(count):
            at += timedelta(seconds=60 + int(self.rng.expovariate(1 / 9_000)))
            if at >= until:
                return
            by = life.author if turn % 3 == 2 else self.rng.choice(others)
            if life.is_pull_request and self.rng.random() < 0.35:
                self.review(life, at, others[0])
                continue
            other = self.rng.choice(self.lives).reference
            body = filled(self.rng.choice(WORDS["remarks"][kind]), {"other": other})
            self.say(life, at, by, body)

    def review(
        self, life: Life, at: datetime, by: User, body: str | None = None
    ) -> None:
        """Let someone review the diff, and perhaps the author reply."""
        self.rows += reviewed(self.rng, life, at, by, body or "")

    def close(
        self, life: Life, at: datetime, by: User | None, reason: str | None = None
    ) -> None:
        """Close a thread without merging it."""
        life.is_open = False
        told = None if life.is_pull_request else reason or "completed"
        self.note(life, at, "closed", by, state_reason=told)

    def reopen(self, life: Life, at: datetime, by: User | None) -> None:
        """Open it again."""
        life.is_open = True
        self.note(life, at, "reopened", by)

    def merge(self, life: Life, at: datetime, by: User | None, *, lag: int = 0) -> None:
        """Merge a pull request; its `closed` comes `lag` seconds after `merged`.

        GitHub merges no draft: one is made ready a little before.
        """
        if life.is_draft:
            self.redraft(life, max(life.at, at - timedelta(minutes=10)), life.author)
        life.is_open = False
        commit = f"{stamp(at, life.number):040x}"
        self.note(life, at, "merged", by, commit_id=commit)
        closing = at + timedelta(seconds=lag)
        self.note(life, closing, "closed", by, commit_id=commit)
        if life.fixes and life.fixes.is_open:
            fixed = life.fixes
            fixed.is_open = False
            told = {"commit_id": commit, "state_reason": "completed"}
            self.note(fixed, at + timedelta(seconds=1), "closed", by, **told)

    def finished(self, now: datetime) -> World:
        """The world, with its real numbers everywhere."""
        numbers = numbers_of(self.lives, self.rng)
        names = {key: f"#{numbers[told]}" for key, told in self.keys.items()}
        return World(now=now).with_rows(
            numbered(row, numbers, names)
            for row in self.rows
            if isinstance(row, ChangedFile) or row.created_at <= now
        )

    def _link(self, fixes: Life) -> str:
        closing = ("Fixes {}", "Closes example-org/sample-engine{}", "See {}.")
        return self.rng.choice(closing[:2]).format(fixes.reference)

    def _receive(self, life: Life) -> None:
        """What a pull request meets in its first minutes."""
        rng, at = self.rng, life.at
        for path in life.subject.paths[: rng.randint(1, 3)]:
            changed = ChangedFile(
                life.number, path, rng.randint(1, 160), rng.randint(0, 60)
            )
            self.rows.append(changed)
        asked = at + timedelta(seconds=rng.randint(3, 90))
        self.note(life, asked, "review_requested", life.author)
        if rng.random() < 0.55:
            fields = {"noun": life.subject.noun, "slug": life.subject.noun[-5:].strip()}
            body = filled(rng.choice(WORDS["remarks"]["review_bot"]), fields)
            seen = at + timedelta(seconds=rng.randint(60, 400))
            self.review(life, seen, REVIEWER, body)
        if rng.random() < 0.25:
            body = filled(rng.choice(WORDS["remarks"]["ci_bot"]), {"slug": "pr"})
            self.say(life, at + timedelta(seconds=rng.randint(100, 900)), CI, body)
        if rng.random() < 0.3:
            pushed = at + timedelta(seconds=rng.randint(600, 6_000))
            self.note(life, pushed, "head_ref_force_pushed", life.author)
