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

from render.assemble import assemble
from render.context import Report
from render.engine import render
from render.pictures import drawn_for
from render.warehouse import open_warehouse, read_frames
from render.words import read_words

MARKDOWN = MarkdownIt("commonmark", {"html": True}).enable(["strikethrough", "table"])


def report_of(path: Path, window_id: str) -> Report:
    with open_warehouse(path) as connection:
        frames = read_frames(connection, window_id)
    return assemble(frames, tool_version="0.1.0")


def document(path: Path, window_id: str, *, ending: str, language: str = "zh") -> str:
    report, words = report_of(path, window_id), read_words(language)
    pictures = drawn_for(report, words=words, named=f"{window_id[-10:]}.{language}")
    return render(report, ending=ending, words=words, pictures=pictures)


def tokens(markdown: str) -> Iterator[Token]:
    """Every token, those inside of lines too."""
    for token in MARKDOWN.parse(markdown):
        yield token
        yield from token.children or ()


def text_of(found: list[Token]) -> str:
    """What a reader reads of a line's tokens."""
    return "".join(t.content for t in found if t.type in ("text", "code_inline"))


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
