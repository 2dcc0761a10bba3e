"""What threads are called and what is said in them, out of the word lists beside."""

import re
import tomllib
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

HERE = Path(__file__).parent


def _read(name: str) -> dict[str, Any]:
    return tomllib.loads((HERE / name).read_text(encoding="utf-8"))


WORDS = _read("words.toml")
AMD = _read("amd.toml")
ODDITIES = _read("oddities.toml")
CONVERSATIONS = _read("conversations.toml")


@dataclass(frozen=True)
class Subject:
    """What a thread is about, before anybody opened it."""

    is_pull_request: bool
    title: str
    body: str | None
    labels: tuple[str, ...] = ()
    noun: str = "this"
    paths: tuple[str, ...] = ("engine/core.py",)
    author: str | None = None
    remark: str | None = None
    fields: dict[str, str] = field(default_factory=dict)


def pull_subject(rng: Random) -> Subject:
    """A pull request about a topic of the engine."""
    topic = rng.choice(WORDS["topic"])
    return _about(rng, topic, WORDS["pull"], is_pull_request=True)


def issue_subject(rng: Random) -> Subject:
    """An issue about a topic of the engine; bugs carry an environment dump."""
    topic = rng.choice(WORDS["topic"])
    return _about(rng, topic, WORDS["issue"], is_pull_request=False)


def amd_subject(rng: Random, *, is_pull_request: bool) -> Subject:
    """An everyday thread of the AMD backend."""
    ours = [t for t in WORDS["topic"] if "kind" not in t and "is_elsewhere" not in t]
    words = AMD["everyday"]["pull" if is_pull_request else "issue"]
    topic = rng.choice(ours)
    subject = _about(rng, topic, words, is_pull_request=is_pull_request)
    labels = (*subject.labels, "rocm") if rng.random() < 0.8 else subject.labels
    return Subject(**{**vars(subject), "labels": labels})


def written_subjects(book: dict[str, Any]) -> list[Subject]:
    """The threads that a book writes out one by one."""
    return [
        Subject(
            is_pull_request=told["kind"] == "pr",
            title=told["title"] if "title" in told else _long_title(told),
            body=filled(told["body"], {"dump": dump(7)}) if "body" in told else None,
            labels=tuple(told.get("labels", ())),
            author=told.get("author"),
            remark=told.get("comment"),
        )
        for told in book["thread"]
    ]


def dump(patch: int) -> str:
    """An environment dump; it names AMD's words and says nothing about AMD."""
    return filled(WORDS["environment"]["dump"], {"patch": str(patch)})


def filled(template: str, fields: dict[str, str]) -> str:
    """The template with its `{name}` filled in; any other brace stays as it is."""
    return re.sub(
        r"\{([a-z]+)\}", lambda match: fields.get(match[1], match[0]), template
    )


def _about(
    rng: Random,
    topic: dict[str, Any],
    words: dict[str, Any],
    *,
    is_pull_request: bool,
) -> Subject:
    fields = {
        "noun": rng.choice(topic["nouns"]),
        "fault": rng.choice(WORDS["issue"]["faults"]),
        "model": rng.choice(WORDS["models"]),
        "slug": topic["label"].replace("/", "_").replace("-", "_"),
        "dump": dump(rng.randrange(5)),
    }
    topic_kind = topic.get("kind", "code")
    title = filled(rng.choice(words["titles"][topic_kind]), fields)
    body = filled(rng.choice(words["bodies"][topic_kind]), fields)
    kind = () if is_pull_request else _kind_labels(title)
    component = (topic["label"],) if is_pull_request or rng.random() < 0.3 else ()
    return Subject(
        is_pull_request=is_pull_request,
        title=title,
        body=body if rng.random() < 0.97 else None,
        labels=(*kind, *component) if rng.random() < 0.85 else (),
        noun=fields["noun"],
        paths=tuple(topic["paths"]),
        fields=fields,
    )


KIND_LABELS = {
    "[Bug]": "bug",
    "[Feature]": "feature request",
    "[Usage]": "usage",
    "[Performance]": "performance",
    "[Doc]": "documentation",
    "[CI Failure]": "ci-failure",
    "[RFC]": "RFC",
}


def _kind_labels(title: str) -> tuple[str, ...]:
    return tuple(
        label for prefix, label in KIND_LABELS.items() if title.startswith(prefix)
    )


def _long_title(told: dict[str, Any]) -> str:
    text: str = told["repeat"]
    length: int = told["length"]
    return (text * length)[:length]
