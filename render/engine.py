"""The Jinja environments: a context and a language in, a document out. Pure.

Both formats escape by default, at the same place: `finalize` sees every value that a
template prints, and lets pass only what the engine itself has marked as fit. There is
nothing to remember in a template, and nothing to forget.
"""

import hashlib
from base64 import b64encode
from collections.abc import Callable, Iterable
from dataclasses import fields
from functools import lru_cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup
from markupsafe import escape as html_words

from render import escaping
from render.context import Report, TopicName
from render.filters import FILTERS
from render.pictures import Picture, Pictures
from render.places import Place
from render.words import Format, Words

TEMPLATES = Path(__file__).parent / "templates"
STYLE = Path(__file__).parent / "static" / "report.css"
AGE = Path(__file__).parent / "static" / "age.js"

FORMATS = {
    "md": Format(untrusted=escaping.markdown, own=escaping.markdown_words),
    "html": Format(untrusted=escaping.html, own=html_words),
    "xml": Format(untrusted=escaping.html, own=html_words),
}
"""What a template's ending says about the text in it."""


def render(
    report: Report,
    *,
    ending: str,
    words: Words,
    pictures: Pictures,
    place: Place | None = None,
) -> str:
    """The report as a whole document, `md` or `html`; ends with a newline.

    `place` is where a page stands in the site; None for one that stands alone.
    """
    template = environment(ending, words).get_template(f"day/report.{ending}.j2")
    # Not dataclasses.asdict: that would copy the context into dictionaries, and a
    # misspelt attribute must fail.
    said = {f.name: getattr(report, f.name) for f in fields(report)}
    return template.render(said, pictures=pictures, place=place)


def render_page(name: str, *, words: Words, **said: Any) -> str:
    """A page of the site that is no report: `home.html`, `project.html`, `feed.xml`."""
    ending = name.rpartition(".")[2]
    return environment(ending, words).get_template(f"site/{name}.j2").render(said)


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
    jinja.globals = {"language": words.language, **_wording(words, form)}
    if ending == "html":
        jinja.globals |= _styling()
    elif ending == "md":
        jinja.globals |= {
            "link": _thread_link,
            "link_to": _link_to,
            "picture": _picture,
        }
    jinja.globals["cited"] = _page_link if ending == "html" else _thread_link
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


def _wording(words: Words, form: Format) -> dict[str, Callable[..., str]]:
    def say(key: str, **values: Any) -> Markup:
        return words.say(key, form, **values)

    def words_of(group: str, keys: Iterable[str]) -> Markup:
        """The words of several values, in a row."""
        return say("separator").join(
            form.untrusted(words.word(group, key)) for key in keys
        )

    def named(topic: TopicName) -> str:
        """The topic's name in the language; its key where it has none."""
        return topic.titles.get(words.language, topic.key)

    return {"say": say, "word": words.word, "words": words_of, "named": named}


def _styling() -> dict[str, Markup]:
    """The style sheet and the script, and the hashes that a page's policy allows."""
    inlined: dict[str, Markup] = {}
    for name, path in (("style", STYLE), ("age_script", AGE)):
        text = path.read_text("utf-8")
        digest = b64encode(hashlib.sha256(text.encode()).digest()).decode()
        inlined |= {name: Markup(text), f"{name}_hash": Markup(f"sha256-{digest}")}
    return inlined


def _thread_link(number: int, url: str | None, title: str | None = None) -> Markup:
    """`[#123 title](url)`; without an address the same words, unlinked.

    Without an address the number is set as code: a bare `#123` would be linked by
    GitHub to whatever repository the report is pasted into.
    """
    words = Markup(f" {escaping.markdown(title)}") if title else Markup("")
    if url is None:
        return Markup(f"`#{number}`{words}")
    return Markup(f"[#{number}{words}]({url})")


def _page_link(number: int, url: str | None, title: str | None = None) -> Markup:
    """The same for a page."""
    words = Markup("#{}").format(number)
    if title:
        words += Markup(" {}").format(escaping.html(title))
    return words if url is None else Markup('<a href="{}">{}</a>').format(url, words)


def _picture(picture: Picture) -> Markup:
    """`![what it shows](file)`, the file lying beside the document."""
    shown = escaping.markdown(f"{picture.title}: {picture.description}")
    return Markup(f"![{shown}]({picture.file})")


def _link_to(words: Markup, url: str) -> Markup:
    """`[words](url)`; the context holds harmless addresses only."""
    return Markup(f"[{words}]({url})")
