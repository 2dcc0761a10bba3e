"""The seed day's hot discussions, word by word, out of conversations.toml."""

from datetime import datetime
from typing import Any

from sample.facts import GHOST
from sample.rows import ReviewComment, User
from sample.story.chronicle import Chronicle
from sample.story.numbering import Life
from sample.story.people import BY_LOGIN, CI, MAINTAINERS, association
from sample.story.words import CONVERSATIONS, Subject, dump, filled

# The empty name is an account that is gone.
CAST: dict[str, User | None] = {**BY_LOGIN, "ghost": GHOST, CI.login: CI, "": None}


def write_conversations(pen: Chronicle) -> list[Life]:
    """Open each thread at its hour, and let everybody speak at theirs."""
    lives = {told["key"]: _open(pen, told) for told in CONVERSATIONS["thread"]}
    for told in CONVERSATIONS["thread"]:
        life = lives[told["key"]]
        for remark in told.get("said", []):
            _say(pen, life, remark)
        if "merged" in told:
            life.fixes = lives[told["fixes"]]
            pen.merge(life, told["merged"], MAINTAINERS[2])
    return list(lives.values())


def _open(pen: Chronicle, told: dict[str, Any]) -> Life:
    body = filled(told["body"], {"dump": dump(4)})
    if "fixes" in told:
        body = f"{body}\n\nFixes {{#{told['fixes']}}}"
    subject = Subject(
        is_pull_request=told["kind"] == "pr",
        title=told["title"],
        body=body,
        labels=tuple(told["labels"]),
        noun=told["noun"],
        paths=tuple(told.get("paths", ("engine/core.py",))),
    )
    author = BY_LOGIN[told["author"]]
    return pen.birth(told["opened"], subject, author, key=told["key"])


def _say(pen: Chronicle, life: Life, remark: dict[str, Any]) -> None:
    at: datetime = remark["at"]
    by = CAST[remark["by"]]
    if "path" in remark:
        said = ReviewComment(life.number, at, remark["says"], by, association(by))
        pen.rows.append(ReviewComment(**{**vars(said), "path": remark["path"]}))
    else:
        edits = tuple((when, text) for when, text in remark.get("edits", []))
        pen.say(life, at, by, remark["says"], edits=edits)
