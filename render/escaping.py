"""Text from strangers, made plain for the document it lands in.

Every title, login, label and excerpt comes from GitHub, so anybody may have written
it. `plain` takes away what no reader should meet (control characters, marks that
reorder the line), and `markdown` and `html` then make the rest mean itself.

Markdown needs more than backslashes. GitHub looks for @mentions, `#123`, addresses
and `$formulas$` *after* the Markdown is parsed, in the text of the result, where a
backslash or an entity is long gone: `\\@dev` still pings. It never looks inside code
spans, so exactly these words are set as code: `@dev` stays readable, can be copied,
and notifies nobody. Zero-width characters would do it too, but then a copied name is
no longer the name.

A document may also end up in a Jekyll site: no `{{` and no `{%` stands in it.
"""

import re
import unicodedata

from markupsafe import Markup, escape

_BIDI_CONTROLS = dict.fromkeys(
    [0x061C, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A)]
)
_ISOLATE, _POP = "\u2068", "\u2069"

# What GitHub brings to life in finished text. Neighbours merge into one span,
# because two adjacent code spans would share their backticks. A brace ends a span: in
# code it could not be written as an entity.
_LIVE = re.compile(
    r"""(?:
        (?:https?|ftp)://[^\s`{]*[^\s`{.,;:!?)\]'"]
      | www\.[^\s`{]*[^\s`{.,;:!?)\]'"]
      | (?:mailto|xmpp):[^\s`{]*[^\s`{.,;:!?)\]'"]
      | @[\w-]+(?:[./][\w-]+)*
      | \#\d\w*
      | \bGH-\d+
      | \$\w+
    )+""",
    re.ASCII | re.IGNORECASE | re.VERBOSE,
)

# Inline: what can open or close something anywhere. An underscore between two letters
# or digits is inert in CommonMark, and `snake_case` reads better whole.
_INLINE = re.compile(
    r"[\\`*\[\]<~|$]|&(?=[#A-Za-z0-9])|(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])"
)
# Jekyll reads Liquid before Markdown, everywhere, code spans included: one stray tag of
# a title would fail the build of a reader's whole site.
_LIQUID = re.compile(r"(?<=\{)[{%]")
# Block: what means something at the start of a line only.
_BLOCK = re.compile(r"\A(?:([#>+=-])|(\d+)([.)])(?=\s|\Z))")

_SAFE_URL = re.compile(
    r"https://[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?(?::\d{1,5})?"
    r"(?:/[A-Za-z0-9._~/?=%+:@,#-]*)?"
)


def plain(text: str) -> str:
    """One line of text without control characters, its direction kept to itself.

    White space of any kind becomes single spaces. Marks that could reorder what
    follows are dropped, and text that holds right-to-left letters is wrapped in an
    isolate, so that a Hebrew title cannot drag the date after it to its other side.
    """
    if text.isascii() and text.isprintable():
        return " ".join(text.split())  # most of it; nothing below concerns it
    visible = "".join(
        " " if char.isspace() else char
        for char in text.translate(_BIDI_CONTROLS)
        if char.isspace() or unicodedata.category(char) not in ("Cc", "Cs")
    )
    line = " ".join(visible.split())
    if any(unicodedata.bidirectional(char) in ("R", "AL", "AN") for char in line):
        return f"{_ISOLATE}{line}{_POP}"
    return line


def html(text: str) -> Markup:
    """Plain text as HTML, for an element or a quoted attribute."""
    return escape(plain(text))


def markdown(text: str) -> Markup:
    """Plain text as GitHub's Markdown, for any place in a line, its start included.

    `Markup` here says "already fit for this document", as it does for HTML: the engine
    marks what it has escaped, whichever the format.
    """
    return markdown_words(plain(text))


def markdown_words(line: str) -> Markup:
    """The same for one line of our own words, spaces at its ends kept."""
    parts: list[str] = []
    written = 0
    for live in _LIVE.finditer(line):
        parts += [_quiet(line[written : live.start()]), f"`{live.group()}`"]
        written = live.end()
    parts.append(_quiet(line[written:]))
    return Markup("".join(parts))


def safe_url(text: str | None) -> str | None:
    """The address if it is an https one of harmless characters, else nothing.

    >>> safe_url("https://github.com/vllm-project/vllm/issues/1")
    'https://github.com/vllm-project/vllm/issues/1'
    >>> safe_url("javascript:alert(1)") is None
    True
    """
    return text if text is not None and _SAFE_URL.fullmatch(text) else None


def _quiet(segment: str) -> str:
    """Backslashes before everything that Markdown could take for its own."""
    inline = _INLINE.sub(lambda found: "\\" + found.group(), segment)
    inert = _LIQUID.sub(lambda found: f"&#{ord(found.group())};", inline)
    return _BLOCK.sub(_quiet_block, inert)


def _quiet_block(found: re.Match[str]) -> str:
    mark, digits, stop = found.groups()
    return f"\\{mark}" if mark else f"{digits}\\{stop}"
