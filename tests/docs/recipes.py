"""The cookbook's page in its parts, and put together again with fresh results. Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

# A question: its heading, what is said of it, its query, and the table that follows.
RECIPE = re.compile(
    r"^### (?P<question>.+)\n\n(?P<prose>(?:(?!#|```).*\n)+?)"
    r"```sql\n(?P<query>(?:(?!```).*\n)+)```\n(?P<result>(?:\n(?:\|.*\n)+)?)",
    re.M,
)
SETTINGS = re.compile(r"^```sql settings\n(.*?)```\n", re.M | re.S)


@dataclass(frozen=True)
class Recipe:
    """One question of the page; the result is a Markdown table."""

    question: str
    prose: str
    query: str
    result: str


def settings_of(page: str) -> str:
    """What has to be run once before any query."""
    (found,) = SETTINGS.findall(page)
    return str(found)


def recipes_of(page: str) -> list[Recipe]:
    """The questions in the order of the page."""
    return [
        Recipe(**{name: text.strip() for name, text in found.groupdict().items()})
        for found in RECIPE.finditer(page)
    ]


def with_results(page: str, results: Mapping[str, str]) -> str:
    """The page with these results, by question."""

    def answered(found: re.Match[str]) -> str:
        asked = found[0].removesuffix(found["result"])
        return f"{asked}\n{results[found['question']]}\n"

    return RECIPE.sub(answered, page)


def as_table(names: Sequence[str], rows: Sequence[Sequence[Any]]) -> str:
    """Rows as a Markdown table; what is null shows as such."""
    lines = [
        names,
        ["---"] * len(names),
        *([_cell(one) for one in row] for row in rows),
    ]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def _cell(value: Any) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list):
        return ", ".join(map(_cell, value)) or "[]"
    return str(value).replace("|", "\\|")
