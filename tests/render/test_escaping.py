"""Laws of a stranger's text: it is read as it was written, and does nothing else."""

from __future__ import annotations

import re
import unicodedata

import html5lib
import pytest
from hypothesis import given
from hypothesis import strategies as st

from render.escaping import html, markdown, plain, safe_url
from tests.render.documents import text_of, tokens

URL = "https://github.com/vllm-project/vllm/issues/1"

FRAGMENTS = [
    *"`*_[]()<>#+-.!|~$&\\{}@:/=\"' \n\t",
    *("``", "**", "__", "~~", "~~~", "```", "](", "![", "<b>", "</li>", "<!--", "-->"),
    *("&amp;", "&#64;", "&lt;", "1.", "10)", "---", "===", "> ", "# ", "- ", "a_b"),
    *("@dev-001", "@org/team", "#123", "o/r#1", "GH-7", "$x$", "$`x`$", "{{ 7*7 }}"),
    *("{", "{{", "{%", "{% raw %}", "{{{", "https://a.example/{{b}}{%c"),
    *("https://evil.example", "www.evil.example", "mailto:a@b.c", "a@b.c", "ftp://x"),
    *("<https://evil.example>", "[x](javascript:alert(1))", "[x]: /y", "\\`", "snake_"),
    *(
        "\u202e",
        "\u2066",
        "\u200f",
        "שלום",
        "١٢",
        "漢字",
        "🚀",
        "👩‍💻",
        "\u2028",
        "\x00",
        "\x9b",
    ),
]

STRANGE = st.one_of(st.text(), st.lists(st.sampled_from(FRAGMENTS)).map("".join))


@given(STRANGE)
def test_a_list_row_reads_as_written_and_holds_only_our_link(text: str) -> None:
    row = f"- [#1]({URL}) {markdown(text)} — bug"
    found = list(tokens(row))
    kinds = {t.type for t in found} - {"text", "code_inline", "inline"}
    assert kinds <= {
        *("bullet_list_open", "list_item_open", "paragraph_open", "link_open"),
        *("link_close", "paragraph_close", "list_item_close", "bullet_list_close"),
    }
    assert [t.attrGet("href") for t in found if t.type == "link_open"] == [URL]
    inline = next(t for t in found if t.type == "inline")
    separator = " " if plain(text) else "  "
    shown = text_of(inline.children or [])
    assert shown == f"#1 {plain(text)} — bug".replace("  ", separator)


@given(STRANGE)
def test_a_title_with_braces_is_no_liquid_tag_in_a_jekyll_site(text: str) -> None:
    assert not re.search(r"\{[{%]", markdown(text))


@given(STRANGE)
def test_a_line_that_begins_with_it_stays_a_paragraph(text: str) -> None:
    found = list(tokens(f"above\n\n{markdown(text)}\n"))
    kinds = {t.type for t in found}
    assert kinds <= {
        "paragraph_open",
        "inline",
        "text",
        "code_inline",
        "paragraph_close",
    }
    last = [t for t in found if t.type == "inline"][-1]
    assert text_of(last.children or []) == (plain(text) or "above")


@given(STRANGE)
def test_a_heading_that_links_with_it_keeps_one_link(text: str) -> None:
    found = list(tokens(f"### 1. [#1 {markdown(text)}]({URL})"))
    kinds = [t.type for t in found if t.type not in ("text", "code_inline")]
    assert kinds == [
        *("heading_open", "inline", "link_open", "link_close", "heading_close")
    ]
    inline = next(t for t in found if t.type == "inline")
    assert text_of(inline.children or []).strip() == f"1. #1 {plain(text)}".strip()


@given(STRANGE)
def test_nothing_is_left_for_github_to_bring_to_life(text: str) -> None:
    """GitHub looks at finished text outside of code and links."""
    exposed = "\n".join(
        t.content for t in tokens(f"x {markdown(text)}") if t.type == "text"
    )
    assert not re.search(r"@[A-Za-z0-9_]", exposed)
    assert not re.search(r"#\d", exposed, re.ASCII)
    assert not re.search(r"(?:https?|ftp)://\w|\$[A-Za-z0-9_]", exposed, re.ASCII)
    assert not re.search(r"(?:^|\W)www\.\w", exposed, re.ASCII)


@given(STRANGE)
def test_html_reads_as_written_and_adds_no_element(text: str) -> None:
    body = html5lib.parse(
        f'<p title="{html(text)}">{html(text)}</p>', namespaceHTMLElements=False
    ).find("body")
    assert [element.tag for element in body.iter()] == ["body", "p"]
    paragraph = body.find("p")
    # Browsers read what is no character at all as U+FFFD or as it is; both are inert.
    assert (paragraph.text or "") == plain(text)
    assert paragraph.get("title") == plain(text)


@given(STRANGE)
def test_plain_text_is_one_line_without_controls(text: str) -> None:
    line = plain(text)
    assert line == line.strip() and "\n" not in line
    inside = line.removeprefix("\u2068").removesuffix("\u2069")
    assert not any(unicodedata.category(c) in ("Cc", "Cs") for c in inside)
    assert not re.search("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]", inside)


def test_right_to_left_text_is_isolated_and_other_text_is_not() -> None:
    assert plain("שלום 1") == "\u2068שלום 1\u2069"
    assert plain("abc \u202egnol\u202c") == "abc gnol"


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("#include <Python.h>", r"\#include \<Python.h>"),
        ("[Bug]: a | b", r"\[Bug\]: a \| b"),
        ("VLLM_USE_DEEP_GEMM", "VLLM_USE_DEEP_GEMM"),
        ("_x_ and x__y", r"\_x\_ and x\_\_y"),
        ("Fix (#123) for @dev-001.", "Fix (`#123`) for `@dev-001`."),
        ("see https://x.example/a?b=c, then", "see `https://x.example/a?b=c`, then"),
        ("a@b.c@d", "a`@b.c@d`"),
        ("R&D &amp; x", r"R\&D \&amp; x"),
        ("1. one", r"1\. one"),
        ("10) ten", r"10\) ten"),
        ("0.85", "0.85"),
        ("- minus", r"\- minus"),
        ("C:\\new", r"C:\\new"),
        ("$HOME and 5$", r"`$HOME` and 5\$"),
    ],
)
def test_markdown_is_written_as_a_careful_author_would(text: str, written: str) -> None:
    assert markdown(text) == written


@pytest.mark.parametrize(
    "address",
    [
        "https://github.com/vllm-project/vllm/issues/1",
        "https://github.com/o/r/pull/1#discussion_r12",
        "https://ghe.example:8443/o/r/issues/1",
        "https://github.com",
    ],
)
def test_a_plain_https_address_may_become_a_link(address: str) -> None:
    assert safe_url(address) == address


@pytest.mark.parametrize(
    "address",
    [
        *(None, "", "javascript:alert(1)", "http://github.com/x", "//github.com/x"),
        *("https://", "https:///x", "https://user@evil.example/", "https://x y/"),
        *("https://github.com/)[x](", "https://github.com/<b>", 'https://x/"onload=1'),
        *(
            "https://github.com/a\n",
            " https://github.com",
            "https://x/&quot;",
            "data:x",
        ),
        *(
            "https://github.com\\@evil.example",
            "https://github.com/\u202ex",
            "HTTPS://x",
        ),
    ],
)
def test_any_other_address_stays_text(address: str | None) -> None:
    assert safe_url(address) is None
