"""What a reader's program makes of a rendered document.

Markdown is read by a CommonMark parser with GitHub's strikethrough and tables, and raw
HTML allowed, so that anything that slips through shows up as a token.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import html5lib
from markdown_it import MarkdownIt
from markdown_it.token import Token

from render.report import report_files
from render.warehouse import open_warehouse, read_rows
from render.words import read_words

MARKDOWN = MarkdownIt("commonmark", {"html": True}).enable(["strikethrough", "table"])


def rows_of(path: Path, window_id: str) -> dict[str, Any]:
    with open_warehouse(path) as connection:
        return read_rows(connection, [window_id])[window_id]


def files(rows: dict[str, Any], language: str = "zh") -> dict[str, str]:
    """All files of a report, by the ends of their names."""
    made = report_files(rows, stem="x", words=read_words(language))
    return {
        name.removeprefix("x.").removeprefix(f"{language}."): text
        for name, text in made.items()
    }


def empty(rows: dict[str, Any]) -> dict[str, Any]:
    """The report of a window in which nothing happened."""
    nothing = {
        name: 0 if name.endswith("_count") else value
        for name, value in rows["headline_counts"].items()
    }
    return {
        **{name: [] if isinstance(cell, list) else None for name, cell in rows.items()},
        "provenance": rows["provenance"],
        "headline_counts": nothing,
    }


def tokens(markdown: str) -> Iterator[Token]:
    """Every token, those inside of lines too."""
    for token in MARKDOWN.parse(markdown):
        yield token
        yield from token.children or ()


def text_of(found: list[Token]) -> str:
    """What a reader reads of a line's tokens."""
    return "".join(
        " " if t.type in ("hardbreak", "softbreak") else t.content
        for t in found
        if t.type in ("text", "code_inline", "hardbreak", "softbreak")
    )


def lines(markdown: str) -> list[str]:
    """The plain text of every paragraph, heading and list item."""
    return [text_of(t.children or []) for t in tokens(markdown) if t.type == "inline"]


def page(document_text: str) -> Any:
    """The page's tree as a browser would build it, an error in it being an error."""
    parser = html5lib.HTMLParser(strict=True, namespaceHTMLElements=False)
    return parser.parse(document_text)


def elements(tree: Any, name: str) -> list[Any]:
    return list(tree.iter(name))


def words_of(element: Any) -> str:
    return " ".join("".join(element.itertext()).split())
