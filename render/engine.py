"""The Jinja environments: rows and a language in, a document out. Pure.

Both formats escape by default, at the same place: `finalize` sees every value that a
template prints, and lets pass only what the engine itself has marked as fit. There is
nothing to remember in a template, and nothing to forget. What the sections say stands
once, in `templates/report`, in marks (`link`, `bold`, `chip`) that each format has its
own way to write.
"""

import hashlib
import re
from base64 import b64encode
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup
from markupsafe import escape as html_words

from render import escaping
from render.charts import Picture, sparkline
from render.filters import FILTERS, LISTINGS, WEEKDAYS
from render.words import Format, Words

TEMPLATES = Path(__file__).parent / "templates"
STYLE = Path(__file__).parent / "static" / "report.css"
AGE = Path(__file__).parent / "static" / "age.js"

MARKDOWN = Format(untrusted=escaping.markdown, own=escaping.markdown_words)
HTML = Format(untrusted=escaping.html, own=html_words)
FORMATS = {"md": MARKDOWN, "html": HTML, "xml": HTML}
"""What a template's ending says about the text in it."""


def render(name: str, words: Words, context: Mapping[str, Any]) -> str:
    """A document by its template's name; ends with a newline."""
    ending = name.removesuffix(".j2").rpartition(".")[2]
    text = environment(ending, words).get_template(name).render(context)
    return tidied(text) if ending == "md" else text


def tidied(markdown: str) -> str:
    """Markdown with single blank lines, and none between the items of a list.

    Escaped text holds no line break: this moves nothing but the templates' own lines.
    """
    lines = [line.rstrip() for line in markdown.splitlines()]
    text = re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip("\n")
    return re.sub(r"(?m)^((?: *- |  ).*)\n\n(?= *- )", r"\1\n", text) + "\n"


@lru_cache(maxsize=16)
def environment(ending: str, words: Words) -> Environment:
    """Jinja for one format and language, with our filters and no others."""
    form = FORMATS[ending]
    jinja = Environment(
        loader=FileSystemLoader(TEMPLATES),
        undefined=StrictUndefined,
        autoescape=True,
        finalize=_finalizer(form),
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    jinja.filters = dict(FILTERS)
    jinja.globals = {
        "language": words.language,
        "format": ending,
        "all_listings": LISTINGS,
        "weekdays": WEEKDAYS,
        **_wording(words, form),
        **(_markdown_marks(form) if ending == "md" else _html_marks(form)),
    }
    if ending == "html":
        jinja.globals |= {"sparkline": sparkline, **_styling()}
    return jinja


def _finalizer(form: Format) -> Callable[[Any], Markup]:
    def finalize(value: Any) -> Markup:
        """Markup as it is, text escaped, whole numbers bare; all else is a mistake."""
        if isinstance(value, Markup):
            return value
        if isinstance(value, str):
            return form.untrusted(value)
        if isinstance(value, int) and not isinstance(value, bool):
            return Markup(value)
        raise TypeError(f"a template prints {type(value).__name__}: use a filter")

    return finalize


def _wording(words: Words, form: Format) -> dict[str, Callable[..., Any]]:
    def say(key: str, of: str | None = None, **values: Any) -> Markup:
        """The sentence of a key, or of the key `of` in the group of that name."""
        return words.say(key if of is None else f"{key}.{of}", form, **values)

    def quoted_word(group: str, key: str) -> Markup:
        """The word for a value of ours; a stranger's text in its place is quoted."""
        known = words.word(group, key)
        return say("quoted", words=key) if known == key else form.own(known)

    def titled(topic: Mapping[str, Any]) -> Markup:
        """A topic's name in the language."""
        return form.untrusted(topic[f"title_{words.language}"])

    def row_of_words(group: str, keys: Iterable[str]) -> Markup:
        """The words of several values, in a row."""
        return say("separator").join(
            form.untrusted(words.word(group, key)) for key in keys
        )

    def duration(hours: float = 0, *, days: float = 0) -> Markup:
        """Minutes under an hour, hours under two days, then days; cut, not rounded."""
        hours += days * 24
        for unit, count in (("minutes", hours * 60), ("hours", hours)):
            if count < {"minutes": 60, "hours": 48}[unit]:
                return say(f"duration.{unit}", count=int(count))
        return say("duration.days", count=int(hours / 24))

    return {
        "say": say,
        "word": words.word,
        "words": row_of_words,
        "quoted_word": quoted_word,
        "titled": titled,
        "count_names": lambda: [words.word("count", name) for name in LISTINGS],
        "duration": duration,
    }


def _markdown_marks(form: Format) -> dict[str, Callable[..., Markup]]:
    def link(text: str, url: str | None) -> Markup:
        """`[text](url)`; without an address the same words, unlinked."""
        shown = form.untrusted(text) if not isinstance(text, Markup) else text
        return shown if url is None else Markup(f"[{shown}]({url})")

    def number_link(number: int, url: str | None) -> Markup:
        """`[#123](url)`. Without an address the number is set as code: a bare `#123`
        would be linked by GitHub to whatever repository the report is pasted into.
        """
        return Markup(f"`#{number}`" if url is None else f"[#{number}]({url})")

    def picture(shown: Picture) -> Markup:
        """`![what it shows](file)`, the file lying beside the document."""
        text = escaping.markdown(f"{shown.title}: {shown.description}")
        return Markup(f"![{text}]({shown.file})")

    def chip(word: str, kind: str = "") -> Markup:
        """A word of ours, set as code."""
        return Markup("`{}`").format(Markup(word.replace("`", "")))

    def bold(text: str) -> Markup:
        return Markup(f"**{form.untrusted(text)}**")

    return {
        "link": link,
        "number_link": number_link,
        "picture": picture,
        "chip": chip,
        "bold": bold,
    }


def _html_marks(form: Format) -> dict[str, Callable[..., Markup]]:
    def link(text: str, url: str | None) -> Markup:
        shown = form.untrusted(text) if not isinstance(text, Markup) else text
        return (
            shown if url is None else Markup('<a href="{}">{}</a>').format(url, shown)
        )

    def number_link(number: int, url: str | None) -> Markup:
        shown = Markup('<span class="number">#{}</span>').format(number)
        return link(shown, url)

    def picture(shown: Picture) -> Markup:
        return Markup("<figure>{}<figcaption>{}</figcaption></figure>").format(
            shown.svg, f"{shown.title}; {shown.description}"
        )

    def chip(word: str, kind: str = "") -> Markup:
        return Markup('<span class="chip chip-{}">{}</span>').format(kind, word)

    def bold(text: str) -> Markup:
        return Markup("<strong>{}</strong>").format(form.untrusted(text))

    return {
        "link": link,
        "number_link": number_link,
        "picture": picture,
        "chip": chip,
        "bold": bold,
    }


def _styling() -> dict[str, Markup]:
    """The style sheet and the script, and the hashes that a page's policy allows."""
    inlined: dict[str, Markup] = {}
    for name, path in (("style", STYLE), ("age_script", AGE)):
        text = path.read_text("utf-8")
        digest = b64encode(hashlib.sha256(text.encode()).digest()).decode()
        inlined |= {name: Markup(text), f"{name}_hash": Markup(f"sha256-{digest}")}
    return inlined
