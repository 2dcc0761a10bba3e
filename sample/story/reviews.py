"""A review of a pull request: itself, a comment on the diff, perhaps a reply."""

from datetime import datetime, timedelta
from random import Random

from sample.repository import stamp
from sample.rows import Review, ReviewComment, Row, User
from sample.story.numbering import Life
from sample.story.people import association
from sample.story.words import WORDS

# Their ids are needed before the world gives any: far beyond the ordinals it uses.
FIRST_ORDINAL = 50_000


def reviewed(rng: Random, life: Life, at: datetime, by: User, body: str) -> list[Row]:
    """The rows of one review of `life` by `by`; people's reviews may get a reply."""
    unique = stamp(at, FIRST_ORDINAL + life.number)
    review = Review(life.number, at, "COMMENTED", body, by, association(by), id=unique)
    remark = ReviewComment(
        life.number,
        at,
        rng.choice(WORDS["remarks"]["diff"]),
        by,
        association(by),
        path=life.subject.paths[0],
        review_id=unique,
        id=unique,
    )
    if by.kind != "User" or life.author is None or rng.random() > 0.4:
        return [review, remark]
    reply = ReviewComment(
        life.number,
        at + timedelta(seconds=rng.randint(300, 1_500)),
        rng.choice(WORDS["remarks"]["reply"]),
        life.author,
        association(life.author),
        path=remark.path,
        in_reply_to_id=unique,
    )
    return [review, remark, reply]
