"""Real numbers for the threads, once all of them are written.

While a world is written a thread has a provisional number, and a text names another
thread as `{#12}`, or by its key: `{#one-loop}`.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from random import Random

from sample.rows import ChangedFile, Comment, Event, Row, Thread, User
from sample.story.words import Subject

FIRST_NUMBER = 4_101
REFERENCE = re.compile(r"\{#([a-z0-9-]+)\}")


@dataclass
class Life:
    """One thread while the chronicle is written."""

    number: int
    at: datetime
    subject: Subject
    author: User | None
    is_open: bool = True
    is_draft: bool = False
    fixes: "Life | None" = None
    labels: list[str] = field(default_factory=list)

    @property
    def is_pull_request(self) -> bool:
        """Whether it is a pull request."""
        return self.subject.is_pull_request

    @property
    def reference(self) -> str:
        """How a text names this thread until the numbers are known."""
        return f"{{#{self.number}}}"


def numbers_of(lives: Sequence[Life], rng: Random) -> dict[int, int]:
    """Numbers in order of birth, with gaps: discussions take some."""
    numbers, number = {}, FIRST_NUMBER
    for life in sorted(lives, key=lambda life: (life.at, life.number)):
        numbers[life.number] = number
        number += 1 + (rng.random() < 0.04)
    return numbers


def numbered(row: Row, numbers: Mapping[int, int], names: Mapping[str, str]) -> Row:
    """A row with its real number, and those of the threads that its texts name."""

    def named(text: str) -> str:
        return REFERENCE.sub(lambda match: names.get(match[1], match[0]), text)

    if isinstance(row, Event):
        number = None if row.number is None else numbers[row.number]
        return replace(row, number=number)
    if isinstance(row, ChangedFile):
        return replace(row, number=numbers[row.number])
    body = named(row.body) if row.body is not None else None
    if isinstance(row, Comment):
        edits = tuple((at, named(text)) for at, text in row.edits)
        return replace(row, number=numbers[row.number], body=body, edits=edits)
    if isinstance(row, Thread):
        return replace(row, number=numbers[row.number], body=body)
    return replace(row, number=numbers[row.number])
