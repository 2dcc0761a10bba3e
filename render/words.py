"""The words of one language, from `locales/<language>.toml`.

A key's value is a plain sentence with `{placeholders}`, or a table of `one` and
`other` where the language counts; `count` then chooses. Nested tables nest the keys:
`status.open`.
"""

import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from markupsafe import Markup

from pipelines.errors import MisconfiguredError

LOCALES = Path(__file__).parent / "locales"


@dataclass(frozen=True)
class Format:
    """How text becomes part of a document of one format."""

    untrusted: Callable[[str], Markup]
    """For what comes from GitHub: made plain, then escaped."""
    own: Callable[[str], Markup]
    """For our own sentences: escaped alone, their spaces kept."""


# Not by value: what is made for a language is kept by it, and it holds a dictionary.
@dataclass(frozen=True, eq=False)
class Words:
    """What a language says, by dotted key."""

    language: str
    sentences: Mapping[str, str | Mapping[str, str]]

    def say(self, key: str, form: Format, **values: Any) -> Markup:
        """The sentence of a key with its values filled in, escaped for a format.

        The sentence and each value are escaped apart, so that a value cannot become
        structure; values that are Markup already stay as they are. KeyError for an
        unknown key or a missing value: a report with a hole is not written.
        """
        sentence = self.sentences[key]
        if not isinstance(sentence, str):
            sentence = sentence["one" if values["count"] == 1 else "other"]
        filled = {name: _escaped(value, form) for name, value in values.items()}
        return Markup(str(form.own(sentence)).format_map(filled))

    def word(self, group: str, key: str) -> str:
        """The word for a value of a closed set; an unknown value stands for itself.

        GitHub and our own tables may grow values that a locale does not know yet, and
        a plain `converted` beats a failed report.
        """
        found = self.sentences.get(f"{group}.{key}")
        return found if isinstance(found, str) else key


def known_languages() -> list[str]:
    """The languages there are words for, in alphabetical order."""
    return sorted(path.stem for path in LOCALES.glob("*.toml"))


@cache
def read_words(language: str) -> Words:
    """The words of a language; MisconfiguredError, naming those known, for others."""
    known = known_languages()
    if language not in known:
        raise MisconfiguredError(
            f"There is no locale {language!r}: LOCALE is one of {', '.join(known)}."
        )
    table = tomllib.loads((LOCALES / f"{language}.toml").read_text("utf-8"))
    return Words(language, dict(_flattened(table, "")))


def _flattened(
    table: Mapping[str, Any], prefix: str
) -> list[tuple[str, str | Mapping[str, str]]]:
    out: list[tuple[str, str | Mapping[str, str]]] = []
    for name, value in table.items():
        if isinstance(value, str) or value.keys() <= {"one", "other"}:
            out.append((prefix + name, value))
        else:
            out += _flattened(value, f"{prefix}{name}.")
    return out


def _escaped(value: Any, form: Format) -> Markup:
    return value if isinstance(value, Markup) else form.untrusted(str(value))
